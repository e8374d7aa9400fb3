//! The job in which rustc compiles a program, with the crates that the program needs as steps.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{JSON, Rustc};
use crate::exec::job::{Job, Step, Word};
use crate::program::{Crate, Program};

/// Variables that change what rustc prints.
const UNSET: [&str; 4] = ["RUSTC_LOG", "RUSTC_LOG_COLOR", "RUST_LIB_BACKTRACE", "RUST_LOG"];

/// The beginnings of the options in which profiles differ. All crates of a program have one profile.
const OF_PROFILE: [&str; 4] = ["-O", "-Copt-level=", "-Cdebug-assertions=", "-Coverflow-checks="];

/// Where the crates of a program are found: in the folder of its check.
pub(super) const HERE: &str = "-L.";

impl Rustc {
    /// The job that compiles `program`.
    pub fn job(&self, program: &Program) -> Job {
        self.job_by(program, |rustc| rustc)
    }

    /// The job that compiles `program` by a changed configuration.
    pub(crate) fn job_by(&self, program: &Program, change: impl FnOnce(Self) -> Self) -> Job {
        let rustc = change(self.of(program));
        let steps = self.steps(program);
        let mut argv = vec![Word::Text(rustc.program.clone().into())];
        argv.extend(rustc.args.into_iter().map(|argument| Word::Text(found(argument, &steps))));
        argv.extend((!steps.is_empty()).then(|| Word::Text(HERE.into())));
        argv.push(Word::Text(JSON.into()));
        argv.push(Word::Text(operand(&program.name).into()));
        let mut env = rustc.env;
        env.extend(UNSET.map(|name| (name.into(), None)));
        env.extend(self.cleared.iter().map(|name| (name.clone(), None)));
        // Without these two an internal compiler error takes three times as long, for a report that nobody reads. What a
        // killed compiler leaves behind shall be in the check's folder.
        let ours = [("RUSTC_ICE", "0"), ("RUST_BACKTRACE", "0"), ("TMPDIR", ".")];
        env.extend(ours.map(|(name, value)| (name.into(), Some(value.into()))));
        Job { files: program.files(), argv, env, steps, ..Job::default() }
    }

    /// The steps that compile the crates of `program`, as far as the last one needs.
    pub(super) fn steps(&self, program: &Program) -> Vec<Step> {
        let is_checked = self.args.iter().any(|arg| arg == "--emit=metadata" || arg == "--emit=dep-info");
        let is_of_profile = |arg: &OsString| OF_PROFILE.iter().any(|option| arg.to_string_lossy().starts_with(option));
        let profile: Vec<OsString> = self.of(program).args.into_iter().filter(is_of_profile).collect();
        let mut steps: Vec<Step> = Vec::new();
        let data = program.data();
        for Crate { arguments, files, .. } in program.crates() {
            let output = library(&arguments, &files[0], is_checked);
            let emit =
                if output.extension().is_some_and(|end| end == "rmeta") { "--emit=metadata" } else { "--emit=link" };
            let mut words: Vec<OsString> = vec![self.program.clone().into()];
            words.extend(arguments.iter().map(|argument| self.located(found(argument.into(), &steps))));
            words.extend(profile.iter().cloned());
            words.extend([HERE, emit, JSON, "-o"].map(OsString::from));
            words.extend([output.clone().into(), operand(&files[0]).into_os_string()]);
            // Any crate may include any of the data.
            let made = steps.iter().map(|step| step.output.clone());
            let reads = files.into_iter().chain(data.iter().cloned()).chain(made).collect();
            steps.push(Step { argv: words.into_iter().map(Word::Text).collect(), reads, output });
        }
        steps
    }
}

/// An argument that names a crate, with its file if one of these steps makes that: the compiler has others of the same names.
fn found(argument: OsString, steps: &[Step]) -> OsString {
    let name = argument.to_str().and_then(|argument| argument.strip_prefix("--extern="));
    let made = steps.iter().find(|step| name.is_some() && name_of(&step.output) == name);
    made.map(|step| format!("--extern={}={}", name.unwrap_or_default(), step.output.display()).into())
        .unwrap_or(argument)
}

pub(super) fn name_of(output: &Path) -> Option<&str> {
    output.file_stem()?.to_str()?.strip_prefix("lib")
}

/// The file of a crate that others use.
fn library(arguments: &[String], root: &Path, is_checked: bool) -> PathBuf {
    let value = |name: &str| arguments.iter().find_map(|argument| argument.strip_prefix(name));
    let stem = root.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
    let name = value("--crate-name=").unwrap_or(&stem);
    let end = match value("--crate-type=") {
        Some("proc-macro") => "so",
        _ if is_checked => "rmeta",
        _ => "rlib",
    };
    format!("lib{name}.{end}").into()
}

/// A path that cannot be read as an option.
pub(super) fn operand(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") { Path::new(".").join(path) } else { path.to_owned() }
}
