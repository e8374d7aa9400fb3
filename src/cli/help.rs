//! The help: the options of a first day and the commands, or all options.

use std::ffi::OsString;

use clap::{Arg, ArgAction, CommandFactory};

use super::command::Cli;
use super::package_args::PackageArgs;

/// The options of `mcve` that most people need at first.
pub(super) const FIRST_DAY: &[&str] = &[
    "code", "message", "run", "test_name", "test", "issue", "output", "report", "in_place", "keep", "budget", "jobs",
    "quiet", "verbose",
];

/// Those of `cargo mcve`.
pub(super) const FIRST_DAY_OF_PACKAGES: &[&str] =
    &["package", "features", "code", "message", "output", "keep_package", "keep", "budget", "jobs", "quiet", "verbose"];

/// The option of the help that has all options.
const ALL: &str = "--help=all";

/// A command whose help shows only these of its options.
pub(super) fn first_day(command: clap::Command, options: &[&str]) -> clap::Command {
    let is_shown = |arg: &Arg| arg.is_positional() || options.contains(&arg.get_id().as_str());
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort);
    command
        .mut_args(|arg| if is_shown(&arg) { arg } else { arg.hide(true) })
        .disable_help_flag(true)
        .arg(help.help("Prints this; `--help=all` prints all options"))
}

/// The error that is the help with all options, if these words ask for it.
pub(super) fn all(words: &[OsString]) -> Option<clap::Error> {
    let asked = asks_all(words)?;
    let cli = Cli::command();
    let command = asked.into_iter().find(|word| cli.find_subcommand(word).is_some());
    let words = ["mcve"].into_iter().chain(command.as_deref()).chain(["--help"]);
    cli.clone().try_get_matches_from(words).err()
}

/// The same of `cargo mcve`.
pub(super) fn all_of_packages(words: &[OsString]) -> Option<clap::Error> {
    asks_all(words)?;
    PackageArgs::command().try_get_matches_from(["cargo mcve", "--help"]).err()
}

/// The words besides those that ask for the help with all options.
fn asks_all(words: &[OsString]) -> Option<Vec<String>> {
    let words = words.iter().skip(1).take_while(|word| *word != "--");
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    match &words[..] {
        [help, all] if help == "help" && all == "all" => Some(Vec::new()),
        _ if words.iter().any(|word| word == ALL) => Some(words),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(command: clap::Command, options: &[&str]) -> String {
        let longs = |command: &clap::Command| command.get_arguments().map(|arg| arg.get_id().to_string()).collect();
        let known: Vec<String> = longs(&command);
        options.iter().for_each(|option| assert!(known.iter().any(|id| id == option), "{option}"));
        let error = first_day(command, options).try_get_matches_from(["mcve", "--help"]).expect_err("it is the help");
        assert!(!error.use_stderr(), "{error}");
        error.to_string()
    }

    #[test]
    fn the_first_help_is_short_and_has_all_commands() {
        let text = help(Cli::command(), FIRST_DAY);
        assert!(text.contains("--budget") && text.contains("  isolate") && text.contains("--help=all"), "{text}");
        assert!(!text.contains("--grammar"), "{text}");
        assert!(help(PackageArgs::command(), FIRST_DAY_OF_PACKAGES).lines().count() < 60);
    }

    #[test]
    fn all_options_are_asked_for_by_two_ways() {
        let said = |line: &str| all(&line.split(' ').map(OsString::from).collect::<Vec<_>>()).map(|e| e.to_string());
        for line in ["mcve help all", "mcve --help=all", "mcve a.rs --help=all"] {
            assert!(said(line).is_some_and(|text| text.contains("--grammar")), "{line}");
        }
        assert!(said("mcve changes --help=all").is_some_and(|text| text.contains("--git")));
        assert_eq!((said("mcve --help"), said("mcve a.rs -- --help=all")), (None, None));
    }
}
