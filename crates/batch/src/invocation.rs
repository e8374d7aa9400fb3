//! The command lines of `mcve` that recognise and reduce an input.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::files::hash;
use crate::input::{Input, Kind};

/// The parts of a command line that all inputs share, and the versions that it runs.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Invocation {
    /// The version of mcve.
    pub mcve: String,
    /// The toolchain, if the user names one.
    pub toolchain: Option<String>,
    /// The output of `rustc -vV`.
    pub version: String,
    /// Options of `mcve` for every input.
    pub options: Vec<String>,
    /// Arguments of the compiler.
    pub args: Vec<String>,
}

impl Invocation {
    /// The key under which the failure of an input is kept: a hash of its content, its kind, and this command line.
    pub fn key(&self, input: &Input) -> String {
        let own = serde_json::to_string(self).expect("all is text");
        hash(format!("{own}\0{:?}\0{}", input.kind, input.hash).as_bytes())
    }

    /// The name and the version of the compiler.
    pub fn compiler(&self) -> &str {
        self.version.lines().next().unwrap_or_default()
    }

    /// The command line that only recognises the failure of an input. A program that mcve takes out of a text goes to `folder`.
    pub fn recognise(&self, input: &Input, folder: &Path) -> Vec<OsString> {
        let own = ["--recognise".into(), "-o".into(), folder.join(PROGRAM).into_os_string()];
        self.line(input, own)
    }

    /// The command line that reduces an input to `PROGRAM` in the current folder, and prints events as JSON.
    pub fn reduce(&self, input: &Input, jobs: usize, budget: Option<Duration>) -> Vec<OsString> {
        let budget = budget.map(|budget| format!("--budget={}s", budget.as_secs_f64()));
        let own = ["-o".to_owned(), PROGRAM.to_owned(), format!("--jobs={jobs}")].into_iter().chain(budget);
        self.line(input, own.map(OsString::from))
    }

    fn line(&self, input: &Input, own: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
        let path = input.path();
        let mut line: Vec<OsString> = vec![if input.kind == Kind::Package { "cargo-mcve" } else { "mcve" }.into()];
        line.extend(self.toolchain.iter().map(|name| format!("+{name}").into()));
        match input.kind {
            Kind::File => line.push(path.into()),
            Kind::Text => line.extend(["--issue".into(), path.into()]),
            Kind::Package => line.extend(["--manifest-path".into(), path.join("Cargo.toml").into()]),
        }
        line.extend(["--message-format".into(), "json".into()]);
        line.extend(own);
        line.extend(self.options.iter().map(OsString::from));
        if !self.args.is_empty() {
            line.push("--".into());
            line.extend(self.args.iter().map(OsString::from));
        }
        line
    }
}

/// The name of a result.
pub const PROGRAM: &str = "program.rs";
