//! The first of all passes, for a program that a generator made: it is reduced by what the generator decided.

use std::sync::Arc;

use mcve_transforms::Measure;

use super::engine::Search;
use crate::check::limits::Stop;
use crate::event::Event;
use mcve_generate::generator::{Execution, Generator};
use mcve_generate::reduction::{Settings, TraceTester, reduce};

/// The name of the pass.
pub const PASS: &str = "generator";

/// The generator that made the unreduced program, and how it made that.
#[derive(Clone)]
pub struct ByGenerator {
    generator: Arc<dyn Generator>,
    settings: Settings,
    /// The runs that made programs that fail: the unreduced one, and then ever smaller ones.
    runs: Vec<Execution>,
}

impl ByGenerator {
    /// A program that `generator` made by `execution`, to be reduced by these settings.
    pub fn new(generator: Arc<dyn Generator>, execution: Execution, settings: Settings) -> Self {
        Self { generator, settings, runs: vec![execution] }
    }

    /// The unreduced program.
    pub fn text(&self) -> &str {
        &self.runs[0].output
    }
}

/// Reduces the best program by its generator. Does nothing if the program is no longer one that the generator made.
pub fn run(search: &mut Search<'_>, by: &mut ByGenerator) -> Result<(), Stop> {
    let best = search.best().text.clone();
    let Some(execution) = by.runs.iter().rev().find(|run| run.output == *best).cloned() else { return Ok(()) };
    search.observer.event(&Event::PassStarted { pass: PASS, doing: "shrinking the choices of the generator" });
    search.announce(|| {
        let by = ByGenerator::new(Arc::clone(&by.generator), execution.clone(), by.settings);
        Arc::new(move |search| run(search, &mut by.clone()))
    });
    let ByGenerator { generator, settings, runs } = by;
    let is_declared = generator.is_declared();
    let simplest = execution.clone();
    reduce(&**generator, execution, *settings, &mut Runs { search, runs, is_declared, simplest })?;
    search.end_pass(PASS)
}

/// Checks the programs of runs, and makes one that fails the best program.
struct Runs<'s, 'a> {
    search: &'s mut Search<'a>,
    runs: &'s mut Vec<Execution>,
    is_declared: bool,
    /// The last run whose program failed.
    simplest: Execution,
}

impl TraceTester<Stop> for Runs<'_, '_> {
    fn first(&mut self, runs: &mut dyn Iterator<Item = Option<Execution>>) -> Result<Option<(usize, Execution)>, Stop> {
        let (best, measure) = (self.search.best().clone(), self.search.measure());
        let mut candidates = runs.map(|run| {
            let run = run?;
            // Less of a trace can make a larger program.
            let size = Measure::of(&run.output);
            let is_simpler = !self.is_declared && size == measure && run.is_simpler(&self.simplest);
            let is_no_larger = size < measure || run.output == *best.text || is_simpler;
            is_no_larger.then(|| (best.with_text(&*run.output), run))
        });
        let found = self.search.first(PASS, &mut candidates)?;
        drop(candidates);
        let Some((position, (program, run))) = found else { return Ok(None) };
        self.simplest = run.clone();
        if program.text != best.text {
            self.runs.push(run.clone());
            self.search.accept(program, vec![PASS.to_owned()])?;
        }
        Ok(Some((position, run)))
    }
}
