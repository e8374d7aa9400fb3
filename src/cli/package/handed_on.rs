//! What a command of cargo hands on: the name of a test, and what follows `--`.

use std::ffi::OsString;

use super::args::{PackageArgs, Verb};

/// Options of the harness of tests that say which tests run.
const OF_HARNESS: [&str; 3] = ["--exact", "--ignored", "--include-ignored"];

/// Those that have a value, too.
const OF_HARNESS_WITH_VALUE: [&str; 2] = ["--skip", "--test-threads"];

/// The words that the harness of tests, clippy or the program gets.
pub(super) fn words(args: &PackageArgs) -> Vec<OsString> {
    args.name.iter().map(OsString::from).chain(args.args.iter().cloned()).collect()
}

/// Says which of these words cannot be handed on.
///
/// # Errors
/// With a sentence for the user.
pub(super) fn check(args: &PackageArgs) -> Result<(), String> {
    if let (Some(name), Some(verb)) = (&args.name, args.verb.filter(|verb| *verb != Verb::Test)) {
        let verb = verb.name();
        return Err(format!("`cargo mcve {verb}` takes no name: `cargo mcve test {name}` reduces a test of that name"));
    }
    if args.args.is_empty() {
        return Ok(());
    }
    match args.verb {
        Some(Verb::Run | Verb::Clippy) => Ok(()),
        Some(Verb::Test) => check_harness(&args.args),
        Some(verb) => Err(format!("`cargo mcve {}` takes nothing after `--`", verb.name())),
        None => Err("what follows `--` needs a command before it: test, clippy or run".to_owned()),
    }
}

fn check_harness(words: &[OsString]) -> Result<(), String> {
    let mut words = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        let is_with_value = |name: &&str| word.strip_prefix(*name).is_some_and(|rest| rest.starts_with('='));
        if OF_HARNESS_WITH_VALUE.contains(&&*word) {
            words.next();
        } else if word.starts_with('-')
            && !OF_HARNESS.contains(&&*word)
            && !OF_HARNESS_WITH_VALUE.iter().any(is_with_value)
        {
            let known = [&OF_HARNESS[..], &OF_HARNESS_WITH_VALUE].concat().join(", ");
            return Err(format!("`cargo mcve test` does not hand `{word}` to the tests; after `--` it takes {known}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// What is handed on of a command line, or why that is not possible.
    #[track_caller]
    fn handed_on(line: &str) -> Result<String, String> {
        let args = PackageArgs::try_parse_from(line.split(' ')).expect("it is right");
        check(&args).map(|()| words(&args).join(" ".as_ref()).into_string().expect("it is text"))
    }

    #[test]
    fn tests_programs_and_clippy_get_what_is_theirs() {
        for (line, expected) in [
            ("mcve test adds", "adds"),
            ("mcve test adds -- --exact --test-threads 1", "adds --exact --test-threads 1"),
            ("mcve test -- --ignored --skip=slow", "--ignored --skip=slow"),
            ("mcve run -- -v x", "-v x"),
            ("mcve clippy -- -D warnings", "-D warnings"),
            ("mcve build", ""),
        ] {
            assert_eq!(handed_on(line).as_deref(), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_nobody_takes_is_refused() {
        for (line, expected) in [
            ("mcve check adds", "`cargo mcve check` takes no name"),
            ("mcve build -- x", "`cargo mcve build` takes nothing after `--`"),
            ("mcve -- --ignored", "needs a command before it"),
            ("mcve test -- --nocapture", "does not hand `--nocapture` to the tests"),
            ("mcve test -- --skipped=x", "does not hand `--skipped=x` to the tests"),
        ] {
            let error = handed_on(line).expect_err(line);
            assert!(error.contains(expected), "{error}");
        }
    }
}
