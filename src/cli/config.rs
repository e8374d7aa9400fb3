//! Defaults of options from a file: `mcve.toml`, or `[package.metadata.mcve]` in a `Cargo.toml`. A foreign folder may hold such a
//! file, so it sets only what can do no harm.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory};
use toml::{Table, Value};

use super::args::ReduceArgs;
use super::argv;
use super::command::{Cli, Command};
use super::exit::{Failed, failed};
use super::hints;
use mcve_reduce::output::folder;
use mcve_reduce::program::read_regular;

/// The options that a file may set, by their long names, besides [`TOOLCHAIN`]. None runs, reads or writes what the user does not
/// name, weakens the sandbox, or says what the failure is.
const ALLOWED: [&str; 12] = [
    "allow-errors", "budget", "jobs", "keep", "no-carve", "no-fork-server", "no-pair", "only", "runs", "skip",
    "timeout", "verbose",
];

/// The key for `+TOOLCHAIN`.
const TOOLCHAIN: &str = "toolchain";

/// The name of the file.
const FILE: &str = "mcve.toml";

/// A file with defaults.
pub(super) struct Config {
    path: PathBuf,
    table: Table,
}

/// A command line with the defaults of the file that holds for it, and a note on that file.
pub(super) struct Defaulted {
    pub(super) words: Vec<OsString>,
    pub(super) note: Option<String>,
}

/// A command line with defaults in it, its toolchain and its arguments.
pub(super) type Applied = (Vec<OsString>, Option<String>, Box<ReduceArgs>);

/// A reduction as the words and the file with defaults ask for it.
/// Fails when the file sets what it may not, or what mcve does not know.
pub(super) fn reduction(
    words: Vec<OsString>,
    toolchain: Option<String>,
    args: Box<ReduceArgs>,
) -> Result<Applied, Failed> {
    if args.run.no_config {
        return Ok((words, toolchain, args));
    }
    let Some(config) = find(if args.file.is_dir() { &args.file } else { folder(&args.file) })? else {
        return Ok((words, toolchain, args));
    };
    let (toolchain, matches) = argv::read(&words).map_err(|error| failed!(Usage, "{error}"))?;
    let matches = matches.subcommand().map_or(&matches, |(_, matches)| matches);
    let at = 1 + usize::from(toolchain.is_some());
    let at = at + usize::from(words.get(at).is_some_and(|word| word == "reduce"));
    let Defaulted { words, note } = config.apply(words, at, toolchain.is_some(), &reduce(), matches)?;
    match argv::parse(&words) {
        Ok((toolchain, Command::Reduce(mut args))) => {
            args.run.defaults = note;
            Ok((words, toolchain, args))
        }
        Ok(_) => Ok((words, toolchain, args)),
        Err(error) => Err(wrong(note, &error)),
    }
}

/// Whether the command line, which wins, gives this option or one that excludes it.
fn is_decided(arg: &Arg, command: &clap::Command, matches: &ArgMatches) -> bool {
    let excludes =
        |one: &Arg, other: &Arg| command.get_arg_conflicts_with(one).iter().any(|it| it.get_id() == other.get_id());
    let is_given = |it: &&Arg| matches.value_source(it.get_id().as_str()) == Some(ValueSource::CommandLine);
    let mut given = command.get_arguments().filter(is_given);
    given.any(|it| it.get_id() == arg.get_id() || excludes(it, arg) || excludes(arg, it))
}

/// Why the words are wrong with the defaults of a file.
pub(super) fn wrong(note: Option<String>, error: &clap::Error) -> Failed {
    let error = error.to_string();
    let error = error.lines().next().unwrap_or_default().trim_start_matches("error: ");
    failed!(Usage, "{}: {error}", note.unwrap_or_default())
}

/// `mcve reduce`, as clap knows it.
fn reduce() -> clap::Command {
    Cli::command().find_subcommand("reduce").cloned().unwrap_or_default()
}

/// The file that holds in a folder: the nearest in it or above, up to the root of the repository or the home folder, and without
/// these up to the package.
pub(super) fn find(place: &Path) -> Result<Option<Config>, Failed> {
    let Ok(place) = place.canonicalize() else { return Ok(None) };
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    let folders: Vec<&Path> = place.ancestors().collect();
    let root = folders.iter().position(|folder| folder.join(".git").exists() || Some(*folder) == home.as_deref());
    let root = root.or_else(|| folders.iter().position(|folder| folder.join("Cargo.toml").is_file()));
    for folder in &folders[..=root.unwrap_or_default()] {
        let own = folder.join(FILE);
        if own.symlink_metadata().is_ok() {
            let table = parse(&own).map_err(|why| failed!(Usage, "cannot use {}: {why}", own.display()))?;
            return Ok(Some(Config { path: own, table }));
        }
        let path = folder.join("Cargo.toml");
        // What is wrong with it is cargo's to say.
        let of_package = |table: Table| table.get("package")?.get("metadata")?.get("mcve")?.as_table().cloned();
        if let Some(table) = parse(&path).ok().and_then(of_package) {
            return Ok(Some(Config { path, table }));
        }
    }
    Ok(None)
}

fn parse(path: &Path) -> Result<Table, String> {
    let bytes = read_regular(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    text.parse().map_err(|error: toml::de::Error| error.to_string())
}

impl Config {
    /// `words` with the defaults of the file at the index `at`, for the options of `command` that `matches` has not.
    /// Fails when the file sets what it may not, or what mcve does not know.
    pub(super) fn apply(
        &self,
        mut words: Vec<OsString>,
        at: usize,
        has_toolchain: bool,
        command: &clap::Command,
        matches: &ArgMatches,
    ) -> Result<Defaulted, Failed> {
        let (mut toolchain, mut options, mut keys) = (None, Vec::new(), Vec::new());
        for (key, value) in &self.table {
            self.check(key)?;
            if key == TOOLCHAIN {
                toolchain = Some(self.toolchain(value)?).filter(|_| !has_toolchain);
                keys.extend(toolchain.is_some().then_some(key.as_str()));
                continue;
            }
            let Some(arg) = command.get_arguments().find(|arg| arg.get_long() == Some(key)) else { continue };
            let new = self.words(arg, key, value)?;
            if !new.is_empty() && !is_decided(arg, command, matches) {
                options.extend(new);
                keys.push(key);
            }
        }
        let note = (!keys.is_empty()).then(|| format!("{} sets {}", self.path.display(), keys.join(", ")));
        words.splice(at..at, options);
        if let Some(name) = toolchain {
            words.insert(1, format!("+{name}").into());
        }
        Ok(Defaulted { words, note })
    }

    /// Refuses a key that a file may not set.
    fn check(&self, key: &str) -> Result<(), Failed> {
        if key == TOOLCHAIN || ALLOWED.contains(&key) {
            return Ok(());
        }
        let shown = self.path.display();
        if reduce().get_arguments().any(|arg| arg.get_long() == Some(key)) {
            return Err(failed!(
                Usage,
                "{shown} sets `{key}`, which only the command line may: a folder of others could harm you by it (docs/security.md). `--no-config` ignores the file"
            ));
        }
        let (_, known) = hints::nearest(key, ALLOWED.into_iter().chain([TOOLCHAIN])).unwrap_or_default();
        Err(failed!(Usage, "unknown option `{key}` in {shown}; did you mean `{known}`?"))
    }

    /// The name of a toolchain. A path could lead to any program.
    fn toolchain(&self, value: &Value) -> Result<String, Failed> {
        let is_name = |name: &str| {
            let is_of_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_of_name)
        };
        let name = value.as_str().filter(|name| is_name(name)).map(str::to_owned);
        name.ok_or_else(|| self.refuse(TOOLCHAIN, "the name of a toolchain, such as \"nightly\""))
    }

    /// The words of the command line that set `arg` to a value.
    fn words(&self, arg: &Arg, key: &str, value: &Value) -> Result<Vec<OsString>, Failed> {
        let takes_value = arg.get_action().takes_values();
        let with = |value: &dyn std::fmt::Display| OsString::from(format!("--{key}={value}"));
        match value {
            Value::Boolean(on) if !takes_value => Ok(on.then(|| format!("--{key}").into()).into_iter().collect()),
            Value::String(text) if takes_value => Ok(vec![with(text)]),
            Value::Integer(number) if takes_value => Ok(vec![with(number)]),
            Value::Array(all) if matches!(arg.get_action(), ArgAction::Append) => {
                let word = |value: &Value| value.as_str().map(|text| with(&text));
                all.iter().map(word).collect::<Option<_>>().ok_or_else(|| self.refuse(key, "a list of texts"))
            }
            _ if !takes_value => Err(self.refuse(key, "true or false")),
            _ if matches!(arg.get_action(), ArgAction::Append) => Err(self.refuse(key, "a text or a list of texts")),
            _ => Err(self.refuse(key, "a text or a number")),
        }
    }

    fn refuse(&self, key: &str, wanted: &str) -> Failed {
        failed!(Usage, "{}: `{key}` must be {wanted}", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that `mcve WORDS` becomes beside a file with this text, or why not.
    fn check(config: &str, words: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join(FILE), config).expect("it can be written");
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let (toolchain, matches) = argv::read(&words).expect("they are right");
        let at = 1 + usize::from(toolchain.is_some());
        let config = find(folder.path()).map(|config| config.expect("it was written"));
        let done = config.and_then(|config| config.apply(words, at, toolchain.is_some(), &reduce(), &matches));
        let text = |all: Vec<OsString>| all.join(" ".as_ref()).to_string_lossy().into_owned();
        done.map(|done| text(done.words)).map_err(|failed| failed.error.to_string())
    }

    #[test]
    fn all_keys_are_options() {
        let known = reduce();
        for key in ALLOWED {
            assert!(known.get_arguments().any(|arg| arg.get_long() == Some(key)), "{key}");
        }
    }

    #[test]
    fn a_file_sets_what_the_command_line_does_not() {
        let config =
            "toolchain = 'nightly'\njobs = 4\nkeep = ['a', 'b']\nbudget = '5m'\nno-pair = true\nverbose = false";
        assert_eq!(
            check(config, "mcve a.rs --budget 1m -- -O").as_deref(),
            Ok("mcve +nightly --jobs=4 --keep=a --keep=b --no-pair a.rs --budget 1m -- -O")
        );
        assert_eq!(
            check("toolchain = 'nightly'\njobs = 4", "mcve +beta a.rs -j1").as_deref(),
            Ok("mcve +beta a.rs -j1")
        );
        assert_eq!(check("", "mcve a.rs").as_deref(), Ok("mcve a.rs"));
        let config = "verbose = true\nno-pair = true";
        assert_eq!(check(config, "mcve a.rs -q --fixed b.rs").as_deref(), Ok("mcve a.rs -q --fixed b.rs"));
    }

    #[test]
    fn a_file_sets_nothing_that_could_do_harm() {
        for key in
            ["test", "sandbox", "writable", "keep-env", "generator", "output", "in-place", "trust-headers", "finds"]
        {
            let why = check(&format!("{key} = 'x'"), "mcve a.rs").expect_err("it is refused");
            assert!(why.contains("which only the command line may"), "{why}");
        }
        for name in ["/tmp/evil", "../evil", "-x", ".", ""] {
            assert!(check(&format!("toolchain = '{name}'"), "mcve a.rs").is_err(), "{name}");
        }
    }

    #[test]
    fn a_slip_is_told_with_the_nearest_name() {
        let why = check("bugdet = '5m'", "mcve a.rs").expect_err("it is refused");
        assert!(why.starts_with("unknown option `bugdet`") && why.ends_with("did you mean `budget`?"), "{why}");
        assert!(check("jobs = [4]", "mcve a.rs").is_err_and(|why| why.ends_with("`jobs` must be a text or a number")));
        assert!(check("jobs = ", "mcve a.rs").is_err_and(|why| why.starts_with("cannot use ")));
    }
}
