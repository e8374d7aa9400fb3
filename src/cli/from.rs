//! `mcve --from STEP`: goes on from a step that `--history` kept, as the run was asked.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;
use clap::error::ErrorKind;

use super::argv::{parse, toolchain};
use super::exit::{Exit, Failed, OrExit, failed};
use crate::report::history::begun;
use mcve_reduce::output::folder;

/// The whole command line: where these words name a step and no file, that of the run which kept the step, with these words added.
/// Fails when the step is missing, `command.json` is missing beside it, or its run was begun in another folder.
pub(super) fn whole(words: Vec<OsString>) -> Result<Vec<OsString>, Failed> {
    let Some(step) = step(&words) else { return Ok(words) };
    if parse(&words).err().map(|error| error.kind()) != Some(ErrorKind::MissingRequiredArgument) {
        return Ok(words);
    }
    let shown = step.display();
    let step = step.canonicalize().with_context(|| format!("cannot read {shown}")).or_exit(Exit::Input)?;
    let unknown = || format!("{shown} is not a step of a history: its folder has no command.json of mcve");
    let begun = begun(folder(&step)).with_context(unknown).or_exit(Exit::Input)?;
    let (own_toolchain, own) = toolchain(words);
    let (toolchain, mut words) = toolchain(begun.words.iter().map(OsString::from).collect());
    if std::env::current_dir().ok().as_ref() != Some(&begun.folder) {
        return Err(failed!(Usage, "its run was begun in {}: go there, or name the file", begun.folder.display()));
    }
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.splice(end..end, own.into_iter().skip(1));
    if let Some(name) = own_toolchain.or(toolchain) {
        words.insert(1, format!("+{name}").into());
    }
    Ok(words)
}

/// The step that `--from` names.
fn step(words: &[OsString]) -> Option<PathBuf> {
    let own: Vec<&OsString> = words.iter().take_while(|word| *word != "--").collect();
    let at = own.iter().position(|word| word.to_string_lossy().starts_with("--from"))?;
    match own[at].to_str()?.strip_prefix("--from=") {
        Some(path) => Some(path.into()),
        None => own.get(at + 1).map(PathBuf::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::begun::Begun;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_step_becomes_the_command_line_of_its_run() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let path = place.path().canonicalize().expect("it is there");
        std::fs::write(path.join("0007.rs"), "fn f() {}").expect("it can be written");
        let from = format!("--from={}", path.join("0007.rs").display());
        assert!(whole(words(&format!("mcve {from}"))).is_err(), "nothing says how it was begun");
        let folder = std::env::current_dir().expect("it is there");
        let begun = Begun { words: vec!["mcve".into(), "a.rs".into(), "--".into(), "-O".into()], folder };
        std::fs::write(path.join("command.json"), serde_json::to_string(&begun).expect("it is text")).expect("it can");
        let whole = |line: String| super::whole(words(&line)).expect("it is known");
        assert_eq!(whole(format!("mcve {from} -o /x.rs")), words(&format!("mcve a.rs {from} -o /x.rs -- -O")));
        assert_eq!(whole(format!("mcve +beta {from}")), words(&format!("mcve +beta a.rs {from} -- -O")));
        assert_eq!(whole(format!("mcve b.rs {from}")), words(&format!("mcve b.rs {from}")));
    }
}
