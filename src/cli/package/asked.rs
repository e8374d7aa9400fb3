//! What is asked for of a package by the options that a file has, too.

use super::args::{PackageArgs, Verb};
use crate::oracle::wanted::Wanted;

/// The commands of cargo that are tried where none is named.
const VERBS: [Verb; 3] = [Verb::Check, Verb::Build, Verb::Test];

/// How the lints begin that another tool than rustc has, and the command that shows them.
const OF_TOOLS: [(&str, Verb); 2] = [("clippy::", Verb::Clippy), ("rustdoc::", Verb::Doc)];

/// The commands of cargo to try, in this order.
pub(super) fn verbs(args: &PackageArgs) -> Vec<Verb> {
    let of_lint = |lint: &String| OF_TOOLS.iter().find(|(beginning, _)| lint.starts_with(beginning));
    let of_lint = args.failure.lint.iter().find_map(of_lint).map(|(_, verb)| *verb);
    args.verb.or(of_lint).map_or(VERBS.to_vec(), |verb| vec![verb])
}

/// What the call of the compiler has to say that is looked for, where that is said. Of a program or a named test that fails it has to hold
/// besides.
pub(super) fn of_call(args: &PackageArgs) -> Option<Wanted> {
    let wanted = args.failure.wanted_diagnostics();
    let is_besides = args.verb == Some(Verb::Run) || args.name.is_some();
    (!wanted.is_empty() && !is_besides).then_some(wanted)
}

/// Whether a program that is run has to do something that cargo does not call a failure.
pub(super) fn is_of_run(args: &PackageArgs) -> bool {
    let kinds = &args.failure.kinds;
    kinds.prints.is_some() || !kinds.differs.is_empty() || !kinds.bounds().is_empty()
}

/// Says which options make no sense together.
///
/// # Errors
/// With a sentence for the user.
pub(super) fn check(args: &PackageArgs) -> Result<(), String> {
    let failure = &args.failure;
    let runs = matches!(args.verb, Some(Verb::Run | Verb::Test));
    let wrong = if let Some(tool) = failure.kinds.tool {
        let verb = if tool.program() == "rustdoc" { "doc" } else { "clippy" };
        format!("--tool is for a file: of a package the command names the tool, such as `cargo mcve {verb}`")
    } else if failure.kinds.hang.is_some() {
        "--hang is for a file: cargo itself would not end".to_owned()
    } else if is_of_run(args) && args.verb != Some(Verb::Run) {
        "--prints, --differs, --slower-than and --memory-above need the program of `cargo mcve run`".to_owned()
    } else if failure.stdin.is_some() && !runs {
        "--stdin needs a program or a test: `cargo mcve run` or `cargo mcve test`".to_owned()
    } else if failure.strictness.is_some() && args.verb == Some(Verb::Run) {
        "--match is about what the compiler says, and `cargo mcve run` runs the program".to_owned()
    } else {
        return Ok(());
    };
    Err(wrong)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    fn args(line: &str) -> PackageArgs {
        PackageArgs::try_parse_from(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn the_definition_is_consistent() {
        PackageArgs::command().debug_assert();
    }

    #[test]
    fn the_command_is_the_one_that_shows_the_lint() {
        for (line, expected) in [
            ("mcve", &VERBS[..]),
            ("mcve --code E0308", &VERBS),
            ("mcve --lint unused_mut", &VERBS),
            ("mcve --lint clippy::needless_return", &[Verb::Clippy]),
            ("mcve --lint rustdoc::broken_intra_doc_links", &[Verb::Doc]),
            ("mcve build --lint clippy::needless_return", &[Verb::Build]),
        ] {
            assert_eq!(verbs(&args(line)), expected, "{line}");
        }
    }

    #[test]
    fn options_that_need_another_command_are_refused() {
        for (line, expected) in [
            ("mcve --tool clippy", "`cargo mcve clippy`"),
            ("mcve --tool rustdoc", "`cargo mcve doc`"),
            ("mcve run --hang 1s", "--hang is for a file"),
            ("mcve --stdin a.txt", "--stdin needs a program or a test"),
            ("mcve check --stdin a.txt", "--stdin needs a program or a test"),
            ("mcve test --prints x", "need the program of `cargo mcve run`"),
            ("mcve run --match code", "--match is about what the compiler says"),
        ] {
            let error = check(&args(line)).expect_err(line);
            assert!(error.contains(expected), "{error}");
        }
        for line in ["mcve run --stdin a.txt", "mcve test adds --stdin a.txt --code E0308", "mcve run --prints x"] {
            assert_eq!(check(&args(line)), Ok(()), "{line}");
        }
    }
}
