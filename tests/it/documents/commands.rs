//! The commands that documents may name: of mcve by its reference, of `xtask`, of cargo in this repository, of `benches/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::repository::{files, read, root};

/// The options of cargo that are followed by a value.
const WITH_VALUE: [&str; 7] = ["-p", "--package", "--test", "--bench", "--bin", "--example", "--features"];

/// The command line as `docs/reference.md` has it, which another test holds to the arguments that clap knows.
pub(super) struct Reference {
    commands: BTreeSet<String>,
    /// The commands of cargo that `cargo mcve` takes.
    verbs: BTreeSet<String>,
    /// By command, each option and whether a value follows it.
    options: BTreeMap<String, BTreeMap<String, bool>>,
}

/// The pieces of a text in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

impl Reference {
    pub(super) fn read() -> Self {
        let page = read("docs/reference.md");
        let mut reference = Self { commands: BTreeSet::new(), verbs: BTreeSet::new(), options: BTreeMap::new() };
        for row in page.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")) {
            let cells: Vec<&str> = row.split(" | ").collect();
            if let Some(name) = row.strip_prefix("mcve ") {
                reference.commands.extend(name.split('`').next().map(str::to_owned));
            } else if row.starts_with("VERB`") {
                reference.verbs.extend(quoted(cells[1]).map(str::to_owned));
            } else if row.starts_with('-') {
                let names: Vec<&str> = cells[0].split('`').step_by(2).collect();
                let takes_value = names.iter().any(|name| name.contains(' '));
                for command in cells.last().expect("there is one").split(", ") {
                    let options =
                        reference.options.entry(command.split(' ').next().unwrap_or_default().to_owned()).or_default();
                    let names = names.iter().filter_map(|name| name.split(' ').next());
                    options.extend(names.filter(|name| !name.is_empty()).map(|name| (name.to_owned(), takes_value)));
                }
            }
        }
        assert!(reference.commands.len() > 5 && reference.verbs.len() > 5 && reference.options.len() > 5);
        reference
    }

    /// Whether a command of mcve has this option.
    pub(super) fn has(&self, option: &str) -> bool {
        self.options.values().any(|options| options.contains_key(option))
    }

    /// What is wrong with the words behind `mcve` or `cargo mcve`.
    fn faults(&self, words: &[String], is_cargo: bool) -> Vec<String> {
        let words: Vec<&str> = words.iter().map(String::as_str).take_while(|word| *word != "--").collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.starts_with('+')).collect();
        let first = words.iter().copied().find(|word| !word.starts_with('-'));
        let scope = match first {
            Some(command) if self.commands.contains(command) => vec![command, if is_cargo { "cargo" } else { command }],
            Some(verb) if is_cargo && self.verbs.contains(verb) => vec!["cargo"],
            None if is_cargo => vec!["cargo"],
            Some(_) if is_cargo => vec!["cargo", "reduce"],
            _ => vec!["reduce"],
        };
        let mut faults = Vec::new();
        let is_command =
            |word: &&&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-');
        faults.extend(
            words.first().filter(is_command).filter(|word| !scope.contains(word) && !self.verbs.contains(**word)),
        );
        // A value may be an option of the compiler: `-O`, or `--cfg a` in quotes.
        let is_value = |word: &str| !word.starts_with("--") || word.contains(' ');
        let mut rest = words.iter().peekable();
        while let Some(word) = rest.next() {
            let Some(option) = option(word) else { continue };
            match scope.iter().find_map(|command| self.options.get(*command)?.get(option)) {
                Some(true) if *word == option => _ = rest.next_if(|value| is_value(value)),
                None if !["--help", "--version"].contains(&option) => faults.push(option),
                _ => {}
            }
        }
        faults.into_iter().map(str::to_owned).collect()
    }
}

/// The name of the option that a word is: `--budget` of `--budget=5m`, `-j` of `-j1`.
pub(super) fn option(word: &str) -> Option<&str> {
    let name = word.trim_start_matches('-');
    let is_option = word.starts_with('-') && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let end = if word.starts_with("--") { word.find(['=', ' ', '[']).unwrap_or(word.len()) } else { 2 };
    is_option.then(|| &word[..end])
}

/// What this command names that is not there.
pub(super) fn faults(words: &[String], reference: &Reference) -> Vec<String> {
    let [program, rest @ ..] = words else { return Vec::new() };
    let rest = match rest {
        [toolchain, rest @ ..] if program == "cargo" && toolchain.starts_with('+') => rest,
        _ => rest,
    };
    match (program.as_str(), rest) {
        ("mcve", rest) => reference.faults(rest, false),
        ("cargo", [command, rest @ ..]) if command == "mcve" => reference.faults(rest, true),
        ("cargo-mcve", [command, rest @ ..]) if command == "mcve" => reference.faults(rest, true),
        ("cargo-mcve", rest) => reference.faults(rest, true),
        ("cargo", [command, rest @ ..]) if ["run", "test", "bench", "build", "check", "doc"].contains(&&**command) => {
            of_cargo(command, rest, reference)
        }
        (script, rest) if script.starts_with("benches/") && script.ends_with(".py") => of_script(script, rest),
        _ => Vec::new(),
    }
}

/// The folders of all packages, by name.
fn packages() -> BTreeMap<String, String> {
    let manifests = files().into_iter().filter(|file| file.ends_with("Cargo.toml") && !file.starts_with("corpus"));
    let package = |file: std::path::PathBuf| {
        let text = read(file.to_str()?);
        let name = text.split_once("[package]\nname = \"")?.1.split('"').next()?.to_owned();
        Some((name, file.parent()?.to_str()?.to_owned()))
    };
    manifests.filter_map(package).collect()
}

fn of_cargo(command: &str, words: &[String], reference: &Reference) -> Vec<String> {
    let (words, behind) = match words.iter().position(|word| word == "--") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let value = |names: &[&str]| {
        let at = words.iter().position(|word| names.contains(&&**word))?;
        words.get(at + 1).map(String::as_str)
    };
    let package = value(&["-p", "--package"]).unwrap_or("mcve");
    let Some(folder) = packages().remove(package) else { return vec![format!("no crate {package}")] };
    let mut faults = Vec::new();
    let targets = [("--test", "tests"), ("--bench", "benches"), ("--bin", "src/bin"), ("--example", "examples")];
    for (option, place) in targets {
        let Some(name) = value(&[option]) else { continue };
        let place = root().join(&folder).join(place);
        if !place.join(format!("{name}.rs")).exists() && !place.join(name).join("main.rs").exists() {
            faults.push(format!("no {option} {name} of {package}"));
        }
    }
    if ["test", "bench"].contains(&command) {
        let filters = words.iter().enumerate().filter(|(at, word)| {
            let is_value = *at > 0 && WITH_VALUE.contains(&&*words[at - 1]);
            !is_value && !word.starts_with('-')
        });
        let filters = filters.map(|(_, word)| word).chain(behind.iter().filter(|word| word.contains("::")));
        let place = value(&["--test"]).map_or("src".to_owned(), |name| format!("tests/{name}"));
        let place = Path::new(&folder).join(place);
        faults.extend(filters.filter(|filter| !has_test(&place, filter)).map(|filter| format!("no test {filter}")));
    } else if command == "run" && package == "xtask" {
        faults.extend(of_xtask(behind));
    } else if command == "run" {
        faults.extend(reference.faults(behind, false));
    }
    faults
}

/// Whether each part of a filter is in the name of a file below this folder, or in that of a function there.
fn has_test(folder: &Path, filter: &str) -> bool {
    let sources =
        files().into_iter().filter(|file| file.starts_with(folder) && file.extension().is_some_and(|e| e == "rs"));
    let sources: Vec<_> = sources.collect();
    let is_there = |part: &str| {
        sources.iter().any(|file| {
            let name = file.strip_prefix(folder).expect("it is below").to_string_lossy();
            let is_function = |line: &str| line.trim_start().starts_with("fn ") && line.contains(part);
            name.contains(part) || read(&file.to_string_lossy()).lines().any(is_function)
        })
    };
    filter.split("::").all(is_there)
}

fn of_xtask(words: &[String]) -> Vec<String> {
    let main = read("xtask/src/main.rs");
    let variants =
        main.split_once("enum Xtask {\n").and_then(|(_, rest)| rest.split("\n}").next()).expect("it has commands");
    let variants = variants.lines().map(str::trim).filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let kebab = |name: &str| {
        let name = name.split(['(', ',']).next().expect("there is a first part");
        let name: String =
            name.chars().map(|c| if c.is_uppercase() { format!("-{c}") } else { c.to_string() }).collect();
        name.trim_start_matches('-').to_lowercase()
    };
    let commands: BTreeSet<String> = variants.map(kebab).collect();
    let [name, rest @ ..] = words else { return vec!["no command of xtask".to_owned()] };
    if name.chars().all(char::is_uppercase) {
        return Vec::new();
    }
    if !commands.contains(name) {
        return vec![format!("no command of xtask {name}")];
    }
    let sources = files()
        .into_iter()
        .filter(|file| file.to_string_lossy().starts_with(&format!("xtask/src/{}", name.replace('-', "_"))));
    let text: String = sources.map(|file| read(&file.to_string_lossy())).collect();
    let options = rest.iter().filter_map(|word| option(word)).filter(|option| option.starts_with("--"));
    let is_missing = |option: &&str| !text.contains(&format!("\n    {}: ", option[2..].replace('-', "_")));
    options.filter(is_missing).map(|option| format!("{option} of xtask {name}")).collect()
}

/// The options of a script of `benches/` have their names in its text.
fn of_script(script: &str, words: &[String]) -> Vec<String> {
    if !root().join(script).exists() {
        return vec![script.to_owned()];
    }
    let text = read(script);
    let options = words.iter().take_while(|word| *word != "--").filter_map(|word| option(word));
    let is_missing =
        |option: &&str| !text.contains(*option) && !text.contains(&format!("\"{}\"", option.trim_start_matches('-')));
    options.filter(is_missing).map(|option| format!("{option} of {script}")).collect()
}
