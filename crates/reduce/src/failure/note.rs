//! Notes on how a failure was found.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A note on how a failure was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The edition was chosen: by this manifest, or as the one with the fewest errors.
    Edition(&'static str, Option<PathBuf>),
    /// The newest edition in which the file fails was chosen, as the file compiles in the other edition.
    LaterEdition(&'static str, &'static str),
    /// Headers that are not followed.
    IgnoredHeaders(String),
    /// The program has several errors: the first one, which is kept, and their number.
    SeveralErrors(String, usize),
    /// Several tests fail, of which the first is kept: their number.
    SeveralTests(usize),
    /// A lint is kept, which may be right or wrong, and so may its suggestion, if it has one.
    LintAlone(bool),
    /// A run contradicts a lint, in these words.
    LintWrong(String),
    /// A crash hides errors; this configuration finds none, and the result will have none there.
    ValidIn(String),
    /// A feature is used that is not enabled: the attributes to add.
    MissingFeatures(String),
    /// The reason of the error, which the compiler gives on request, is kept as well.
    Reason(String),
    /// Another version of the program was found: the change, its line, and whether it is compiled before the program.
    Version(&'static str, usize, bool),
    /// What the compiler or the program uses.
    Used(String),
    /// The compiler hangs.
    Hang {
        /// It did not end within this time.
        limit: Duration,
        /// The processor time that candidates must take.
        bound: Duration,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edition(edition, Some(manifest)) => write!(f, "edition: {edition}, as {} says", manifest.display()),
            Self::Edition(edition, None) => {
                write!(f, "edition: {edition}, the newest one in which the file shows the fewest errors")
            }
            Self::LaterEdition(later, edition) => write!(
                f,
                "edition: {later}, the newest one in which the file fails; it compiles as edition {edition}; if it fails there when it is run: --run"
            ),
            Self::IgnoredHeaders(names) => write!(f, "headers that mcve does not follow: {names}"),
            Self::SeveralErrors(first, count) => write!(
                f,
                "{count} errors, of which the first is kept: {first}; choose another one by --at LINE, --code or --message"
            ),
            Self::SeveralTests(count) => {
                write!(f, "{count} tests fail, of which the first is kept; choose another one by --test-name NAME")
            }
            Self::LintAlone(false) => f.write_str(
                "mcve cannot tell a right warning from a wrong one, and keeps the warning; to keep a wrong one, name a compiler that does not report it: --passes-with +NAME",
            ),
            Self::LintAlone(true) => f.write_str(
                "the lint keeps the warning, right or wrong; to keep that its suggestion breaks the program: --suggestion fails",
            ),
            Self::LintWrong(words) => write!(f, "a run contradicts the lint: {words}; so does the result"),
            Self::ValidIn(config) => {
                write!(f, "the crash hides errors; {config} finds none, so the result will have none")
            }
            Self::MissingFeatures(attributes) => {
                write!(f, "a feature is used that is not enabled, an error beside the crash; to add: {attributes}")
            }
            Self::Version(change, line, is_first) => {
                let place = if *is_first { "before" } else { "after" };
                write!(f, "a version with one change in line {line} is compiled {place} the program: {change}")
            }
            Self::Hang { limit, bound } => write!(
                f,
                "rustc did not end within {}, so mcve treats this as a hang: a candidate must use {} of processor time; if rustc is only slow: --timeout TIME",
                humantime::format_duration(*limit),
                humantime::format_duration(*bound)
            ),
            Self::Used(usage) => write!(f, "the input takes {usage}"),
            Self::Reason(reason) => write!(f, "kept as well is {reason}, which rustc says once it is asked"),
        }
    }
}
