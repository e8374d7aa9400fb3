//! Hints for words that are nearly those of mcve: a command with a slip, an option of rustc before the `--`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::CommandFactory;
use strsim::levenshtein;

use super::command::Cli;
use mcve_reduce::oracle::shell;

/// Options of rustc, and whether a value follows as the next word.
const OF_RUSTC: [(&str, bool); 16] = [
    ("--edition", true),
    ("--crate-type", true),
    ("--crate-name", true),
    ("--cfg", true),
    ("--check-cfg", true),
    ("--extern", true),
    ("--emit", true),
    ("--target", true),
    ("--cap-lints", true),
    ("-O", false),
    ("-g", false),
    ("-C", true),
    ("-Z", true),
    ("-A", true),
    ("-W", true),
    ("-D", true),
];

/// A name with so many slips may still be meant.
const SLIPS: usize = 2;

/// The command that is likely meant where the first word is no command and no file.
pub(super) fn command(words: &[OsString]) -> Option<String> {
    let word = words.get(1)?.to_str()?;
    if word.starts_with(['-', '+']) || word.contains(['.', '/']) || Path::new(word).exists() {
        return None;
    }
    let cli = Cli::command();
    let names = cli.get_subcommands().map(|command| (levenshtein(word, command.get_name()), command.get_name()));
    let (slips, name) = names.min()?;
    if slips == 0 || slips > SLIPS.min(word.len() / 3) {
        return None;
    }
    Some(format!("`{word}` is no file and no command: did you mean `mcve {name}`?"))
}

/// The command line that is likely meant where options of rustc stand before the `--`.
pub(super) fn rustc_options(words: &[OsString]) -> Option<String> {
    let (mut own, mut moved): (Vec<&OsStr>, Vec<&OsStr>) = (Vec::new(), Vec::new());
    let mut rest = words.iter().skip(1).map(OsString::as_os_str);
    while let Some(word) = rest.next().filter(|word| *word != "--") {
        let text = word.to_str().unwrap_or_default();
        let name = if text.starts_with("--") { text.split('=').next().unwrap_or(text) } else { text };
        // The value of a short option may be part of the word.
        let is_short = |option: &str| !option.starts_with("--") && text.starts_with(option);
        match OF_RUSTC.iter().find(|(option, _)| *option == name || is_short(option)) {
            Some((option, takes_value)) => {
                moved.push(word);
                moved.extend(if *takes_value && text == *option { rest.next() } else { None });
            }
            None => own.push(word),
        }
    }
    let first = moved.first()?.display().to_string();
    moved.extend(rest);
    let (own, moved) = (shell::line(own), shell::line(moved));
    Some(format!("`{first}` is an option of rustc, which stands behind `--`: `mcve {own} -- {moved}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_command_with_a_slip_is_known() {
        let meant = |line: &str| command(&words(line)).and_then(|said| Some(said.split("mcve ").nth(1)?.to_owned()));
        for (line, name) in [("mcve reduc a.rs", "reduce"), ("mcve isolat a.rs", "isolate"), ("mcve resme", "resume")] {
            assert_eq!(meant(line), Some(format!("{name}`?")), "{line}");
        }
        for line in ["mcve", "mcve -q", "mcve a.rs", "mcve resume", "mcve +nightly", "mcve input"] {
            assert_eq!(meant(line), None, "{line}");
        }
    }

    #[test]
    fn options_of_rustc_move_behind_the_dashes() {
        let check = |line: &str, meant: Option<&str>| {
            let said = rustc_options(&words(line));
            assert_eq!(said.as_deref().and_then(|said| said.split(": `").nth(1)), meant, "{line}");
        };
        check("mcve a.rs --edition 2021", Some("mcve a.rs -- --edition 2021`"));
        check("mcve --edition=2021 a.rs -O -q", Some("mcve a.rs -q -- --edition=2021 -O`"));
        check("mcve a.rs -Zunpretty=mir -- -g", Some("mcve a.rs -- -Zunpretty=mir -g`"));
        check("mcve a.rs -q -- --edition 2021", None);
    }
}
