//! Screening with the real rustc: what a batch shows of a candidate is what the candidate shows alone, and a search ends as without
//! batches.

use std::path::Path;
use std::process::{Command, Stdio};

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, first, is_thorough, shell};
use mcve_transforms::{Batch, CHOICE};

/// A program whose paths, macros and attributes of the crate depend on where it is.
const TEXT: &str = r#"#![allow(dead_code)]
//! A bank.
#![deny(missing_docs)]
extern crate std as standard;
use crate::ledger::Ledger;
macro_rules! total { ($($cents:expr),*) => { $crate::sum(&[$($cents),*]) } }
mod ledger {
    pub struct Ledger { pub(in crate::ledger) cents: Vec<u32>, pub name: &'static str }
    impl Ledger {
        pub fn new() -> Self { Self { cents: vec![5, 7], name: "main" } }
        pub fn first(&self, over: u32) -> Option<u32> { self.cents.iter().copied().find(|cents| *cents > over) }
        pub fn close(&self) { let left = self.first(100); println!("{}", crate::total!(1, left.expect("nothing is left"))); }
    }
}
fn sum(cents: &[u32]) -> u32 { standard::iter::Iterator::sum(cents.iter()) }
use total;
fn main() { let ledger = Ledger::new(); println!("{} {}", ledger.name, total!(1, 2)); crate::ledger::Ledger::close(&ledger); }
"#;

/// What becomes of a program in a folder of its own, as the variant of this number.
fn run(folder: &Path, text: &str, variant: usize) -> (Option<i32>, String) {
    std::fs::write(folder.join("a.rs"), text).expect("it can be written");
    std::fs::write(folder.join(CHOICE), variant.to_string()).expect("it can be written");
    let words = ["--edition=2018", "--cap-lints=allow", "-Cdebuginfo=line-tables-only", "a.rs", "-o", "run"];
    let compiled = Command::new(shell::rustc()).args(words).current_dir(folder).output().expect("there is a rustc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut command = Command::new(folder.join("run"));
    command.current_dir(folder).env("RUST_BACKTRACE", "1").stdin(Stdio::null());
    let output = command.output().expect("it runs");
    (output.status.code(), String::from_utf8(output.stderr).expect("it is text"))
}

/// The place of the panic and the frames of its backtrace up to `main`.
fn head(stderr: &str) -> Vec<String> {
    let lines = stderr.lines().map(str::trim).filter(|line| !line.starts_with("note:") && !line.is_empty());
    let lines = lines.map(|line| line.split_once(") panicked").map_or(line, |(_, place)| place).to_owned());
    lines.take_while(|line| !line.contains("::main")).collect()
}

#[test]
fn a_batch_shows_of_each_variant_what_it_shows_alone() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let variants = [
        TEXT.replace("find(|cents| *cents > over)", "next()"),
        TEXT.replace("println!(\"{} {}\", ledger.name, total!(1, 2)); ", ""),
        TEXT.replace("let left = self.first(100);", "let left = self\n.first(100);"),
    ];
    let batch = Batch::of(TEXT, variants.iter().map(|text| Some(&**text))).runnable();
    for (number, alone) in variants.iter().map(String::as_str).chain([TEXT]).enumerate() {
        let (code, stderr) = run(folder.path(), &batch.text, number);
        let translated = batch.translate(number, "a.rs", &stderr);
        let (code_alone, alone) = run(folder.path(), alone, number);
        assert_eq!((code, head(&translated)), (code_alone, head(&alone)), "{translated}");
        assert_eq!(code, Some(if number == 0 { 0 } else { 101 }), "{translated}");
        assert!(number == 0 || head(&alone).iter().any(|line| line.contains("a.rs:12:")) != (number == 2), "{alone}");
    }
}

#[test]
fn a_compiler_names_the_variants_that_have_errors() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let variants = [
        TEXT.replace("copied()", "copies()"),
        TEXT.replace("-> Self", ""),
        TEXT.replace("&'static str", "&'static u8"),
        TEXT.replace("use crate::ledger::Ledger;", ""),
        TEXT.replace("println!(\"{} {}\", ledger.name, total!(1, 2)); ", ""),
    ];
    let batch = Batch::of(TEXT, variants.iter().map(|text| Some(&**text))).checkable();
    std::fs::write(folder.path().join("a.rs"), &batch.text).expect("it can be written");
    let words = ["--edition=2018", "--emit=metadata", "--error-format=json", "--cap-lints=allow", "a.rs"];
    let compiled = Command::new(shell::rustc()).args(words).current_dir(folder.path()).output().expect("there is one");
    let mut refused: Vec<usize> = String::from_utf8_lossy(&compiled.stderr)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .flat_map(|diagnostic| diagnostic["spans"].as_array().cloned().unwrap_or_default())
        .filter(|span| span["is_primary"] == true)
        .filter_map(|span| {
            let at = usize::try_from(span["byte_start"].as_u64()?).ok()?;
            batch.variant(&(at..at))
        })
        .collect();
    refused.sort_unstable();
    refused.dedup();
    assert_eq!(refused, [0, 1, 2, 3]);
}

/// What is left of a program by these options, the checks that it took, and whether it is 1-minimal.
#[track_caller]
fn reduce(text: &str, options: &[&str]) -> (String, [serde_json::Value; 2]) {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    let mut command = place.mcve(&[&["a.rs", "--jobs", "1", "--message-format", "json"], options].concat());
    let summary = Said::by(&mut command).exits(Exit::Done).last_event();
    (place.read("a_mcve.rs"), ["checks", "one_minimal"].map(|field| summary[field].clone()))
}

/// A program that is reduced in some seconds.
const SMALL: &str = r#"#![deny(missing_docs)]
//! A bank.
use crate::ledger::first;
mod ledger { pub fn first(cents: &[u32]) -> Option<u32> { cents.iter().copied().find(|cents| *cents > 9) } }
fn main() { let cents = [5, 7]; println!("{cents:?}"); crate::ledger::first(&cents).expect("nothing is left"); }
"#;

/// The families whose candidates are enough for batches; none, and so all, where each row of the tests is wanted.
fn families() -> &'static [&'static str] {
    if is_thorough() { &[] } else { &["--only", "items,stmts,values,hoist,calls,lists,literals"] }
}

#[test]
fn a_reduction_is_the_same_without_batches() {
    let main = format!("//@ edition: 2018\n{SMALL}");
    let test = main.replace("fn main() {", "#[test]\nfn it_closes() {");
    for &(ref text, options) in first(1, &[(main, &["--run"][..]), (test, &["--test-name", "it_closes"])]) {
        let plain = reduce(text, &[options, families(), &["--no-fork-server"]].concat());
        assert_eq!(reduce(text, &[options, families()].concat()), plain);
        assert!(plain.0.contains("expect"), "{}", plain.0);
    }
}
