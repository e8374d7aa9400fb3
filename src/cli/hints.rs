//! Hints for words that are nearly those of mcve: a command with a slip, an option of rustc before the `--`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::CommandFactory;
use strsim::levenshtein;

use super::command::Cli;
use super::oracle_args::rustc_option;
use mcve_reduce::oracle::shell;

/// A name with so many slips may still be meant.
const SLIPS: usize = 2;

/// A hint for a first word that is neither a command nor a file.
pub(super) fn command(words: &[OsString]) -> Option<String> {
    let mut words = words.iter().skip(1).skip_while(|word| word.to_string_lossy().starts_with('+'));
    let word = words.next()?.to_str()?;
    if word.starts_with('-') || word.contains(['.', '/']) || Path::new(word).exists() {
        return None;
    }
    let cli = Cli::command();
    let (slips, name) = nearest(word, cli.get_subcommands().map(clap::Command::get_name).chain(["help"]))?;
    let next = words.next().filter(|word| !word.to_string_lossy().starts_with('-'));
    let is_slip = slips <= SLIPS.min(word.len() / 3);
    if slips == 0 || cli.get_subcommands().any(|command| command.get_all_aliases().any(|alias| alias == word)) {
        return None;
    }
    let mut hint = format!("no such command: `{word}`.");
    if slips <= word.len() / 2 {
        hint += &format!(" Did you mean `mcve {name}`?");
    }
    // A lone word may be a file that is missing.
    match next.map(|file| (Path::new(file).is_file(), shell::quote(file))) {
        _ if is_slip => Some(hint),
        Some((true, file)) => Some(format!("{hint} `mcve {file}` reduces the file; `mcve help` lists all commands")),
        Some((false, file)) => Some(format!("{hint} {file} is not a file either; `mcve help` lists all commands")),
        None => None,
    }
}

/// The name that is nearest to a word, and by how many slips it differs.
pub(super) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<(usize, &'n str)> {
    names.map(|name| (levenshtein(word, name), name)).min()
}

/// What two files are likely meant for.
pub(super) fn two_files(words: &[OsString]) -> Option<String> {
    let [_, first, second] = words else { return None };
    let are_files = [first, second].into_iter().all(|file| {
        let path = Path::new(file);
        path.is_file() || path.extension().is_some_and(|end| end == "rs")
    });
    let absent = [first, second].into_iter().find(|file| !Path::new(file).is_file());
    let absent = absent.map(|file| format!("{} is not there; ", shell::quote(file))).unwrap_or_default();
    let [first, second] = [first, second].map(shell::quote);
    are_files.then(|| {
        format!(
            "{absent}one file is reduced, with its modules: name the root; where {second} passes: `mcve {first} --fixed {second}`; where {first} is compiled before it, incrementally: `mcve --incremental {first} {second}`"
        )
    })
}

/// The command line that is likely meant where options of rustc stand before the `--`.
pub(super) fn rustc_options(words: &[OsString]) -> Option<String> {
    let (mut own, mut moved): (Vec<&OsStr>, Vec<&OsStr>) = (Vec::new(), Vec::new());
    let mut rest = words.iter().skip(1).map(OsString::as_os_str);
    while let Some(word) = rest.next().filter(|word| *word != "--") {
        match rustc_option(word) {
            Some((option, takes_value)) => {
                moved.push(word);
                moved.extend(if takes_value && word == option { rest.next() } else { None });
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
        let meant = |line: &str| {
            let said = command(&words(line))?;
            assert!(said.starts_with("no such command: `"), "{said}");
            Some(said.split(['`', ' ']).skip_while(|word| *word != "mcve").nth(1)?.to_owned())
        };
        for (line, name) in [
            ("mcve reduuce a.rs", "reduce"),
            ("mcve isolat a.rs", "isolate"),
            ("mcve resme", "resume"),
            ("mcve +nightly reduc a.rs", "reduce"),
            ("mcve repoort a.rs", "report"),
        ] {
            assert_eq!(meant(line).as_deref(), Some(name), "{line}");
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

    #[test]
    fn a_second_file_that_is_missing_is_named() {
        let said = |line: &str| two_files(&words(line)).map(|said| said.contains("b.rs is not there; one file is"));
        assert_eq!(said("mcve src/lib.rs b.rs"), Some(true));
        assert_eq!(said("mcve src/lib.rs src/main.rs"), Some(false));
        assert_eq!(said("mcve src/lib.rs b"), None);
    }
}
