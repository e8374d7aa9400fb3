//! What each part of the search is worth: cases of the corpus reduced with all of it, and then without one part after the other:
//! `cargo run --release -p xtask -- ablation [CASE ..]`. With `--algorithms`, by one algorithm of delta debugging after the other.
//! Prints a Markdown table.
//!
//! Each case is judged by its own `test.sh`, with one worker, so that all but the times is the same in each run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow};
use clap::Args;
use mcve_dd::{
    Difference, KeepList, Mode, Outcome, Stopped, Tester, by_fragments, dd, ddmin, iterative_ddmin, one_by_one,
    recursive_ddmin,
};
use mcve_reduce::check::baseline::Runs;
use mcve_reduce::check::layers::Layers;
use mcve_reduce::check::limits::{Limits, Stop};
use mcve_reduce::event::{Nobody, Summary};
use mcve_reduce::exec::programs;
use mcve_reduce::failure::problem::Problem;
use mcve_reduce::modes::reduce::{Plan, reduce};
use mcve_reduce::oracle::headers::Headers;
use mcve_reduce::oracle::rustc::Rustc;
use mcve_reduce::oracle::script::{Script, ScriptOracle};
use mcve_reduce::output::Output;
use mcve_reduce::program::Program;
use mcve_reduce::search::passes::schedule::{Schedule, Strategy};
use mcve_reduce::session::Session;

use crate::shootout::cdd::cdd;
use crate::shootout::probdd::probdd;

/// The cases, which take a minute or less each; those that are named, if some are.
const CASES: &[&str] = &[
    "coupled-field", "coupled-newtype", "coupled-parameter", "error-cycle", "ice-const-eval-cycle", "ice-format-span",
    "ice-import-resolve", "ice-mir-statement", "ice-parse-glued", "ice-type-lowering", "lint-deny", "macro-heavy",
];

/// Which cases are reduced, and by what.
#[derive(Args)]
pub(crate) struct Options {
    /// The cases; without any, twelve that take a minute or less each.
    cases: Vec<String>,
    /// Reduce by one algorithm of delta debugging after the other.
    #[arg(long)]
    algorithms: bool,
}

/// A search that differs from the usual one.
struct Variant {
    name: &'static str,
    change: fn(&mut Schedule, &mut Layers),
}

/// Leaves one part of the search out after the other.
const VARIANTS: &[Variant] = &[
    Variant { name: "all of it", change: |_, _| {} },
    Variant { name: "without what the failure names", change: |schedule, _| remove(schedule, Strategy::Focus) },
    Variant {
        name: "without closed sets of items",
        change: |schedule, _| {
            remove(schedule, Strategy::Bisection);
            replace(schedule, Strategy::Closed, Strategy::Sets);
        },
    },
    Variant { name: "the textbook's ddmin", change: |schedule, _| schedule.algorithm = iterative_ddmin },
    Variant { name: "without what rustc calls unused", change: |schedule, _| remove(schedule, Strategy::Hints) },
    Variant { name: "all passes by sets", change: |schedule, _| replace(schedule, Strategy::OneByOne, Strategy::Sets) },
    Variant {
        name: "without the filter rejected-before",
        change: |schedule, _| leave_out(schedule, "rejected-before"),
    },
    Variant { name: "without the filter likely-errors", change: |schedule, _| leave_out(schedule, "likely-errors") },
    Variant { name: "without the layer of the cache", change: |_, layers| layers.cache = false },
    Variant { name: "without the layer of the journal", change: |_, layers| layers.journal = false },
    Variant { name: "without the layer of limits", change: |_, layers| layers.limits = false },
    Variant { name: "without the layer of speculation", change: |_, layers| layers.speculation = false },
    Variant { name: "without the fork server", change: |_, layers| layers.fork_server = false },
    Variant {
        name: "without filters and strategies, by the textbook's ddmin",
        change: |schedule, _| {
            for strategy in [Strategy::Focus, Strategy::Bisection, Strategy::Hints] {
                remove(schedule, strategy);
            }
            replace(schedule, Strategy::Closed, Strategy::Sets);
            ["rejected-before", "likely-errors"].into_iter().for_each(|filter| leave_out(schedule, filter));
            schedule.algorithm = iterative_ddmin;
        },
    },
];

/// Shrinks sets by one algorithm after the other.
const ALGORITHMS: &[Variant] = &[
    Variant { name: "ddmin", change: |schedule, _| schedule.algorithm = ddmin },
    Variant { name: "dd", change: |schedule, _| schedule.algorithm = minimising_dd },
    Variant { name: "probdd", change: |schedule, _| schedule.algorithm = probdd },
    Variant { name: "cdd", change: |schedule, _| schedule.algorithm = cdd },
    Variant { name: "fragments", change: |schedule, _| schedule.algorithm = by_fragments },
    Variant { name: "iterative", change: |schedule, _| schedule.algorithm = iterative_ddmin },
    Variant { name: "recursive", change: |schedule, _| schedule.algorithm = recursive_ddmin },
    Variant { name: "one-by-one", change: |schedule, _| schedule.algorithm = one_by_one },
];

/// General delta debugging, which tests both ends, of a list that is known to fail.
fn minimising_dd(keep: KeepList, tester: &mut dyn Tester<Stop>) -> Result<KeepList, Stop> {
    let mut known = Known { fails: keep.clone(), tester };
    match dd(Difference::below(keep), Mode::Minimise, &Difference::elements, &mut known) {
        Ok(difference) => Ok(difference.failing),
        Err(Stopped::Tester(stop)) => Err(stop),
        Err(Stopped::Precondition(_)) => unreachable!("the whole list fails, and nothing is asked of the empty one"),
    }
}

/// A tester that does not test a list that is known to fail.
struct Known<'t> {
    fails: KeepList,
    tester: &'t mut dyn Tester<Stop>,
}

impl Tester<Stop> for Known<'_> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        if *keep == self.fails { Ok(Outcome::Fail) } else { self.tester.test(keep) }
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, Stop> {
        self.tester.first(keeps)
    }
}

fn remove(schedule: &mut Schedule, strategy: Strategy) {
    schedule.retain(|pass| pass.strategy != strategy);
}

/// Has the passes of one strategy go by another one.
fn replace(schedule: &mut Schedule, strategy: Strategy, other: Strategy) {
    let passes = schedule.coarse_to_fine.iter_mut().chain(&mut schedule.last);
    passes.filter(|pass| pass.strategy == strategy).for_each(|pass| pass.strategy = other);
}

fn leave_out(schedule: &mut Schedule, filter: &str) {
    schedule.filters = std::mem::take(&mut schedule.filters).without(filter);
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let named = &options.cases;
    let variants = if options.algorithms { ALGORITHMS } else { VARIANTS };
    let is_named = |case: &&str| named.is_empty() || named.iter().any(|named| named == case);
    let cases: Vec<&'static str> = CASES.iter().copied().filter(is_named).collect();
    let runs: Vec<(usize, &'static str)> =
        (0..variants.len()).flat_map(|variant| cases.iter().map(move |case| (variant, *case))).collect();
    let next = Mutex::new(runs.iter());
    let done: Mutex<BTreeMap<(usize, &'static str), Summary>> = Mutex::default();
    std::thread::scope(|scope| {
        let work = || -> anyhow::Result<()> {
            loop {
                let run = next.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(&(variant, case)) = run else { return Ok(()) };
                let summary = run_one(&variants[variant], case)?;
                eprintln!(
                    "{}, {case}: {} tokens, {} checks",
                    variants[variant].name, summary.after.tokens, summary.checks
                );
                done.lock().unwrap_or_else(PoisonError::into_inner).insert((variant, case), summary);
            }
        };
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow!("a run panicked"))?)
    })?;
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("| search | tokens, sum | checks, sum | known without a check | checks, geometric mean |");
    println!("| --- | --- | --- | --- | --- |");
    for (variant, Variant { name, .. }) in variants.iter().enumerate() {
        let of = |variant: usize, case: &&'static str| &done[&(variant, *case)];
        let sum = |count: fn(&Summary) -> usize| cases.iter().map(|case| count(of(variant, case))).sum::<usize>();
        let ratio = |case: &&'static str| (of(variant, case).checks as f64 / of(0, case).checks as f64).ln();
        let mean = (cases.iter().map(ratio).sum::<f64>() / cases.len() as f64).exp();
        let (tokens, checks, hits) = (sum(|run| run.after.tokens), sum(|run| run.checks), sum(|run| run.cache_hits));
        println!("| {name} | {tokens} | {checks} | {hits} | {mean:.2} |");
    }
    Ok(())
}

/// Reduces the case of this name.
fn run_one(variant: &Variant, case: &str) -> anyhow::Result<Summary> {
    let folder = crate::root().join("corpus").join(case);
    let input = folder.join("input.rs");
    let text = std::fs::read_to_string(&input).with_context(|| format!("{} cannot be read", input.display()))?;
    let program = Program::new("input.rs", text);
    let compiler = programs::rustc(None, None)?;
    let oracle = ScriptOracle {
        bad: 0,
        script: Script::File(folder.join("test.sh")),
        shown: Vec::new(),
        env: vec![("RUSTC".into(), Some(compiler.clone().into()))],
        rustc: Some(Rustc::guess(compiler, &program, &Headers::parse(&program.text), &folder)),
    };
    let (mut schedule, mut layers) = (Schedule::default(), Layers::default());
    (variant.change)(&mut schedule, &mut layers);
    let results = tempfile::tempdir()?;
    let session = Session::new(None, Limits::default(), None, None)?;
    let (executor, runs) = (session.executor(), Runs::default());
    let problem = Problem { program, oracle: Arc::new(oracle), executor, runs, notes: Vec::new() };
    let output = Output::at(&results.path().join("out.rs")).expect("it can be written");
    let plan = Plan { schedule, layers, ..Plan::new(input, output) };
    reduce(&problem, &session, &plan, &mut Nobody).map_err(|refusal| anyhow!("{case}: {refusal:?}"))
}
