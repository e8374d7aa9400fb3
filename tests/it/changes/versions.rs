//! Two files, two folders.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;
use mcve_testing::event::event;
use mcve_testing::shell::MCVE_PID;

use super::git::{applies, changes, place};

const GOOD: &str = include_str!("../../../docs/changes/good.rs");
const BAD: &str = include_str!("../../../docs/changes/bad.rs");

/// Judges by running the program.
const RUN: &str = "rustc -Awarnings \"$1\" -o program || exit 125; ! ./program";

/// The lines that come and go.
pub(crate) fn changed(patch: &str) -> Vec<&str> {
    let is_changed = |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
    patch.lines().filter(is_changed).collect()
}

/// The example of the chapter: of four hunks one is to blame, which needs another one that is not.
#[test]
fn one_hunk_of_the_debugging_book_is_to_blame() {
    let place = place();
    place.write("good.rs", GOOD);
    place.write("bad.rs", BAD);
    let (patch, told) = changes(&place, "", &["good.rs", "bad.rs", "--test", RUN], Exit::Done);
    let expected = ["+        } else if c == '\"' || c == '\\'' && tag {", "+            quote = !quote;"];
    assert_eq!(changed(&patch), expected);
    assert!(told.contains("hunks: 4 -> 1") && told.contains("lines    +5 -4 -> +2 -0"), "{told}");
    assert!(told.contains("by `git apply -R` to bad.rs, which passes without it"), "{told}");
    let patch = place.write("p", patch);
    applies(&place, "", &["-R"], &patch);
    assert_eq!((place.read("good.rs").as_str(), place.read("bad.rs").as_str()), (GOOD, BAD));
}

/// The chapter's first and last version: one hunk more, an assertion, and the same answer.
#[test]
fn the_same_hunk_is_to_blame_between_the_first_and_the_last_version() {
    let place = place();
    let last = BAD.replace("    out\n", "    // postcondition\n    assert!(!out.contains(['<', '>']));\n\n    out\n");
    place.write("first.rs", GOOD);
    place.write("last.rs", last);
    let (patch, told) = changes(&place, "", &["first.rs", "last.rs", "--test", RUN], Exit::Done);
    let expected = ["+        } else if c == '\"' || c == '\\'' && tag {", "+            quote = !quote;"];
    assert_eq!(changed(&patch), expected);
    assert!(told.contains("hunks: 5 -> 1"), "{told}");
}

#[test]
fn the_failure_of_a_lone_file_is_recognised() {
    let place = place();
    place.write("good.rs", "pub fn f() -> u8 {\n    1\n}\n\npub fn g() {}\n");
    place.write("bad.rs", "pub fn f() -> u8 {\n    2 + \"\"\n}\n\npub fn g(x: u8) {}\n\npub fn h() {}\n");
    let (_, told) = changes(&place, "", &["good.rs", "bad.rs", "-o", "p"], Exit::Done);
    assert!(told.contains("error E0277"), "{told}");
    assert!(told.contains("to good.rs, which fails with it"), "{told}");
    let patch = place.read("p");
    assert_eq!(changed(&patch), ["-    1", "+    2 + \"\""]);
    assert!(patch.starts_with("# What changed here makes this fail: error E0277"), "{patch}");
    applies(&place, "", &[], &place.path("p"));
}

/// Two versions of a folder, with a change of each kind: the one in `src/deep/b.txt` is to blame.
fn folders() -> TestFolder {
    let place = place();
    let text: String = (0..40).map(|line| format!("line {line}\n")).collect();
    for version in ["good", "bad"] {
        place.write(format!("{version}/same"), "same");
        place.write(format!("{version}/target/CACHEDIR.TAG"), version);
        place.write(format!("{version}/src/binary"), format!("\0{version}"));
        place.write(format!("{version}/run.sh"), "true\n");
        symlink(version, place.path(format!("{version}/link"))).expect("it can be made");
    }
    place.write("good/gone", "gone\n");
    place.write("good/old name", &text);
    place.write("good/src/deep/b.txt", &text);
    place.write("good/latin", b"caf\xe9\r\nno end");
    std::fs::set_permissions(place.path("bad/run.sh"), PermissionsExt::from_mode(0o755)).expect("it is ours");
    place.write("bad/new/file", "new\n");
    place.write("bad/new name", text.replace("line 7\n", "line seven\n"));
    place.write("bad/src/deep/b.txt", text.replace("line 3\n", "3\n4\n").replace("line 30\n", "30\nneedle\n31\n"));
    place.write("bad/latin", b"caf\xe8\r\nan end\n");
    place
}

#[test]
fn a_line_is_found_among_all_kinds_of_changes() {
    let place = folders();
    let (_, told) = changes(&place, "", &["good", "bad", "-o", "p", "--test", "grep -rq needle \"$1\""], Exit::Done);
    assert_eq!(changed(&place.read("p")), ["+needle"]);
    assert!(told.contains("files: 8 -> 1"), "{told}");
    applies(&place, "good", &[], &place.path("p"));
    assert_eq!(std::fs::read_dir(place.path("good")).expect("it is there").count(), 8, "nothing else is there");
}

/// Each kind of change is found where it is to blame, and git applies it.
#[test]
fn every_kind_of_change_can_be_to_blame() {
    for (test, words) in [
        ("[ -f 'new name' ]", "rename to new name"),
        ("[ -x run.sh ]", "new mode 100755"),
        ("[ \"$(readlink link)\" = bad ]", "120000"),
        ("grep -q bad src/binary", "GIT binary patch"),
        ("[ ! -e gone ]", "deleted file"),
        ("[ -e new/file ]", "new file"),
        ("grep -aq 'an end' latin", "\\ No newline at end of file"),
    ] {
        let place = folders();
        changes(&place, "", &["good", "bad", "-q", "-o", "p", "--test", test], Exit::Done);
        let patch = String::from_utf8_lossy(&std::fs::read(place.path("p")).expect("it is there")).into_owned();
        assert!(patch.contains(words), "no {words} for {test} in:\n{patch}");
        assert_eq!(patch.matches("diff --git").count(), 1, "{patch}");
        applies(&place, "good", &[], &place.path("p"));
    }
}

#[test]
fn what_is_only_wrong_together_is_told_together() {
    let place = place();
    place.write("good/a", "1\n");
    place.write("good/b", "1\n");
    place.write("good/c", "1\n");
    place.write("bad/a", "2\n");
    place.write("bad/b", "2\n");
    place.write("bad/c", "2\n");
    let both = "cat a b | tr -d '\\n' | grep -q 22 || { cat a b | tr -d '\\n' | grep -q 11 && exit 1; exit 125; }";
    let (patch, told) = changes(&place, "", &["good", "bad", "--test", both], Exit::Done);
    assert_eq!(changed(&patch), ["-1", "+2", "-1", "+2"]);
    assert!(told.contains("to good, which fails with it"), "{told}");
}

/// The third change makes the difference, but only where the first is there, and the second needs it.
#[test]
fn what_the_change_needs_is_told_with_it_where_no_end_can_do_without() {
    let place = place();
    for (version, text) in [("good", "1\n"), ("bad", "2\n")] {
        ["a", "b", "c"].iter().for_each(|name| _ = place.write(format!("{version}/{name}"), text));
    }
    let test = "case $(cat a b c | tr -d '\\n') in 111|211) exit 1 ;; 212|222) exit 0 ;; *) exit 125 ;; esac";
    let (patch, told) = changes(&place, "", &["good", "bad", "--test", test], Exit::Done);
    assert!(told.contains("files: 3 -> 1") && told.contains("to good, which fails with it"), "{told}");
    assert!(patch.contains("+++ b/a") && patch.contains("+++ b/c") && !patch.contains("+++ b/b"), "{patch}");
    applies(&place, "good", &[], &place.write("p", &patch));
}

#[test]
fn a_command_with_conditions_judges_in_the_folder() {
    let place = folders();
    let args = ["good", "bad", "--stdout", "^needle$", "--", "cat", "src/deep/b.txt"];
    assert_eq!(changed(&changes(&place, "", &args, Exit::Done).0), ["+needle"]);
}

#[test]
fn events_are_json() {
    let place = folders();
    let args = ["good", "bad", "--message-format", "json", "--test", "grep -rq needle ."];
    let (events, _) = changes(&place, "", &args, Exit::Done);
    let events: Vec<serde_json::Value> = events.lines().map(event).collect();
    let last = events.last().expect("there are events");
    assert_eq!((&last["event"], &last["after"]["added"]), (&"found".into(), &1.into()));
    assert!(last["patch"].as_str().is_some_and(|patch| patch.contains("+needle")));
    let checked = events.iter().filter(|event| event["event"] == "checked").count();
    assert_eq!(last["checks"], checked);
}

#[test]
fn what_was_found_before_an_interrupt_is_told() {
    let place = folders();
    let count = place.write("count", "");
    let script = format!(
        "printf x >> {0}; [ $(wc -c < {0}) -ne 12 ] || {{ kill -INT {MCVE_PID}; sleep 1000; }}; grep -rq needle .",
        count.display()
    );
    let args = ["good", "bad", "--sandbox", "off", "--test", &script];
    let (patch, told) = changes(&place, "", &args, Exit::Interrupted);
    assert!(told.contains("interrupted; this is the best so far"), "{told}");
    assert!(patch.contains("+needle") && !patch.contains("new name"), "{patch}");
}

#[test]
fn what_cannot_be_compared_is_told() {
    let place = folders();
    place.write("good.rs", "fn main() {}\n");
    place.write("latin.rs", b"// \xe9\nfn main() {}\n");
    let cases: [(&[&str], Exit, &str); 10] = [
        (&["good", "nowhere"], Exit::Input, "cannot read nowhere"),
        (&["good", "good.rs"], Exit::Input, "one is a file and one a folder"),
        (&["good.rs", "latin.rs"], Exit::Input, "not UTF-8"),
        (&["good", "good", "--test", "true"], Exit::NotFailing, "the two versions are equal"),
        (&["good", "bad", "--test", "true"], Exit::NotFailing, "the good version good fails as well"),
        (&["good", "bad", "--test", "false"], Exit::NotFailing, "the bad version bad does not fail"),
        (&["good", "bad", "--test", "[ -e gone ] && exit 125"], Exit::NotFailing, "cannot be said"),
        (&["good", "bad"], Exit::NotFailing, "Cargo.toml"),
        (&["good", "bad", "-o", "no/where", "--test", "true"], Exit::Output, "no folder no"),
        (&["good"], Exit::Usage, "BAD"),
    ];
    for (args, exit, words) in cases {
        let (stdout, told) = changes(&place, "", args, exit);
        assert!(told.contains(words), "no {words} for {args:?} in: {told}");
        assert!(stdout.is_empty(), "{stdout}");
    }
}

#[test]
fn chance_is_told() {
    let place = folders();
    let count = place.write("count", "");
    let script = format!("[ -e gone ] && exit 1; printf x >> {0}; [ $(wc -c < {0}) -ne 2 ]", count.display());
    let (_, told) = changes(&place, "", &["good", "bad", "--writable", "count", "--test", &script], Exit::Flaky);
    assert!(told.contains("bad is flaky: 2 of 3 runs agree"), "{told}");
}

/// A version whose lines are cut in a way that another failure shows, or the same one.
#[track_caller]
fn check_warning(good: &str, bad: &str, test: &str, warning: Option<&str>) {
    if Command::new("python3").arg("--version").output().is_err() {
        return println!("skipped: there is no python3");
    }
    let place = place();
    place.write("good.py", good);
    place.write("bad.py", bad);
    let (_, told) = changes(&place, "", &["good.py", "bad.py", "--test", test], Exit::Done);
    let warned = told.lines().find(|line| line.contains("another failure"));
    assert_eq!(warned.is_some(), warning.is_some(), "{told}");
    assert!(warning.is_none_or(|words| warned.is_some_and(|line| line.contains(words))), "{told}");
}

#[test]
fn what_fails_otherwise_than_the_bad_version_is_warned_of() {
    let good = "x = 1\n\n\n\ny = 2\n\n\n\nassert x + y == 3\n";
    // The first hunk alone is no program.
    let bad = good.replace("x = 1", "x = (1").replace("y = 2", "+ 1); y = 2");
    let words = "`SyntaxError: '(' was never closed`, and that of the bad version with `AssertionError`";
    check_warning(good, &bad, "! python3 \"$1\"", Some(words));
    let careful = "python3 \"$1\" 2> said; case $? in 0) exit 1 ;; esac; grep -q ^AssertionError said || exit 125";
    check_warning(good, &bad, careful, None);
}

#[test]
fn the_same_failure_at_another_place_is_not_warned_of() {
    let good = "\n\n\n\n\nx = 1\nassert x == 1, f'{x} in line 6'\n";
    let bad = good
        .replacen("\n\n", "print('a')\nprint('b')\n\n\n\n", 1)
        .replace("x = 1\n", "x = 2\n")
        .replace("line 6", "line 8");
    check_warning(good, &bad, "! python3 \"$1\"", None);
    check_warning("a\n", "a\n\n\n\nb\n\n\n\nc\n", "grep -q b \"$1\"", None);
}
