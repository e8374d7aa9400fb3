//! Runs that are killed, interrupted or out of their time, and go on: the same result, and nothing is asked twice.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use mcve::cli::exit::Exit;
use mcve::exec::inherited::reset_signals;
use mcve::exec::programs;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// A compiler that counts its runs, and in the run that it is told to kills who called it, behind the two processes that start it
/// and watch it.
const RUSTC: &str = r#"#!/bin/sh
case "$*" in
    *--error-format=json*)
        echo "$PPID" >> "$PLACE/runs"
        [ "$(grep -c . "$PLACE/runs")" -ne "${KILL_AT-0}" ] || kill -KILL $(cut -d" " -f4 /proc/$(cut -d" " -f4 /proc/$PPID/stat)/stat) ;;
esac
exec RUSTC "$@"
"#;

/// A folder with a program that crashes rustc.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        // Some tests send signals, which whoever started this process may have ignored.
        reset_signals();
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder can be made");
        let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ice-import-resolve/input.rs");
        std::fs::copy(case, folder.path().join("a.rs")).expect("it can be written");
        let place = Self { folder };
        let rustc = programs::rustc(None, None).expect("the tests are compiled by one");
        place.script("rustc", &RUSTC.replace("RUSTC", rustc.to_str().expect("it is text")));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn script(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("it can be written");
        std::fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).expect("it is ours");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    /// How often rustc was asked.
    fn runs(&self) -> usize {
        self.read("runs").lines().count()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).env("PLACE", self.path(""));
        command.env("XDG_CONFIG_HOME", self.path("config"));
        // cargo sets it for tests, and mcve looks whether a failure needs it.
        command.stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
        command
    }

    #[track_caller]
    fn run(&self, args: &[&str], exit: Exit) {
        let output = self.command(args).output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(exit.code().into()), "{stderr}");
    }

    /// Starts a run that tells what it does as JSON.
    fn start(&self, args: &[&str]) -> Running {
        let mut child = self.command(args).stdout(Stdio::piped()).spawn().expect("the binary runs");
        let events = BufReader::new(child.stdout.take().expect("it is piped"));
        Running { child, events }
    }

    #[track_caller]
    fn nothing_left(&self) {
        let names = |folder: &str| -> Vec<String> {
            let entries = std::fs::read_dir(self.path(folder)).expect("it is there");
            let mut names: Vec<String> = entries
                .map(|entry| entry.expect("it can be read").file_name().into_string().expect("it is text"))
                .collect();
            names.sort();
            names
        };
        assert_eq!(names("tmp"), [""; 0]);
        assert!(names("").iter().all(|name| !name.starts_with(".mcve")), "{:?}", names(""));
    }
}

/// A run under way.
struct Running {
    child: Child,
    events: BufReader<ChildStdout>,
}

impl Running {
    /// Waits for the `count`th event of a kind; false if the run ends before.
    fn wait_for(&mut self, kind: &str, count: usize) -> bool {
        let mut seen = 0;
        while seen < count {
            let mut line = String::new();
            if self.events.read_line(&mut line).expect("it is text") == 0 {
                return false;
            }
            let event: Value = serde_json::from_str(&line).expect("it is JSON");
            seen += usize::from(event["event"] == kind);
        }
        true
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is not waited for yet");
    }

    /// Waits for the end; how the run ended, and what it told last.
    fn end(self) -> (Option<i32>, Value) {
        let last: Option<String> = self.events.lines().map_while(Result::ok).last();
        let mut child = self.child;
        let status = child.wait().expect("it was started");
        (status.code(), last.and_then(|line| serde_json::from_str(&line).ok()).unwrap_or_default())
    }
}

/// Without a fork server, which would ask the script and not be told of its runs one by one.
const BY_RUSTC: [&str; 8] =
    ["a.rs", "--rustc", "./rustc", "--sandbox", "off", "--message-format", "json", "--no-fork-server"];

/// The result of a run that nobody disturbs, and how often it asks rustc.
fn undisturbed() -> &'static (String, usize) {
    static UNDISTURBED: OnceLock<(String, usize)> = OnceLock::new();
    UNDISTURBED.get_or_init(|| {
        let place = Place::new();
        place.run(&[&BY_RUSTC[..], &["--jobs", "1"]].concat(), Exit::Done);
        place.nothing_left();
        (place.read("a_mcve.rs"), place.runs())
    })
}

#[test]
fn a_run_that_is_killed_in_a_check_loses_that_one() {
    let (result, runs) = undisturbed();
    let place = Place::new();
    // The first four recognise the failure, the next three are the baseline.
    let kills = [1, 3, 5, 6, 8, 9, 15, 40, 41, 90];
    let begin = [&BY_RUSTC[..], &["--jobs", "1"]].concat();
    let mut command = &begin[..];
    for at in kills {
        let status = place.command(command).env("KILL_AT", at.to_string()).output().expect("the binary runs").status;
        assert_eq!(status.code(), None, "it is killed in run {at}");
        command = &["resume"];
    }
    place.run(command, Exit::Done);
    assert_eq!(&place.read("a_mcve.rs"), result);
    assert_eq!(place.runs(), runs + kills.len());
    place.nothing_left();
}

#[test]
fn a_run_that_is_killed_or_interrupted_at_any_time_ends_the_same() {
    let (result, _) = undisturbed();
    let place = Place::new();
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
        assert!(running.wait_for(kind, count), "it has more to do");
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
    place.nothing_left();
}

#[test]
fn another_run_of_the_same_compiler_does_not_ask_again() {
    let (result, runs) = undisturbed();
    let place = Place::new();
    let args = [&BY_RUSTC[..], &["--jobs", "1", "--state", "known/of/a"]].concat();
    for _ in 0..2 {
        place.run(&args, Exit::Done);
        assert_eq!(&place.read("a_mcve.rs"), result);
    }
    assert!(place.path("known/of/a").is_dir() && !place.path(".mcve").exists());
    // Only the failure is looked at anew.
    assert!(place.runs() <= runs + 8, "{} and {runs}", place.runs());
    place.run(&["resume", "known/of/a"], Exit::Done);
    assert_eq!(&place.read("a_mcve.rs"), result);
}
