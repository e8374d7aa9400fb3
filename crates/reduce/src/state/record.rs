//! The records of a journal, each encoded as a line with a checksum: a torn or damaged line is not a record.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::invocation::{Fact, Invocation};
use crate::exec::job::{End, JobResult, Trust, Usage};
use crate::oracle::Verdict;
use crate::program::ContentHash;
use mcve_dd::outcome::Outcome;

/// An event or a result of a run that cannot be reconstructed.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Record {
    /// A run began.
    Invoked(Box<Invocation>),
    /// A run of the compiler by which the failure was recognised.
    Ran(Ran),
    /// The basis of the verdicts.
    Basis(Basis),
    /// The unreduced program was checked.
    Baseline(Judged),
    /// A candidate was checked.
    Checked(Judged),
    /// A job was run for its output.
    Output { query: Query, text: ContentHash, ran: Ran },
    /// A program is about to be written as the best one.
    Kept(ContentHash),
}

/// A job that has no verdict.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Query {
    /// A check, for the names in its output.
    Check,
    /// A check by the fork server, to find out whether the server is useful.
    ForkServer,
    /// The compiler, for the names in its output.
    Compiler,
    /// The way of compiling with this number, which may show the errors that a crash hides.
    Hidden(usize),
    /// The compiler with all lints.
    Lints,
    /// A run of a program with probes, for the values that it prints.
    Values,
    /// A formatter, for its layout.
    Layout,
}

/// How a process ended, and its output.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) struct Ran {
    end: End,
    stdout: String,
    stderr: String,
    micros: u64,
    /// Microseconds of processor time, bytes of memory, and whether it was ended because it waited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<(u64, u64, bool)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed_step: Option<usize>,
}

/// The basis of the verdicts that follow: what they depend on besides the candidate.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) struct Basis {
    /// The whole oracle, if its verdicts depend only on it and the candidate: then they are valid in other runs.
    pub(super) identity: Option<String>,
    /// Facts that must not change while a run is interrupted.
    pub(super) facts: Vec<Fact>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Judged {
    pub(super) text: ContentHash,
    says: Says,
    #[serde(default)]
    reason: String,
    pub(crate) trust: Trust,
    micros: u64,
}

/// An outcome. A timeout is separate, as it depends on how busy the machine was.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Says {
    Fail,
    Pass,
    Unresolved,
    TimedOut,
}

impl Ran {
    pub(super) fn new(result: &JobResult) -> Self {
        // The output is read as text.
        let [stdout, stderr] =
            [&result.stdout, &result.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let usage = result.usage.map(|usage| (micros(usage.processor), usage.memory, usage.has_waited));
        Self { end: result.end, stdout, stderr, micros: micros(result.wall), usage, failed_step: result.failed_step }
    }
}

impl From<Ran> for JobResult {
    fn from(ran: Ran) -> Self {
        let wall = Duration::from_micros(ran.micros);
        let (stdout, stderr, failed_step) = (ran.stdout.into(), ran.stderr.into(), ran.failed_step);
        let usage = ran.usage.map(|(micros, memory, has_waited)| {
            let processor = Duration::from_micros(micros);
            Usage { processor, memory, has_waited }
        });
        Self { stdout, stderr, wall, usage, failed_step, ..Self::ended(ran.end) }
    }
}

impl Judged {
    /// The verdict on a text, and how the check that gave it ended.
    pub(crate) fn new(text: ContentHash, verdict: &Verdict, result: &JobResult) -> Self {
        let says = match (verdict.outcome, result.end) {
            (Outcome::Fail, _) => Says::Fail,
            (Outcome::Pass, _) => Says::Pass,
            (Outcome::Unresolved, End::TimedOut) => Says::TimedOut,
            (Outcome::Unresolved, _) => Says::Unresolved,
        };
        Self { text, says, reason: verdict.reason.clone(), trust: Trust::Certain, micros: micros(result.wall) }
    }

    pub(crate) fn by(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match self.says {
            Says::Fail => Outcome::Fail,
            Says::Pass => Outcome::Pass,
            Says::Unresolved | Says::TimedOut => Outcome::Unresolved,
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        Verdict::new(self.outcome(), &*self.reason)
    }

    pub(crate) fn timed_out(&self) -> bool {
        self.says == Says::TimedOut
    }

    pub(crate) fn wall(&self) -> Duration {
        Duration::from_micros(self.micros)
    }
}

fn micros(wall: Duration) -> u64 {
    u64::try_from(wall.as_micros()).unwrap_or(u64::MAX)
}

impl Record {
    /// Encodes the record as a line: a checksum, a space, JSON. Fails where it holds a path that is not text.
    pub(super) fn line(&self) -> serde_json::Result<String> {
        let json = serde_json::to_string(self)?;
        Ok(format!("{:016x} {json}\n", xxh3_64(json.as_bytes())))
    }

    /// Decodes a line without its end; none if it is torn, damaged, or not of this version.
    pub(super) fn read(line: &str) -> Option<Self> {
        let (sum, json) = line.split_once(' ')?;
        let sum = u64::from_str_radix(sum, 16).ok()?;
        if sum != xxh3_64(json.as_bytes()) {
            return None;
        }
        serde_json::from_str(json).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;

    fn judged(outcome: Outcome, end: End) -> Judged {
        let result = JobResult { wall: Duration::from_millis(7), ..JobResult::ended(end) };
        Judged::new(Program::new("a.rs", "fn f() {}").hash(), &Verdict::new(outcome, "why"), &result)
    }

    #[test]
    fn a_record_is_a_line_and_back() {
        let (stdout, stderr) = (b"a\nb".to_vec(), "\"ä\u{0}".into());
        let result = JobResult { stdout, stderr, failed_step: Some(1), ..JobResult::ended(End::Signalled(6)) };
        for record in [
            Record::Checked(judged(Outcome::Fail, End::Exited(1))),
            Record::Baseline(judged(Outcome::Pass, End::Exited(0))),
            Record::Ran(Ran::new(&result)),
            Record::Kept(Program::new("a.rs", "").hash()),
            Record::Output { query: Query::Check, text: Program::new("a.rs", "").hash(), ran: Ran::new(&result) },
            Record::Basis(Basis { identity: None, facts: vec![Fact::new("rustc", "1.95")] }),
        ] {
            let line = record.line().expect("all is text");
            assert_eq!(line.matches('\n').count(), 1, "{line:?}");
            assert_eq!(Record::read(line.trim_end_matches('\n')), Some(record));
        }
        let again = JobResult::from(Ran::new(&result));
        assert_eq!((again.end, again.stdout, again.stderr), (result.end, result.stdout, result.stderr));
    }

    #[test]
    fn a_timeout_is_told_from_what_else_is_unresolved() {
        let check = |outcome, end, timed_out| {
            let judged = judged(outcome, end);
            assert_eq!((judged.outcome(), judged.timed_out()), (outcome, timed_out));
        };
        check(Outcome::Unresolved, End::TimedOut, true);
        check(Outcome::Unresolved, End::Signalled(11), false);
        check(Outcome::Fail, End::TimedOut, false);
    }

    #[test]
    fn no_part_of_a_line_is_a_record_and_no_changed_one() {
        let line = Record::Checked(judged(Outcome::Fail, End::Exited(1))).line().expect("all is text");
        let line = line.trim_end_matches('\n');
        for end in 0..line.len() {
            assert_eq!(Record::read(&line[..end]), None, "{end}");
            assert_eq!(Record::read(&line[end + 1..]), None, "{end}");
        }
        for (from, to) in [("fail", "pass"), ("7000", "7001"), ("checked", "baseline"), (" ", "  ")] {
            assert_eq!(Record::read(&line.replacen(from, to, 1)), None, "{from}");
        }
        let foreign = r#"{"verdict":1}"#;
        assert_eq!(Record::read(&format!("{:016x} {foreign}", xxh3_64(foreign.as_bytes()))), None);
    }
}
