//! `mcve reduce --as-ui-test` and `mcve test-file`: a program as a test of rustc's own suite.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};

use crate::check::limits::Limits;
use crate::exec::folder::RunFolder;
use crate::exec::job::{End, Executor, Job, JobResult};
use crate::failure::problem::Problem;
use crate::failure::tool::Tool;
use crate::oracle::Oracle;
use crate::oracle::diagnostics::Stderr;
use crate::oracle::headers::{Headers, Trust};
use crate::oracle::rustc::Rustc;
use crate::oracle::ui_test::{
    BOOTSTRAP, Expected, Form, SUITE_FLAGS, annotate, has_lone_notes, with_attribute, with_headers,
};
use crate::program::{Program, write_files};
use crate::project::neighbours;
use crate::session::Session;
use mcve_dd::outcome::Outcome;

/// The time limit of a run of rustc where the user gave none.
const PATIENCE: Duration = Duration::from_secs(600);

/// Tools with suites of their own.
const TOOLS: [Tool; 3] = [Tool::Clippy, Tool::Rustdoc, Tool::Miri];

pub(super) struct UiTests<'a> {
    /// The unreduced program, whose headers hold more than the flags of rustc: the number of a bug, the platforms it runs on.
    pub(super) input: &'a Program,
    pub(super) oracle: &'a dyn Oracle,
    pub(super) executor: &'a dyn Executor,
    /// The headers that are followed when the test is read again.
    pub(super) trust: Trust,
    pub(super) limits: &'a Limits,
}

/// The program of a problem as a test of rustc's suite, for the bug of this number if it is a crash.
///
/// # Errors
/// When the suite has no such tests, or the test does not show the failure by its headers alone.
pub fn test_of(problem: &Problem, session: &Session, bug: Option<&str>) -> anyhow::Result<Program> {
    let Problem { program, oracle, .. } = problem;
    let header = bug.map_or_else(String::new, |bug| format!("//@ known-bug: #{bug}\n"));
    let (input, executor) = (program.with_text(header + &program.text), session.executor());
    let tests = UiTests {
        input: &input,
        oracle: &**oracle,
        executor: &*executor,
        trust: Trust::AllowList,
        limits: &session.limits,
    };
    tests.write(program)
}

impl UiTests<'_> {
    /// Writes `program` as a test that shows the failure when mcve reads it by its headers alone.
    pub(super) fn write(&self, program: &Program) -> anyhow::Result<Program> {
        let (rustc, form) = self.oracle.as_ui_test().context("the suite has no tests that are run like this")?;
        if form == Form::Crash {
            return self.write_crash(program, rustc);
        }
        let leveled = self.with_level(program, rustc, &form)?;
        let program = leveled.as_ref().unwrap_or(program);
        let input = self.input.root();
        let headed = |expected| {
            let headed = with_headers(program, rustc, &form, expected, &input);
            headed.context("the program has no place for headers")
        };
        let mut expected = Expected::default();
        let mut test = headed(expected)?;
        if matches!(form, Form::Diagnostics | Form::Run { .. }) {
            let said = self.diagnostics(rustc, &form, &test, &mut expected)?;
            let diagnostics = Stderr::read(&said.stderr).diagnostics;
            expected.has_lone_notes = has_lone_notes(&diagnostics);
            let lines = |program: &Program| program.root().lines().count();
            let before = lines(&test);
            test = headed(expected)?;
            // Headers add lines, so the reported line numbers move.
            let moved = lines(&test) - before;
            test = annotate(&test, &diagnostics, moved).context("the program has no place for annotations")?;
        }
        self.check(&test, rustc, &form)?;
        Ok(test)
    }

    /// Writes a crash, by the fewest headers with which it shows: most tests name neither an edition nor a type of crate.
    fn write_crash(&self, program: &Program, rustc: &Rustc) -> anyhow::Result<Program> {
        let name = rustc.program.file_name().unwrap_or_default().display();
        if TOOLS.iter().any(|tool| name.to_string().starts_with(tool.program())) {
            bail!("tests/crashes is for crashes of rustc, and this is one of {name}");
        }
        let (types, editions): (&[&str], &[&str]) = (&["--crate-type=lib"], &["--edition="]);
        let mut last = anyhow!("the program has no place for headers");
        for left_out in [[types, editions].concat(), types.to_vec(), editions.to_vec(), Vec::new()] {
            let is_left_out = |word: &OsString| left_out.iter().any(|start| word.to_string_lossy().starts_with(start));
            let mut way = rustc.clone();
            way.args.retain(|word| !is_left_out(word));
            let (form, expected) = (Form::Crash, Expected::default());
            let Some(test) = with_headers(program, &way, &form, expected, &self.input.root()) else { break };
            match self.check(&test, rustc, &form) {
                Ok(()) => return Ok(test),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// The diagnostics of rustc for a test in the suite. Sets the expected result of the test.
    fn diagnostics(
        &self,
        rustc: &Rustc,
        form: &Form,
        test: &Program,
        expected: &mut Expected,
    ) -> anyhow::Result<JobResult> {
        if matches!(form, Form::Run { .. }) {
            return self.run(&rustc.with_emit("metadata").job(test));
        }
        let mut result = None;
        for needs_codegen in [false, true] {
            let way = if needs_codegen { rustc.clone() } else { rustc.with_emit("metadata") };
            let said = self.in_suite(&way, test)?;
            if self.oracle.verdict(&said).outcome == Outcome::Fail {
                (expected.compiles, expected.needs_codegen) = (said.end == End::Exited(0), needs_codegen);
                return Ok(said);
            }
            result = Some(said);
        }
        let why = result.map(|result| self.oracle.verdict(&result).reason).unwrap_or_default();
        bail!("rustc says something else of it there: {why}")
    }

    /// `program` with the level of the lint that is the failure, where the suite allows that lint. None if none is needed.
    fn with_level(&self, program: &Program, rustc: &Rustc, form: &Form) -> anyhow::Result<Option<Program>> {
        if *form != Form::Diagnostics {
            return Ok(None);
        }
        let shows = |result: &JobResult| self.oracle.verdict(result).outcome == Outcome::Fail;
        let way = rustc.with_emit("metadata");
        let alone = self.run(&way.job(program))?;
        let alone = JobResult { subject: Some(Arc::new(program.clone())), ..alone };
        let suite = self.in_suite(&way, program)?;
        if shows(&suite) || !shows(&alone) {
            return Ok(None);
        }
        let mut lints: Vec<String> = Vec::new();
        for said in Stderr::read(&alone.stderr).diagnostics {
            let lint = said.code.map(|code| code.code).filter(|code| !code.starts_with('E'));
            lints.extend(lint.filter(|lint| !lints.contains(lint)));
        }
        for lint in lints {
            let attribute = format!("#![warn({lint})]");
            let Some(leveled) = with_attribute(program, &attribute) else { continue };
            if shows(&self.in_suite(&way, &leveled)?) {
                return Ok(Some(leveled));
            }
        }
        Ok(None)
    }

    /// What rustc says of a test in the suite.
    fn in_suite(&self, way: &Rustc, test: &Program) -> anyhow::Result<JobResult> {
        let mut job = way.with_first(&SUITE_FLAGS).job(test);
        job.env.push((BOOTSTRAP.into(), Some("1".into())));
        Ok(JobResult { subject: Some(Arc::new(test.clone())), ..self.run(&job)? })
    }

    /// Reads the test as mcve would read its file, and checks that it shows the failure.
    fn check(&self, test: &Program, rustc: &Rustc, form: &Form) -> anyhow::Result<()> {
        let folder = RunFolder::new().context("cannot make a temporary folder")?;
        write_files(folder.path(), &test.files())?;
        let text = test.root();
        let root = folder.path().join(&test.name);
        let again = neighbours::gather(&root, &text).unwrap_or_else(|| Program::new(&*test.name, &*text));
        let headers = match form {
            Form::Incremental(_) => Headers::of_all(&text, self.trust),
            _ => Headers::revisions(&text, self.trust).swap_remove(0),
        };
        if let Some(refused) = headers.refused.first() {
            bail!("its headers would need --trust-headers: {refused}");
        }
        let way = Rustc::new(rustc.program.clone(), &headers, &[], Path::new("/")).naming(&again);
        let way =
            Rustc { cleared: rustc.cleared.clone(), inherited: rustc.inherited.clone(), memory: rustc.memory, ..way };
        let oracle = self.oracle.with_rustc(way).context("this check runs no rustc")?;
        // Its text is that of the test, whose names have known origins.
        let mut job = oracle.job(&again);
        if *form == Form::Diagnostics {
            // As the suite runs it.
            let rustc = oracle.as_ui_test().map_or(rustc, |(rustc, _)| rustc);
            job = rustc.with_first(&SUITE_FLAGS).job(&again);
        }
        if matches!(form, Form::Crash | Form::Diagnostics) {
            job.env.push((BOOTSTRAP.into(), Some("1".into())));
        }
        let result = JobResult { subject: Some(Arc::new(test.clone())), ..self.run(&job)? };
        let verdict = oracle.verdict(&result);
        match verdict.outcome {
            Outcome::Fail => Ok(()),
            _ => Err(anyhow!("by its headers it does not show the failure: {}", verdict.reason)),
        }
    }

    fn run(&self, job: &Job) -> anyhow::Result<JobResult> {
        Ok(self.executor.run(job, self.limits.timeout.unwrap_or(PATIENCE), &self.limits.cancel())?)
    }
}
