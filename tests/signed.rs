//! Whose command line `mcve resume` runs, through the real binary: the user's own, or one that the user has seen.

use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use mcve::cli::exit::Exit;
use mcve::exec::inherited::reset_signals;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tempfile::TempDir;

const INPUT: &str = "fn needle(x: u8) -> u8 {\n    x + 1\n}\nfn main() {}\n";

const JOURNAL: &str = ".mcve/a_mcve.rs.journal";

/// A folder with a run that was killed, whose script leaves a mark when it is run.
struct Place {
    folder: TempDir,
}

impl Place {
    fn killed() -> Self {
        reset_signals();
        let place = Self { folder: tempfile::tempdir().expect("a folder can be made") };
        fs::create_dir(place.path("tmp")).expect("a folder can be made");
        fs::write(place.path("a.rs"), INPUT).expect("it can be written");
        // It kills mcve in its fourth run, behind the two processes that start it and watch it.
        let script = "#!/bin/sh\necho >> \"$PLACE/ran\"\n[ \"$(grep -c '' \"$PLACE/ran\")\" != 4 ] || \
            kill -KILL $(cut -d' ' -f4 /proc/$(cut -d' ' -f4 /proc/$PPID/stat)/stat)\ngrep -q needle $1\n";
        fs::write(place.path("test.sh"), script).expect("it can be written");
        fs::set_permissions(place.path("test.sh"), Permissions::from_mode(0o755)).expect("it is ours");
        let args = ["a.rs", "--test", "./test.sh", "-j1", "--runs", "3", "--no-fork-server"];
        let ended = place.command(&[&args[..], &["--sandbox", "off"]].concat()).output().expect("the binary runs");
        assert_eq!(ended.status.code(), None, "{}", String::from_utf8_lossy(&ended.stderr));
        assert!(place.path(JOURNAL).exists());
        fs::write(place.path("ran"), "\n\n\n\n").expect("it can be written");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn key(&self) -> PathBuf {
        self.path("config/mcve/key")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).env("PLACE", self.path(""));
        command.env("XDG_CONFIG_HOME", self.path("config")).stdin(Stdio::null());
        command
    }

    /// Whether the script has been run since the kill.
    fn has_run(&self) -> bool {
        fs::read_to_string(self.path("ran")).expect("it is there") != "\n\n\n\n"
    }

    /// Resumes without a terminal, which is refused.
    #[track_caller]
    fn refused(&self, why: &str) {
        let output = self.command(&["resume"]).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(Exit::Input.code().into()), "{said}");
        assert!(said.contains(why), "{said}");
        assert!(said.contains("mcve a.rs --test ./test.sh") && said.contains("mcve resume --trust "), "{said}");
        assert!(!self.has_run());
    }

    #[track_caller]
    fn resumed(&self, args: &[&str]) {
        let output = self.command(&[&["resume"], args].concat()).output().expect("the binary runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(self.has_run());
    }

    /// Resumes on a terminal, on which this is typed, and returns whether that went well and what was said.
    fn resume_on_terminal(&self, typed: &str) -> (bool, String) {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("it is ours");
        let name = ptsname(&ours, Vec::new()).expect("it has a name").into_string().expect("it is text");
        let open = || File::options().read(true).write(true).open(&name).expect("it is there");
        let mut command = self.command(&["resume"]);
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
}

#[test]
fn a_run_of_the_user_is_resumed_without_a_question() {
    Place::killed().resumed(&[]);
}

#[test]
fn a_run_of_somebody_else_is_refused_and_its_command_is_shown() {
    let place = Place::killed();
    fs::remove_file(place.key()).expect("it is there");
    place.refused("it is not signed by your key");
    place.resumed(&["--trust"]);
}

#[test]
fn a_command_line_that_was_changed_is_not_run() {
    let place = Place::killed();
    let journal = fs::read_to_string(place.path(JOURNAL)).expect("it is there");
    let (asked, rest) = journal.split_once('\n').expect("it has lines");
    let (_, asked) = asked.split_once(' ').expect("it has a checksum");
    // The checksum is right, so that only the code tells.
    let asked = asked.replace("\"./test.sh\"", "\"./test.sh \"");
    let sum = xxhash_rust::xxh3::xxh3_64(asked.as_bytes());
    fs::write(place.path(JOURNAL), format!("{sum:016x} {asked}\n{rest}")).expect("it can be written");
    let output = place.command(&["resume"]).output().expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("--test './test.sh '") && !place.has_run(), "{said}");
}

#[test]
fn a_key_that_others_may_know_says_nothing() {
    let place = Place::killed();
    fs::set_permissions(place.key(), Permissions::from_mode(0o644)).expect("it is ours");
    place.refused("others can read or write it");
    fs::set_permissions(place.key(), Permissions::from_mode(0o600)).expect("it is ours");
    if rustix::process::geteuid().is_root() {
        chown(place.key(), Some(12345), None).expect("root can");
        place.refused("somebody else's");
        chown(place.key(), Some(0), None).expect("root can");
    } else {
        eprintln!("skipped in part: only root can give a file away");
    }
    place.resumed(&[]);
}

#[test]
fn without_a_place_for_a_key_a_run_goes_on_and_is_asked_about() {
    let place = Place::killed();
    fs::remove_dir_all(place.path("config")).expect("it is there");
    fs::write(place.path("config"), "in the way").expect("it can be written");
    place.refused("there is no key to know it by");
    let run = place.command(&["a.rs", "--test", "grep -q needle $1"]).output().expect("the binary runs");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && !said.contains("key"), "{said}");
}

#[test]
fn on_a_terminal_the_user_decides() {
    for (typed, is_run) in [("y\n", true), ("Yes\n", true), ("n\n", false), ("\n", false), ("\u{4}", false)] {
        let place = Place::killed();
        fs::remove_file(place.key()).expect("it is there");
        let (is_done, said) = place.resume_on_terminal(typed);
        assert!(said.contains("mcve a.rs --test ./test.sh") && said.contains("[y/N]"), "{said}");
        assert_eq!((is_done, place.has_run()), (is_run, is_run), "{said}");
    }
}
