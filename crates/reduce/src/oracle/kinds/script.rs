//! The oracle of a test script, by the convention of C-Reduce: exit code 0 says that the failure is there. With another code
//! for that, 0 says that it is not, as `git bisect run` and *The Debugging Book* have it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::exec::job::{End, Job, JobResult, Word};
use crate::oracle::rustc::Rustc;
use crate::oracle::{CompilerJob, FailureId, Oracle, Verdict, shell};
use crate::program::Program;

/// The exit code of a script that cannot say whether the failure is there, by the convention of `git bisect run`.
const CANNOT_SAY: i32 = 125;

/// The script, which runs in the folder of the candidate with its path as `$1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// The absolute path of a file to run.
    File(PathBuf),
    /// A shell's command line.
    Inline(OsString),
}

/// Does the script still say that the failure is there?
#[derive(Clone, Debug)]
pub struct ScriptOracle {
    /// The script.
    pub script: Script,
    /// The exit code that says that the failure is there.
    pub bad: i32,
    /// Changes to the environment: a value to set, or `None` to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Variables that a shell must set to get the same environment.
    pub shown: Vec<(OsString, OsString)>,
    /// How rustc is run for hints, if there is one.
    pub rustc: Option<Rustc>,
}

impl Script {
    /// The words of its command, up to the candidate's path.
    fn words(&self) -> Vec<OsString> {
        match self {
            Self::File(path) => vec![path.clone().into()],
            Self::Inline(line) => vec!["sh".into(), "-c".into(), line.clone(), "sh".into()],
        }
    }
}

impl Oracle for ScriptOracle {
    fn job(&self, program: &Program) -> Job {
        let mut argv: Vec<Word> = self.script.words().into_iter().map(Word::Text).collect();
        argv.push(Word::path(&program.name));
        // Scripts about a crash of rustc are three times as fast without the long report that nobody reads.
        let mut env = self.env.clone();
        env.extend(["RUSTC_ICE", "RUST_BACKTRACE"].map(|name| (name.into(), Some("0".into()))));
        Job { files: program.files(), argv, env, ..Job::default() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match result.end {
            End::Exited(code) if code == self.bad => Verdict::fail("the script says so"),
            End::Exited(0) => Verdict::pass("the script says so"),
            End::Exited(CANNOT_SAY) => Verdict::unresolved("the script cannot say"),
            End::Exited(code) if self.bad != 0 => {
                Verdict::unresolved(format!("exit code {code}, which is neither 0 nor {}", self.bad))
            }
            End::Exited(code) => {
                let hint = match code {
                    126 => ": it calls a program that may not be run",
                    127 => ": it calls a program that does not exist",
                    _ => ", and only 0 means that it is there",
                };
                Verdict::pass(format!("{}{hint}", result.end))
            }
            end => Verdict::unresolved(end.to_string()),
        }
    }

    fn failure(&self) -> FailureId {
        let script = match &self.script {
            Script::File(path) => path.as_os_str(),
            Script::Inline(line) => line,
        };
        format!("`{}` exits with {}", script.display(), self.bad).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        // A script may count on the name of its file and on being alone with it.
        let words = self.script.words();
        let script = shell::line(&words);
        shell::in_copy(program, path, &(shell::assignments(&self.shown) + &script))
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let rustc = self.rustc.as_ref().filter(|_| which != CompilerJob::Errors)?;
        Some(which.by(rustc, program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::job::Executor;
    use crate::exec::limits::Memory;
    use crate::exec::process::{Cancel, Processes};
    use mcve_dd::outcome::Outcome;
    use std::time::Duration;

    fn inline(line: &str) -> ScriptOracle {
        ScriptOracle { script: Script::Inline(line.into()), bad: 0, env: Vec::new(), shown: Vec::new(), rustc: None }
    }

    /// Runs the script as a check, and its command by hand, which must agree.
    #[track_caller]
    fn check(line: &str, outcome: Outcome, reason: &str) {
        let oracle = inline(line);
        let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
        let never = Duration::from_secs(1000);
        let program = Program::new("it's.rs", "fn main() {}\n");
        let result = processes.run(&oracle.job(&program), never, &Cancel::default()).expect("there is a shell");
        assert_eq!(oracle.verdict(&result), Verdict::new(outcome, reason));

        let elsewhere = tempfile::tempdir().expect("a temporary folder can be made");
        let command = oracle.command(&Program::new("it's.rs", ""), Path::new("it's.rs"));
        let mut by_hand = inline(&command).job(&program);
        by_hand.env.push(("TMPDIR".into(), Some(elsewhere.path().into())));
        let again = processes.run(&by_hand, never, &Cancel::default()).expect("there is a shell");
        assert_eq!(again.end == End::Exited(0), outcome == Outcome::Fail, "{command}");
    }

    #[test]
    fn exit_code_0_is_the_failure() {
        check("exit 0", Outcome::Fail, "the script says so");
        check("exit 1", Outcome::Pass, "exit code 1, and only 0 means that it is there");
        check("exit 125", Outcome::Unresolved, "the script cannot say");
        check("false | true", Outcome::Fail, "the script says so");
    }

    #[test]
    fn another_code_may_be_the_failure() {
        let oracle = ScriptOracle { bad: 1, ..inline("") };
        let verdict = |code| oracle.verdict(&JobResult::ended(End::Exited(code)));
        assert_eq!([0, 1, 2, 125].map(|code| verdict(code).outcome), {
            [Outcome::Pass, Outcome::Fail, Outcome::Unresolved, Outcome::Unresolved]
        });
        assert_eq!(verdict(2).reason, "exit code 2, which is neither 0 nor 1");
    }

    #[test]
    fn the_candidate_is_the_first_argument_and_in_the_folder() {
        check(r#"grep -q 'fn main' "$1""#, Outcome::Fail, "the script says so");
        check(r#"grep -q 'fn other' "$1""#, Outcome::Pass, "exit code 1, and only 0 means that it is there");
        check(r#"grep -q 'fn main' "it's.rs" && [ "$(ls)" = "it's.rs" ]"#, Outcome::Fail, "the script says so");
        check(r#"[ "$1" = "$(pwd -P)/it's.rs" ]"#, Outcome::Fail, "the script says so");
    }

    #[test]
    fn a_script_that_cannot_run_its_programs_gets_a_hint() {
        check("no-such-program", Outcome::Pass, "exit code 127: it calls a program that does not exist");
        check(r#""$1""#, Outcome::Pass, "exit code 126: it calls a program that may not be run");
    }

    #[test]
    fn a_signal_or_a_timeout_says_nothing() {
        check("kill -KILL $$", Outcome::Unresolved, "signal 9 (SIGKILL)");
        let result = JobResult::ended(End::TimedOut);
        assert_eq!(inline("").verdict(&result), Verdict::unresolved("timed out"));
    }

    #[test]
    fn it_reads_well() {
        let oracle = ScriptOracle {
            script: Script::File("/t/a b.sh".into()),
            bad: 0,
            env: Vec::new(),
            shown: vec![("A".into(), "b c".into())],
            rustc: None,
        };
        assert_eq!(oracle.failure().words, "`/t/a b.sh` exits with 0");
        let line = r#"(d=$(mktemp -d) && cp x_mcve.rs "$d"/x.rs && cd "$d" && A='b c' '/t/a b.sh' "$d"/x.rs)"#;
        assert_eq!(oracle.command(&Program::new("x.rs", ""), Path::new("x_mcve.rs")), line);
    }
}
