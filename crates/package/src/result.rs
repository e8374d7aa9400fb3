//! The result of `cargo mcve`: a file, or a package if it needs dependencies; and whether it shows the failure elsewhere, too.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::build::Cargo;
use super::elsewhere;
use super::error::PackageError;
use super::find::Found;
use super::manifest;
use super::packaging::{Packaging, SCRIPT};
use super::stages::{FOLDER, Stages};
use mcve_reduce::event::{Ending, Summary};
use mcve_reduce::exec::tool;
use mcve_reduce::oracle::shell::{line, quote};
use mcve_reduce::output::{Output, put_aside_message};
use mcve_reduce::program::{Files, Program};

/// The time after the budget in which a result is checked.
const GRACE: Duration = Duration::from_secs(8);

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
    Found { lock, since, .. }: &Found,
    mut last: Summary,
    output: &Output,
) -> Result<Summary, PackageError> {
    let written =
        |error: std::io::Error| PackageError::Output(anyhow::Error::new(error).context("cannot write the result"));
    let budget = stages.session.limits.clone();
    let mut stages = stages.clone();
    stages.session.limits = budget.extended(GRACE);
    let stages = &stages;
    tool::end_by(&budget.interrupt, stages.session.limits.deadline);
    let input = &stages.failing.call.root;
    stages.observer.pass("result", "writing the result");
    let own = last.output.take().unwrap_or_default();
    let form = if last.ending == Ending::Interrupted {
        Form::Program
    } else {
        form(&Packaging { stages, cargo, lock, last: &last, budget: &budget })
    };
    if tool::is_interrupted() {
        last.ending = Ending::Interrupted;
    }
    let beside = if matches!(form, Form::Program) { Vec::new() } else { manifest::needed(&last.program) };
    stages.count_beside(&beside);
    match &form {
        Form::Program => {}
        Form::Package(files) => {
            let packaged = |(passing, how)| (packaged_with_change(&passing, &last.program, files), how);
            last.passing = last.passing.map(packaged);
            last.program = Program::of_files(&*last.program.name, files);
        }
        Form::Script(text) => {
            let root = last.program.root();
            let script = |passing: &Program| Program::new(SCRIPT, text.replacen(&*root, &passing.root(), 1));
            last.passing = last.passing.map(|(passing, how)| (script(&passing), how));
            last.program = Program::new(SCRIPT, text.as_str());
        }
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
    last.failure.extend(since.iter().map(|since| format!("; the package {since}")));
    stages.observer.finish(last.clone());
    Ok(last)
}

/// The form of the result; reports whether it shows the failure.
fn form(packaging: &Packaging<'_>) -> Form {
    let Packaging { stages, cargo, last, .. } = packaging;
    let needed = manifest::needed(&last.program);
    if needed.is_empty() {
        if !warn_local(stages, cargo, &last.program.text) {
            elsewhere::report(stages, last);
        }
        return Form::Program;
    }
    match packaging.package() {
        Ok(files) => {
            let texts = files.list().into_iter().map(|(_, file)| String::from_utf8_lossy(&file.bytes).into_owned());
            warn_local(stages, cargo, &texts.collect::<Vec<_>>().join("\n"));
            packaging.script(&files).map_or(Form::Package(files), Form::Script)
        }
        // Running the command again continues from here.
        Err(_) if tool::is_interrupted() => Form::Program,
        Err(why) => {
            let names: Vec<&str> = needed.iter().map(|used| &*used.name).collect();
            let names = names.join(", ");
            stages.observer.warn(format!("the result needs what was built here of {names}: {why:#}"));
            Form::Program
        }
    }
}

/// Warns of what a result with this text names that only this machine has; whether it does.
fn warn_local(stages: &Stages<'_>, cargo: &Cargo, text: &str) -> bool {
    let named = named(text, &[&cargo.target, Path::new(stages.failing.variable(FOLDER))]);
    if named.is_empty() {
        return false;
    }
    let named = named.into_iter().collect::<Vec<_>>().join(", ");
    stages.observer.warn(format!("the result does not stand alone: it names {named}, which only this machine has"));
    true
}

/// The characters that end a path in a program.
const ENDS: [char; 8] = ['"', '\'', '\\', ',', ';', ')', '>', ' '];

/// The paths in these folders that a text names.
fn named(text: &str, folders: &[&Path]) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for folder in folders.iter().filter(|folder| folder.is_absolute()).filter_map(|folder| folder.to_str()) {
        for (at, _) in text.match_indices(folder) {
            let path = text[at..].split(ENDS).next().unwrap_or_default();
            if matches!(path[folder.len()..].chars().next(), None | Some('/')) {
                named.insert(path.to_owned());
            }
        }
    }
    named
}

/// The command that shows the failure of a result at `shown`, adapted from the last stage's command for `own`.
fn command(stages: &Stages<'_>, form: &Form, last: &Summary, (own, shown): (&Path, &Path)) -> String {
    let folder = quote(shown.as_os_str());
    let verb = stages.failing.verb_of_result();
    let stdin = stages.spec.failure.stdin.as_ref();
    let input = stdin.map(|path| format!(" < {}", quote(path.as_os_str()))).unwrap_or_default();
    let cargo = |script| {
        let options = [vec![verb.into()], stages.options_of_result(script)].concat();
        of_cargo(stages.session.toolchain.as_deref(), &options, stages.failing.program_arguments()) + &input
    };
    match form {
        Form::Script(_) => cargo(Some(shown)),
        Form::Package(_) => format!("cd {folder} && {}", cargo(None)),
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

/// The package with the files in which `passing` differs from `failing`: the manifest is none of what makes it pass.
fn packaged_with_change(passing: &Program, failing: &Program, package: &Files) -> Program {
    let (before, mut package) = (failing.files(), package.clone());
    package.files.extend(passing.files().into_iter().filter(|file| !before.contains(file)));
    Program::of_files(&*failing.name, &package)
}

#[cfg(test)]
mod tests {
    use mcve_reduce::program::File;

    use super::*;

    #[test]
    fn the_manifest_of_a_package_is_no_change_with_which_it_passes() {
        let files = |source: &str, manifest: &str| {
            let file = |path: &str, text: &str| (path.into(), File::from(text));
            Files { files: [file("lib.rs", source), file("Cargo.toml", manifest)].into() }
        };
        let program = |source: &str, manifest: &str| Program::of_files("lib.rs", &files(source, manifest));
        let (failing, passing) = (program("fn f() {}", "old"), program("fn g() {}", "old"));
        let changed = packaged_with_change(&passing, &failing, &files("fn f() {}", "new"));
        assert_eq!(changed.files(), program("fn g() {}", "new").files());
    }

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

    #[test]
    fn paths_in_literals_and_variables_are_found() {
        let text = "const A: &str = \"/p/data.txt\"; const B: &str = \"/pp/x\"; const C: &str = \"/p\";";
        let named =
            named(&format!("{text}\nmcve::environment!(\"EXE=/p/target/exe\");"), &[Path::new("/p"), Path::new("")]);
        assert_eq!(named.into_iter().collect::<Vec<_>>(), ["/p", "/p/data.txt", "/p/target/exe"]);
    }
}
