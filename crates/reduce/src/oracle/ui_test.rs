//! A program as a test of rustc's own suite: the headers that say how it is compiled and what is expected of it.
//! Source: rustc-dev-guide, "Compiletest directives" and "UI tests".

mod annotations;
mod text;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path};

pub(crate) use annotations::{annotate, has_lone_notes};
pub(crate) use text::with_attribute;

use super::rustc::Rustc;
use super::rustc_args::grouped;
use super::shell;
use crate::program::{Crate, Program};

/// The folder of the crates that a test needs, beside it.
const AUXILIARY: &str = "auxiliary";

/// The edition of a test that does not say one.
const OLDEST: &str = "2015";

/// The flag of the header `incremental`.
const INCREMENTAL: &str = "-Cincremental=incremental";

/// The flags of the suite for every test that is not run, before those of the test. The last one needs an unstable compiler, or
/// the variable by which a stable one takes it.
pub(crate) const SUITE_FLAGS: [&str; 4] =
    ["-Aunused", "-Wunused_attributes", "-Ainternal_features", "-Zdeduplicate-diagnostics=no"];

/// The variable by which a stable compiler takes unstable options, as the suite sets it.
pub(crate) const BOOTSTRAP: &str = "RUSTC_BOOTSTRAP";

/// The failure that a test shows, which decides its suite and its headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// rustc crashes: `tests/crashes`.
    Crash,
    /// rustc reports errors or warnings: `tests/ui`.
    Diagnostics,
    /// The last of these revisions fails after the others: `tests/incremental`.
    Incremental(Vec<String>),
    /// The program fails when it is run: `tests/ui`.
    Run {
        /// Whether a signal ends it.
        crashes: bool,
        /// Its message, as far as that is the same in each run; empty if there is none.
        message: String,
        /// Its arguments.
        args: Vec<OsString>,
    },
}

/// The expectations of a test, besides its form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Whether rustc accepts it.
    pub compiles: bool,
    /// Whether code has to be generated before it shows.
    pub needs_codegen: bool,
    /// Whether notes or helps stand alone in it, so that those of other messages need no annotation.
    pub has_lone_notes: bool,
}

/// `program` as a test of this form: it has the headers by which `rustc` compiles it, and no others but those of the unreduced
/// program `input` that still say something of it. None where a file of it has no place for them.
pub fn with_headers(program: &Program, rustc: &Rustc, form: &Form, expected: Expected, input: &str) -> Option<Program> {
    let crates = program.crates();
    let root = program.root();
    let way = rustc.of(program);
    let mut lines = expectations(form, expected, input);
    let flags = flags(&way, program, &crates, form);
    lines.extend(conditions(input, &format!("{root}{flags}")));
    lines.extend(
        way.edition().or((*form != Form::Crash).then_some(OLDEST)).map(|edition| format!("edition: {edition}")),
    );
    if way.args.iter().any(|word| word == INCREMENTAL) {
        lines.push("incremental".to_owned());
    }
    if !flags.is_empty() {
        lines.push(format!("compile-flags: {flags}"));
    }
    lines.extend(variables(&way, form));
    lines.extend(crates.iter().map(|krate| crate_line(krate, program, &way)));
    let mut files = vec![(program.name.clone(), lines)];
    for krate in &crates {
        let edition = krate.arguments.iter().find_map(|argument| argument.strip_prefix("--edition="));
        let edition = edition.filter(|edition| *edition != OLDEST);
        let mut lines: Vec<String> = edition.iter().map(|edition| format!("edition: {edition}")).collect();
        let flags: Vec<&OsStr> = krate.arguments.iter().filter(|word| !is_implied(word)).map(OsStr::new).collect();
        if !flags.is_empty() {
            lines.push(format!("compile-flags: {}", shell::line(flags)));
        }
        files.push((krate.files[0].clone(), lines));
    }
    text::with_headers(program, &files)
}

/// The headers for what the test shows.
fn expectations(form: &Form, expected: Expected, input: &str) -> Vec<String> {
    let mut lines = Vec::new();
    match form {
        Form::Crash => {
            let known = super::headers::value_of(input, "known-bug").filter(|known| names_issues(known));
            lines.push(format!("known-bug: {}", known.unwrap_or("unknown")));
        }
        Form::Incremental(versions) => {
            lines.push(format!("revisions: {}", versions.join(" ")));
            if versions.iter().any(|version| version.starts_with("cfail")) {
                lines.push("build-pass".to_owned());
            }
        }
        Form::Diagnostics if expected.compiles => lines.push("check-pass".to_owned()),
        Form::Diagnostics if expected.needs_codegen => lines.push("build-fail".to_owned()),
        Form::Diagnostics => {}
        Form::Run { crashes, message, args } => {
            lines.push(if *crashes { "run-crash" } else { "run-fail" }.to_owned());
            // What varies stands as `_`.
            let said = message.lines().next().unwrap_or_default().split('_').max_by_key(|part| part.len());
            let said = said.unwrap_or_default().trim();
            if !said.is_empty() {
                lines.push(format!("error-pattern: {said}"));
            }
            if !args.is_empty() {
                lines.push(format!("run-flags: {}", shell::line(args)));
            }
        }
    }
    if expected.has_lone_notes {
        lines.extend(["dont-require-annotations: NOTE", "dont-require-annotations: HELP"].map(str::to_owned));
    }
    lines
}

/// Whether the suite takes this as the issues of a bug: `#1`, or several with commas between them.
fn names_issues(known: &str) -> bool {
    let number = |part: &str| part.trim().split_once('#')?.1.parse().ok();
    known.split(',').all(|part| number(part).is_some_and(|number: u64| number > 0))
}

/// Headers that say where a test can be run, and a word that a program has to which they mean something.
const CONDITIONS: [(&str, &str); 11] = [
    ("needs-asm-support", "asm!"),
    ("needs-crate-type", "crate-type"),
    ("needs-dynamic-linking", "dylib"),
    ("needs-enzyme", "autodiff"),
    ("needs-llvm-components", "target"),
    ("needs-profiler-runtime", "instrument-coverage"),
    ("needs-sanitizer", "sanitize"),
    ("needs-subprocess", "process"),
    ("needs-threads", "thread"),
    ("needs-unwind", "unwind"),
    ("needs-xray", "xray"),
];

/// The headers of the unreduced program that say where it can be run, as far as they mean something to what is left of it.
fn conditions(input: &str, left: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, line) in super::headers::plain(input) {
        let known = CONDITIONS.iter().find(|(condition, _)| name.starts_with(condition));
        let is_left = match known {
            Some((_, word)) => left.contains(word),
            // Whether it fails elsewhere nobody knows here.
            // The compiler that fails here has most likely no debug assertions.
            None => {
                let is_condition = name.starts_with("only-") || name.starts_with("needs-") || name == "ignore-backends";
                is_condition && name != "needs-rustc-debug-assertions"
            }
        };
        if is_left && !lines.contains(&line.to_owned()) {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// The flags of a test: those by which rustc is called, without what the suite decides and what other headers say.
fn flags(way: &Rustc, program: &Program, crates: &[Crate], form: &Form) -> String {
    let names: Vec<&str> = crates.iter().filter_map(name_of).collect();
    let stem = program.name.file_stem().unwrap_or_default().to_string_lossy();
    let own = stem.replace(|c: char| !c.is_alphanumeric(), "_");
    let is_flag = |group: &&[OsString]| {
        let [word] = group else { return true };
        let Some(word) = word.to_str() else { return true };
        let is_crate = word.strip_prefix("--extern=").is_some_and(|name| names.contains(&name));
        let is_decided = word.starts_with("--edition=")
            || word == INCREMENTAL
            || ["metadata", "dep-info", "obj", "link"].iter().any(|kind| word.strip_prefix("--emit=") == Some(kind));
        !(is_crate || is_decided || word.strip_prefix("--crate-name=") == Some(&own))
    };
    let mut groups = grouped(&way.args);
    // A result that is asked again with the flags of its run has them in its headers as well.
    let mut seen = BTreeSet::new();
    groups.retain(|group| is_flag(group) && seen.insert(*group));
    let mut words: Vec<&OsStr> = groups.into_iter().flatten().map(OsString::as_os_str).collect();
    let variables: Vec<OsString> = if *form == Form::Crash {
        set(way).map(|pair| ["--env-set=", &pair].concat().into()).collect()
    } else {
        Vec::new()
    };
    if !variables.is_empty() {
        words.push(OsStr::new("-Zunstable-options"));
    }
    shell::line(words.into_iter().chain(variables.iter().map(OsString::as_os_str)))
}

/// The variables that a test sets, as `NAME=VALUE`.
fn set(way: &Rustc) -> impl Iterator<Item = String> {
    // The suite sets it itself.
    let inherited = way.inherited.iter().filter(|(name, _)| name != BOOTSTRAP);
    let own = way.env.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    let all = inherited.map(|(name, value)| (name, value)).chain(own).filter(|(name, _)| *name != BOOTSTRAP);
    all.map(|(name, value)| format!("{}={}", name.display(), value.display()))
}

/// The headers for variables. For a crash the suite reads those that unset one only.
fn variables(way: &Rustc, form: &Form) -> Vec<String> {
    let set = set(way).filter(|_| *form != Form::Crash).map(|pair| format!("rustc-env: {pair}"));
    let unset = way.env.iter().filter(|(_, value)| value.is_none());
    set.chain(unset.map(|(name, _)| format!("unset-rustc-env: {}", name.display()))).collect()
}

/// The header by which a test needs a crate.
fn crate_line(krate: &Crate, program: &Program, way: &Rustc) -> String {
    let folder = program.name.parent().unwrap_or(Path::new("")).join(AUXILIARY);
    let file = path_from(&folder, &krate.files[0]);
    // The suite calls a crate by its file, unless a header says more.
    let stem = krate.files[0].file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
    let name = name_of(krate).unwrap_or(&stem);
    let is_given = way.args.iter().any(|word| word.to_str() == Some(&format!("--extern={name}")));
    if krate.arguments.iter().any(|argument| argument == "--crate-type=proc-macro") {
        format!("proc-macro: {file}")
    } else if is_given || name != stem {
        format!("aux-crate: {name}={file}")
    } else {
        format!("aux-build: {file}")
    }
}

fn name_of(krate: &Crate) -> Option<&str> {
    krate.arguments.iter().find_map(|argument| argument.strip_prefix("--crate-name="))
}

/// Whether an argument of a crate follows from the header by which it is needed, or is said by another one.
fn is_implied(argument: &str) -> bool {
    let implied = ["--crate-name=", "--edition=", "--crate-type=lib", "--crate-type=proc-macro", "--extern=proc_macro"];
    implied.iter().any(|start| argument.starts_with(start))
}

/// The path of `file` as it is named in `folder`, both in the same folder.
fn path_from(folder: &Path, file: &Path) -> String {
    let (folder, file): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), file.components().collect());
    let shared = folder.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), folder.len() - shared);
    let down = file[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests;
