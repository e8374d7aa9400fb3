//! Classes of characters: `[a-z_]` and `[^"]`.

use std::ops::RangeInclusive;

/// The characters that one symbol of a grammar stands for. It has at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// In order, apart from each other.
    ranges: Vec<RangeInclusive<char>>,
}

impl Class {
    /// The characters of these ranges, or if it `is_negated` all others; none if there are no such characters.
    pub fn new(mut ranges: Vec<RangeInclusive<char>>, is_negated: bool) -> Option<Self> {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by_key(|range| *range.start());
        let mut joined: Vec<RangeInclusive<char>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start() <= last.end() => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => joined.push(range),
            }
        }
        if is_negated {
            let starts = [Some('\0')].into_iter().chain(joined.iter().map(|range| after(*range.end())));
            let ends = joined.iter().map(|range| before(*range.start())).chain([Some(char::MAX)]);
            let others = starts.zip(ends).filter_map(|(start, end)| Some(start?..=end?));
            joined = others.filter(|range| !range.is_empty()).collect();
        }
        (!joined.is_empty()).then_some(Self { ranges: joined })
    }

    /// Its characters that `other` does not have; none if there are no such characters.
    #[must_use]
    pub fn without(&self, other: &Self) -> Option<Self> {
        let others = Self::new(self.ranges.clone(), true).map(|others| others.ranges);
        Self::new([others.unwrap_or_default(), other.ranges.clone()].concat(), true)
    }

    /// The ranges, in order.
    pub fn ranges(&self) -> &[RangeInclusive<char>] {
        &self.ranges
    }

    /// Whether it has this character.
    pub fn contains(&self, char: char) -> bool {
        let index = self.ranges.partition_point(|range| *range.end() < char);
        self.ranges.get(index).is_some_and(|range| range.contains(&char))
    }

    /// The plainest of its characters: `a`, `0`, or else the first one.
    pub fn example(&self) -> char {
        let plain = ['a', '0'].into_iter().find(|char| self.contains(*char));
        plain.unwrap_or(*self.ranges[0].start())
    }
}

fn before(char: char) -> Option<char> {
    ('\0'..char).next_back()
}

fn after(char: char) -> Option<char> {
    (char..=char::MAX).nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ranges: &[RangeInclusive<char>], is_negated: bool, expected: &[RangeInclusive<char>], example: char) {
        let class = Class::new(ranges.to_vec(), is_negated).expect("it has characters");
        assert_eq!((class.ranges(), class.example()), (expected, example));
        assert!(class.ranges().iter().all(|range| class.contains(*range.start()) && class.contains(*range.end())));
    }

    #[test]
    fn ranges_are_sorted_and_joined() {
        check(&['x'..='z', '3'..='5', '4'..='7'], false, &['3'..='7', 'x'..='z'], '3');
        check(&['a'..='c', 'a'..='b'], false, &['a'..='c'], 'a');
    }

    #[test]
    fn all_others_are_what_is_left() {
        check(&['b'..='b'], true, &['\0'..='a', 'c'..=char::MAX], 'a');
        check(&['\0'..='\u{d7ff}'], true, &['\u{e000}'..=char::MAX], '\u{e000}');
        assert_eq!(Class::new(vec!['\0'..=char::MAX], true), None);
        assert_eq!(Class::new(Vec::new(), false), None);
    }
}
