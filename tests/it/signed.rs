//! Whose command line `mcve resume` runs, through the real binary: the user's own, or one that the user has seen.

use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::Stdio;

use mcve::cli::exit::Exit;
use mcve_testing::shell::MCVE_PID;
use mcve_testing::{Place, Said};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

const INPUT: &str = "fn needle(x: u8) -> u8 {\n    x + 1\n}\nfn main() {}\n";

const JOURNAL: &str = ".mcve/a_mcve.rs.journal";

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// What the script has written when it is killed.
const MARKS: &str = "\n\n\n\n";

/// A folder with a run that was killed, whose script leaves a mark when it is run.
fn killed() -> Place {
    let place = Place::new(BINARY);
    place.write("a.rs", INPUT);
    // It kills mcve in its fourth run.
    place.write_script(
        "test.sh",
        &format!(
            "#!/bin/sh\necho >> \"$PLACE/ran\"\n[ \"$(grep -c '' \"$PLACE/ran\")\" != 4 ] || \
             kill -KILL {MCVE_PID}\ngrep -q needle $1\n"
        ),
    );
    let args = ["a.rs", "--test", "./test.sh", "-j1", "--runs", "3", "--no-fork-server", "--sandbox", "off"];
    let said = Said::by(&mut place.mcve(&args));
    assert_eq!(said.code(), None, "{}", said.stderr);
    assert!(place.path(JOURNAL).exists());
    assert_eq!(place.read("ran"), MARKS);
    place
}

fn key(place: &Place) -> PathBuf {
    place.path("config/mcve/key")
}

/// Whether the script has been run since the kill.
fn has_run(place: &Place) -> bool {
    place.read("ran") != MARKS
}

/// Resumes without a terminal, which is refused.
#[track_caller]
fn refuse(place: &Place, why: &str) {
    let said = place.run(&["resume"], Exit::Input);
    said.says(&[why, "mcve a.rs --test ./test.sh", "mcve resume --trust "]);
    assert!(!has_run(place));
}

#[track_caller]
fn resume(place: &Place, args: &[&str]) {
    place.run(&[&["resume"], args].concat(), Exit::Done);
    assert!(has_run(place));
}

/// Resumes on a terminal, on which this is typed, and returns whether that went well and what was said.
fn resume_on_terminal(place: &Place, typed: &str) -> (bool, String) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("it is ours");
    let name = ptsname(&ours, Vec::new()).expect("it has a name").into_string().expect("it is text");
    let open = || File::options().read(true).write(true).open(&name).expect("it is there");
    let mut command = place.mcve(&["resume"]);
    command.stdin(open()).stderr(open()).stdout(Stdio::null());
    let mut child = command.spawn().expect("the binary runs");
    drop(command);
    let mut ours = File::from(ours);
    ours.write_all(typed.as_bytes()).expect("it is open");
    let mut said = Vec::new();
    // It ends with an error when nobody has the other side any more.
    let _ = ours.read_to_end(&mut said);
    let ended = child.wait().expect("it was started");
    (ended.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_run_of_the_user_is_resumed_without_a_question() {
    resume(&killed(), &[]);
}

#[test]
fn a_run_of_somebody_else_is_refused_and_its_command_is_shown() {
    let place = killed();
    fs::remove_file(key(&place)).expect("it is there");
    refuse(&place, "it is not signed by your key");
    resume(&place, &["--trust"]);
}

#[test]
fn a_command_line_that_was_changed_is_not_run() {
    let place = killed();
    let journal = place.read(JOURNAL);
    let (asked, rest) = journal.split_once('\n').expect("it has lines");
    let (_, asked) = asked.split_once(' ').expect("it has a checksum");
    // The checksum is right, so that only the code tells.
    let asked = asked.replace("\"./test.sh\"", "\"./test.sh \"");
    let sum = xxhash_rust::xxh3::xxh3_64(asked.as_bytes());
    place.write(JOURNAL, format!("{sum:016x} {asked}\n{rest}"));
    let said = Said::by(&mut place.mcve(&["resume"])).says(&["--test './test.sh '"]);
    assert!(!said.is_success() && !has_run(&place), "{}", said.stderr);
}

#[test]
fn a_key_that_others_may_know_says_nothing() {
    let place = killed();
    fs::set_permissions(key(&place), Permissions::from_mode(0o644)).expect("it is ours");
    refuse(&place, "others can read or write it");
    fs::set_permissions(key(&place), Permissions::from_mode(0o600)).expect("it is ours");
    if rustix::process::geteuid().is_root() {
        chown(key(&place), Some(12345), None).expect("root can");
        refuse(&place, "somebody else's");
        chown(key(&place), Some(0), None).expect("root can");
    } else {
        eprintln!("skipped in part: only root can give a file away");
    }
    resume(&place, &[]);
}

#[test]
fn without_a_place_for_a_key_a_run_goes_on_and_is_asked_about() {
    let place = killed();
    fs::remove_dir_all(place.path("config")).expect("it is there");
    place.write("config", "in the way");
    refuse(&place, "there is no key to know it by");
    let said = place.run(&["a.rs", "--test", "grep -q needle $1"], Exit::Done).stderr;
    assert!(!said.contains("key"), "{said}");
}

#[test]
fn on_a_terminal_the_user_decides() {
    for (typed, is_run) in [("y\n", true), ("Yes\n", true), ("n\n", false), ("\n", false), ("\u{4}", false)] {
        let place = killed();
        fs::remove_file(key(&place)).expect("it is there");
        let (is_done, said) = resume_on_terminal(&place, typed);
        assert!(said.contains("mcve a.rs --test ./test.sh") && said.contains("[y/N]"), "{said}");
        assert_eq!((is_done, has_run(&place)), (is_run, is_run), "{said}");
    }
}
