//! The content of a journal.

use std::collections::{HashMap, HashSet, VecDeque};

use super::invocation::Invocation;
use super::record::{Basis, Judged, Query, Ran, Record};
use crate::exec::job::Trust;
use crate::program::ContentHash;
use mcve_dd::outcome::Outcome;

#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub(super) question: Option<Box<Invocation>>,
    /// The runs by which it recognised the failure, in order.
    pub(super) ran: VecDeque<Ran>,
    pub(super) basis: Option<Basis>,
    /// The checks of the unreduced program, in order.
    pub(super) baseline: VecDeque<Judged>,
    pub(super) verdicts: HashMap<(ContentHash, Trust), Judged>,
    /// The results of jobs that were run for their output.
    pub(super) outputs: HashMap<(Query, ContentHash), Ran>,
    /// The programs that were the best.
    pub(super) kept: HashSet<ContentHash>,
    /// Whether there were lines that are not records.
    pub(super) is_damaged: bool,
}

impl Recorded {
    /// Reads a journal. Lines that are not records are skipped.
    pub(super) fn read(text: &str) -> Self {
        let mut known = Self::default();
        for line in text.lines() {
            match Record::read(line) {
                Some(record) => known.learn(record),
                None => known.is_damaged = true,
            }
        }
        known
    }

    fn learn(&mut self, record: Record) {
        match record {
            Record::Invoked(question) => {
                self.begin_anew();
                self.question = Some(question);
            }
            Record::Ran(ran) => self.ran.push_back(ran),
            Record::Basis(basis) => {
                self.keep_verdicts_of(&basis);
                self.basis = Some(basis);
            }
            Record::Baseline(judged) => self.baseline.push_back(judged),
            Record::Checked(judged) => _ = self.verdicts.insert((judged.text, judged.trust), judged),
            Record::Output { query, text, ran } => _ = self.outputs.insert((query, text), ran),
            Record::Kept(text) => _ = self.kept.insert(text),
        }
    }

    /// Learns what another run has found, unless it is known. A candidate that failed there only likely fails; a check whose time was
    /// over there may end in time here.
    pub(super) fn learn_from_others(&mut self, record: Record) {
        match record {
            Record::Checked(judged) if !judged.timed_out() => {
                let judged = if judged.outcome() == Outcome::Fail { judged.by(Trust::Likely) } else { judged };
                self.verdicts.entry((judged.text, judged.trust)).or_insert(judged);
            }
            Record::Output { query, text, ran } => _ = self.outputs.entry((query, text)).or_insert(ran),
            _ => {}
        }
    }

    /// Removes the records that belong to the last run only.
    pub(super) fn begin_anew(&mut self) {
        self.question = None;
        self.ran.clear();
        self.baseline.clear();
        self.kept.clear();
    }

    /// Removes the verdicts that a run with another `basis` cannot use.
    pub(super) fn keep_verdicts_of(&mut self, basis: &Basis) {
        if basis.identity.is_some() && self.basis.as_ref() == Some(basis) {
            // A run with another limit, or on a less busy machine, may finish a check that timed out here.
            self.verdicts.retain(|_, judged| !judged.timed_out());
        } else {
            self.verdicts.clear();
            self.outputs.clear();
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::exec::job::{End, JobResult};
    use crate::oracle::Verdict;
    use crate::program::Program;
    use crate::state::invocation::Fact;

    fn asked() -> Record {
        Record::Invoked(Box::new(Invocation::new(&[], "/".into(), "/r.rs".into(), Program::new("a.rs", "").hash())))
    }

    fn judge(identity: Option<&str>, rustc: &str) -> Record {
        Record::Basis(Basis { identity: identity.map(str::to_owned), facts: vec![Fact::new("rustc", rustc)] })
    }

    fn checked(text: &str, end: End) -> Record {
        let result = JobResult::ended(end);
        let verdict = Verdict::unresolved("");
        Record::Checked(Judged::new(Program::new("a.rs", text).hash(), &verdict, &result))
    }

    /// Checks the number of verdicts after these records.
    #[track_caller]
    fn check(records: &[Record], verdicts: usize) {
        let text: String = records.iter().map(|record| record.line().expect("all is text")).collect();
        assert_eq!(Recorded::read(&text).verdicts.len(), verdicts, "{text}");
    }

    #[test]
    fn verdicts_are_good_in_another_run_only_by_the_same_judge() {
        let (one, end) = (judge(Some("one"), "1.95"), End::Exited(1));
        let run = |second: Record| [asked(), one.clone(), checked("a", end), asked(), second, checked("b", end)];
        check(&run(judge(Some("one"), "1.95")), 2);
        check(&run(judge(Some("two"), "1.95")), 1);
        check(&run(judge(Some("one"), "1.96")), 1);
        check(&run(judge(None, "1.95")), 1);
        let script = judge(None, "1.95");
        check(&[asked(), script.clone(), checked("a", end), asked(), script, checked("b", end)], 1);
    }

    #[test]
    fn timeouts_are_good_in_their_own_run_only() {
        let one = judge(Some("one"), "1.95");
        let run = [asked(), one.clone(), checked("a", End::TimedOut), checked("b", End::Exited(1))];
        check(&run, 2);
        check(&[&run[..], &[asked(), one]].concat(), 1);
    }

    #[test]
    fn what_is_no_record_is_passed_over() {
        let line = |record: Record| record.line().expect("all is text");
        let (a, b) = (line(checked("a", End::Exited(1))), line(checked("b", End::Exited(1))));
        for damaged in [
            format!("{a}garbage\n\n\u{0}\n{b}"),
            format!("{a}{}\n{b}", &a[..40]),
            format!("{a}{b}{}", &a[..a.len() - 9]),
            format!("{a}{}{b}", a.replace("unresolved", "fail")),
        ] {
            let known = Recorded::read(&damaged);
            assert_eq!((known.verdicts.len(), known.is_damaged), (2, true), "{damaged}");
            assert!(known.verdicts.values().all(|judged| judged.outcome() == Outcome::Unresolved));
        }
        assert!(Recorded::read("no journal at all").question.is_none());
    }
}
