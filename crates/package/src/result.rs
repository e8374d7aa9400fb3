//! The result of `cargo mcve`: a file, or a package if it needs dependencies; and whether it shows the failure elsewhere, too.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

use super::build::Cargo;
use super::call::Tool;
use super::elsewhere;
use super::error::PackageError;
use super::failing::{Failing, Sought, What};
use super::local;
use super::manifest::{self, Origins};
use super::source;
use super::stages::{FOLDER, Stages};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::{Ending, Summary};
use mcve_reduce::exec::tool;
use mcve_reduce::oracle::shell::{line, quote};
use mcve_reduce::output::{Output, put_aside_message};
use mcve_reduce::program::{File, Files, Program};

/// The name of a cargo script during checks.
const SCRIPT: &str = "script.rs";

/// The time limit for removing features one by one, which needs rebuilds.
const LONGEST: Duration = Duration::from_secs(120);

/// The form of a result.
enum Form {
    /// The program as it is.
    Program,
    /// A package with the remaining dependencies.
    Package(Files),
    /// The package as one file: a cargo script.
    Script(String),
}

/// Writes the result to the user's place, checks it there, and reports the end.
pub(super) fn finish(
    stages: &Stages<'_>,
    cargo: &Cargo,
    lock: &str,
    mut last: Summary,
    output: &Output,
) -> Result<Summary, PackageError> {
    let written =
        |error: std::io::Error| PackageError::Output(anyhow::Error::new(error).context("cannot write the result"));
    // The time budget only applies to the search.
    tool::end_by(&stages.session.limits.interrupt, None);
    let limits = Limits { deadline: None, ..stages.session.limits.clone() };
    let stages = &Stages { session: stages.session.clone().with_limits(limits), ..stages.clone() };
    let input = &stages.failing.call.root;
    let own = last.output.take().unwrap_or_default();
    let form = if last.ending == Ending::Interrupted { Form::Program } else { form(stages, cargo, lock, &last) };
    if tool::is_interrupted() {
        last.ending = Ending::Interrupted;
    }
    match &form {
        Form::Program => {}
        Form::Package(files) => last.program = Program::of_files(&*last.program.name, files),
        Form::Script(text) => last.program = Program::new(SCRIPT, text.as_str()),
    }
    let aside = output.keep(&last.program, input).map_err(written)?;
    let put_aside = aside.iter().map(|aside| put_aside_message(output.path().unwrap_or(aside), aside));
    put_aside.for_each(|message| stages.observer.warn(message));
    output.finish(&last.program, input).map_err(written)?;
    last.output = output.place(&last.program);
    let shown = last.output.clone().unwrap_or_else(|| "FILE".into());
    last.command = command(stages, &form, &last, (&own, &shown));
    // Each stage has a journal, and no single command resumes them.
    last.resume = None;
    if last.ending != Ending::Complete {
        stages.observer.note("the same command goes on from here".to_owned());
    }
    stages.observer.finish(last.clone());
    Ok(last)
}

/// The form of the result; reports whether it shows the failure.
fn form(stages: &Stages<'_>, cargo: &Cargo, lock: &str, last: &Summary) -> Form {
    let needed = manifest::needed(&last.program);
    if needed.is_empty() {
        if warn_local(stages, cargo, &last.program.text) {
            return Form::Program;
        }
        elsewhere::report(stages, last);
        return Form::Program;
    }
    match package(stages, cargo, lock, last) {
        Ok(files) => {
            let texts = files.list().into_iter().map(|(_, file)| String::from_utf8_lossy(&file.bytes).into_owned());
            warn_local(stages, cargo, &texts.collect::<Vec<_>>().join("\n"));
            let script = (!stages.spec.keep_package).then(|| as_script(stages, cargo, &files, last)).flatten();
            script.map_or(Form::Package(files), Form::Script)
        }
        // Running the command again continues from here.
        Err(_) if tool::is_interrupted() => Form::Program,
        Err(why) => {
            let names: Vec<&str> = needed.iter().map(|used| &*used.name).collect();
            let names = names.join(", ");
            stages.observer.warn(format!("the result needs {names} as they were built here: {why:#}"));
            Form::Program
        }
    }
}

/// Warns of what a result with this text names that only this machine has; whether it does.
fn warn_local(stages: &Stages<'_>, cargo: &Cargo, text: &str) -> bool {
    let named = local::named(text, &[&cargo.target, Path::new(stages.failing.variable(FOLDER))]);
    if named.is_empty() {
        return false;
    }
    let named = named.into_iter().collect::<Vec<_>>().join(", ");
    stages.observer.warn(format!("the result does not stand alone: it names {named}, which only this machine has"));
    true
}

/// The command that shows the failure of a result at `shown`, adapted from the last stage's command for `own`.
fn command(stages: &Stages<'_>, form: &Form, last: &Summary, (own, shown): (&Path, &Path)) -> String {
    let folder = quote(shown.as_os_str());
    let verb = verb(stages.failing);
    let stdin = stages.spec.failure.stdin.as_ref();
    let input = stdin.map(|path| format!(" < {}", quote(path.as_os_str()))).unwrap_or_default();
    let cargo = |options: &[OsString]| {
        of_cargo(stages.session.toolchain.as_deref(), options, arguments(stages.failing)) + &input
    };
    match form {
        Form::Script(_) => cargo(&["-Zscript".into(), verb.into(), "--manifest-path".into(), shown.into()]),
        Form::Package(_) => format!("cd {folder} && {}", cargo(&[verb.into()])),
        Form::Program if last.program.is_lone() => at(&last.command, own, shown),
        // It may read other files there.
        Form::Program => format!("cd {folder} && {}", at(&last.command, own, Path::new("."))),
    }
}

/// Replaces the path `own` in a shell command by `place`.
fn at(command: &str, own: &Path, place: &Path) -> String {
    let [word, other] = [own, place].map(|path| quote(path.as_os_str()));
    if command.contains(&word) {
        return command.replace(&word, &other);
    }
    // A file in it: the quotes surround the whole path.
    command.replace(&*own.to_string_lossy(), &place.to_string_lossy())
}

/// A cargo command with these options and program arguments, for the toolchain if one is named.
fn of_cargo(toolchain: Option<&str>, options: &[OsString], arguments: &[OsString]) -> String {
    let mut words: Vec<OsString> = vec!["cargo".into()];
    words.extend(toolchain.map(|toolchain| format!("+{toolchain}").into()));
    words.extend_from_slice(options);
    if !arguments.is_empty() {
        words.push("--".into());
        words.extend_from_slice(arguments);
    }
    line(words.iter().map(OsString::as_os_str))
}

/// The command of cargo that shows the failure of a package.
fn verb(failing: &Failing) -> &'static str {
    match &failing.what {
        What::Compilation(Tool::Clippy) => "clippy",
        What::Compilation(Tool::Rustdoc) => "doc",
        What::Compilation(Tool::Rustc) if failing.call.is_test => "test",
        What::Compilation(Tool::Rustc) if failing.call.is_checked => "check",
        What::Compilation(Tool::Rustc) => "build",
        What::Test(_) => "test",
        What::Program(_) | What::Documentation(_) => "run",
    }
}

/// The arguments of the failing program.
fn arguments(failing: &Failing) -> &[OsString] {
    if let What::Program(arguments) = &failing.what { arguments } else { &[] }
}

/// The package as a cargo script, if the toolchain supports scripts and it shows the failure.
fn as_script(stages: &Stages<'_>, cargo: &Cargo, package: &Files, last: &Summary) -> Option<String> {
    let script = manifest::script(package)?;
    let files = Files::of_file(SCRIPT, File::from(&*script));
    let options = ["-Zscript", "--manifest-path", SCRIPT];
    let is_shown = shows(stages, cargo, &files, &options, last).unwrap_or(false);
    is_shown.then_some(script)
}

/// Whether cargo with these options, run on these files, shows the failure that `last` ends with.
fn shows(stages: &Stages<'_>, cargo: &Cargo, files: &Files, options: &[&str], last: &Summary) -> anyhow::Result<bool> {
    let failing = stages.failing;
    let folder = cargo.temporary_folder().context("cannot make a temporary folder")?;
    for (path, file) in files.list() {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
        std::fs::write(path, &file.bytes)?;
    }
    let mut words: Vec<OsString> = vec!["--offline".into()];
    words.extend(options.iter().map(OsString::from));
    let arguments = arguments(failing);
    if !arguments.is_empty() {
        words.push("--".into());
        words.extend_from_slice(arguments);
    }
    let cargo = Cargo { folder: Some(folder.path().to_owned()), ..cargo.clone() };
    let built = cargo.run(verb(failing), &words)?;
    let wanted = stages.spec.diagnostics_of_call().map(|wanted| wanted.anywhere()).filter(|_| failing.said.is_some());
    let sought =
        Sought { verb: failing.verb, wanted: wanted.as_ref(), name: None, args: arguments, folder: folder.path() };
    let Some(found) = Failing::of(&built, &sought) else { return Ok(false) };
    stages.is_same(&found, last).map_err(|error| anyhow!("{error}"))
}

/// The smallest package that still shows the failure: removes unneeded features.
fn package(stages: &Stages<'_>, cargo: &Cargo, lock: &str, last: &Summary) -> anyhow::Result<Files> {
    let failing = stages.failing;
    let name = failing.variable("CARGO_PKG_NAME");
    let origins = Origins { calls: &failing.calls, lock };
    let own = source::with_own_sources(&last.program, &failing.calls);
    let programs = if own == last.program { vec![own] } else { vec![own, last.program.clone()] };
    let packages = programs
        .iter()
        .filter_map(|program| manifest::package(program, &format!("{name}-mcve"), &failing.call, &origins));
    let packages: Vec<Files> = packages.collect();
    if packages.is_empty() {
        return Err(anyhow!("it is not known where they come from"));
    }
    stages.observer.note(format!("`cargo {}` runs on the result", verb(failing)));
    let shows = |files: &Files| shows(stages, cargo, files, &[], last);
    let mut best = None;
    for files in packages {
        if shows(&files)? {
            best = Some(files);
            break;
        }
    }
    let mut best = best.context("as a package it does not show the failure")?;
    let (began, mut index) = (Instant::now(), 0);
    while let Some(fewer) = manifest::without_feature(&best, index).filter(|_| began.elapsed() < LONGEST) {
        match shows(&fewer) {
            Ok(true) => best = fewer,
            Ok(false) => index += 1,
            // The best package so far is the result.
            Err(_) => break,
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_of_cargo_has_the_toolchain_and_the_arguments() {
        let command = |toolchain, arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            of_cargo(toolchain, &["run".into()], &arguments)
        };
        assert_eq!(command(Some("nightly"), &["--flag", "a b"]), "cargo +nightly run -- --flag 'a b'");
        assert_eq!(command(None, &[]), "cargo run");
    }

    #[test]
    fn a_place_is_quoted_where_the_shell_needs_it() {
        #[track_caller]
        fn check(command: &str, own: &str, place: &str, expected: &str) {
            assert_eq!(at(command, Path::new(own), Path::new(place)), expected);
        }
        check("rustc /t/a.rs", "/t/a.rs", "my file.rs", "rustc 'my file.rs'");
        check("rustc '/my t/a.rs'", "/my t/a.rs", "a.rs", "rustc a.rs");
        check("rustc /t/a/lib.rs", "/t/a", ".", "rustc ./lib.rs");
        check("rustc '/my t/a/lib.rs'", "/my t/a", ".", "rustc './lib.rs'");
    }
}
