//! The fork server with the real rustc: what comes of a check is what a plain process would say, and where the server
//! fails nothing else does.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use mcve::cli::exit::Exit;
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::exec::fork_server::ForkServers;
use mcve_reduce::exec::job::{End, Executor, Job, JobResult, Likely};
use mcve_reduce::exec::limits::Memory;
use mcve_reduce::exec::process::Processes;
use mcve_reduce::exec::shortcut::Shortcut;
use mcve_reduce::oracle::failure::Failure;
use mcve_reduce::oracle::headers::Headers;
use mcve_reduce::oracle::run::{Runner, Target};
use mcve_reduce::oracle::rustc::Rustc;
use mcve_reduce::program::Program;
use mcve_testing::shell::rustc as compiler;
use mcve_testing::{Said, TestFolder as Folder, first};
use regex::bytes::Regex;
use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// Longer than any test lasts.
const NEVER: Duration = Duration::from_secs(1000);

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

fn servers(compiler: &Path, cache: &Path, memory: Memory) -> ForkServers {
    let processes = Processes::new(memory, None).expect("a temporary folder can be made");
    ForkServers::new(Arc::new(processes), compiler.to_path_buf(), cache.to_path_buf())
}

/// The job that checks `text`, which may have headers, by `compiler`.
fn job(compiler: &Path, text: &str, args: &[&str]) -> Job {
    let args: Vec<_> = args.iter().map(Into::into).collect();
    let rustc = Rustc::new(compiler.to_path_buf(), &Headers::parse(text), &args, Path::new("/"));
    rustc.job(&Program::new("a.rs", text))
}

fn corpus(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name).join("minimal.rs");
    std::fs::read_to_string(path).expect("it is there")
}

/// Servers with a cache of their own.
struct TestFolder {
    servers: ForkServers,
    cache: TempDir,
}

impl TestFolder {
    fn new() -> Self {
        Self::with_memory(Memory::default())
    }

    fn with_memory(memory: Memory) -> Self {
        let cache = folder();
        Self { servers: servers(&compiler(), cache.path(), memory), cache }
    }

    fn quickly(&self, job: &Job, timeout: Duration) -> JobResult {
        self.servers.run_quickly(job, timeout, &Cancel::default()).expect("it can be run")
    }

    fn plainly(&self, job: &Job, timeout: Duration) -> JobResult {
        self.servers.run(job, timeout, &Cancel::default()).expect("it can be run")
    }

    /// Why there is no server, if there is none.
    fn closed(&self) -> Option<&str> {
        self.servers.shortcut().and_then(Shortcut::closed)
    }

    /// Checks a program both ways, which must end with `end` and say the same.
    #[track_caller]
    fn check(&self, text: &str, args: &[&str], end: End) {
        let job = job(&compiler(), text, args);
        let (quick, plain) = (self.quickly(&job, NEVER), self.plainly(&job, NEVER));
        assert_eq!(self.closed(), None);
        assert_eq!(printed(&quick), printed(&plain));
        assert_eq!((quick.end, plain.end), (end, end), "{}", printed(&quick).1);
    }
}

/// What was written, without the number of the process.
fn printed(result: &JobResult) -> (String, String) {
    let number = Regex::new(r"thread 'rustc' \(\d+\)").expect("it is well-formed");
    let text = |bytes: &[u8]| String::from_utf8_lossy(&number.replace_all(bytes, &b"thread"[..])).into_owned();
    (text(&result.stdout), text(&result.stderr))
}

#[test]
fn programs_that_compile_and_programs_with_errors_end_as_they_do_plainly() {
    let place = TestFolder::new();
    place.check("fn main() {}", &["--emit=metadata"], End::Exited(0));
    place.check("fn main() { let x = 1; }", &["--emit=obj"], End::Exited(0));
    place.check("fn main() {}", &["--emit=link"], End::Exited(0));
    place.check("fn main() { x; y(); }", &["--emit=metadata"], End::Exited(1));
    place.check("fn main( {", &["--emit=metadata"], End::Exited(1));
    place.check("fn main() {}", &["--print=cfg"], End::Exited(0));
    place.check("fn main() {}", &["--no-such-option"], End::Exited(1));
    place.check("", &["--version"], End::Exited(0));
}

#[test]
fn a_likely_job_is_run_instead_while_the_server_is_open() {
    let place = TestFolder::new();
    let sure = job(&compiler(), "fn main() {}", &["--emit=metadata"]);
    let likely = job(&compiler(), "fn main() { x }", &["--emit=metadata"]);
    let likely = Likely { files: likely.files, steps: likely.steps, processor: None, waiting: None };
    let both = Job { likely: Some(Box::new(likely)), ..sure };
    let ends = || [place.quickly(&both, NEVER), place.plainly(&both, NEVER)].map(|result| result.end);
    assert_eq!(ends(), [End::Exited(1), End::Exited(0)]);
    place.servers.shortcut().expect("there is one").close("a test");
    assert_eq!(ends(), [End::Exited(0), End::Exited(0)]);
}

#[test]
fn a_test_ends_without_the_harness_as_with_it() {
    let place = TestFolder::new();
    let text = "fn f(a: u8) -> u8 { a }\nmod m {\n    #[test]\n    fn fails() {\n        assert_eq!(super::f(1), 2);\n    }\n    \
                #[test]\n    fn passes() {\n        assert_eq!(super::f(1), 1);\n    }\n}\n";
    for (edition, head) in [("2021", ""), ("2024", ""), ("2015", "#![no_std]\n#![forbid(unsafe_code)]\n")] {
        let text = &format!("{head}{text}");
        let program = Program::new("a.rs", &**text);
        for (name, passes) in [("m::fails", false), ("m::passes", true)] {
            let args = [format!("--edition={edition}").into(), "--test".into()];
            let runner = Runner {
                rustc: Rustc::new(compiler(), &Headers::parse(text), &args, Path::new("/")),
                target: Target::Test(name.to_owned()),
                stdin: None,
                is_exact: false,
                skipped: Vec::new(),
                is_traced: false,
                is_dynamic: true,
                seconds: 60,
                processor: None,
            };
            let job = runner.job(&program);
            assert!(job.likely.is_some());
            let results = [place.quickly(&job, NEVER), place.plainly(&job, NEVER)];
            assert_eq!(results.each_ref().map(|result| runner.passes(result)), [passes; 2]);
            let failures = results.each_ref().map(|result| runner.failure(result, &program));
            assert_eq!((&failures[0], failures[0].is_none()), (&failures[1], passes));
        }
    }
    assert_eq!(place.closed(), None);
}

#[test]
fn crashes_end_as_they_do_plainly() {
    let place = TestFolder::new();
    for name in ["ice-mir-statement", "ice-resolve-instance", "ice-multiple-drop", "ice-type-lowering"] {
        place.check(&corpus(name), &[], End::Exited(101));
    }
}

#[test]
fn a_stack_overflow_is_recognised_as_it_is_plainly() {
    let place = TestFolder::new();
    let job = job(&compiler(), &corpus("stack-overflow"), &["--emit=metadata"]);
    let (quick, plain) = (place.quickly(&job, NEVER), place.plainly(&job, NEVER));
    assert_eq!((place.closed(), quick.end), (None, plain.end));
    let failure = |result: &JobResult| Failure::recognise(result).expect("it fails");
    assert!(matches!(quick.end, End::Signalled(_)), "{}", quick.end);
    assert!(failure(&plain).is_same(&failure(&quick)), "{} {}", failure(&plain), failure(&quick));
}

#[test]
fn variables_and_files_of_a_check_are_not_those_of_the_next() {
    let place = TestFolder::new();
    let text = "const _: () = assert!(option_env!(\"MY_X\").is_none()); fn main() {}";
    for end in [0, 1, 0] {
        let header = if end == 1 { "//@ rustc-env: MY_X=1\n" } else { "" };
        place.check(&format!("{header}{text}"), &["--emit=metadata"], End::Exited(end));
    }
    let mut other = job(&compiler(), "mod b; fn main() {}", &["--emit=metadata"]);
    assert_eq!(place.quickly(&other, NEVER).end, End::Exited(1));
    other.files.push(("b.rs".into(), "".into()));
    assert_eq!((place.quickly(&other, NEVER).end, place.closed()), (End::Exited(0), None));
}

#[test]
fn the_limit_of_memory_holds_for_what_is_forked() {
    let place = TestFolder::with_memory(Memory(Some(512 << 20)));
    place.check(
        "pub static A: [u8; 1 << 30] = [1; 1 << 30];",
        &["--crate-type=lib", "--emit=metadata"],
        End::Exited(1),
    );
    place.check(
        "pub static A: [u8; 1 << 10] = [1; 1 << 10];",
        &["--crate-type=lib", "--emit=metadata"],
        End::Exited(0),
    );
}

/// A program that reads a pipe which nobody writes to, so that its check does not end. Whoever opens the pipe for writing
/// waits until it reads.
struct Endless {
    folder: TempDir,
    job: Job,
}

impl Endless {
    fn new() -> Self {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is a mkfifo").success());
        let text = format!("include!({:?}); fn main() {{}}", pipe.display().to_string());
        Self { job: job(&compiler(), &text, &["--emit=metadata"]), folder }
    }

    /// Its process goes to the group of its parent before it reads.
    fn outside_of_its_group() -> Self {
        let mut endless = Self::new();
        let library = proc_macro("leaver", LEAVER, endless.folder.path());
        let text =
            format!("leaver::leave!({:?}); fn main() {{}}", endless.folder.path().join("pipe").display().to_string());
        let library = format!("--extern=leaver={}", library.display());
        endless.job = job(&compiler(), &text, &["--edition=2021", "--emit=metadata", &library]);
        endless
    }

    fn writer(&self) -> File {
        File::options().write(true).open(self.folder.path().join("pipe")).expect("it is there")
    }
}

/// Writing to a pipe that nobody can read any more fails.
#[track_caller]
fn nobody_reads(mut writer: File) {
    assert_eq!(writer.write(b"x").map_err(|error| error.kind()), Err(ErrorKind::BrokenPipe));
}

#[test]
fn timeout_kills_what_was_forked_and_the_server_goes_on() {
    let (place, endless) = (TestFolder::new(), Endless::new());
    assert_eq!(place.quickly(&endless.job, Duration::from_millis(1)).end, End::TimedOut);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| endless.writer());
        // Until one gets as far as to read, on however slow a machine.
        let read = (0..12).any(|power| {
            assert_eq!(place.quickly(&endless.job, Duration::from_millis(50 << power)).end, End::TimedOut);
            writer.is_finished()
        });
        assert!(read);
        nobody_reads(writer.join().expect("it does not panic"));
    });
    place.check("fn main() {}", &["--emit=metadata"], End::Exited(0));
}

#[test]
fn cancelling_kills_what_was_forked_and_the_server_goes_on() {
    let (place, endless, cancel) = (TestFolder::new(), Endless::new(), Cancel::default());
    std::thread::scope(|scope| {
        let check = scope.spawn(|| place.servers.run_quickly(&endless.job, NEVER, &cancel));
        let writer = endless.writer();
        cancel.cancel();
        let result = check.join().expect("it does not panic").expect("it can be run");
        assert_eq!(result.end, End::Cancelled);
        nobody_reads(writer);
    });
    let job = job(&compiler(), "fn main() {}", &["--emit=metadata"]);
    let result = place.servers.run_quickly(&job, NEVER, &cancel).expect("it can be run");
    assert_eq!((result.end, place.closed()), (End::Cancelled, None));
    place.check("fn main() {}", &["--emit=metadata"], End::Exited(0));
}

/// A proc macro whose process goes to the group of its parent and reads a file.
const LEAVER: &str = r#"
extern crate proc_macro;
extern "C" {
    fn getpgid(pid: i32) -> i32;
    fn setpgid(pid: i32, group: i32) -> i32;
}
#[proc_macro]
pub fn leave(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let parent = std::os::unix::process::parent_id() as i32;
    assert_eq!(unsafe { setpgid(0, getpgid(parent)) }, 0);
    std::fs::read_to_string(input.to_string().trim_matches('"')).unwrap().parse().unwrap()
}
"#;

#[test]
fn cancelling_kills_what_has_left_its_group_and_the_server_goes_on() {
    let (place, endless, cancel) = (TestFolder::new(), Endless::outside_of_its_group(), Cancel::default());
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let check = || place.servers.run_quickly(&endless.job, NEVER, &cancel);
        scope.spawn(move || sender.send(check()).expect("somebody waits"));
        let writer = endless.writer();
        cancel.cancel();
        let result = receiver.recv_timeout(NEVER / 20);
        let result = result.expect("it ends").expect("it can be run");
        assert_eq!(result.end, End::Cancelled);
        nobody_reads(writer);
    });
    place.check("fn main() {}", &["--emit=metadata"], End::Exited(0));
}

#[test]
fn several_checks_at_once_have_a_server_each() {
    let (place, endless) = (TestFolder::new(), Endless::new());
    let cancel = Cancel::default();
    std::thread::scope(|scope| {
        let check = scope.spawn(|| place.servers.run_quickly(&endless.job, NEVER, &cancel));
        let writer = endless.writer();
        place.check("fn main() { x }", &["--emit=metadata"], End::Exited(1));
        drop(writer);
        assert_eq!(check.join().expect("it does not panic").expect("it can be run").end, End::Exited(0));
    });
}

/// Compiles the proc macros of `text` in a folder.
fn proc_macro(name: &str, text: &str, folder: &Path) -> PathBuf {
    let source = format!("{name}.rs");
    std::fs::write(folder.join(&source), text).expect("it can be written");
    let mut build = Command::new(compiler());
    build.args(["--crate-type=proc-macro", "--edition=2021", &source]).current_dir(folder);
    assert!(build.status().expect("there is a rustc").success());
    folder.join(format!("lib{name}.so"))
}

/// A proc macro that kills the parent of its process if that is a rustc, and so a server.
const KILLER: &str = r#"
extern crate proc_macro;
#[proc_macro]
pub fn kill(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let parent = std::os::unix::process::parent_id().to_string();
    if std::fs::read_to_string(format!("/proc/{parent}/comm")).unwrap() == "rustc\n" {
        std::process::Command::new("kill").args(["-KILL", &parent]).status().unwrap();
        loop {}
    }
    input
}
"#;

#[test]
fn a_server_that_dies_takes_nothing_with_it_but_its_speed() {
    let (place, folder) = (TestFolder::new(), folder());
    let killer = format!("--extern=killer={}", proc_macro("killer", KILLER, folder.path()).display());
    place.check("killer::no_such_macro!();", &["--edition=2021", "--emit=metadata", &killer], End::Exited(1));
    let job = job(&compiler(), "killer::kill!(fn main() {});", &["--edition=2021", "--emit=metadata", &killer]);
    assert_eq!(place.quickly(&job, NEVER).end, End::Exited(0));
    assert!(place.closed().is_some_and(|why| why.contains("cannot watch")), "{:?}", place.closed());
    assert_eq!(place.quickly(&job, NEVER).end, End::Exited(0));
}

#[test]
fn a_damaged_file_in_the_cache_is_noticed_and_made_anew() {
    let place = TestFolder::new();
    place.check("fn main() {}", &["--emit=metadata"], End::Exited(0));
    let names = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(place.cache.path()).expect("it is there");
        entries.map(|entry| entry.expect("it can be read").path()).collect()
    };
    let [file] = &names()[..] else { panic!("more than one file: {:?}", names()) };
    let whole = std::fs::read(file).expect("it is there");
    let job = job(&compiler(), "fn main() { x }", &["--emit=metadata"]);
    for damaged in [&b""[..], b"rubbish", &whole[..whole.len() / 2]] {
        std::fs::write(file, damaged).expect("it can be written");
        let servers = servers(&compiler(), place.cache.path(), Memory::default());
        let result = servers.run_quickly(&job, NEVER, &Cancel::default()).expect("it can be run");
        assert_eq!((result.end, servers.shortcut().and_then(Shortcut::closed)), (End::Exited(1), None));
        assert_eq!(names().len(), 1);
        assert_eq!(std::fs::read(file).expect("it is there").len(), whole.len());
    }
    place.check("fn main() {}", &["--emit=metadata"], End::Exited(0));
}

#[test]
fn what_is_no_rustc_is_run_plainly() {
    use std::os::unix::fs::PermissionsExt;
    let (place, folder) = (TestFolder::new(), folder());
    let script = folder.path().join("rustc");
    std::fs::write(&script, "#!/bin/sh\nexit 7\n").expect("it can be written");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("it is ours");
    let other = job(&script, "fn main() {}", &[]);
    assert_eq!((place.quickly(&other, NEVER).end, place.closed()), (End::Exited(7), None));
    let servers = servers(&script, place.cache.path(), Memory::default());
    let result = servers.run_quickly(&other, NEVER, &Cancel::default()).expect("it can be run");
    assert_eq!(result.end, End::Exited(7));
    let why = format!("`{}` is a script", script.display());
    assert_eq!(servers.shortcut().and_then(Shortcut::closed), Some(&*why));
}

/// A rustc that notes its words before `main`, as old ones do.
const EARLY: &str = r#"
use std::ffi::{CStr, c_char, c_int};
use std::os::unix::process::CommandExt;
static mut WORDS: (c_int, *const *const c_char) = (0, std::ptr::null());
#[used]
#[unsafe(link_section = ".init_array")]
static NOTE: extern "C" fn(c_int, *const *const c_char) = note;
extern "C" fn note(count: c_int, words: *const *const c_char) {
    unsafe { WORDS = (count, words) }
}
fn main() {
    let (count, words) = unsafe { WORDS };
    let words = (1..count as usize).map(|index| unsafe { CStr::from_ptr(*words.add(index)) }.to_str().unwrap());
    panic!("{}", std::process::Command::new(env!("COMPILER")).args(words).exec());
}
"#;

#[test]
fn a_rustc_that_does_not_take_the_words_of_a_request_does_not_serve() {
    let (place, folder) = (TestFolder::new(), folder());
    std::fs::write(folder.path().join("early.rs"), EARLY).expect("it can be written");
    let mut build = Command::new(compiler());
    build.args(["--edition=2024", "-o", "rustc", "early.rs"]).current_dir(folder.path()).env("COMPILER", compiler());
    assert!(build.status().expect("there is a rustc").success());
    let early = folder.path().join("rustc");
    let servers = servers(&early, place.cache.path(), Memory::default());
    let job = job(&early, "fn main() { x }", &["--emit=metadata"]);
    let result = servers.run_quickly(&job, NEVER, &Cancel::default()).expect("it can be run");
    assert_eq!(result.end, End::Exited(1));
    let why = servers.shortcut().and_then(Shortcut::closed);
    assert_eq!(why, Some("this rustc does not take its words from `main`"));
}

/// Reduces the input of a case with a cache of its own and returns the result, the events, and whether anything was cached.
fn reduce(case: &str, options: &[&str]) -> (String, Vec<Value>, bool) {
    let folder = Folder::new(BINARY);
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(case).join("input.rs");
    folder.write("a.rs", std::fs::read(input).expect("it is in the corpus"));
    let mut command = folder.mcve(&[&["a.rs", "--message-format", "json"], options].concat());
    let events = Said::by(command.env("XDG_CACHE_HOME", folder.path("cache"))).exits(Exit::Done).events();
    let is_cached = std::fs::read_dir(folder.path("cache/mcve")).is_ok_and(|mut entries| entries.next().is_some());
    (folder.read("a_mcve.rs"), events, is_cached)
}

#[test]
fn a_reduction_ends_with_the_same_result_after_as_many_checks() {
    for case in first(1, &["error-cycle", "ice-type-lowering"]) {
        let (served, events, cached) = reduce(case, &["--jobs", "1"]);
        assert!(cached && events.iter().all(|event| event["event"] != "shortcut-closed"));
        let (plain, plain_events, plain_cached) = reduce(case, &["--jobs", "1", "--no-fork-server"]);
        assert_eq!((served, plain_cached), (plain, false));
        let counts = |events: &[Value]| {
            let summary = events.last().expect("there are events");
            ["one_minimal", "checks", "cache_hits"].map(|field| summary[field].clone())
        };
        assert_eq!(counts(&events), counts(&plain_events));
    }
}

#[test]
fn what_cannot_be_cached_is_made_for_the_run() {
    let (place, folder) = (TestFolder::new(), folder());
    let in_the_way = folder.path().join("cache");
    std::fs::write(&in_the_way, "").expect("it can be written");
    let servers = servers(&compiler(), &in_the_way, Memory::default());
    let job = job(&compiler(), "fn main() { x }", &["--emit=metadata"]);
    let result = servers.run_quickly(&job, NEVER, &Cancel::default()).expect("it can be run");
    assert_eq!((result.end, place.quickly(&job, NEVER).end), (End::Exited(1), End::Exited(1)));
    let shortcut = servers.shortcut().expect("there is one");
    assert_eq!((shortcut.was_taken(), shortcut.closed()), (true, None));
}

#[test]
fn why_there_is_no_server_is_shown_to_those_who_want_to_know_everything() {
    let folder = Folder::new(BINARY);
    folder.write("a.rs", "fn main() { x }\n");
    for (option, is_shown) in [("-v", true), ("-q", false)] {
        let stderr = Said::by(folder.mcve(&["a.rs", option]).env("LD_PRELOAD", "")).exits(Exit::Done).stderr;
        let line = "without forks or executors from here on: something else is preloaded";
        assert_eq!(stderr.contains(line), is_shown, "{stderr}");
    }
}
