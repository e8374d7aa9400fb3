//! What fails in a package.

use std::ffi::OsString;
use std::fmt;

use super::args::Verb;
use crate::package::build::Built;
use crate::package::call::Call;
use crate::package::source;

/// What fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The compiler fails, or clippy does.
    Compilation {
        /// Whether it is clippy.
        is_clippy: bool,
    },
    /// The test of this name.
    Test(String),
    /// The program that is run with these arguments.
    Program(Vec<OsString>),
}

/// A crate of a package that fails.
#[derive(Debug)]
pub(super) struct Failing {
    /// The command of cargo.
    verb: Verb,
    /// How its crate is compiled.
    pub(super) call: Call,
    /// What of it fails.
    pub(super) what: What,
    /// All calls that are known, those of dependencies among them.
    pub(super) calls: Vec<Call>,
}

impl Failing {
    /// What failed in a run of cargo; none if that is not known.
    pub(super) fn of(built: &Built, verb: Verb, name: Option<&str>, args: &[OsString]) -> Option<Self> {
        let calls = built.calls.clone();
        if let Some(call) = built.failed_call() {
            let what = What::Compilation { is_clippy: call.is_clippy };
            return Some(Self { verb, call: call.clone(), what, calls });
        }
        let call = built.call_of(&built.run_last()?)?.clone();
        let what = match verb {
            Verb::Test => {
                let mut failed = built.failed_tests().into_iter();
                What::Test(failed.find(|test| name.is_none_or(|name| test.contains(name)))?)
            }
            Verb::Run => What::Program(args.to_vec()),
            _ => return None,
        };
        Some(Self { verb, call, what, calls })
    }
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { call, verb, what, .. } = self;
        let variable = |name: &str| call.environment.get(name).map_or("", String::as_str);
        let (package, version) = (variable("CARGO_PKG_NAME"), variable("CARGO_PKG_VERSION"));
        let files = source::program(call).map_or(0, |program| program.files().len().max(1));
        let dependencies = call.externs.iter().filter(|used| used.path.is_some()).count();
        write!(f, "package: {package} {version}, {} `{}`, ", call.form, call.name)?;
        write!(f, "{files} file{}, ", if files == 1 { "" } else { "s" })?;
        write!(f, "{dependencies} dependenc{}; ", if dependencies == 1 { "y" } else { "ies" })?;
        match what {
            What::Test(name) => write!(f, "the test `{name}` fails"),
            _ => write!(f, "`cargo {}` fails", verb.name()),
        }
    }
}
