//! How finely changes are split, several causes, what is written, and runs that go on.

use mcve::cli::exit::Exit;
use mcve_changes::debugger::ChangeDebugger;
use mcve_changes::pair::Grain;
use mcve_dd::Outcome;
use mcve_testing::TestFolder;
use mcve_testing::event::event;
use mcve_testing::shell::MCVE_PID;

use super::git::{applies, changes, place};
use super::versions::changed;

const OLD: &str = "one two three\nfour five six\nseven eight nine\n";
const NEW: &str = "one 2 three\nfour cinq seis\nseven eight ten\n";

/// A folder with two versions of a text.
fn two_versions() -> TestFolder {
    let place = place();
    place.write("old.txt", OLD);
    place.write("new.txt", NEW);
    place
}

#[test]
fn changes_are_split_as_finely_as_asked_for() {
    for (grain, expected) in [
        (
            "files",
            &[
                "-one two three", "-four five six", "-seven eight nine", "+one 2 three", "+four cinq seis",
                "+seven eight ten",
            ][..],
        ),
        (
            "hunks",
            &[
                "-one two three", "-four five six", "-seven eight nine", "+one 2 three", "+four cinq seis",
                "+seven eight ten",
            ],
        ),
        ("lines", &["-four five six", "+four cinq seis"]),
        ("tokens", &["-four five six", "+four cinq six"]),
        ("characters", &["-four five six", "+four ciive six"]),
    ] {
        let place = two_versions();
        let test = "grep -q 'four ci' \"$1\"";
        let (patch, _) = changes(&place, "", &["old.txt", "new.txt", "--grain", grain, "--test", test], Exit::Done);
        let mut lines = changed(&patch);
        lines.sort_by_key(|line| line.starts_with('+'));
        assert_eq!(lines.len(), expected.len(), "{grain}: {patch}");
        if grain != "characters" {
            assert_eq!(lines, expected, "{grain}");
        }
        assert!(patch.contains("+four ci"), "{grain}: {patch}");
    }
}

#[test]
fn files_are_the_coarsest_grain() {
    let place = place();
    for (version, text) in [("old", OLD), ("new", NEW)] {
        ["a", "b", "c"].iter().for_each(|name| _ = place.write(format!("{version}/{name}"), text));
    }
    let args = ["old", "new", "--stop-at", "files", "--test", "grep -q cinq b"];
    let (patch, told) = changes(&place, "", &args, Exit::Done);
    assert_eq!(patch.matches("diff --git").count(), 1, "{patch}");
    assert!(patch.contains("+++ b/b") && told.contains("files: 3 -> 1") && !told.contains("hunks"), "{told}");
    assert_eq!(changed(&patch).len(), 6, "{patch}");
}

#[test]
fn every_cause_is_found_alone() {
    let place = place();
    let old: String = (0..30).map(|line| format!("line {line}\n")).collect();
    place.write("old.txt", &old);
    place.write(
        "new.txt",
        old.replace("line 3\n", "bad\n").replace("line 13\n", "good\n").replace("line 23\n", "worse\n"),
    );
    let args = ["old.txt", "new.txt", "--test", "grep -qE 'bad|worse' \"$1\""];
    let (patch, told) = changes(&place, "", &args, Exit::Done);
    assert!(told.contains("causes   2: each makes it fail without the ones before"), "{told}");
    let (first, second) = patch.split_once("# Cause 2 of 2. ").expect("there are two");
    assert!(first.starts_with("# Cause 1 of 2. What changed here makes this fail"), "{patch}");
    let mut found = [changed(first), changed(second)];
    found.sort();
    assert_eq!(found, [["-line 23", "+worse"], ["-line 3", "+bad"]]);
    let (events, _) = changes(&place, "", &[&args[..], &["--message-format", "json"]].concat(), Exit::Done);
    let last = event(events.lines().last().expect("there are events"));
    assert_eq!(last["others"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_folder_gets_both_versions_and_the_patch() {
    let place = two_versions();
    let args = ["old.txt", "new.txt", "-o", "found/", "--test", "grep -q cinq \"$1\""];
    let (printed, told) = changes(&place, "", &args, Exit::Done);
    assert!(printed.is_empty() && told.contains("patch    found/difference.patch"), "{told}");
    assert_eq!(place.read("found/pass.txt"), OLD);
    assert_eq!(place.read("found/fail.txt"), OLD.replace("five six", "cinq seis"));
    assert_eq!(changed(&place.read("found/difference.patch")).len(), 2);
    let (_, told) = changes(&place, "", &args, Exit::Output);
    assert!(told.contains("the folder found/ is not empty"), "{told}");
    for (version, text) in [("old", OLD), ("new", NEW)] {
        place.write(format!("{version}/deep/a"), text);
    }
    changes(&place, "", &["old", "new", "-o", "both/", "--test", "grep -q cinq deep/a"], Exit::Done);
    assert_eq!(place.read("both/pass/deep/a"), OLD);
    assert!(place.read("both/fail/deep/a").contains("cinq"));
}

#[test]
fn a_script_that_says_1_for_bad_gets_a_hint() {
    let place = two_versions();
    let args = ["old.txt", "new.txt", "--test", "! grep -q cinq \"$1\""];
    let (_, told) = changes(&place, "", &args, Exit::NotFailing);
    assert!(told.contains("the good version old.txt fails, and the bad version new.txt does not"), "{told}");
    assert!(told.contains("give --bad 1"), "{told}");
    let (patch, _) = changes(&place, "", &[&args[..], &["--bad", "1"]].concat(), Exit::Done);
    assert_eq!(changed(&patch), ["-four five six", "+four cinq seis"]);
}

#[test]
fn several_checks_at_once_find_the_same() {
    let place = two_versions();
    let args = ["old.txt", "new.txt", "--grain", "tokens", "--test", "grep -q cinq \"$1\""];
    let (one, _) = changes(&place, "", &args, Exit::Done);
    let (two, _) = changes(&place, "", &[&args[..], &["-j", "3"]].concat(), Exit::Done);
    assert_eq!(one, two);
}

#[test]
fn an_interrupted_run_goes_on() {
    let place = two_versions();
    let count = place.write("count", "");
    let script = format!(
        "printf x >> {0}; [ $(wc -c < {0}) -ne 8 ] || {{ kill -INT {MCVE_PID}; sleep 1000; }}; grep -q cinq \"$1\"",
        count.display()
    );
    let args = ["old.txt", "new.txt", "--grain", "tokens", "--sandbox", "off", "-o", "p", "--test", &script];
    changes(&place, "", &args, Exit::Interrupted);
    let run = || place.read("count").len();
    let before = run();
    let output = place.mcve(&["resume", "p"]).output().expect("it can be run");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    assert_eq!(changed(&place.read("p")), ["-four five six", "+four cinq six"]);
    assert!(told.contains("7 checks are known"), "{told}");
    let again = run() - before;
    let whole = place.write("count", "");
    changes(&place, "", &[&args[..7], &["q", "--test", &script.replace("-ne 8", "-ne 0")]].concat(), Exit::Done);
    assert!(again < std::fs::read(whole).expect("it is there").len(), "what was known is not asked for again");
}

/// The chapter's example by the library: of four patches two may be applied with which it still passes.
#[test]
fn the_change_debugger_of_the_book_has_the_same_patches() {
    let [good, bad] = [include_str!("../../../docs/changes/good.rs"), include_str!("../../../docs/changes/bad.rs")];
    let debugger = ChangeDebugger::new(good, bad, Grain::Hunks);
    assert_eq!(debugger.patches().len(), 4);
    let place = place();
    let found = debugger.min_patches(|text: &str| {
        place.write("version.rs", text);
        let compiled = std::process::Command::new("rustc")
            .args(["-Awarnings", "version.rs", "-o", "program"])
            .current_dir(place.path("."))
            .output();
        if !compiled.expect("there is a rustc").status.success() {
            return Outcome::Unresolved;
        }
        let run = std::process::Command::new(place.path("program")).output().expect("it can be run");
        Outcome::fail_if(!run.status.success())
    });
    let found = found.expect("both versions are right");
    assert_eq!(found.difference.len(), 1);
    assert!(found.difference[0].added.contains("quote = !quote"));
    // Each patch applies alone, by its context also where lines before it are others.
    let [patch] = &found.difference[..] else { unreachable!("there is one") };
    let patch = place.write("p", patch.to_string());
    let context = ["             tag = false;", "         } else if !tag {", "             out.push(c);"];
    assert!(context.iter().all(|line| place.read("p").lines().any(|other| other == *line)), "{}", place.read("p"));
    for before in ["", "// A line.\n"] {
        place.write("version.rs", format!("{before}{good}"));
        applies(&place, "", &[], &patch);
    }
    let passing: Vec<&str> = found.passing.iter().map(|patch| patch.added.trim()).collect();
    assert_eq!(passing.len(), 2, "{passing:?}");
}
