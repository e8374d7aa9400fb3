//! The oracle of a program that behaves in two ways: what two compilers, two ways of running one, or a command make of it
//! prints something else, or exits otherwise.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::compiler_job::CompilerJob;
use super::fingerprint::FailureId;
use super::judge::{Advice, Oracle};
use super::run::{STDIN_FILE, Stdin};
use super::rustc::Rustc;
use super::shell;
use super::verdict::Verdict;
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult, Step, Word};
use crate::program::{File, Program};

/// What is on the standard input of a program that gets none.
const NO_INPUT: &str = "/dev/null";

/// The name of the program that the other ways compile, where it is another one.
const OTHER: &str = "mcve_other.rs";

/// The exit code where a way does not compile the program.
const NOT_COMPILED: i32 = 125;

/// The exit code where the first way prints something else each time.
const UNSTABLE: i32 = 124;

/// The exit code where the first way takes too long.
const TOO_LONG: i32 = 123;

/// How many seconds of a processor each program may take before it is known how many the unreduced one takes.
const AT_FIRST: u64 = 20;

/// The least of them later: the system counts whole ones.
const LEAST: u64 = 1;

/// A program may take so many times what the unreduced one takes.
const TIMES: f64 = 4.0;

/// The exit code that a shell has for a program that took too long: 128 and the number of `SIGXCPU`.
const OUT_OF_TIME: i32 = 152;

/// The exit code where the second way differs from the first; that of the third is one more, and so on.
const DIFFERENT: i32 = 64;

/// Compiles and runs a program in several ways and compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// The ways; the first is what the others are compared with.
    pub ways: Vec<Way>,
    /// With which exit codes the programs of two ways end, where only these are the failure.
    pub ends: Option<String>,
    /// How many seconds of a processor each program may take.
    pub seconds: u64,
    /// The arguments of the programs that are compiled.
    pub args: Vec<OsString>,
    /// What is put on the standard input of all.
    pub stdin: Option<Stdin>,
    /// What the other ways compile, where that is not the program itself. It is a lone file of another name.
    pub other: Option<Program>,
}

/// A way of having an answer from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is compiled so, and run.
    Run(Rustc),
    /// A line for the shell, in which `{}` is the program.
    Command(String),
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// All are the same.
    Same,
    /// The way of this number is the first that differs.
    Different(usize),
    /// Some way does not compile the program.
    NotCompiled,
    /// The first way does not always do the same.
    Unstable,
    /// It cannot be said.
    Unknown(End),
}

impl Compare {
    /// Compares these ways.
    #[must_use]
    pub fn new(ways: Vec<Way>) -> Self {
        Self { ways, ends: None, seconds: AT_FIRST, args: Vec::new(), stdin: None, other: None }
    }

    /// The same, where the failure is what came of the unreduced program.
    #[must_use]
    pub fn holding(self, result: &JobResult) -> Self {
        let used = result.usage.map(|usage| (usage.processor.as_secs_f64() * TIMES).ceil());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few seconds")]
        let seconds = used.map_or(AT_FIRST, |seconds| (seconds as u64).clamp(LEAST, AT_FIRST));
        Self { ends: Some(Self::ends(result)), seconds, ..self }
    }

    /// The first way and the one of this number.
    #[must_use]
    pub fn with(&self, number: usize) -> Self {
        Self { ways: vec![self.ways[0].clone(), self.ways[number].clone()], ..self.clone() }
    }

    /// The same, where the ways after the first compile this lone file.
    #[must_use]
    pub fn with_other(&self, other: &Program) -> Self {
        Self { other: Some(other.called(OTHER.into())), ..self.clone() }
    }

    /// What came of a run of [`Oracle::job`].
    #[must_use]
    pub fn read(&self, result: &JobResult) -> Comparison {
        match result.end {
            End::TimedOut => Comparison::Unknown(End::TimedOut),
            _ if result.failed_step.is_some() => Comparison::NotCompiled,
            End::Exited(0) => Comparison::Same,
            End::Exited(NOT_COMPILED) => Comparison::NotCompiled,
            End::Exited(TOO_LONG) => Comparison::Unknown(End::TimedOut),
            End::Exited(UNSTABLE) => Comparison::Unstable,
            End::Exited(code) => match usize::try_from(code - DIFFERENT) {
                Ok(number) if number + 1 < self.ways.len() => Comparison::Different(number + 1),
                _ => Comparison::Unknown(result.end),
            },
            end => Comparison::Unknown(end),
        }
    }

    /// The exit codes with which the programs of two ways ended.
    #[must_use]
    pub fn ends(result: &JobResult) -> String {
        String::from_utf8_lossy(&result.stdout).trim().to_owned()
    }

    /// What compiles the program by the way of this number, if it is compiled.
    fn compile(&self, number: usize, program: &Program) -> Option<Job> {
        let Way::Run(rustc) = &self.ways[number] else { return None };
        let mut job = rustc.job(self.other.as_ref().filter(|_| number > 0).unwrap_or(program));
        let mut reads: Vec<PathBuf> = job.files.iter().map(|(path, _)| path.clone()).collect();
        reads.extend(job.steps.iter().map(|step| step.output.clone()));
        let output = executable(number);
        let mut argv = std::mem::take(&mut job.argv);
        argv.splice(1..1, ["-o", &output].map(|word| Word::Text(word.into())));
        job.steps.push(Step { argv, reads, output: output.into() });
        Some(job)
    }

    /// The lines of the shell that compile the program and the crates that it needs, in the folder of its files, by each way that does.
    fn compile_lines(&self, program: &Program) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (number, way) in self.ways.iter().enumerate() {
            let (Way::Run(rustc), Some(job)) = (way, self.compile(number, program)) else { continue };
            let mut start: Vec<OsString> = vec!["env".into(), "TMPDIR=.".into()];
            start.extend(changed(&rustc.of(program).env));
            for step in job.steps {
                let words = step.argv.iter().map(|word| word.in_folder(Path::new("")));
                let words: Vec<OsString> = words.filter(|word| word != "--error-format=json").collect();
                let line = shell::line(start.iter().chain(&words).map(OsString::as_os_str));
                let line = format!("{line} 2> /dev/null || exit {NOT_COMPILED}\n");
                // The crates are compiled once.
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines.concat()
    }

    /// The lines of the shell that run the program by each way with the file `input` on its standard input, and compare.
    fn run_lines(&self, input: &str) -> String {
        let args: String = self.args.iter().map(|arg| format!(" {}", shell::quote(arg))).collect();
        let mut script = format!("ulimit -c 0; ulimit -S -t {}\n", self.seconds);
        for (number, way) in self.ways.iter().enumerate() {
            let line = match way {
                Way::Command(line) => format!("({})", line.replace("{}", "\"$1\"")),
                Way::Run(_) => format!("{}{args}", executable(number)),
            };
            let run =
                |out: &str| format!("{line} > {out} 2> /dev/null < {input}; e{number}=$?; echo $e{number} >> {out}\n");
            script += &run(&format!("{number}.out"));
            if number == 0 {
                script += &format!("[ $e0 -ne {OUT_OF_TIME} ] || exit {TOO_LONG}\n");
                script += &run("again.out");
                script += &format!("cmp -s 0.out again.out || exit {UNSTABLE}\n");
            }
        }
        for number in 1..self.ways.len() {
            let code = DIFFERENT + i32::try_from(number - 1).unwrap_or(0);
            script += &format!("cmp -s 0.out {number}.out || {{ echo \"$e0 $e{number}\"; exit {code}; }}\n");
        }
        script + "exit 0"
    }

    fn words(&self, number: usize) -> String {
        match &self.ways[number] {
            Way::Command(line) => line.clone(),
            Way::Run(rustc) => {
                let words = rustc.called.iter().chain(&rustc.args);
                shell::line(words.map(OsString::as_os_str))
            }
        }
    }
}

/// The path of what the way of this number compiles.
fn executable(number: usize) -> String {
    format!("./way-{number}")
}

/// The words of `env` for these variables.
fn changed(env: &[(OsString, Option<OsString>)]) -> Vec<OsString> {
    let words = env.iter().map(|(name, value)| match value {
        Some(value) => vec![[name, OsStr::new("="), value].into_iter().collect()],
        None => vec!["-u".into(), name.clone()],
    });
    words.flatten().collect()
}

/// With two ways: do they still differ?
impl Oracle for Compare {
    fn job(&self, program: &Program) -> Job {
        let input = self.stdin.as_ref().map_or(NO_INPUT, |_| STDIN_FILE);
        let words = ["sh", "-c", &self.run_lines(input), "sh"].map(|word| Word::Text(word.into()));
        let mut argv = Vec::from(words);
        argv.push(Word::path(&program.name));
        let mut job = Job { files: program.files(), argv, ..Job::default() };
        job.files.extend(self.other.iter().flat_map(Program::files));
        job.files.extend(self.stdin.as_ref().map(|stdin| (STDIN_FILE.into(), File::plain(Arc::clone(&stdin.bytes)))));
        let mut env = None;
        for mut compile in (0..self.ways.len()).filter_map(|number| self.compile(number, program)) {
            if *env.get_or_insert_with(|| compile.env.clone()) != compile.env
                && let Some(step) = compile.steps.last_mut()
            {
                let words = ["env".into()].into_iter().chain(changed(&compile.env));
                step.argv.splice(0..0, words.map(Word::Text));
            }
            // The crates that the program needs are compiled once.
            compile.steps.retain(|step| !job.steps.contains(step));
            job.steps.append(&mut compile.steps);
        }
        Job { env: env.unwrap_or_default(), ..job }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match self.read(result) {
            Comparison::Same => Verdict::new(Outcome::Pass, "it behaves the same"),
            Comparison::Different(_) => match &self.ends {
                Some(ends) if *ends != Self::ends(result) => {
                    Verdict::new(Outcome::Unresolved, format!("exit codes {} and not {ends}", Self::ends(result)))
                }
                _ => Verdict::new(Outcome::Fail, "it behaves in two ways"),
            },
            Comparison::NotCompiled => Verdict::new(Outcome::Unresolved, "it does not compile"),
            Comparison::Unstable => Verdict::new(Outcome::Unresolved, "it prints something else each time"),
            Comparison::Unknown(end) => Verdict::new(Outcome::Unresolved, end.to_string()),
        }
    }

    fn failure(&self) -> FailureId {
        let last = self.ways.len() - 1;
        format!("it behaves in two ways, by `{}` and by `{}`", self.words(0), self.words(last)).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        // The commands run in a folder of their own.
        let input = self.stdin.as_ref().map_or(NO_INPUT.into(), |stdin| {
            let path = std::path::absolute(&stdin.path).unwrap_or_else(|_| stdin.path.clone());
            shell::quote(path.as_os_str())
        });
        let script = shell::quote(OsStr::new(&(self.compile_lines(program) + &self.run_lines(&input))));
        shell::in_copy(program, path, &format!("sh -c {script} sh"))
    }

    fn advice(&self) -> &dyn Advice {
        self
    }
}

impl Advice for Compare {
    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let Way::Run(rustc) = &self.ways[0] else { return None };
        matches!(which, CompilerJob::Hints | CompilerJob::Errors).then(|| which.by(rustc, program))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::exec::job::Executor;
    use crate::exec::limits::Memory;
    use crate::exec::process::{Cancel, Processes};
    use crate::exec::programs;
    use crate::oracle::headers::Headers;

    /// Compares the program as it is compiled with each of these configurations.
    #[track_caller]
    fn check(text: &str, configurations: &[&str], expected: Comparison) {
        let processes = Processes::new(Memory::default()).expect("a folder can be made");
        let rustc = programs::rustc(None, None).expect("there is a rustc");
        let program = Program::new("it's.rs", text);
        let way = |name: &&str| {
            let args = ["--cfg".into(), name.into()];
            Way::Run(Rustc::new(rustc.clone(), &Headers::default(), &args, Path::new("/")).naming(&program))
        };
        let compare = Compare::new(configurations.iter().map(way).collect());
        let job = Compare { seconds: 1, ..compare.clone() }.job(&program);
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
        let clock = "fn main() { println!(\"{:?}\", std::time::Instant::now()) }";
        check(clock, &["a", "b"], Comparison::Unstable);
    }
}
