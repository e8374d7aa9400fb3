//! The oracle of a program that behaves in two ways: what two compilers, two ways of running one, or a command make of it
//! prints something else, or exits otherwise.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::rustc::Rustc;
use super::{Oracle, Verdict, hints, shell};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult, Word};
use crate::program::Program;

/// The exit code where a way does not compile the program.
const NOT_COMPILED: i32 = 125;

/// The exit code where the first way prints something else each time.
const UNSTABLE: i32 = 124;

/// How many seconds of a processor each program may take.
const SECONDS: u64 = 20;

/// The exit code where the second way differs from the first; that of the third is one more, and so on.
const DIFFERENT: i32 = 64;

/// Compiles and runs a program in several ways and compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// The ways; the first is what the others are compared with.
    pub ways: Vec<Way>,
    /// With which exit codes the programs of two ways end, where only these are the failure.
    pub ends: Option<String>,
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
    /// The first way and the one of this number.
    #[must_use]
    pub fn with(&self, number: usize) -> Self {
        Self { ways: vec![self.ways[0].clone(), self.ways[number].clone()], ends: self.ends.clone() }
    }

    /// What came of a run of [`Oracle::job`].
    #[must_use]
    pub fn read(&self, result: &JobResult) -> Comparison {
        match result.end {
            End::Exited(0) => Comparison::Same,
            End::Exited(NOT_COMPILED) => Comparison::NotCompiled,
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

    /// The lines of the shell, with the program as `$1`.
    fn script(&self, program: &Program) -> String {
        let mut script = format!("ulimit -c 0; ulimit -S -t {SECONDS}\n");
        for (number, way) in self.ways.iter().enumerate() {
            let line = match way {
                Way::Command(line) => format!("({})", line.replace("{}", "\"$1\"")),
                Way::Run(rustc) => {
                    let rustc = rustc.of(program);
                    let mut words: Vec<OsString> = vec!["env".into(), "TMPDIR=.".into()];
                    for (name, value) in &rustc.env {
                        match value {
                            Some(value) => words.push([name, OsStr::new("="), value].into_iter().collect()),
                            None => words.extend(["-u".into(), name.clone()]),
                        }
                    }
                    words.push(rustc.program.clone().into());
                    words.extend(rustc.args.iter().cloned());
                    let line = shell::line(words.iter().map(OsString::as_os_str));
                    script += &format!("{line} -o ./way-{number} \"$1\" 2> /dev/null || exit {NOT_COMPILED}\n");
                    format!("./way-{number}")
                }
            };
            let run = |out: &str| {
                format!("{line} > {out} 2> /dev/null < /dev/null; e{number}=$?; echo $e{number} >> {out}\n")
            };
            script += &run(&format!("{number}.out"));
            if number == 0 {
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

/// With two ways: do they still differ?
impl Oracle for Compare {
    fn job(&self, program: &Program) -> Job {
        let words = ["sh", "-c", &self.script(program), "sh"].map(|word| Word::Text(word.into()));
        let mut argv = Vec::from(words);
        argv.push(Word::path(&program.name));
        Job { files: program.files(), argv, ..Job::default() }
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

    fn hints(&self, program: &Program) -> Option<Job> {
        let Way::Run(rustc) = &self.ways[0] else { return None };
        Some(hints::job(rustc, program))
    }

    fn failure(&self) -> String {
        let last = self.ways.len() - 1;
        format!("it behaves in two ways, by `{}` and by `{}`", self.words(0), self.words(last))
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let path = program.root_at(path);
        let path = shell::quote(path.as_os_str());
        let name = "\"$d\"/program.rs";
        let script = shell::quote(OsStr::new(&self.script(program)));
        format!("(d=$(mktemp -d) && cp {path} {name} && cd \"$d\" && sh -c {script} sh {name})")
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
        let compare = Compare { ways: configurations.iter().map(way).collect(), ends: None };
        let job = compare.job(&program);
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
        let clock = "fn main() { println!(\"{:?}\", std::time::Instant::now()) }";
        check(clock, &["a", "b"], Comparison::Unstable);
    }
}
