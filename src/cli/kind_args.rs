//! The options by which a kind of failure is asked for, and what has to hold besides.

use std::time::Duration;

use clap::Args;
use regex::Regex;

use super::values::{duration, one_of};
use mcve_reduce::exec::limits::Memory;
use mcve_reduce::failure::config::CompilerConfig;
use mcve_reduce::failure::spec::{Bound, FailureSpec, Side, Unwanted};
use mcve_reduce::failure::tool::Tool;
use mcve_reduce::oracle::changed::suggestion::Certainty;
use mcve_reduce::oracle::wanted::Wanted;

/// Kinds of failure that have no test of rustc's suite and no parts to match.
pub(super) const WITHOUT_PARTS: [&str; 6] = ["hang", "slower_than", "memory_above", "differs", "prints", "expands_to"];

/// What is wrong with a suggestion.
const SUGGESTIONS: &[(&str, Certainty, &str)] = &[
    ("fails", Certainty::Certain, "The program breaks by one that is machine-applicable"),
    ("any-fails", Certainty::Any, "It breaks by any"),
];

/// The tools that can fail.
const TOOLS: &[(&str, Tool, &str)] = &[
    ("clippy", Tool::Clippy, "clippy's compiler"),
    ("rustdoc", Tool::Rustdoc, "rustdoc, which reads the program as documentation"),
    (
        "rustfmt",
        Tool::Rustfmt,
        "rustfmt: it crashes, its output is not stable, does not compile, or does something else",
    ),
    ("miri", Tool::Miri, "The interpreter Miri, on `main`"),
    ("rust-analyzer", Tool::RustAnalyzer, "rust-analyzer, which parses and highlights the file"),
];

/// What the failure can be, and what has to hold besides.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct KindArgs {
    /// The failure is not there with this toolchain, rustc, options or edition, such as `+1.80`, `-Copt-level=0` or
    /// `2018`.
    ///
    /// It is accepted, and does not fail where it is run. In a package also with this version of a dependency, such
    /// as `serde=1.0.1`, as with --passes-with-lock; `serde=older` looks for one. May be given several times.
    #[arg(long, value_name = "WAY", allow_hyphen_values = true, help_heading = "What the failure is")]
    pub(super) passes_with: Vec<CompilerConfig>,

    /// The failure is looked for with this toolchain, rustc, options or edition; given again, it fails with that as well.
    #[arg(long, value_name = "WAY", allow_hyphen_values = true, help_heading = "What the failure is")]
    pub(super) fails_with: Vec<CompilerConfig>,

    /// rustc does not end within so many seconds of processor time; with --run or --test-name, the program.
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = "What the failure is")]
    pub(super) hang: Option<Duration>,

    /// rustc ends, and takes more processor time than this; with --run or --test-name, the program does.
    ///
    /// A time; or, of rustc, so many times as much as an empty program or as with --passes-with, such as `3x`.
    #[arg(long, value_name = "TIME|Nx", value_parser = slowness, help_heading = "What the failure is")]
    pub(super) slower_than: Option<Bound>,

    /// rustc, or with --run or --test-name the program, has more memory than this.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "What the failure is")]
    pub(super) memory_above: Option<u64>,

    /// What rustc or --tool suggests for the warning or error that --lint, --code, --message or --at choose is wrong.
    ///
    /// The program does not compile with it, or with --run does something else. `any-fails`: also what may not be
    /// applied without a look.
    #[arg(long, value_parser = one_of(SUGGESTIONS), value_name = "fails|any-fails", help_heading = "What the failure is")]
    pub(super) suggestion: Option<Certainty>,

    /// Another tool than rustc fails.
    ///
    /// It crashes, reports what --lint, --code or --message say, or (rustfmt) changes what the file does.
    #[arg(long, value_name = "TOOL", value_parser = one_of(TOOLS), help_heading = "What the failure is")]
    pub(super) tool: Option<Tool>,

    /// A regex that the program matches once its macros are expanded.
    #[arg(long, value_name = "REGEX", help_heading = "What the failure is")]
    pub(super) expands_to: Option<Regex>,

    /// A text that the program prints when it is run. It also has to end in the same way.
    #[arg(long, value_name = "TEXT", help_heading = "What the failure is")]
    pub(super) prints: Option<String>,

    /// The program prints something else, or exits otherwise, when it is compiled in this way.
    ///
    /// Or than this line for the shell prints, in which `{}` is the program. Given twice, the two are compared.
    #[arg(long, value_name = "WAY|COMMAND", value_parser = side, allow_hyphen_values = true, help_heading = "What the failure is")]
    pub(super) differs: Vec<Side>,

    /// What must not hold: `code=E0308`, `lint=NAME`, `message=REGEX`, `passes-with=WAY`, `prints=TEXT` or
    /// `expands-to=REGEX`. May be given several times.
    #[arg(long, value_name = "KIND=VALUE", value_parser = unwanted, help_heading = "What the failure is")]
    pub(super) not: Vec<Unwanted>,
}

impl KindArgs {
    /// How much is too much, of all that was asked for.
    fn bounds(&self) -> Vec<Bound> {
        let hang = self.hang.map(Bound::Hangs);
        hang.into_iter().chain(self.slower_than).chain(self.memory_above.map(Bound::Memory)).collect()
    }

    /// Adds what was asked for to `spec`.
    pub(super) fn add_to(&self, spec: FailureSpec) -> FailureSpec {
        FailureSpec {
            passes_with: self.passes_with.clone(),
            fails_with: self.fails_with.clone(),
            bounds: self.bounds(),
            suggestion: self.suggestion,
            tool: self.tool,
            expands_to: self.expands_to.clone(),
            prints: self.prints.clone(),
            differs: self.differs.clone(),
            unwanted: self.not.clone(),
            ..spec
        }
    }
}

fn side(text: &str) -> Result<Side, String> {
    if text.contains("{}") { Ok(Side::Command(text.to_owned())) } else { text.parse().map(Side::Config) }
}

fn unwanted(text: &str) -> Result<Unwanted, String> {
    let (kind, value) = text.split_once('=').ok_or("--not takes KIND=VALUE, such as code=E0308")?;
    let regex = || Regex::new(value).map_err(|error| error.to_string());
    Ok(match kind {
        "code" | "lint" => Unwanted::Says(Wanted { codes: vec![value.to_owned()], ..Wanted::default() }),
        "message" => Unwanted::Says(Wanted { messages: vec![regex()?], ..Wanted::default() }),
        "passes-with" => Unwanted::Accepted(value.parse()?),
        "prints" => Unwanted::Prints(value.to_owned()),
        "expands-to" => Unwanted::Expands(regex()?),
        _ => {
            return Err(format!("`{kind}` is none of code, lint, message, passes-with, prints and expands-to"));
        }
    })
}

/// A size in bytes, which is a limit.
fn size(text: &str) -> Result<u64, String> {
    let Memory(bytes) = text.parse()?;
    bytes.ok_or_else(|| "it is a size, such as `2G`".to_owned())
}

/// A time in whole seconds, as the system counts processor time.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    Ok(Duration::from_secs(time.as_secs_f64().ceil() as u64))
}

fn slowness(text: &str) -> Result<Bound, String> {
    match text.strip_suffix('x').map(str::parse::<f64>) {
        Some(Ok(times)) if times > 1.0 && times.is_finite() => Ok(Bound::Times(times)),
        Some(_) => Err("the factor must be greater than 1, such as `3x`".to_owned()),
        None => duration(text).map(Bound::Slower),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_or_multiples() {
        assert_eq!(seconds("1500ms"), Ok(Duration::from_secs(2)));
        assert_eq!(slowness("2.5x"), Ok(Bound::Times(2.5)));
        assert_eq!(slowness("2s"), Ok(Bound::Slower(Duration::from_secs(2))));
        for text in ["x", "1x", "-3x", "infx", "0", "soon"] {
            assert!(slowness(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_must_not_hold_has_a_kind() {
        assert!(matches!(unwanted("code=E0308"), Ok(Unwanted::Says(_))));
        assert!(matches!(unwanted("prints=a=b"), Ok(Unwanted::Prints(text)) if text == "a=b"));
        for text in ["E0308", "cod=E0308", "message=("] {
            assert!(unwanted(text).is_err(), "{text}");
        }
    }
}
