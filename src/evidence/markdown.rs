//! The blocks of code in Markdown.

use mcve_reduce::program::Program;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// The blocks of code that make a program.
#[derive(Default)]
pub(super) struct Blocks {
    pub(super) programs: Vec<String>,
    pub(super) manifest: Option<String>,
}

/// The programs in a text, each once, and the manifest.
pub(super) fn blocks(text: &str) -> Blocks {
    let mut found = Blocks::default();
    let mut block: Option<(String, String)> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let language = info.split([',', ' ', '{']).next().unwrap_or_default();
                block = Some((language.to_lowercase(), String::new()));
            }
            Event::Text(text) => block.iter_mut().for_each(|(_, code)| code.push_str(&text)),
            Event::End(TagEnd::CodeBlock) => {
                block.take().into_iter().for_each(|(language, code)| found.add(&language, code))
            }
            _ => {}
        }
    }
    found
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
            "fn",
            "struct",
            "enum",
            "trait",
            "impl",
            "mod",
            "use",
            "const",
            "static",
            "type",
            "unsafe",
            "async",
            "macro_rules",
            "#",
        ]
        .contains(&word)
    };
    code.lines().any(|line| begins_item(line.trim_start())) && Program::new("block.rs", code).is_whole()
}
