//! What runs of a program with probes have reported: which blocks they reached, and the values that expressions had.
//!
//! A reduced program that fails for the same reason has no other values on the way (after ORBS, which deletes statements as long as the
//! values at a place stay as they are: Binkley et al., *ORBS: Language-Independent Program Slicing*, 2014). Parts of values may
//! go with the code that they came from: a field, an element of a list.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::text::lex::tokens;

/// What a probe reports for: twice a byte of the token that makes an expression or block what it is, the operator, the name of
/// the method, the brace. One more than that for an operand or argument of such an expression.
pub type Name = usize;

/// The byte of the token in a name.
pub const fn byte_of(name: Name) -> usize {
    name / 2
}

/// The name of a block, by the bytes inside of its braces, or of an expression without braces.
pub(super) fn name_of_block(inside: &Range<usize>, is_bare: bool) -> Name {
    2 * (inside.start - usize::from(!is_bare))
}

/// The reports of runs, by what their probes are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    sites: BTreeMap<Name, Site>,
}

/// The reports of a probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Site {
    is_reached: bool,
    /// Whether it was reached more than once, for a block.
    is_repeated: bool,
    /// Whether it may have other values than these.
    has_more: bool,
    values: BTreeSet<Value>,
}

/// The words and literals of a value that was printed for programmers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Value {
    /// The name that it begins with: of a variant, `true` or `false`.
    head: Option<String>,
    words: Vec<String>,
    /// Whether they are in no order, as those of a set or map may be.
    is_unordered: bool,
}

impl Value {
    fn read(printed: &str) -> Self {
        let is_word = |word: &str| word.starts_with(|c: char| c == '_' || c == '"' || c == '\'' || c.is_alphanumeric());
        let (mut words, mut sign) = (Vec::new(), "");
        for word in tokens(printed).into_iter().map(|token| &printed[token.range]) {
            if is_word(word) {
                words.push(format!("{sign}{word}"));
            }
            sign = if word == "-" { word } else { "" };
        }
        let head = words.first().filter(|_| printed.starts_with(char::is_alphabetic)).cloned();
        let is_unordered = printed.contains('{');
        if is_unordered {
            words.sort_unstable();
        }
        Self { head, words, is_unordered }
    }

    /// What of it decides which code runs, whatever the data are: its variant, or whether it is empty.
    fn shape(self) -> Self {
        let is_empty = self.words.iter().all(|word| word == "\"\"");
        let words = self.head.clone().or_else(|| (!is_empty).then(|| "_".to_owned()));
        Self { words: words.into_iter().collect(), is_unordered: false, ..self }
    }

    /// Whether it is the other one, or what is left of that without some of its parts, but not all.
    fn is_left_of(&self, other: &Self) -> bool {
        let (own, mut others) = (&self.words, other.words.clone());
        if own.is_empty() {
            return others.is_empty();
        }
        if self.is_unordered != other.is_unordered {
            others.sort_unstable();
            return own.iter().all(|word| others.binary_search(word).is_ok());
        }
        let mut others = others.iter();
        own.iter().all(|word| others.any(|other| other == word))
    }
}

impl Seen {
    /// Reads what several runs reported, of a program with probes of these names in its blocks. Where runs differ, nothing is known.
    pub(super) fn of_runs(reported: &str, blocks: impl IntoIterator<Item = Name>) -> Self {
        let mut runs: BTreeMap<&str, Self> = BTreeMap::new();
        let mut run = "";
        for line in reported.lines() {
            match line.strip_prefix('@') {
                Some(process) => run = process,
                None => runs.entry(run).or_default().add(line),
            }
        }
        let mut runs = runs.into_values();
        let mut seen = runs.next().unwrap_or_default();
        for run in runs {
            for (name, site) in &mut seen.sites {
                site.has_more |= run.sites.get(name) != Some(site);
            }
            for (name, site) in run.sites {
                seen.sites.entry(name).or_insert(Site { has_more: true, ..site });
            }
        }
        blocks.into_iter().for_each(|name| _ = seen.sites.entry(name).or_default());
        seen
    }

    /// Reads what a run reported.
    pub fn of_run(reported: &str) -> Self {
        let mut seen = Self::default();
        reported.lines().filter(|line| !line.starts_with('@')).for_each(|line| seen.add(line));
        seen
    }

    fn add(&mut self, line: &str) {
        let mut fields = line.splitn(3, '\t');
        let names = fields.next().into_iter().flat_map(|names| names.split(' ')).filter_map(|name| name.parse().ok());
        let (ty, value) = (fields.next(), fields.next().map(Value::read));
        for name in names {
            let site: &mut Site = self.sites.entry(name).or_default();
            site.is_reached = true;
            site.is_repeated |= ty == Some("+");
            site.has_more |= ty == Some("");
            site.values.extend(value.clone().filter(|_| ty != Some("")));
        }
    }

    /// The same without the data: of each value only which variant it is.
    #[must_use]
    pub fn shapes(mut self) -> Self {
        for site in self.sites.values_mut() {
            site.values = std::mem::take(&mut site.values).into_iter().map(Value::shape).collect();
        }
        self
    }

    /// Forgets what was reported for probes of this name.
    pub(super) fn forget(&mut self, name: Name) {
        self.sites.entry(name).or_default().has_more = true;
    }

    /// Whether it is known what probes of this name report, in blocks or of values.
    pub fn has(&self, name: Name, is_of_value: bool) -> bool {
        self.sites.get(&name).is_some_and(|site| !site.has_more && (!is_of_value || !site.values.is_empty()))
    }

    /// Whether the block of this name is reached more than once.
    pub fn is_repeated(&self, name: Name) -> bool {
        self.sites.get(&name).is_some_and(|site| site.is_repeated)
    }

    /// The name of a block that this one reaches and the other one does not, or, if `values_count`, of a value that succeeded here and
    /// does not there, although its program still has it: `is_left` says whether it has the token at this byte of the unreduced program.
    pub fn lost_in(&self, other: &Self, values_count: bool, is_left: impl Fn(usize) -> bool) -> Option<Name> {
        // What failed besides may go.
        let succeeded = |value: &&Value| !value.head.as_deref().is_some_and(|head| ["Err", "None"].contains(&head));
        let is_lost = |(name, site): &(&Name, &Site)| {
            let counts = site.is_reached && !site.has_more && (values_count || site.values.is_empty());
            let has_all = |other: &Site| {
                other.is_reached && site.values.iter().filter(succeeded).all(|value| other.values.contains(value))
            };
            counts && !other.sites.get(name).is_some_and(has_all) && is_left(byte_of(**name))
        };
        self.sites.iter().find(is_lost).map(|(name, _)| *name)
    }

    /// Forgets what the other one contradicts, which another run of the same program has shown.
    pub fn forget_new_in(&mut self, other: &Self) {
        while let Some((name, _)) = self.new_in(other) {
            self.forget(name);
        }
    }

    /// What the other one has and this one has not: the name of a probe, and the value if it has one.
    pub fn new_in(&self, other: &Self) -> Option<(Name, Option<String>)> {
        other.sites.iter().find_map(|(name, other)| {
            let own = self.sites.get(name).filter(|own| !own.has_more)?;
            if other.is_reached && !own.is_reached {
                return Some((*name, None));
            }
            let is_new = |value: &&Value| !own.values.iter().any(|own| value.is_left_of(own));
            let value = other.values.iter().find(is_new)?;
            (!own.values.is_empty()).then(|| (*name, Some(value.words.join(" "))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(seen: &str, other: &str, expected: Option<(usize, Option<&str>)>) {
        let seen = Seen::of_runs(seen, [7]);
        let expected = expected.map(|(name, value)| (name, value.map(str::to_owned)));
        assert_eq!(seen.new_in(&Seen::of_run(other)), expected, "{other}");
    }

    #[test]
    fn a_value_that_was_not_there_is_new() {
        let seen = "@1\n3\n5\ti32\t-50\n5\ti32\t12\n";
        check(seen, "@9\n3\n5\ti32\t12\n", None);
        check(seen, "5\ti32\t13\n", Some((5, Some("13"))));
        check(seen, "5\ti64\t50\n", Some((5, Some("50"))));
        check(seen, "6\ti32\t1\n", None);
    }

    #[test]
    fn what_was_not_reached_is_new() {
        check("3\n", "7\n", Some((7, None)));
        check("3\n7\n", "7\n", None);
    }

    #[test]
    fn parts_of_a_value_may_go() {
        let seen = "5\tA\tA { b: [1, 2], c: \"x\" }\n6\tX\tX([1, 2, 3])\n";
        for left in ["A { b: [2] }", "A([1], \"x\")", "A { c: \"x\", b: [2, 1] }"] {
            check(seen, &format!("5\tA\t{left}\n"), None);
        }
        check(seen, "5\tA\t[]\n", Some((5, Some(""))));
        check(seen, "6\tX\t[3, 1]\n", Some((6, Some("3 1"))));
        check(seen, "5\tA\tA { c: \"y\" }\n", Some((5, Some("\"y\" A c"))));
    }

    #[test]
    fn of_other_data_only_the_variants_count() {
        let seen = |reported: &str| Seen::of_run(reported).shapes();
        let input = seen("5\tO\tSome(1)\n6\tu8\t7\n7\tbool\ttrue\n8\tS\tS { a: 1 }\n");
        assert_eq!(input.new_in(&seen("5\tO\tSome(2)\n6\tu8\t8\n7\tbool\ttrue\n8\tS\tS { a: 2 }\n")), None);
        assert_eq!(input.new_in(&seen("5\tO\tNone\n")), Some((5, Some("None".to_owned()))));
        assert_eq!(input.new_in(&seen("7\tbool\tfalse\n")), Some((7, Some("false".to_owned()))));
        let list = seen("5\tV\t[1, 2]\n6\t&str\t\"a\"\n");
        assert_eq!(list.new_in(&seen("5\tV\t[3]\n6\t&str\t\"b\"\n")), None);
        assert_eq!(list.new_in(&seen("5\tV\t[]\n")).map(|(name, _)| name), Some(5));
        assert_eq!(list.new_in(&seen("6\t&str\t\"\"\n")).map(|(name, _)| name), Some(6));
    }

    #[test]
    fn what_ran_or_succeeded_is_not_lost() {
        let input = Seen::of_run("3\n5\tO\tSome(1)\n5\tO\tNone\n").shapes();
        let lost = |other: &str, values_count| input.lost_in(&Seen::of_run(other).shapes(), values_count, |_| true);
        assert_eq!(lost("3\n5\tO\tSome(2)\n", true), None);
        assert_eq!([true, false].map(|count| lost("3\n5\tO\tNone\n", count)), [Some(5), None]);
        assert_eq!(lost("5\tO\tSome(1)\n", false), Some(3));
        assert_eq!(input.lost_in(&Seen::default(), true, |_| false), None);
    }

    #[test]
    fn what_another_run_contradicts_is_forgotten() {
        let mut seen = Seen::of_run("5\tu8\t1\n6\tu8\t1\n");
        seen.forget_new_in(&Seen::of_run("5\tu8\t2\n6\tu8\t1\n"));
        assert_eq!((seen.has(5, true), seen.has(6, true)), (false, true));
    }

    #[test]
    fn where_runs_differ_nothing_is_known() {
        let seen = "@1\n5\tf\t0.1\n6\tu8\t1\n@2\n5\tf\t0.2\n6\tu8\t1\n";
        check(seen, "5\tf\t0.3\n", None);
        check(seen, "6\tu8\t2\n", Some((6, Some("2"))));
        check("5\t\t\n", "5\tu8\t2\n", None);
    }
}
