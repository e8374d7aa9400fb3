//! A configuration of the compiler: a toolchain, a rustc, options, an edition.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

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
}

impl FromStr for CompilerConfig {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).ok_or("a quote is not closed")?;
        let (toolchain, rustc, args, compiler) = Default::default();
        let mut config = Self { text: text.to_owned(), toolchain, rustc, args, compiler };
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

    pub(super) fn of(&self, rustc: &Rustc) -> Rustc {
        let folder = std::env::current_dir().unwrap_or_default();
        let changed = rustc.with_options(&self.args, Path::new(&folder));
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
    use super::*;

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
