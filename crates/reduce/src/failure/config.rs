//! A configuration of the compiler: a toolchain, a rustc, options, an edition.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::tool::Tool;
use crate::exec::programs;
use crate::oracle::rustc::{EDITIONS, Rustc};

/// A configuration besides that of the failure: `+1.80`, `/opt/rustc/bin/rustc`, `-Copt-level=0`, `2018`, or several such words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerConfig {
    /// The words of the user.
    text: String,
    toolchain: Option<String>,
    rustc: Option<PathBuf>,
    pub(super) args: Vec<OsString>,
    /// The compiler and how a person calls it, once it was looked up; none: that of the failure.
    compiler: Option<(PathBuf, Vec<OsString>)>,
    /// The options of the configuration that fails, which this one does not have.
    left_out: Vec<OsString>,
    /// The path of each library for the compiler of the failure, and the path of the same library for this one.
    libraries: Arc<[(String, String)]>,
}

impl FromStr for CompilerConfig {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).ok_or("a quote is not closed")?;
        let (toolchain, rustc, args, compiler, left_out, libraries) = Default::default();
        let mut config = Self { text: text.to_owned(), toolchain, rustc, args, compiler, left_out, libraries };
        for (number, word) in words.into_iter().enumerate() {
            match word.strip_prefix('+') {
                Some(toolchain) if number == 0 => config.toolchain = Some(toolchain.to_owned()),
                _ if EDITIONS.contains(&&*word) && config.args.last().is_none_or(|before| before != "--edition") => {
                    config.args.push(format!("--edition={word}").into())
                }
                _ if number == 0 && !word.starts_with('-') => config.rustc = Some(word.into()),
                _ => config.args.push(word.into()),
            }
        }
        Ok(config)
    }
}

impl CompilerConfig {
    /// The configuration with its compiler, or with the `tool` next to that compiler.
    pub(super) fn find(self, tool: Option<Tool>) -> anyhow::Result<Self> {
        if self.toolchain.is_none() && self.rustc.is_none() {
            return Ok(self);
        }
        let (given, toolchain) = (self.rustc.as_deref(), self.toolchain.as_deref());
        let compiler = programs::rustc(given, toolchain).with_context(|| format!("cannot use `{}`", self.text))?;
        if let Some(tool) = tool.filter(|tool| tool.is_compiler()) {
            // The libraries that Miri interprets belong to a toolchain.
            let beside = compiler.with_file_name(tool.program());
            if tool == Tool::Miri || !beside.is_file() {
                bail!("cannot use `{}` with {}: it is not beside the compiler", self.text, tool.program());
            }
            let called = vec![beside.clone().into_os_string()];
            return Ok(Self { compiler: Some((beside, called)), ..self });
        }
        let called = programs::called(given, toolchain, &compiler);
        Ok(Self { compiler: Some((compiler, called)), ..self })
    }

    /// The name of the toolchain, if the configuration names one.
    pub fn toolchain(&self) -> Option<&str> {
        self.toolchain.as_deref()
    }

    /// A copy whose compiler finds libraries elsewhere: each path, and the one in its place.
    #[must_use]
    pub fn with_libraries(&self, libraries: Arc<[(String, String)]>) -> Self {
        Self { libraries, ..self.clone() }
    }

    /// A copy without the options of `failing`, for a rustc that has these. An edition stays, as a program has just one.
    pub(super) fn without_options_of(&self, failing: Option<&Self>) -> Self {
        let options = failing.into_iter().flat_map(|failing| &failing.args);
        let is_edition = |option: &OsString| option.to_string_lossy().starts_with("--edition");
        Self { left_out: options.filter(|option| !is_edition(option)).cloned().collect(), ..self.clone() }
    }

    pub(super) fn of(&self, rustc: &Rustc) -> Rustc {
        let folder = std::env::current_dir().unwrap_or_default();
        let changed = rustc.without_options(&self.left_out, &folder).with_options(&self.args, &folder);
        let changed = Rustc { libraries: Arc::clone(&self.libraries), ..changed };
        match &self.compiler {
            Some((program, called)) => Rustc { program: program.clone(), called: called.clone(), ..changed },
            None => changed,
        }
    }
}

impl std::fmt::Display for CompilerConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::oracle::headers::Headers;
    use crate::program::Program;

    #[test]
    fn a_configuration_has_not_the_options_of_the_one_that_fails() {
        let config = |text: &str| text.parse::<CompilerConfig>().expect("it is one");
        let rustc = Rustc::new("/r".into(), &Headers::default(), &["-Copt-level=3".into()], Path::new("/"));
        let failing = config("-O -Znext-solver 2021");
        let found = failing.of(&rustc);
        let args = |rustc: Rustc| rustc.args.iter().map(|arg| arg.display().to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(args(found.clone()), "-Copt-level=3 -O -Znext-solver --edition=2021");
        let passing = config("-Cdebuginfo=1").without_options_of(Some(&failing));
        assert_eq!(args(passing.of(&found)), "-Copt-level=3 --edition=2021 -Cdebuginfo=1");
        let same = config("-O").without_options_of(Some(&failing));
        assert_eq!(args(same.of(&found)), "-Copt-level=3 --edition=2021 -O");
    }

    #[test]
    fn another_compiler_finds_its_own_libraries() {
        let config = "+other".parse::<CompilerConfig>().expect("it is one");
        let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let config = config.with_libraries([pair("/a/libb-1.rmeta", "/c/libb-2.rmeta"), pair("/a", "/c")].into());
        let args = ["--extern=b=/a/libb-1.rmeta", "-Ldependency=/a", "--extern=d=/a/libd-3.rmeta", "-L/x/a"];
        let rustc = Rustc::new("/r".into(), &Headers::default(), &args.map(OsString::from), Path::new("/"));
        let program = Program::new("e.rs", "");
        let found = config.of(&rustc).of(&program);
        assert_eq!(
            found.args,
            ["--extern=b=/c/libb-2.rmeta", "-Ldependency=/c", "--extern=d=/a/libd-3.rmeta", "-L/x/a"]
        );
    }

    #[track_caller]
    fn check(text: &str, toolchain: Option<&str>, rustc: Option<&str>, args: &[&str]) {
        let config: CompilerConfig = text.parse().expect("its quotes are closed");
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        assert_eq!(
            (config.toolchain.as_deref(), config.rustc.as_deref(), config.args),
            (toolchain, rustc.map(Path::new), args)
        );
    }

    #[test]
    fn a_configuration_is_a_compiler_and_options() {
        check("+1.80", Some("1.80"), None, &[]);
        check("+nightly -O 2018", Some("nightly"), None, &["-O", "--edition=2018"]);
        check("/a/rustc --cfg 'a b'", None, Some("/a/rustc"), &["--cfg", "a b"]);
        check("-Copt-level=0", None, None, &["-Copt-level=0"]);
        check("2015", None, None, &["--edition=2015"]);
        check("--edition 2018", None, None, &["--edition", "2018"]);
        assert!("'a".parse::<CompilerConfig>().is_err());
    }
}
