//! `mcve test-file`: failing files as tests of rustc's suite, one for each failure.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::PairArgs;
use super::exit::{Exit, Failed, OrExit, failed};
use super::known::Known;
use super::messages::say;
use super::no_core::without_core;
use super::output::check_place;
use super::result_args::TestFileArgs;
use super::setup;
use crate::report::known::is_same;
use crate::report::terminal::Shown;
use mcve_reduce::exec::folder::RunFolder;
use mcve_reduce::modes::ui_test::test_of;
use mcve_reduce::oracle::FailureId;
use mcve_reduce::program::{File, Program, write_files};

/// A test.
struct Written {
    test: Program,
    /// Its name without the extension; then its path.
    path: PathBuf,
    issue: Option<String>,
    failure: FailureId,
}

/// Writes a test for each failure of the files, and prints what they are for a pull request.
/// Fails if a file does not fail, the suite has no tests for its failure, or a test cannot be written.
pub(super) fn run(args: TestFileArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let TestFileArgs { files, issue, output: folder, no_core, oracle } = args;
    if issue.len() > files.len() {
        return Err(failed!(Usage, "--issue has more numbers than there are files"));
    }
    check_place(&folder)?;
    let folder = std::path::absolute(&folder).context("cannot use the folder of the tests").or_exit(Exit::Output)?;
    let files = files.iter().map(std::path::absolute).collect::<Result<Vec<_>, _>>();
    let files = files.context("cannot use the files").or_exit(Exit::Input)?;
    let limits = setup::limits(oracle.failure.timeout, None)?;
    let place = RunFolder::new().context("cannot make a temporary folder").or_exit(Exit::Output)?;
    let mut tests: Vec<Written> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let (question, known) = Known::of(file)?.file_args(oracle.clone())?;
        let toolchain = toolchain.clone().or(known);
        let mut start = question.start_within(limits.clone(), toolchain.clone())?;
        let failure = start.problem.oracle.failure();
        let shown = file.file_name().unwrap_or_default().display();
        if let Some(same) = tests.iter().find(|test| is_same(&test.failure, &failure)) {
            say(format_args!("{shown} is left out: it has the failure of {}.rs", same.path.display()));
            continue;
        }
        if no_core {
            let found = (&start.problem.program, &failure);
            let file = without_core(&question, toolchain.as_deref(), found, place.path(), &limits)?;
            start = PairArgs { file, ..question }.start_within(limits.clone(), toolchain)?;
        }
        let issue = issue.get(at).map(u32::to_string).or_else(|| number(file));
        let is_crash = start.problem.oracle.properties().is_crash;
        let test = test_of(&start.problem, &start.session, issue.as_deref());
        let test = test.with_context(|| format!("{shown} cannot be a test of rustc's suite")).or_exit(Exit::Input)?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().trim_end_matches("_mcve").replace('_', "-");
        let path = PathBuf::from(issue.clone().filter(|_| is_crash).unwrap_or(stem));
        check_suite(&folder, is_crash).map_err(|why| failed!(Usage, "{why}, and {shown} shows {}", failure.words))?;
        if is_crash && issue.is_none() {
            say(format_args!("{shown} has no number of an issue, after which its test is called: --issue NUMBER"));
        }
        tests.push(Written { test, path, issue, failure });
    }
    for written in &mut tests {
        written.path = write(&folder, &written.path.to_string_lossy(), &written.test)?;
    }
    Shown::plain(describe(&tests)).print().or_exit(Exit::Output)?;
    Ok(Exit::Done)
}

/// Whether a folder of rustc's suite is one for crashes, or for other failures; else why not.
fn check_suite(folder: &Path, is_crash: bool) -> Result<(), &'static str> {
    let has = |name: &str| folder.iter().any(|part| part == name);
    match is_crash {
        true if has("ui") => Err("tests/ui is not for crashes"),
        false if has("crashes") => Err("tests/crashes is for crashes only"),
        _ => Ok(()),
    }
}

/// The number of an issue with which the name of a file begins.
fn number(file: &Path) -> Option<String> {
    let name = file.file_stem()?.to_str()?;
    let end = name.find(|char: char| !char.is_ascii_digit()).unwrap_or(name.len());
    (end > 0).then(|| name[..end].to_owned())
}

/// Writes a test under the first name of `NAME.rs`, `NAME-2.rs`, .. that is free, or has this text. Returns its path.
fn write(folder: &Path, name: &str, test: &Program) -> Result<PathBuf, Failed> {
    let names = std::iter::once(format!("{name}.rs")).chain((2..).map(|count| format!("{name}-{count}.rs")));
    let text = test.root();
    let is_free = |path: &PathBuf| std::fs::read_to_string(path).map_or(!path.exists(), |there| there == text);
    let path = names.map(|name| folder.join(name)).find(is_free).expect("some name is free");
    let files = test.called(path.file_name().unwrap_or_default().into()).files();
    // Crates beside it have names that the test gives.
    let is_other =
        |(name, file): &&(PathBuf, File)| std::fs::read(folder.join(name)).is_ok_and(|there| *there != *file.bytes);
    if let Some((name, _)) = files.iter().find(is_other) {
        return Err(failed!(Output, "{} is there, and is another file", folder.join(name).display()));
    }
    let written = std::fs::create_dir_all(folder).and_then(|()| write_files(folder, &files));
    written.with_context(|| format!("cannot write {}", path.display())).or_exit(Exit::Output)?;
    Ok(path)
}

/// What was written, as the text of a pull request: facts only.
fn describe(tests: &[Written]) -> String {
    let has_output = |test: &Written| test.test.root().contains("//~");
    let count = if tests.len() == 1 { "a test".to_owned() } else { format!("{} tests", tests.len()) };
    let mut text = format!("Adds {count}:\n\n");
    for Written { path, issue, failure, .. } in tests {
        let parts: Vec<_> = path.iter().rev().take(3).map(|part| part.to_string_lossy()).collect();
        let path = parts.into_iter().rev().collect::<Vec<_>>().join("/");
        let issue = issue.as_ref().map_or_else(String::new, |number| format!(" (#{number})"));
        text += &format!("- `{path}`{issue}: {}\n", failure.words);
    }
    if tests.iter().any(has_output) {
        say(format_args!("the expected output (`.stderr`) is written by `./x test tests/ui --bless`"));
    }
    text
}
