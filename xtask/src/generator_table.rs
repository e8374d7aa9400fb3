//! The table of the paper of GReduce over the generator of Rust programs: what is left of thirty programs, and after how
//! many checks, by the generator alone in its six settings, by the syntax tree alone, and by both:
//! `cargo run --release -p xtask -- generator-table`.
//!
//! Failures are planted: twenty in what a program has in it, ten in what it prints. A program that does not compile never
//! fails.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::planted::{Compiler, Planted, Property};
use crate::properties;
use anyhow::{Context, anyhow};
use mcve_generate::choices::LIMIT;
use mcve_generate::generator::{self, Execution, Generator};
use mcve_generate::programs::{Programs, Settings};
use mcve_generate::reduction::{self, Order};
use mcve_generate::replay::Alignment;
use mcve_reduce::check::baseline::{Runs, baseline};
use mcve_reduce::check::checks::Checks;
use mcve_reduce::check::layers::Layers;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::Nobody;
use mcve_reduce::modes::reduce::{Config, reduce};
use mcve_reduce::output::{Output, default_path};
use mcve_reduce::program::Program;
use mcve_reduce::search::by_generator::{self, ByGenerator};
use mcve_reduce::search::engine::Search;
use mcve_reduce::state::journal::Journal;
use mcve_transforms::transforms;

/// About how many items a program has.
const SIZE: usize = 6;

/// Tokens that a program has at least, so that there is something to reduce.
const LEAST: usize = 400;

/// And at most, so that all of it takes a quarter of an hour.
const MOST: usize = 2500;

/// How many programs are reduced at once. Each check of one waits for the one before it.
const THREADS: usize = 2;

/// How a program is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Generator(Order, Alignment),
    Tree,
    Both,
}

impl Way {
    fn all() -> Vec<Self> {
        let settings = Order::ALL.into_iter().flat_map(|order| Alignment::ALL.map(|alignment| (order, alignment)));
        let mut ways: Vec<Self> = settings.map(|(order, alignment)| Self::Generator(order, alignment)).collect();
        ways.extend([Self::Tree, Self::Both]);
        ways
    }

    fn name(self) -> String {
        match self {
            Self::Generator(order, alignment) => format!("generator: {}, {}", order.name(), alignment.name()),
            Self::Tree => "syntax tree".to_owned(),
            Self::Both => "generator (tree, re-align), then syntax tree".to_owned(),
        }
    }
}

/// A failing program.
struct Case {
    seed: u64,
    execution: Execution,
    property: Property,
}

/// What came of one reduction.
#[derive(Clone, Copy, Debug)]
struct Row {
    tokens: usize,
    checks: usize,
    valid: usize,
    seconds: f64,
}

pub(crate) fn run() -> anyhow::Result<()> {
    let compiler = Compiler::new()?;
    let folder = tempfile::tempdir()?;
    let generator: Arc<dyn Generator> = Arc::new(Programs { settings: Settings::of_size(SIZE) });
    let cases = cases(&*generator, &compiler)?;
    let rows: Mutex<BTreeMap<(usize, usize), Row>> = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let work = || -> anyhow::Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(number) else { return Ok(()) };
            for (way, kind) in Way::all().into_iter().enumerate() {
                let row = one(&generator, case, kind, &compiler, &folder.path().join(format!("{number}.rs")))
                    .with_context(|| format!("seed {}, {}", case.seed, kind.name()))?;
                rows.lock().unwrap_or_else(PoisonError::into_inner).insert((number, way), row);
            }
            eprintln!("{number}: seed {}, {}", case.seed, case.property);
        }
    };
    std::thread::scope(|scope| {
        let builder = || std::thread::Builder::new().stack_size(mcve_transforms::STACK);
        let threads: Vec<_> = (0..THREADS).map(|_| builder().spawn_scoped(scope, work)).collect::<Result<_, _>>()?;
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("what panics has said so"))?)
    })?;
    let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    let behaves = |number: &usize| matches!(cases[*number].property, Property::Prints(_));
    let all: Vec<usize> = (0..cases.len()).collect();
    let (printed, syntax): (Vec<usize>, Vec<usize>) = all.iter().partition(|number| behaves(number));
    for (title, numbers) in [("all", all), ("planted in the syntax", syntax), ("planted in what is printed", printed)] {
        print(title, &numbers, &cases, &rows);
    }
    each(&cases, &rows);
    Ok(())
}

/// Means over the cases of these numbers.
fn print(title: &str, numbers: &[usize], cases: &[Case], rows: &BTreeMap<(usize, usize), Row>) {
    let count = numbers.len() as f64;
    let before: usize = numbers.iter().map(|&number| tokens(&cases[number].execution.output)).sum();
    println!("\n{title}: {} programs of {:.0} tokens\n", numbers.len(), before as f64 / count);
    println!("| reduced by | tokens left | of the input | checks | seconds | valid |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (way, kind) in Way::all().into_iter().enumerate() {
        let of = |value: fn(&Row) -> f64| numbers.iter().map(|&number| value(&rows[&(number, way)])).sum::<f64>();
        let (tokens, checks) = (of(|row| row.tokens as f64), of(|row| row.checks as f64));
        println!(
            "| {} | {:.1} | {:.1} % | {:.1} | {:.1} | {:.1} % |",
            kind.name(),
            tokens / count,
            tokens * 100.0 / before as f64,
            checks / count,
            of(|row| row.seconds) / count,
            of(|row| row.valid as f64) * 100.0 / checks,
        );
    }
}

/// Each case: tokens and checks of the best setting of the generator, of the tree, and of both.
fn each(cases: &[Case], rows: &BTreeMap<(usize, usize), Row>) {
    let ways = Way::all();
    let best = ways.iter().position(|way| *way == Way::Generator(Order::Tree, Alignment::Realign)).unwrap_or(0);
    println!("\n| seed | failure | tokens | generator | tree | both |\n| ---: | --- | ---: | ---: | ---: | ---: |");
    for (number, case) in cases.iter().enumerate() {
        let cell = |way: usize| {
            let row = rows[&(number, way)];
            format!("{} in {}", row.tokens, row.checks)
        };
        let (tree, both) = (cell(ways.len() - 2), cell(ways.len() - 1));
        let size = tokens(&case.execution.output);
        println!("| {} | {} | {size} | {} | {tree} | {both} |", case.seed, case.property, cell(best));
    }
}

fn tokens(text: &str) -> usize {
    mcve_transforms::Measure::of(text).tokens
}

/// Programs that fail: two for each property of the syntax, and ten that print something.
fn cases(generator: &dyn Generator, compiler: &Compiler) -> anyhow::Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut seed = 0;
    let mut next = |is_it: &mut dyn FnMut(&str) -> anyhow::Result<Option<Property>>| -> anyhow::Result<Case> {
        loop {
            seed += 1;
            let execution = generator::run(generator, seed, LIMIT)?;
            if (LEAST..=MOST).contains(&tokens(&execution.output))
                && let Some(property) = is_it(&execution.output)?
            {
                return Ok(Case { seed, execution, property });
            }
        }
    };
    for &(name, property) in properties::ALL.iter().flat_map(|property| [property; 2]) {
        let has = |text: &str| properties::has(text, property).then_some(Property::Has(name, property));
        cases.push(next(&mut |text| Ok(has(text)))?);
    }
    for _ in 0..10 {
        cases.push(next(&mut |text| Ok(compiler.printed(text)?.map(Property::Prints)))?);
    }
    Ok(cases)
}

/// Reduces a case in one way.
fn one(generator: &Arc<dyn Generator>, case: &Case, way: Way, compiler: &Compiler, path: &Path) -> anyhow::Result<Row> {
    let planted = Arc::new(Planted::new(compiler, case.property.clone()));
    let program = Program::new(path.file_name().context("it has a name")?, &*case.execution.output);
    std::fs::write(path, &*program.text)?;
    let made = |order, alignment| {
        let settings = reduction::Settings { order, alignment, limit: LIMIT };
        ByGenerator::new(Arc::clone(generator), case.execution.clone(), settings)
    };
    let begun = Instant::now();
    let best = match way {
        Way::Generator(order, alignment) => {
            let (oracle, executor) = (planted.oracle(), planted.executor());
            let mut checker = Checks::new(oracle, executor, 1, Limits::default()).map_err(|stop| anyhow!("{stop}"))?;
            baseline(&mut checker, &program, Runs::default(), None, &mut Nobody)
                .map_err(|refusal| anyhow!("{refusal:?}"))?;
            let (mut keep, mut nobody) = (|_: &Program| Ok(()), Nobody);
            let mut search = Search::new(program, Vec::new(), checker, &mut nobody, &mut keep);
            by_generator::run(&mut search, &mut made(order, alignment)).map_err(|stop| anyhow!("{stop:?}"))?;
            search.best().text.to_string()
        }
        Way::Tree | Way::Both => {
            let output = default_path(&path.with_extension("rs"));
            let config = Config {
                input: path.to_owned(),
                program,
                made: (way == Way::Both).then(|| made(Order::Tree, Alignment::Realign)),
                output: Output::at(&output).expect("it can be written"),
                in_place: false,
                oracle: planted.oracle(),
                executor: planted.executor(),
                runs: Runs::default(),
                jobs: 1,
                schedule: Default::default(),
                limits: Limits::default(),
                transforms: transforms().collect(),
                layers: Layers::default(),
                journal: Journal::nowhere(None),
                place: PathBuf::new(),
                finds: None,
                holds_pair: false,
                fixed: None,
                as_ui_test: None,
            };
            reduce(config, &mut Nobody).map_err(|refusal| anyhow!("{refusal:?}"))?;
            std::fs::read_to_string(output)?
        }
    };
    let (checks, valid) = planted.counts();
    Ok(Row { tokens: tokens(&best), checks, valid, seconds: begun.elapsed().as_secs_f64() })
}
