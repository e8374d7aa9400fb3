//! Reduction of bytes that something decodes, such as a fuzzer's input for `arbitrary`: the bytes are a sequence of choices,
//! and whatever is left of them decodes to something valid.
//!
//! It is the way in which Hypothesis shrinks (MacIver and Donaldson, *Test-Case Reduction via Test-Case Generation*, 2020):
//! blocks are deleted or become zero, and then numbers become lower, least significant byte first, as `arbitrary` and `rand`
//! read them. At last a block goes together with a byte that is one less: it may be the length of a list, which `arbitrary`
//! reads from the end, and others before the list.

use std::collections::HashSet;
use std::ops::Range;

/// How many bytes at the end may be lengths, if there are too many for each to be one.
const LENGTHS: usize = 8;

/// See [`LENGTHS`].
const MANY: usize = 64;

/// The longest block that goes together with a length that is one less.
const ITEM: usize = 16;

/// The smallest bytes that still fail, as far as this finds them: shorter ones first, then ones whose last difference is
/// lower. `fails` says whether bytes fail; they do at first.
///
/// ```
/// use mcve_generate::bytes::reduce;
///
/// // The last byte is the number of the pairs before it; a pair that grows fails.
/// let fails = |bytes: &[u8]| {
///     let Some((&count, pairs)) = bytes.split_last() else { return false };
///     pairs.chunks_exact(2).take(count.into()).any(|pair| pair[0] < pair[1])
/// };
/// assert_eq!(reduce(vec![9, 8, 7, 7, 3, 200, 5, 4, 4], fails), [0, 1, 1]);
/// ```
pub fn reduce(bytes: Vec<u8>, fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut bytes = Bytes { best: bytes, known: HashSet::new(), fails };
    loop {
        let before = bytes.best.clone();
        bytes.truncate();
        bytes.sweep(|bytes, block| drop(bytes.drain(block)));
        bytes.sweep(|bytes, block| bytes[block].fill(0));
        bytes.lower();
        bytes.delete_with_length();
        if bytes.best == before {
            return before;
        }
    }
}

/// As [`reduce`], of bytes that `decode` makes a value of, or none: the bytes and their value. None if the value of the
/// unreduced bytes does not fail.
#[cfg(any(feature = "arbitrary", feature = "proptest"))]
pub(super) fn reduce_value<T>(
    bytes: Vec<u8>,
    decode: impl Fn(&[u8]) -> Option<T>,
    mut fails: impl FnMut(&T) -> bool,
) -> Option<(Vec<u8>, T)> {
    let mut best = decode(&bytes).filter(&mut fails)?;
    let bytes = reduce(bytes, |bytes| decode(bytes).filter(&mut fails).map(|value| best = value).is_some());
    Some((bytes, best))
}

struct Bytes<F> {
    best: Vec<u8>,
    /// What has been asked for.
    known: HashSet<Vec<u8>>,
    fails: F,
}

impl<F: FnMut(&[u8]) -> bool> Bytes<F> {
    /// Takes bytes that are simpler and fail.
    fn takes(&mut self, bytes: Vec<u8>) -> bool {
        let is_simpler = bytes.len() < self.best.len()
            || bytes.len() == self.best.len() && bytes.iter().rev().lt(self.best.iter().rev());
        let is_taken = is_simpler && self.known.insert(bytes.clone()) && (self.fails)(&bytes);
        if is_taken {
            self.best = bytes;
        }
        is_taken
    }

    /// Finds a short beginning by bisection: most of a fuzzer's bytes are often not read.
    fn truncate(&mut self) {
        let mut low = 0;
        while low < self.best.len() {
            let middle = low + (self.best.len() - low) / 2;
            if !self.takes(self.best[..middle].to_vec()) {
                low = middle + 1;
            }
        }
    }

    /// Changes blocks from the last to the first one, and then blocks of half the length.
    fn sweep(&mut self, change: impl Fn(&mut Vec<u8>, Range<usize>)) {
        let mut size = self.best.len();
        while size > 0 {
            let mut end = self.best.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let mut bytes = self.best.clone();
                change(&mut bytes, start..end);
                self.takes(bytes);
                end = start;
            }
            size /= 2;
        }
    }

    /// Removes blocks together with one from a byte elsewhere.
    fn delete_with_length(&mut self) {
        for size in 1..=ITEM {
            let mut start = 0;
            while start + size <= self.best.len() {
                let end = self.best.len();
                let first = if end > MANY { end - LENGTHS } else { 0 };
                let mut lengths = (first..end).rev().filter(|length| !(start..start + size).contains(length));
                let is_taken = lengths.any(|length| {
                    let mut bytes = self.best.clone();
                    let Some(less) = bytes[length].checked_sub(1) else { return false };
                    bytes[length] = less;
                    bytes.drain(start..start + size);
                    self.takes(bytes)
                });
                start += usize::from(!is_taken);
            }
        }
    }

    /// Makes each byte as low as it can be, from the last one on, also where those before it become the highest ones.
    fn lower(&mut self) {
        for index in (0..self.best.len()).rev() {
            let (mut low, mut high) = (0, self.best[index]);
            while low < high {
                let middle = low + (high - low) / 2;
                let mut bytes = self.best.clone();
                bytes[index] = middle;
                if self.takes(bytes) { high = middle } else { low = middle + 1 }
            }
            for width in [2, 4, 8] {
                let mut bytes = self.best.clone();
                let Some(less) = bytes[index].checked_sub(1).filter(|_| width <= index + 1) else { break };
                bytes[index] = less;
                bytes[index + 1 - width..index].fill(u8::MAX);
                if self.takes(bytes) {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], fails: impl FnMut(&[u8]) -> bool, expected: &[u8]) {
        assert_eq!(reduce(bytes.to_vec(), fails), expected);
    }

    #[test]
    fn bytes_become_fewer_and_lower() {
        check(&[7, 200, 9, 9], |bytes| bytes.iter().any(|&byte| byte > 57), &[58]);
        check(&[7, 200, 9, 9], |bytes| bytes.len() > 2, &[0, 0, 0]);
        check(&[3; 40], |bytes| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>() >= 6, &[6]);
        check(&[9, 9, 7, 17], |bytes| bytes.len() > 3 && bytes[3] > 16, &[0, 0, 0, 17]);
        // 0x1101 as two bytes, and more than 0x1000.
        check(&[1, 17], |bytes| bytes.len() == 2 && u16::from_le_bytes([bytes[0], bytes[1]]) > 0x1000, &[1, 16]);
        check(&[], |_| true, &[]);
        check(&[1], |bytes| bytes == [1], &[1]);
    }
}
