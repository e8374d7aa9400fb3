//! Receives requests for processes.

use crate::protocol::{HEAD, LONGEST, MOST};
use crate::system;
use crate::text::{Text, Texts};

/// The parameters of a process.
pub(crate) struct Request<'b> {
    pub(crate) folder: Text<'b>,
    /// Its arguments, at most [`MOST`].
    pub(crate) words: Texts<'b>,
    /// Changes to its variables.
    pub(crate) variables: Texts<'b>,
    /// Its standard output and standard error.
    pub(crate) outputs: [i32; 2],
}

/// The next request. None at the end, or if it is invalid.
pub(crate) fn receive(socket: i32, buffer: &mut [u8; LONGEST]) -> Option<Request<'_>> {
    let (length, outputs) = system::receive_with_descriptors(socket, buffer)?;
    parse(buffer.get(..length)?, outputs)
}

fn parse(request: &[u8], outputs: [i32; 2]) -> Option<Request<'_>> {
    let (words, variables) = (count(request.get(..4)?)?, count(request.get(4..HEAD)?)?);
    let (mut folder, rest) = Texts::split(request.get(HEAD..)?, 1)?;
    let (words, rest) = Texts::split(rest, words)?;
    let (variables, rest) = Texts::split(rest, variables)?;
    rest.is_empty().then_some(Request { folder: folder.next()?, words, variables, outputs })
}

/// A count in a request; none if it exceeds [`MOST`].
fn count(bytes: &[u8]) -> Option<usize> {
    let count = u32::from_ne_bytes(bytes.try_into().ok()?) as usize;
    (count <= MOST).then_some(count)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn bytes(words: usize, variables: usize, texts: &[u8]) -> Vec<u8> {
        let counts = [words, variables].map(|count| u32::try_from(count).expect("it is small").to_ne_bytes());
        [&counts.concat(), texts].concat()
    }

    #[test]
    fn a_request_is_taken_apart() {
        let bytes = bytes(2, 1, b"/f\0rustc\0\0A=1\0");
        let request = parse(&bytes, [3, 4]).expect("it is one");
        assert_eq!((request.words.count(), request.variables.count(), request.outputs), (2, 1, [3, 4]));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for (words, variables, texts) in [
            (0, 0, &b""[..]),
            (0, 0, b"/f"),
            (1, 0, b"/f\0"),
            (1, 0, b"/f\0rustc"),
            (1, 1, b"/f\0rustc\0"),
            (0, 0, b"/f\0rustc\0"),
            (0, 0, b"/f\0x"),
            (MOST + 1, 0, &[0; MOST + 2]),
            (0, MOST + 1, &[0; MOST + 2]),
        ] {
            assert!(parse(&bytes(words, variables, texts), [3, 4]).is_none(), "{words} {variables} {texts:?}");
        }
        assert!(parse(&bytes(MOST, 0, &[0; MOST + 1]), [3, 4]).is_some());
        assert!(parse(&bytes(0, 0, b"")[..7], [3, 4]).is_none());
    }
}
