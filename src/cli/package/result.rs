//! The result of `cargo mcve`: a file, or where that needs dependencies a package, and whether it shows the failure elsewhere, too.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};

use super::failing::{Failing, What};
use super::stages::Stages;
use crate::check::limits::Limits;
use crate::cli::exit::{Exit, Failed};
use crate::cli::{output, work};
use crate::event::{Ending, Summary};
use crate::exec::cancel::Cancel;
use crate::exec::job::{Executor, Job, Word};
use crate::exec::tool;
use crate::oracle::shell::quote;
use crate::output::Output;
use crate::package::build::Cargo;
use crate::package::call::Tool;
use crate::package::manifest::{self, Origins};
use crate::program::{File, Files, Program};

/// What a fresh environment has: what it takes to find a compiler.
const FRESH: [&str; 7] = ["CARGO_HOME", "HOME", "LANG", "PATH", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "TMPDIR"];

/// What a cargo script is called while it is tried.
const SCRIPT: &str = "script.rs";

/// The longest that the command of a result may take.
const LONGEST: Duration = Duration::from_secs(120);

/// What a result is.
enum Form {
    /// The program as it is.
    Program,
    /// A package, with the dependencies that have to stay.
    Package(Files),
    /// The same as one file: a cargo script.
    Script(String),
}

/// Writes the result where the user wants it, checks it there, and tells the end.
pub(super) fn finish(
    stages: &Stages<'_>,
    cargo: &Cargo,
    lock: PathBuf,
    mut last: Summary,
    output: &Output,
) -> Result<Exit, Failed> {
    let written =
        |error: std::io::Error| Failed::new(Exit::Output, anyhow::Error::new(error).context("cannot write the result"));
    // The budget is for the search.
    tool::end_by(&stages.limits.interrupt, None);
    let stages = &Stages { limits: Limits { deadline: None, ..stages.limits.clone() }, ..stages.clone() };
    let input = &stages.failing.call.root;
    let own = last.output.take().unwrap_or_default();
    let form = if last.ending == Ending::Interrupted { Form::Program } else { form(stages, cargo, lock, &last, &own) };
    match &form {
        Form::Program => {}
        Form::Package(files) => last.program = Program::of_files(&*last.program.name, files),
        Form::Script(text) => last.program = Program::new(SCRIPT, text.as_str()),
    }
    let aside = output.keep(&last.program, input).map_err(written)?;
    aside.iter().for_each(|aside| output::warn_put_aside(output.path(), aside));
    output.finish(&last.program, input).map_err(written)?;
    last.output = output.place(&last.program);
    let shown = last.output.clone().unwrap_or_else(|| "FILE".into());
    last.command = command(stages, &form, &last, (&own, &shown));
    // There is a journal for each stage, and no one command of its own.
    last.resume = None;
    if last.ending != Ending::Complete {
        stages.observer.note("the same command goes on from here".to_owned());
    }
    let exit = work::exit(last.ending);
    stages.observer.finish(last).map_err(work::cannot_print)?;
    Ok(exit)
}

/// What the result is to be, and whether it shows the failure there.
fn form(stages: &Stages<'_>, cargo: &Cargo, lock: PathBuf, last: &Summary, own: &Path) -> Form {
    let needed = manifest::needed(&last.program);
    if needed.is_empty() {
        match is_shown_elsewhere(stages, last, own) {
            Ok(true) => stages.observer.note("checked: the file shows it in an empty folder with a fresh environment".to_owned()),
            Ok(false) => stages.observer.warn(
                "in a fresh environment the command prints something else: the failure needs variables that are set here".to_owned(),
            ),
            Err(error) => stages.observer.warn(format!("the result could not be run in an empty folder: {error:#}")),
        }
        return Form::Program;
    }
    match package(stages, cargo, lock, last) {
        Ok(files) => {
            let script = (!stages.args.keep_package).then(|| as_script(stages, cargo, &files, last)).flatten();
            script.map_or(Form::Package(files), Form::Script)
        }
        Err(why) => {
            let names: Vec<&str> = needed.iter().map(|used| &*used.name).collect();
            let names = names.join(", ");
            stages.observer.warn(format!("the result needs {names} as they were built here: {why:#}"));
            Form::Program
        }
    }
}

/// The command that shows the failure of a result at `shown`, which the one of the last stage shows at `own`.
fn command(stages: &Stages<'_>, form: &Form, last: &Summary, (own, shown): (&Path, &Path)) -> String {
    let of_result = |place: &Path| last.command.replace(&*own.to_string_lossy(), &place.to_string_lossy());
    let folder = quote(shown.as_os_str());
    let words = words(stages.failing);
    match form {
        Form::Script(_) => {
            let toolchain = stages.toolchain.map(|toolchain| format!("+{toolchain} ")).unwrap_or_default();
            let [verb, rest @ ..] = &words[..] else { unreachable!("there is a command") };
            let rest: String = rest.iter().map(|word| format!(" {word}")).collect();
            format!("cargo {toolchain}-Zscript {verb} --manifest-path {folder}{rest}")
        }
        Form::Package(_) => format!("cd {folder} && cargo {}", words.join(" ")),
        Form::Program if last.program.is_lone() => of_result(shown),
        // It may read other files there.
        Form::Program => format!("cd {folder} && {}", of_result(Path::new("."))),
    }
}

/// The words of cargo that show the failure of a package.
fn words(failing: &Failing) -> Vec<String> {
    match &failing.what {
        What::Compilation(Tool::Clippy) => vec!["clippy".to_owned()],
        What::Compilation(Tool::Rustdoc) => vec!["doc".to_owned()],
        What::Compilation(Tool::Rustc) if failing.call.is_test => vec!["test".to_owned()],
        What::Compilation(Tool::Rustc) if failing.call.is_checked => vec!["check".to_owned()],
        What::Compilation(Tool::Rustc) => vec!["build".to_owned()],
        What::Test(_) => vec!["test".to_owned()],
        What::Program(_) | What::Documentation(_) => vec!["run".to_owned()],
    }
}

/// The package as a cargo script, where the toolchain has them and it shows the failure, too.
fn as_script(stages: &Stages<'_>, cargo: &Cargo, package: &Files, last: &Summary) -> Option<String> {
    let script = manifest::script(package)?;
    let words = words(stages.failing);
    let (verb, rest) = words.split_first()?;
    let files = Files::of_file(SCRIPT, File::from(&*script));
    let options = ["-Zscript", "--manifest-path", SCRIPT].map(str::to_owned);
    let is_shown = shows(stages, cargo, &files, (verb, &[&options, rest].concat()), last).unwrap_or(false);
    is_shown.then_some(script)
}

/// Whether `cargo VERB` shows in a folder with these files what `last` ends with.
fn shows(
    stages: &Stages<'_>,
    cargo: &Cargo,
    files: &Files,
    (verb, rest): (&str, &[String]),
    last: &Summary,
) -> anyhow::Result<bool> {
    let failing = stages.failing;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    for (path, file) in files.list() {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
        std::fs::write(path, &file.bytes)?;
    }
    let mut arguments: Vec<OsString> = vec!["--offline".into()];
    arguments.extend(rest.iter().map(OsString::from));
    if let What::Program(args) = &failing.what {
        arguments.push("--".into());
        arguments.extend(args.iter().cloned());
    }
    let cargo = Cargo { folder: Some(folder.path().to_owned()), ..cargo.clone() };
    let built = cargo.run(verb, &arguments)?;
    let Some(found) = Failing::of(&built, failing.verb, None, &[], folder.path()) else { return Ok(false) };
    stages.is_same(&found, last).map_err(|failed| failed.error)
}

/// The result as the smallest package that still shows the failure: features that are not needed go.
fn package(stages: &Stages<'_>, cargo: &Cargo, lock: PathBuf, last: &Summary) -> anyhow::Result<Files> {
    let failing = stages.failing;
    let name = failing.variable("CARGO_PKG_NAME");
    let origins = Origins { calls: &failing.calls, lock };
    let first = manifest::package(&last.program, &format!("{name}-mcve"), &failing.call, &origins);
    let mut best = first.context("it is not known where they come from")?;
    let words = words(failing);
    let (verb, rest) = words.split_first().context("there is a command")?;
    let shows = |files: &Files| shows(stages, cargo, files, (verb, rest), last);
    if !shows(&best)? {
        return Err(anyhow!("as a package it does not show the failure"));
    }
    let mut index = 0;
    while let Some(fewer) = manifest::without_feature(&best, index) {
        if shows(&fewer)? {
            best = fewer;
        } else {
            index += 1;
        }
    }
    Ok(best)
}

/// Whether the command of a result, which is at `own`, prints the same in an empty folder with a fresh environment.
fn is_shown_elsewhere(stages: &Stages<'_>, last: &Summary, own: &Path) -> anyhow::Result<bool> {
    let processes = stages.args.sandbox.processes(None).map_err(|failed| failed.error)?;
    let files = last.program.files();
    let name = if last.program.is_lone() { &*last.program.name } else { Path::new(".") };
    let command = last.command.replace(&*own.to_string_lossy(), &name.to_string_lossy());
    let argv = ["sh", "-c", &command].map(|word| Word::Text(word.into())).to_vec();
    let others = std::env::vars_os().map(|(name, _)| name);
    let others = others.filter(|name| !FRESH.iter().any(|fresh| name == fresh)).map(|name| (name, None));
    // Backtraces differ, and a crash leaves no report.
    let quiet = ["RUST_BACKTRACE", "RUSTC_ICE"].map(|name| (OsString::from(name), Some(OsString::from("0"))));
    let mut printed = Vec::new();
    for env in [quiet.to_vec(), others.chain(quiet).collect()] {
        let job = Job { files: files.clone(), argv: argv.clone(), env, ..Job::default() };
        let result = processes.run(&job, LONGEST, &Cancel::default())?;
        printed.push((result.end, without_numbers(&result.stdout), without_numbers(&result.stderr)));
    }
    Ok(printed[0] == printed[1])
}

/// A text without its digits: times, and the numbers of processes and folders.
fn without_numbers(text: &[u8]) -> String {
    String::from_utf8_lossy(text)
        .split(|c: char| c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("0")
}
