//! Names, inputs, scripts and streams that cannot be used, or only nearly not.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use mcve::cli::exit::Exit;
use mcve::output::default_path;

use super::place::{INPUT, MINE, Place, RESULT, TEST, ended, said};

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
