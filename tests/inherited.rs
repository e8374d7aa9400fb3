//! What mcve inherits changes nothing: signals that are ignored or blocked, closed streams, a umask, variables, odd paths, a
//! cache that cannot be written. The result, the number of checks and the fork server are the same.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcve::cli::exit::Exit;
use mcve::exec::inherited::reset_signals;
use nix::sys::signal::{SigSet, Signal};
use serde_json::Value;
use tempfile::TempDir;

const INPUT: &str = "//! A list that holds itself.\n\npub fn of(n: u8) -> u8 {\n    n + 1\n}\n\npub struct List {\n    pub head: u8,\n    pub tail: List,\n}\n\nfn main() {\n    println!(\"{}\", of(1));\n}\n";

/// `timeout` resets signals, so that what runs behind it may differ from what runs before.
const SCRIPT: &str = "#!/bin/sh\ntimeout 100 rustc --edition=2021 --emit=metadata \"$1\" 2>log\ngrep -q E0072 log\n";

/// What this process was started with is not what is tested.
fn place() -> TempDir {
    reset_signals();
    tempfile::tempdir().expect("a folder can be made")
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("it can be written");
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("it is ours");
}

/// The binary, run by a shell that says `before` first.
fn after(before: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{before}\nexec \"$@\""), "sh", env!("CARGO_BIN_EXE_mcve")]);
    command
}

/// What came of a reduction: the text, how often something was checked, and why the fork server was closed.
#[derive(Debug, PartialEq)]
struct Came {
    text: String,
    checks: usize,
    closed: Option<Value>,
}

/// Reduces the input by rustc and by a script, in a folder inside of `folder`.
fn reduce(folder: &Path, command: &dyn Fn() -> Command) -> [Came; 2] {
    std::fs::create_dir_all(folder).expect("it can be made");
    write(&folder.join("a.rs"), INPUT);
    write(&folder.join("test.sh"), SCRIPT);
    [&[][..], &["--test", "./test.sh"]].map(|options| {
        let mut command = command();
        command.args(["a.rs", "--jobs", "1", "--runs", "3", "--message-format", "json"]).args(options);
        let run = command.current_dir(folder).output().expect("it can be run");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let events = String::from_utf8(run.stdout).expect("JSON is UTF-8");
        let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let named = |name: &'static str| events.iter().filter(move |event| event["event"] == name);
        Came {
            text: std::fs::read_to_string(folder.join("a_mcve.rs")).expect("there is a result"),
            checks: named("checked").count(),
            closed: named("shortcut-closed").next().cloned(),
        }
    })
}

#[test]
fn a_reduction_is_the_same_whatever_is_inherited() {
    let folder = place();
    let path = |name: &str| folder.path().join(name);
    let cached = |mut command: Command, cache: PathBuf| {
        command.env("XDG_CACHE_HOME", cache).stdin(Stdio::null());
        command
    };
    let plain = || cached(after(""), path("cache"));
    let expected = reduce(&path("plain"), &plain);
    for came in &expected {
        assert!(came.text.contains("struct") && came.text.len() < 40 && came.checks > 5, "{came:?}");
        assert_eq!(came.closed, None);
    }
    let check = |name: &str, folder: &str, command: &dyn Fn() -> Command| {
        assert_eq!(reduce(&path(folder), command), expected, "{name}");
    };
    for before in [
        "trap '' HUP INT QUIT TERM",
        "trap '' HUP INT QUIT TERM CHLD USR1 USR2 ALRM TSTP XFSZ WINCH",
        "exec <&-",
        "exec <&- 2>&-",
        "umask 077",
        "export RUST_BACKTRACE=full RUSTC_LOG=info RUST_LOG=debug RUST_LIB_BACKTRACE=1",
        "export LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 LANGUAGE=de",
        "export LC_ALL=C TERM=dumb; unset LANG",
        "export LD_LIBRARY_PATH=/nowhere MALLOC_ARENA_MAX=2",
    ] {
        check(before, "plain", &|| cached(after(before), path("cache")));
    }
    std::fs::create_dir_all(path("a folder/of mine")).expect("it can be made");
    let spaces = || {
        let mut command = cached(after(""), path("a folder/cache"));
        command.env("TMPDIR", path("a folder/of mine"));
        command
    };
    check("paths with spaces", "a folder/of work", &spaces);
    check("a cache that cannot be written", "plain", &|| cached(after(""), "/proc/self".into()));
    check("no place for a cache", "plain", &|| cached(after("unset HOME XDG_CACHE_HOME"), path("cache")));
    let blocked = std::thread::scope(|scope| {
        let run = || {
            SigSet::all().thread_block().expect("they can be blocked");
            reduce(&path("plain"), &plain)
        };
        scope.spawn(run).join().expect("it does not panic")
    });
    assert_eq!(blocked, expected, "blocked signals");
}

#[test]
fn checks_begin_with_no_signal_ignored_or_blocked() {
    let folder = place();
    write(&folder.path().join("a.rs"), INPUT);
    let test = "! grep -E '^Sig(Ign|Blk):' /proc/self/status | grep -qv '0000000$' && grep -q List \"$1\"";
    std::thread::scope(|scope| {
        scope.spawn(|| {
            SigSet::all().thread_block().expect("they can be blocked");
            let mut command = after("trap '' HUP INT QUIT TERM CHLD USR1 USR2 ALRM TSTP XFSZ WINCH");
            command.args(["a.rs", "-q", "--test", test]).current_dir(folder.path());
            let run = command.output().expect("it can be run");
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        });
    });
}

/// Sends a signal once the run has begun, and returns how it ends.
fn sent(before: &str, signal: Signal) -> Option<i32> {
    let folder = place();
    write(&folder.path().join("a.rs"), INPUT);
    let go = folder.path().join("go");
    // No check but those of the input ends before the signal was sent.
    let test = format!(
        "[ -s $1 ] || exit 1; grep -q main $1 || while ! [ -e {} ]; do sleep 0.01; done; grep -q List $1",
        go.display()
    );
    let mut command = after(before);
    command.args(["a.rs", "--message-format", "json", "--test", &test]).current_dir(folder.path());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it can be run");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("\"baseline\""))).expect("it begins").expect("text");
    let pid = nix::unistd::Pid::from_raw(child.id().cast_signed());
    nix::sys::signal::kill(pid, signal).expect("it runs");
    write(&go, "");
    lines.for_each(drop);
    child.wait().expect("it ends").code()
}

#[test]
fn a_signal_that_mcve_was_started_to_ignore_does_not_end_it() {
    for signal in [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM] {
        assert_eq!(sent("trap '' HUP INT TERM", signal), Some(Exit::Done.code().into()), "{signal}");
        assert_eq!(sent("", signal), Some(Exit::Interrupted.code().into()), "{signal}");
    }
}
