//! The journal of a run: what it asks of the world is written down, and what was asked before is answered from there.
//!
//! A search is a function of the unreduced program and of the answers that it gets. So a run that begins again, with the
//! answers of the one that was cut short, comes to the point where that was, and goes on as that would have.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::Signal;

use super::file::{JournalFile, OpenError};
use super::invocation::{Change, Fact, Invocation};
use super::record::{Basis, Judged, Query, Ran, Record};
use super::recorded::Recorded;
use crate::exec::job::{End, JobResult, Trust};
use crate::program::ContentHash;
use crate::user_key::UserKey;
use mcve_dd::outcome::Outcome;

/// Signals that rather come from whoever ends everything than from the candidate: such a check is made again.
const FROM_OUTSIDE: [Signal; 4] = [Signal::HUP, Signal::INT, Signal::KILL, Signal::TERM];

/// The journal of a run. Clones are the same journal.
#[derive(Clone, Debug)]
pub struct Journal {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Where it is written; none if it is not.
    file: Option<JournalFile>,
    /// One that could not be written any more. It has the lock, and can be resumed as far as it goes.
    broken: Option<JournalFile>,
    known: Recorded,
    /// Whether an earlier run is taken up.
    resumes: bool,
    /// Whether something that it held is lost.
    is_damaged: bool,
    /// Whether anything was judged, so that there is something to lose.
    has_verdicts: bool,
    /// The program that the result holds, until the search has come there again.
    standing: Option<ContentHash>,
    /// What went wrong and was not told yet.
    trouble: Option<String>,
}

impl Journal {
    /// A journal that is not written and knows nothing; `trouble` says why, if something went wrong.
    #[must_use]
    pub fn nowhere(trouble: Option<String>) -> Self {
        Self::of(State { trouble, ..State::default() })
    }

    /// Begins a run that was asked `question`, with the journal at `path`. What an earlier one left there is of use if both
    /// turn out to go by the same judge, and if the user with this key has asked that one, too.
    ///
    /// # Errors
    /// When another run has it, or it cannot be made, read or written.
    pub fn begin(path: &Path, question: Invocation, key: Option<&UserKey>) -> Result<Self, OpenError> {
        let failed = |error| OpenError::Io(path.to_owned(), error);
        let (mut file, text) = JournalFile::open(path, true)?;
        let mut known = Recorded::read(&text);
        if file.is_large() || !known.question.as_deref().is_some_and(|old| old.is_of_use(key)) {
            file.clear().map_err(failed)?;
            known = Recorded::default();
        }
        known.begin_anew();
        let question = match key {
            Some(key) => question.signed(key),
            None => question,
        };
        file.append(&Record::Invoked(Box::new(question))).map_err(failed)?;
        Ok(Self::of(State { file: Some(file), known, ..State::default() }))
    }

    /// Begins a run of the command line `words` on the program `input`, with the journal at `path`, whose folder was `made`. A journal that
    /// cannot be written is none: without one the run is as good, and is asked about when it is resumed.
    ///
    /// # Errors
    /// When another run has it.
    pub fn begin_if_writable(
        path: &Path,
        made: io::Result<()>,
        words: &[OsString],
        input: ContentHash,
    ) -> Result<Self, OpenError> {
        let asked = made.and_then(|()| Ok(Invocation::new(words, std::env::current_dir()?, input)));
        let begun = asked.map_err(|error| OpenError::Io(path.to_owned(), error));
        match begun.and_then(|asked| Self::begin(path, asked, UserKey::load().ok().as_ref())) {
            Err(error @ OpenError::Io(..)) => {
                let error = anyhow::Error::new(error);
                Ok(Self::nowhere(Some(format!("{error:#}: this run cannot be resumed"))))
            }
            begun => begun,
        }
    }

    /// Takes up the run whose journal is at `path`, and tells what it was asked; nothing if the journal does not say.
    ///
    /// # Errors
    /// When another run has it, or it cannot be read or written.
    pub fn resume(path: &Path) -> Result<(Self, Option<Invocation>), OpenError> {
        let (file, text) = JournalFile::open(path, false)?;
        let known = Recorded::read(&text);
        let question = known.question.as_deref().cloned();
        let has_verdicts = !known.baseline.is_empty() || !known.verdicts.is_empty();
        let is_damaged = known.is_damaged || file.is_torn();
        let state = State { file: Some(file), known, resumes: true, is_damaged, has_verdicts, ..State::default() };
        Ok((Self::of(state), question))
    }

    fn of(state: State) -> Self {
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// A thread that panics while it holds the lock leaves a state that is still right.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the run can be resumed.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.state().file.is_some()
    }

    /// Whether it is written, or knows anything.
    #[must_use]
    pub fn is_of_use(&self) -> bool {
        let state = self.state();
        state.file.is_some() || !state.known.verdicts.is_empty() || !state.known.outputs.is_empty()
    }

    /// Takes what went wrong since the last time.
    #[must_use]
    pub fn take_trouble(&self) -> Option<String> {
        self.state().trouble.take()
    }

    /// How many verdicts are known from before.
    #[must_use]
    pub fn verdicts(&self) -> usize {
        let state = self.state();
        state.known.verdicts.len() + state.known.baseline.len()
    }

    /// Takes what came of the next run of the compiler by which the failure is recognised, if it was made before.
    #[must_use]
    pub fn take_run(&self) -> Option<JobResult> {
        self.state().known.ran.pop_front().map(Into::into)
    }

    /// Writes down what came of one.
    pub fn record_run(&self, result: &JobResult) {
        self.state().write(&Record::Ran(Ran::new(result)));
    }

    /// Says what candidates are judged by. Verdicts by another judge are forgotten.
    ///
    /// # Errors
    /// When the run that is resumed went by something else.
    pub fn set_basis(&self, identity: Option<String>, facts: Vec<Fact>) -> Result<(), Change> {
        let mut state = self.state();
        let basis = Basis { identity, facts };
        match &state.known.basis {
            Some(before) if state.resumes => Fact::first_change(&before.facts, &basis.facts).map_or(Ok(()), Err),
            _ => {
                state.known.keep_verdicts_of(&basis);
                state.write(&Record::Basis(basis));
                Ok(())
            }
        }
    }

    /// Takes the verdict of the next check of the unreduced program, if it was made before.
    #[must_use]
    pub fn take_baseline(&self, text: ContentHash) -> Option<Judged> {
        self.state().known.baseline.pop_front().filter(|judged| judged.text() == text)
    }

    /// Whether a check of the unreduced program is known from before.
    #[must_use]
    pub fn has_baseline(&self) -> bool {
        !self.state().known.baseline.is_empty()
    }

    /// The verdict on a candidate, if it is known from before and at least as certain as `least` says. The least certain one
    /// that suffices is what the run that is resumed went by.
    #[must_use]
    pub fn verdict(&self, text: ContentHash, least: Trust) -> Option<Judged> {
        let state = self.state();
        let enough = [Trust::Likely, Trust::Certain].into_iter().filter(|trust| *trust >= least);
        enough.filter_map(|trust| state.known.verdicts.get(&(text, trust))).next().cloned()
    }

    /// Writes down the verdict of a check of the unreduced program.
    pub fn record_baseline(&self, judged: Judged) {
        self.state().judged(Record::Baseline(judged));
    }

    /// Writes down the verdict on a candidate, and keeps it apart from one of another trust. `result` is what came of the check.
    pub fn record_verdict(&self, judged: Judged, result: &JobResult) {
        let from_outside =
            matches!(result.end, End::Signalled(signal) if FROM_OUTSIDE.map(Signal::as_raw).contains(&signal));
        if judged.outcome() == Outcome::Fail || !from_outside {
            self.state().judged(Record::Checked(judged));
        }
    }

    /// What came of a job that was run for what it prints, if it was run before.
    #[must_use]
    pub fn output(&self, query: Query, text: ContentHash) -> Option<JobResult> {
        self.state().known.outputs.get(&(query, text)).cloned().map(Into::into)
    }

    /// Writes down what came of it.
    pub fn record_output(&self, query: Query, text: ContentHash, result: &JobResult) {
        self.state().write(&Record::Output { query, text, ran: Ran::new(result) });
    }

    /// Says that the result of the run that is resumed holds `text` now; false if that run did not write it.
    #[must_use]
    pub fn expect_result(&self, text: ContentHash) -> bool {
        let mut state = self.state();
        let is_own = state.known.kept.contains(&text);
        state.standing = is_own.then_some(text);
        is_own
    }

    /// Whether some of what it held is lost, so that the result may hold what it does not know.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.state().is_damaged
    }

    /// Whether the run that is resumed has written a result for sure. The first that a run writes takes the place of what it
    /// finds.
    #[must_use]
    pub fn has_written(&self) -> bool {
        self.state().known.kept.len() > 1
    }

    /// Whether `text`, which is the best now, has to be written. While the search comes to what the result holds already, it
    /// has not.
    #[must_use]
    pub fn record_best(&self, text: ContentHash) -> bool {
        let mut state = self.state();
        match state.standing {
            Some(standing) => {
                state.standing = Some(standing).filter(|_| standing != text);
                false
            }
            None => {
                // Before it is written, so that a result can always be told from what somebody else wrote there.
                state.write(&Record::Kept(text));
                true
            }
        }
    }

    /// Whether the search has ended without coming to what the result holds.
    #[must_use]
    pub fn is_astray(&self) -> bool {
        self.state().standing.is_some()
    }

    /// Removes it if nothing is to be resumed.
    pub fn end(&self, is_done: bool) {
        let mut state = self.state();
        if is_done || !state.has_verdicts {
            // What remains is a file that nobody needs.
            let file = state.file.take().or(state.broken.take());
            file.map(JournalFile::remove);
        }
    }
}

impl State {
    fn judged(&mut self, record: Record) {
        self.has_verdicts = true;
        self.write(&record);
    }

    /// Writes a record. After one that could not be written there are no others, as those build on it.
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
