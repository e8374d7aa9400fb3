//! Transforms: each has a name, its documentation with an example, and a function that proposes reductions.

use std::ops::Range;

use super::pass::PassName;
use crate::names::Analysis;
use crate::rule::proposals::Proposals;
use crate::syntax::{Node, Source};
use crate::text::Edit;

/// A remark of a compiler, or of a run, on a part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The name of the lint, such as `dead_code`.
    pub lint: String,
    /// The bytes that it is about.
    pub site: Range<usize>,
    /// The changes that the compiler suggests; empty if it suggests none.
    pub edits: Vec<Edit>,
}

/// How a transform looks at the program.
#[derive(Clone, Copy)]
pub enum Rule {
    /// Called for each node. Its proposals parse if the source does.
    Node(fn(Node<'_>, &mut Proposals<'_>)),
    /// Called once for the whole tree. Its proposals parse if the source does.
    Tree(fn(&Analysis<'_>, &mut Proposals<'_>)),
    /// Called once for the text, for sources that were not understood. Its proposals need not parse.
    Text(fn(&Source, &mut Proposals<'_>)),
    /// Called for each hint of a compiler; without hints it proposes nothing. Its proposals need not parse.
    Hinted(fn(&Hint, &mut Proposals<'_>)),
    /// Like `Hinted`, for each hint from a run of the program with its [probes](crate::Probes).
    Observed(fn(&Hint, &mut Proposals<'_>)),
    /// Like `Hinted`, for each hint from a run of the program that reports its [coverage](crate::Coverage).
    Covered(fn(&Hint, &mut Proposals<'_>)),
}

/// A rule that enumerates reductions. It never runs, reads, prints or searches.
pub struct Transform {
    /// Its stable name, such as `delete-item`.
    pub name: &'static str,
    /// Its documentation in Markdown: one imperative sentence, the example, remarks.
    pub doc: &'static str,
    /// The passes that try it.
    pub passes: &'static [PassName],
    /// Its place within a pass: lower ones first, equal ones in the order of the registry. It matters if several change the
    /// same place.
    pub rank: u8,
    /// The function.
    pub rule: Rule,
}

impl Transform {
    /// The first sentence of the documentation.
    pub fn summary(&self) -> &'static str {
        self.doc.trim().lines().next().unwrap_or_default().trim()
    }

    /// The example: the program before, and after the reduction.
    pub fn example(&self) -> Option<(String, String)> {
        let block = self.doc.split("```").nth(1)?.strip_prefix("text")?;
        let (before, after) = block.split_once("\n=>\n")?;
        Some((before.trim().to_owned(), after.trim().to_owned()))
    }
}

impl PartialEq for Transform {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Transform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A group of transforms that concern the same syntax: a file in `families/`.
pub struct Family {
    /// Its name, such as `items`.
    pub name: &'static str,
    /// Its subject, in a sentence.
    pub about: &'static str,
    /// Its transforms, in the order in which their reductions are tried.
    pub transforms: &'static [&'static Transform],
}

/// The families that concern a kind of syntax: a folder in `families/`.
pub struct Category {
    /// The name of its folder.
    pub name: &'static str,
    /// The syntax that its transforms change.
    pub about: &'static str,
    /// Its families, in the order in which their reductions are tried.
    pub families: &'static [&'static Family],
}

/// The passes of a transform: its own, or else those of its family.
pub(crate) const fn passes_of(own: &'static [PassName], family: &'static [PassName]) -> &'static [PassName] {
    if own.is_empty() { family } else { own }
}

/// The rank of a family: the one that is given, or else the last.
pub(crate) const fn rank_of(given: &[u8]) -> u8 {
    if given.is_empty() { u8::MAX } else { given[0] }
}

/// Declares a family: its name, its sentence, the passes that try it and its rank in these, then a constant for each transform: an
/// imperative sentence and remarks, the name, the rule, passes of its own where these differ, and an example.
macro_rules! family {
    (
        $name:literal, $about:literal, in $($pass:ident),+ $(at $rank:literal)?;
        $(
            #[doc = $summary:literal]
            $(#[doc = $remark:literal])*
            $constant:ident = $transform:literal, $rule:expr, $(in $($own:ident),+ ,)? $before:literal => $after:literal;
        )*
    ) => {
        const PASSES: &[$crate::PassName] = &[$($crate::PassName::$pass),+];
        const RANK: u8 = $crate::rule::transform::rank_of(&[$($rank)?]);

        $(
            #[doc = concat!($summary, "\n\n```text\n", $before, "\n=>\n", $after, "\n```\n" $(, $remark, "\n")*)]
            pub static $constant: $crate::Transform = $crate::Transform {
                name: $transform,
                doc: concat!($summary, "\n\n```text\n", $before, "\n=>\n", $after, "\n```\n" $(, $remark, "\n")*),
                passes: $crate::rule::transform::passes_of(&[$($($crate::PassName::$own),+)?], PASSES),
                rank: RANK,
                rule: $rule,
            };
        )*

        #[doc = $about]
        pub static FAMILY: $crate::Family = $crate::Family {
            name: $name,
            about: $about,
            transforms: &[$(&$constant),*],
        };
    };
}
pub(crate) use family;
