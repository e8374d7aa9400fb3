//! The jobs that compile a program and run it, and the command that does so by hand.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Runner, STDIN_FILE, Stdin, Target, last, subject};
use crate::exec::job::{Job, Likely, Step, Word};
use crate::oracle::compiler_job::NO_LINTS;
use crate::oracle::entry;
use crate::oracle::output::runs;
use crate::oracle::rustc::Rustc;
use crate::oracle::shell;
use crate::program::{File, FileKind, Program};

/// The executable in the folder of a check.
const EXECUTABLE: &str = ".mcve-run";

/// How the program is linked where nothing forbids it: the standard library is not copied, which saves a fifth of a check.
const DYNAMIC: [&str; 2] = ["-Cprefer-dynamic", "-Crpath"];

/// The option by which a small program is compiled sooner. What the optimiser does depends on it.
const UNDIVIDED: &str = "-Ccodegen-units=1";

/// The option by which a backtrace names the lines of the program.
const TRACED: &str = "-Cdebuginfo=line-tables-only";

/// The options that `--test` implies besides the harness. A lint of newer compilers denies the first one.
const AS_TESTED: [&str; 4] = ["--cfg", "test", "-Aexplicit-builtin-cfgs-in-flags", "--crate-type=bin"];

/// Words in arguments that make a test more than a call in `main`.
const UNFIT: [&str; 2] = ["panic", "--crate-type"];

impl Runner {
    /// The job that compiles `program`, and runs it if it compiles.
    pub fn job(&self, program: &Program) -> Job {
        let compile = self.rustc.job(program);
        let mut argv = compile.argv;
        let is_optimised = argv.iter().any(
            |word| matches!(word, Word::Text(text) if text == "-O" || text.to_string_lossy().contains("opt-level=")),
        );
        let own = DYNAMIC.into_iter().filter(|_| self.is_dynamic).chain(Some(TRACED).filter(|_| self.is_traced));
        let own = own.chain(Some(UNDIVIDED).filter(|_| self.is_dynamic && !is_optimised));
        // Before the name of the file, so that what the user says of the same holds.
        let own = own.chain(["--emit=link", "-o", EXECUTABLE]).map(|word| Word::Text(word.into()));
        argv.splice(1..1, own);
        let mut files = compile.files;
        let mut reads: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
        reads.extend(compile.steps.iter().map(|step| step.output.clone()));
        let mut steps = compile.steps;
        steps.push(Step { argv, reads, output: EXECUTABLE.into() });
        let redirect = if let Some(Stdin { bytes, .. }) = &self.stdin {
            files.push((STDIN_FILE.into(), File::plain(Arc::clone(bytes))));
            format!(" < {STDIN_FILE}")
        } else {
            String::new()
        };
        let line = format!("ulimit -c 0; ulimit -S -t {}; exec \"$0\" \"$@\"{redirect}", self.seconds);
        let mut argv = ["sh", "-c", &line].map(|word| Word::Text(word.into())).to_vec();
        argv.push(Word::path(EXECUTABLE));
        argv.extend(self.args().into_iter().map(Word::Text));
        let mut env = compile.env;
        env.push(("RUST_BACKTRACE".into(), Some(if self.is_traced { "1" } else { "0" }.into())));
        let subject = Some(Arc::new(subject(program)));
        let job = Job { files, argv, env, steps, subject, processor: self.processor, ..Job::default() };
        Job { likely: self.without_harness(program, &job).map(Box::new), ..job }
    }

    /// The job that runs `program` once for each of these values of a variable, or all of its tests if `whole`.
    pub(crate) fn runs_by(&self, program: &Program, variable: &str, values: &[String], whole: bool) -> Job {
        // A program with a `main` may have tests besides.
        let tests = Runner { rustc: self.rustc.as_tests(), target: Target::Test(String::new()), ..self.clone() };
        let mut job = if whole { tests.job(program) } else { self.job(program) };
        let input = if self.stdin.is_some() { STDIN_FILE } else { "/dev/null" };
        // The time of all runs is not that of one.
        job.processor = None;
        job.likely = None;
        let line = runs::line(variable, values, self.seconds, input);
        job.argv[2] = Word::Text(line.into());
        // A mutant that always overflows is as good as the others.
        job.steps.iter_mut().for_each(|step| step.argv.insert(1, Word::Text(NO_LINTS.into())));
        // Nobody reads the backtraces, and each takes longer than most runs.
        job.env.retain(|(name, _)| name != "RUST_BACKTRACE");
        job.env.push(("RUST_BACKTRACE".into(), Some("0".into())));
        if whole {
            // The name of the test, which is none.
            job.argv.retain(|word| *word != Word::Text(OsString::new()));
        }
        job
    }

    /// The quicker variant of the job: a `main` calls the test, where that gives the same result.
    fn without_harness(&self, program: &Program, job: &Job) -> Option<Likely> {
        let name = self.target.test().filter(|name| !name.is_empty() && !self.is_exact)?;
        let (mut files, mut steps) = (job.files.clone(), job.steps.clone());
        let argv = &mut steps.last_mut()?.argv;
        // What is linked to unwind and what is not differ in more than the harness.
        let is_unfit = |text: &OsString| UNFIT.iter().any(|unfit| text.to_string_lossy().contains(unfit));
        let harness = argv.iter().position(|word| *word == Word::Text("--test".into()))?;
        if argv.iter().any(|word| matches!(word, Word::Text(text) if is_unfit(text))) {
            return None;
        }
        argv.splice(harness..=harness, AS_TESTED.map(|word| Word::Text(word.into())));
        let is_rust = |path: &Path| path == program.name || path.extension().is_some_and(|name| name == "rs");
        let texts = files.iter().filter(|(path, file)| is_rust(path) && file.kind == FileKind::Plain);
        let texts = texts.filter_map(|(path, file)| Some((&**path, std::str::from_utf8(&file.bytes).ok()?)));
        for (path, text) in entry::call_directly(name, &program.name, texts, self.rustc.of(program).edition())? {
            let (_, file) = files.iter_mut().find(|(name, _)| *name == path)?;
            file.bytes = text.into_bytes().into();
        }
        Some(Likely { files, steps, processor: job.processor, waiting: job.waiting })
    }

    /// The shell command that compiles and runs `program` at `path`.
    pub fn command(&self, program: &Program, path: &Path) -> String {
        let mut args = self.args();
        let is_gone = |word: &OsString| !word.to_str().is_some_and(|word| program.text.contains(last(word)));
        while let Some(at) = (1..args.len()).find(|&at| args[at - 1] == "--skip" && is_gone(&args[at])) {
            args.drain(at - 1..=at);
        }
        let args: String = args.iter().map(|arg| format!(" {}", shell::quote(arg))).collect();
        let input = self.stdin.as_ref().map(|stdin| format!(" < {}", shell::quote(&stdin.path)));
        let input = input.unwrap_or_default();
        let (compile, set) = (self.rustc.command_to(program, path, "\"$d\"/run"), self.rustc.run_assignments(program));
        format!("(d=$(mktemp -d) && {compile} && {set}\"$d\"/run{args}{input})")
    }
}

impl Rustc {
    /// Sets the variables for a run of `program`: it has what the compiler has, its own variables, and those of the program.
    pub(crate) fn run_assignments(&self, program: &Program) -> String {
        let own = program.environment().into_iter().map(|(name, value)| (name.into(), value.into()));
        let set: Vec<(OsString, OsString)> = self.inherited.iter().cloned().chain(own).collect();
        shell::assignments(&set)
    }
}
