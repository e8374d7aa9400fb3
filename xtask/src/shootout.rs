//! The big reduction shoot-out, exercise 3 of *The Fuzzing Book*, chapter *Reducing Failure-Inducing Inputs*:
//! `cargo run --release -p xtask -- shootout` renews the tables of `docs/shootout.md` and `docs/shootout.svg`.
//!
//! Inputs are generated from grammars. A test fails when one, two or three given terminals are there, and is unresolved when
//! the text is no sentence. All is the same in each run but the times.

mod algorithms;
pub(crate) mod cdd;
mod grammars;
mod picture;
#[cfg(test)]
mod predicate;
pub(crate) mod probdd;
mod report;
mod skipping;
mod weighted;

use std::time::Instant;

use anyhow::{Context, ensure};
use mcve_dd::debugger::Debugger;
use mcve_dd::general::{Mode, dd};
use mcve_dd::grammar::earley::Earley;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::outcome::Outcome;

use algorithms::{Algorithm, algorithms};
use grammars::{Case, GRAMMARS, cases};
use report::{Row, Run, tables};

/// What is above it is written by hand.
const HEADING: &str = "## Tables\n";

pub(crate) fn run() -> anyhow::Result<()> {
    let folder = crate::root().join("docs");
    let document = folder.join("shootout.md");
    let text = std::fs::read_to_string(&document).context("docs/shootout.md cannot be read")?;
    let (prose, _) = text.split_once(HEADING).context("docs/shootout.md has no heading for the tables")?;
    let algorithms = algorithms();
    let mut others = Others::default();
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); algorithms.len()];
    for (place, (name, rules)) in GRAMMARS.iter().enumerate() {
        let grammar = Grammar::new(rules)?;
        let parser = Earley::new(&grammar);
        for case in cases(&grammar) {
            ensure!(
                parser.parse(&case.tree.text()).is_ok_and(|parse| parse.tree == case.tree),
                "{name}: {}",
                case.tree.text()
            );
            ensure!(*name != "Rust" || mcve_transforms::Source::is_valid(&case.tree.text()), "{}", case.tree.text());
            others.add(&case, &parser)?;
            for (algorithm, runs) in algorithms.iter().zip(&mut runs) {
                runs.push(one(algorithm, &case, place, &grammar, &parser)?);
            }
        }
        eprintln!("{name}: done");
    }
    let least: Vec<usize> =
        (0..runs[0].len()).map(|case| runs.iter().map(|runs| runs[case].after).min().unwrap_or(0)).collect();
    let named = algorithms.iter().zip(&runs);
    let rows: Vec<Row> = named.map(|(it, runs)| Row::new(it.name, it.elements, runs, &least)).collect();
    std::fs::write(&document, format!("{prose}{HEADING}\n{}", tables(&rows, least.len()) + &others.text()))?;
    std::fs::write(folder.join("shootout.svg"), picture::svg(&rows))?;
    Ok(())
}

/// Runs one algorithm on one case, with no answer known.
fn one(
    algorithm: &Algorithm,
    case: &Case,
    grammar_place: usize,
    grammar: &Grammar,
    parser: &Earley,
) -> anyhow::Result<Run> {
    let text = case.tree.text();
    let test = |text: &String| case.test(parser, text);
    let mut debugger = Debugger::new(text.clone(), Box::new(test) as Box<dyn FnMut(&String) -> Outcome + '_>);
    let start = Instant::now();
    let left = (algorithm.run)(&mut debugger, &case.tree, grammar);
    let time = start.elapsed();
    ensure!(case.test(parser, &left) == Outcome::Fail, "{} leaves what does not fail: {left}", algorithm.name);
    let unresolved = debugger.log().iter().filter(|test| test.outcome == Outcome::Unresolved).count();
    Ok(Run {
        grammar: grammar_place,
        symbols: case.wanted.len(),
        before: text.chars().count(),
        after: left.chars().count(),
        tests: debugger.tests(),
        unresolved,
        time,
    })
}

/// The modes of `dd` that do not minimise: tests and characters, summed.
#[derive(Default)]
struct Others {
    cases: usize,
    isolating: [usize; 2],
    maximising: [usize; 2],
}

impl Others {
    fn add(&mut self, case: &Case, parser: &Earley) -> anyhow::Result<()> {
        let text = case.tree.text();
        let debugger = || Debugger::new(text.clone(), |text: &String| case.test_from_nothing(parser, text));
        let [mut isolating, mut maximising] = [debugger(), debugger()];
        let difference = isolating
            .isolate_with(|start, arrangement, tester| dd(start, Mode::Isolate, arrangement, tester))?
            .difference
            .chars()
            .count();
        let left_out = text.chars().count() - maximising.maximise()?.chars().count();
        self.cases += 1;
        self.isolating = [self.isolating[0] + isolating.tests(), self.isolating[1] + difference];
        self.maximising = [self.maximising[0] + maximising.tests(), self.maximising[1] + left_out];
        Ok(())
    }

    fn text(&self) -> String {
        let [[isolating, difference], [maximising, left_out]] =
            [self.isolating, self.maximising].map(|sums| sums.map(|sum| sum as f64 / self.cases as f64));
        format!(
            "\nThe modes of `dd` that do not minimise, over characters: isolating takes {isolating:.0} tests and tells \
             {difference:.1} characters that make the difference; maximising takes {maximising:.0} tests and leaves \
             {left_out:.1} characters out. Both begin with the empty text, which counts as passing.\n"
        )
    }
}
