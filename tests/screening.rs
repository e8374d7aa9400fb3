//! Staged checks by the real rustc: before a script that is dear rustc is asked, which spares most of its runs.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use mcve::exec::programs;
use serde_json::Value;
use tempfile::TempDir;

/// A function borrows what is gone, in the midst of others.
const INPUT: &str = "
struct A { a: u8 }
fn f(a: &A) -> &A { a }
pub fn g(c: u8) -> u8 {
    let b;
    {
        let a = A { a: c };
        b = f(&a);
    }
    b.a
}
";

/// Says how often it was run, kills who called it in the run that it is told to, and compiles the program several times, also
/// where it is broken. Who called it stands behind the two processes that start it and watch it.
const SCRIPT: &str = r#"#!/bin/sh
echo run >> "$PLACE/runs"
[ "$(grep -c . "$PLACE/runs")" -ne "${KILL_AT-0}" ] || kill -KILL $(cut -d" " -f4 /proc/$(cut -d" " -f4 /proc/$PPID/stat)/stat)
for level in 0 1 2 3 s; do
    "$COMPILER" --edition=2021 --crate-type=lib --emit=metadata -Copt-level=$level "$1" 2> log
done
grep -q 'E0597' log && ! grep '^error' log | grep -qv 'E0597\|aborting'
"#;

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let place = Self { folder };
        std::fs::write(place.path("a.rs"), INPUT).expect("it can be written");
        std::fs::write(place.path("test.sh"), SCRIPT).expect("it can be written");
        std::fs::set_permissions(place.path("test.sh"), PermissionsExt::from_mode(0o755)).expect("it is ours");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null()).env("PLACE", self.folder.path());
        if args != ["resume"] {
            command.args(["--sandbox", "off"]);
        }
        command.env("XDG_CONFIG_HOME", self.folder.path().join("config"));
        command.env("COMPILER", programs::rustc(None, None).expect("the tests are compiled by one"));
        command
    }

    /// The result of a run to its end, what it tells at last, and how often the script was run.
    #[track_caller]
    fn reduce(&self, args: &[&str]) -> (String, Value, usize) {
        let output = self.command(args).output().expect("the binary runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let told = String::from_utf8(output.stdout).expect("JSON is text");
        let last = serde_json::from_str(told.lines().last().expect("there are events")).expect("it is JSON");
        (std::fs::read_to_string(self.path("a_mcve.rs")).expect("there is a result"), last, self.runs())
    }

    fn runs(&self) -> usize {
        std::fs::read_to_string(self.path("runs")).expect("it was run").lines().count()
    }
}

// How often the input is run would depend on how long that takes.
const BY_SCRIPT: [&str; 9] = ["a.rs", "--test", "./test.sh", "--message-format", "json", "--jobs", "1", "--runs", "3"];

/// A run that nobody disturbs.
fn undisturbed() -> &'static (String, Value, usize) {
    static UNDISTURBED: OnceLock<(String, Value, usize)> = OnceLock::new();
    UNDISTURBED.get_or_init(|| Place::new().reduce(&BY_SCRIPT))
}

#[test]
fn a_third_of_the_runs_of_a_script_or_more_is_spared_and_the_result_is_the_same() {
    let (result, last, runs) = undisturbed();
    assert_eq!(last["one_minimal"], true);
    let (alone, last_alone, runs_alone) = Place::new().reduce(&[&BY_SCRIPT[..], &["--no-screen"]].concat());
    assert_eq!((&alone, &last_alone["screened"]), (result, &Value::from(0)));
    assert!(runs * 3 < runs_alone * 2, "{runs} of {runs_alone}");
}

#[test]
fn a_run_that_is_killed_and_resumed_ends_the_same() {
    let (result, last, runs) = undisturbed();
    let place = Place::new();
    let mut args = &BY_SCRIPT[..];
    // Each loses the check in which it was killed.
    for kill in [2, 6, 12, 20] {
        let status = place.command(args).env("KILL_AT", kill.to_string()).output().expect("the binary runs").status;
        assert_eq!(status.code(), None, "it is killed in run {kill}");
        args = &["resume"];
    }
    let (resumed, last_resumed, runs_resumed) = place.reduce(args);
    assert_eq!((&resumed, runs_resumed), (result, runs + 4));
    assert_eq!(last_resumed["one_minimal"], last["one_minimal"]);
}
