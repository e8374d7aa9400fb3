//! The oracle of a program that behaves in two ways: two compilers, two configurations of one, or a command differ in what
//! is printed or in the exit code.

mod script;

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::exec::job::{End, Job, JobResult, Word};
use crate::oracle::run::{STDIN_FILE, Stdin};
use crate::oracle::rustc::Rustc;
use crate::oracle::{CompilerJob, FailureId, Oracle, Verdict, shell};
use crate::program::{File, Program};

/// The name of the program that the other configurations compile, if it is another one.
const OTHER: &str = "mcve_other.rs";

/// The exit code where the first configuration prints something else each time.
const UNSTABLE: i32 = 124;

/// The exit code where the first program takes too long.
const TOO_LONG: i32 = 123;

/// The seconds of a processor that each program may take before the usage of the unreduced one is known.
const AT_FIRST: u64 = 20;

/// The least of them later: the system counts whole ones.
const LEAST: u64 = 1;

/// How long all processes may wait before the time of the unreduced program is known, and the least of it later.
const WAITING: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(1)];

/// The part of the time for a check that one program may take.
const PART: u32 = 4;

/// The limit of a program, as a multiple of what the unreduced one takes.
const TIMES: f64 = 4.0;

/// The exit code where the second output differs from the first; for the third it is one more, and so on.
const DIFFERENT: i32 = 64;

/// Compiles and runs a program by several configurations and compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// The configurations. The others are compared with the first.
    pub configs: Vec<CompilerConfig>,
    /// The exit codes of both programs, where only these are the failure.
    pub ends: Option<String>,
    /// How many seconds of a processor each program may take.
    pub seconds: u64,
    /// How long all processes of a program may wait.
    pub waiting: Duration,
    /// The arguments of the programs that are compiled.
    pub args: Vec<OsString>,
    /// The standard input of all programs.
    pub stdin: Option<Stdin>,
    /// The program that the other configurations compile, if it is another one. It is a lone file of another name.
    pub other: Option<Program>,
}

/// A configuration that produces output from a program: a compiler with its options, or a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompilerConfig {
    /// The program is compiled like this, and run.
    Rustc(Rustc),
    /// A line of the shell, in which `{}` is the program.
    Command(String),
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// All are the same.
    Same,
    /// The configuration of this number is the first that differs.
    Different(usize),
    /// Some configuration does not compile the program.
    NotCompiled,
    /// The first one does not always do the same.
    Unstable,
    /// It is not known.
    Unknown(End),
}

impl Compare {
    /// Compares these configurations.
    pub fn new(configs: Vec<CompilerConfig>) -> Self {
        let (ends, args, stdin, other) = Default::default();
        Self { configs, ends, seconds: AT_FIRST, waiting: WAITING[0], args, stdin, other }
    }

    /// A copy in which both programs end in the time for a check.
    #[must_use]
    pub fn within(self, limit: Duration) -> Self {
        let part = limit / PART;
        Self { seconds: self.seconds.min(part.as_secs().max(LEAST)), waiting: self.waiting.min(part), ..self }
    }

    /// A copy that holds candidates to `result`, that of the unreduced program.
    pub(crate) fn holding(self, result: &JobResult) -> Self {
        let used = result.usage.map(|usage| (usage.processor.as_secs_f64() * TIMES).ceil());
        let seconds = used.map_or(AT_FIRST, |seconds| (seconds as u64).clamp(LEAST, AT_FIRST));
        let waits = result.usage.is_some_and(|usage| usage.has_waited);
        // All that one of them did without waiting for ever, and the compiler, took the rest.
        let left = result.wall.saturating_sub(self.waiting).clamp(WAITING[1].min(self.waiting), self.waiting);
        let waiting = if waits { left } else { self.waiting };
        Self { ends: Some(Self::ends(result)), seconds, waiting, ..self }
    }

    /// Compares the first configuration with the one of this number only.
    pub fn with(&self, number: usize) -> Self {
        Self { configs: vec![self.configs[0].clone(), self.configs[number].clone()], ..self.clone() }
    }

    /// A copy in which the configurations after the first compile this lone file.
    pub(crate) fn with_other(&self, other: &Program) -> Self {
        Self { other: Some(other.called(OTHER.into())), ..self.clone() }
    }

    /// Reads the result of [`Oracle::job`].
    pub fn read(&self, result: &JobResult) -> Comparison {
        match result.end {
            End::TimedOut => Comparison::Unknown(End::TimedOut),
            _ if result.failed_step.is_some() => Comparison::NotCompiled,
            End::Exited(0) => Comparison::Same,
            End::Exited(TOO_LONG) => Comparison::Unknown(End::TimedOut),
            End::Exited(UNSTABLE) => Comparison::Unstable,
            End::Exited(code) => match usize::try_from(code - DIFFERENT) {
                Ok(number) if number + 1 < self.configs.len() => Comparison::Different(number + 1),
                _ => Comparison::Unknown(result.end),
            },
            end => Comparison::Unknown(end),
        }
    }

    /// The exit codes of both programs.
    pub fn ends(result: &JobResult) -> String {
        String::from_utf8_lossy(&result.stdout).lines().next().unwrap_or_default().to_owned()
    }

    /// The words of the configuration of this number.
    fn words(&self, number: usize) -> String {
        match &self.configs[number] {
            CompilerConfig::Command(line) => line.clone(),
            CompilerConfig::Rustc(rustc) => shell::line(rustc.called.iter().chain(&rustc.args)),
        }
    }
}

/// With two configurations: do they still differ?
impl Oracle for Compare {
    fn job(&self, program: &Program) -> Job {
        let input = self.stdin.as_ref().map_or("/dev/null", |_| STDIN_FILE);
        let words = ["sh", "-c", &self.run_lines(input), "sh"].map(|word| Word::Text(word.into()));
        let mut argv = Vec::from(words);
        argv.push(Word::path(&program.name));
        let mut job = Job { files: program.files(), argv, ..Job::default() };
        job.files.extend(self.other.iter().flat_map(Program::files));
        job.files.extend(self.stdin.as_ref().map(|stdin| (STDIN_FILE.into(), File::plain(Arc::clone(&stdin.bytes)))));
        let mut env = None;
        for mut compile in (0..self.configs.len()).filter_map(|number| self.compile(number, program)) {
            if *env.get_or_insert_with(|| compile.env.clone()) != compile.env
                && let Some(step) = compile.steps.last_mut()
            {
                let words = ["env".into()].into_iter().chain(shell::env_words(&compile.env));
                step.argv.splice(0..0, words.map(Word::Text));
            }
            // The crates that the program needs are compiled once.
            compile.steps.retain(|step| !job.steps.contains(step));
            job.steps.append(&mut compile.steps);
        }
        Job { env: env.unwrap_or_default(), waiting: Some(self.waiting), ..job }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match self.read(result) {
            Comparison::Same => Verdict::pass("it behaves the same"),
            Comparison::Different(_) => match &self.ends {
                Some(ends) if *ends != Self::ends(result) => {
                    Verdict::unresolved(format!("exit codes {} and not {ends}", Self::ends(result)))
                }
                _ => Verdict::fail("it behaves in two ways"),
            },
            Comparison::NotCompiled => Verdict::not_compiled(result),
            Comparison::Unstable => Verdict::unresolved("it prints something else each time"),
            Comparison::Unknown(end) => Verdict::unresolved(end.to_string()),
        }
    }

    fn failure(&self) -> FailureId {
        let last = self.configs.len() - 1;
        format!("it behaves in two ways, by `{}` and by `{}`", self.words(0), self.words(last)).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.by_hand(program, path)
    }

    fn difference(&self, result: &JobResult) -> Option<String> {
        let shown = String::from_utf8_lossy(&result.stdout);
        let (_, difference) =
            shown.split_once('\n').filter(|_| matches!(self.read(result), Comparison::Different(_)))?;
        Some(difference.trim_end().to_owned())
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let CompilerConfig::Rustc(rustc) = &self.configs[0] else { return None };
        matches!(which, CompilerJob::Hints | CompilerJob::Errors).then(|| which.by(rustc, program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::job::Executor;
    use crate::exec::limits::Memory;
    use crate::exec::process::{Cancel, Processes};
    use crate::exec::programs;
    use crate::oracle::headers::Headers;
    use mcve_dd::outcome::Outcome;

    /// Compares the program as it is compiled with each of these configurations.
    #[track_caller]
    fn check(text: &str, configurations: &[&str], expected: Comparison) {
        let processes = Processes::new(Memory::default(), None).expect("a folder can be made");
        let rustc = programs::rustc(None, None).expect("there is a rustc");
        let program = Program::new("it's.rs", text);
        let config = |name: &&str| {
            let args = ["--cfg".into(), name.into()];
            CompilerConfig::Rustc(
                Rustc::new(rustc.clone(), &Headers::default(), &args, Path::new("/")).naming(&program),
            )
        };
        let compare = Compare::new(configurations.iter().map(config).collect());
        let job = compare.clone().within(Duration::from_secs(4)).job(&program);
        let result = processes.run(&job, Duration::from_secs(600), &Cancel::default()).expect("there is a shell");
        assert_eq!(compare.read(&result), expected);
        let outcome = match expected {
            Comparison::Same => Outcome::Pass,
            Comparison::Different(_) => Outcome::Fail,
            _ => Outcome::Unresolved,
        };
        assert_eq!(compare.verdict(&result).outcome, outcome);
    }

    #[test]
    fn what_is_printed_and_how_it_exits_is_compared() {
        check("fn main() { println!(\"{}\", cfg!(b)) }", &["a", "b"], Comparison::Different(1));
        check("fn main() { if cfg!(b) { std::process::exit(3) } }", &["a", "a", "b"], Comparison::Different(2));
        check("fn main() { eprintln!(\"{}\", cfg!(b)) }", &["a", "b"], Comparison::Same);
        check("#[cfg(b)] fn main() {}", &["a", "b"], Comparison::NotCompiled);
        check("fn main() { loop {} }", &["a", "b"], Comparison::Unknown(End::TimedOut));
        #[cfg(target_os = "linux")]
        for (condition, expected) in [("b", Comparison::Different(1)), ("a", Comparison::Unknown(End::TimedOut))] {
            check(&format!("fn main() {{ while cfg!({condition}) {{ std::thread::park() }} }}"), &["a", "b"], expected);
        }
        let clock = "fn main() { println!(\"{:?}\", std::time::Instant::now()) }";
        check(clock, &["a", "b"], Comparison::Unstable);
    }
}
