//! What is checked of a run with the real rustc, and a shell into which its command is pasted.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

/// Runs mcve with these variables.
#[track_caller]
pub(crate) fn run(place: &TestFolder, args: &[&str], env: &[(&str, &str)]) -> Said {
    let said = Said::by(place.mcve(args).envs(env.iter().copied()));
    assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
    place.assert_clean();
    said
}

/// What a shell says when a line is pasted into it.
pub(crate) fn paste(place: &TestFolder, line: &str) -> Said {
    // The command of a script makes a folder that stays.
    let shell = tempfile::tempdir().expect("a folder can be made");
    Said::by(place.command("sh").args(["-c", line]).env("TMPDIR", shell.path()))
}

/// Checks that mcve reduces a little, and that its command shows `failure` in a shell.
#[track_caller]
pub(crate) fn reduces(place: &TestFolder, args: &[&str], env: &[(&str, &str)], failure: &str, result: &str) -> Said {
    reduces_to_the_end(place, &[brief(), args].concat(), env, failure, result)
}

/// Checks that mcve reduces, and that its command shows `failure` in a shell.
#[track_caller]
pub(crate) fn reduces_to_the_end(
    place: &TestFolder,
    args: &[&str],
    env: &[(&str, &str)],
    failure: &str,
    result: &str,
) -> Said {
    let said = run(place, args, env).exits(Exit::Done);
    let line = said.see_it().expect("there is a result");
    let shown = paste(place, line).all();
    assert!(shown.contains(failure), "{line}\n{shown}");
    assert!(!place.read(result).trim().is_empty());
    said
}

/// Checks that mcve refuses with `exit` and says all of `words`, and leaves no result.
#[track_caller]
pub(crate) fn refuses(place: &TestFolder, args: &[&str], exit: Exit, words: &[&str]) {
    run(place, args, &[]).exits(exit).says(words);
    assert!(place.names().iter().all(|name| !name.contains("_mcve")), "{:?}", place.names());
}
