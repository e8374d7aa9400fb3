//! What mcve inherits changes nothing: signals that are ignored or blocked, closed streams, a umask, variables, odd paths, a
//! cache that cannot be written. The result, the number of checks and the fork server are the same.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Running, Said, TestFolder, is_thorough};
use nix::sys::signal::SigSet;
use rustix::process::Signal;
use serde_json::Value;

const INPUT: &str = "//! A list that holds itself.\n\npub fn of(n: u8) -> u8 {\n    n + 1\n}\n\npub struct List {\n    pub head: u8,\n    pub tail: List,\n}\n\nfn main() {\n    println!(\"{}\", of(1));\n}\n";

/// `timeout` resets signals, so that what runs behind it may differ from what runs before.
const SCRIPT: &str = "#!/bin/sh\ntimeout 100 rustc --edition=2021 --emit=metadata \"$1\" 2>log\ngrep -q E0072 log\n";

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// What came of a reduction: the text, how often something was checked, and why the fork server was closed.
#[derive(Debug, PartialEq)]
struct Came {
    text: String,
    checks: usize,
    closed: Option<Value>,
}

/// Reduces the input by rustc and by a script, by a command that runs in `folder`.
fn reduce(folder: &Path, command: &dyn Fn(&[&str]) -> Command) -> [Came; 2] {
    [&[][..], &["--test", "./test.sh"]].map(|options| {
        let args = ["a.rs", "--jobs", "1", "--runs", "1", "--only", "items,bodies", "--message-format", "json"];
        let said = Said::by(command(&[&args[..], options].concat()).current_dir(folder)).exits(Exit::Done);
        let events = said.events();
        let named = |name: &'static str| events.iter().filter(move |event| event["event"] == name);
        Came {
            text: std::fs::read_to_string(folder.join("a_mcve.rs")).expect("there is a result"),
            checks: named("checked").count(),
            closed: named("shortcut-closed").next().cloned(),
        }
    })
}

/// A folder with the input and the script, also in `a folder/of work`.
fn place() -> TestFolder {
    let place = TestFolder::new(BINARY);
    for folder in ["", "a folder/of work"] {
        place.write(Path::new(folder).join("a.rs"), INPUT);
        place.write_script(Path::new(folder).join("test.sh"), SCRIPT);
    }
    place
}

/// What is said to the shell that starts mcve.
const BEFORE: [&str; 6] = [
    "trap '' HUP INT QUIT TERM CHLD USR1 USR2 ALRM TSTP XFSZ WINCH",
    "exec <&- 2>&-",
    "umask 077",
    "export RUST_BACKTRACE=full RUSTC_LOG=info RUST_LOG=debug RUST_LIB_BACKTRACE=1",
    "export LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 LANGUAGE=de",
    "export LD_LIBRARY_PATH=/nowhere MALLOC_ARENA_MAX=2",
];

/// Less of the same kinds.
const MORE: [&str; 3] = ["trap '' HUP INT QUIT TERM", "exec <&-", "export LC_ALL=C TERM=dumb; unset LANG"];

#[test]
fn a_reduction_is_the_same_whatever_is_inherited() {
    let place = place();
    let cached = |mut command: Command, cache: PathBuf| {
        command.env("XDG_CACHE_HOME", cache);
        command
    };
    let after = |before: &str, args: &[&str]| cached(place.mcve_after(before, args), place.path("cache"));
    let plain = |args: &[&str]| after("", args);
    let expected = reduce(place.root(), &plain);
    for came in &expected {
        assert!(came.text.contains("struct List") && !came.text.contains("fn of") && came.checks > 3, "{came:?}");
        assert_eq!(came.closed, None);
    }
    let check = |name: &str, folder: &Path, command: &dyn Fn(&[&str]) -> Command| {
        assert_eq!(reduce(folder, command), expected, "{name}");
    };
    // All at once, and where that is asked for each by itself.
    let all = BEFORE.join("\n");
    check(&all, place.root(), &|args| after(&all, args));
    for before in BEFORE.iter().chain(&MORE).filter(|_| is_thorough()) {
        check(before, place.root(), &|args| after(before, args));
    }
    std::fs::create_dir(place.path("a folder/of mine")).expect("it can be made");
    let spaces = |args: &[&str]| {
        let mut command = cached(place.mcve(args), place.path("a folder/cache"));
        command.env("TMPDIR", place.path("a folder/of mine"));
        command
    };
    check("paths with spaces", &place.path("a folder/of work"), &spaces);
    let unwritable = |args: &[&str]| cached(place.mcve(args), "/proc/self".into());
    check("a cache that cannot be written", place.root(), &unwritable);
    let none = |args: &[&str]| after("unset HOME XDG_CACHE_HOME", args);
    check("no place for a cache", place.root(), &none);
    let blocked = std::thread::scope(|scope| {
        let run = || {
            SigSet::all().thread_block().expect("they can be blocked");
            reduce(place.root(), &plain)
        };
        scope.spawn(run).join().expect("it does not panic")
    });
    assert_eq!(blocked, expected, "blocked signals");
}

#[test]
fn checks_begin_with_no_signal_ignored_or_blocked() {
    let place = place();
    let test = "! grep -E '^Sig(Ign|Blk):' /proc/self/status | grep -qv '0000000$' && grep -q List \"$1\"";
    std::thread::scope(|scope| {
        scope.spawn(|| {
            SigSet::all().thread_block().expect("they can be blocked");
            Said::by(&mut place.mcve_after(BEFORE[0], &["a.rs", "-q", "--test", test])).exits(Exit::Done);
        });
    });
}

/// Sends a signal once the run has begun, and returns how it ends.
fn sent(before: &str, signal: Signal) -> Option<i32> {
    let place = place();
    // No check but those of the input ends before the signal was sent.
    let test = "[ -s $1 ] || exit 1; grep -q main $1 || while ! [ -e $PLACE/go ]; do sleep 0.01; done; grep -q List $1";
    let mut running =
        Running::start(&mut place.mcve_after(before, &["a.rs", "--message-format", "json", "--test", test]));
    running.wait_for("baseline", 1);
    running.signal(signal);
    place.write("go", "");
    running.end().0
}

#[test]
fn a_signal_that_mcve_was_started_to_ignore_does_not_end_it() {
    for signal in [Signal::HUP, Signal::INT, Signal::TERM] {
        assert_eq!(sent("trap '' HUP INT TERM", signal), Some(Exit::Done.code().into()), "{signal:?}");
        assert_eq!(sent("", signal), Some(Exit::Interrupted.code().into()), "{signal:?}");
    }
}
