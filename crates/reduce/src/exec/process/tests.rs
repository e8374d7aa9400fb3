//! What processes do, with a real `sh`. Nothing here depends on how fast the machine is: where a time is named, it is
//! one that is never waited for.

use std::ffi::OsString;
use std::fs;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::process::Command;
use std::sync::mpsc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::*;
use crate::exec::job::{Answer, Step, Word};

/// Longer than any test lasts.
const NEVER: Duration = Duration::from_secs(1000);

fn text(word: impl Into<OsString>) -> Word {
    Word::Text(word.into())
}

fn shell(script: impl Into<OsString>) -> Job {
    Job { argv: vec![text("sh"), text("-c"), text(script)], ..Job::default() }
}

fn run(job: &Job, timeout: Duration) -> Result<JobResult, ExecError> {
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let result = processes.run(job, timeout, &Cancel::default());
    let left = fs::read_dir(processes.folder.checks()).expect("the run's folder is there").count();
    assert_eq!(left, 0, "the check's folder is gone");
    result
}

#[track_caller]
fn check(job: &Job, end: End, stdout: &str, stderr: &str) {
    let result = run(job, NEVER).expect("it can be run");
    assert_eq!(result.end, end);
    assert_eq!(String::from_utf8_lossy(&result.stdout), stdout);
    assert_eq!(String::from_utf8_lossy(&result.stderr), stderr);
}

#[track_caller]
fn check_error(program: impl Into<OsString>, doing: &str, kind: io::ErrorKind) {
    let job = Job { argv: vec![text(program)], ..Job::default() };
    let error = run(&job, NEVER).expect_err("it cannot be run");
    assert_eq!((error.to_string().as_str(), error.source.kind()), (doing, kind));
}

/// A named pipe. A job opens it for writing; whoever reads it sees its end when the last writer has died.
struct Witness {
    folder: tempfile::TempDir,
    reader: File,
}

impl Witness {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().expect("there is a mkfifo").success());
        let flags = rustix::fs::OFlags::NONBLOCK.bits().try_into().expect("flags are small");
        let reader = File::options().read(true).custom_flags(flags).open(&path).expect("it can be opened");
        Self { folder, reader }
    }

    fn path(&self) -> String {
        self.folder.path().join("pipe").display().to_string()
    }

    /// To be asked when it is known that a writer has been there.
    #[track_caller]
    fn all_writers_die(&mut self) {
        let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
        let mut end = Vec::new();
        loop {
            let mut waited = [PollFd::new(&self.reader, PollFlags::IN)];
            assert_eq!(poll(&mut waited, Some(&minute)).expect("it can be polled"), 1, "a writer lives on");
            match self.reader.read_to_end(&mut end) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                other => return assert!(other.is_ok(), "{other:?}"),
            }
        }
    }
}

#[test]
fn the_exit_code_and_both_outputs_come_back() {
    check(&shell("exit 0"), End::Exited(0), "", "");
    check(&shell("echo out; echo err >&2; exit 7"), End::Exited(7), "out\n", "err\n");
    check(&shell("cat"), End::Exited(0), "", "");
    check(&shell("exec >&- 2>&-; exit 3"), End::Exited(3), "", "");
}

#[test]
fn a_signal_comes_back() {
    check(&shell("echo dying; kill -SEGV $$"), End::Signalled(11), "dying\n", "");
}

#[test]
fn the_folder_holds_the_files_and_is_the_current_one() {
    let mut job = shell(r#"cat "$1" sub/b.txt; ls; touch c"#);
    job.files = vec![("a.txt".into(), "one\n".into()), ("sub/b.txt".into(), "two\n".into())];
    job.argv.push(text("sh"));
    job.argv.push(Word::path("a.txt"));
    check(&job, End::Exited(0), "one\ntwo\na.txt\nsub\n", "");
    job.argv[2] = text(r#"[ "$1" = "--in=$(pwd -P)/a.txt;$(pwd -P)/a.txt." ] && echo same"#);
    job.argv[4] = Word::File { template: "--in={};{}.".into(), path: "a.txt".into() };
    check(&job, End::Exited(0), "same\n", "");
}

#[test]
fn variables_are_set_and_unset() {
    let mut job = shell("echo $A ${HOME-none}");
    job.env = vec![("A".into(), Some("1".into())), ("HOME".into(), None)];
    check(&job, End::Exited(0), "1 none\n", "");
}

#[test]
fn timeout_kills_the_whole_process_group() {
    let mut witness = Witness::new();
    let job = shell(format!("(exec 3>'{}'; echo ready; exec sleep 1000) & wait", witness.path()));
    // A slow machine may need more than the first time to get as far as the grandchild.
    let ready = (0..10).map(|power| Duration::from_millis(50 << power)).any(|timeout| {
        let result = run(&job, timeout).expect("it can be run");
        assert_eq!(result.end, End::TimedOut);
        assert!(result.wall >= timeout);
        result.stdout == b"ready\n"
    });
    assert!(ready);
    witness.all_writers_die();
}

#[test]
fn a_grandchild_that_holds_the_pipes_is_killed_and_not_waited_for() {
    let mut witness = Witness::new();
    let script = "mkfifo p; (exec 3>'PIPE'; echo > p; exec sleep 1000) & read line < p; exit 5";
    check(&shell(script.replace("PIPE", &witness.path())), End::Exited(5), "", "");
    witness.all_writers_die();
}

/// A process of another session whose parent has died, which nobody but its subreaper finds.
#[cfg(target_os = "linux")]
const DAEMON: &str = "mkfifo p; setsid sh -c \"exec 3>'PIPE'; (echo > p; exec sleep 1000) & exit\" & read line < p;";

#[cfg(target_os = "linux")]
#[test]
fn a_daemon_ends_with_its_check() {
    for (end, timeout) in [(End::Exited(0), NEVER), (End::TimedOut, Duration::from_millis(500))] {
        let mut witness = Witness::new();
        let rest = if end == End::TimedOut { "echo ready; sleep 1000" } else { "echo ready" };
        let job = shell(format!("{} {rest}", DAEMON.replace("PIPE", &witness.path())));
        let ready = (0..10).map(|power| timeout * (1 << power)).any(|timeout| {
            let result = run(&job, timeout).expect("it can be run");
            assert_eq!(result.end, end);
            result.stdout == b"ready\n"
        });
        assert!(ready);
        witness.all_writers_die();
    }
}

#[test]
fn temporary_files_go_with_their_check() {
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let script = shell("mkdir -p $TMPDIR/a/b; chmod 500 $TMPDIR/a; ls; echo $TMPDIR");
    let result = processes.run(&script, NEVER, &Cancel::default()).expect("it can be run");
    let told = String::from_utf8(result.stdout).expect("it is text");
    assert!(Path::new(told.trim()).starts_with(processes.folder()), "{told}");
    assert!(!Path::new(told.trim()).exists());
}

#[test]
fn an_answer_is_read_from_a_file_of_the_check() {
    let job = Job { answer: Some(Answer::NamedBy("ANSWER".into())), ..shell("echo said; echo answered > $ANSWER") };
    check(&job, End::Exited(0), "answered\n", "");
    let job = Job { answer: Some(Answer::NamedBy("ANSWER".into())), ..shell("echo said") };
    check(&job, End::Exited(0), "", "");
}

#[test]
fn a_check_that_is_given_up_is_killed() {
    let mut witness = Witness::new();
    let script = "mkfifo p; (exec 3>'PIPE'; echo > p; exec sleep 1000) & read line < p; echo ready; sleep 1000";
    let cancel = Cancel::default();
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let job = shell(script.replace("PIPE", &witness.path()));
    let folder = processes.fresh_folder(&job).expect("it can be made");
    let mut group = processes.start(&job, &folder, None, &cancel).expect("it can be run");
    while !group.drain().expect("it can be read") {
        std::thread::yield_now();
    }
    drop(group);
    witness.all_writers_die();
}

#[test]
fn endless_output_is_capped_and_drained() {
    let result = run(&shell("echo first; head -c 60000000 /dev/zero; echo last"), NEVER).expect("it can be run");
    assert_eq!(result.end, End::Exited(0));
    assert!(result.stdout.starts_with(b"first\n") && result.stdout.ends_with(b"\0last\n"));
    assert!(result.stdout.len() < 33 << 20);
    let result = run(&shell("yes >&2"), Duration::from_millis(100)).expect("it can be run");
    assert_eq!(result.end, End::TimedOut);
    assert!(result.stderr.len() < 33 << 20);
}

#[test]
fn cancelling_ends_a_running_check_at_once() {
    let mut witness = Witness::new();
    let (path, cancel, processes) =
        (witness.path(), Cancel::default(), Processes::new(Memory::default(), None).expect("a folder can be made"));
    let (sender, receiver) = mpsc::channel();
    let waiter = cancel.clone();
    let checker = std::thread::spawn(move || {
        let job = shell(format!("exec 3>'{path}'; echo ready >&3; sleep 1000"));
        sender.send(processes.run(&job, NEVER, &waiter)).expect("somebody waits");
    });
    let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
    let mut waited = [PollFd::new(&witness.reader, PollFlags::IN)];
    assert_eq!(poll(&mut waited, Some(&minute)).expect("it can be polled"), 1);
    let mut line = String::new();
    BufReader::new(&witness.reader).read_line(&mut line).expect("it can be read");
    assert_eq!(line, "ready\n");
    cancel.cancel();
    let result = receiver.recv_timeout(NEVER / 10).expect("it ends").expect("it can be run");
    assert_eq!(result.end, End::Cancelled);
    witness.all_writers_die();
    checker.join().expect("it does not panic");
}

#[test]
fn a_cancelled_check_does_not_begin() {
    let processes = Processes::new(Memory::default(), None).expect("a folder can be made");
    let cancel = Cancel::default();
    cancel.cancel();
    let result = processes.run(&shell("exit 0"), NEVER, &cancel).expect("it can be run");
    assert_eq!((result.end, cancel.is_cancelled()), (End::Cancelled, true));
}

#[test]
fn what_cannot_be_run_is_told_apart() {
    check_error("/nowhere/x", "cannot run `/nowhere/x`", io::ErrorKind::NotFound);
    check_error("no-such-program", "cannot run `no-such-program`", io::ErrorKind::NotFound);
    for (text, mode, why, kind) in [
        ("#!/bin/sh\n", 0o644, "", io::ErrorKind::PermissionDenied),
        ("#!/nowhere/sh\n", 0o755, ": the interpreter in its first line is missing", io::ErrorKind::NotFound),
    ] {
        let file = tempfile::NamedTempFile::new().expect("a file can be made");
        fs::write(file.path(), text).expect("it is ours");
        fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).expect("it is ours");
        let path = file.into_temp_path();
        check_error(path.as_os_str(), &format!("cannot run `{}`{why}", path.display()), kind);
    }
    let job = Job { files: vec![("a".into(), "".into()), ("a/b".into(), "".into())], ..shell("exit 0") };
    let error = run(&job, NEVER).expect_err("a file is in the way of the folder");
    assert!(error.to_string().starts_with("cannot write `"), "{error}");
}

#[test]
fn the_run_s_folder_goes_with_the_processes() {
    let processes = Processes::new(Memory::default(), None).expect("a folder can be made");
    let folder = processes.folder().to_path_buf();
    assert!(folder.is_dir());
    drop(processes);
    assert!(!folder.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_that_takes_too_much_memory_is_denied_it() {
    // Once the limit is there, it doubles a text up to 256 MiB, which would do no harm.
    let script = r#"until [ "$(ulimit -d)" = 65536 ]; do :; done
        text=01234567; size=8
        while [ $size -lt 268435456 ]; do text=$text$text; size=$((size + size)); echo $size; done"#;
    let processes = Processes::new(Memory(Some(64 << 20)), None).expect("a temporary folder can be made");
    let result = processes.run(&shell(script), NEVER, &Cancel::default()).expect("there is a shell");
    assert_ne!(result.end, End::Exited(0));
    let stdout = String::from_utf8(result.stdout).expect("numbers are text");
    let last: u64 = stdout.lines().last().expect("it begins").parse().expect("it is a number");
    assert!(last < 64 << 20, "it got {last}");
}

#[test]
fn a_step_is_taken_again_only_where_what_it_reads_has_changed() {
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let job = |read: &str, other: &str| {
        let step = shell("cat read > made; date +%s%N >> made").argv;
        let steps = vec![Step { argv: step, reads: vec!["read".into()], output: "made".into() }];
        Job { files: vec![("read".into(), read.into()), ("other".into(), other.into())], steps, ..shell("cat made") }
    };
    let said =
        |job: &Job| processes.run(job, Duration::from_secs(60), &Cancel::default()).expect("there is a shell").stdout;
    let first = said(&job("a", "1"));
    assert!(first.starts_with(b"a"));
    assert_eq!(said(&job("a", "2")), first, "it does not read the other file");
    let changed: Vec<Vec<u8>> = (0..40).map(|number| said(&job(&format!("b{number}"), "1"))).collect();
    assert!(changed[0].starts_with(b"b0"));
    let again = said(&job("a", "1"));
    assert!(again.starts_with(b"a") && again != first, "only the last ones are kept");
}

#[test]
fn a_step_that_fails_is_the_result() {
    let steps = vec![Step { argv: shell("echo no; exit 3").argv, reads: Vec::new(), output: "made".into() }];
    let result = run(&Job { steps, ..shell("echo yes") }, Duration::from_secs(60)).expect("there is a shell");
    assert_eq!((result.end, &*result.stdout), (End::Exited(3), &b"no\n"[..]));
}

/// A shell that takes a part of the time that [`SHORT`] is, and then runs `rest`.
fn nap(rest: &str) -> Vec<Word> {
    shell(format!("sleep 0.15; {rest}")).argv
}

/// Less than two naps.
const SHORT: Duration = Duration::from_millis(200);

#[test]
fn a_check_has_its_time_once_for_all_of_its_parts() {
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let steps = vec![Step { argv: nap(": > made"), reads: Vec::new(), output: "made".into() }];
    let job = Job { argv: nap("exit 0"), steps, ..Job::default() };
    let result = processes.run(&job, SHORT, &Cancel::default()).expect("there is a shell");
    assert_eq!(result.end, End::TimedOut);
    assert!(result.wall >= SHORT);
}

#[test]
fn a_step_for_which_too_little_time_was_left_is_taken_again() {
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let step = |name: &str| Step { argv: nap(&format!(": > {name}")), reads: Vec::new(), output: name.into() };
    let job = Job { steps: vec![step("a"), step("b")], ..shell("exit 0") };
    let end = |timeout| processes.run(&job, timeout, &Cancel::default()).expect("there is a shell").end;
    assert_eq!((end(SHORT), end(NEVER)), (End::TimedOut, End::Exited(0)));
}

#[cfg(target_os = "linux")]
#[test]
fn what_serves_a_part_of_a_check_has_the_deadline_of_all() {
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let steps = vec![Step { argv: shell("exit 0").argv, reads: Vec::new(), output: "made".into() }];
    let job = Job { steps, ..shell("exit 0") };
    let mut deadlines = Vec::new();
    let serve = |_: &Job, folder: &CheckFolder, deadline| -> Result<_, NoResult> {
        deadlines.push(deadline);
        fs::write(folder.work.join("made"), "").expect("it is ours");
        Ok(Some(JobResult::ended(End::Exited(0))))
    };
    assert!(processes.run_by(&job, NEVER, &Cancel::default(), serve).is_ok_and(|result| result.end == End::Exited(0)));
    assert!(matches!(deadlines[..], [Some(step), Some(job)] if step == job), "{deadlines:?}");
}
