//! `mcve debug`, by commands on its standard input.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

/// Debugs a program by these commands of gdb, with arguments behind its name. None without gdb.
#[track_caller]
fn debug(text: &str, args: &[&str], commands: &str, exit: Exit) -> Option<Said> {
    if Command::new("gdb").arg("--version").output().is_err() {
        println!("skipped: there is no gdb");
        return None;
    }
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    let stdin = File::open(place.write("commands", commands)).expect("it is there");
    place.write("input", "five\n");
    let said = Said::by(place.mcve(&[&["debug", "a.rs"], args].concat()).stdin(stdin)).exits(exit);
    place.assert_clean();
    assert_eq!(place.names(), ["a.rs", "commands", "input"]);
    Some(said)
}

/// Checks where it stops, and what it shows.
#[track_caller]
fn check(text: &str, args: &[&str], commands: &str, shown: &[&str]) {
    let Some(said) = debug(text, args, commands, Exit::Done) else { return };
    for words in shown {
        assert!(said.stdout.contains(words), "no `{words}` in: {}", said.all());
    }
}

const PARSE: &str = "fn parse(word: &str, most: u32) -> u32 {
    let number: u32 = word.parse().unwrap();
    assert!(number < most, \"too large\");
    number
}
";

#[test]
fn a_panic_stops_in_the_function_that_fails_with_its_values() {
    let main = "fn main() { let words = [\"1\", \"20\"]; for word in words { println!(\"{}\", parse(word, 10)); } }\n";
    let shown = [
        "parse (word=\"20\", most=10) at a.rs:3",
        "number = 20",
        "$1 = 21",
        "main () at a.rs:6",
        "words = [\"1\", \"20\"]",
    ];
    check(&format!("{PARSE}{main}"), &[], "print number + 1\nup\ninfo locals\nquit\n", &shown);
}

#[test]
fn a_panic_that_was_caught_before_is_passed() {
    let main = "fn main() { let _ = std::panic::catch_unwind(|| parse(\"x\", 1)); parse(\"7\", 3); }\n";
    check(&format!("{PARSE}{main}"), &["--run"], "", &["parse (word=\"7\", most=3) at a.rs:3"]);
}

#[test]
fn a_panic_of_the_standard_library_or_a_thread_stops_in_the_program() {
    let text = "fn take(list: &mut Vec<u8>, at: usize) -> u8 { list.remove(at) }
fn main() { std::thread::spawn(|| take(&mut vec![1, 2], 5)).join().unwrap(); }\n";
    check(text, &[], "print *list\n", &["take (list=", "at=5) at a.rs:1", "Vec(size=2) = {1, 2}"]);
}

#[test]
fn a_test_is_debugged() {
    let text = format!("{PARSE}#[test] fn small() {{ parse(\"1\", 2); }}\n#[test] fn large() {{ parse(\"9\", 8); }}\n");
    check(&text, &["--test-name", "large"], "", &["parse (word=\"9\", most=8) at a.rs:3", "number = 9"]);
}

#[test]
fn a_signal_or_an_exit_stops_where_it_comes_from() {
    check(
        "fn end(n: i32) { if n > 3 { std::process::exit(n) } }\nfn main() { (0..9).for_each(end) }\n",
        &[],
        "",
        &["end (n=4) at a.rs:1"],
    );
    check(
        "fn end(n: u8) { if n > 3 { std::process::abort() } }\nfn main() { (0..9).for_each(end) }\n",
        &[],
        "",
        &["end (n=4) at a.rs:1"],
    );
}

#[test]
fn the_program_has_its_arguments_and_its_input() {
    let text = "fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut input = String::new();
    std::io::stdin().read_line(&mut input).unwrap();
    assert!(input.trim() == words[0]);
}\n";
    let args = ["--run", "--stdin", "input", "--", "a b", "c'd"];
    check(text, &args, "print 40 + 2\n", &["{\"a b\", \"c'd\"}", "input = \"five\\n\"", "$1 = 42"]);
}

#[test]
fn the_debugger_and_the_program_are_in_the_sandbox() {
    let text = "fn main() { println!(\"{:?}\\x1b[31m\", std::fs::write(\"../../../x\", \"\").is_err()); panic!() }\n";
    let commands = "shell touch /mcve-was-here || echo denied\n";
    check(text, &[], commands, &["true\\u{1b}[31m", "denied"]);
    assert!(!Path::new("/mcve-was-here").exists());
}

#[test]
fn what_does_not_fail_in_a_run_is_refused() {
    for (text, words) in
        [("fn main() {}\n", "there is no failure to keep"), ("fn main() { x }\n", "it does not fail when it is run")]
    {
        let Some(said) = debug(text, &[], "", Exit::NotFailing) else { return };
        said.says(&[words]);
    }
}
