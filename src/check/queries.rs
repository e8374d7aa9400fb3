//! Jobs that have no verdict: they are run for what they say of a program.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use mcve_transforms::{Coverage, FILE, Hint, Probes, Reached, Tree};

use super::checks::{Checks, request};
use super::limits::Stop;
use super::request::{About, Key, Query, Reply, Request, Source};
use crate::exec::job::{Answer, End, Job, JobResult, Trust};
use crate::oracle::CompilerJob;
use crate::oracle::diagnostics::{Span, Stderr};
use crate::oracle::hints;
use crate::oracle::places::Places;
use crate::oracle::valid::ValidOracle;
use crate::program::Program;

/// How often probes are taken away where a compiler does not like them: types are checked first, borrows after them.
const REPAIRS: usize = 4;

impl Checks {
    /// What the compiler that the oracle knows says of `program`; nothing where there is none, or it cannot be run.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn hints(&mut self, program: &Program) -> Result<Vec<Hint>, Stop> {
        let job = self.parts.oracle.advice().compiler_job(CompilerJob::Hints, program);
        let result = self.query(Query::Lints, program, job)?;
        Ok(result.map(|result| hints::read(&result.stderr, program)).unwrap_or_default())
    }

    /// What its failure names in `program`: told by a check, or else by the compiler that the oracle knows. Nothing where
    /// neither says anything.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn places(&mut self, program: &Program) -> Result<Places, Stop> {
        let job = self.parts.oracle.job(program);
        let checked = self.query(Query::Check, program, Some(job))?;
        let places = checked.map(|result| Places::read(&result, program)).filter(|places| !places.is_empty());
        if let Some(places) = places {
            return Ok(places);
        }
        let compiled = self.compiled(program)?;
        Ok(compiled.map(|result| Places::read(&result, program)).unwrap_or_default())
    }

    /// What comes of compiling `program` by the compiler that the oracle knows and does not ask itself; nothing where there is
    /// none, or it cannot be run.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn compiled(&mut self, program: &Program) -> Result<Option<Arc<JobResult>>, Stop> {
        self.query(Query::Compiler, program, self.parts.oracle.advice().compiler_job(CompilerJob::Output, program))
    }

    /// `program` as a formatter prints it; nothing where there is none, or it cannot read the program.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn layout(&mut self, program: &Program) -> Result<Option<String>, Stop> {
        let job = self.parts.oracle.advice().compiler_job(CompilerJob::Layout, program);
        let result = self.query(Query::Layout, program, job)?;
        let text = result.filter(|result| result.end == End::Exited(0)).map(|result| result.stdout.clone());
        let text = text.and_then(|stdout| String::from_utf8(stdout).ok());
        Ok(text.filter(|text| !text.trim().is_empty()))
    }

    /// The errors of `program` that its crash hides, as a way of compiling that does not crash says; none where no such way is known.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn hidden_errors(&mut self, program: &Program) -> Result<Vec<String>, Stop> {
        for (number, job) in self.parts.oracle.advice().hidden(program).into_iter().enumerate() {
            let result = self.query(Query::Hidden(number), program, Some(job))?;
            if let Some(errors) = result.and_then(|result| ValidOracle::errors(&result)) {
                return Ok(errors);
            }
        }
        Ok(Vec::new())
    }

    /// The values that expressions of `program` have when a check runs it. Nothing where it does not, or nothing can be told.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn values(&mut self, program: &Program) -> Result<Vec<Hint>, Stop> {
        let source = mcve_transforms::Source::parse(&*program.text);
        let tree = Tree::new(&source);
        let mut probes = Probes::of(&tree);
        for _ in 0..REPAIRS {
            if probes.is_empty() {
                break;
            }
            let probed = program.with_text(probes.program());
            let hints = self.parts.oracle.advice().compiler_job(CompilerJob::Hints, &probed);
            match self.query(Query::Lints, &probed, hints)? {
                Some(compiled) if compiled.end != End::Exited(0) => {
                    if !probes.remove(&errors(&compiled, &probed)) {
                        break;
                    }
                }
                _ => return Ok(probes.hints(&self.run_probed(&probed)?)),
            }
        }
        Ok(Vec::new())
    }

    /// What of `program` a check of it reaches; none where it does not run it.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn reached(&mut self, program: &Program) -> Result<Option<Reached>, Stop> {
        let source = mcve_transforms::Source::parse(&*program.text);
        let tree = Tree::new(&source);
        // Where an arm is no block for a reason, the bodies of functions will do.
        for bodies_only in [false, true] {
            let coverage = Coverage::of(&tree, bodies_only);
            if coverage.is_empty() {
                break;
            }
            let reached = coverage.read(&self.run_probed(&program.with_text(coverage.program()))?);
            if reached.is_some() {
                return Ok(reached);
            }
        }
        Ok(None)
    }

    /// What a check of a program with probes writes to their file.
    fn run_probed(&mut self, probed: &Program) -> Result<String, Stop> {
        let mut job = self.parts.oracle.job(probed);
        job.answer = Some(Answer::NamedBy(FILE.into()));
        let result = self.query(Query::Values, probed, Some(job))?;
        Ok(result.map(|result| String::from_utf8_lossy(&result.stdout).into_owned()).unwrap_or_default())
    }

    /// What comes of a job that has no verdict; nothing where there is none, or it cannot be run: no answer depends on it.
    pub(super) fn query(
        &mut self,
        query: Query,
        program: &Program,
        job: Option<Job>,
    ) -> Result<Option<Arc<JobResult>>, Stop> {
        let Some(job) = job else { return Ok(None) };
        match self.output(query, program, &job) {
            Ok(reply) => Ok(reply.result),
            Err(Stop::Exec(_)) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// The same where the answer is needed.
    ///
    /// # Errors
    /// When the job cannot be run, or the search has to stop.
    pub(super) fn output(&mut self, query: Query, program: &Program, job: &Job) -> Result<Reply, Stop> {
        let trust = match query {
            // The failure is recognised by it, or it is no compiler.
            Query::Check | Query::Layout => Trust::Certain,
            // Nothing is built on these that is not checked.
            Query::Lints | Query::Compiler | Query::Values | Query::Hidden(_) | Query::ForkServer => Trust::Likely,
        };
        let (key, job) = (Key { text: program.hash(), about: About::Output(query) }, || job.clone());
        let is_aside = query == Query::ForkServer;
        let reply = self.ask(&Request { trust, is_aside, ..request(key, &job) })?;
        self.tally.outputs += usize::from(reply.source == Source::Run && !is_aside);
        Ok(reply)
    }

    /// What comes of a job that says what `key` names, where no oracle knows it yet.
    ///
    /// # Errors
    /// When the job cannot be run, or the search has to stop.
    pub fn result(&mut self, key: Key, job: &dyn Fn() -> Job) -> Result<Arc<JobResult>, Stop> {
        let reply = self.ask(&request(key, job))?;
        Ok(reply.result.expect("who asks for an output gets one"))
    }
}

/// Where the compiler finds errors in `program`.
pub(super) fn errors(compiled: &JobResult, program: &Program) -> Vec<Range<usize>> {
    user_errors(compiled, program).into_iter().map(|(place, _)| place).collect()
}

/// The places of the errors that a compiler finds in `program`, with their codes: those of a macro that is not its own are where that
/// is called.
pub(super) fn user_errors(compiled: &JobResult, program: &Program) -> Vec<(Range<usize>, String)> {
    let diagnostics = Stderr::read(&compiled.stderr).diagnostics;
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_user_error());
    let places = errors.flat_map(|error| {
        let code = error.code.as_ref().map_or("", |code| &code.code);
        let primary = error.spans.iter().filter(|span| span.is_primary);
        primary.filter_map(|span| place(span, program)).map(move |place| (place, code.to_owned()))
    });
    places.collect()
}

/// The bytes of the program that a span is about.
fn place(span: &Span, program: &Program) -> Option<Range<usize>> {
    let own = program.range(Path::new(&span.file_name), span.byte_start..span.byte_end);
    own.or_else(|| place(&span.expansion.as_ref()?.span, program))
}

#[cfg(test)]
mod tests;
