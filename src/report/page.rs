//! The page of a run: one HTML file that asks for no other. It shows what fails, where, and what makes it pass; below that, how the
//! program became small.

mod chart;
mod environment;
mod figures;
mod program;
mod steps;

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use askama::Template;
use mcve_reduce::event::Ending;
use mcve_reduce::program::Size;
use mcve_reduce::visible::visible;

use self::chart::Chart;
use self::environment::tidy;
use self::figures::{Colours, PassRow, number};
use self::steps::{DiffLine, Shown};
use super::log::{End, Run};
use super::words::time;

/// What is in the beginning of each page, and of no other file.
const MARK: &str = "<meta name=\"generator\" content=\"mcve ";

/// In so many bytes.
const BEGINNING: u64 = 300;

/// The hash of the script, without which a browser does not run it: what a program says is never run.
const SCRIPT_HASH: &str = "sha256-cIjjcwQvX/7E6pnq5ms2FKLPOpPU+pbfoURRI1924K4=";

/// The page of a run, as its template has it.
#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    css: &'static str,
    script: &'static str,
    script_hash: &'static str,
    version: String,
    opening: String,
    failure: String,
    hidden_errors: Vec<String>,
    shown: Vec<String>,
    before: Amount,
    after: Amount,
    unit: String,
    checks: String,
    time: String,
    ending: &'static str,
    files: Vec<program::File>,
    has_reasons: bool,
    source: String,
    passes_title: String,
    change: Vec<DiffLine>,
    command: String,
    chart: Chart,
    steps: Vec<Shown>,
    left_out: String,
    rows: Vec<Row>,
    outcomes: [(&'static str, usize, &'static str); 3],
    shares: Vec<(&'static str, f64, f64)>,
    reasons: Vec<(String, String)>,
    crashes: Vec<String>,
    passes: Vec<PassRow>,
    environment: Vec<(&'static str, String)>,
}

/// A size in words.
struct Amount {
    lines: String,
    amount: String,
}

impl From<Size> for Amount {
    fn from(size: Size) -> Self {
        Self { lines: number(size.lines), amount: number(size.tokens) }
    }
}

/// A row of the table of sizes.
struct Row {
    step: usize,
    time: String,
    checks: String,
    size: String,
    pass: String,
}

/// The page of a run that came to an end.
pub(crate) fn page(run: &Run, end: &End) -> String {
    let environment = environment::environment(run, end);
    let colours = Colours::new(run);
    let files = program::files(run, &end.failure);
    let (steps, left_out) = steps::steps(run, &end.unit);
    let (reasons, crashes) = figures::reasons(&end.reasons);
    let outcomes = figures::outcomes(run);
    let all_tidy = |texts: &[String]| texts.iter().map(|text| tidy(text)).collect();
    let (change, passes_title) = match &end.change {
        Some((lines, how)) => (change(lines), format!("With this change, {}", tidy(how))),
        None => (Vec::new(), "What makes it pass".to_owned()),
    };
    let row = |(step, index): (&super::log::Step, usize)| Row {
        step: index,
        time: time(step.seconds),
        checks: number(step.checks),
        size: number(step.size.tokens),
        pass: step.pass.clone(),
    };
    let page = Page {
        css: include_str!("../../templates/page.css"),
        script: include_str!("../../templates/page.js"),
        script_hash: SCRIPT_HASH,
        version: run.version.clone(),
        opening: format!("{} fails:", files.first().map_or("The program", |file| &file.name)),
        failure: tidy(&end.failure),
        hidden_errors: all_tidy(&end.hidden_errors),
        shown: all_tidy(&end.shown),
        before: end.before.into(),
        after: end.after.into(),
        unit: end.unit.clone(),
        checks: number(end.checks),
        time: time(end.seconds),
        ending: ending(end),
        has_reasons: files.iter().flat_map(|file| &file.lines).any(|line| !line.reasons.is_empty()),
        files,
        source: end.text.clone(),
        passes_title,
        change,
        command: tidy(&end.command),
        chart: chart::chart(run, &colours, end.seconds, &end.unit),
        steps,
        left_out,
        rows: run.steps.iter().zip(1..).map(row).collect(),
        shares: figures::shares(&outcomes),
        outcomes,
        reasons: reasons.into_iter().map(|(reason, count)| (tidy(&reason), count)).collect(),
        crashes: all_tidy(&crashes),
        passes: figures::passes(run, &colours),
        environment,
    };
    page.render().expect("a text can be written to")
}

/// How the run ended, in a sentence.
fn ending(end: &End) -> &'static str {
    match end.ending {
        Ending::Complete if end.one_minimal => "No single step makes it smaller.",
        Ending::Complete => "The search came to its end.",
        Ending::Budget => "The time was over: this is the best so far, and not everything was tried.",
        Ending::Interrupted => "The run was interrupted: this is the best so far, and not everything was tried.",
    }
}

/// The lines of a change, which has each after `-` or `+`.
fn change(lines: &str) -> Vec<DiffLine> {
    let line = |line: &str| {
        let text = line.strip_prefix("    ").unwrap_or(line);
        let class = if text.starts_with('-') { "gone" } else { "new" };
        DiffLine { class, text: visible(text) }
    };
    lines.lines().filter(|line| !line.is_empty()).map(line).collect()
}

/// Checks that a page can be written to `path`.
///
/// # Errors
/// When there is no such folder, or a file that is not a page of mcve.
pub(crate) fn check_place(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    let folder = mcve_reduce::output::folder(path);
    if !folder.is_dir() {
        return Err(io::Error::other(format!("the folder {} does not exist", folder.display())));
    }
    let holds_something = |found: Metadata| found.is_file() && found.len() > 0;
    if path.metadata().is_ok_and(holds_something) {
        let mut beginning = Vec::new();
        File::open(path)?.take(BEGINNING).read_to_end(&mut beginning)?;
        if !String::from_utf8_lossy(&beginning).contains(MARK) {
            return Err(io::Error::other("the file exists, and is not a page of mcve"));
        }
    }
    Ok(())
}

/// Writes a page to `path`.
///
/// # Errors
/// As [`check_place`], or when it cannot be written.
pub(crate) fn write(path: &Path, page: &str) -> io::Result<()> {
    check_place(path)?;
    std::fs::write(path, page)
}

#[cfg(test)]
mod tests;
