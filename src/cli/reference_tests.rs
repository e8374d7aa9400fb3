//! Makes `docs/reference.md` from the arguments, the exit codes and the schema of events; a test fails where the page is stale.

use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use quote::ToTokens;
use serde_json::Value;
use syn::{Attribute, Item};

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
`mcve schema` prints the JSON schema of a line.
";

/// A row of a table: what is explained, its meaning, and what has it: commands, or events and fields.
struct Row {
    heading: Option<String>,
    name: String,
    meaning: String,
    owners: Vec<String>,
}

/// All commands by the names that the page has for them.
fn commands() -> Vec<(String, Command)> {
    let mut cli = Cli::command();
    cli.build();
    let mut commands: Vec<(String, Command)> = Vec::new();
    for command in cli.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        commands.push((name.to_owned(), command.clone()));
        let parts = command.get_subcommands().filter(|part| part.get_name() != "help");
        commands.extend(parts.map(|part| (format!("{name} {}", part.get_name()), part.clone())));
    }
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
                Some(row) => row.owners.push(command.clone()),
                None => rows.push(Row { heading, name, meaning, owners: vec![command.clone()] }),
            }
        }
    }
    rows
}

fn table<'a>(page: &mut String, first: &str, last: &str, rows: impl Iterator<Item = &'a Row>) {
    page.push_str(&format!("\n| {first} | meaning | {last} |\n| --- | --- | --- |\n"));
    for row in rows {
        let cells = [&row.name, &row.meaning, &row.owners.join(", ")].map(|text| cell(text));
        page.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}

/// What a schema describes, in words.
fn described(schema: &Value) -> String {
    schema["description"].as_str().expect("it has a comment").replace('\n', " ")
}

/// The elements of a list in a schema; none if it is not there.
fn list<'a>(schema: &'a Value, name: &str) -> &'a [Value] {
    schema[name].as_array().map_or(&[], Vec::as_slice)
}

/// Reads the schema of events.
struct Events<'a> {
    schema: &'a Value,
    /// The fields, with the events or fields that have them.
    fields: Vec<Row>,
}

impl<'a> Events<'a> {
    /// The schema that another one names, or this one.
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
        name.map_or(schema, |name| self.schema.pointer(name).expect("it is there"))
    }

    /// Adds the fields of an object, and returns their names.
    fn add_fields(&mut self, owner: &str, object: &'a Value) -> Vec<String> {
        let names = list(object, "required").iter().filter_map(Value::as_str).filter(|name| *name != "event");
        names.map(|name| self.add_field(owner, format!("`{name}`"), &object["properties"][name])).collect()
    }

    fn add_field(&mut self, owner: &str, name: String, field: &'a Value) -> String {
        let is_null = |choice: &&Value| choice["type"] == "null";
        let inner = list(field, "anyOf").iter().find(|choice| !is_null(choice)).unwrap_or(field);
        let inner = self.resolve(inner.get("items").unwrap_or(inner));
        let mut meaning = described(field);
        for value in list(inner, "oneOf") {
            meaning.push_str(&format!(" {}: {}", value["const"], described(value)).replace('"', "`"));
        }
        if list(field, "anyOf").iter().any(|choice| is_null(&choice)) || list(field, "type").contains(&"null".into()) {
            meaning.push_str(" Or null.");
        }
        match self.fields.iter_mut().find(|row| row.name == name && row.meaning == meaning) {
            Some(row) if row.owners.iter().any(|known| known == owner) => {}
            Some(row) => row.owners.push(owner.to_owned()),
            None => {
                let (name, owners) = (name.clone(), vec![owner.to_owned()]);
                self.fields.push(Row { heading: None, name, meaning, owners });
            }
        }
        self.add_fields(&name, inner);
        name
    }

    /// Adds a table of events to the page.
    fn table(&mut self, page: &mut String, events: &'a [Value]) {
        page.push_str("\n| event | when | fields |\n| --- | --- | --- |\n");
        for event in events.iter().filter(|event| !event["properties"].is_null()) {
            let name = format!("{}", event["properties"]["event"]["const"]).replace('"', "`");
            let fields = self.add_fields(&name, self.resolve(event)).join(", ");
            page.push_str(&format!("| {name} | {} | {fields} |\n", described(event)));
        }
    }
}

/// Adds the events to the page, and their fields.
fn events(page: &mut String) {
    let schema = mcve_reduce::event::schema();
    let mut events = Events { schema: &schema, fields: Vec::new() };
    events.table(page, list(&schema, "anyOf"));
    page.push_str("\nThe events of `mcve changes`:\n");
    events.table(page, list(&schema["$defs"]["Changed"], "oneOf"));
    events.fields.sort_by(|one, other| one.name.cmp(&other.name));
    table(page, "field", "events, or fields", events.fields.iter());
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
    table(&mut page, "argument", "commands", rows(&commands, Arg::is_positional).iter());
    page.push_str(&format!("\n## Options\n{OPTIONS}"));
    let rows = rows(&commands, |arg| !arg.is_positional());
    table(&mut page, "option", "commands", rows.iter().filter(|row| row.heading.is_none()));
    let mut headings: Vec<&String> = Vec::new();
    for heading in rows.iter().filter_map(|row| row.heading.as_ref()) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        page.push_str(&format!("\n### {heading}\n"));
        table(&mut page, "option", "commands", rows.iter().filter(|row| row.heading.as_ref() == Some(heading)));
    }
    page.push_str("\n## Exit codes\n\n| code | meaning |\n| --- | --- |\n");
    exits(&mut page);
    page.push_str(&format!("\n## Events\n{EVENTS}"));
    events(&mut page);
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
