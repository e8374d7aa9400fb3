//! The crates that a program needs: how they are compiled, and the command that shows the failure by hand.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Rustc, operand};
use crate::exec::job::{Step, Word};
use crate::oracle::shell;
use crate::program::{Crate, Program};

/// Where the crates of a program are found: in the folder of its check.
pub(super) const HERE: &str = "-L.";

impl Rustc {
    /// How the crates are compiled that `program` needs, as far as the last one needs them to be.
    pub(super) fn steps(&self, program: &Program) -> Vec<Step> {
        let is_checked = self.args.iter().any(|arg| arg == "--emit=metadata" || arg == "--emit=dep-info");
        let mut steps: Vec<Step> = Vec::new();
        for Crate { arguments, files, .. } in program.crates() {
            let output = library(&arguments, &files[0], is_checked);
            let emit =
                if output.extension().is_some_and(|end| end == "rmeta") { "--emit=metadata" } else { "--emit=link" };
            let mut words: Vec<OsString> = vec![self.program.clone().into()];
            words.extend(arguments.iter().map(|argument| found(argument.into(), &steps)));
            words.extend([HERE, emit, "--error-format=json", "-o"].map(OsString::from));
            words.extend([output.clone().into(), operand(&files[0]).into_os_string()]);
            let reads = files.into_iter().chain(steps.iter().map(|step| step.output.clone())).collect();
            steps.push(Step { argv: words.into_iter().map(Word::Text).collect(), reads, output });
        }
        steps
    }

    /// The command that does the same by hand to `program` at `path`: a file, or the folder of its files.
    #[must_use]
    pub fn command(&self, program: &Program, path: &Path) -> String {
        let crates = self.steps(program);
        let line = self.of(program).command_of_file(program, &program.root_at(path));
        if crates.is_empty() {
            return line;
        }
        let called = shell::line(self.called.iter().map(OsString::as_os_str));
        let set = shell::assignments(&self.inherited);
        // What the crates leave is of no use afterwards.
        let line = self.of(program).command_of_file(program, &program.name);
        let outputs: Vec<PathBuf> = crates.iter().map(|step| step.output.clone()).collect();
        let steps = crates.into_iter().map(|step| {
            let words = step.argv.iter().skip(1).map(|word| word.in_folder(Path::new("")));
            let words: Vec<OsString> = words.filter(|word| word != "--error-format=json" && word != HERE).collect();
            let words = words.iter().map(|word| match Path::new(word) == step.output {
                true => format!("\"$d\"/{}", shell::quote(word)),
                false => shell::quote(word),
            });
            format!("{set}{called} -L \"$d\" {} && ", words.collect::<Vec<_>>().join(" "))
        });
        let mut steps: String = steps.collect();
        let mut line = line;
        for output in outputs {
            let name = name_of(&output).unwrap_or_default();
            let output = output.display();
            let found = format!(" --extern={name}=\"$d\"/{output} ");
            for line in [&mut steps, &mut line] {
                *line = line
                    .replace(&format!(" --extern={name}={output} "), &found)
                    .replace(&format!(" --extern={name} "), &found);
            }
        }
        let folder = shell::quote(program.folder_at(path).as_os_str());
        format!("(d=$(mktemp -d) && cd {folder} && {steps}{line} -L \"$d\" --out-dir \"$d\")")
    }

    fn command_of_file(&self, program: &Program, path: &Path) -> String {
        let unset = self.env.iter().filter(|(_, value)| value.is_none());
        let mut words: Vec<String> = unset.map(|(name, _)| format!("-u {}", shell::quote(name))).collect();
        if !words.is_empty() {
            words.insert(0, "env".to_owned());
        }
        let set = self.env.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let set = self.inherited.iter().map(|(name, value)| (name, value)).chain(set);
        words.extend(set.map(|(name, value)| format!("{}={}", name.display(), shell::quote(value))));
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        let named = self.clone().naming(&Program::new(name, &*program.root()));
        let called = self.called.iter().map(OsString::as_os_str);
        let args = named.args.iter().map(OsString::as_os_str);
        let path = operand(path);
        words.push(shell::line(called.chain(args).chain([path.as_os_str()])));
        let line = words.join(" ");
        match self.memory {
            Some(bytes) => format!("(ulimit -d {}; {line})", bytes.div_ceil(1024)),
            None => line,
        }
    }
}

/// An argument that names a crate, with its file if one of these steps makes that: the compiler has others of the same names.
pub(super) fn found(argument: OsString, steps: &[Step]) -> OsString {
    let name = argument.to_str().and_then(|argument| argument.strip_prefix("--extern="));
    let made = steps.iter().find(|step| name.is_some() && name_of(&step.output) == name);
    made.map(|step| format!("--extern={}={}", name.unwrap_or_default(), step.output.display()).into())
        .unwrap_or(argument)
}

/// The name of the crate whose library is called so.
fn name_of(output: &Path) -> Option<&str> {
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
