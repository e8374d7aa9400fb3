//! What every single reduction of a text is held to; the sweep over foreign files (`xtask/src/sweep.rs`) checks the same.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mcve_transforms::{Measure, Reduction, Rule, Source, Tree, Understanding, apply};

use super::pieces::Pieces;

/// What a transform must never do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Breach {
    /// It panics, or applying what it proposes does.
    Panic,
    /// An edit reaches beyond the text, cuts a character, or overlaps another edit of the same reduction.
    Edits,
    /// A proposal that is no trial is not smaller.
    Size,
    /// A proposal for a text that parses does not parse.
    Syntax,
}

/// A text and what its reductions are checked against.
pub(crate) struct Subject<'t> {
    text: &'t str,
    measure: Measure,
    /// Whether all of the text parses.
    understood: bool,
    /// What need not parse: syntax that syn keeps as bare tokens.
    unknown: Vec<Range<usize>>,
    pieces: Pieces,
}

impl<'t> Subject<'t> {
    pub(crate) fn of(tree: &Tree<'t>) -> Self {
        let text = tree.source().text();
        Self {
            text,
            measure: Measure::of(text),
            understood: tree.source().understanding() == Understanding::Full,
            unknown: tree.unknown().collect(),
            pieces: Pieces::of(tree),
        }
    }

    /// The same for a copy of the text, so that the source can go: its spans are given back where no source lives.
    pub(crate) fn moved_to(self, text: &str) -> Subject<'_> {
        assert_eq!(self.text, text, "it is a copy");
        let Self { measure, understood, unknown, pieces, .. } = self;
        Subject { text, measure, understood, unknown, pieces }
    }

    /// What is wrong with `reduction`, which is no trial if it `shrinks`, and the words for it.
    pub(crate) fn breach(&self, reduction: &Reduction, shrinks: bool) -> Option<(Breach, String)> {
        if let Some(words) = self.misplaced(reduction) {
            return Some((Breach::Edits, words));
        }
        let checked = catch_unwind(AssertUnwindSafe(|| self.wrong(reduction, shrinks)));
        checked.unwrap_or_else(|panic| Some((Breach::Panic, message(&*panic))))
    }

    /// Whether edits are out of range or overlap.
    fn misplaced(&self, reduction: &Reduction) -> Option<String> {
        let outside = reduction.edits.iter().find(|edit| self.text.get(edit.range.clone()).is_none());
        if let Some(edit) = outside {
            return Some(format!("is out of range: {:?}", edit.range));
        }
        let pair = reduction.edits.windows(2).find(|pair| pair[0].range.end > pair[1].range.start)?;
        Some(format!("overlaps: {:?} and {:?}", pair[0].range, pair[1].range))
    }

    fn wrong(&self, reduction: &Reduction, shrinks: bool) -> Option<(Breach, String)> {
        let site = &reduction.site;
        let is_known = !self.unknown.iter().any(|unknown| unknown.start <= site.start && site.end <= unknown.end);
        let must_parse = self.understood && is_known && !matches!(reduction.transform.rule, Rule::Text(_));
        if must_parse && self.pieces.tell(self.text, reduction, shrinks) {
            return None;
        }
        let after = apply(self.text, [reduction]);
        if shrinks && Measure::of(&after) >= self.measure {
            return Some((Breach::Size, "does not shrink".to_owned()));
        }
        if !must_parse || Source::is_valid(&after) {
            return None;
        }
        let words = match syn::parse_file(&after) {
            Ok(_) => "does not parse".to_owned(),
            Err(error) => {
                let line = after.lines().nth(error.span().start().line - 1).unwrap_or_default();
                format!("does not parse, {error}: {line}")
            }
        };
        Some((Breach::Syntax, words))
    }

    /// Where `reduction` is wrong, with all of a small text.
    pub(crate) fn story(&self, reduction: &Reduction) -> String {
        let edit = |range: &Range<usize>| self.text.get(range.clone()).unwrap_or("?").to_owned();
        let edits: Vec<_> = reduction.edits.iter().map(|it| (edit(&it.range), &it.text)).collect();
        let file = if self.text.len() < 1000 { self.text } else { "" };
        format!("{}\nedits {edits:?}\n{file}", edit(&reduction.site))
    }
}

/// What a panic says.
pub(crate) fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().cloned();
    words.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
}
