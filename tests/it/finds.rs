//! Other failures that candidates show on the way are kept, and what a candidate is held to can be chosen: by the real rustc.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};
use serde_json::Value;

/// The first error is a crash. Where `main` goes, it is another one.
const CRASH: &str = "//@ compile-flags: -Ztreat-err-as-bug=1
fn helper(x: u8) -> u8 { x + 1 }
struct S { a: u8 }
fn user(s: &S) -> u8 { helper(s.a) }
fn main() { let s = S { a: 1 }; let y = user(&s); let x: u8 = \"\"; println!(\"{}\", helper(x) + y); }
";

/// A program that panics in one way, and in another one where that is taken away.
const PANICS: &str = "fn check(values: &[u32], index: usize) -> u32 {
    if values.len() == 2 { panic!(\"there are two\") }
    values[index]
}
fn main() { let values = vec![1, 2]; println!(\"{}\", check(&values, 5)); }
";

fn place(text: &str) -> TestFolder {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    place
}

/// Runs mcve with what lets the compiler crash.
#[track_caller]
fn run(place: &TestFolder, args: &[&str]) -> Said {
    let said = Said::by(place.mcve(&[&["a.rs"], args].concat()).env("RUSTC_BOOTSTRAP", "1"));
    place.assert_clean();
    said.exits(Exit::Done)
}

/// The finds in the folder `out`.
#[track_caller]
fn index(place: &TestFolder) -> Vec<Value> {
    serde_json::from_str(&place.read("out/finds.json")).expect("it is JSON")
}

/// What a shell says when a line is pasted into it.
fn paste(place: &TestFolder, line: &str) -> String {
    Said::by(place.command("sh").args(["-c", line])).all()
}

#[track_caller]
fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}"))
}

#[test]
fn another_crash_is_kept_with_its_command_and_told_once() {
    let place = place(CRASH);
    // A library would need no main function.
    let said = run(&place, &["--finds", "out", "--", "--crate-type=bin"]);
    let finds = index(&place);
    let main =
        finds.iter().find(|find| text(find, "failure").contains("E0601")).expect("`main` went in some candidate");
    let path = format!("out/{}", text(main, "file"));
    let line = format!("find: {}, kept as {path}\n", text(main, "failure"));
    assert_eq!(said.stderr.matches(&line).count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains(&format!("finds    {} in out", finds.len())), "{}", said.stderr);
    assert!(paste(&place, text(main, "command")).contains("`main` function not found"));
    for find in &finds {
        assert!(paste(&place, text(find, "command")).contains("internal compiler error"), "{find}");
    }
}

#[test]
fn a_run_that_is_resumed_has_the_finds_of_one_that_is_not() {
    let place = place(CRASH);
    let args = ["--finds", "out", "--message-format", "json"];
    let first = run(&place, &args).events();
    place.kill("found", 1, || {
        let mut command = place.mcve(&[&["a.rs"], &args[..]].concat());
        command.env("RUSTC_BOOTSTRAP", "1");
        command
    });
    let mut resume = place.mcve(&["resume"]);
    let second = Said::by(resume.env("RUSTC_BOOTSTRAP", "1")).exits(Exit::Done).events();
    let finished = |events: &[Value]| events.last().expect("there are events").clone();
    let (one, two) = (finished(&first), finished(&second));
    assert!(one["recalled"] == 0 && two["recalled"].as_u64() > Some(0), "{two}");
    assert_eq!(one["finds"]["count"].as_u64(), Some(index(&place).len() as u64));
    assert_eq!(one["finds"], two["finds"]);
    assert!(first.iter().any(|event| event["event"] == "found" && text(event, "output").starts_with("out/ice-lib-")));
    assert_eq!(text(&one, "fingerprint"), text(&two, "fingerprint"));
    let baseline = first.iter().find(|event| event["event"] == "baseline").expect("it is told");
    assert_eq!(text(baseline, "fingerprint"), text(&one, "fingerprint"));
    assert!(text(&one, "fingerprint").starts_with("ice:rustc_errors/src/lib.rs:"), "{one}");
}

#[test]
fn another_panic_of_the_program_is_kept() {
    let place = place(PANICS);
    let said = run(&place, &[&["--run", "--finds", "out"], brief()].concat());
    said.says(&["fingerprint: panic:check:", "find: panic: index out of bounds: the len is "]);
    let finds = index(&place);
    let kept = finds.iter().find(|find| text(find, "failure").contains("out of bounds")).expect("it is kept");
    assert!(paste(&place, text(kept, "command")).contains("index out of bounds"), "{kept}");
    assert!(place.read("a_mcve.rs").contains("there are two"));
}

#[test]
fn any_crash_will_do_where_that_is_asked_for() {
    let tokens = |args: &[&str]| {
        let place = place(CRASH);
        let end = run(&place, &[args, &["--message-format", "json"]].concat()).last_event();
        end["after"]["tokens"].as_u64().expect("it is a number")
    };
    let (all, place_only, any) =
        (tokens(&["--match", "message,place,stack"]), tokens(&["--match", "place"]), tokens(&["--match", "any-ice"]));
    assert_eq!(all, tokens(&[]));
    // Each error is made a crash at the same place.
    assert!(place_only < all && any <= place_only, "{all} {place_only} {any}");
}

#[test]
fn what_cannot_be_matched_or_kept_is_told() {
    let place = place(CRASH);
    let nobody_knows = ["--finds keeps the other crashes that mcve recognises"];
    place.run_cleanly(&["a.rs", "--finds", "out", "--test", "true"], Exit::Usage).says(&nobody_knows);
    place.run_cleanly(&["a.rs", "--finds", "out", "--tool", "rustfmt"], Exit::Usage).says(&nobody_knows);
    assert!(!place.path("out").exists());
    place
        .run_cleanly(&["a.rs", "--match", "codes"], Exit::Usage)
        .says(&["`codes` is neither one of code, message, labels, notes"]);
    place.run_cleanly(&["a.rs", "--match", "place", "--test", "true"], Exit::Usage);
    place.write("out", "no folder");
    place.run_cleanly(&["a.rs", "--finds", "out"], Exit::Output).says(&["cannot keep finds in out"]);
    place.write("mine/finds.json", "[1]");
    place.run_cleanly(&["a.rs", "--finds", "mine"], Exit::Output);
    assert_eq!(place.read("mine/finds.json"), "[1]");
}

#[test]
fn what_is_met_while_a_find_of_fuzz_is_reduced_is_kept_as_well() {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    // Each crate lacks its documentation, and where `main` goes, that.
    let flags = ["--", "-Ztreat-err-as-bug=1", "-Dmissing-docs", "--crate-type=bin"];
    let args =
        [&["fuzz", "--count", "1", "--size", "4", "--crashes", "-o", "own", "--finds", "out"], &flags[..]].concat();
    let said = Said::by(place.mcve(&args).env("RUSTC_BOOTSTRAP", "1")).exits(Exit::Done);
    said.says(&["missing documentation for the crate (while lint_mod) (ice:rustc_errors/src/lib.rs:", "  find: "]);
    let finds = index(&place);
    assert!(finds.iter().any(|find| text(find, "failure").contains("E0601")), "{finds:?}");
    assert!(finds.iter().all(|find| place.path("out").join(text(find, "file")).exists()));
}
