//! The labels of a diagnostic: what each says, and at what it points.

use std::ops::Range;

use mcve_transforms::{Construct, Tree};

use super::advice;
use super::names::Names;
use super::sentence::Sentence;
use crate::oracle::output::diagnostics::Span;
use crate::program::Program;

/// The begin of the name of an expansion that rustc makes of a `for` or a `?`.
const DESUGARING: &str = "desugaring of";

/// The begin of labels about a type that cannot be inferred.
const INFERENCE: &str = "cannot infer type";

/// A label: its words, and the part of the program at which it points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    is_primary: bool,
    pub(super) said: Sentence,
    place: PointsAt,
    /// What it says, as it was written.
    pub(super) text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PointsAt {
    /// Code of the program, or of another crate; with the trait that settles what stands there.
    Code(Construct, Option<String>),
    /// Code that a macro made.
    Macro(String),
}

pub(crate) struct Places<'p> {
    pub(crate) program: Option<&'p Program>,
    pub(crate) tree: Option<&'p Tree<'p>>,
    /// The better words for a label that only says that a bound is not satisfied.
    pub(crate) unsatisfied: Option<&'p str>,
}

impl Places<'_> {
    /// The labels of a diagnostic or a note, and its primary spans.
    pub(crate) fn labels(&self, spans: &[Span]) -> Vec<Label> {
        let spans = spans.iter().filter(|span| span.is_primary || span.label.is_some());
        let labels = spans.filter(|span| !span.label.as_deref().is_some_and(advice::is_advice)).map(|span| {
            let said = span.label.as_deref().unwrap_or_default();
            let said = self.unsatisfied.filter(|_| said == advice::UNSATISFIED).unwrap_or(said);
            let place = self.place(span, said.starts_with(INFERENCE));
            Label { is_primary: span.is_primary, said: Sentence::read(said), place, text: said.to_owned() }
        });
        labels.collect()
    }

    /// Where a span points; where a type is to be inferred, what its value is used for.
    fn place(&self, span: &Span, is_inferred: bool) -> PointsAt {
        let expansion = span.expansion.as_ref().filter(|expansion| !expansion.macro_decl_name.starts_with(DESUGARING));
        if let Some(expansion) = expansion {
            return PointsAt::Macro(expansion.macro_decl_name.trim_end_matches('!').to_owned());
        }
        let Some((tree, place)) = self.tree.zip(self.range(span)) else {
            return PointsAt::Code(Construct::Other, None);
        };
        let construct = if is_inferred { Construct::use_at(tree, &place) } else { Construct::at(tree, &place) };
        PointsAt::Code(construct, Construct::trait_around(tree, &place).map(str::to_owned))
    }

    /// The bytes of a span in the text of the program.
    pub(crate) fn range(&self, span: &Span) -> Option<Range<usize>> {
        span.range(self.program?)
    }
}

/// Whether two diagnostics have the same labels, in any order.
pub(crate) fn same_labels(held: &[Label], seen: &[Label], names: &Names<'_>) -> bool {
    odd_label(held, seen, names).is_none()
}

/// The first label that only one of two diagnostics has, and whether it is the first one.
pub(super) fn odd_label<'l>(held: &'l [Label], seen: &'l [Label], names: &Names<'_>) -> Option<(&'l Label, bool)> {
    let is_same = |held: &Label, seen: &Label| {
        let is_same_place = match (&held.place, &seen.place) {
            (PointsAt::Code(held, of_trait), PointsAt::Code(seen, seen_trait)) => {
                let of_trait = of_trait.as_ref().filter(|name| !names.is_own(name));
                (*held == Construct::Other || held == seen) && (of_trait.is_none() || of_trait == seen_trait.as_ref())
            }
            (PointsAt::Macro(held), PointsAt::Macro(seen)) => names.are_same(held, seen),
            _ => false,
        };
        held.is_primary == seen.is_primary && held.said.is_same(&seen.said, names) && is_same_place
    };
    odd_one(held, seen, is_same)
}

/// The first of two lists that has no like in the other one, and whether it is in the first list.
pub(super) fn odd_one<'t, T>(held: &'t [T], seen: &'t [T], is_same: impl Fn(&T, &T) -> bool) -> Option<(&'t T, bool)> {
    let lost = held.iter().find(|held| !seen.iter().any(|seen| is_same(held, seen)));
    let new = || seen.iter().find(|seen| !held.iter().any(|held| is_same(held, seen)));
    lost.map(|lost| (lost, true)).or_else(|| new().map(|new| (new, false)))
}
