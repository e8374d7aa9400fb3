//! The command that compiles a program by hand.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::job::{HERE, name_of, operand};
use super::{JSON, Rustc};
use crate::oracle::shell;
use crate::program::Program;

impl Rustc {
    /// The shell command that compiles `program`. `path` is its file, or the folder of its files.
    pub fn command(&self, program: &Program, path: &Path) -> String {
        let root = program.root_at(path);
        match self.in_folder(program, path) {
            None => self.of(program).command_of_file(program, &root, ""),
            Some((before, line)) => format!("(d=$(mktemp -d) && {before}{line} --out-dir \"$d\")"),
        }
    }

    /// The shell command that compiles `program` to `output`, where `d` is a temporary folder.
    pub(crate) fn command_to(&self, program: &Program, path: &Path, output: &str) -> String {
        let option = format!(" -o {output}");
        match self.in_folder(program, path) {
            None => self.of(program).command_of_file(program, &program.root_at(path), &option),
            Some((before, line)) => format!("({before}{line}{option})"),
        }
    }

    /// The commands that go to the folder of `program` and compile its crates to the folder `d`, and the command that compiles
    /// its root file there. None if there are no crates.
    fn in_folder(&self, program: &Program, path: &Path) -> Option<(String, String)> {
        let crates = self.steps(program);
        if crates.is_empty() {
            return None;
        }
        let called = shell::line(&self.called);
        let set = shell::assignments(&self.inherited);
        // What the crates leave is of no use afterwards.
        let line = self.of(program).command_of_file(program, &program.name, "");
        let outputs: Vec<PathBuf> = crates.iter().map(|step| step.output.clone()).collect();
        let is_json = self.args.iter().any(|arg| arg == JSON);
        let steps = crates.into_iter().map(|step| {
            let words = step.argv.iter().skip(1).map(|word| word.in_folder(Path::new("")));
            let words: Vec<OsString> = words.filter(|word| (word != JSON || is_json) && word != HERE).collect();
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
        let folder = shell::quote(program.folder_at(path));
        Some((format!("cd {folder} && {steps}"), format!("{line} -L \"$d\"")))
    }

    /// The command that compiles the root file at `path`, with these options behind it.
    fn command_of_file(&self, program: &Program, path: &Path, options: &str) -> String {
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
        let line = words.join(" ") + options;
        match self.memory {
            Some(bytes) => format!("(ulimit -d {}; {line})", bytes.div_ceil(1024)),
            None => line,
        }
    }
}
