//! `mcve why` says what happens without each part of a result, and `mcve verify` whether the result is what it should be, by what is
//! kept of the run or by asking again; and what `--log` writes. By the real rustc.

use std::sync::LazyLock;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};
use serde_json::Value;

/// A value is used after it was moved. What does not matter goes; the rest is there for the reasons that the log has.
const MOVED: &str = "struct Name(String);
fn unused() -> u8 { 7 }
fn take(name: Name, times: u8) -> usize { name.0.len() * times as usize }
fn main() {
    let name = Name(String::new());
    let first = take(name, 1);
    println!(\"{first} {}\", take(name, 2));
}
";

/// On a busy machine the fork server is begun later, and counts differ by a check.
const ALIKE: &[&str] = &["--no-fork-server"];

fn place(text: &str) -> TestFolder {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    place
}

/// A place with the result and the log of a reduction of `MOVED`, which is made once.
fn logged() -> TestFolder {
    static FILES: LazyLock<[String; 2]> = LazyLock::new(|| {
        let place = place(MOVED);
        place.run_cleanly(&[&["a.rs", "--log", "run.log"], ALIKE].concat(), Exit::Done);
        ["a_mcve.rs", "run.log"].map(|name| place.read(name))
    });
    let place = place(MOVED);
    for (name, text) in ["a_mcve.rs", "run.log"].into_iter().zip(&*FILES) {
        place.write(name, text);
    }
    place
}

/// The lines of a kind in a log.
#[track_caller]
fn lines(place: &TestFolder, kind: &str) -> Vec<Value> {
    let lines = place.read("run.log");
    let values = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    values.filter_map(|mut value| Some(value.get_mut(kind)?.take())).collect()
}

/// The lines of a log that are the same in each run.
fn without_times(log: &str) -> String {
    let is_same = |line: &&str| ["{\"tried\"", "{\"result\""].iter().any(|kind| line.starts_with(kind));
    log.lines().filter(is_same).collect()
}

/// What `mcve why` says of the log.
#[track_caller]
fn explained(place: &TestFolder, args: &[&str]) -> String {
    place.run(&[&["why", "run.log"], args].concat(), Exit::Done).stdout
}

/// The number of the line of the result that has this text.
#[track_caller]
fn line_of(place: &TestFolder, text: &str) -> String {
    let result = place.read("a_mcve.rs");
    let line = result.lines().position(|line| line.contains(text)).unwrap_or_else(|| panic!("no {text} in {result}"));
    (line + 1).to_string()
}

#[test]
fn a_log_says_who_refused_what_and_why() {
    let place = logged();
    let tried = lines(&place, "tried");
    let refused = |by: &str, reason: &str| {
        let said = |line: &Value| line["rejection"]["reason"].as_str().map(str::to_owned);
        let is_it = |line: &&Value| line["rejection"]["by"] == by && said(line).is_some_and(|own| own.contains(reason));
        tried.iter().find(is_it).unwrap_or_else(|| panic!("nothing is refused by {by}: {reason}")).clone()
    };
    let by_error = refused("oracle", "error E0425: cannot find");
    assert!(by_error["rejection"]["check"].as_u64().is_some_and(|check| check > 0), "{by_error}");
    let by_label = refused("oracle", "label: ");
    assert!(["place", "before", "after"].iter().all(|field| by_label[field].is_string()), "{by_label}");
    refused("cache", "");
    refused("rejected-before", "");
    assert!(tried.iter().any(|line| line["rejection"].is_null() && line["transform"] == "delete-item"), "one is taken");
    assert_eq!(lines(&place, "result").len(), place.read("a_mcve.rs").lines().count());
    assert_eq!(lines(&place, "end")[0]["ending"], "complete");
    let steps = lines(&place, "step");
    let sizes: Vec<u64> = steps.iter().filter_map(|step| step["size"]["tokens"].as_u64()).collect();
    assert!(sizes.len() > 2 && sizes.is_sorted_by(|before, after| before >= after), "{sizes:?}");
}

#[test]
fn a_line_of_the_result_is_explained_by_the_attempts_at_it() {
    let place = logged();
    let line = line_of(&place, "fn main");
    let said = explained(&place, &["--line", &line]);
    assert!(said.contains(&format!("\na.rs:{line}: fn main()")), "{said}");
    assert!(said.contains("(delete-item)\n    check ") && said.contains("it compiles"), "{said}");
    assert_eq!(explained(&place, &["--line", &format!("a.rs:{line}")]), said);
    let all = "No check refused another change of this line alone";
    assert!(said.contains(all), "{said}");
    let some = explained(&place, &["--line", &line, "--transform", "delete-item"]);
    assert!(!some.contains(all), "{some}");
}

#[test]
fn a_transform_is_explained_by_what_it_tried_or_that_it_proposes_nothing() {
    let place = logged();
    let said = explained(&place, &["--transform", "delete-item"]);
    assert!(said.contains("(delete-item)\n    check ") && !said.contains("(delete-statement)"), "{said}");
    let none = explained(&place, &["--transform", "unwrap-loop"]);
    assert!(none.contains("Nothing of that kind was proposed here"), "{none}");
    let wrong = place.run(&["why", "run.log", "--transform", "delete-itm"], Exit::Usage);
    assert!(wrong.stderr.contains("delete-item"), "{}", wrong.stderr);
    place.run(&["why", "run.log", "--line", "99"], Exit::Usage);
}

#[test]
fn a_log_that_was_cut_off_can_be_read_and_another_file_cannot() {
    let place = logged();
    let log = place.read("run.log");
    let (end, _) = log.rmatch_indices("{\"tried\"").next().expect("something was tried");
    place.write("run.log", &log[..end + 40]);
    let said = explained(&place, &["--line", "1"]);
    assert!(said.contains("The run did not come to its end") && said.contains("check "), "{said}");
    let kept = place.run(&["a.rs", "--log", "a_mcve.rs"], Exit::Output);
    assert!(kept.stderr.contains("the file exists, and is not a log"), "{}", kept.stderr);
}

#[test]
fn a_log_changes_nothing_and_does_not_depend_on_the_workers() {
    let count = |said: &Said| said.events().last().map(|end| (end["checks"].clone(), end["cache_hits"].clone()));
    let place = place(MOVED);
    let run = |args: &[&str]| {
        let said = place.run(&[&["a.rs", "--message-format", "json"], ALIKE, args].concat(), Exit::Done);
        (count(&said), place.read("a_mcve.rs"))
    };
    let without = run(&[]);
    let logs = ["1", "3"].map(|jobs| {
        assert_eq!(run(&["--log", "run.log", "--jobs", jobs]), without);
        without_times(&place.read("run.log"))
    });
    assert_eq!(logs[0], logs[1]);
}

#[test]
fn the_log_of_a_resumed_run_is_that_of_an_undisturbed_one() {
    let undisturbed = logged().read("run.log");
    let place = place(MOVED);
    let args = [&["a.rs", "--log", "run.log", "--message-format", "json"], ALIKE].concat();
    place.kill("checked", 20, || place.mcve(&args));
    place.run(&["resume"], Exit::Done);
    let by = |log: &str| without_times(log).replace("\"by\":\"journal\"", "\"by\":\"oracle\"");
    assert_eq!(by(&place.read("run.log")), by(&undisturbed));
}

#[test]
fn what_others_wrote_is_escaped() {
    let text = "fn f(a: u8) -> u8 { a }\nfn main() { let _: u8 = \"\u{1b}[2J\u{202e}\"; f(1); }\n";
    let place = place(text);
    place.run(&["a.rs", "--log", "run.log"], Exit::Done);
    assert!(!place.read("run.log").contains(['\u{1b}', '\u{202e}']));
    let line = line_of(&place, "main");
    assert!(!explained(&place, &["--line", &line]).contains(['\u{1b}', '\u{202e}']));
}

/// A place with a result that was reduced in it.
fn reduced(text: &str, args: &[&str]) -> TestFolder {
    let place = place(text);
    place.run(&[&["a.rs"], args].concat(), Exit::Done);
    place
}

#[test]
fn each_part_of_a_result_has_what_happens_without_it() {
    let place = reduced(MOVED, &[]);
    let kept = place.run(&["why", "a_mcve.rs"], Exit::Done);
    assert!(kept.stdout.contains("--> a_mcve.rs:") && kept.stdout.contains(": error E0425"), "{}", kept.stdout);
    assert!(kept.stdout.contains("\n1-minimal: "), "{}", kept.stdout);
    assert_eq!(kept.stderr, "");
    // One that has changed is asked about again.
    place.write("a_mcve.rs", &(place.read("a_mcve.rs") + "// mine\n"));
    let asked = place.run(&["why", "a_mcve.rs"], Exit::Done);
    assert!(asked.stderr.starts_with("nothing is kept of a_mcve.rs"), "{}", asked.stderr);
    assert!(asked.stdout.contains(": error E0425"), "{}", asked.stdout);
    assert!(place.read("a_mcve.rs").ends_with("// mine\n"), "it is never changed");
    let larger = place.run(&["why", "a.rs"], Exit::Done);
    assert!(larger.stderr.contains("a.rs is not 1-minimal: mcve makes "), "{}", larger.stderr);
}

#[test]
fn parts_of_which_only_the_kind_matters_are_named_and_kept() {
    let place = reduced("pub fn f() -> u8 { let s = 7u64; s }\n", &[]);
    let asked = place.run(&["why", "a_mcve.rs", "--any"], Exit::Done).stdout;
    assert!(asked.contains(" any "), "{asked}");
    assert_eq!(place.run(&["why", "a_mcve.rs"], Exit::Done).stdout, asked);
}

#[test]
fn a_result_is_verified() {
    let place = reduced(MOVED, &[]);
    let good = place.run(&["verify", "a_mcve.rs"], Exit::Done).stdout;
    let rows = ["fails in the same way", "is 1-minimal", "stands alone", "shows only this failure"];
    for row in rows {
        let line = good.lines().find(|line| line.contains(row)).unwrap_or_else(|| panic!("no {row} in {good}"));
        assert!(line.contains(" yes "), "{line}");
    }
    let large = place.run(&["verify", "a.rs"], Exit::NotVerified).stdout;
    assert!(large.contains("is 1-minimal") && large.contains("no   mcve makes "), "{large}");
    // The same name, and another failure.
    place.write("a_mcve.rs", "fn f() -> u8 { g() }\n");
    let other = place.run(&["verify", "a_mcve.rs"], Exit::NotFailing).stdout;
    assert!(other.contains("E0425") && other.contains("before it was: error E0382"), "{other}");
    place.write("a_mcve.rs", "fn f() {}\n");
    place.run(&["verify", "a_mcve.rs"], Exit::NotFailing);
    place.run(&["verify", "none.rs"], Exit::Input);
}

#[test]
fn a_result_is_verified_as_its_run_was_asked() {
    let place = reduced("fn main() { let unused = 3; }\nfn other() {}\n", &["--lint", "unused_variables"]);
    let good = place.run(&["verify", "a_mcve.rs"], Exit::Done).stdout;
    assert!(good.contains("unused variable"), "{good}");
    // A copy of which nothing is kept is asked about as the options say.
    place.write("copy.rs", place.read("a_mcve.rs"));
    place.run(&["verify", "copy.rs"], Exit::NotFailing);
    place.run(&["verify", "copy.rs", "--lint", "unused_variables"], Exit::Done);
}
