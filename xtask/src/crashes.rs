//! Reduces known crashes of rustc and holds each result against plain rustc: `cargo run --release -p xtask -- crashes FOLDER`.
//!
//! FOLDER holds Rust files that crash the compiler, such as `tests/crashes` of rustc's own repository at the version of the
//! compiler. For each file the command `mcve` is run as a user would. What it prints as `see it` is then run in a shell, with
//! nothing of mcve in between, and must show the failure that mcve told at the beginning. Files that a compiler of this version
//! does not crash on are counted apart.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use mcve_reduce::exec::job::{End, JobResult};
use mcve_reduce::oracle::failure::Failure;
use serde_json::Value;

/// Which files are reduced, and by what.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder with the files.
    folder: PathBuf,
    /// Only files whose number is even.
    #[arg(long)]
    even: bool,
    /// How long one reduction may take.
    #[arg(long, default_value = "120")]
    budget: String,
    /// The command `mcve`.
    #[arg(long, default_value = "target/release/mcve")]
    mcve: PathBuf,
}

/// What came of a file.
enum Row {
    /// It was reduced, and the result shows the same failure: tokens before and after, checks, the transforms that were accepted.
    Same { before: u64, after: u64, checks: u64, failure: String, accepted: BTreeSet<String> },
    /// mcve found no failure, or refused the file: what it said.
    Refused(String),
}

pub(crate) fn run(args: &Options) -> Result<()> {
    let entries = std::fs::read_dir(&args.folder).context("cannot read the folder")?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "rs") && (!args.even || is_even(file)));
    files.sort();
    let (mut reduced, mut refused, mut wrong) = (0, 0, 0);
    let mut transforms: BTreeMap<String, usize> = BTreeMap::new();
    println!("| file | tokens | checks | failure |\n| --- | --- | --- | --- |");
    for file in &files {
        let name = file.file_name().unwrap_or_default().display();
        match row(args, file) {
            Ok(Row::Same { before, after, checks, failure, accepted }) => {
                reduced += 1;
                accepted.into_iter().for_each(|name| *transforms.entry(name).or_default() += 1);
                println!("| {name} | {before} -> {after} | {checks} | {failure} |");
            }
            Ok(Row::Refused(why)) => {
                refused += 1;
                println!("| {name} | - | - | not reduced: {why} |");
            }
            Err(error) => {
                wrong += 1;
                println!("| {name} | - | - | **wrong**: {error:#} |");
            }
        }
    }
    println!("\n{} files: {reduced} reduced to the same failure, {refused} not reduced, {wrong} wrong", files.len());
    println!("\n| transform | accepted in files |\n| --- | ---: |");
    transforms.iter().for_each(|(name, files)| println!("| `{name}` | {files} |"));
    ensure!(wrong == 0, "{wrong} files went wrong");
    Ok(())
}

/// Whether the number that a name begins with is even.
fn is_even(file: &Path) -> bool {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
    digits.parse::<u64>().is_ok_and(|number| number % 2 == 0)
}

fn row(args: &Options, file: &Path) -> Result<Row> {
    let place = tempfile::tempdir()?;
    let name = file.file_name().context("it has a name")?;
    std::fs::copy(file, place.path().join(name))?;
    let mcve = std::path::absolute(&args.mcve)?;
    let mut command = Command::new(mcve);
    command.arg(name).args(["--message-format", "json", "--budget", &args.budget]);
    // Most of the files use features that no stable compiler has.
    let output = command.env("RUSTC_BOOTSTRAP", "1").current_dir(&place).stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(!said.contains("panicked at"), "mcve panicked: {said}");
    let events = String::from_utf8_lossy(&output.stdout);
    let events: Vec<Value> = events.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let Some(last) = events.iter().find(|event| event["event"] == "finished") else {
        return Ok(Row::Refused(said.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()));
    };
    ensure!(said.is_empty(), "it printed: {said}");
    ensure!(output.status.success(), "it ended with {}", output.status);
    let failure = last["failure"].as_str().context("it has a failure")?.to_owned();
    if failure.starts_with("error") {
        return Ok(Row::Refused(format!("no crash by this compiler: {failure}")));
    }
    let line = last["command"].as_str().context("it has a command")?;
    let shown = paste(line, place.path())?;
    if !shown.contains(&failure) {
        bail!("`{line}` shows {shown:?}, and not {failure:?}");
    }
    let tokens = |when: &str| last[when]["tokens"].as_u64().context("it has a size");
    let checks = last["checks"].as_u64().context("it has checks")?;
    let accepted = accepted(&events);
    Ok(Row::Same { before: tokens("before")?, after: tokens("after")?, checks, failure, accepted })
}

/// The transforms that gained something, as far as the events name them.
fn accepted(events: &[Value]) -> BTreeSet<String> {
    let steps = events.iter().filter_map(|event| event["steps"].as_array()).flatten().filter_map(Value::as_str);
    steps.filter_map(|step| Some(step.rsplit_once(": ")?.1.to_owned())).collect()
}

/// The failures that a command shows in a fresh shell, in words.
fn paste(line: &str, folder: &Path) -> Result<Vec<String>> {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{line} --error-format=json")]).current_dir(folder).stdin(Stdio::null());
    shell.env_remove("RUSTC_BOOTSTRAP").env("RUSTC_ICE", "0");
    let output = shell.output()?;
    let end = output.status.code().map_or_else(
        || End::Signalled(std::os::unix::process::ExitStatusExt::signal(&output.status).unwrap_or(0)),
        // A shell tells the signal that ended what it ran by the code.
        |code| if code > 128 { End::Signalled(code - 128) } else { End::Exited(code) },
    );
    let result = JobResult { stdout: output.stdout, stderr: output.stderr, ..JobResult::ended(end) };
    Ok(Failure::all(&result).iter().map(ToString::to_string).collect())
}
