//! The fork server for scripts with the real rustc: a script notices nothing of it but the time.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use mcve::exec::cancel::Cancel;
use mcve::exec::fork_server::ForkServers;
use mcve::exec::job::{End, Executor, Job, JobResult, Word};
use mcve::exec::limits::Memory;
use mcve::exec::process::Processes;
use mcve::exec::programs;
use mcve::exec::shim::{Calls, Changes};
use mcve::exec::shortcut::Shortcut;
use serde_json::Value;
use tempfile::TempDir;

/// Longer than any test lasts.
const NEVER: Duration = Duration::from_secs(1000);

/// Has a call end with 127 that is not served, as there is nothing then that the stub could become.
const SERVED_ONLY: &str = r#"[ "$RUSTC" = "${RUSTC%served/rustc}" ] || rm "$RUSTC.plain"; "#;

fn compiler() -> PathBuf {
    programs::rustc(None, None).expect("there is a rustc")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// A server for scripts, with a cache of its own.
struct Place {
    servers: ForkServers,
    _cache: TempDir,
}

impl Place {
    fn new() -> Self {
        let (cache, compiler) = (folder(), compiler());
        let processes = Arc::new(Processes::new(Memory::default()).expect("a temporary folder can be made"));
        let calls = Calls { by_name: Some(compiler.clone()), by_variable: true };
        let servers = ForkServers::new(processes, compiler, cache.path().to_owned()).for_scripts(calls, environment());
        Self { servers, _cache: cache }
    }

    fn quickly(&self, script: &str) -> JobResult {
        self.servers.run_quickly(&job(script), NEVER, &Cancel::default()).expect("it can be run")
    }

    fn plainly(&self, script: &str) -> JobResult {
        self.servers.run(&job(script), NEVER, &Cancel::default()).expect("it can be run")
    }

    /// Why there is no server, if there is none.
    fn closed(&self) -> Option<&str> {
        self.servers.shortcut().and_then(Shortcut::closed)
    }

    /// Runs a script both ways, which must end with `end` and say the same.
    #[track_caller]
    fn check(&self, script: &str, end: End) {
        let (quick, plain) = (self.quickly(script), self.plainly(script));
        assert_eq!(told(&quick), told(&plain), "{script}");
        assert_eq!((quick.end, plain.end), (end, end), "{script}: {}", told(&quick).1);
        assert_eq!(self.closed(), None);
    }

    /// The same, and that it is served.
    #[track_caller]
    fn check_served(&self, script: &str, end: End) {
        Self::new().check(&format!("{SERVED_ONLY}{script}"), end);
        self.check(script, end);
    }
}

/// What changes in the environment of scripts.
fn environment() -> Changes {
    let path = std::env::var("PATH").expect("it is set");
    let path = format!("{}:{path}", compiler().parent().expect("it is in a folder").display());
    let rustc = compiler().into_os_string();
    let set = [("PATH", path.into()), ("RUSTC", rustc), ("RUSTC_ICE", "0".into())].map(|(name, to)| (name, Some(to)));
    // What cargo adds for tests, and what has a rustc say what differs each time.
    let unset = ["LD_LIBRARY_PATH", "RUSTUP_TOOLCHAIN", "RUSTC_LOG", "RUST_LOG"].map(|name| (name, None));
    set.into_iter().chain(unset).map(|(name, value)| (name.into(), value)).collect()
}

/// A shell's command line, in a folder with a program that compiles.
fn job(script: &str) -> Job {
    Job {
        files: vec![("a.rs".into(), "pub fn a() {}\n".into())],
        argv: ["bash", "-c", script].map(|word| Word::Text(word.into())).to_vec(),
        env: environment(),
        answer: None,
    }
}

fn told(result: &JobResult) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&result.stdout), text(&result.stderr))
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name)
}

#[test]
fn exit_codes_outputs_and_files_are_those_of_a_rustc() {
    let place = Place::new();
    place.check_served(r#""$RUSTC" --crate-type=lib --emit=metadata a.rs && ls"#, End::Exited(0));
    place.check_served(r#"rustc --crate-type=lib --emit=obj -o 'b c.o' a.rs && ls"#, End::Exited(0));
    place.check_served(r#"echo 'fn main() { x }' >b.rs; rustc b.rs 2>&1 >out; echo $?; ls"#, End::Exited(0));
    place.check_served("rustc --no-such-option", End::Exited(1));
    place.check_served("exec rustc --version", End::Exited(0));
    place.check_served("rustc --print=crate-name a.rs | tr a b", End::Exited(0));
    place.check("rustc-of-nobody", End::Exited(127));
}

#[test]
fn what_a_rustc_has_of_its_script_a_served_one_has() {
    let place = Place::new();
    place.check_served("echo 'fn main() {}' | rustc --crate-name=x --emit=metadata - && ls", End::Exited(0));
    place.check_served("rustc --crate-name=x --emit=metadata - <a.rs", End::Exited(1));
    place.check_served("mkdir d && cd d && rustc --crate-type=lib --emit=metadata ../a.rs && ls", End::Exited(0));
    let asks = r#"echo 'const _: () = assert!(option_env!("X").is_some());' >b.rs; "#;
    let compile = "rustc --crate-type=lib --emit=metadata b.rs 2>out";
    place.check_served(&format!("{asks} X=1 {compile}"), End::Exited(0));
    place.check_served(&format!("{asks} {compile}"), End::Exited(1));
    place.check_served(&format!("{asks} export X=; {compile} && env -i PATH=\"$PATH\" {compile}"), End::Exited(1));
}

#[test]
fn a_crash_is_the_same() {
    let place = Place::new();
    for name in ["ice-mir-statement", "ice-multiple-drop", "ice-type-lowering", "stack-overflow"] {
        let (test, minimal) = (corpus(name).join("test.sh"), corpus(name).join("minimal.rs"));
        place.check_served(&format!("{} {}", test.display(), minimal.display()), End::Exited(0));
    }
    let overflow = corpus("stack-overflow").join("minimal.rs");
    let compile = format!("rustc --edition=2021 --crate-type=lib --emit=metadata {} 2>out", overflow.display());
    place.check_served(&format!("exec {compile}"), place.plainly(&format!("exec {compile}")).end);
}

#[test]
fn limits_of_a_script_hold() {
    let place = Place::new();
    let write = |bytes: &str| format!("echo 'pub static A: [u8; {bytes}] = [1; {bytes}];' >b.rs; ");
    let compile = "rustc --crate-type=lib --emit=metadata b.rs >out 2>&1";
    place.check_served(&format!("{} {compile}", write("1 << 10")), End::Exited(0));
    let large = write("2 << 30");
    place.check_served(&format!("ulimit -d 1000000; {large} {compile}"), End::Exited(1));
    place.check_served(&format!("ulimit -v 2000000; {large} {compile}"), End::Exited(1));
    place.check_served("ulimit -t 100; ulimit -v 8000000; rustc --version", End::Exited(0));
}

#[test]
fn where_something_else_is_asked_for_it_is_not_served() {
    let place = Place::new();
    for script in [
        // It is no proxy, which would know of toolchains.
        "rustc +stable a.rs",
        "LD_LIBRARY_PATH=/nowhere rustc --version",
        "RUSTUP_TOOLCHAIN=other rustc --version",
        "umask 136; rustc --crate-type=lib a.rs && stat -c %A *.rlib",
        "trap '' USR1; rustc --version",
    ] {
        let end = place.plainly(script).end;
        place.check(script, end);
        assert_eq!(Place::new().quickly(&format!("{SERVED_ONLY}{script}")).end, End::Exited(127), "{script}");
    }
}

/// A script that has a rustc read a pipe which nobody writes to, so that it does not end. Whoever opens the pipe for writing
/// waits until it reads.
struct Endless {
    folder: TempDir,
    compile: String,
}

impl Endless {
    fn new() -> Self {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is a mkfifo").success());
        Self { compile: format!("rustc --crate-type=lib --emit=metadata {}", pipe.display()), folder }
    }

    fn writer(&self) -> File {
        File::options().write(true).open(self.folder.path().join("pipe")).expect("it is there")
    }
}

/// Who wrote to a pipe that nobody can read any more would be told.
#[track_caller]
fn nobody_reads(mut writer: File) {
    let ends = || writer.write(b" ").map_err(|error| error.kind()) == Err(ErrorKind::BrokenPipe);
    std::iter::repeat_with(ends).find(|&ends| ends);
}

#[test]
fn what_is_served_ends_with_its_script() {
    let (place, endless, cancel) = (Place::new(), Endless::new(), Cancel::default());
    std::thread::scope(|scope| {
        let check = scope.spawn(|| place.servers.run_quickly(&job(&endless.compile), NEVER, &cancel));
        let writer = endless.writer();
        cancel.cancel();
        assert_eq!(check.join().expect("it does not panic").expect("it can be run").end, End::Cancelled);
        nobody_reads(writer);
    });
    place.check("rustc --version", End::Exited(0));
}

#[test]
fn what_is_served_ends_with_the_stub_that_asked_for_it() {
    let (place, endless) = (Place::new(), Endless::new());
    let script = format!("{SERVED_ONLY} set -m; {} & read _ <go; kill -KILL $!; wait $!; echo $?", endless.compile);
    // It is a folder in which the script finds a pipe that tells it when to go on.
    let go = endless.folder.path().join("go");
    assert!(Command::new("mkfifo").arg(&go).status().expect("there is a mkfifo").success());
    let script = script.replace("<go", &format!("<{}", go.display()));
    std::thread::scope(|scope| {
        let check = scope.spawn(|| place.quickly(&script));
        let writer = endless.writer();
        writeln!(File::options().write(true).open(&go).expect("it is there")).expect("the script reads");
        nobody_reads(writer);
        assert_eq!(told(&check.join().expect("it does not panic")).0, "137\n");
    });
}

#[test]
fn several_are_served_at_once() {
    let (place, endless) = (Place::new(), Endless::new());
    let script = format!("{SERVED_ONLY} {}", endless.compile);
    std::thread::scope(|scope| {
        let check = scope.spawn(|| place.quickly(&script));
        let writer = endless.writer();
        let many = "seq 20 | xargs -P 8 -I {} rustc --crate-type=lib --emit=metadata -o {} a.rs && ls";
        place.check(many, End::Exited(0));
        drop(writer);
        assert_eq!(check.join().expect("it does not panic").end, End::Exited(0));
    });
}

#[test]
fn a_server_that_dies_takes_nothing_with_it_but_its_speed() {
    let place = Place::new();
    // The server is what has the socket open that it listens at, and serves the process that names its parent here.
    let macros = r#"extern crate proc_macro;
        #[proc_macro] pub fn kill(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
            let parent = std::os::unix::process::parent_id().to_string();
            if std::fs::read_to_string(format!("/proc/{parent}/comm")).unwrap() == "rustc\n" {
                std::process::Command::new("kill").args(["-KILL", &parent]).status().unwrap();
                loop {}
            }
            input
        }"#;
    let script = format!(
        "cat >killer.rs <<'END'\n{macros}\nEND\n\
         rustc --crate-type=proc-macro --edition=2021 killer.rs || exit\n\
         echo 'killer::kill!(pub fn b() {{}});' >b.rs\n\
         rustc --crate-type=lib --edition=2021 --emit=metadata --extern=killer=libkiller.so b.rs && ls"
    );
    let quick = place.quickly(&script);
    assert_eq!(quick.end, End::Exited(0), "{}", told(&quick).1);
    assert!(place.closed().is_some_and(|why| why.contains("it does not serve")), "{:?}", place.closed());
    assert_eq!(told(&place.quickly(&script)).0, told(&quick).0);
}

#[test]
fn it_is_taken_where_a_script_calls_the_compiler() {
    let taken = |script: &str| {
        let place = Place::new();
        place.quickly(script);
        (place.servers.shortcut().expect("there is one").was_taken(), place.closed().is_some())
    };
    assert_eq!(taken("rustc --version"), (true, false));
    assert_eq!(taken("true"), (false, false));
    let processes = Arc::new(Processes::new(Memory::default()).expect("a temporary folder can be made"));
    let others =
        ForkServers::new(processes, compiler(), folder().path().to_owned()).for_scripts(Calls::default(), Vec::new());
    assert!(others.shortcut().is_none());
}

/// Reduces the input of a case by its script, and returns the result and the events.
fn reduce(case: &str, test: &Path, options: &[&str]) -> (String, Vec<Value>) {
    let folder = folder();
    let output = folder.path().join("output.rs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
    command
        .arg(corpus(case).join("input.rs"))
        .args(["--message-format", "json", "--no-screen", "--runs", "3", "-o"])
        .arg(&output);
    command.arg("--test").arg(test).args(options).env("XDG_CACHE_HOME", folder.path()).stdin(Stdio::null());
    let run = command.output().expect("the binary runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let events = String::from_utf8(run.stdout).expect("JSON is UTF-8");
    let events = events.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (std::fs::read_to_string(output).expect("there is a result"), events)
}

#[test]
fn a_reduction_ends_with_the_same_result_after_as_many_checks() {
    let closed = |events: &[Value]| events.iter().any(|event| event["event"] == "shortcut-closed");
    let checks = |events: &[Value]| events.iter().filter(|event| event["event"] == "checked").count();
    let test = corpus("error-cycle").join("test.sh");
    let (served, events) = reduce("error-cycle", &test, &["--jobs", "2"]);
    let (plain, plain_events) = reduce("error-cycle", &test, &["--jobs", "1", "--no-fork-server"]);
    assert_eq!((served, checks(&events)), (plain, checks(&plain_events)));
    assert!(!closed(&events));
    // This one has no use for it.
    let (_, events) = reduce("error-cycle", Path::new("grep -q fn \"$1\""), &["--force"]);
    assert!(closed(&events));
}
