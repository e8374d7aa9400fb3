//! Makes `docs/reference.md` from the arguments, the exit codes and the sources of the events; a test fails where the page is stale.

use std::collections::BTreeSet;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Macro};

use super::command::Cli;
use super::package;

const INTRODUCTION: &str = "# Reference

All commands, options, exit codes and JSON events. `MCVE_BLESS=1 cargo test --lib reference` makes
this page from the sources, and a test fails where it is stale. The pages for each job are listed in
the [README](../README.md#one-command-for-each-job).

`mcve FILE` is short for `mcve reduce FILE`. `mcve +TOOLCHAIN ..` and `cargo mcve +TOOLCHAIN ..` use
that toolchain of rustup. `cargo mcve FILE`, and `cargo mcve` with a command of mcve, do what `mcve`
does.
";

const OPTIONS: &str = "
WAY is a toolchain (`+1.80`), the path of a rustc, options, an edition (`2018`), or several of these
separated by spaces. TIME is a number of seconds or has units (`90s`, `5m`). SIZE has a unit
(`512M`, `4G`). In the column of commands, `cargo` is `cargo mcve`.
";

const EVENTS: &str = "
`--message-format json` prints one JSON object a line on standard output, `started` first. The field
`event` has the name of the event. Later versions may add events and fields: ignore unknown ones.
";

/// When each event of `report/json.rs` comes.
const OF_REDUCTIONS: [(&str, &str); 18] = [
    ("started", "the run begins"),
    ("baseline", "the input showed the failure in each of the first runs"),
    ("stage-started", "`cargo mcve` begins the reduction of a stage"),
    ("stage-ended", "the reduction of a stage is over"),
    ("pass-started", "a pass of the search begins"),
    ("checked", "a candidate was checked"),
    ("found", "a candidate showed another crash, which `--finds` keeps"),
    ("shortcut-closed", "checks go on without the fork server"),
    ("covered", "an instrumented run showed which code is executed"),
    ("gained", "a smaller program is the best so far"),
    ("pass-ended", "a pass of the search is over"),
    ("narrowed", "`mcve isolate` or `repair`: the two versions differ by less than before"),
    ("resumed", "`mcve resume` continues a run; its earlier events are not repeated"),
    ("note", "information, no problem"),
    ("warning", "a problem that does not end the run"),
    ("finished", "the reduction is over"),
    ("contrasted", "`mcve isolate` or `repair` is over"),
    ("generalised", "`mcve generalise` is over"),
];

/// When each event of `report/changes.rs` comes.
const OF_CHANGES: [(&str, &str); 6] = [
    ("changes-baseline", "the good version passed and the bad one failed, each time"),
    ("history", "the search for the first bad commit begins"),
    ("commit", "a commit was tested"),
    ("first-bad-commit", "the first bad commit is known"),
    ("narrowed", "fewer changes are left"),
    ("found", "the change was found, or the best so far at the end"),
];

/// The contents of the fields of events.
const FIELDS: [(&str, &str); 48] = [
    ("after", "the size at the end, as `size`; in `mcve changes` the lines of the change, `added` and `removed`"),
    ("applies", "what the patch applies to, and what happens then"),
    (
        "before",
        "the size at the start, as `size`; in `mcve changes` the lines between the versions, `added` and `removed`",
    ),
    ("cache_hits", "candidates that were not checked, as the same text had been"),
    ("breaks", "the tests that fail in the version that passes and not in the one that fails"),
    ("causes", "what the two versions differ in, in words, in source order"),
    ("checks", "checks until now"),
    ("command", "the command that shows the failure; in `resumed` the command line of the run"),
    ("commit", "a commit, in a few words"),
    ("commits", "how many commits may be the first bad one"),
    ("dependencies", "the crates whose sources are reduced in this stage for the first time"),
    ("difference", "how what the result prints differs between two configurations, as `diff` shows it, or null"),
    ("ending", "`complete`, `budget` or `interrupted`"),
    ("fail", "the text of the version that fails"),
    ("failure", "the failure, in words"),
    ("finds", "with `--finds`: `count` and `folder`"),
    ("fingerprint", "the failure in a form that two runs can compare, or null"),
    (
        "flaky",
        "of a failure that occurs only sometimes: the input failed `times` of `runs` runs, all checks took `all_runs`; else null",
    ),
    ("folder", "the folder in which the run was begun"),
    ("from", "how many there were"),
    ("good", "the commit that the first bad one is compared with"),
    ("grain", "what is counted, such as `files` or `hunks`"),
    ("known", "how many verdicts the journal has"),
    ("left", "how many commits may still be the first bad one"),
    ("message", "a sentence"),
    ("one_minimal", "whether no single step makes it smaller"),
    (
        "others",
        "other changes with which the program passes, in words; in `found` of `mcve changes` other causes, with `applies` and `patch`",
    ),
    ("outcome", "`fail` (the failure is there), `pass` (it is not) or `unresolved` (the check cannot tell)"),
    ("output", "the path of the result, or null for standard output"),
    ("pass", "the name of the pass; in `contrasted` and `finished` the text of a version that passes"),
    (
        "parts",
        "the parts that may be any of their `kind`: `text`, `start` and `end` in bytes, `samples` that were tried, and whether the failure stays if all parts change `together`",
    ),
    ("patch", "the patch, if it does not go to standard output"),
    ("reached", "the tokens of the code that was executed"),
    ("reason", "why, in words"),
    ("recalled", "candidates that were not checked, as the journal of an earlier run has their verdicts"),
    ("resume", "what to name to `mcve resume`, or null"),
    ("seconds", "wall time: of the check, or of the run"),
    ("messages", "what the failing run says `before` and `after`, if that differs, or null"),
    ("seen", "the result failed `times` of `runs` runs at the end, or null"),
    ("shown", "all failures of the input, if it shows several"),
    ("size", "`tokens`, `bytes` and `lines`"),
    ("stage", "`crate`, `expansion` or `dependencies`"),
    ("steps", "the first reductions that were applied, as `line:column: transform`"),
    ("taken", "whether the result of the stage is the best so far"),
    ("to", "how many there are"),
    ("tokens", "tokens of the program; in `narrowed` and `contrasted` those in which the two versions differ"),
    ("untestable", "how many commits before it could not be tested and may be the first bad one"),
    ("version", "the version of mcve"),
];

/// A row of a table: what is explained, its meaning, and the commands that have it.
struct Row {
    heading: Option<String>,
    name: String,
    meaning: String,
    commands: Vec<String>,
}

/// All commands by the names that the page has for them.
fn commands() -> Vec<(String, Command)> {
    let mut cli = Cli::command();
    cli.build();
    let mut commands: Vec<(String, Command)> = cli
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
        .map(|c| (c.get_name().to_owned(), c.clone()))
        .collect();
    let mut cargo = package::command();
    cargo.build();
    commands.push(("cargo".to_owned(), cargo));
    commands
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace("\n\n", " ").replace('\n', " ")
}

/// An option with its value, or a positional argument.
fn name(arg: &Arg) -> String {
    let values: Vec<&str> = arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect();
    let value = if arg.get_action().takes_values() { values.join(" ") } else { String::new() };
    let Some(long) = arg.get_long() else { return format!("`{value}`") };
    let short = arg.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
    format!("{short}`{}`", format!("--{long} {value}").trim_end())
}

/// Ends a sentence: clap takes the full stop of a lone one.
fn close(text: &mut String) {
    if !text.ends_with('.') {
        text.push('.');
    }
}

/// The meaning of an argument, with its possible values and its default.
fn meaning(arg: &Arg) -> String {
    let mut text = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    close(&mut text);
    let values = if arg.get_action().takes_values() { arg.get_possible_values() } else { Vec::new() };
    let values: Vec<String> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
    if !values.is_empty() {
        text.push_str(&format!(" One of {}.", values.join(", ")));
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| format!("`{}`", value.display())).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() {
        text.push_str(&format!(" By default {}.", defaults.join(" ")));
    }
    text
}

/// The arguments of all commands: those that are the same in several of them once.
fn rows(commands: &[(String, Command)], is_wanted: impl Fn(&Arg) -> bool) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (command, clap) in commands {
        let is_shown = |arg: &&Arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version");
        for arg in clap.get_arguments().filter(is_shown).filter(|arg| is_wanted(arg)) {
            let heading = arg.get_help_heading().map(str::to_owned);
            let (name, meaning) = (name(arg), meaning(arg));
            match rows.iter_mut().find(|row| row.name == name && row.meaning == meaning && row.heading == heading) {
                Some(row) => row.commands.push(command.clone()),
                None => rows.push(Row { heading, name, meaning, commands: vec![command.clone()] }),
            }
        }
    }
    rows
}

fn table<'a>(page: &mut String, first: &str, rows: impl Iterator<Item = &'a Row>) {
    page.push_str(&format!("\n| {first} | meaning | commands |\n| --- | --- | --- |\n"));
    for row in rows {
        let cells = [&row.name, &row.meaning, &row.commands.join(", ")].map(|text| cell(text));
        page.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}

/// The events that a source makes by `json!`, each with its fields.
struct Events(Vec<(String, Vec<String>)>);

impl<'a> Visit<'a> for Events {
    fn visit_macro(&mut self, call: &'a Macro) {
        visit::visit_macro(self, call);
        let Some(TokenTree::Group(group)) = call.tokens.clone().into_iter().next() else { return };
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let text = |token: &TokenTree| token.to_string().trim_matches('"').to_owned();
        let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
        let is_literal = |token: &TokenTree| matches!(token, TokenTree::Literal(_));
        let keys = tokens.windows(2).filter(|pair| is_literal(&pair[0]) && is_colon(&pair[1]));
        let keys: Vec<String> = keys.map(|pair| text(&pair[0])).collect();
        if keys.first().is_some_and(|key| key == "event") {
            self.0.push((text(&tokens[2]), keys[1..].to_vec()));
        }
    }
}

/// Adds the events of a source to the page, and their fields to `used`.
fn events(page: &mut String, source: &str, when: &[(&str, &str)], used: &mut BTreeSet<String>) {
    let mut found = Events(Vec::new());
    found.visit_file(&syn::parse_file(source).expect("the sources parse"));
    let names = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect::<BTreeSet<String>>();
    let explained = names(&mut when.iter().map(|(name, _)| *name));
    assert_eq!(names(&mut found.0.iter().map(|(name, _)| name.as_str())), explained, "each event is explained here");
    page.push_str("\n| event | when | fields |\n| --- | --- | --- |\n");
    for (name, when) in when {
        let (_, fields) = found.0.iter().find(|(found, _)| found == name).expect("they are the same names");
        let shown: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        page.push_str(&format!("| `{name}` | {when} | {} |\n", shown.join(", ")));
        used.extend(fields.iter().cloned());
    }
}

/// Adds the exit codes to the page, with their meanings.
fn exits(page: &mut String) {
    let source = syn::parse_file(include_str!("exit.rs")).expect("the sources parse");
    let exits = source.items.into_iter().find_map(|item| if let Item::Enum(exits) = item { Some(exits) } else { None });
    for exit in exits.expect("it is an enum").variants {
        let doc = |attr: &Attribute| attr.meta.require_name_value().map(|doc| doc.value.to_token_stream().to_string());
        let meaning: Vec<String> = exit.attrs.iter().filter_map(|attr| doc(attr).ok()).collect();
        let meaning: Vec<&str> = meaning.iter().map(|line| line.trim_matches('"').trim()).collect();
        let (_, code) = exit.discriminant.expect("each has a number");
        page.push_str(&format!("| {} | {} |\n", code.to_token_stream(), meaning.join(" ")));
    }
}

fn page() -> String {
    let commands = commands();
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n## Commands\n\n| command | what it does |\n| --- | --- |\n");
    for (name, command) in &commands {
        let name = if name == "cargo" { "cargo mcve".to_owned() } else { format!("mcve {name}") };
        let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
        let mut about = cell(about.replace("\n\n", " ").trim());
        close(&mut about);
        page.push_str(&format!("| `{name}` | {about} |\n"));
    }
    page.push_str("\n## Arguments\n");
    table(&mut page, "argument", rows(&commands, Arg::is_positional).iter());
    page.push_str(&format!("\n## Options\n{OPTIONS}"));
    let rows = rows(&commands, |arg| !arg.is_positional());
    table(&mut page, "option", rows.iter().filter(|row| row.heading.is_none()));
    let mut headings: Vec<&String> = Vec::new();
    for heading in rows.iter().filter_map(|row| row.heading.as_ref()) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        page.push_str(&format!("\n### {heading}\n"));
        table(&mut page, "option", rows.iter().filter(|row| row.heading.as_ref() == Some(heading)));
    }
    page.push_str("\n## Exit codes\n\n| code | meaning |\n| --- | --- |\n");
    exits(&mut page);
    page.push_str(&format!("\n## Events\n{EVENTS}"));
    let mut used = BTreeSet::new();
    events(&mut page, include_str!("../report/json.rs"), &OF_REDUCTIONS, &mut used);
    page.push_str("\nThe events of `mcve changes`:\n");
    events(&mut page, include_str!("../report/changes.rs"), &OF_CHANGES, &mut used);
    let explained: BTreeSet<String> = FIELDS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(used, explained, "each field is explained here");
    page.push_str("\n| field | meaning |\n| --- | --- |\n");
    FIELDS.iter().for_each(|(name, meaning)| page.push_str(&format!("| `{name}` | {meaning} |\n")));
    page
}

#[test]
fn the_page_is_what_the_code_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference.md");
    let page = page();
    if std::env::var_os("MCVE_BLESS").is_some() {
        std::fs::write(&path, &page).expect("it can be written");
    }
    let found = std::fs::read_to_string(&path).expect("it is there");
    assert!(found == page, "docs/reference.md is stale: run `MCVE_BLESS=1 cargo test --lib reference`");
}
