//! Runs the commands of documents, in their order: they print what stands below them, but for times and counts of checks.

use std::ops::Range;
use std::path::Path;
use std::process::Command;

use mcve_testing::{Said, TestFolder};
use regex::Regex;

use crate::documents::markdown::blocks;

/// Without the place where rustc is.
fn placeless(text: &str) -> String {
    Regex::new(r"\S*/bin/rustc\b").expect("it is a regex").replace_all(text, "rustc").trim_end().to_owned()
}

/// Without what another run may print otherwise: times, counts of checks, ids of processes.
fn comparable(text: &str) -> String {
    let varies = Regex::new(r"\b\d+(\.\d+)? s\b|\b\d+ checks\b|\(\d+\) panicked").expect("it is a regex");
    varies.replace_all(&placeless(text), "VARIES").into_owned()
}

/// Whether a document shows this output. In the document `..` is any text of a line, and alone on a line any lines.
fn is_shown(said: &str, shown: &str) -> bool {
    let lines = shown.lines().map(|line| match line {
        ".." => "(?:.*\n)*".to_owned(),
        line => regex::escape(line).replace(r"\.\.", ".*") + "\n",
    });
    let pattern = Regex::new(&format!("^{}$", lines.collect::<String>())).expect("it is a regex");
    pattern.is_match(&format!("{said}\n"))
}

/// Runs the commands of a document in this folder, and compares at least so many outputs. Those that are shown whole are
/// renewed by `MCVE_BLESS=1 cargo test --test it walk_throughs`.
#[track_caller]
fn check(document: &str, place: &TestFolder, least: usize) {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let markdown = std::fs::read_to_string(&document).expect("it is there");
    let mut lines: Vec<&str> = markdown.lines().collect();
    std::os::unix::fs::symlink(Path::new(env!("CARGO_BIN_EXE_mcve")).with_file_name(""), place.path("bin"))
        .expect("it can be made");
    let blocks: Vec<_> = blocks(&markdown);
    let mut outputs: Vec<(Range<usize>, String)> = Vec::new();
    for (number, block) in blocks.iter().enumerate().filter(|(_, block)| block.language == "sh") {
        let commands = lines[block.lines.clone()].join("\n");
        let mut shell = place.command("sh");
        shell.args(["-c", &format!("exec 2>&1\nset -e\n{commands}\n")]).env("PATH", place.path_with_bin());
        let said = Said::by(shell.env_remove("RUST_BACKTRACE"));
        assert!(said.is_success(), "{commands}\n{}", said.stdout);
        if let Some(next) = blocks.get(number + 1).filter(|next| next.follows) {
            outputs.push((next.lines.clone(), placeless(&said.stdout)));
        }
    }
    assert!(outputs.len() >= least, "the document has commands with their output");
    let is_blessed = std::env::var_os("MCVE_BLESS").is_some();
    let mut renewed = Vec::new();
    for (range, said) in &outputs {
        let shown = lines[range.clone()].join("\n");
        if !is_shown(&comparable(said), &comparable(&shown)) {
            assert!(is_blessed, "line {}: it prints\n{said}\n\nand the document has\n{shown}", range.start);
            renewed.push((range.clone(), said));
        }
    }
    for (range, said) in renewed.iter().rev() {
        lines.splice(range.clone(), said.lines());
    }
    if !renewed.is_empty() {
        std::fs::write(document, lines.join("\n") + "\n").expect("it can be written");
    }
}

fn place() -> TestFolder {
    TestFolder::new(env!("CARGO_BIN_EXE_mcve"))
}

#[test]
fn two_dots_stand_for_any_text() {
    assert!(
        is_shown("a\nb\nc 1 d\n0..5", "a\n..\nc .. d\n0..5") && is_shown("a\nb", "..\nb") && is_shown("a", "a\n..")
    );
    assert!(!is_shown("a\nb", "a") && !is_shown("a\nb\nc", "b\n..") && !is_shown("a.b", "a-b"));
}

#[test]
fn the_walk_through_of_generators_prints_what_it_says() {
    check("docs/generators.md", &place(), 8);
}

#[test]
fn the_examples_of_grammars_print_what_they_say() {
    check("docs/grammar.md", &place(), 10);
}

#[test]
fn the_walk_through_of_batches_prints_what_it_says() {
    let place = crate::batch::place("crashes");
    check("docs/campaigns.md", &place, 1);
    let [found, merged] = ["found", "merged"].map(|name| crate::batch::made(&place.path(name)));
    assert_eq!(found, merged);
}

#[test]
fn the_tutorial_prints_what_it_says() {
    let toolchain = Command::new("rustc").args(["+1.95.0", "--version"]).output();
    if !toolchain.is_ok_and(|output| output.status.success()) {
        return println!("skipped: toolchain 1.95.0 is not installed");
    }
    let place = place();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    std::os::unix::fs::symlink(corpus, place.path("corpus")).expect("it can be made");
    check("docs/tutorial.md", &place, 7);
}

/// Fails by an error of borrows.
const BORROWS: &str = "fn other() {}\nfn main() {\n    let mut words = vec![String::new()];\n    let first = &mut words;\n    words.clear();\n    first.clear();\n}\n";

/// Fails by a test.
const LIBRARY: &str = "pub fn other() {}\n#[test]\nfn adds() {\n    other();\n    assert!(1 + 1 == 3);\n}\n";

#[test]
fn the_commands_of_the_skill_do_what_it_says() {
    let place = place();
    let crash = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ice-mir-statement/minimal.rs");
    std::fs::copy(crash, place.path("crash.rs")).expect("it is in the corpus");
    place.write("a.rs", BORROWS);
    place.write("Cargo.toml", "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    place.write("src/lib.rs", LIBRARY);
    place.write_script("interesting.sh", "#!/bin/sh\ngrep -q words $1\n");
    check("skills/mcve/SKILL.md", &place, 1);
    assert!(place.read("walk_mcve.rs").contains("fn adds") && place.read("issue.md").contains("### Code"));
}
