//! What a shell and `man` know of mcve: completions and manual pages, made from the definition of the command line.

use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use mcve_transforms::{families, transforms};

use super::command::Cli;
use super::exit::{Exit, Failed, failed};
use super::package_args::PackageArgs;
use mcve_reduce::search::passes::schedule::Schedule;

/// The arguments that name a transform, a family or a pass.
const NAMES: [&str; 4] = ["only", "skip", "name", "transform"];

/// The script that completes command lines in this shell.
pub(super) fn completions(shell: Shell) -> String {
    let command = with_names(Cli::command());
    let commands: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let mut command = commands.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_names));
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "mcve", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// A command that knows what its arguments may name.
fn with_names(command: Command) -> Command {
    let names = families().map(|family| family.name).chain(transforms().map(|transform| transform.name));
    let passes = Schedule::default().all().into_iter().map(|pass| pass.name);
    let mut names: Vec<&'static str> = names.chain(passes).collect();
    names.sort_unstable();
    names.dedup();
    let is_name = |arg: &Arg| NAMES.contains(&arg.get_id().as_str());
    command.mut_args(|arg| {
        if is_name(&arg) { arg.value_parser(PossibleValuesParser::new(names.iter().copied())) } else { arg }
    })
}

/// Writes the manual pages of all commands to a folder, which is made if it is not there.
pub(super) fn pages(folder: &Path) -> Result<Exit, Failed> {
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(PackageArgs::command().display_name("cargo-mcve"), folder)?;
        clap_mangen::generate_to(Cli::command(), folder)
    };
    write().map_err(|error| failed!(Output, "cannot write manual pages to {}: {error}", folder.display()))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_know_commands_options_and_transforms() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell] {
            let script = completions(shell);
            for word in ["generalise", "in-place"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }

    #[test]
    fn completions_know_transforms() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = completions(shell);
            for name in ["delete-item", "items", "rustc-hints"] {
                assert!(script.contains(name), "{shell}: {name}");
            }
        }
    }

    #[test]
    fn each_command_has_a_page() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        assert!(pages(&folder.path().join("man1")).is_ok());
        let read = |name: &str| std::fs::read_to_string(folder.path().join("man1").join(name)).expect("it is there");
        assert!(read("mcve.1").contains("isolate") && read("mcve-isolate.1").contains("\\-\\-grammar"));
        assert!(read("cargo-mcve.1").contains("manifest"));
    }
}
