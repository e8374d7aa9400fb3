//! Programs and tests that fail when they are run, through the real binary: what fails is found, kept, and cannot be faked.

use crate::reduced::{holds, place, reduce, reduce_to_the_end};
use mcve::cli::exit::Exit;
use mcve_testing::{TestFolder, brief, first};

/// A program in which a function panics that is called for a reason, and many others could with the same message.
const PANICS: &str = r#"use std::collections::HashMap;
struct Config { map: HashMap<String, u32>, name: String }
impl Config {
    fn new() -> Self { Config { map: HashMap::new(), name: String::from("x") } }
    fn set(&mut self, key: &str, value: u32) { self.map.insert(key.to_string(), value); }
    fn lookup(&self, key: &str) -> u32 {
        match self.map.get(key) { Some(value) => *value, None => panic!("no such key") }
    }
    fn unused(&self) { if self.name.is_empty() { panic!("no such key") } }
}
fn sum(config: &Config) -> u32 { config.lookup("a") + config.lookup("b") }
fn main() {
    let mut config = Config::new();
    config.set("a", 1);
    config.unused();
    println!("{}", sum(&config));
    panic!("no such key");
}
"#;

/// The running example of *The Debugging Book* (chapter *How Failures Come To Be*), with two tests.
const MARKUP: &str = r#"fn remove_html_markup(s: &str) -> String {
    let mut tag = false;
    let mut quote = false;
    let mut out = String::new();
    for c in s.chars() {
        if c == '<' && !quote {
            tag = true;
        } else if c == '>' && !quote {
            tag = false;
        } else if c == '"' || c == '\'' && tag {
            quote = !quote;
        } else if !tag {
            out.push(c);
        }
    }
    out
}
mod tests {
    #[test]
    fn plain_text_stays() { assert_eq!(super::remove_html_markup("abc"), "abc"); }
    #[test]
    fn quotes_stay() { assert_eq!(super::remove_html_markup("\"foo\""), "\"foo\""); }
}
"#;

#[test]
fn a_panic_stays_in_its_function() {
    let (said, left) = reduce_to_the_end(PANICS, &[]);
    said.says(&["failure: panic in `lookup`: no such key"]);
    holds(&left, &["fn lookup", "panic!", "fn main"]);
    assert!(!left.contains("unused") && !left.contains("sum"), "{left}");
    assert_eq!(left.matches("panic!").count(), 1, "{left}");
}

#[test]
fn a_test_keeps_what_it_knows_and_what_it_calls() {
    let (said, left) = reduce_to_the_end(MARKUP, &[]);
    said.says(&[
        "failure: the test `tests::quotes_stay` fails: panic in `quotes_stay`: assertion `left == right` failed",
    ]);
    holds(
        &left,
        &[
            "fn remove_html_markup(s: &str)",
            "s.chars()",
            "c == '\"'",
            "remove_html_markup(\"\\\"foo\\\"\"), \"\\\"foo\\\"\"",
        ],
    );
    assert!(!left.contains("plain_text_stays"), "{left}");
}

#[test]
fn a_test_that_fails_is_repaired_in_what_it_tests() {
    for command in first(1, &["repair", "isolate"]) {
        let said = place(MARKUP).run_cleanly(&[command, "a.rs"], Exit::Done).all();
        let wrong = "the expression `c == '\"' || c == '\\'' && tag` in the function `remove_html_markup`, line 10";
        holds(&said, &[wrong]);
        assert!(!said.contains("-    fn quotes_stay"), "{said}");
    }
}

#[test]
fn another_operator_is_proposed_as_a_repair() {
    // Of the changes with which the test passes, most are in one line, and there is a variable of another type.
    let text = r#"
pub fn days(month: u32, is_leap: bool) -> u64 {
    let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut sum: u64 = days[..month as usize - 1].iter().sum();
    if is_leap && month >= 2 {
        sum += 1;
    }
    sum
}

#[test]
fn february_begins_after_january() {
    assert_eq!(days(2, true), 31);
}

#[test]
fn march_begins_after_february() {
    assert_eq!(days(3, true), 60);
}
"#;
    let place = place(text);
    let said = place.run_cleanly(&["repair", "a.rs"], Exit::Done).all();
    holds(&said, &["the expression `month >= 2` in the function `days`", "+    if is_leap && month > 2 {"]);
}

#[test]
fn the_change_that_made_a_test_fail_is_found() {
    let place = place(MARKUP);
    place
        .write("good.rs", MARKUP.replace("c == '\"' || c == '\\'' && tag", "c == '\\'' && tag").replace("abc", "abcd"));
    let said = place.run_cleanly(&["changes", "good.rs", "a.rs"], Exit::Done).all();
    holds(&said, &["the test `tests::quotes_stay` fails", "+        } else if c == '\"' || c == '\\'' && tag {"]);
    assert!(!said.contains("plain_text_stays"), "{said}");
    place.run(&["changes", ".", ".", "--code", "E0308"], Exit::Usage).says(&["name the test by --test-name"]);
}

#[test]
fn in_packages_one_test_is_named() {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    for (package, quote) in [("good", "c == '\\'' && tag"), ("bad", "c == '\"' || c == '\\'' && tag")] {
        let text = MARKUP.replace("c == '\"' || c == '\\'' && tag", quote);
        // Another test fails in both versions, in its own way.
        let text = text.replace("\"abc\"), \"abc\"", &format!("\"abc\"), {package:?}"));
        place.write(format!("{package}/src/lib.rs"), text);
        place.write(format!("{package}/Cargo.toml"), "[package]\nname = \"markup\"\nedition = \"2021\"\n");
    }
    let said = place.run(&["changes", "good", "bad", "--test-name", "quotes_stay"], Exit::Done).all();
    holds(&said, &["`cargo test quotes_stay` fails", "+        } else if c == '\"' || c == '\\'' && tag {"]);
    assert!(!said.contains("plain_text_stays"), "{said}");
}

#[test]
fn what_a_run_reaches_is_a_part_of_the_tokens_at_the_start() {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("main.rs", "mod part;\nmod more;\nfn main() { part::fail(more::one()); }\n");
    place.write("part.rs", "pub fn fail(n: u8) { if n > 0 { panic!(\"it fails\") } }\n");
    place.write("more.rs", "pub fn one() -> u8 { 1 }\npub fn two() -> u8 { 2 }\n");
    let said = place.run(&["main.rs", "--run"], Exit::Done).all();
    let number = |before: &str| said.split(before).nth(1).and_then(|rest| rest.split(' ').next()).map(str::to_owned);
    let start = number("start: ").expect("it begins");
    let reached = said.lines().find(|line| line.starts_with("the run reaches ")).expect("it runs");
    assert!(reached.contains(&format!(" of {start} tokens")), "{said}");
}

#[test]
fn the_test_is_that_which_is_named() {
    let two = MARKUP.replace("\"abc\"), \"abc\"", "\"abc\"), \"abd\"");
    for name in first(1, &["plain_text_stays", "tests::plain_text_stays"]) {
        let (said, left) = reduce_to_the_end(&two, &["--test-name", name]);
        // A test that is called without its harness tells what it reaches, too.
        said.says(&["the run reaches "]);
        holds(&left, &["plain_text_stays", "remove_html_markup", "\"abc\"", "\"abd\""]);
        assert!(!left.contains("quotes_stay"), "{left}");
    }
    place(MARKUP)
        .run(&["a.rs", "--test-name", "plain_text_stays"], Exit::NotFailing)
        .says(&["there is no failure to keep"]);
}

#[test]
fn a_value_that_is_wrong_is_computed_from_what_was_given() {
    let text = r#"
fn parse(text: &str) -> Vec<u32> { text.split(',').map(|word| word.trim().parse().unwrap_or(0)).collect() }
fn total(numbers: &[u32]) -> u32 { let mut sum = 0; for number in &numbers[1..] { sum += number; } sum }
fn mean(numbers: &[u32]) -> u32 { total(numbers) / numbers.len() as u32 }
fn main() {
    let numbers = parse("4, 8, 12");
    println!("{}", mean(&numbers));
    let sum = total(&numbers);
    assert_eq!(sum, 24, "the sum");
}
"#;
    let (said, left) = reduce(text, &["--run"]);
    said.says(&["failure: panic in `main`: assertion `left == right` failed: the sum, left: 20, right: 24"]);
    holds(&left, &["fn parse", "fn total", "[1..]", "\"4, 8, 12\"", "24"]);
    assert!(!left.contains("mean"), "{left}");
}

#[test]
fn arguments_and_standard_input_are_given_to_the_program() {
    let text = r#"
use std::io::Read;
fn check(word: &str) { if word == "bad" { std::process::exit(3) } }
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("it is text");
    let argument = std::env::args().nth(1).unwrap_or_default();
    if argument == "-x" { text.lines().for_each(check); }
}
"#;
    let place = place(text);
    place.write("in.txt", "good\nbad\n");
    place.run(&["a.rs"], Exit::NotFailing).says(&["`main` runs"]);
    place.run(&["a.rs", "--run", "--stdin", "in.txt"], Exit::NotFailing);
    let said = place.run_cleanly(&[brief(), &["a.rs", "--run", "--stdin", "in.txt", "--", "-x"]].concat(), Exit::Done);
    said.says(&["failure: exit code 3"]);
    holds(&place.read("a_mcve.rs"), &["exit(3)"]);
}

#[test]
fn a_program_may_end_by_a_signal_or_an_error() {
    let (said, left) =
        reduce("fn f() { println!(\"x\"); std::process::abort() }\nfn main() { println!(\"y\"); f(); }", &[]);
    said.says(&["failure: signal 6 (SIGABRT)"]);
    holds(&left, &["abort()"]);
    let text = "#[derive(Debug)] struct Bad(u8);\nfn f(a: u8) -> Result<u8, Bad> { if a > 1 { Err(Bad(a)) } else { Ok(a) } }\nfn main() -> Result<(), Bad> { println!(\"x\"); f(1)?; f(2)?; Ok(()) }";
    let (said, left) = reduce(text, &[]);
    said.says(&["failure: exit code 1: Error: Bad(2)"]);
    holds(&left, &["Bad"]);
}

#[test]
fn a_panic_of_the_library_is_told_by_its_callers() {
    let text = "fn many() -> Vec<u8> { Vec::with_capacity(usize::MAX) }\nfn few() -> Vec<u8> { vec![1] }\nfn main() { let a = few(); println!(\"{}\", a.len()); println!(\"{}\", many().len()); }";
    let (said, left) = reduce(text, &[]);
    said.says(&["failure: panic in `many`: capacity overflow"]);
    holds(&left, &["fn many", "with_capacity"]);
    assert!(!left.contains("few"), "{left}");
}

#[test]
fn what_does_not_fail_is_said() {
    place(&MARKUP.replace("\"\\\"foo\\\"\"", "\"foo\"")).run(&["a.rs"], Exit::NotFailing).says(&["its tests pass"]);
    place("fn main() { x }")
        .run(&["a.rs", "--run"], Exit::NotFailing)
        .says(&["does not compile, so it cannot be run: error E0425"]);
    place("fn main() { loop {} }")
        .run(&["a.rs", "--timeout", "1"], Exit::NotFailing)
        .says(&["did not end in 1s when it was run"]);
}

#[test]
fn what_may_hang_ends_soon() {
    // Without the subtraction it loops for ever.
    let text = "fn main() { let mut left = 2_u8; while left > 0 { left -= 1; } panic!(\"done\") }";
    let (said, left) = reduce(text, &[]);
    said.says(&["failure: panic in `main`: done"]);
    holds(&left, &["panic!(\"done\")"]);
    assert!(!left.contains("while"), "{left}");
}

#[test]
fn one_of_several_diagnostics_is_kept() {
    let text = "fn f(v: &mut Vec<u8>) { let a = &mut *v; let b = &mut *v; a.push(1); b.push(2); }\nfn g() -> u8 { \"x\" }\nfn main() { let mut x = 1; println!(\"{x}\"); f(&mut vec![]); g(); }";
    let errors = text;
    let (said, left) = reduce(errors, &["--code", "E0308"]);
    said.says(&["failure: error E0308: mismatched types"]);
    holds(&left, &["-> u8"]);
    assert!(!left.contains("push"), "{left}");
    let compiles =
        text.replace("let b = &mut *v; a.push(1); b.push(2);", "a.push(1);").replace("-> u8 { \"x\" }", "{}");
    let (_, left) = reduce(&compiles, &["--lint", "unused_mut"]);
    holds(&left, &["let mut"]);
    let (_, left) = reduce(errors, &["--message", "^mismatched types$"]);
    assert!(!left.contains("push"), "{left}");
    place(&compiles).run(&["a.rs", "--code", "E0499"], Exit::NotFailing).says(&["rustc says no E0499"]);
}

/// Many statements run before the failure, each of which the next could need; types and impls that only the compiler needs.
fn with_much_that_runs(statements: usize) -> String {
    let steps: String = (0..statements).map(|step| format!("    log.add({step});\n")).collect();
    let impls: String = (0..30)
        .map(|n| format!("pub struct T{n}(u32);\nimpl From<u32> for T{n} {{ fn from(n: u32) -> Self {{ Self(n) }} }}\nimpl std::fmt::Display for T{n} {{ fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{ write!(f, \"{{}}\", self.0) }} }}\n"))
        .collect();
    let log = "#[derive(Default)] pub struct Log { lines: Vec<u32>, sum: u32 }\nimpl Log { pub fn add(&mut self, line: u32) { self.lines.push(line); self.sum += line; } }\n";
    let last = "fn third(all: &[u32]) -> u32 { all.iter().skip(2).step_by(3).sum() }\nimpl From<&Log> for T7 { fn from(_: &Log) -> Self { Self(7) } }\n";
    let main =
        "    let seven = T7::from(&log);\n    println!(\"{seven}\");\n    assert_eq!(third(&[1, 2, 3, 4, 5, 6]), 8);\n";
    format!("{impls}{log}{last}fn main() {{\n    let mut log = Log::default();\n{steps}{main}}}\n")
}

#[test]
fn what_runs_and_is_not_needed_goes_by_runs_of_one_program() {
    let (said, left) = reduce_to_the_end(&with_much_that_runs(30), &["--message-format", "json"]);
    let events = said.events();
    let size_behind = |pass: &str| {
        let ended = events.iter().filter(|event| event["event"] == "pass-ended" && event["pass"] == pass);
        ended.map(|event| event["size"]["tokens"].as_u64().expect("it has a size")).collect::<Vec<_>>()
    };
    let [focused, switched, sliced] = ["focus", "switches", "slices"].map(size_behind);
    // Each statement has seven tokens.
    assert!(focused[0] - switched[0] > 30 * 7, "{focused:?} {switched:?}");
    // What only they needed is no longer kept.
    assert!(sliced.last().is_some_and(|tokens| *tokens < 200), "{focused:?} {switched:?} {sliced:?}");
    holds(&left, &["fn third", "fn main", "assert_eq!(third("]);
    assert!(!left.contains("Log") && !left.contains("T7"), "{left}");
}

#[test]
fn a_panic_that_is_caught_is_not_what_a_program_fails_by() {
    let text = "fn noise() -> u8 { 3 }\nfn main() {\n    let _ = std::panic::catch_unwind(|| { noise(); panic!(\"recovered\") });\n    assert_eq!(noise(), 4);\n}\n";
    let (said, left) = reduce(text, &["--run"]);
    said.says(&["failure: panic in `main`: assertion `left == right` failed, left: 3, right: 4"]);
    holds(&left, &["assert_eq!(noise(), 4)"]);
    assert!(!left.contains("recovered"), "{left}");
    let (said, left) = reduce(&text.replace("assert_eq!(noise(), 4)", "noise(); std::process::exit(3)"), &["--run"]);
    said.says(&["failure: panic in `main`: recovered, exit code 3"]);
    holds(&left, &["exit(3)"]);
}

#[test]
fn another_test_with_its_name_in_its_own_says_nothing_of_a_test() {
    let text = "fn add(a: i32, b: i32) -> i32 { a + b + 1 }\n#[test] #[should_panic] fn a_adds() { panic!(\"wanted\") }\n#[test] fn adds() { assert_eq!(add(1, 1), 2) }\n";
    for args in first(1, &[&[][..], &["--test-name", "adds"]]) {
        let (said, left) = reduce(text, args);
        assert!(!said.stderr.contains("--skip"), "{}", said.stderr);
        said.says(&[
            "failure: the test `adds` fails: panic in `adds`: assertion `left == right` failed, left: 3, right: 2",
        ]);
        holds(&left, &["add(1, 1)"]);
        assert!(!left.contains("wanted"), "{left}");
    }
}

#[test]
fn what_rustc_says_of_a_program_that_fails_is_a_condition() {
    let text = "fn f(x: u32) -> u32 { let mut y = x; y }\nfn g(n: u32) -> u32 { n - 1 }\nfn main() { f(3); println!(\"{}\", g(0)); }\n";
    let (said, left) = reduce(text, &["--run", "--lint", "unused_mut"]);
    said.says(&["failure: panic in `g`: attempt to subtract with overflow; rustc says unused_mut"]);
    holds(&left, &["let mut y", "n - 1"]);
    let said = place(text).run(&["a.rs", "--run", "--lint", "dead_code"], Exit::NotFailing);
    said.says(&["the failure is there, and this does not hold: no dead_code"]);
    place(text).run(&["a.rs", "--run", "--slower-than", "3x"], Exit::Usage).says(&["give a time"]);
}

#[test]
fn programs_that_are_compared_have_their_arguments_and_their_input() {
    let text = "use std::io::Read;\nfn other() -> u8 { 3 }\nfn main() {\n    let mut text = String::new();\n    std::io::stdin().read_to_string(&mut text).unwrap();\n    let word = std::env::args().nth(1).unwrap_or_default();\n    let fast = !cfg!(debug_assertions);\n    if word == \"-v\" && text == \"in\" && fast { println!(\"fast\") }\n    other();\n}\n";
    let place = place(text);
    place.write("in.txt", "in");
    let args = ["a.rs", "--run", "--stdin", "in.txt", "--differs", "-O", "--only", "items,stmts", "--", "-v"];
    let said = place.run(&args, Exit::Done);
    said.says(&["failure: it behaves in two ways"]);
    assert!(!place.read("a_mcve.rs").contains("other"), "{}", place.read("a_mcve.rs"));
    place.run(&["a.rs", "--run", "--differs", "-O"], Exit::NotFailing).says(&["it behaves the same"]);
}

#[test]
fn a_program_that_passes_may_run_longer_than_one_that_fails() {
    let text = r#"
use std::time::{Duration, Instant};
fn half(number: u64) -> u64 { number / 2 + 1 }
fn wait() {
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(600) { std::hint::black_box("x".repeat(1 << 20)); }
}
#[test]
fn half_is_half() {
    assert_eq!(half(8), 4);
    wait();
}
"#;
    let place = place(text);
    let said = place.run_cleanly(&["repair", "a.rs"], Exit::Done).all();
    holds(&said, &["in the function `half`"]);
}
