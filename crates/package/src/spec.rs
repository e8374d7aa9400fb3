//! The settings for the reduction of a package, as plain values.

use std::ffi::OsString;
use std::path::PathBuf;

use mcve_transforms::Transform;

use mcve_reduce::failure::spec::FailureSpec;
use mcve_reduce::oracle::wanted::Wanted;
use mcve_reduce::output::Output;
use mcve_reduce::search::passes::schedule::Schedule;

/// The commands of cargo that are tried if none is named.
const VERBS: [Verb; 3] = [Verb::Check, Verb::Build, Verb::Test];

/// The lint prefixes of tools other than rustc, and the commands that show them.
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
    /// `cargo bench`
    Bench,
    /// `cargo clippy`
    Clippy,
    /// `cargo doc`, of the package alone
    Doc,
    /// `cargo run`
    Run,
}

impl Verb {
    /// Whether it runs tests or benchmarks, of which a name says which.
    pub fn has_names(self) -> bool {
        matches!(self, Self::Test | Self::Bench)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Build => "build",
            Self::Test => "test",
            Self::Bench => "bench",
            Self::Clippy => "clippy",
            Self::Doc => "doc",
            Self::Run => "run",
        }
    }
}

/// The versions of dependencies with which a package does not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassingVersions {
    /// Those of this lock file.
    LockFile(PathBuf),
    /// Those of the package's own lock file but for these dependencies, each a name and a version.
    Of(Vec<(String, String)>),
    /// Those with an older version of this dependency, which is looked for.
    OlderThan(String),
}

/// Options of cargo, each a word, such as `--locked` or `--package=NAME`.
#[derive(Clone, Debug, Default)]
pub struct CargoOptions(pub Vec<OsString>);

impl CargoOptions {
    /// Those of these names.
    pub(super) fn of(&self, names: &[&str]) -> Vec<OsString> {
        let name = |option: &OsString| option.to_string_lossy().split('=').next().map(str::to_owned);
        let is_wanted = |option: &&OsString| name(option).is_some_and(|name| names.contains(&&*name));
        self.0.iter().filter(is_wanted).cloned().collect()
    }

    /// Whether the option of this name is given.
    pub fn has(&self, name: &str) -> bool {
        !self.of(&[name]).is_empty()
    }

    /// The option that selects the profile, also in a package of the result: benchmarks are programs there.
    pub(super) fn profile(&self, verb: Verb) -> Vec<OsString> {
        let given = self.of(&["--release", "--profile"]).into_iter().next();
        given.or_else(|| (verb == Verb::Bench).then(|| "--release".into())).into_iter().collect()
    }
}

/// The settings for the reduction of a package.
pub struct PackageSpec {
    /// The command of cargo; none uses the first one that shows the failure.
    pub verb: Option<Verb>,
    /// A part of the name of the test that fails.
    pub name: Option<String>,
    /// Arguments of the program, lints, or options of the harness of tests.
    pub args: Vec<OsString>,
    /// Options of cargo.
    pub cargo: CargoOptions,
    /// The failure, as for a file. The file for the standard input can be read from any folder, and repeatedly.
    pub failure: FailureSpec,
    /// The versions of dependencies with which the package does not fail.
    pub passes_with: Option<PassingVersions>,
    /// Whether dependencies are kept.
    pub keep_package: bool,
    /// Files and items that are kept unchanged.
    pub keep: Vec<String>,
    /// The passes.
    pub schedule: Schedule,
    /// The transforms.
    pub transforms: Vec<&'static Transform>,
    /// The output; none writes a file named after the package to the current folder.
    pub output: Option<Output>,
}

impl PackageSpec {
    /// The commands of cargo to try, in this order.
    pub(super) fn verbs(&self) -> Vec<Verb> {
        let of_code = |code: &String| OF_TOOLS.iter().find(|(beginning, _)| code.starts_with(beginning));
        let of_code = self.failure.diagnostics.codes.iter().find_map(of_code).map(|(_, verb)| *verb);
        self.verb.or(of_code).map_or(VERBS.to_vec(), |verb| vec![verb])
    }

    /// The arguments for the test harness, clippy or the program.
    pub(super) fn forwarded(&self) -> Vec<OsString> {
        self.name.iter().map(OsString::from).chain(self.args.iter().cloned()).collect()
    }

    /// The wanted diagnostic of a compiler call, if one is asked for. For a program or a named test, the diagnostic is
    /// an additional condition instead.
    pub(super) fn diagnostics_of_call(&self) -> Option<&Wanted> {
        let wanted = &self.failure.diagnostics;
        let is_besides = self.verb == Some(Verb::Run) || self.name.is_some();
        (!wanted.is_empty() && !is_besides).then_some(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, verb: Option<Verb>, expected: &[Verb]) {
        let mut failure = FailureSpec::default();
        failure.diagnostics.codes = vec![code.to_owned()];
        let (name, args, cargo, keep, schedule, transforms, output, passes_with) = Default::default();
        let keep_package = false;
        let spec = PackageSpec {
            verb,
            name,
            args,
            cargo,
            failure,
            passes_with,
            keep_package,
            keep,
            schedule,
            transforms,
            output,
        };
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
