//! Jobs that have no verdict: they are run for what they say of a program.

use std::path::Path;

use mcve_transforms::{FILE, Hint, Probes, Source, Tree};

use super::checker::Checker;
use super::workers::Way;
use crate::exec::job::{Answer, End, Job, JobResult};
use crate::oracle::diagnostics::Stderr;
use crate::oracle::hints;
use crate::oracle::places::Places;
use crate::program::{ContentHash, Program};
use crate::state::record::Teller;

/// How often probes are taken away where a compiler does not like them: types are checked first, borrows after them.
const REPAIRS: usize = 4;

impl Checker {
    /// What the compiler that the oracle knows says of `program`; nothing where there is none, or it cannot be run, or the
    /// search is to stop: nothing depends on it.
    pub fn hints(&mut self, program: &Program) -> Vec<Hint> {
        let job = self.oracle.hints(program);
        let result = job.and_then(|job| self.ask(Teller::Lints, program, job));
        result.map(|result| hints::read(&result.stderr, program)).unwrap_or_default()
    }

    /// What its failure names in `program`: told by a check, or else by the compiler that the oracle knows. Nothing where
    /// neither says anything.
    pub fn places(&mut self, program: &Program) -> Places {
        let job = self.oracle.job(program);
        let told = self.ask(Teller::Check, program, job).map(|result| Places::read(&result, program));
        if let Some(places) = told.filter(|places| !places.is_empty()) {
            return places;
        }
        let result = self.compiled(program);
        result.map(|result| Places::read(&result, program)).unwrap_or_default()
    }

    /// What comes of compiling `program`, by the compiler that the oracle knows and does not ask itself; nothing where there is
    /// none, or it cannot be run, or the search is to stop.
    pub fn compiled(&mut self, program: &Program) -> Option<JobResult> {
        let job = self.oracle.compiled(program)?;
        self.ask(Teller::Compiler, program, job)
    }

    /// `program` as a formatter prints it; nothing where there is none, or it cannot read the program.
    pub fn layout(&mut self, program: &Program) -> Option<String> {
        let job = self.oracle.layout(program)?;
        let result = self.ask(Teller::Layout, program, job)?;
        let text = String::from_utf8(result.stdout).ok()?;
        (result.end == End::Exited(0) && !text.trim().is_empty()).then_some(text)
    }

    /// The values that expressions of `program` have when a check runs it. Nothing where it does not, or nothing can be told.
    pub fn values(&mut self, program: &Program) -> Vec<Hint> {
        let source = Source::parse(&*program.text);
        let tree = Tree::new(&source);
        let mut probes = Probes::of(&tree);
        for _ in 0..REPAIRS {
            if probes.is_empty() {
                break;
            }
            let probed = program.with_text(probes.program());
            let job = self.oracle.hints(&probed);
            match job.and_then(|job| self.ask(Teller::Lints, &probed, job)) {
                Some(compiled) if compiled.end != End::Exited(0) => {
                    if !probes.remove(&errors(&compiled, &probed)) {
                        break;
                    }
                }
                _ => return probes.hints(&self.told_by(&probed)),
            }
        }
        Vec::new()
    }

    /// What a check of a program with probes told.
    fn told_by(&mut self, probed: &Program) -> String {
        let mut job = self.oracle.job(probed);
        job.answer = Some(Answer::NamedBy(FILE.into()));
        let told = self.ask(Teller::Values, probed, job).map(|result| result.stdout);
        String::from_utf8_lossy(&told.unwrap_or_default()).into_owned()
    }

    /// What comes of a job that has no verdict; nothing where it cannot be run, or the search is to stop.
    pub(super) fn ask(&mut self, teller: Teller, program: &Program, job: Job) -> Option<JobResult> {
        let hash = program.hash();
        if let Some(result) = self.answers.told(teller, hash).or_else(|| self.journal.told(teller, hash)) {
            return Some(result);
        }
        let way = match teller {
            // The failure is recognised by it, or it is no compiler.
            Teller::Check | Teller::Layout => Way::Plain,
            // Nothing is built on these that is not checked.
            Teller::Lints | Teller::Compiler | Teller::Values => Way::Quick,
        };
        let question = (Some(teller), hash);
        if let Some(ahead) = &self.ahead {
            let (task, known) = (|| self.task_of(job.clone(), way), || self.answers.told(teller, hash));
            let told = ahead.told(question, &task, &|result| self.outcome_of(result), &known);
            return told.ok();
        }
        let task = self.task(job, way);
        let (ticket, _) = self.workers.board.ask(question, task, true);
        self.asked += 1;
        let result = self.wait(ticket).ok();
        if let Some(result) = &result {
            self.has_told(teller, hash, result);
        }
        self.workers.board.settle(question, false);
        result
    }

    /// Remembers what came of a job.
    pub(super) fn has_told(&self, teller: Teller, text: ContentHash, result: &JobResult) {
        self.journal.has_told(teller, text, result);
        self.answers.has_told(teller, text, result.clone());
    }
}

/// Where the compiler finds errors in `program`.
fn errors(compiled: &JobResult, program: &Program) -> Vec<std::ops::Range<usize>> {
    let diagnostics = Stderr::read(&compiled.stderr).diagnostics;
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_user_error());
    let spans = errors.flat_map(|error| error.spans.iter().filter(|span| span.is_primary));
    let own = spans.filter(|span| Path::new(&span.file_name) == program.name);
    own.map(|span| span.byte_start..span.byte_end).collect()
}

#[cfg(test)]
mod tests;
