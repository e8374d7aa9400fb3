//! Where a run leaves its journal, and when `mcve resume` refuses, through the real binary.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, chown};

use mcve::cli::exit::Exit;
use mcve_reduce::state::file::JournalFile;
use mcve_reduce::state::lock::OutputLock;
use mcve_reduce::state::place::StateFolder;
use mcve_testing::{Said, TestFolder};

const INPUT: &str =
    "mod m {\n    pub fn needle(x: u8) -> u8 {\n        x + 1\n    }\n}\n\nfn main() {\n    println!();\n}\n";

/// Hangs where a body goes, until there is a file `go`.
const SCRIPT: &str = "#!/bin/sh\n\
    grep -q needle $1 || exit 1\n\
    grep -q 'x + 1' $1 || [ -e \"$PLACE/go\" ] || exec tail -f /dev/null\n";

/// What is left in the end.
const RESULT: &str = "fn needle() {}\n";

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// A folder with a program and a script.
fn place() -> TestFolder {
    let place = TestFolder::new(BINARY);
    place.write("a.rs", INPUT);
    place.write_script("test.sh", SCRIPT);
    place
}

/// A place with a run that was interrupted.
fn interrupted(args: &[&str]) -> TestFolder {
    let place = place();
    interrupt(&place, args);
    place
}

/// Interrupts a run once it has gained something.
#[track_caller]
fn interrupt(place: &TestFolder, args: &[&str]) {
    let mut running = place.start(&[args, &["--message-format", "json", "--test", "./test.sh"]].concat());
    running.wait_for("gained", 1);
    running.interrupt();
}

/// Checks that a run is refused, and what is said then.
#[track_caller]
fn refuse(place: &TestFolder, args: &[&str], exit: Exit, why: &str) {
    place.run(args, exit).says(&[why]);
}

/// Lets the script end, and resumes.
#[track_caller]
fn resume(place: &TestFolder, names: &[&str]) {
    place.write("go", "");
    place.run(&[&["resume"], names].concat(), Exit::Done);
    assert!(place.kept().is_empty());
}

#[test]
fn a_run_is_resumed_by_all_that_belongs_to_it() {
    for names in [&["."][..], &[], &["a.rs"], &["a_mcve.rs"], &["tmp/../a.rs"]] {
        let place = interrupted(&["a.rs"]);
        assert_eq!(place.kept(), ["a_mcve.rs.journal"]);
        resume(&place, names);
        assert_eq!(place.read("a_mcve.rs"), RESULT);
        refuse(&place, &["resume"], Exit::Input, "there is no run to resume");
    }
}

#[test]
fn a_run_is_resumed_from_any_folder() {
    let place = interrupted(&["a.rs"]);
    place.write("go", "");
    let said = Said::by(place.mcve(&["resume", "../a_mcve.rs"]).current_dir(place.path("tmp")));
    assert!(said.is_success(), "{}", said.stderr);
    assert_eq!(place.read("a_mcve.rs"), RESULT);
}

#[test]
fn several_runs_of_a_folder_do_not_meet() {
    let place = interrupted(&["a.rs"]);
    place.write("b.rs", INPUT);
    interrupt(&place, &["b.rs", "-o", "c.rs"]);
    refuse(&place, &["resume"], Exit::Usage, "/c.rs\n");
    place.write("go", "");
    place.run(&["resume", "c.rs"], Exit::Done);
    resume(&place, &[]);
    assert_eq!(place.read("a_mcve.rs"), place.read("c.rs"));
}

#[test]
fn what_has_changed_is_told_and_nothing_is_lost() {
    let changed = |name: &str, text: &str, exit: Exit, why: &str| {
        let place = interrupted(&["a.rs"]);
        let was = place.read(name);
        place.write(name, text);
        refuse(&place, &["resume"], exit, why);
        assert_eq!(place.read(name), text);
        place.write(name, &was);
        resume(&place, &[]);
    };
    changed("a.rs", "fn other() {}", Exit::Input, "a.rs has changed since the run was begun");
    changed("a_mcve.rs", "fn my_work() {}", Exit::Input, "a_mcve.rs has changed since the run wrote it");
    changed("test.sh", "#!/bin/sh\ntrue\n", Exit::Check, "the script has changed");
    let place = interrupted(&["a.rs"]);
    place.write(place.journal(), "no journal\n");
    refuse(&place, &["resume", "a.rs"], Exit::Input, "begin it anew");
}

#[test]
fn a_run_in_place_is_resumed_from_the_original() {
    let place = interrupted(&["a.rs", "--in-place"]);
    let reached = place.read("a.rs");
    place.write("a.rs", "fn my_work() {}");
    refuse(&place, &["resume"], Exit::Input, "a.rs has changed since the run wrote it");
    assert_eq!(place.read("a.rs"), "fn my_work() {}");
    place.write("a.rs", &reached);
    resume(&place, &["a.rs"]);
    assert_eq!((&*place.read("a.rs"), &*place.read("a.rs.orig")), (RESULT, INPUT));
}

#[test]
fn a_run_that_another_one_keeps_is_refused() {
    let place = interrupted(&["a.rs"]);
    let held = JournalFile::open(&place.path(place.journal()), false).expect("nobody else has it");
    refuse(&place, &["resume"], Exit::Output, "another run is under way");
    refuse(&place, &["a.rs", "--test", "./test.sh"], Exit::Output, "another run is under way");
    drop(held);
    resume(&place, &[]);
}

#[test]
fn a_run_whose_output_another_one_writes_is_not_resumed() {
    let place = interrupted(&["a.rs"]);
    let real = place.root().canonicalize().expect("it is there").join("a_mcve.rs");
    let state = StateFolder::at(place.path("state/mcve")).expect("it is ours");
    let lock = OutputLock::take_in(&state, &real).expect("nobody has it");
    refuse(&place, &["resume"], Exit::Output, "another run is writing a_mcve.rs");
    drop(lock);
    resume(&place, &[]);
    assert_eq!(place.read("a_mcve.rs"), RESULT);
}

/// A place with a run that was killed, and a journal that does not tell of its last results.
fn without_the_end() -> TestFolder {
    let place = place();
    place.write("go", "");
    place.kill("gained", 3, || place.mcve(&["a.rs", "--message-format", "json", "--test", "./test.sh", "-j1"]));
    let text = place.read(place.journal());
    let kept: Vec<usize> = text.match_indices("{\"kept\":").map(|(place, _)| place).collect();
    assert!(kept.len() > 2, "there are several results: {text}");
    // Two results are told of, and what follows is lost.
    let end = text[..kept[2]].rfind('\n').expect("there are lines before") + 1;
    place.write(place.journal(), &text[..end]);
    place
}

#[test]
fn a_result_that_a_journal_without_its_end_does_not_know_is_kept() {
    let place = without_the_end();
    let reached = place.read("a_mcve.rs");
    // It reports as the run did that was killed.
    let said = place.run(&["resume"], Exit::Done).stdout;
    assert!(said.contains("its end is lost") && said.contains("a_mcve.rs is kept as a_mcve.rs.orig"), "{said}");
    assert_eq!((place.read("a_mcve.rs"), place.read("a_mcve.rs.orig")), (RESULT.to_owned(), reached));
}

#[test]
fn a_torn_journal_is_not_taken_for_work_of_the_user() {
    let place = without_the_end();
    // No mark tells who wrote it.
    std::fs::remove_file(place.path("a_mcve.rs")).expect("it is there");
    place.write("a_mcve.rs", "fn somebodys() {}");
    refuse(&place, &["resume"], Exit::Input, "a_mcve.rs has changed since the run wrote it");
    let whole = place.read(place.journal());
    place.write(place.journal(), &whole[..whole.len() - 3]);
    place.run(&["resume"], Exit::Done);
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, "fn somebodys() {}"));
}

#[test]
fn a_journal_that_others_can_write_is_not_used() {
    let place = interrupted(&["a.rs"]);
    let set_mode = |mode| {
        std::fs::set_permissions(place.path(place.journal()), Permissions::from_mode(mode)).expect("it is ours");
    };
    set_mode(0o666);
    refuse(&place, &["resume"], Exit::Output, "that only you can write");
    set_mode(0o600);
    resume(&place, &[]);
}

#[test]
fn a_state_folder_of_somebody_else_is_not_used() {
    let place = interrupted(&["a.rs"]);
    if !rustix::process::geteuid().is_root() {
        return eprintln!("skipped: only root can give a folder away");
    }
    let give = |user| chown(place.path("state/mcve"), Some(user), None).expect("root can");
    give(12345);
    refuse(&place, &["resume"], Exit::Input, "belongs to another user");
    place.write("go", "");
    place.run(&["a.rs", "--test", "./test.sh"], Exit::Done).says(&["belongs to another user"]);
    give(0);
}

#[test]
fn a_spent_budget_is_given_again() {
    let place = place();
    // It is to be enough for the check of the input, on any machine.
    let budgets = (0..12).map(|power| (1 << power).to_string());
    let run = |budget: String| Said::by(&mut place.mcve(&["a.rs", "--budget", &budget, "--test", "./test.sh"]));
    let said = budgets.map(run).find(Said::is_success).expect("some budget is enough");
    said.says(&["mcve resume a_mcve.rs"]);
    place.write("go", "");
    for _ in 0..100 {
        // On a busy machine it may be spent before the run comes to where it was.
        let said = Said::by(&mut place.mcve(&["resume"]));
        assert!(said.is_success() || said.stderr.contains("the budget was spent"), "{}", said.stderr);
        if place.kept().is_empty() {
            break;
        }
    }
    assert_eq!(place.read("a_mcve.rs"), RESULT);
    assert!(place.kept().is_empty());
}

#[test]
fn verdicts_of_a_script_are_good_in_one_run_only() {
    let place = interrupted(&["a.rs"]);
    place.write("go", "");
    let other = ["a.rs", "--message-format", "json", "--test", "./test.sh", "--skip", "names"];
    let said = place.run(&other, Exit::Done);
    assert_eq!(said.last_event()["recalled"], 0);
    assert!(place.kept().is_empty());
    // Without a result nothing goes on.
    let place = interrupted(&["a.rs"]);
    place.write("go", "");
    std::fs::remove_file(place.path("a_mcve.rs")).expect("it is there");
    let said = place.run(&["a.rs", "--message-format", "json", "--test", "./test.sh"], Exit::Done);
    assert_eq!(said.last_event()["recalled"], 0);
    assert!(said.stdout.contains("a_mcve.rs is gone: the run begins anew"), "{}", said.stdout);
}

#[test]
fn where_no_journal_can_be_written_a_run_goes_on() {
    let place = place();
    place.write("go", "");
    place.write("state", "a file that is in the way");
    let said = place.run(&["a.rs", "--test", "./test.sh"], Exit::Done).stderr;
    assert_eq!(said.matches("warning: there is no folder for the journal").count(), 1, "{said}");
    assert_eq!(place.read("a_mcve.rs"), RESULT);
    assert_eq!(place.read("state"), "a file that is in the way");
}

#[test]
fn what_does_not_fail_leaves_no_journal() {
    let place = place();
    place.run(&["a.rs", "--test", "grep -q nowhere $1"], Exit::NotFailing);
    assert!(place.kept().is_empty());
    place.run(&["a.rs", "--test", "grep -q needle $1", "-o", "-", "-q"], Exit::Done);
    assert!(place.kept().is_empty());
}

#[test]
fn a_run_that_cannot_begin_leaves_no_journal() {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", INPUT);
    place.run(&["a.rs", "--test", "true", "--writable", "no such path"], Exit::Usage).says(&["no such path"]);
    assert!(place.kept().is_empty());
}
