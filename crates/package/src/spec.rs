//! What of a package is to be reduced, as plain values.

use std::ffi::OsString;

use mcve_transforms::Transform;

use mcve_reduce::failure::spec::FailureSpec;
use mcve_reduce::oracle::wanted::Wanted;
use mcve_reduce::output::Output;
use mcve_reduce::search::passes::schedule::Schedule;

/// The commands of cargo that are tried where none is named.
const VERBS: [Verb; 3] = [Verb::Check, Verb::Build, Verb::Test];

/// How the lints begin that another tool than rustc has, and the command that shows them.
const OF_TOOLS: [(&str, Verb); 2] = [("clippy::", Verb::Clippy), ("rustdoc::", Verb::Doc)];

/// A command of cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `cargo check`
    Check,
    /// `cargo build`
    Build,
    /// `cargo test`
    Test,
    /// `cargo clippy`
    Clippy,
    /// `cargo doc`, of the package alone
    Doc,
    /// `cargo run`
    Run,
}

impl Verb {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Build => "build",
            Self::Test => "test",
            Self::Clippy => "clippy",
            Self::Doc => "doc",
            Self::Run => "run",
        }
    }
}

/// Options of cargo.
#[derive(Clone, Debug, Default)]
pub struct CargoOptions {
    /// All of them.
    pub all: Vec<OsString>,
    /// Those that name the workspace.
    pub workspace: Vec<OsString>,
    /// Those that say whether cargo may change `Cargo.lock` and download.
    pub lock_file: Vec<OsString>,
    /// Whether `Cargo.lock` has to stay as it is.
    pub is_locked: bool,
}

/// What of a package is to be reduced, and how.
pub struct PackageSpec {
    /// The command of cargo; none: the first one that shows the failure.
    pub verb: Option<Verb>,
    /// A part of the name of the test that fails.
    pub name: Option<String>,
    /// Arguments of the program, lints, or options of the harness of tests.
    pub args: Vec<OsString>,
    /// Options of cargo.
    pub cargo: CargoOptions,
    /// The failure, as of a file. The file for the standard input can be read from any folder, and again.
    pub failure: FailureSpec,
    /// Whether dependencies stay.
    pub keep_package: bool,
    /// Files and items that stay as they are.
    pub keep: Vec<String>,
    /// The passes.
    pub schedule: Schedule,
    /// The transforms.
    pub transforms: Vec<&'static Transform>,
    /// Where the result goes; none: to a file that has the name of the package, in the current folder.
    pub output: Option<Output>,
}

impl PackageSpec {
    /// The commands of cargo to try, in this order.
    pub(super) fn verbs(&self) -> Vec<Verb> {
        let of_code = |code: &String| OF_TOOLS.iter().find(|(beginning, _)| code.starts_with(beginning));
        let of_code = self.failure.diagnostics.codes.iter().find_map(of_code).map(|(_, verb)| *verb);
        self.verb.or(of_code).map_or(VERBS.to_vec(), |verb| vec![verb])
    }

    /// The words that the harness of tests, clippy or the program gets.
    pub(super) fn forwarded(&self) -> Vec<OsString> {
        self.name.iter().map(OsString::from).chain(self.args.iter().cloned()).collect()
    }

    /// The diagnostic of a call of the compiler that is looked for, where one is asked for. Of a program or a named test that fails it
    /// has to hold besides.
    pub(super) fn diagnostics_of_call(&self) -> Option<&Wanted> {
        let wanted = &self.failure.diagnostics;
        let is_besides = self.verb == Some(Verb::Run) || self.name.is_some();
        (!wanted.is_empty() && !is_besides).then_some(wanted)
    }

    /// Whether a program that is run has to do something that cargo does not call a failure.
    #[must_use]
    pub fn is_of_run(&self) -> bool {
        let FailureSpec { prints, differs, bounds, .. } = &self.failure;
        prints.is_some() || !differs.is_empty() || !bounds.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, verb: Option<Verb>, expected: &[Verb]) {
        let mut failure = FailureSpec::default();
        failure.diagnostics.codes = vec![code.to_owned()];
        let (name, args, cargo, keep, schedule, transforms, output) = Default::default();
        let keep_package = false;
        let spec = PackageSpec { verb, name, args, cargo, failure, keep_package, keep, schedule, transforms, output };
        assert_eq!(spec.verbs(), expected, "{code}");
    }

    #[test]
    fn the_command_is_the_one_that_shows_the_lint() {
        check("E0308", None, &VERBS);
        check("unused_mut", None, &VERBS);
        check("clippy::needless_return", None, &[Verb::Clippy]);
        check("rustdoc::broken_intra_doc_links", None, &[Verb::Doc]);
        check("clippy::needless_return", Some(Verb::Build), &[Verb::Build]);
    }
}
