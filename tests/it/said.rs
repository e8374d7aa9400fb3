//! What is said at the end of a run, and to whom a command line does not do what they want: it is true, and it works in a shell.

use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

use crate::reduced::{holds, lacks, place};

/// One macro in two places: in one of them its variable need not be mutable.
const SUM: &str =
    "macro_rules! sum { ($first:expr $(, $rest:expr)*) => {{ let mut sum = $first; $(sum += $rest;)* sum }}; }
fn fee(cents: u32) -> u32 { sum!(cents) }
fn total(count: u32) -> u32 { sum!(1, count, 3) }
fn main() { println!(\"{} {}\", fee(1), total(2)); }
";

/// The comment behind the last arm moves at the second time.
const COMMENT: &str = "fn f(x: u8) -> u8 { x + 1 }
fn main() {
    match f(1) {
        2 => { println!(\"two\"); },
        _ => {
        },
        // nothing else
    }
}
";

const RUNS: &str = "fn find(cells: &[u32], x: u32) -> usize {
    let mut at = 0;
    while at <= cells.len() {
        if cells[at] == x { return at; }
        at += 1;
    }
    at
}
fn main() { println!(\"{}\", find(&[1, 3, 5, 7], 8)); }
";

/// Checks that the program that passes is one that `tool` accepts with these words on standard error, or without them.
#[track_caller]
fn check_change(text: &str, args: &[&str], how: &str, tool: &[&str], says: Option<&str>, says_not: &str) {
    let place = place(text);
    let args = [&["a.rs"], args].concat();
    let said = place.run_cleanly(&args, Exit::Done);
    said.clone().says(&[&format!("with this change {how}:\n")]);
    let pass = place.run_cleanly(&[&args[..], &["--message-format", "json"]].concat(), Exit::Done).last_event()["pass"]
        .clone();
    place.write("pass.rs", pass.as_str().expect("there is one"));
    let compiled = Said::by(place.command(tool[0]).args(&tool[1..]).arg("pass.rs"));
    assert!(compiled.is_success() && !compiled.stderr.contains(says_not), "{pass}\n{}", compiled.stderr);
    assert!(says.is_none_or(|words| compiled.stderr.contains(words)), "{pass}\n{}", compiled.stderr);
    lacks(&said.stderr, &["todo!", "    -fn main() {\n"]);
}

#[test]
fn a_change_that_is_shown_was_compiled() {
    let mismatch = "fn f() -> u8 { \"x\" }\nfn other() {}\nfn main() { f(); other() }\n";
    let unused = "fn f() -> u8 { let mut a = 1; a }\nfn main() { println!(\"{}\", f()) }\n";
    let rustc = ["rustc", "--edition=2024", "--crate-type=lib", "--emit=metadata"];
    let clippy = ["clippy-driver", "--edition=2024", "--crate-type=lib", "--emit=metadata"];
    check_change(mismatch, &[], "it compiles", &rustc, None, "error");
    check_change(unused, &["--lint", "unused_mut"], "the warning goes", &rustc, None, "mutable");
    check_change(
        SUM,
        &["--lint", "unused_mut", "--suggestion", "fails"],
        "its suggestion works",
        &rustc,
        Some("need to be mutable"),
        "error",
    );
    check_change(unused, &["--tool", "clippy", "--lint", "unused_mut"], "the warning goes", &clippy, None, "mutable");
    check_change(RUNS, &["--run"], "it passes", &["rustc", "--edition=2024"], None, "error");
}

#[test]
fn a_change_that_says_nothing_is_not_shown() {
    for text in ["fn main() {\n    missing;\n}\n", "#![allow(unused)]\nfn main() {\n    missing;\n}\n"] {
        let said = place(text).run_cleanly(&["a.rs"], Exit::Done);
        lacks(&said.stderr, &["with this change"]);
    }
    let open = "struct Key(std::rc::Rc<u8>);\nfn f() -> Key { \"\" }\nfn main() { f(); }\n";
    lacks(&place(open).run_cleanly(&["a.rs"], Exit::Done).stderr, &["todo!", "loop {}", "panic!"]);
}

/// Checks that a shell in the folder of the result shows the failure by the command that is printed.
#[track_caller]
fn check_command(text: &str, args: &[&str], command: &str, shows: &[&str]) {
    let place = place(text);
    let said = place.run_cleanly(&[&["a.rs", "-o", "other.out.rs"], brief(), args].concat(), Exit::Done);
    let line = said.see_it().expect("there is a result");
    holds(line, &[command]);
    assert!(!line.contains('\n') && !line.contains("invalid"), "{line}");
    let shown = Said::by(place.command("sh").args(["-c", line])).all();
    holds(&shown, shows);
}

#[test]
fn the_command_that_is_printed_shows_the_failure_in_a_shell() {
    let mismatch = "fn f() -> u8 { \"x\" }\nfn main() { f(); }\n";
    check_command(
        mismatch,
        &[],
        "rustc --edition=2024 --emit=metadata --crate-type=lib --crate-name=other_out other.out.rs",
        &["E0308"],
    );
    let twice = "rustfmt --edition 2024 < other.out.rs | rustfmt --edition 2024 --check";
    check_command(COMMENT, &["--tool", "rustfmt"], twice, &["Diff in"]);
    let suggestion = ["--lint", "unused_mut", "--suggestion", "fails"];
    check_command(SUM, &suggestion, "other.out.rs | rustc --edition=2024", &["does not need to be mutable", "E0384"]);
    let last = "fn last(lines: &[&str]) -> Option<usize> { lines.iter().map(|line| { println!(\"{line}\"); line.len() }).last() }\nfn main() { println!(\"{:?}\", last(&[\"a\", \"b\"])); }\n";
    let args = ["--tool", "clippy", "--lint", "clippy::double_ended_iterator_last", "--suggestion", "fails", "--run"];
    check_command(last, &args, "sed ", &["next_back", "< a"]);
    check_command(RUNS, &["--run"], "--crate-name=other_out", &["index out of bounds"]);
}

#[test]
fn people_see_a_message_as_it_was_written() {
    let said = place(RUNS).run_cleanly(&["a.rs", "--run"], Exit::Done);
    said.clone().says(&["failure: panic in `find`: index out of bounds: the len is 4 but the index is 4"]);
    lacks(&said.stderr, &["is _", " _ "]);
}

/// Checks what a command line is told.
#[track_caller]
fn check_told(place: &TestFolder, args: &[&str], exit: Exit, words: &[&str]) {
    place.run(args, exit).says(words);
}

#[test]
fn a_command_line_is_told_what_helps() {
    let place = place(SUM);
    place.write("b.rs", "fn f() -> u8 { \"x\" }\nfn main() { f(); }\n");
    place.write("walk/Cargo.toml", "[package]\nname = \"walk\"\nedition = \"2024\"\n");
    place.write("walk/src/lib.rs", "use nowhere::Thing;\npub fn f(thing: Thing) {}\n");
    check_told(&place, &["walk"], Exit::Input, &["walk is the folder of a package: `cargo mcve`"]);
    check_told(&place, &["."], Exit::Input, &[". is a directory: name the Rust file in it"]);
    check_told(
        &place,
        &["walk/src/lib.rs"],
        Exit::Input,
        &["`nowhere` is not known", "this is a package: `cargo mcve`"],
    );
    check_told(
        &place,
        &["b.rs", "--code", "E0309"],
        Exit::NotFailing,
        &["no E0309; it says:\n  error E0308: mismatched types (line 1)"],
    );
    check_told(
        &place,
        &["a.rs", "--lint", "unused_mutt"],
        Exit::NotFailing,
        &["no unused_mutt; it says:\n  warning unused_mut: "],
    );
    check_told(&place, &["b.rs", "--code", "308"], Exit::Done, &["failure: error E0308"]);
    check_told(&place, &["a.rs", "b.rs"], Exit::Usage, &["`mcve a.rs --fixed b.rs`", "`mcve --incremental a.rs b.rs`"]);
    check_told(&place, &["minimise", "a.rs"], Exit::Usage, &["no such command: `minimise`.", "`mcve help` lists all"]);
    check_told(&place, &["a.rs", "--lint", "unused_mut"], Exit::Done, &["right or wrong", "--suggestion fails"]);
    place.write("two.rs", "fn f() -> u8 { \"x\" }\nfn main() { f(); missing() }\n");
    check_told(
        &place,
        &["two.rs"],
        Exit::Done,
        &["2 errors, of which the first is kept", "--at LINE, --code or --message"],
    );
    place.write("run.rs", RUNS);
    let args = ["run.rs", "--run", "--only", "items", "--runs", "1", "--", "-O"];
    check_told(&place, &args, Exit::Done, &["the words after `--` are the program's", "--fails-with=-O"]);
}

#[test]
fn a_toolchain_that_is_not_installed_is_told_without_a_stack() {
    let place = place(SUM);
    let mut command: Command = place.mcve(&["+1.2.3", "a.rs"]);
    let said = Said::by(command.env("RUST_BACKTRACE", "1")).exits(Exit::Check);
    lacks(&said.stderr, &["Stack backtrace"]);
}
