//! What a text says of how a failure is shown, as parts of command lines.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::channels::installed;
use super::input::is_stdin;
use super::messages::say;
use super::toolchain::version;
use crate::evidence::{Evidence, Shown, Tool};
use mcve_reduce::output::{folder, program_name};

/// A text, and what the user says besides.
pub(super) struct Text {
    /// Its path.
    pub(super) path: PathBuf,
    pub(super) says: Evidence,
    pub(super) toolchain: Option<String>,
    /// The other words, without the name of the program.
    pub(super) words: Vec<OsString>,
    /// Whether these words name a file.
    pub(super) has_file: bool,
    /// Whether these words say what the failure is, or how it is compiled.
    pub(super) has_question: bool,
    /// Where the result goes, if these words name it.
    pub(super) output: Option<PathBuf>,
}

/// A way to compile a program of a text.
pub(super) struct Way<'a> {
    pub(super) file: &'a Path,
    pub(super) toolchain: Option<&'a str>,
    /// What the failure is, as options.
    pub(super) question: &'a [String],
    /// The arguments of the compiler.
    pub(super) args: &'a [String],
}

impl Text {
    /// The toolchains that the text names, the likeliest first; none is the usual one.
    pub(super) fn toolchains(&self) -> Vec<Option<String>> {
        if self.toolchain.is_some() {
            return vec![self.toolchain.clone()];
        }
        let is_of = |name: Option<&str>, said: &String| version(name).starts_with(&format!("rustc {said}"));
        let (mut found, names) = (Vec::new(), installed().unwrap_or_default());
        let missing = |what: &str, used: &str| say(format_args!("{what} is not installed; mcve asks {used}"));
        for said in &self.says.versions {
            if is_of(None, said) {
                found.push(None);
                continue;
            }
            let own = names.iter().find(|name| is_of(Some(name), said));
            let near = names.iter().find(|name| said.contains("nightly") && name.starts_with("nightly"));
            if own.is_none() {
                missing(&format!("rustc {said}"), near.map_or("the usual one", |name| name));
            }
            found.extend(own.or(near).cloned().map(Some));
        }
        for name in self.says.calls.iter().filter_map(|call| call.toolchain.as_ref()) {
            if names.contains(name) {
                found.push(Some(name.clone()));
            } else {
                missing(&format!("toolchain {name}"), "the usual one");
            }
        }
        found.push(None);
        let uses_features = self.says.programs.iter().any(|program| program.contains("#![feature"));
        let has_flags = self.says.calls.iter().any(|call| call.args.iter().any(|arg| arg.starts_with("-Z")));
        found.extend(names.into_iter().filter(|name| (uses_features || has_flags) && name == "nightly").map(Some));
        let mut distinct = Vec::new();
        found.into_iter().for_each(|one| distinct.extend((!distinct.contains(&one)).then_some(one)));
        distinct
    }

    /// What the failure is, as options.
    pub(super) fn question(&self) -> Vec<String> {
        let tool = self.says.calls.iter().find_map(|call| match (call.tool, call.verb()) {
            (Tool::Clippy, _) | (_, Some("clippy")) => Some("clippy"),
            (Tool::Rustdoc, _) | (_, Some("doc")) => Some("rustdoc"),
            (Tool::Rustfmt, _) | (_, Some("fmt")) => Some("rustfmt"),
            (Tool::Miri, _) | (_, Some("miri")) => Some("miri"),
            _ => None,
        });
        let mut options = Vec::new();
        let mut add = |name: &str, value: &str| options.extend([name.to_owned(), value.to_owned()]);
        match self.says.shows.first() {
            Some(Shown::Lint(name)) => {
                let tool = tool.or(name.starts_with("clippy::").then_some("clippy"));
                tool.into_iter().for_each(|tool| add("--tool", tool));
                add("--lint", name);
            }
            Some(Shown::Test(name)) if self.has_tests() => add("--test-name", name),
            Some(Shown::Test(_) | Shown::Panic) if tool.is_none() => options.push("--run".to_owned()),
            _ => tool.into_iter().for_each(|tool| add("--tool", tool)),
        }
        options
    }

    /// Whether the program may have tests: its text is not known, or has some.
    fn has_tests(&self) -> bool {
        let programs = &self.says.programs;
        programs.is_empty() || programs.iter().any(|program| program.contains("#[test]"))
    }

    /// The arguments of compilers that the text names, each once, and none.
    pub(super) fn args(&self) -> Vec<&[String]> {
        let mut found: Vec<&[String]> = Vec::new();
        for call in self.says.calls.iter().filter(|call| call.tool != Tool::Cargo) {
            found.extend((!found.contains(&call.args.as_slice())).then_some(call.args.as_slice()));
        }
        found.extend((!found.contains(&[].as_slice())).then_some([].as_slice()));
        found
    }

    /// The command line of a way, with the words of the user.
    pub(super) fn line(&self, way: &Way<'_>) -> Vec<OsString> {
        let end = end(&self.words);
        let mut line: Vec<OsString> = vec!["mcve".into()];
        line.extend(way.toolchain.map(|name| format!("+{name}").into()));
        line.extend(self.words[..end].iter().cloned());
        line.extend((!way.file.as_os_str().is_empty()).then(|| way.file.into()));
        if !self.has_question {
            line.extend(way.question.iter().map(OsString::from));
            line.extend((!way.args.is_empty()).then(|| "--".into()));
            line.extend(way.args.iter().map(OsString::from));
        }
        line.extend(self.words[end..].iter().cloned());
        line
    }

    /// The name of the program's file.
    pub(super) fn name(&self) -> PathBuf {
        let stem = self.path.file_stem().filter(|_| !is_stdin(&self.path)).unwrap_or(OsStr::new("issue"));
        program_name(&Path::new(stem).with_extension("rs"))
    }

    /// The file that the text says was compiled, if it is here or beside the text, and how.
    pub(super) fn file(&self) -> Option<(PathBuf, &[String])> {
        let beside = folder(&self.path);
        let places = |name: &str| [PathBuf::from(name), beside.join(name)];
        for call in &self.says.calls {
            let found = call.file.iter().flat_map(|name| places(name)).find(|path| path.is_file());
            if let Some(path) = found {
                return Some((path, &call.args));
            }
        }
        let listed = [Path::new("."), beside].into_iter().flat_map(|place| place.read_dir().ok()).flatten().flatten();
        let is_crate = |path: &PathBuf| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
            path.extension().is_some_and(|end| end == "rs") && self.says.crates.contains(&stem)
        };
        let path = listed.map(|entry| entry.path()).find(is_crate)?;
        Some((path.strip_prefix(".").map(Path::to_owned).unwrap_or(path), self.args()[0]))
    }
}

/// Where the words end that are of mcve.
pub(super) fn end(words: &[OsString]) -> usize {
    words.iter().position(|word| word == "--").unwrap_or(words.len())
}
