//! Jobs that have no verdict: they are run for what they say of a program.

use mcve_transforms::Hint;

use super::checker::Checker;
use super::workers::Way;
use crate::exec::job::{Job, JobResult};
use crate::oracle::hints;
use crate::oracle::places::Places;
use crate::program::Program;
use crate::state::record::Teller;

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

    /// What comes of a job that has no verdict; nothing where it cannot be run, or the search is to stop.
    fn ask(&mut self, teller: Teller, program: &Program, job: Job) -> Option<JobResult> {
        let hash = program.hash();
        if let Some(result) = self.answers.told(teller, hash).or_else(|| self.journal.told(teller, hash)) {
            return Some(result);
        }
        let question = (Some(teller), hash);
        if let Some(ahead) = &self.ahead {
            let (task, known) = (|| self.task_of(job.clone(), Way::Plain), || self.answers.told(teller, hash));
            return ahead.told(question, &task, &|result| self.oracle.verdict(result).outcome, &known).ok();
        }
        let task = self.task(job, Way::Plain);
        let (ticket, _) = self.workers.board.ask(question, task);
        self.asked += 1;
        let result = self.wait(ticket).ok();
        if let Some(result) = &result {
            self.journal.has_told(teller, hash, result);
            self.answers.has_told(teller, hash, result.clone());
        }
        self.workers.board.settle(question, false);
        result
    }
}
