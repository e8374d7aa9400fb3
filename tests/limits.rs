//! Ctrl-C, `--budget` and limits hold from the beginning on: in the first run of rustc as in any later check, whatever the
//! command. A compiler that never ends says by a pipe that it runs.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

const INPUT: &str = "fn main() { let a: u8 = \"\"; }\n";

/// A compiler of the right version that says so when it gets a file, and never ends then.
const RUSTC: &str = "#!/bin/sh\ncase \"$*\" in *.rs*) echo runs >pipe; exec sleep 100000 ;; esac\nexec rustc \"$@\"\n";

/// What begins with a run of that compiler.
const COMMANDS: [&[&str]; 5] = [
    &["reduce", "a.rs"],
    &["isolate", "a.rs"],
    &["repair", "a.rs"],
    &["changes", "good.rs", "a.rs"],
    &["fuzz", "--count", "1"],
];

/// A folder with an input and that compiler, whose pipe has this path.
fn place() -> TempDir {
    let place = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| place.path().join(name);
    fs::write(path("a.rs"), INPUT).expect("it can be written");
    fs::write(path("good.rs"), "fn main() {}\n").expect("it can be written");
    let pipe = path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is a mkfifo").success());
    let rustc = RUSTC.replace("pipe", &pipe.display().to_string());
    fs::write(path("rustc.sh"), rustc).expect("it can be written");
    fs::set_permissions(path("rustc.sh"), Permissions::from_mode(0o755)).expect("it is ours");
    place
}

fn mcve(place: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
    // The compiler of these tests says by a pipe that it runs.
    command
        .args(words)
        .args(["--writable", "."])
        .current_dir(place)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Starts mcve, interrupts it when its compiler runs, and waits for it.
fn interrupted(place: &Path, words: &[&str], signal: Signal) -> Output {
    let rustc = ["--rustc", "./rustc.sh"];
    let child = mcve(place, words).args(rustc).spawn().expect("it can be run");
    // To open it waits for the one who writes.
    let mut said = String::new();
    let pipe = fs::File::open(place.join("pipe")).and_then(|mut pipe| pipe.read_to_string(&mut said));
    pipe.expect("the compiler writes to it");
    assert_eq!(said, "runs\n");
    kill(Pid::from_raw(child.id().cast_signed()), signal).expect("it runs");
    child.wait_with_output().expect("it ends")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_interrupt_ends_the_first_run_of_rustc() {
    for command in COMMANDS {
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            let output = interrupted(place().path(), command, signal);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(Exit::Interrupted.code().into()), "{command:?}: {said}");
            assert!(said.contains("interrupted"), "{command:?}: {said}");
        }
    }
}

#[test]
fn a_budget_ends_the_first_run_of_rustc() {
    for command in COMMANDS {
        let place = place();
        // Somebody has to read, so that the compiler comes to its sleep.
        let pipe = fs::File::options().read(true).write(true).open(place.path().join("pipe")).expect("it is there");
        let words = ["--rustc", "./rustc.sh", "--budget", "300ms"];
        let output = mcve(place.path(), command).args(words).output().expect("it can be run");
        drop(pipe);
        let said = stderr(&output);
        let code = if command[0] == "fuzz" { Exit::Done } else { Exit::NotFailing };
        assert_eq!(output.status.code(), Some(code.code().into()), "{command:?}: {said}");
        assert!(said.contains("budget"), "{command:?}: {said}");
    }
}

#[test]
fn a_run_that_is_interrupted_before_it_knows_the_failure_begins_anew() {
    let place = place();
    let output = interrupted(place.path(), &["a.rs"], Signal::SIGINT);
    assert_eq!(output.status.code(), Some(Exit::Interrupted.code().into()), "{}", stderr(&output));
    let output = mcve(place.path(), &["a.rs"]).output().expect("it can be run");
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn more_jobs_than_are_of_use_are_cut_with_a_note() {
    let place = place();
    for command in ["reduce", "isolate"] {
        let output = mcve(place.path(), &[command, "a.rs", "-j", "100000"]).output().expect("it can be run");
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("checks run at once, not 100000"), "{said}");
    }
}

/// The binary, run by a shell that limits it first.
fn limited(place: &Path, limit: &str, words: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}\nexec \"$@\""), "sh", env!("CARGO_BIN_EXE_mcve")]).args(words);
    command.current_dir(place).stdin(Stdio::null()).output().expect("there is a shell")
}

#[test]
fn a_limit_of_the_size_of_files_is_told_and_no_reason_to_die() {
    let place = place();
    let mut input = fs::File::options().append(true).open(place.path().join("a.rs")).expect("it is there");
    input.write_all(&b"// a comment\n".repeat(2_000)).expect("it can be written");
    // Blocks of 512 bytes.
    let output = limited(place.path(), "ulimit -f 8", &["a.rs", "--test", "grep -q main \"$1\""]);
    let said = stderr(&output);
    assert_eq!(output.status.signal(), None, "{said}");
    assert!(said.contains("File too large"), "{said}");
    let code = output.status.code().unwrap_or_default();
    assert!([Exit::Check, Exit::Output].map(Exit::code).map(i32::from).contains(&code), "{code}: {said}");
}

#[test]
fn two_gigabytes_of_addresses_are_enough() {
    let place = place();
    let output = limited(place.path(), "ulimit -v 2000000", &["a.rs", "-j", "4"]);
    assert!(output.status.success(), "{}", stderr(&output));
}
