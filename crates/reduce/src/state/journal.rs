//! The journal of a run: records the results of its checks and queries, and answers repeated ones.
//!
//! A search is a function of the unreduced program and of the results that it gets. So a run that starts again with the
//! results of an interrupted one reaches the point where that stopped, and continues as it would have.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rustix::process::Signal;

use super::file::{JournalFile, OpenError};
use super::invocation::{Change, Fact, Invocation, VERSION};
use super::place::StateFolder;
use super::record::{Basis, Judged, Query, Ran, Record};
use super::recorded::Recorded;
use super::store::{Store, StorePlace};
use crate::exec::job::{End, JobResult, Trust};
use crate::locked::lock;
use crate::program::ContentHash;
use mcve_dd::outcome::Outcome;

/// Signals that more likely come from a shutdown than from the candidate: such a check is repeated.
const FROM_OUTSIDE: [Signal; 4] = [Signal::HUP, Signal::INT, Signal::KILL, Signal::TERM];

/// The journal of a run. Clones are the same journal.
#[derive(Clone, Debug)]
pub struct Journal {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The file that it is written to; none if it is not written.
    file: Option<JournalFile>,
    /// A file that could not be written any more. It has the lock, and can be resumed from as far as it goes.
    broken: Option<JournalFile>,
    known: Recorded,
    resumes: bool,
    /// Whether some of its records are lost.
    is_damaged: bool,
    /// Whether there are verdicts, so that there is something to lose.
    has_verdicts: bool,
    /// The program that the result holds, until the search reaches it again or a smaller one.
    standing: Option<Standing>,
    /// The question of the run that goes on, if that may begin anew.
    goes_on: Option<Box<Invocation>>,
    /// Whether a run that went on begins anew, until somebody asks.
    restarts: bool,
    /// What was not reported yet.
    note: Option<String>,
    /// The error that was not reported yet.
    trouble: Option<String>,
    /// The verdicts that runs share, if they do.
    store: Option<Store>,
}

/// A program that a result holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    text: ContentHash,
    tokens: usize,
}

impl Journal {
    /// A journal that is not written and knows nothing; `trouble` is the error, if there was one.
    pub fn nowhere(trouble: Option<String>) -> Self {
        Self::of(State { trouble, ..State::default() })
    }

    /// Begins a run for `question`, with the journal at `path`. The records of an earlier run there are used if both runs turn
    /// out to have the same judge, and the same version of mcve. An earlier run with the same input goes on if its question is
    /// the `same`.
    ///
    /// # Errors
    /// When another run has it, or it cannot be made, read or written.
    pub fn begin(path: &Path, question: Invocation, same: &dyn Fn(&Invocation) -> bool) -> Result<Self, OpenError> {
        let failed = |error| OpenError::Io(path.to_owned(), error);
        let (mut file, text) = JournalFile::open(path, true)?;
        let mut known = Recorded::read(&text);
        let mut note = None;
        if let Some(old) = &known.question {
            match old.change(&question) {
                None if same(old) => {
                    let goes_on = Some(Box::new(question));
                    return Ok(Self::of(State { goes_on, ..State::resumed(file, known) }));
                }
                None => note = Some(format!("the last run with this result was `{old}`: this one begins anew")),
                Some(change) => note = Some(format!("{change}: the run begins anew")),
            }
        }
        if file.is_large() || known.question.as_deref().is_none_or(|old| old.version != VERSION) {
            file.clear().map_err(failed)?;
            known = Recorded::default();
        }
        known.begin_anew();
        file.append(&Record::Invoked(Box::new(question))).map_err(failed)?;
        Ok(Self::of(State { file: Some(file), known, note, ..State::default() }))
    }

    /// Begins a run of the command line `words` on the program `input` with the result at `result`, a path without links, or
    /// goes on as [`Journal::begin`] does. Its journal is the file of this kind in the user's state folder. If it cannot be
    /// written, the run does without: it works as well, but cannot be resumed.
    ///
    /// # Errors
    /// When another run has it.
    pub fn begin_if_writable(
        result: &Path,
        kind: &str,
        words: &[OsString],
        input: ContentHash,
        same: &dyn Fn(&Invocation) -> bool,
    ) -> Result<Self, OpenError> {
        let begun = StateFolder::of_user().and_then(|state| Ok((state, std::env::current_dir()?)));
        let begun = begun.map_err(OpenError::NoFolder).and_then(|(state, folder)| {
            state.prune();
            Self::begin(&state.file(result, kind), Invocation::new(words, folder, result.to_owned(), input), same)
        });
        match begun {
            Err(error @ (OpenError::Io(..) | OpenError::NoFolder(_))) => {
                let error = anyhow::Error::new(error);
                Ok(Self::nowhere(Some(format!("{error:#}: this run cannot be resumed"))))
            }
            begun => begun,
        }
    }

    /// Resumes the run whose journal is at `path`, and returns its question; none if the journal does not hold it.
    ///
    /// # Errors
    /// When another run has it, or it cannot be read or written.
    pub fn resume(path: &Path) -> Result<(Self, Option<Invocation>), OpenError> {
        let (file, text) = JournalFile::open(path, false)?;
        let known = Recorded::read(&text);
        let question = known.question.as_deref().cloned();
        Ok((Self::of(State::resumed(file, known)), question))
    }

    /// Learns what a store knows for a basis, and adds to it from now on.
    pub(crate) fn share(&self, place: &StorePlace, basis: &str) {
        let mut state = lock(&self.state);
        match Store::open(place, basis, &mut state.known) {
            Ok(store) => state.store = Some(store),
            Err(error) => state.leave_store(&error),
        }
    }

    fn of(state: State) -> Self {
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Whether the run can be resumed.
    pub fn is_written(&self) -> bool {
        lock(&self.state).file.is_some()
    }

    /// Whether it is written, or holds records.
    pub(crate) fn is_of_use(&self) -> bool {
        let state = lock(&self.state);
        state.file.is_some() || !state.known.verdicts.is_empty() || !state.known.outputs.is_empty()
    }

    /// The question of the run that goes on, though the user began it as a new one.
    pub fn goes_on(&self) -> Option<Invocation> {
        let state = lock(&self.state);
        state.goes_on.as_ref().and(state.known.question.as_deref()).cloned()
    }

    /// Begins a run that goes on anew, as what `change` says has changed.
    pub fn begin_anew(&self, change: &str) {
        lock(&self.state).begin_anew(change);
    }

    /// Takes what is to be reported since the last call.
    pub(crate) fn take_note(&self) -> Option<String> {
        lock(&self.state).note.take()
    }

    /// Whether a run that went on has begun anew since the last call.
    pub(crate) fn take_restart(&self) -> bool {
        std::mem::take(&mut lock(&self.state).restarts)
    }

    /// Takes the error since the last call.
    pub(crate) fn take_trouble(&self) -> Option<String> {
        lock(&self.state).trouble.take()
    }

    /// The number of verdicts from earlier runs.
    pub fn verdicts(&self) -> usize {
        let state = lock(&self.state);
        state.known.verdicts.len() + state.known.baseline.len()
    }

    /// Takes the recorded result of the next run of the compiler that recognises the failure, if there is one.
    pub(crate) fn take_run(&self) -> Option<JobResult> {
        lock(&self.state).known.ran.pop_front().map(Into::into)
    }

    pub(crate) fn record_run(&self, result: &JobResult) {
        lock(&self.state).write(&Record::Ran(Ran::new(result)));
    }

    /// Sets the basis of the verdicts, and forgets others. Fails if the resumed run had another; if it may, it begins anew.
    pub(crate) fn set_basis(&self, identity: Option<String>, facts: Vec<Fact>) -> Result<(), Change> {
        let mut state = lock(&self.state);
        let basis = Basis { identity, facts };
        match &state.known.basis {
            Some(before) if state.resumes => {
                let Some(change) = Fact::first_change(&before.facts, &basis.facts) else { return Ok(()) };
                if state.goes_on.is_some() {
                    state.begin_anew(&change.to_string());
                    state.restarts = true;
                }
                Err(change)
            }
            _ => {
                state.known.keep_verdicts_of(&basis);
                state.write(&Record::Basis(basis));
                Ok(())
            }
        }
    }

    /// Takes the recorded verdict of the next check of the unreduced program, if there is one.
    pub(crate) fn take_baseline(&self, text: ContentHash) -> Option<Judged> {
        lock(&self.state).known.baseline.pop_front().filter(|judged| judged.text == text)
    }

    /// Whether there is a recorded check of the unreduced program.
    pub(crate) fn has_baseline(&self) -> bool {
        !lock(&self.state).known.baseline.is_empty()
    }

    /// The recorded verdict on a candidate that is at least as certain as `least`: the least certain, as the resumed run used it.
    pub(crate) fn verdict(&self, text: ContentHash, least: Trust) -> Option<Judged> {
        let state = lock(&self.state);
        let enough = [Trust::Likely, Trust::Certain].into_iter().filter(|trust| *trust >= least);
        enough.filter_map(|trust| state.known.verdicts.get(&(text, trust))).next().cloned()
    }

    /// Records the verdict of a check of the unreduced program.
    pub(crate) fn record_baseline(&self, judged: Judged) {
        lock(&self.state).judged(Record::Baseline(judged));
    }

    /// Records the verdict on a candidate, separately for each trust. `result` is the result of the check.
    pub(crate) fn record_verdict(&self, judged: Judged, result: &JobResult) {
        let from_outside =
            matches!(result.end, End::Signalled(signal) if FROM_OUTSIDE.map(Signal::as_raw).contains(&signal));
        if judged.outcome() == Outcome::Fail || !from_outside {
            let (mut state, record) = (lock(&self.state), Record::Checked(judged));
            state.store(&record);
            state.judged(record);
        }
    }

    /// The recorded result of a job that was run for its output, if there is one.
    pub(crate) fn output(&self, query: Query, text: ContentHash) -> Option<JobResult> {
        lock(&self.state).known.outputs.get(&(query, text)).cloned().map(Into::into)
    }

    pub(crate) fn record_output(&self, query: Query, text: ContentHash, result: &JobResult) {
        let (mut state, record) = (lock(&self.state), Record::Output { query, text, ran: Ran::new(result) });
        state.store(&record);
        state.write(&record);
    }

    /// Sets `text`, of so many tokens, as what the result of the resumed run holds; false if that run did not write it.
    pub fn expect_result(&self, text: ContentHash, tokens: usize) -> bool {
        let mut state = lock(&self.state);
        let is_own = state.known.kept.contains(&text);
        state.standing = is_own.then_some(Standing { text, tokens });
        is_own
    }

    /// Sets `text`, of so many tokens, as the result of an earlier run, which only a smaller program replaces.
    pub fn hold_result(&self, text: ContentHash, tokens: usize) {
        let mut state = lock(&self.state);
        state.write(&Record::Kept(text));
        state.standing = Some(Standing { text, tokens });
    }

    /// Whether some of its records are lost, so that the result may hold a program that it does not know.
    pub fn is_damaged(&self) -> bool {
        lock(&self.state).is_damaged
    }

    /// Whether the resumed run has certainly written a result: the first one replaces the file that a run finds.
    pub fn has_written(&self) -> bool {
        lock(&self.state).known.kept.len() > 1
    }

    /// Whether `text`, which is the best now and has so many tokens, has to be written. It has not while the search has yet to
    /// reach the program that the result already holds, or a smaller one.
    pub(crate) fn record_best(&self, text: ContentHash, tokens: usize) -> bool {
        let mut state = lock(&self.state);
        if let Some(standing) = state.standing {
            if standing.text == text {
                state.standing = None;
                return false;
            }
            if standing.tokens <= tokens {
                return false;
            }
            state.standing = None;
        }
        // Recorded before it is written, so that a result can be distinguished from a file that another program wrote.
        state.write(&Record::Kept(text));
        true
    }

    /// The number of tokens of the program that the result holds, if the search has not reached it.
    pub(crate) fn standing(&self) -> Option<usize> {
        lock(&self.state).standing.map(|standing| standing.tokens)
    }

    /// Removes the journal if there is nothing to resume.
    pub fn end(&self, is_done: bool) {
        let mut state = lock(&self.state);
        if is_done || !state.has_verdicts {
            // A file that cannot be removed is of no use, but harmless.
            let file = state.file.take().or(state.broken.take());
            file.map(JournalFile::remove);
        }
    }
}

impl State {
    /// The state of a run that goes on with this journal.
    fn resumed(file: JournalFile, known: Recorded) -> Self {
        let has_verdicts = !known.baseline.is_empty() || !known.verdicts.is_empty();
        let is_damaged = known.is_damaged || file.is_torn;
        Self { file: Some(file), known, resumes: true, is_damaged, has_verdicts, ..Self::default() }
    }

    fn begin_anew(&mut self, change: &str) {
        let Some(question) = self.goes_on.take() else { return };
        self.known.begin_anew();
        self.resumes = false;
        self.note = Some(format!("{change}: the run begins anew"));
        self.write(&Record::Invoked(question));
        if let Some(standing) = self.standing {
            self.write(&Record::Kept(standing.text));
        }
    }

    fn judged(&mut self, record: Record) {
        self.has_verdicts = true;
        self.write(&record);
    }

    /// Adds a record to the store.
    fn store(&mut self, record: &Record) {
        let stored = self.store.as_mut().map_or(Ok(()), |store| store.add(record));
        stored.unwrap_or_else(|error| self.leave_store(&error));
    }

    fn leave_store(&mut self, error: &std::io::Error) {
        self.store = None;
        self.trouble = Some(format!("the store of verdicts cannot be used, and is left alone: {error}"));
    }

    /// Writes a record. After a failed write nothing more is written, as later records depend on earlier ones.
    fn write(&mut self, record: &Record) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = file.append(record) {
            let path = file.path().display();
            self.trouble =
                Some(format!("cannot write the journal {path} any more: what follows cannot be resumed: {error}"));
            self.broken = self.file.take();
        }
    }
}

#[cfg(test)]
mod tests;
