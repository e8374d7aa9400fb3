//! Runs that share verdicts: what one has checked another one knows, and a wrong entry makes no wrong result. By the real rustc.

use std::fs;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

/// The first error is a crash.
pub(crate) const CRASH: &str = "//@ compile-flags: -Ztreat-err-as-bug=1 --crate-type=lib
pub fn helper(x: u8) -> u8 { x + 1 }
pub struct S { pub a: u8 }
pub fn user(s: &S) -> u8 { let t = helper(s.a); if t > 2 { t } else { 3 } }
pub fn all() -> u8 { let s = S { a: 1 }; let y = user(&s); let x: u8 = \"\"; helper(x) + y }
";

/// What a run of another user, elsewhere, says at its end. The store is in `at`.
fn run(text: &str, at: &TestFolder) -> (TestFolder, Value) {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    let store = at.path("store").display().to_string();
    let mut command = place.mcve(&["a.rs", "--store", &store, "--message-format", "json"]);
    let said = Said::by(command.env("RUSTC_BOOTSTRAP", "1")).exits(Exit::Done);
    (place, said.last_event())
}

fn count(said: &Value, name: &str) -> u64 {
    said[name].as_u64().expect("it is a number")
}

#[test]
fn a_second_user_asks_little_and_wrong_entries_make_no_wrong_result() {
    let at = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    let (first, said) = run(CRASH, &at);
    let (checks, expected) = (count(&said, "checks"), first.read("a_mcve.rs"));
    assert!(checks > 20 && count(&said, "recalled") == 0, "{said}");

    let (second, said) = run(CRASH, &at);
    assert_eq!(second.read("a_mcve.rs"), expected);
    let recalled = count(&said, "recalled");
    // Failures are confirmed, and the first runs are made.
    assert!(recalled * 100 >= (recalled + count(&said, "checks")) * 85, "{said}");

    // What goes at once leaves the same candidates.
    let (_, said) = run(&format!("{CRASH}pub fn added() {{}}\n"), &at);
    assert!(count(&said, "recalled") * 2 > checks, "{said}");

    let mut is_poisoned = false;
    for basis in fs::read_dir(at.path("store")).expect("it is there").flatten() {
        for file in fs::read_dir(basis.path()).expect("it is a folder").flatten() {
            let text = fs::read_to_string(file.path()).expect("it is text");
            let lines = text.lines().map(|line| {
                let (_, json) = line.split_once(' ').expect("it has a checksum");
                let json = json
                    .replace("\"says\":\"unresolved\"", "\"says\":\"fail\"")
                    .replace("\"says\":\"pass\"", "\"says\":\"fail\"");
                format!("{:016x} {json}\n", xxh3_64(json.as_bytes()))
            });
            let lines: String = lines.collect();
            is_poisoned |= lines != text;
            fs::write(file.path(), lines).expect("it can be written");
        }
    }
    assert!(is_poisoned, "there are verdicts to turn around");
    let (poisoned, said) = run(CRASH, &at);
    assert!(count(&said, "recalled") > 0, "{said}");
    let shown = Said::by(poisoned.command("sh").args(["-c", said["command"].as_str().expect("it is text")])).all();
    assert!(shown.contains("query stack during panic"), "{shown}");
    assert_eq!(poisoned.read("a_mcve.rs"), expected);
}
