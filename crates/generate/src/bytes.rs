//! Reduction of bytes that something decodes, such as a fuzzer's input for `arbitrary`: the bytes are a sequence of choices,
//! and whatever is left of them decodes to something valid.
//!
//! It is the way in which Hypothesis shrinks (MacIver and Donaldson, *Test-Case Reduction via Test-Case Generation*, 2020):
//! blocks are deleted or become zero, and then bytes and words become smaller. The last bytes come first, too, because
//! `arbitrary` reads lengths from there: a block goes together with a byte at the end that is one less.

use std::convert::Infallible;

use mcve_dd::ddmin::ddmin;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::tester::Tester;

/// How many bytes at the end may be lengths.
const LENGTHS: usize = 8;

/// The longest block that goes together with a length that is one less.
const ITEM: usize = 16;

/// The smallest bytes that still fail, as far as this finds them: shorter ones first, then ones whose first difference is
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
    let mut bytes = Bytes { best: bytes, fails };
    loop {
        let before = bytes.best.clone();
        bytes.delete();
        bytes.delete_with_length();
        bytes.zero();
        bytes.lower();
        if bytes.best == before {
            return before;
        }
    }
}

struct Bytes<F> {
    best: Vec<u8>,
    fails: F,
}

impl<F: FnMut(&[u8]) -> bool> Bytes<F> {
    /// Takes bytes that are simpler and fail.
    fn takes(&mut self, bytes: Vec<u8>) -> bool {
        let is_simpler = (bytes.len(), &bytes) < (self.best.len(), &self.best);
        let is_taken = is_simpler && (self.fails)(&bytes);
        if is_taken {
            self.best = bytes;
        }
        is_taken
    }

    fn delete(&mut self) {
        let all = self.best.clone();
        let kept = |keep: &KeepList| keep.kept().iter().map(|&index| all[index]).collect::<Vec<u8>>();
        self.search(all.len(), &kept);
    }

    fn zero(&mut self) {
        let all = self.best.clone();
        let kept = |keep: &KeepList| {
            let mut bytes = vec![0; all.len()];
            keep.kept().iter().for_each(|&index| bytes[index] = all[index]);
            bytes
        };
        self.search(all.len(), &kept);
    }

    /// Keeps as few of `count` as ddmin finds, each time as `made` makes bytes of it.
    fn search(&mut self, count: usize, made: &dyn Fn(&KeepList) -> Vec<u8>) {
        let mut tester = Made { bytes: self, made };
        let tester: &mut dyn Tester<Infallible> = &mut tester;
        let Ok(_) = ddmin(KeepList::full(count), tester);
    }

    /// Removes blocks together with one from a byte at the end.
    fn delete_with_length(&mut self) {
        for size in 1..=ITEM {
            let mut start = 0;
            while start + size <= self.best.len() {
                let end = self.best.len();
                let mut lengths = (end.saturating_sub(LENGTHS).max(start + size)..end).rev();
                let is_taken = lengths.any(|length| {
                    if length >= self.best.len() || self.best[length] == 0 {
                        return false;
                    }
                    let mut bytes = self.best.clone();
                    bytes[length] -= 1;
                    bytes.drain(start..start + size);
                    self.takes(bytes)
                });
                start += usize::from(!is_taken);
            }
        }
    }

    /// Makes each byte as low as it can be, and words by their high bytes first.
    fn lower(&mut self) {
        for index in 0..self.best.len() {
            let (mut low, mut high) = (0, self.best[index]);
            while low < high {
                let middle = low + (high - low) / 2;
                let mut bytes = self.best.clone();
                bytes[index] = middle;
                if self.takes(bytes) { high = middle } else { low = middle + 1 }
            }
        }
    }
}

struct Made<'a, F> {
    bytes: &'a mut Bytes<F>,
    made: &'a dyn Fn(&KeepList) -> Vec<u8>,
}

impl<F: FnMut(&[u8]) -> bool> Tester<Infallible> for Made<'_, F> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        let bytes = (self.made)(keep);
        // The unreduced ones fail, and zeros in the place of zeros are no change.
        Ok(if bytes == self.bytes.best || self.bytes.takes(bytes) { Outcome::Fail } else { Outcome::Pass })
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, Infallible> {
        for (position, keep) in keeps.enumerate() {
            if self.test(&keep)? == Outcome::Fail {
                return Ok(Some(position));
            }
        }
        Ok(None)
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
        check(&[3; 40], |bytes| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>() >= 6, &[3, 3]);
        check(&[], |_| true, &[]);
        check(&[1], |bytes| bytes == [1], &[1]);
    }
}
