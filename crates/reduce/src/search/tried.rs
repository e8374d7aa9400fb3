//! Reports what became of each change that was proposed, to an observer that wants to know.
//!
//! Where none does, nothing is made or kept for it. A trial is one change, whatever is tried in it.

use std::ops::Range;

use mcve_transforms::{Edit, Reduction, edited};

use super::best::place;
use super::engine::Search;
use crate::check::checks::Candidate;
use crate::check::limits::Stop;
use crate::check::request::{Reply, Source};
use crate::event::{Attempt, Attempts, Event, Rejection};
use crate::program::{ContentHash, Language, Program};
use crate::sentence::Sentences;
use mcve_dd::outcome::Outcome;

/// A site of more bytes is shown as the first edit there, and a longer text up to so many characters.
const SHOWN: usize = 160;

impl Rejection {
    /// One without a check.
    pub(super) fn by(by: &str) -> Self {
        Self { by: by.to_owned(), ..Self::default() }
    }
}

impl Search<'_> {
    /// Whether an observer wants to know what becomes of the changes that are tried now.
    pub(super) fn is_watched(&self) -> bool {
        // What is not Rust has no proof of its own.
        let is_proof = self.course.proves || self.best().language != Language::Rust;
        let wanted = if is_proof { Attempts::Proof } else { Attempts::All };
        self.observer.attempts() >= wanted && self.course.transaction.is_none()
    }

    /// Why a candidate was rejected, by the answer to whether it fails.
    pub(super) fn rejection(&mut self, candidate: ContentHash, reply: Option<&Reply>) -> Rejection {
        let Some(Reply { source, verdict, .. }) = reply else { return Rejection::by("document") };
        let by = match source {
            Source::Cache => "cache",
            Source::Journal => "journal",
            Source::Screening => "screening",
            Source::Run | Source::Prediction => "oracle",
        };
        if by != "cache" {
            self.rejected.insert(candidate, self.checks.tally.checks + self.checks.tally.recalled);
        }
        let reason = verdict.as_ref().map(|verdict| verdict.reason.clone()).unwrap_or_default();
        Rejection { reason, check: self.rejected.get(&candidate).copied(), ..Rejection::by(by) }
    }

    /// Finds the first of `candidates`, in order, that fails, and its position. `None` among them is skipped.
    pub(super) fn first<T>(
        &mut self,
        pass: &str,
        candidates: &mut dyn Iterator<Item = Option<Candidate<T>>>,
    ) -> Result<Option<(usize, Candidate<T>)>, Stop> {
        for position in 0.. {
            self.checks.proceed()?;
            let Some(candidate) = self.checks.clock.in_time(|| candidates.next())? else { break };
            let Some(candidate) = candidate else { continue };
            let reply = self.checks.reply(&candidate.0, self.observer)?;
            let fails = reply.as_ref().is_some_and(|reply| reply.outcome() == Outcome::Fail);
            if self.is_watched() {
                let (was, is) = candidate.0.changed_since(self.best());
                let edit = Edit::replace(was.clone(), &candidate.0.text[is]);
                let rejection = (!fails).then(|| self.rejection(candidate.0.hash(), reply.as_ref()));
                self.send(&self.best().clone(), pass, &was, &[edit], rejection);
            }
            if fails {
                return Ok(Some((position, candidate)));
            }
        }
        Ok(None)
    }

    /// Makes the first of `programs` that fails the best program, in a step of this name, and returns its position.
    pub(super) fn take_first(
        &mut self,
        step: &str,
        programs: impl IntoIterator<Item = Option<Program>>,
    ) -> Result<Option<usize>, Stop> {
        let mut candidates = programs.into_iter().map(|program| Some((program?, ())));
        let Some((position, (program, ()))) = self.first(step, &mut candidates)? else { return Ok(None) };
        drop(candidates);
        self.accept(program, vec![step.to_owned()])?;
        Ok(Some(position))
    }

    /// As [`take_first`](Self::take_first), of texts with fewer characters than the best, and only `sentences` if there are.
    pub(super) fn take_first_shorter(
        &mut self,
        step: &str,
        sentences: Option<&Sentences>,
        programs: impl Iterator<Item = Program>,
    ) -> Result<Option<usize>, Stop> {
        let longest = self.best().text.chars().count();
        let programs = programs.map(|program| {
            let is_shorter = program.text.chars().count() < longest;
            (is_shorter && sentences.is_none_or(|sentences| sentences.has(&program.text))).then_some(program)
        });
        self.take_first(step, programs)
    }

    /// Reports a reduction of `base`, and why it was refused, if it was.
    pub(super) fn report(&mut self, base: &Program, reduction: &Reduction, rejection: Option<Rejection>) {
        self.send(base, reduction.transform.name, &reduction.site, &reduction.edits, rejection);
    }

    fn send(&mut self, base: &Program, name: &str, site: &Range<usize>, edits: &[Edit], rejection: Option<Rejection>) {
        let mut shown = site.clone();
        if site.len() > SHOWN {
            shown = edits.first().map_or(site, |edit| &edit.range).clone();
        }
        for Edit { range, .. } in edits {
            if range.start <= shown.end && shown.start <= range.end {
                shown = shown.start.min(range.start)..shown.end.max(range.end);
            }
        }
        let cut = |text: &str| text.trim().chars().take(SHOWN).collect();
        let attempt = Attempt {
            place: place(base, site.start),
            transform: name.to_owned(),
            before: cut(&base.text[shown.clone()]),
            after: cut(&edited(&base.text, shown, edits)),
            bytes: edits.iter().map(|edit| edit.range.clone()).collect(),
            rejection,
        };
        self.observer.event(&Event::Tried { base: base.clone(), attempt });
    }
}
