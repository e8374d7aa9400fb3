//! Where a run leaves its journal, and when `mcve resume` refuses, through the real binary.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use mcve::exec::inherited::reset_signals;
use mcve::state::file::JournalFile;
use mcve::state::lock::OutputLock;
use tempfile::TempDir;

const INPUT: &str =
    "mod m {\n    pub fn needle(x: u8) -> u8 {\n        x + 1\n    }\n}\n\nfn main() {\n    println!();\n}\n";

/// Hangs where a body goes, until there is a file `go`.
const SCRIPT: &str = "#!/bin/sh\n\
    grep -q needle $1 || exit 1\n\
    grep -q 'x + 1' $1 || [ -e \"$PLACE/go\" ] || exec tail -f /dev/null\n";

/// What is left in the end.
const RESULT: &str = "fn needle() {}\n";

/// The journal where `--state known` says.
const KEPT_JOURNAL: &str = "known/a_mcve.rs.journal";

const JOURNAL: &str = ".mcve/a_mcve.rs.journal";

/// A folder with a program and a script, in which the command runs.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        // Some tests send signals, which whoever started this process may have ignored.
        reset_signals();
        let folder = tempfile::tempdir().expect("a folder can be made");
        let place = Self { folder };
        std::fs::create_dir(place.path("tmp")).expect("a folder can be made");
        place.write("a.rs", INPUT);
        place.write("test.sh", SCRIPT);
        std::fs::set_permissions(place.path("test.sh"), PermissionsExt::from_mode(0o755)).expect("it is ours");
        place
    }

    /// A place with a run that was interrupted.
    fn interrupted(args: &[&str]) -> Self {
        let place = Self::new();
        place.interrupt(args);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("it can be written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).env("PLACE", self.path(""));
        command.env("XDG_CONFIG_HOME", self.path("config"));
        command.stdin(Stdio::null());
        command
    }

    /// Interrupts a run once it has gained something.
    fn interrupt(&self, args: &[&str]) {
        let mut command = self.command(args);
        command.args(["--message-format", "json", "--test", "./test.sh"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        lines
            .find(|line| line.as_ref().is_ok_and(|line| line.contains("\"gained\"")))
            .expect("it begins")
            .expect("text");
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
        assert_eq!(child.wait().expect("it ends").code(), Some(Exit::Interrupted.code().into()));
    }

    #[track_caller]
    fn run(&self, args: &[&str], exit: Exit) -> Output {
        let output = self.command(args).output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(exit.code().into()), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        output
    }

    /// Checks that a run is refused, and what is said then.
    #[track_caller]
    fn refused(&self, args: &[&str], exit: Exit, why: &str) {
        let stderr = String::from_utf8(self.run(args, exit).stderr).expect("it is text");
        assert!(stderr.contains(why), "{stderr}");
    }

    /// Lets the script end, and resumes.
    #[track_caller]
    fn resume(&self, place: &[&str]) {
        self.write("go", "");
        self.run(&[&["resume"], place].concat(), Exit::Done);
        assert!(!self.path(".mcve").exists());
    }
}

#[test]
fn a_run_is_resumed_by_all_that_belongs_to_it() {
    for names in [&["."][..], &[], &["a.rs"], &["a_mcve.rs"], &[".mcve"], &[JOURNAL]] {
        let place = Place::interrupted(&["a.rs"]);
        assert!(place.path(JOURNAL).exists());
        place.resume(names);
        assert_eq!(place.read("a_mcve.rs"), RESULT);
        place.refused(&["resume"], Exit::Input, "there is no run to resume");
    }
}

#[test]
fn a_run_is_resumed_from_any_folder() {
    let place = Place::interrupted(&["a.rs"]);
    place.write("go", "");
    let output = place.command(&["resume", "../a_mcve.rs"]).current_dir(place.path("tmp")).output();
    assert!(output.expect("the binary runs").status.success());
    assert_eq!(place.read("a_mcve.rs"), RESULT);
}

#[test]
fn several_runs_of_a_folder_do_not_meet() {
    let place = Place::interrupted(&["a.rs"]);
    place.write("b.rs", INPUT);
    place.interrupt(&["b.rs", "-o", "c.rs"]);
    place.refused(&["resume"], Exit::Usage, "mcve resume ./.mcve/c.rs.journal");
    place.write("go", "");
    place.run(&["resume", "c.rs"], Exit::Done);
    place.resume(&[]);
    assert_eq!(place.read("a_mcve.rs"), place.read("c.rs"));
}

#[test]
fn what_has_changed_is_told_and_nothing_is_lost() {
    let changed = |name: &str, text: &str, exit: Exit, why: &str| {
        let place = Place::interrupted(&["a.rs"]);
        let was = place.read(name);
        place.write(name, text);
        place.refused(&["resume"], exit, why);
        assert_eq!(place.read(name), text);
        place.write(name, &was);
        place.resume(&[]);
    };
    changed("a.rs", "fn other() {}", Exit::Input, "a.rs has changed since the run was begun");
    changed("a_mcve.rs", "fn my_work() {}", Exit::Input, "a_mcve.rs has changed since the run wrote it");
    changed("test.sh", "#!/bin/sh\ntrue\n", Exit::Check, "the script has changed");
    changed(JOURNAL, "no journal\n", Exit::Input, "begin it anew");
}

#[test]
fn a_run_in_place_is_resumed_from_the_original() {
    let place = Place::interrupted(&["a.rs", "--in-place"]);
    let reached = place.read("a.rs");
    place.write("a.rs", "fn my_work() {}");
    place.refused(&["resume"], Exit::Input, "a.rs has changed since the run wrote it");
    assert_eq!(place.read("a.rs"), "fn my_work() {}");
    place.write("a.rs", &reached);
    place.resume(&["a.rs"]);
    assert_eq!((&*place.read("a.rs"), &*place.read("a.rs.orig")), (RESULT, INPUT));
}

#[test]
fn a_run_that_another_one_keeps_is_refused() {
    let place = Place::interrupted(&["a.rs"]);
    let held = JournalFile::open(&place.path(JOURNAL), false).expect("nobody else has it");
    place.refused(&["resume"], Exit::Output, "another run is under way");
    place.refused(&["a.rs", "--test", "./test.sh"], Exit::Output, "another run is under way");
    drop(held);
    place.resume(&[]);
}

#[test]
fn a_run_whose_output_another_one_writes_is_not_resumed() {
    let place = Place::interrupted(&["a.rs", "--state", "known"]);
    let real = place.folder.path().canonicalize().expect("it is there").join("a_mcve.rs");
    let lock = OutputLock::take(&real).expect("nobody has it");
    place.refused(&["resume", "known"], Exit::Output, "another run is writing a_mcve.rs");
    drop(lock);
    place.resume(&["known"]);
    assert_eq!(place.read("a_mcve.rs"), RESULT);
}

/// A place with a run that ended, and a journal that does not tell of its last results.
fn without_the_end() -> Place {
    let place = Place::new();
    place.write("go", "");
    place.run(&["a.rs", "--state", "known", "--test", "./test.sh"], Exit::Done);
    let text = place.read(KEPT_JOURNAL);
    let kept: Vec<usize> = text.match_indices("{\"kept\":").map(|(place, _)| place).collect();
    assert!(kept.len() > 3, "there are several results: {text}");
    // Two results are told of, and what follows is lost.
    let end = text[..kept[2]].rfind('\n').expect("there are lines before") + 1;
    place.write(KEPT_JOURNAL, &text[..end]);
    place
}

#[test]
fn a_result_that_a_journal_without_its_end_does_not_know_is_kept() {
    let place = without_the_end();
    let told = place.run(&["resume", "known"], Exit::Done).stderr;
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("its end is lost") && told.contains("a_mcve.rs is kept as a_mcve.rs.orig"), "{told}");
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, RESULT));
}

#[test]
fn a_torn_journal_is_not_taken_for_work_of_the_user() {
    let place = without_the_end();
    // No mark tells who wrote it.
    std::fs::remove_file(place.path("a_mcve.rs")).expect("it is there");
    place.write("a_mcve.rs", "fn somebodys() {}");
    place.refused(&["resume", "known"], Exit::Input, "a_mcve.rs has changed since the run wrote it");
    let whole = place.read(KEPT_JOURNAL);
    place.write(KEPT_JOURNAL, &whole[..whole.len() - 3]);
    place.run(&["resume", "known"], Exit::Done);
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, "fn somebodys() {}"));
}

#[test]
fn a_spent_budget_is_given_again() {
    let place = Place::new();
    // It is to be enough for the check of the input, on any machine.
    let budgets = (0..12).map(|power| (1 << power).to_string());
    let mut runs = budgets.map(|budget| {
        place.command(&["a.rs", "--budget", &budget, "--test", "./test.sh"]).output().expect("the binary runs")
    });
    let output = runs.find(|output| output.status.success()).expect("some budget is enough");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("mcve resume a_mcve.rs"), "{said}");
    place.write("go", "");
    for _ in 0..100 {
        // On a busy machine it may be spent before the run comes to where it was.
        let output = place.command(&["resume"]).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || said.contains("the budget was spent"), "{said}");
        if !place.path(JOURNAL).exists() {
            break;
        }
    }
    assert_eq!(place.read("a_mcve.rs"), RESULT);
    assert!(!place.path(".mcve").exists());
}

#[test]
fn verdicts_of_a_script_are_good_in_one_run_only() {
    let place = Place::interrupted(&["a.rs"]);
    place.write("go", "");
    let output = place.run(&["a.rs", "--message-format", "json", "--test", "./test.sh"], Exit::Done);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("\"recalled\":0"), "{told}");
    assert!(!place.path(".mcve").exists());
}

#[test]
fn where_no_journal_can_be_written_a_run_goes_on() {
    let place = Place::new();
    place.write("go", "");
    place.write(".mcve", "a file that is in the way");
    let output = place.run(&["a.rs", "--test", "./test.sh"], Exit::Done);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("warning: cannot use the journal").count(), 1, "{said}");
    assert_eq!(place.read("a_mcve.rs"), RESULT);
    assert_eq!(place.read(".mcve"), "a file that is in the way");
}

#[test]
fn what_does_not_fail_leaves_no_journal() {
    let place = Place::new();
    place.run(&["a.rs", "--test", "grep -q nowhere $1"], Exit::NotFailing);
    assert!(!place.path(".mcve").exists());
    place.run(&["a.rs", "--test", "grep -q needle $1", "-o", "-", "-q"], Exit::Done);
    assert!(!place.path(".mcve").exists());
}
