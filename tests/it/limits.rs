//! Ctrl-C, `--budget` and limits hold from the beginning on: in the first run of rustc as in any later check, whatever the
//! command. A compiler that never ends says by a pipe that it runs.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};
use rustix::process::{Pid, Signal, kill_process};

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

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// A folder with an input and that compiler, and its pipe.
fn place() -> TestFolder {
    let place = TestFolder::new(BINARY);
    place.write("a.rs", INPUT);
    place.write("good.rs", "fn main() {}\n");
    let pipe = place.make_pipe("pipe");
    place.write_script("rustc.sh", &RUSTC.replace("pipe", &pipe.display().to_string()));
    place
}

/// The command whose compiler may say by the pipe that it runs.
fn mcve(place: &TestFolder, words: &[&str]) -> Command {
    place.mcve(&[words, &["--writable", "."]].concat())
}

/// Starts mcve, interrupts it when its compiler runs, and waits for it.
fn interrupted(place: &TestFolder, words: &[&str], signal: Signal) -> Said {
    interrupted_after(place, words, signal, |_| ())
}

/// The same, where something happens to the running mcve before.
fn interrupted_after(place: &TestFolder, words: &[&str], signal: Signal, before: impl FnOnce(&Child)) -> Said {
    let mut command = mcve(place, words);
    command.args(["--rustc", "./rustc.sh"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("it can be run");
    // To open it waits for the one who writes.
    assert_eq!(place.read("pipe"), "runs\n");
    before(&child);
    kill_process(Pid::from_child(&child), signal).expect("it runs");
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn an_interrupt_ends_the_first_run_of_rustc() {
    for command in COMMANDS {
        for signal in [Signal::INT, Signal::TERM] {
            interrupted(&place(), command, signal).exits(Exit::Interrupted).says(&["interrupted"]);
        }
    }
}

/// The children of a process, whichever of its threads started them.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("it runs").flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let numbers: Vec<i32> =
        lists.flat_map(|list| list.split_whitespace().map(str::parse).collect::<Vec<_>>()).flatten().collect();
    numbers.into_iter().filter_map(Pid::from_raw).collect()
}

/// What starts checks, and what ends them, may have been stopped by somebody.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_a_run_whose_helpers_are_stopped() {
    let numbers = |all: &[Pid]| all.iter().map(|pid| pid.as_raw_pid().unsigned_abs()).collect::<Vec<_>>();
    for stops_wardens in [false, true] {
        let stop = |child: &Child| {
            let keepers = children(child.id());
            let wardens: Vec<Pid> = numbers(&keepers).into_iter().flat_map(children).collect();
            assert!(!keepers.is_empty() && !wardens.is_empty());
            let stopped = if stops_wardens { wardens } else { keepers };
            stopped.into_iter().for_each(|pid| kill_process(pid, Signal::STOP).expect("it runs"));
        };
        interrupted_after(&place(), &["a.rs"], Signal::INT, stop).exits(Exit::Interrupted);
    }
}

/// Somebody kills what starts checks and then what ends them: no process of a check outlives that, and nothing counts as a result.
#[cfg(target_os = "linux")]
#[test]
fn a_run_whose_helpers_are_killed_ends() {
    let place = place();
    let daemon = "(setsid sleep 100000 >/dev/null 2>&1 &);";
    let compiler = place.read("rustc.sh").replace("*.rs*)", &format!("*.rs*) {daemon}"));
    place.write_script("rustc.sh", &compiler);
    let mut command = mcve(&place, &["a.rs", "--rustc", "./rustc.sh"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be run");
    assert_eq!(place.read("pipe"), "runs\n");
    let below = |all: &[Pid]| all.iter().flat_map(|pid| children(pid.as_raw_pid().unsigned_abs())).collect::<Vec<_>>();
    let keepers = children(child.id());
    let wardens = below(&keepers);
    let started = below(&wardens);
    assert_eq!(started.len(), 2, "the compiler and a daemon");
    for pid in keepers.into_iter().chain(wardens) {
        kill_process(pid, Signal::KILL).expect("it runs");
    }
    let said = Said::from(child.wait_with_output().expect("it ends"));
    said.exits(Exit::Check)
        .says(&["the process that supervises checks was killed; mcve ended everything that it had started"]);
    assert!(started.iter().all(|pid| rustix::process::test_kill_process(*pid).is_err()), "a process outlives the run");
    assert!(!place.path("a_mcve.rs").exists());
}

/// Runs mcve with a budget that doubles until it is enough on this machine for what comes before: the version of the compiler.
fn out_of_time(place: &TestFolder, words: &[&str]) -> Said {
    let budgets = (0..12).map(|power| format!("{}ms", 300 << power));
    let mut runs = budgets.map(|budget| Said::by(mcve(place, words).args(["--budget", &budget])));
    runs.find(|said| said.code() != Some(Exit::Check.code().into())).expect("some budget is enough")
}

/// Nobody ever writes to the pipe.
#[test]
fn a_budget_ends_the_wait_for_input() {
    for words in [&["pipe"][..], &["a.rs", "--run", "--stdin", "pipe"], &["isolate", "pipe"]] {
        let place = place();
        out_of_time(&place, words).exits(Exit::OutOfTime).says(&["budget"]);
    }
}

#[test]
fn a_budget_ends_the_first_run_of_rustc() {
    for command in COMMANDS {
        let place = place();
        // Somebody has to read, so that the compiler comes to its sleep.
        let pipe = fs::File::options().read(true).write(true).open(place.path("pipe")).expect("it is there");
        let said = out_of_time(&place, &[command, &["--rustc", "./rustc.sh"]].concat());
        drop(pipe);
        said.exits(if command[0] == "fuzz" { Exit::Done } else { Exit::OutOfTime }).says(&["budget"]);
    }
}

#[test]
fn a_run_that_is_interrupted_before_it_knows_the_failure_begins_anew() {
    let place = place();
    interrupted(&place, &["a.rs"], Signal::INT).exits(Exit::Interrupted);
    Said::by(&mut mcve(&place, &["a.rs"])).exits(Exit::Done);
}

#[test]
fn more_jobs_than_are_of_use_are_cut_with_a_note() {
    let place = place();
    for command in ["reduce", "isolate"] {
        place.run(&[command, "a.rs", "-j", "100000"], Exit::Done).says(&["checks run at once, not 100000"]);
    }
}

#[test]
fn a_limit_of_the_size_of_files_is_told_and_no_reason_to_die() {
    let place = place();
    let mut input = fs::File::options().append(true).open(place.path("a.rs")).expect("it is there");
    input.write_all(&b"// a comment\n".repeat(2_000)).expect("it can be written");
    // Blocks of 512 bytes.
    let said = Said::by(&mut place.mcve_after("ulimit -f 8", &["a.rs", "--test", "grep -q main \"$1\""]));
    assert_eq!(said.status.signal(), None, "{}", said.stderr);
    let said = said.says(&["File too large"]);
    let code = said.code().unwrap_or_default();
    assert!([Exit::Check, Exit::Output].map(Exit::code).map(i32::from).contains(&code), "{code}: {}", said.stderr);
}

#[test]
fn two_gigabytes_of_addresses_are_enough() {
    let place = place();
    Said::by(&mut place.mcve_after("ulimit -v 2000000", &["a.rs", "-j", "4"])).exits(Exit::Done);
}
