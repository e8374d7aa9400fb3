//! Runs that are killed, interrupted or out of their time, and go on: the same result, and nothing is asked twice.

use std::path::Path;
use std::sync::OnceLock;

use mcve::cli::exit::Exit;
use mcve_testing::shell::{self, MCVE_PID};
use mcve_testing::{Said, TestFolder};
use rustix::process::Signal;
use serde_json::Value;

/// A compiler that counts its runs, and in the run that it is told to kills who called it.
const COUNTING: &str = r#"#!/bin/sh
case "$*" in
    *--error-format=json*)
        echo "$PPID" >> "$PLACE/runs"
        [ "$(grep -c . "$PLACE/runs")" -ne "${KILL_AT-0}" ] || kill -KILL MCVE_PID ;;
esac
exec RUSTC "$@"
"#;

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// A folder with a program that crashes rustc.
fn place() -> TestFolder {
    let place = TestFolder::new(BINARY);
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ice-import-resolve/input.rs");
    place.write("a.rs", std::fs::read(case).expect("it is in the corpus"));
    let rustc = shell::rustc().into_os_string().into_string().expect("it is text");
    place.write_script("rustc", &COUNTING.replace("MCVE_PID", MCVE_PID).replace("RUSTC", &rustc));
    place
}

/// How often rustc was asked.
fn count_runs(place: &TestFolder) -> usize {
    place.read("runs").lines().count()
}

#[track_caller]
fn assert_nothing_left(place: &TestFolder) {
    place.assert_clean();
    assert!(place.names().iter().all(|name| !name.starts_with(".mcve")), "{:?}", place.names());
    assert!(place.kept().is_empty(), "{:?}", place.kept());
}

/// Without a fork server, which would ask the script and not be told of its runs one by one.
const BY_RUSTC: [&str; 8] =
    ["a.rs", "--rustc", "./rustc", "--sandbox", "off", "--message-format", "json", "--no-fork-server"];

/// The result of a run that nobody disturbs, and how often it asks rustc.
fn undisturbed() -> &'static (String, usize) {
    static UNDISTURBED: OnceLock<(String, usize)> = OnceLock::new();
    UNDISTURBED.get_or_init(|| {
        let place = place();
        place.run(&[&BY_RUSTC[..], &["--jobs", "1"]].concat(), Exit::Done);
        assert_nothing_left(&place);
        (place.read("a_mcve.rs"), count_runs(&place))
    })
}

#[test]
fn a_run_that_is_killed_in_a_check_loses_that_one() {
    let (result, runs) = undisturbed();
    let place = place();
    // The first four recognise the failure, the next three are the baseline.
    let kills = [1, 3, 5, 6, 8, 9, 15, 40, 41, 90];
    let begin = [&BY_RUSTC[..], &["--jobs", "1"]].concat();
    let mut command = &begin[..];
    for at in kills {
        let said = Said::by(place.mcve(command).env("KILL_AT", at.to_string()));
        assert_eq!(said.code(), None, "it is killed in run {at}");
        command = &["resume"];
    }
    place.run(command, Exit::Done);
    assert_eq!(&place.read("a_mcve.rs"), result);
    assert_eq!(count_runs(&place), runs + kills.len());
    assert_nothing_left(&place);
}

#[test]
fn a_cause_that_was_found_is_kept_by_a_run_that_goes_on() {
    let text = "fn step(marks: &[u32], at: usize) -> u32 {\n    if at < 1 { return 0; }\n    marks[at] - marks[at + 1 - 1]\n}\nfn fill(marks: &[u32]) -> u32 { (0..marks.len()).map(|at| 100 / (step(marks, at) + u32::from(at < 1))).sum() }\nfn main() {\n    println!(\"{}\", fill(&[4]));\n    println!(\"{}\", fill(&[7, 9, 12]));\n}\n";
    let begin = [&BY_RUSTC[..], &["--run", "--jobs", "1"]].concat();
    let undisturbed = place();
    undisturbed.write("a.rs", text);
    let whole = undisturbed.run(&begin, Exit::Done).last_event();
    assert!(whole["pass"].is_string(), "{whole}");
    let place = place();
    place.write("a.rs", text);
    // Behind the search for the cause.
    let at = count_runs(&undisturbed) / 2;
    let said = Said::by(place.mcve(&begin).env("KILL_AT", at.to_string()));
    assert_eq!(said.code(), None);
    let resumed = place.run(&["resume"], Exit::Done).last_event();
    assert_eq!(resumed["pass"], whole["pass"]);
    assert_eq!(place.read("a_mcve.rs"), undisturbed.read("a_mcve.rs"));
}

#[test]
fn a_run_that_is_killed_or_interrupted_at_any_time_ends_the_same() {
    let (result, _) = undisturbed();
    let place = place();
    let begin = [&BY_RUSTC[..], &["--jobs", "2"]].concat();
    let mut command = &begin[..];
    for (kind, count, signal) in [
        ("baseline", 1, Signal::KILL),
        ("checked", 2, Signal::INT),
        ("gained", 5, Signal::KILL),
        ("checked", 13, Signal::TERM),
        ("pass-ended", 20, Signal::KILL),
        ("checked", 17, Signal::INT),
    ] {
        let mut running = place.start(command);
        running.wait_for(kind, count);
        running.signal(signal);
        let (code, last) = running.end();
        if signal != Signal::KILL {
            assert_eq!(code, Some(Exit::Interrupted.code().into()));
            assert_eq!(last["resume"], if command == ["resume"] { "." } else { "a_mcve.rs" });
        }
        command = &["resume"];
    }
    let (code, last) = place.start(command).end();
    assert_eq!((code, &last["one_minimal"]), (Some(0), &Value::Bool(true)));
    assert!(last["recalled"].as_u64().is_some_and(|recalled| recalled > 30), "{last}");
    assert_eq!(&place.read("a_mcve.rs"), result);
    assert_nothing_left(&place);
}

/// Kills a run of this command once it has gained something.
fn kill(place: &TestFolder, command: &[&str]) {
    place.kill("gained", 3, || place.mcve(command));
}

/// The messages of the notes and warnings of a run.
fn messages(said: &Said) -> String {
    said.events().iter().filter_map(|event| event["message"].as_str().map(|line| format!("{line}\n"))).collect()
}

#[test]
fn the_same_command_goes_on() {
    let (result, runs) = undisturbed();
    let place = place();
    kill(&place, &[&BY_RUSTC[..], &["--jobs", "1"]].concat());
    let known = count_runs(&place);
    let more = ["--jobs", "1", "--budget", "1h"];
    let said = place.run(&[&BY_RUSTC[..], &more].concat(), Exit::Done);
    assert!(said.events().iter().any(|event| event["event"] == "resumed"), "{}", said.stdout);
    assert_eq!(&place.read("a_mcve.rs"), result);
    assert!(count_runs(&place) <= runs.max(&known) + 3, "{} {known} {runs}", count_runs(&place));
    assert_nothing_left(&place);
}

#[test]
fn a_command_begins_anew_after_a_change_and_says_so() {
    let (result, _) = undisturbed();
    let begin = [&BY_RUSTC[..], &["--jobs", "1"]].concat();
    let check = |change: &dyn Fn(&TestFolder), command: &[&str], why: &str| {
        let place = place();
        kill(&place, &begin);
        change(&place);
        let said = place.run(command, Exit::Done);
        let said = messages(&said);
        let line = said.lines().find(|line| line.contains("begins anew")).unwrap_or_else(|| panic!("{why}: {said}"));
        assert!(line.contains(why), "{line}");
        assert_eq!(&place.read("a_mcve.rs"), result, "{why}");
        assert_nothing_left(&place);
    };
    let append = |name: &'static str, text: &'static str| {
        move |place: &TestFolder| _ = place.write(name, place.read(name) + text)
    };
    check(&append("a.rs", "// more\n"), &begin, "the input has changed");
    check(&append("rustc", "# more\n"), &begin, "rustc has changed");
    check(&append("a_mcve.rs", "// mine\n"), &begin, "a_mcve.rs has changed");
    check(&|_| {}, &[&begin[..], &["--allow-errors"]].concat(), "the last run with this result was `mcve a.rs");
}

#[test]
fn a_smaller_result_of_an_earlier_run_is_not_lost() {
    let (result, _) = undisturbed();
    let place = place();
    place.write("b.rs", place.read("a.rs"));
    let begin = |file| [&[file, "-o", "out.rs"], &BY_RUSTC[1..], &["--jobs", "1"]].concat();
    place.run(&begin("a.rs"), Exit::Done);
    assert_eq!(&place.read("out.rs"), result);
    // A run that stops early leaves it.
    let mut running = place.start(&begin("b.rs"));
    running.wait_for("gained", 1);
    running.interrupt();
    assert_eq!(&place.read("out.rs"), result);
    // One that ends with more keeps a copy.
    let said = place.run(&[&begin("b.rs")[..], &["--only", "bodies"]].concat(), Exit::Done);
    assert!(messages(&said).contains("a copy is kept as out.rs.orig"), "{}", said.stdout);
    assert_eq!(&place.read("out.rs.orig"), result);
    assert_ne!(&place.read("out.rs"), result);
    // One that ends with less does not.
    place.run(&begin("a.rs"), Exit::Done);
    assert_eq!(&place.read("out.rs"), result);
    assert!(!place.names().contains(&"out.rs.orig.1".to_owned()));
}
