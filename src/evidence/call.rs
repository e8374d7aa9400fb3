//! Commands of compilers and of cargo, as a text quotes them.

use std::path::Path;

/// The program of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Rustc,
    Clippy,
    Rustdoc,
    Rustfmt,
    Miri,
    Cargo,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) tool: Tool,
    pub(crate) toolchain: Option<String>,
    /// The Rust file that it names.
    pub(crate) file: Option<String>,
    /// Its other arguments; of cargo all.
    pub(crate) args: Vec<String>,
}

impl Call {
    /// The command of cargo, if it is one.
    pub(crate) fn verb(&self) -> Option<&str> {
        self.args.first().map(String::as_str).filter(|_| self.tool == Tool::Cargo)
    }
}

/// How a line with flags begins, which rustc prints when it crashes.
const FLAGS: &str = "compiler flags: ";

/// What stands in front of a command.
const PROMPTS: [&str; 6] = ["$ ", "> ", "+ ", "% ", "##[group]Run ", "Running "];

/// Options whose value is a place on another machine, or how output is written. The value may be the next word.
const LEFT_OUT: [&str; 8] =
    ["-o", "--out-dir", "--error-format", "--json", "--emit", "-L", "--diagnostic-width", "--extern"];

/// Parts of values of `-C` that cargo chooses.
const OF_CARGO: [&str; 4] = ["metadata=", "extra-filename=", "incremental=", "embed-bitcode="];

/// The commands of cargo that compile.
const VERBS: [&str; 11] =
    ["bench", "build", "check", "clippy", "doc", "fmt", "miri", "nextest", "run", "rustc", "test"];

/// The commands in a text, in order, each once.
pub(super) fn calls(text: &str) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for line in text.lines() {
        let mut line = line.trim();
        while let Some(rest) = PROMPTS.iter().find_map(|prompt| line.strip_prefix(prompt)) {
            line = rest.trim_start();
        }
        let quoted: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        let lone = quoted.iter().filter(|words| words.split(' ').all(|word| word.starts_with("-Z")));
        let said = line.split_once(FLAGS).map(|(_, flags)| flags.to_owned());
        let flags = lone.map(|words| (*words).to_owned()).chain(said).chain(configured(line));
        let flags: Vec<String> = flags.map(|flags| format!("rustc {flags}")).collect();
        for words in [line].into_iter().chain(quoted).chain(flags.iter().map(String::as_str)) {
            for call in call(words).into_iter().flat_map(|call| [Some(call.clone()), of_cargo(words, call)]).flatten() {
                calls.extend((!calls.contains(&call)).then_some(call));
            }
        }
    }
    calls
}

/// The flags in a line of cargo's configuration.
fn configured(line: &str) -> Option<String> {
    let table = line.starts_with("rustflags").then(|| toml::from_str::<toml::Table>(line).ok())??;
    match table.get("rustflags")? {
        toml::Value::String(flags) => Some(flags.clone()),
        flags => Some(flags.as_array()?.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join(" ")),
    }
}

/// The call of rustc whose flags the line of a call of cargo has: by a variable, or after `--`.
fn of_cargo(line: &str, call: Call) -> Option<Call> {
    let verb = call.verb()?;
    let is_passed = verb == "rustc" || verb == "rustdoc";
    let after = call.args.iter().skip_while(|word| *word != "--").skip(1).filter(|_| is_passed).cloned();
    let (_, args) = split(flags(&shlex::split(line)?).into_iter().chain(after).collect());
    (!args.is_empty()).then_some(Call { tool: Tool::Rustc, file: None, args, toolchain: call.toolchain.clone() })
}

/// The flags that settings before a command have.
fn flags(words: &[String]) -> Vec<String> {
    let of =
        |word: &String| ["RUSTFLAGS=", "RUSTDOCFLAGS="].iter().find_map(|name| shlex::split(word.strip_prefix(name)?));
    words.iter().find_map(of).unwrap_or_default()
}

/// The command that a line is.
fn call(line: &str) -> Option<Call> {
    let words = shlex::split(line)?;
    let is_setting = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| name.bytes().all(|c| c.is_ascii_uppercase() || c == b'_'))
    };
    let start = words.iter().position(|word| !is_setting(word))?;
    let (name, rest) = words[start..].split_first()?;
    let mut rest: Vec<String> = rest
        .iter()
        .take_while(|word| !["|", "||", "&&", ";", ">", "2>&1", "#"].contains(&word.as_str()))
        .cloned()
        .collect();
    let toolchain = rest.first().and_then(|word| word.strip_prefix('+')).map(str::to_owned);
    rest.drain(..usize::from(toolchain.is_some()));
    let tool = match Path::new(name).file_name()?.to_str()? {
        "rustc" => Tool::Rustc,
        "clippy-driver" => Tool::Clippy,
        "rustdoc" => Tool::Rustdoc,
        "rustfmt" => Tool::Rustfmt,
        "miri" => Tool::Miri,
        "cargo" => Tool::Cargo,
        _ => return None,
    };
    // What a template asks for, or prose.
    let asks_version = |word: &String| ["-V", "-vV", "-Vv", "--version", "version"].contains(&word.as_str());
    if rest.is_empty() || rest.iter().any(asks_version) || !is_command(tool, &rest) {
        return None;
    }
    if tool == Tool::Cargo {
        return Some(Call { tool, toolchain, file: None, args: rest });
    }
    let (file, args) = split(rest);
    Some(Call { tool, toolchain, file, args: flags(&words[..start]).into_iter().chain(args).collect() })
}

/// Whether these words after the name of a program are its arguments, and not the words of a sentence.
fn is_command(tool: Tool, words: &[String]) -> bool {
    match tool {
        Tool::Cargo => VERBS.contains(&words[0].as_str()),
        _ => words.iter().any(|word| word.starts_with('-') || word.ends_with(".rs")),
    }
}

/// The file among the arguments of a compiler, and those that say how a copy of it is compiled.
fn split(words: Vec<String>) -> (Option<String>, Vec<String>) {
    let (mut file, mut args) = (None, Vec::new());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(&word);
        if LEFT_OUT.contains(&name) {
            if name == word {
                words.next();
            }
        } else if word == "-C" && words.peek().is_some_and(|value| OF_CARGO.iter().any(|part| value.starts_with(part)))
        {
            words.next();
        } else if word == "-" || word.starts_with("--crate-name") {
            if word == "--crate-name" {
                words.next();
            }
        } else if word.ends_with(".rs") {
            file = Some(word);
        } else {
            args.push(word);
        }
    }
    (file, args)
}
