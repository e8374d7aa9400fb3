//! The blocks of code in Markdown.

use std::path::{Component, Path};

use mcve_reduce::program::Program;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// The blocks of code that make a program.
#[derive(Default)]
pub(super) struct Blocks {
    pub(super) programs: Vec<String>,
    /// Those whose path stands before them.
    pub(super) files: Vec<(String, String)>,
    pub(super) manifest: Option<String>,
}

/// The programs in a text, each once, the files and the manifest.
pub(super) fn blocks(text: &str) -> Blocks {
    let mut found = Blocks::default();
    let (mut block, mut before): (Option<(String, String)>, String) = (None, String::new());
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = if let CodeBlockKind::Fenced(info) = kind { info.to_lowercase() } else { String::new() };
                let language = info.split([',', ' ', '{']).next().unwrap_or_default().to_owned();
                block = Some((language, String::new()));
            }
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item) => before.clear(),
            Event::Text(text) | Event::Code(text) => {
                block.as_mut().map_or(&mut before, |(_, code)| code).push_str(&text)
            }
            Event::End(TagEnd::CodeBlock) => {
                let (language, code) = block.take().unwrap_or_default();
                if let Some(path) = path(&std::mem::take(&mut before)).or_else(|| path(code.lines().next()?)) {
                    found.files.push((path, code.clone()));
                }
                found.add(&language, code);
            }
            _ => {}
        }
    }
    found
}

/// The path of a file that a line names, or its last one; none if it leads elsewhere.
fn path(line: &str) -> Option<String> {
    let mut words =
        line.split(|c: char| !(c.is_alphanumeric() || "./_-".contains(c))).map(|word| word.trim_matches('.'));
    let path = words.rfind(|word| word.ends_with(".rs") || word.ends_with("Cargo.toml"))?;
    let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    is_below.then(|| path.to_owned())
}

impl Blocks {
    fn add(&mut self, language: &str, code: String) {
        let is_rust = match language {
            "rust" | "rs" => !code.trim().is_empty(),
            "" => is_program(&code),
            _ => false,
        };
        if is_rust && !self.programs.contains(&code) {
            self.programs.push(code);
        } else if matches!(language, "toml" | "")
            && code.contains("dependencies]")
            && toml::from_str::<toml::Table>(&code).is_ok()
        {
            self.manifest.get_or_insert(code);
        }
    }
}

/// Whether a text without a language is a program: it parses, and has an item.
fn is_program(code: &str) -> bool {
    let begins_item = |line: &str| {
        let word = line.trim_start_matches("pub ").split([' ', '(', '!', '[', '<']).next().unwrap_or_default();
        [
            "fn", "struct", "enum", "trait", "impl", "mod", "use", "const", "static", "type", "unsafe", "async",
            "macro_rules", "#",
        ]
        .contains(&word)
    };
    code.lines().any(|line| begins_item(line.trim_start())) && Program::new("block.rs", code).is_whole()
}
