//! The programs of a fuzzing run: where they come from, and which one is next.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcve_dd::random::Random;
use mcve_generate::choices::Halt;
use mcve_generate::generator::{Execution, Generator, run};
use mcve_generate::mutation::Population;

use crate::program::Program;
use crate::sentence::Sentences;

/// How many programs are made of one state of the population, whatever the number of jobs.
const GENERATION: usize = 32;

/// The code of the error about a crate that is not there.
const NO_CRATE: &str = "E0463";

/// The programs that are tested.
pub enum Programs {
    /// Those of a generator, one for each seed.
    Generated(Arc<dyn Generator>, Range<u64>),
    /// Mutants of these files, one for each number: programs, or sentences of a grammar. A mutant of which the compiler or a script
    /// says something new is reduced and mutated in turn.
    Mutants(Vec<PathBuf>, Range<u64>, Option<Arc<Sentences>>),
}

impl Programs {
    /// The grammar of which they are sentences, if there is one.
    pub(super) fn sentences(&self) -> Option<&Arc<Sentences>> {
        if let Self::Mutants(_, _, sentences) = self { sentences.as_ref() } else { None }
    }

    /// The extension of the names of results.
    pub(super) fn extension(&self) -> &str {
        match self {
            Self::Mutants(files, _, Some(_)) => files[0].extension().and_then(|name| name.to_str()).unwrap_or("txt"),
            _ => "rs",
        }
    }

    pub(super) fn program(&self, name: impl Into<PathBuf>, text: &str) -> Program {
        if self.sentences().is_some() { Program::of_bytes(name, text.into()) } else { Program::new(name, text) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A generator made it by this seed.
    Seed(u64),
    /// An earlier run has kept it in this file, so that its failures are known.
    Kept(PathBuf),
    /// It is in this file. Mutants are made of it if its failures are known.
    File(PathBuf),
    /// It is the mutant of this number.
    Mutant(u64),
}

impl Origin {
    pub(super) fn is_mutant(&self) -> bool {
        matches!(self, Self::Mutant(_))
    }

    /// The name of its result, without an extension.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Seed(seed) => format!("seed-{seed}"),
            Self::Kept(path) | Self::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            Self::Mutant(number) => format!("mutant-{number}"),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed(seed) => write!(f, "seed {seed}"),
            Self::Kept(path) | Self::File(path) => path.display().fmt(f),
            Self::Mutant(number) => write!(f, "mutant {number}"),
        }
    }
}

/// A program that is tested.
pub(super) enum Made {
    /// By a generator.
    Generated(Execution),
    /// The text of a file, or a mutant.
    Text(String),
}

impl Made {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Generated(execution) => &execution.output,
            Self::Text(text) => text,
        }
    }
}

/// The programs that are left, and what has been learnt for the next mutants.
pub(super) struct Queue<'a> {
    programs: &'a Programs,
    known: std::vec::IntoIter<PathBuf>,
    files: std::vec::IntoIter<PathBuf>,
    numbers: Range<u64>,
    pub(super) population: Population,
    /// What the compiler has said of any program.
    diagnostics: BTreeSet<String>,
}

impl<'a> Queue<'a> {
    /// First the results of an earlier run, `known`; then the others.
    pub(super) fn new(programs: &'a Programs, known: Vec<PathBuf>) -> Self {
        let (files, numbers) = match programs {
            Programs::Generated(_, seeds) => (Vec::new(), seeds.clone()),
            Programs::Mutants(files, numbers, _) => (shuffled(files.clone(), numbers.start), numbers.clone()),
        };
        let of_sentences = |sentences: &Arc<Sentences>| {
            let sentences = Arc::clone(sentences);
            Population::of_sentences(Arc::new(move |text: &str| sentences.parse(text)))
        };
        let population = programs.sentences().map_or_else(Population::default, of_sentences);
        let diagnostics = BTreeSet::new();
        Self { programs, known: known.into_iter(), files: files.into_iter(), numbers, population, diagnostics }
    }

    /// The next programs, which are tested together; none at the end. Of files and their mutants there are as many of each while
    /// files are left, so that mutants are made of what has been tested.
    pub(super) fn batch(&mut self, jobs: usize) -> Vec<Origin> {
        let batch: Vec<Origin> = self.known.by_ref().take(jobs).map(Origin::Kept).collect();
        if !batch.is_empty() {
            return batch;
        }
        let numbers = self.numbers.by_ref();
        match self.programs {
            Programs::Generated(..) => numbers.take(jobs).map(Origin::Seed).collect(),
            Programs::Mutants(..) if numbers.is_empty() => Vec::new(),
            Programs::Mutants(..) => {
                let mut batch: Vec<Origin> = self.files.by_ref().take(GENERATION / 2).map(Origin::File).collect();
                let left = if self.population.is_empty() { 0 } else { GENERATION - batch.len() };
                batch.extend(numbers.take(left).map(Origin::Mutant));
                batch
            }
        }
    }

    /// Makes or reads a program; none if its file cannot be read. Fails if the generator halts at this seed.
    /// To be called on a thread with a large stack.
    pub(super) fn make(&self, origin: &Origin, limit: usize) -> Result<Option<Made>, (u64, Halt)> {
        match (origin, self.programs) {
            (Origin::Seed(seed), Programs::Generated(generator, _)) => {
                let made = run(&**generator, *seed, limit).map_err(|halt| (*seed, halt))?;
                Ok(Some(Made::Generated(made)))
            }
            (Origin::Mutant(number), _) => Ok(Some(Made::Text(self.population.mutant(*number)))),
            (Origin::Kept(path) | Origin::File(path), _) => Ok(std::fs::read_to_string(path).ok().map(Made::Text)),
            (Origin::Seed(_), _) => unreachable!("only a generator has seeds"),
        }
    }

    /// What was said of a mutant and of no program before.
    pub(super) fn news(&self, origin: &Origin, diagnostics: &BTreeSet<String>) -> BTreeSet<String> {
        if origin.is_mutant() { diagnostics - &self.diagnostics } else { BTreeSet::new() }
    }

    /// Learns from a program: a file is mutated, and a mutant that does not fail and of which the compiler says something new.
    /// What needs another crate is not.
    pub(super) fn learn(&mut self, origin: &Origin, text: &str, diagnostics: &mut BTreeSet<String>, fails: bool) {
        if !matches!(self.programs, Programs::Mutants(..)) {
            return;
        }
        let says_new = !self.news(origin, diagnostics).is_empty();
        let lacks_crate = diagnostics.iter().any(|diagnostic| diagnostic.contains(NO_CRATE));
        self.diagnostics.append(diagnostics);
        match origin {
            _ if lacks_crate => {}
            Origin::File(_) => self.population.add_file(text),
            _ if says_new && !fails => self.population.add_mutant(text),
            _ => {}
        }
    }
}

/// The files in a random order, so that the first mutants are not all of one folder.
fn shuffled(mut files: Vec<PathBuf>, seed: u64) -> Vec<PathBuf> {
    let mut random = Random::new(seed);
    for at in (1..files.len()).rev() {
        files.swap(at, random.index(at + 1));
    }
    files
}

/// The results that an earlier run has kept in `folder`, sorted.
pub(super) fn kept(folder: &Path, programs: &Programs) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<std::io::Result<Vec<PathBuf>>>()?;
    let is_result = |path: &PathBuf| path.extension().is_some_and(|name| name == programs.extension());
    paths.retain(|path| is_result(path) && path.is_file());
    paths.sort();
    Ok(paths)
}
