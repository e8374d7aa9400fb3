//! From the words of a command line to what they ask for: the toolchain, options before a command, and the rest by clap.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches};

use super::args::ReduceArgs;
use super::command::{Cli, Command};
use super::help::{FIRST_DAY, first_day};
use super::oracle_args::OracleArgs;

/// The toolchain and the command that a command line asks for.
pub(super) fn parse(words: &[OsString]) -> Result<(Option<String>, Command), clap::Error> {
    let (toolchain, matches, mut cli) = matched(words)?;
    // Either of the two is there and not both, which a derived `Option` of arguments with others inside cannot tell.
    let command = if matches.subcommand_name().is_some() {
        Command::from_arg_matches(&matches)
    } else {
        ReduceArgs::from_arg_matches(&matches).map(|args| Command::Reduce(Box::new(args)))
    };
    let command = command.map_err(|error| error.format(&mut cli))?;
    Ok((toolchain, command))
}

/// The arguments of a command line, if it is one of a reduction.
pub(super) fn reduction(words: &[OsString]) -> Option<Box<ReduceArgs>> {
    match parse(words) {
        Ok((_, Command::Reduce(args))) => Some(args),
        _ => None,
    }
}

/// The options of `mcve FILE` that say what the failure is, all at their defaults.
pub(super) fn usual_question() -> OracleArgs {
    reduction(&["mcve".into(), "x.rs".into()]).expect("it is a command line").oracle
}

/// Whether the user says nothing of the failure.
pub(super) fn is_usual(oracle: &OracleArgs) -> bool {
    format!("{oracle:?}") == format!("{:?}", usual_question())
}

/// The toolchain of a command line, and what clap finds in the rest of it.
pub(super) fn read(words: &[OsString]) -> Result<(Option<String>, ArgMatches), clap::Error> {
    matched(words).map(|(toolchain, matches, _)| (toolchain, matches))
}

fn matched(words: &[OsString]) -> Result<(Option<String>, ArgMatches, clap::Command), clap::Error> {
    let (toolchain, words) = toolchain(words.to_vec());
    let mut cli = first_day(Cli::command(), FIRST_DAY);
    // Only then it knows `--version` as well.
    cli.build();
    let words = command_first(words, &cli);
    let matches = cli.try_get_matches_from_mut(words)?;
    Ok((toolchain, matches, cli))
}

/// Takes a leading `+TOOLCHAIN` out of the words.
pub(super) fn toolchain(mut words: Vec<OsString>) -> (Option<String>, Vec<OsString>) {
    let name = words.get(1).and_then(|word| word.to_str()).and_then(|word| word.strip_prefix('+')).map(str::to_owned);
    if name.is_some() {
        words.remove(1);
    }
    (name, words)
}

/// Moves a command before the options that precede it: `mcve -q isolate a.rs` means `mcve isolate -q a.rs`.
fn command_first(mut words: Vec<OsString>, cli: &clap::Command) -> Vec<OsString> {
    let commands: Vec<_> = cli.get_subcommands().collect();
    let command_at = |index: &usize| {
        let named = commands.iter().find(|command| words[*index] == command.get_name());
        named.is_some_and(|command| are_options(&words[1..*index], command, cli))
    };
    if let Some(index) = (2..words.len()).find(command_at) {
        words[1..=index].rotate_right(1);
    }
    words
}

/// Whether these words are whole options, as `command` reads them, or else `cli` where the command has none of that name.
fn are_options(words: &[OsString], command: &clap::Command, cli: &clap::Command) -> bool {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(word) = word.to_str() else { return false };
        let takes_next = match word.strip_prefix("--") {
            // Behind it there are only arguments.
            Some("") => return false,
            Some(long) => {
                let name = long.split('=').next().unwrap_or(long);
                takes_value(command, cli, |arg| arg.get_long() == Some(name)).map(|takes| takes && name == long)
            }
            None => match word.strip_prefix('-') {
                Some(shorts) if !shorts.is_empty() => shorts_take_next(shorts, command, cli),
                _ => return false,
            },
        };
        match takes_next {
            Some(true) => {
                if words.next().is_none() {
                    return false;
                }
            }
            Some(false) => {}
            None => return false,
        }
    }
    true
}

/// Whether the last of the options of `-abc` takes the word behind them. None if there is no such option.
fn shorts_take_next(shorts: &str, command: &clap::Command, cli: &clap::Command) -> Option<bool> {
    for (index, short) in shorts.char_indices() {
        if takes_value(command, cli, |arg| arg.get_short() == Some(short))? {
            return Some(index + short.len_utf8() == shorts.len());
        }
    }
    Some(false)
}

/// Whether an option takes a value. None if there is no such option, or it asks for help, which is given at once.
fn takes_value(command: &clap::Command, cli: &clap::Command, is_it: impl Fn(&Arg) -> bool) -> Option<bool> {
    let others = cli.get_subcommands().flat_map(clap::Command::get_arguments);
    let mut args = command.get_arguments().chain(cli.get_arguments()).chain(others);
    match args.find(|arg| is_it(arg))?.get_action() {
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version => None,
        action => Some(action.takes_values()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let mut cli = Cli::command();
        cli.build();
        assert_eq!(command_first(words(line), &cli), words(expected));
    }

    #[test]
    fn options_may_stand_before_a_command() {
        check("mcve -q resume", "mcve resume -q");
        check("mcve -j1 isolate a.rs", "mcve isolate -j1 a.rs");
        check("mcve -j 1 isolate a.rs", "mcve isolate -j 1 a.rs");
        check("mcve -qj 1 isolate a.rs", "mcve isolate -qj 1 a.rs");
        check("mcve --message-format json reduce a.rs", "mcve reduce --message-format json a.rs");
        check("mcve --message-format=json reduce a.rs -q", "mcve reduce --message-format=json a.rs -q");
        check("mcve -o list reduce a.rs", "mcve reduce -o list a.rs");
        check("mcve --test ./t.sh -v repair a.rs -- -O", "mcve repair --test ./t.sh -v a.rs -- -O");
        check("mcve --git a..b changes --test t", "mcve changes --git a..b --test t");
        check("mcve --seed 1 --choices p.choices generate", "mcve generate --seed 1 --choices p.choices");
        check("mcve --choices reduce p.choices", "mcve reduce --choices p.choices");
        // An option that it does not have is for clap to refuse.
        check("mcve --in-place isolate a.rs", "mcve isolate --in-place a.rs");
        check("mcve -o out list", "mcve list -o out");
    }

    #[test]
    fn what_is_no_command_is_left_alone() {
        for line in [
            "mcve",
            "mcve list",
            "mcve isolate a.rs",
            "mcve a.rs list",
            "mcve -q a.rs",
            "mcve -q ./list",
            "mcve -o list a.rs",
            "mcve -qo list a.rs",
            "mcve --output list a.rs",
            "mcve --test list a.rs",
            "mcve --skip items,list a.rs",
            "mcve -- list",
            "mcve -q -- list",
            "mcve a.rs -- list",
            "mcve -o",
            "mcve -",
            "mcve - list",
            "mcve --no-such-option list",
            "mcve -z list",
            "mcve --help list",
            "mcve -V list",
        ] {
            check(line, line);
        }
    }

    #[test]
    fn a_toolchain_stands_first() {
        let (toolchain, command) = parse(&words("mcve +nightly -q isolate a.rs")).expect("it is right");
        assert_eq!(toolchain.as_deref(), Some("nightly"));
        assert!(
            matches!(command, Command::Isolate(args) if args.pair.output_args.quiet && args.pair.file == std::path::Path::new("a.rs"))
        );
        let (toolchain, command) = parse(&words("mcve -q a.rs")).expect("it is right");
        assert_eq!(toolchain, None);
        assert!(matches!(command, Command::Reduce(args) if args.run.output_args.quiet));
    }

    #[test]
    fn an_option_that_a_command_does_not_have_is_named() {
        for (line, option) in [("mcve --in-place isolate a.rs", "'--in-place'"), ("mcve -j1 list", "'-j'")] {
            let error = parse(&words(line)).expect_err("it has no such option").to_string();
            assert!(error.contains("unexpected argument") && error.contains(option), "{error}");
        }
    }
}
