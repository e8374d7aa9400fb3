//! Hints for who types the words of another reducer. What they mean here is in `docs/coming-from.md`.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::Path;

use mcve_reduce::oracle::shell::quote;

/// Options of other reducers: what they are called there, whose they are, and what says the same here. An option that mcve has,
/// too, is none of them.
const OPTIONS: &[(&[&str], &str, &str)] = &[
    (
        &["--interesting-stderr", "--interesting-stdout", "--interesting-exit-code"],
        "treereduce and icemelter",
        "`--stderr REGEX`, `--stdout REGEX` or `--exit-code CODE`, with the command after `--`; several hold all together",
    ),
    (&["--uninteresting-stderr"], "treereduce and icemelter", "`--not-stderr REGEX`"),
    (&["--uninteresting-stdout"], "treereduce", "`--not-stdout REGEX`"),
    (&["-s", "--source"], "treereduce", "the file by itself: `mcve FILE -- COMMAND {}`"),
    (&["--stable", "--min-reduction", "--slow", "--passes"], "treereduce", "left out: every result is 1-minimal"),
    (&["--fast"], "treereduce", "`--budget TIME`, which ends with the best so far"),
    (&["--not-c"], "C-Reduce and C-Vise", "left out: mcve knows Rust, and takes other text as it is"),
    (&["-n", "--n"], "C-Reduce and C-Vise", "`--jobs N`"),
    (&["--tidy"], "C-Reduce and C-Vise", "left out: FILE stays as it is, and its copy is made only by `--in-place`"),
    (&["--shaddap"], "C-Reduce and C-Vise", "`--quiet`"),
    (&["--sllooww"], "C-Reduce and C-Vise", "left out: every result is 1-minimal"),
    (&["--also-interesting"], "C-Reduce and C-Vise", "a line in the script that copies the candidate"),
    (&["--remove-pass"], "C-Reduce and C-Vise", "`--skip NAME`"),
    (&["--start-with-pass"], "C-Reduce and C-Vise", "`--only NAME`"),
    (&["--list-passes"], "C-Vise", "`mcve list`"),
    (&["--commands"], "C-Vise", "`--test 'COMMANDS'`"),
    (&["--print-diff"], "C-Reduce and C-Vise", "`--verbose`, which names each step"),
    (&["--parallelism"], "Shrink Ray", "`--jobs N`"),
    (
        &["--input-type"],
        "Shrink Ray",
        "left out: a script finds the candidate as $1 and under its own name, not on its standard input",
    ),
    (&["--trivial-is-not-error"], "Shrink Ray", "`--force`"),
    (&["--testcase"], "lithium", "the file by itself: `mcve FILE`"),
    (&["--strategy"], "lithium", "left out; `--only NAME` takes some passes alone"),
    (&["--char"], "lithium", "left out: mcve goes from items to characters by itself"),
    (&["--script-path"], "cargo-minimize", "`--test SCRIPT`"),
    (&["--verify-fn"], "cargo-minimize", "`--message REGEX`, or `--test SCRIPT`"),
    (&["--extra-args"], "cargo-minimize", "the arguments of rustc after `--`"),
    (
        &["--cargo-subcmd"],
        "cargo-minimize",
        "`cargo mcve check`, `build`, `test`, `clippy`, `doc` or `run` in the package",
    ),
    (&["--markdown"], "icemelter", "left out: mcve writes the program, and the command that shows the failure"),
];

/// How files are called that are likely scripts.
const SCRIPTS: [&str; 4] = ["sh", "bash", "py", "pl"];

/// The meaning here of command-line words that mcve does not understand, if they are those of another reducer.
pub(super) fn misunderstood(words: &[OsString]) -> Option<String> {
    let own: Vec<&OsStr> = words.iter().skip(1).take_while(|word| *word != "--").map(OsString::as_os_str).collect();
    let mut hint = String::new();
    for word in own.iter().filter_map(|word| word.to_str()) {
        let name = word.split('=').next().unwrap_or(word);
        if let Some((_, tool, here)) = OPTIONS.iter().find(|(options, ..)| options.contains(&name)) {
            let _ = write!(hint, "\n  `{name}`, an option of {tool}, is here: {here}");
        }
    }
    if let Some((script, file)) = script_and_file(&own) {
        let (script, file) = (quote(script), quote(file));
        let _ = write!(hint, "\n  a script and then a file, as for C-Reduce, is here: `mcve {file} --test {script}`");
    }
    (!hint.is_empty()).then(|| format!("these words are another reducer's:{hint}"))
}

/// The likely meaning of words that mcve would understand differently.
pub(super) fn misleading(words: &[OsString]) -> Option<String> {
    let command: Vec<_> = words.iter().skip_while(|word| *word != "--").skip(1).collect();
    let has = |sign: &str| command.iter().find(|word| word.to_string_lossy().contains(sign));
    let marked = command.iter().find(|word| word.to_string_lossy().starts_with("@@"))?;
    has("{}").is_none().then(|| {
        let marked = marked.display();
        format!("`{marked}`, the candidate in a command of treereduce, is here: `{{}}`, a file with its own name")
    })
}

/// A script and a file among the words, in this order.
fn script_and_file<'a>(words: &[&'a OsStr]) -> Option<(&'a OsStr, &'a OsStr)> {
    let is_meant = |word: &Path| word.is_file() || is_script(word);
    let files: Vec<&OsStr> = words.iter().copied().filter(|word| is_meant(Path::new(word))).collect();
    let script = files.iter().position(|word| is_script(Path::new(word)))?;
    let file = files[script + 1..].iter().find(|word| !is_script(Path::new(word)))?;
    // Who names the script by its option has another trouble.
    let at = words.iter().position(|word| word == &files[script])?;
    (at == 0 || words[at - 1] != "--test").then_some((files[script], file))
}

fn is_script(path: &Path) -> bool {
    let is_named = path.extension().is_some_and(|end| SCRIPTS.iter().any(|known| end == *known));
    is_named || is_executable(path) && path.extension().is_none_or(|end| end != "rs")
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::command::Cli;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn an_option_of_mcve_is_no_option_of_another_reducer() {
        let mut cli = Cli::command();
        cli.build();
        for option in OPTIONS.iter().flat_map(|(options, ..)| *options) {
            let is_own = |arg: &clap::Arg| {
                arg.get_long().is_some_and(|long| *option == format!("--{long}"))
                    || arg.get_short().is_some_and(|short| *option == format!("-{short}"))
            };
            assert!(!cli.get_arguments().any(is_own), "{option}");
        }
    }

    #[test]
    fn each_foreign_option_has_its_line() {
        let hint =
            misunderstood(&words("mcve --interesting-stderr=x -s a.rs --n 2 -- rustc -s")).expect("there is one");
        assert_eq!(hint.lines().count(), 4, "{hint}");
        assert!(hint.contains("`--stderr REGEX`") && hint.contains("`--jobs N`"), "{hint}");
        assert_eq!(misunderstood(&words("mcve --no-such a.rs -- --n")), None);
    }

    #[test]
    fn the_sign_of_a_candidate_is_looked_for_in_the_command_alone() {
        assert!(misleading(&words("mcve a.rs -- rustc @@.rs")).is_some());
        assert_eq!(misleading(&words("mcve @@ -- rustc {} @@")), None);
        assert_eq!(misleading(&words("mcve a.rs -- @args")), None);
    }
}
