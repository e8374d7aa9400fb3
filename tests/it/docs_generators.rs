//! Runs the commands of documents: they say what is printed below them, but for times.

use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

use regex::Regex;

/// A block of code: its language, the lines of its text, and whether nothing but blank lines stands between it and the
/// one above it.
struct Block {
    language: String,
    lines: Range<usize>,
    follows: bool,
}

fn blocks(lines: &[&str]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut inside, mut follows) = (false, false);
    for (number, line) in lines.iter().enumerate() {
        match (line.strip_prefix("```"), inside) {
            (Some(language), false) => {
                blocks.push(Block { language: language.to_owned(), lines: number + 1..number + 1, follows });
                inside = true;
            }
            (Some(_), true) => {
                blocks.last_mut().expect("it was opened").lines.end = number;
                (inside, follows) = (false, true);
            }
            (None, true) => {}
            (None, false) => follows &= line.is_empty(),
        }
    }
    blocks
}

/// Without the place where rustc is.
fn placeless(text: &str) -> String {
    Regex::new(r"\S*/bin/rustc\b").expect("it is a regex").replace_all(text, "rustc").trim_end().to_owned()
}

/// Without times, either.
fn comparable(text: &str) -> String {
    Regex::new(r"\b\d+(\.\d+)? s\b").expect("it is a regex").replace_all(&placeless(text), "TIME").into_owned()
}

/// Checks a document with at least so many outputs. To renew them: `MCVE_BLESS=1 cargo test --test it docs_generators`.
#[track_caller]
fn check(document: &str, least: usize) {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let markdown = std::fs::read_to_string(&document).expect("it is there");
    let lines: Vec<&str> = markdown.lines().collect();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let binaries = Path::new(env!("CARGO_BIN_EXE_mcve")).parent().expect("it is in a folder").to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([binaries].into_iter().chain(std::env::split_paths(&others)));
    let path = path.expect("paths have no colons");
    let blocks = blocks(&lines);
    let mut outputs: Vec<(Range<usize>, String)> = Vec::new();
    for (number, block) in blocks.iter().enumerate().filter(|(_, block)| block.language == "sh") {
        let commands = lines[block.lines.clone()].join("\n");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec 2>&1\n{commands}\n")]).current_dir(folder.path());
        let output = command.env("PATH", &path).stdin(Stdio::null()).output().expect("there is a shell");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{commands}\n{said}");
        if let Some(next) = blocks.get(number + 1).filter(|next| next.follows) {
            outputs.push((next.lines.clone(), placeless(&said)));
        }
    }
    assert!(outputs.len() >= least, "the document has commands with their output");
    if std::env::var_os("MCVE_BLESS").is_some() {
        let mut renewed = lines;
        for (range, said) in outputs.iter().rev() {
            renewed.splice(range.clone(), said.lines());
        }
        std::fs::write(document, renewed.join("\n") + "\n").expect("it can be written");
        return;
    }
    for (range, said) in outputs {
        let expected = lines[range.clone()].join("\n");
        assert_eq!(comparable(&said), comparable(&expected), "line {}: renew it by MCVE_BLESS=1", range.start);
    }
}

#[test]
fn the_walk_through_of_generators_prints_what_it_says() {
    check("docs/generators.md", 8);
}

#[test]
fn the_examples_of_grammars_print_what_they_say() {
    check("docs/grammar.md", 10);
}
