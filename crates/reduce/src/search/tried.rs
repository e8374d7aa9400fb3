//! Reports what became of each change that was proposed, to an observer that wants to know.
//!
//! Where none does, nothing is made or kept for it. A trial is one change, whatever is tried in it.

use std::ops::Range;

use mcve_transforms::{Edit, Reduction, Segment, apply_traced};

use super::engine::Search;
use super::filters::{Phase, look};
use crate::check::limits::Stop;
use crate::check::request::{Reply, Source};
use crate::event::{Attempt, Event, Rejection, Tried};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

impl Search<'_> {
    /// Whether an observer wants to know what becomes of changes.
    pub(super) fn is_watched(&self) -> bool {
        self.observer.wants_attempts() && self.course.transaction.is_none()
    }

    /// Why a candidate was rejected, by the answer to whether it fails.
    pub(super) fn rejection(&mut self, candidate: &Program, reply: Option<&Reply>) -> Rejection {
        let text = candidate.hash();
        let tally = &self.checks.tally;
        let by = match reply.map(|reply| reply.source) {
            None => "document",
            Some(Source::Cache) => "cache",
            Some(Source::Journal) => "journal",
            Some(Source::Screening) => "screening",
            Some(Source::Run | Source::Prediction) => "oracle",
        };
        if !matches!(by, "document" | "cache") {
            self.reported.checks.insert(text, tally.checks + tally.recalled);
        }
        let reason = reply.and_then(|reply| Some(&*reply.verdict.as_ref()?.reason));
        let reason = reason.unwrap_or("it is no program of several files any more").into();
        Rejection { by, reason, check: self.reported.checks.get(&text).copied(), together: 1 }
    }

    /// Finds the first of `candidates`, in order, that fails, and its position. `None` among them is skipped.
    ///
    /// # Errors
    /// When the search has to stop.
    pub(super) fn first<T>(
        &mut self,
        name: &str,
        candidates: &mut dyn Iterator<Item = Option<(Program, T)>>,
    ) -> Result<Option<(usize, (Program, T))>, Stop> {
        for position in 0.. {
            self.checks.proceed()?;
            let Some(candidate) = self.checks.timer().in_time(|| candidates.next())? else { break };
            let Some(candidate) = candidate else { continue };
            let reply = self.checks.reply(&candidate.0, self.observer)?;
            let fails = reply.as_ref().is_some_and(|reply| reply.outcome() == Outcome::Fail);
            if self.is_watched() {
                let base = self.best().clone();
                let edits = vec![candidate.0.edit_since(&base)];
                let rejection = (!fails).then(|| self.rejection(&candidate.0, reply.as_ref()));
                let (transform, site) = (name.to_owned(), edits[0].range.clone());
                let taken = if fails { &candidate.0 } else { &base };
                self.report(&base, taken, vec![Attempt { transform, site, edits, rejection }]);
            }
            if fails {
                return Ok(Some((position, candidate)));
            }
        }
        Ok(None)
    }

    /// Reports changes of `base`, of which some were taken and made `program`.
    pub(super) fn report(&mut self, base: &Program, program: &Program, attempts: Vec<Attempt>) {
        let edits = if base.text == program.text { Vec::new() } else { vec![program.edit_since(base)] };
        self.send(base, program.clone(), edits, attempts);
    }

    /// Reports reductions of `base`, of which `taken` were.
    pub(super) fn report_set<'r>(
        &mut self,
        base: &Program,
        taken: impl Iterator<Item = &'r Reduction>,
        attempts: Vec<Attempt>,
    ) {
        let (text, segments) = apply_traced(&base.text, taken);
        let edits = edits_between(&base.text, &text, &segments);
        self.send(base, base.with_text(text), edits, attempts);
    }

    fn send(&mut self, base: &Program, program: Program, edits: Vec<Edit>, attempts: Vec<Attempt>) {
        if !attempts.is_empty() {
            self.observer.event(&Event::Tried(Box::new(Tried { base: base.clone(), program, edits, attempts })));
        }
    }

    /// Reports reductions of the best program that were refused without a check, where one that looks the same was not.
    pub(super) fn report_refused(&mut self, refused: &[(Reduction, Rejection)]) {
        if refused.is_empty() {
            return;
        }
        let base = self.best().clone();
        let new = |(reduction, _): &&(Reduction, Rejection)| {
            self.phase() == Phase::Proof || !self.reported.looks.contains(&look(&base.text, reduction))
        };
        let new: Vec<_> = refused.iter().filter(new).collect();
        let looks: Vec<u128> = new.iter().map(|(reduction, _)| look(&base.text, reduction)).collect();
        let attempts = new.into_iter().map(|(reduction, rejection)| Attempt::new(reduction, Some(rejection.clone())));
        self.report(&base, &base, attempts.collect());
        self.reported.looks.extend(looks);
    }
}

/// The edits that make `after` of `before`, where its segments are known.
fn edits_between(before: &str, after: &str, segments: &[Segment]) -> Vec<Edit> {
    let (mut edits, mut old, mut new) = (Vec::new(), 0, 0);
    let mut push = |was: Range<usize>, is: Range<usize>| {
        if !was.is_empty() || !is.is_empty() {
            edits.push(Edit::replace(was, &after[is]));
        }
    };
    for (index, Segment { at, from, .. }) in segments.iter().enumerate().filter(|(_, segment)| segment.is_copy) {
        // Of what was copied the end may have gone again.
        let end = segments.get(index + 1).map_or(after.len(), |next| next.at.start).min(at.end);
        push(old..from.start, new..at.start);
        (old, new) = (from.start + (end - at.start), end);
    }
    push(old..before.len(), new..after.len());
    edits
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Analysis, Source, Tree, enumerate, transforms};

    use super::*;

    #[track_caller]
    fn applied(before: &str, edits: &[Edit]) -> String {
        let mut text = before.to_owned();
        edits.iter().rev().for_each(|edit| text.replace_range(edit.range.clone(), &edit.text));
        text
    }

    #[test]
    fn edits_make_what_reductions_made() {
        let text = "use a::{b, c};\n\nfn f( x: u8 ) -> u8 {\n    let y = g(x, 1);\n\n    y + 2\n}\nfn g(a: u8, b: u8) -> u8 { a }\n";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let all: Vec<Reduction> = transforms().flat_map(|transform| enumerate(&names, transform)).collect();
        let sets = all.chunks(1).chain(all.chunks(5)).chain(std::iter::once(&all[..]));
        for set in sets {
            let (after, segments) = apply_traced(text, set);
            assert_eq!(applied(text, &edits_between(text, &after, &segments)), after);
        }
    }
}
