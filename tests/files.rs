//! What is done to the files that a command line names, through the real binary: links, devices, pipes, and what somebody wrote.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use mcve::output::default_path;
use mcve::state::lock::OutputLock;
use tempfile::TempDir;

const INPUT: &str =
    "mod m {\n    pub fn needle(x: u8) -> u8 {\n        x + 1\n    }\n}\n\nfn main() {\n    println!();\n}\n";

const RESULT: &str = "fn needle() {}\n";

/// What somebody wrote.
const MINE: &str = "fn my_work() {}\n";

const TEST: &str = "grep -q needle $1";

/// A folder with a program `a.rs`, in which the command runs.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a folder can be made") };
        fs::create_dir(place.path("tmp")).expect("a folder can be made");
        place.write("a.rs", INPUT);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("it can be written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it is there")
    }

    fn link(&self, name: &str, to: &str) {
        symlink(to, self.path(name)).expect("it can be made");
    }

    fn is_link(&self, name: &str) -> bool {
        self.path(name).is_symlink()
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).expect("it is there").permissions().mode() & 0o777
    }

    fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), PermissionsExt::from_mode(mode)).expect("it is ours");
    }

    fn pipe(&self, name: &str) {
        assert!(self.runs("mkfifo", &[name]));
    }

    /// Makes a device of the test's own. Nobody but root can: then there is none, and the test has nothing to say.
    fn device(&self, name: &str, minor: &str) -> bool {
        let made = self.runs("mknod", &[name, "c", "1", minor]);
        if !made {
            eprintln!("only root can make devices: nothing is tested");
        }
        made
    }

    fn runs(&self, program: &str, args: &[&str]) -> bool {
        let output = Command::new(program).args(args).current_dir(self.folder.path()).output();
        output.is_ok_and(|output| output.status.success())
    }

    /// The names in the folder, but for the temporary folder.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("it is there");
        let names = entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name != "tmp").collect();
        names.sort();
        names
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn run(&self, args: &[&str], exit: Exit) -> Output {
        ended(self.command(args).output().expect("the binary runs"), exit)
    }

    /// Reduces with the test of the needle.
    #[track_caller]
    fn reduce(&self, args: &[&str]) -> Output {
        self.run(&[args, &["--test", TEST]].concat(), Exit::Done)
    }

    /// Checks that a run is refused, what is said then, and that nothing was run or written.
    #[track_caller]
    fn refused(&self, args: &[&str], exit: Exit, why: &str) {
        let before = self.names();
        let args =
            if args.contains(&"--test") { args.to_vec() } else { [args, &["--test", "touch $PLACE/ran"]].concat() };
        let output = self.command(&args).env("PLACE", self.path("")).output().expect("the binary runs");
        let stderr = said(&ended(output, exit));
        assert!(stderr.contains(why), "{stderr}");
        assert_eq!(self.names(), before);
    }
}

#[track_caller]
fn ended(output: Output, exit: Exit) -> Output {
    assert_eq!(output.status.code(), Some(exit.code().into()), "{}", said(&output));
    assert!(!said(&output).contains("panicked"), "{}", said(&output));
    output
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_device_is_written_to_and_stays() {
    let place = Place::new();
    if !place.device("null", "3") {
        return;
    }
    let output = place.reduce(&["a.rs", "-o", "null"]);
    assert!(fs::metadata(place.path("null")).expect("it is there").file_type().is_char_device());
    assert!(!said(&output).contains("mcve resume"), "{}", said(&output));
    assert_eq!(place.names(), ["a.rs", "null"]);
    place.run(&["generate", "--size", "1", "--choices", "null"], Exit::Done);
    place.run(&["repair", "a.rs", "-o", "null", "--test", TEST], Exit::Done);
    assert!(fs::metadata(place.path("null")).expect("it is there").file_type().is_char_device());
}

#[test]
fn what_a_device_does_not_take_is_not_lost() {
    let place = Place::new();
    if !place.device("full", "7") {
        return;
    }
    place.write("a_mcve.rs", MINE);
    let output = place.run(&["a.rs", "-o", "full", "--test", TEST], Exit::Output);
    assert!(said(&output).contains("full: No space left on device"), "{}", said(&output));
    assert!(said(&output).contains("the result is in a_mcve.rs"), "{}", said(&output));
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, MINE));
    let output = place.run(&["repair", "a.rs", "-o", "full", "--test", TEST], Exit::Output);
    assert!(String::from_utf8_lossy(&output.stdout).contains("+++"), "the patch is told");
}

#[test]
fn standard_output_that_is_full_loses_nothing() {
    let place = Place::new();
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else { return };
    let output = place.command(&["a.rs", "-o", "-", "--test", TEST]).stdout(full).output().expect("the binary runs");
    assert!(said(&ended(output, Exit::Output)).contains("the result is in a_mcve.rs"));
    assert_eq!(place.read("a_mcve.rs"), RESULT);
}

#[test]
fn a_pipe_gets_the_result_and_stays() {
    let place = Place::new();
    place.pipe("pipe");
    let path = place.path("pipe");
    // It is opened by the reader only when the run writes.
    let reader = std::thread::spawn(move || fs::read_to_string(path).expect("it is text"));
    place.reduce(&["a.rs", "-o", "pipe"]);
    assert_eq!(reader.join().expect("it ends"), RESULT);
    assert!(fs::metadata(place.path("pipe")).expect("it is there").file_type().is_fifo());
    assert_eq!(place.names(), ["a.rs", "pipe"]);
}

#[test]
fn a_link_to_standard_output_is_standard_output() {
    let place = Place::new();
    place.link("out", "/dev/fd/1");
    let output = place.reduce(&["a.rs", "-q", "-o", "out"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), RESULT);
    assert!(place.is_link("out"));
    place.refused(&["a.rs", "-o", "out", "--message-format", "json"], Exit::Usage, "both want standard output");
}

#[test]
fn an_open_file_is_written_to_at_its_end() {
    let place = Place::new();
    place.link("err", "/dev/fd/2");
    place.write("log", "before\n");
    let log = fs::File::options().append(true).open(place.path("log")).expect("it is there");
    let status = place.command(&["a.rs", "-q", "-o", "err", "--test", TEST]).stderr(log).status();
    assert!(status.expect("the binary runs").success());
    assert_eq!(place.read("log"), format!("before\n{RESULT}"));
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_written() {
    let place = Place::new();
    fs::create_dir(place.path("deep")).expect("it can be made");
    place.link("out.rs", "deep/b.rs");
    for _ in 0..2 {
        place.reduce(&["a.rs", "-o", "out.rs"]);
        assert!(place.is_link("out.rs") && !place.is_link("deep/b.rs"));
        assert_eq!(place.read("deep/b.rs"), RESULT);
    }
    assert_eq!(place.names(), ["a.rs", "deep", "out.rs"]);
    assert_eq!(fs::read_dir(place.path("deep")).expect("it is there").count(), 1);
}

#[test]
fn in_place_a_link_stays_and_the_original_is_kept() {
    let place = Place::new();
    place.link("l.rs", "a.rs");
    place.reduce(&["l.rs", "--in-place"]);
    assert!(place.is_link("l.rs") && !place.is_link("a.rs"));
    assert_eq!((&*place.read("a.rs"), &*place.read("l.rs.orig")), (RESULT, INPUT));
    assert_eq!(place.names(), ["a.rs", "l.rs", "l.rs.orig"]);
}

#[test]
fn the_original_is_not_written_through_a_link_to_nowhere() {
    let place = Place::new();
    place.link("a.rs.orig", "nowhere");
    place.refused(
        &["a.rs", "--in-place", "--test", TEST],
        Exit::Output,
        "a.rs.orig is there already and leads nowhere",
    );
    assert_eq!(place.read("a.rs"), INPUT);
}

#[test]
fn what_somebody_wrote_is_kept_and_what_mcve_wrote_is_not() {
    let place = Place::new();
    for _ in 0..2 {
        assert!(!said(&place.reduce(&["a.rs"])).contains("warning"));
        assert_eq!(place.names(), ["a.rs", "a_mcve.rs"]);
    }
    place.write("a_mcve.rs", MINE);
    let output = place.reduce(&["a.rs"]);
    let why = "warning: a_mcve.rs holds what mcve did not write: a copy is kept as a_mcve.rs.orig\n";
    assert!(said(&output).contains(why), "{}", said(&output));
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, MINE));
    place.write("a_mcve.rs", "fn more() {}");
    place.reduce(&["a.rs"]);
    assert_eq!(place.read("a_mcve.rs.orig.1"), "fn more() {}");
    place.write("a_mcve.rs", MINE);
    assert!(!said(&place.reduce(&["a.rs"])).contains("warning"), "it is kept already");
    assert_eq!(place.names(), ["a.rs", "a_mcve.rs", "a_mcve.rs.orig", "a_mcve.rs.orig.1"]);
}

#[test]
fn what_somebody_writes_during_a_run_is_kept() {
    let place = Place::new();
    // The first candidate that fails is written by the time that the next one is checked.
    let test = "grep -q needle $1 || exit 1; grep -q main $1 || [ -e $PLACE/x ] || { echo mine > $PLACE/a_mcve.rs; touch $PLACE/x; }";
    let mut command = place.command(&["a.rs", "--jobs", "1", "--test", test]);
    let output = ended(command.env("PLACE", place.path("")).output().expect("the binary runs"), Exit::Done);
    assert!(said(&output).contains("a copy is kept as a_mcve.rs.orig"), "{}", said(&output));
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, "mine\n"));
}

#[test]
fn every_command_keeps_what_somebody_wrote() {
    let place = Place::new();
    fs::create_dir(place.path("parts")).expect("it can be made");
    place.write("good.rs", "fn main() {}\n");
    for (args, file) in [
        (&["generate", "--size", "1", "--choices", "b"][..], "b"),
        (&["repair", "a.rs", "-o", "c", "--test", TEST], "c"),
        (&["isolate", "a.rs", "-o", "parts", "--test", TEST], "parts/fail.rs"),
        (&["changes", "good.rs", "a.rs", "-o", "d", "--test", "grep -q needle *.rs"], "d"),
    ] {
        place.write(file, MINE);
        for warns in [true, false] {
            let output = place.run(args, Exit::Done);
            assert_eq!(said(&output).contains(&format!("kept as {file}.orig")), warns, "{}", said(&output));
        }
        assert_ne!(place.read(file), MINE);
        assert_eq!(place.read(&format!("{file}.orig")), MINE);
    }
}

#[test]
fn fuzzing_keeps_what_somebody_wrote() {
    let place = Place::new();
    fs::create_dir(place.path("finds")).expect("it can be made");
    place.write("finds/seed-0.rs", MINE);
    let args = ["fuzz", "--seeds", "0..1", "--size", "1", "--test", "true", "-o", "finds"];
    let output = place.run(&args, Exit::Done);
    assert!(said(&output).contains("kept as finds/seed-0.rs.orig"), "{}", said(&output));
    assert_eq!(place.read("finds/seed-0.rs.orig"), MINE);
}

#[test]
fn what_is_too_large_to_be_a_result_is_not_copied() {
    let place = Place::new();
    let large = fs::File::create(place.path("large")).expect("it can be made");
    large.set_len(1 << 40).expect("it takes no room");
    let output = place.run(&["a.rs", "-o", "large", "--test", TEST], Exit::Output);
    assert!(said(&output).contains("cannot keep a copy of large"), "{}", said(&output));
    assert_eq!(large.metadata().expect("it is open").len(), 1 << 40);
}

#[test]
fn a_run_of_the_same_output_is_refused_whatever_it_is_called() {
    let place = Place::new();
    place.link("link.rs", "a_mcve.rs");
    fs::create_dir(place.path("deep")).expect("it can be made");
    let real = fs::canonicalize(place.folder.path()).expect("it is there").join("a_mcve.rs");
    let lock = OutputLock::take(&real).expect("nobody has it");
    assert!(lock.is_some());
    for args in [
        &["a.rs"][..],
        &["a.rs", "--state", "known"],
        &["a.rs", "-o", "./deep/../a_mcve.rs", "--state", "other"],
        &["a.rs", "-o", "link.rs"],
    ] {
        place.refused(args, Exit::Output, "another run is writing");
    }
    drop(lock);
    place.reduce(&["a.rs", "--state", "known"]);
    assert_eq!(place.names(), ["a.rs", "a_mcve.rs", "deep", "known", "link.rs"]);
}

#[test]
fn long_names_are_cut_where_they_would_be_too_long() {
    for length in [250, 255] {
        let place = Place::new();
        let name = format!("{}.rs", "x".repeat(length - 3));
        place.write(&name, INPUT);
        place.write("mine", MINE);
        let result = default_path(name.as_ref());
        let result = result.to_str().expect("it is text");
        place.reduce(&[&name]);
        assert_eq!(place.read(result), RESULT);
        let output = place.reduce(&["a.rs", "-o", &name[..length - 3]]);
        assert!(!said(&output).contains("warning"), "there is a journal: {}", said(&output));
        place.reduce(&[&name, "--in-place"]);
        assert_eq!(place.read(&name), RESULT);
        assert!(place.names().iter().any(|name| name.ends_with(".orig") && place.read(name) == INPUT));
        let long = "x".repeat(256);
        place.refused(&["a.rs", "-o", &long], Exit::Output, "File name too long");
        place.refused(&[&long], Exit::Input, "File name too long");
    }
}

#[test]
fn rustc_can_use_any_name() {
    let place = Place::new();
    let name = format!("{}.rs", "x".repeat(247));
    place.write(&name, "fn main() { let a: u8 = \"\"; }\nfn other() {}\n");
    let output = place.run(&[&name], Exit::Done);
    assert!(said(&output).contains("E0308"), "{}", said(&output));
}

#[test]
fn an_input_without_an_end_is_refused() {
    let place = Place::new();
    place.pipe("endless");
    let path = place.path("endless");
    let writer = std::thread::spawn(move || {
        let mut pipe = fs::File::options().write(true).open(path).expect("somebody reads");
        while pipe.write_all(&[b'x'; 1 << 16]).is_ok() {}
    });
    place.refused(&["endless", "-o", "b.rs"], Exit::Input, "endless is too large: it has more than 64 MiB");
    writer.join().expect("it ends when nobody reads");
}

#[test]
fn a_pipe_can_be_the_input_where_an_output_is_named() {
    let place = Place::new();
    let run = |args: &[&str], exit| {
        let mut command = place.command(&[args, &["--test", TEST]].concat());
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        child.stdin.take().expect("it is piped").write_all(INPUT.as_bytes()).expect("it reads");
        said(&ended(child.wait_with_output().expect("it ends"), exit))
    };
    run(&["/dev/stdin", "-o", "b.rs"], Exit::Done);
    assert_eq!(place.read("b.rs"), RESULT);
    // It cannot be read again, so there is nothing to resume.
    run(&["/dev/stdin", "-o", "b.rs", "--state", "known"], Exit::Done);
    for args in [&["/dev/stdin"][..], &["/dev/stdin", "--in-place"]] {
        let told = run(args, Exit::Usage);
        assert!(told.contains("is no file that a result can stand beside: name one with -o"), "{told}");
    }
    assert_eq!(place.names(), ["a.rs", "b.rs"]);
}

#[test]
fn a_named_pipe_is_read_once() {
    let place = Place::new();
    place.pipe("pipe");
    for args in [&["pipe", "-o", "b.rs"][..], &["repair", "pipe", "-o", "b.rs"]] {
        let path = place.path("pipe");
        let writer = std::thread::spawn(move || fs::write(path, "fn main() { let a: u8 = \"\"; }\n"));
        place.run(args, Exit::Done);
        writer.join().expect("it ends").expect("somebody reads");
        assert_eq!(place.mode("b.rs") & 0o111, 0);
    }
}

#[test]
fn events_that_cannot_be_written_are_told_at_the_start() {
    let place = Place::new();
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else { return };
    let mut command = place.command(&["a.rs", "--message-format", "json", "--test", TEST]);
    let output = command.stdout(full).output().expect("the binary runs");
    let told = said(&ended(output, Exit::Output));
    assert!(told.contains("cannot write events to standard output: No space left on device"), "{told}");
    assert_eq!(place.names(), ["a.rs"]);
}

#[test]
fn events_that_nobody_reads_end_no_run() {
    let place = Place::new();
    let mut command = place.command(&["a.rs", "--message-format", "json", "--test", TEST]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut byte = [0];
    child.stdout.take().expect("it is piped").read_exact(&mut byte).expect("there are events");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(place.read("a_mcve.rs"), RESULT);
}

#[test]
fn a_missing_script_is_no_line_for_the_shell() {
    let place = Place::new();
    place.refused(&["a.rs", "--test", "./missing.sh"], Exit::Check, "there is no `");
    place.refused(&["a.rs", "--test", "no/missing"], Exit::Check, "there is no `");
    place.reduce(&["a.rs"]);
}

#[test]
fn what_cannot_be_written_is_told_before_the_work() {
    let place = Place::new();
    place.refused(&["a.rs", "-o", "no/b.rs"], Exit::Output, "cannot write no/b.rs: there is no folder no");
    place.refused(&["a.rs", "-o", "tmp"], Exit::Output, "tmp is a directory; name the file to write");
    place.refused(&["a.rs", "-o", "new/"], Exit::Output, "new/ is a directory; name the file to write");
    place.link("loop", "loop");
    place.refused(&["a.rs", "-o", "loop"], Exit::Output, "cannot write loop");
}

#[test]
fn results_and_copies_have_the_permissions_of_what_they_are_made_of() {
    let place = Place::new();
    place.set_mode("a.rs", 0o640);
    place.write("a_mcve.rs", MINE);
    place.set_mode("a_mcve.rs", 0o600);
    place.reduce(&["a.rs"]);
    assert_eq!((place.mode("a_mcve.rs"), place.mode("a_mcve.rs.orig")), (0o640, 0o600));
    place.reduce(&["a.rs", "--in-place"]);
    assert_eq!((place.mode("a.rs"), place.mode("a.rs.orig")), (0o640, 0o640));
}

#[test]
fn a_new_file_is_as_open_as_the_umask_allows() {
    let place = Place::new();
    for (umask, mode) in [("077", 0o600), ("002", 0o664)] {
        let line = format!("umask {umask} && exec \"$0\" generate --size 1 --choices {umask}");
        assert!(place.runs("sh", &["-c", &line, env!("CARGO_BIN_EXE_mcve")]));
        assert_eq!(place.mode(umask), mode);
    }
}
