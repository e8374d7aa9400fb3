//! The characters that a grammar tells apart, as small numbers, and sets of these.

use std::ops::RangeInclusive;

/// The kinds of characters: those of one kind begin the same terminals.
pub(super) struct Alphabet {
    /// The first characters of all kinds but the first two: the end of the text, and what is below all others.
    starts: Vec<u32>,
    /// The kinds of the characters of ASCII.
    ascii: Vec<usize>,
}

/// The kind of the end of the text.
pub(super) const END: usize = 0;

impl Alphabet {
    /// The kinds that these ranges of characters tell apart.
    pub(super) fn of(ranges: impl Iterator<Item = RangeInclusive<char>>) -> Self {
        let mut starts: Vec<u32> =
            ranges.flat_map(|range| [u32::from(*range.start()), u32::from(*range.end()) + 1]).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut alphabet = Self { starts, ascii: Vec::new() };
        alphabet.ascii = (0..128).map(|char| alphabet.find(char)).collect();
        alphabet
    }

    fn find(&self, char: u32) -> usize {
        1 + self.starts.partition_point(|start| *start <= char)
    }

    pub(super) fn kind(&self, char: Option<char>) -> usize {
        match char {
            None => END,
            Some(char) if char.is_ascii() => self.ascii[char as usize],
            Some(char) => self.find(char.into()),
        }
    }

    pub(super) fn none(&self) -> Kinds {
        Kinds(vec![0; (self.starts.len() + 2).div_ceil(64)])
    }

    pub(super) fn of_ranges(&self, ranges: &[RangeInclusive<char>]) -> Kinds {
        let mut kinds = self.none();
        for range in ranges {
            (self.kind(Some(*range.start()))..=self.kind(Some(*range.end()))).for_each(|kind| kinds.insert(kind));
        }
        kinds
    }
}

/// A set of kinds of characters.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Kinds(Vec<u64>);

impl Kinds {
    pub(super) fn insert(&mut self, kind: usize) {
        self.0[kind / 64] |= 1 << (kind % 64);
    }

    pub(super) fn has(&self, kind: usize) -> bool {
        self.0[kind / 64] >> (kind % 64) & 1 == 1
    }

    /// Adds all of `other`; returns whether there was a new one.
    pub(super) fn extend(&mut self, other: &Self) -> bool {
        let mut grown = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            grown |= *other & !*own != 0;
            *own |= other;
        }
        grown
    }
}
