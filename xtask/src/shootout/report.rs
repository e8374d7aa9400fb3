//! The tables of the shoot-out.

use std::fmt::Write;
use std::time::Duration;

use super::grammars::GRAMMARS;

/// How one algorithm did on one case.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) grammar: usize,
    /// How many symbols the failure needs.
    pub(crate) symbols: usize,
    /// In characters.
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) tests: usize,
    pub(crate) unresolved: usize,
    pub(crate) time: Duration,
}

/// Means over runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mean {
    pub(crate) tests: f64,
    /// In characters.
    pub(crate) before: f64,
    /// What is left in characters, of 100.
    pub(crate) share: f64,
    /// In characters.
    pub(crate) after: f64,
    unresolved: f64,
    milliseconds: f64,
}

impl Mean {
    fn of<'r>(runs: impl Iterator<Item = &'r Run> + Clone) -> Self {
        let count = runs.clone().count() as f64;
        let mean = |value: &dyn Fn(&Run) -> f64| runs.clone().map(value).sum::<f64>() / count;
        Self {
            tests: mean(&|run| run.tests as f64),
            before: mean(&|run| run.before as f64),
            share: mean(&|run| 100.0 * run.after as f64 / run.before as f64),
            after: mean(&|run| run.after as f64),
            unresolved: mean(&|run| 100.0 * run.unresolved as f64 / run.tests as f64),
            milliseconds: mean(&|run| run.time.as_secs_f64() * 1e3),
        }
    }
}

/// An algorithm with all its runs.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    elements: &'static str,
    all: Mean,
    /// In how many cases none left less.
    best: usize,
    pub(crate) grammars: Vec<Mean>,
    symbols: Vec<Mean>,
}

impl Row {
    /// `least` is what the best of all left of each case.
    pub(crate) fn new(name: &'static str, elements: &'static str, runs: &[Run], least: &[usize]) -> Self {
        Self {
            name,
            elements,
            all: Mean::of(runs.iter()),
            best: runs.iter().zip(least).filter(|(run, least)| run.after <= **least).count(),
            grammars: (0..GRAMMARS.len())
                .map(|it| Mean::of(runs.iter().filter(move |run| run.grammar == it)))
                .collect(),
            symbols: (1..=3).map(|it| Mean::of(runs.iter().filter(move |run| run.symbols == it))).collect(),
        }
    }
}

/// The tables as Markdown. Only the times differ from run to run.
pub(crate) fn tables(rows: &[Row], cases: usize) -> String {
    let grammars = GRAMMARS.iter().zip(rows.iter().flat_map(|row| &row.grammars));
    let sizes: Vec<String> = grammars.map(|((name, _), mean)| format!("{name} {:.0}", mean.before)).collect();
    let mut text = format!("Means over {cases} cases. Characters to begin with: {}.\n\n", sizes.join(", "));
    text.push_str(
        "| algorithm | takes away | tests | unresolved, % | characters left | smallest of all, cases | time, ms |\n",
    );
    text.push_str("| --- | --- | --- | --- | --- | --- | --- |\n");
    for Row { name, elements, all, best, .. } in rows {
        let Mean { tests, after, unresolved, milliseconds, .. } = all;
        let _ = writeln!(
            text,
            "| {name} | {elements} | {tests:.0} | {unresolved:.0} | {after:.1} | {best} | {milliseconds:.2} |"
        );
    }
    text.push_str(
        "\nTests and characters left, by grammar and by the number of symbols that the failure needs:\n\n| algorithm |",
    );
    let columns = GRAMMARS.iter().map(|(name, _)| *name).chain(["one symbol", "two", "three"]);
    columns.clone().for_each(|name| text.push_str(&format!(" {name} |")));
    text.push_str(&format!("\n| --- |{}\n", " --- |".repeat(columns.count())));
    for row in rows {
        let _ = write!(text, "| {} |", row.name);
        for Mean { tests, after, .. } in row.grammars.iter().chain(&row.symbols) {
            let _ = write!(text, " {tests:.0} / {after:.1} |");
        }
        text.push('\n');
    }
    text
}
