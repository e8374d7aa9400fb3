//! The jobs that run several candidates as one program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mcve_transforms::{Batch, CHOICE};

use crate::check::compiler_errors::user_errors;
use crate::exec::job::{Job, JobResult, Word};
use crate::oracle::entry::numbered;
use crate::oracle::{NO_LINTS, Oracle};
use crate::program::{ContentHash, File, FileKind, Program};

/// Errors that may be due to what else is in the batch: two of a name, two that implement the same, types that are then ambiguous.
const OF_BATCH: [&str; 10] = ["E0034", "E0119", "E0252", "E0255", "E0282", "E0283", "E0284", "E0428", "E0659", "E0790"];

/// The code of an error, and the error in words.
type Said = (String, String);

/// The variants of a batch that a compiler refuses, each with its first error; without one if the batch may be the reason.
pub(super) fn refused(batch: &Batch, program: &Program, compiled: &JobResult) -> BTreeMap<usize, Option<Said>> {
    let mut refused = BTreeMap::new();
    for (place, code, words) in user_errors(compiled, program) {
        let Some(variant) = batch.variant(&place) else { continue };
        let own = Some((code, batch.translate(variant, &program.name.to_string_lossy(), &words)))
            .filter(|(code, _)| !OF_BATCH.contains(&&**code));
        let known: &mut Option<Said> = refused.entry(variant).or_default();
        *known = known.take().or(own);
    }
    refused
}

/// A candidate, and its job when it is run alone.
pub(super) struct Single {
    program: ContentHash,
    /// The root file.
    name: PathBuf,
    job: Job,
}

impl Single {
    /// The job of `program`, if that compiles and runs the `main` of its only file.
    pub(super) fn of(oracle: &dyn Oracle, program: &Program) -> Option<Self> {
        let job = oracle.job(program);
        let job = job.likely().unwrap_or(job);
        let has_main = job.steps.len() == 1 && !job.steps[0].argv.contains(&Word::Text("--test".into()));
        let single = Self { program: program.hash(), name: program.name.clone(), job };
        (has_main && !single.job.is_measured && single.text().is_some()).then_some(single)
    }

    /// The text of the root file.
    fn text(&self) -> Option<&str> {
        let (_, file) = self.job.files.iter().find(|(path, _)| *path == self.name)?;
        std::str::from_utf8(&file.bytes).ok().filter(|_| file.kind == FileKind::Plain)
    }

    /// Whether the job of another candidate differs in the text of the root file only.
    fn is_like<'a>(&'a self, other: &'a Self) -> bool {
        let (one, two) = (&self.job, &other.job);
        let others = |single: &'a Self| single.job.files.iter().filter(move |(path, _)| *path != single.name);
        (&one.argv, &one.env, &one.steps) == (&two.argv, &two.env, &two.steps) && others(self).eq(others(other))
    }
}

/// Jobs that run one program as each of several candidates, and as the original.
pub(super) struct BatchJobs {
    batch: Batch,
    /// The candidates, and the original at the end.
    singles: Vec<Single>,
}

impl BatchJobs {
    /// The jobs of those of `candidates` that are like the original; none where there are none.
    pub(super) fn of(original: Single, candidates: impl Iterator<Item = Option<Single>>) -> Option<Self> {
        let singles: Vec<Single> = candidates.flatten().filter(|single| single.is_like(&original)).collect();
        let texts = singles.iter().chain([&original]).enumerate();
        let mut texts: Vec<String> =
            texts.filter_map(|(number, single)| Some(numbered(single.text()?, number))).collect();
        let last = texts.pop()?;
        let batch = Batch::of(&last, texts.iter().map(|text| Some(&**text))).runnable();
        let is_of_use = !singles.is_empty() && batch.has(batch.original());
        is_of_use.then(|| Self { batch, singles: singles.into_iter().chain([original]).collect() })
    }

    pub(super) fn original(&self) -> usize {
        self.batch.original()
    }

    pub(super) fn candidates(&self) -> impl Iterator<Item = usize> {
        (0..self.original()).filter(|number| self.batch.has(*number))
    }

    pub(super) fn program(&self, number: usize) -> ContentHash {
        self.singles[number].program
    }

    /// The job that runs the program as the candidate of this number.
    pub(super) fn job(&self, number: usize) -> Job {
        let single = &self.singles[number];
        let mut job = single.job.clone();
        for (_, file) in job.files.iter_mut().filter(|(path, _)| *path == single.name) {
            file.bytes = self.batch.text.as_bytes().into();
        }
        // A lint of the crate may be about what is at its root.
        job.steps.iter_mut().for_each(|step| step.argv.insert(1, Word::Text(NO_LINTS.into())));
        job.files.push((CHOICE.into(), File::plain(number.to_string().into_bytes())));
        job
    }

    /// The candidates that a compiler refuses in a job, each with its error. One without a code does not count: mostly equal symbols.
    pub(super) fn refused(&self, result: &JobResult) -> Vec<(ContentHash, String)> {
        let program = Program::new(&*self.singles[self.original()].name, &*self.batch.text);
        let refused = result.failed_step.map(|_| refused(&self.batch, &program, result)).unwrap_or_default();
        let is_candidate = |(number, _): &(usize, Option<Said>)| *number != self.original();
        let refused = refused.into_iter().filter(is_candidate);
        let words = |(code, words): Said| (!code.is_empty()).then_some(words);
        refused.filter_map(|(number, said)| Some((self.program(number), said.and_then(words)?))).collect()
    }

    /// The result of that job, as if the candidate had been run alone.
    pub(super) fn translated(&self, number: usize, mut result: JobResult) -> JobResult {
        let name = self.singles[number].name.to_string_lossy();
        for bytes in [&mut result.stdout, &mut result.stderr] {
            if let Ok(text) = std::str::from_utf8(bytes) {
                *bytes = self.batch.translate(number, &name, text).into_bytes();
            }
        }
        result
    }
}
