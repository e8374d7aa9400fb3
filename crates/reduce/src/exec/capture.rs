//! The capped output of a process: the beginning and the end are kept, since a compiler's last words matter most.

use std::collections::VecDeque;

/// The number of bytes kept of the beginning, and again of the end: enough for thousands of errors with all their details.
pub(super) const KEPT: usize = 16 << 20;

/// A stream's beginning and end.
#[derive(Debug, Default)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Capture {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..surplus);
        self.left_out += surplus as u64;
    }

    /// All that was kept. If bytes were left out, a separate line gives their number.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = self.head;
        if self.left_out > 0 {
            bytes.extend_from_slice(format!("\n[{} bytes left out]\n", self.left_out).as_bytes());
        }
        bytes.extend(self.tail);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[(u8, usize)], begins: u8, ends: u8, left_out: Option<usize>) {
        let mut capture = Capture::default();
        for &(byte, count) in pieces {
            capture.push(&vec![byte; count]);
        }
        let bytes = capture.into_bytes();
        assert_eq!((bytes.first(), bytes.last()), (Some(&begins), Some(&ends)));
        let note = left_out.map(|count| format!("\n[{count} bytes left out]\n"));
        let total: usize = pieces.iter().map(|&(_, count)| count).sum();
        assert_eq!(bytes.len(), total - left_out.unwrap_or(0) + note.as_ref().map_or(0, String::len));
        if let Some(note) = note {
            assert_eq!(&bytes[KEPT..KEPT + note.len()], note.as_bytes());
        }
    }

    #[test]
    fn the_beginning_and_the_end_are_kept() {
        check(&[(b'a', 5), (b'b', 7)], b'a', b'b', None);
        check(&[(b'a', KEPT), (b'b', KEPT)], b'a', b'b', None);
        check(&[(b'a', KEPT - 1), (b'b', KEPT + 1)], b'a', b'b', None);
        check(&[(b'a', 1), (b'b', 3 * KEPT), (b'c', 1)], b'a', b'c', Some(KEPT + 2));
        check(&[(b'a', KEPT), (b'b', KEPT), (b'c', KEPT)], b'a', b'c', Some(KEPT));
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(Capture::default().into_bytes(), b"");
    }
}
