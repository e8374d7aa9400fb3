//! Names, inputs, scripts and streams that cannot be used, or only nearly not.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use mcve::cli::exit::Exit;
use mcve_reduce::output::default_path;
use mcve_testing::Said;

use super::checks::{INPUT, MINE, RESULT, TEST, link, make_device, mode, place, reduce, refuse};

#[test]
fn long_names_are_cut_where_they_would_be_too_long() {
    for length in [250, 255] {
        let place = place();
        let name = format!("{}.rs", "x".repeat(length - 3));
        place.write(&name, INPUT);
        place.write("mine", MINE);
        let result = default_path(name.as_ref());
        let result = result.to_str().expect("it is text");
        reduce(&place, &[&name]);
        assert_eq!(place.read(result), RESULT);
        let output = reduce(&place, &["a.rs", "-o", &name[..length - 3]]);
        assert!(!output.stderr.contains("warning"), "there is a journal: {}", output.stderr);
        reduce(&place, &[&name, "--in-place"]);
        assert_eq!(place.read(&name), RESULT);
        assert!(place.names().iter().any(|name| name.ends_with(".orig") && place.read(name) == INPUT));
        let long = "x".repeat(256);
        refuse(&place, &["a.rs", "-o", &long], Exit::Output, "File name too long");
        refuse(&place, &[&long], Exit::Input, "File name too long");
    }
}

#[test]
fn rustc_can_use_any_name() {
    let place = place();
    let name = format!("{}.rs", "x".repeat(247));
    place.write(&name, "fn main() { let a: u8 = \"\"; }\nfn other() {}\n");
    let output = place.run(&[&name], Exit::Done);
    assert!(output.stderr.contains("E0308"), "{}", output.stderr);
}

#[test]
fn an_input_without_an_end_is_refused() {
    let place = place();
    place.make_pipe("endless");
    let path = place.path("endless");
    let writer = std::thread::spawn(move || {
        let mut pipe = fs::File::options().write(true).open(path).expect("somebody reads");
        while pipe.write_all(&[b'x'; 1 << 16]).is_ok() {}
    });
    refuse(&place, &["endless", "-o", "b.rs"], Exit::Input, "endless is too large: it has more than 64 MiB");
    writer.join().expect("it ends when nobody reads");
}

#[test]
fn a_pipe_can_be_the_input_where_an_output_is_named() {
    let place = place();
    let run = |args: &[&str], exit| {
        let mut command = place.mcve(&[args, &["--test", TEST]].concat());
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        child.stdin.take().expect("it is piped").write_all(INPUT.as_bytes()).expect("it reads");
        Said::from(child.wait_with_output().expect("it ends")).exits(exit).stderr
    };
    run(&["/dev/stdin", "-o", "b.rs"], Exit::Done);
    assert_eq!(place.read("b.rs"), RESULT);
    // It cannot be read again, so there is nothing to resume.
    assert!(place.kept().is_empty());
    for args in [&["/dev/stdin"][..], &["/dev/stdin", "--in-place"]] {
        let told = run(args, Exit::Usage);
        assert!(told.contains("no result can be written beside"), "{told}");
    }
    assert_eq!(place.names(), ["a.rs", "b.rs"]);
}

#[test]
fn a_named_pipe_is_read_once() {
    let place = place();
    place.make_pipe("pipe");
    for args in [&["pipe", "-o", "b.rs"][..], &["repair", "pipe", "-o", "b.rs"]] {
        let path = place.path("pipe");
        let writer = std::thread::spawn(move || fs::write(path, "fn main() { let a: u8 = \"\"; }\n"));
        place.run(args, Exit::Done);
        writer.join().expect("it ends").expect("somebody reads");
        assert_eq!(mode(&place, "b.rs") & 0o111, 0);
    }
}

#[test]
fn events_that_cannot_be_written_are_told_at_the_start() {
    let place = place();
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else { return };
    let mut command = place.mcve(&["a.rs", "--message-format", "json", "--test", TEST]);
    let said = Said::by(command.stdout(full)).exits(Exit::Output);
    said.says(&["cannot write events to standard output: No space left on device"]);
    assert_eq!(place.names(), ["a.rs"]);
}

#[test]
fn events_that_nobody_reads_end_no_run() {
    let place = place();
    let mut command = place.mcve(&["a.rs", "--message-format", "json", "--test", TEST]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut byte = [0];
    child.stdout.take().expect("it is piped").read_exact(&mut byte).expect("there are events");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(place.read("a_mcve.rs"), RESULT);
}

#[test]
fn a_missing_script_is_no_line_for_the_shell() {
    let place = place();
    refuse(&place, &["a.rs", "--test", "./missing.sh"], Exit::Check, "there is no `");
    refuse(&place, &["a.rs", "--test", "no/missing"], Exit::Check, "there is no `");
    reduce(&place, &["a.rs"]);
}

#[test]
fn what_cannot_be_written_is_told_before_the_work() {
    let place = place();
    refuse(&place, &["a.rs", "-o", "no/b.rs"], Exit::Output, "cannot write no/b.rs: there is no folder no");
    refuse(&place, &["a.rs", "-o", "tmp"], Exit::Output, "tmp is a directory; name the file to write");
    refuse(&place, &["a.rs", "-o", "new/"], Exit::Output, "new/ is a directory; name the file to write");
    link(&place, "loop", "loop");
    refuse(&place, &["a.rs", "-o", "loop"], Exit::Output, "cannot write loop");
}

/// What came with somebody else's files and is no file: a run would wait for a reader, or write to the machine.
#[test]
fn what_is_no_file_in_the_place_of_the_default_result_is_refused_at_once() {
    let place = place();
    place.make_pipe("a_mcve.rs");
    refuse(
        &place,
        &["a.rs"],
        Exit::Output,
        "a_mcve.rs is a pipe or a device, which mcve writes to only if you name it",
    );
    std::fs::remove_file(place.path("a_mcve.rs")).expect("it is there");
    let _socket = std::os::unix::net::UnixListener::bind(place.path("a_mcve.rs")).expect("it can be made");
    refuse(&place, &["a.rs"], Exit::Output, "is a socket");
    std::fs::remove_file(place.path("a_mcve.rs")).expect("it is there");
    if make_device(&place, "a_mcve.rs", "3") {
        refuse(&place, &["a.rs"], Exit::Output, "a_mcve.rs is a pipe or a device");
        std::fs::remove_file(place.path("a_mcve.rs")).expect("it is there");
    }
    std::fs::create_dir(place.path("finds")).expect("it can be made");
    place.make_pipe("finds/finds.json");
    let args = ["a.rs", "--finds", "finds"];
    place.run(&args, Exit::Output).says(&["cannot keep finds in finds: it is no regular file"]);
}

#[test]
fn standard_output_that_is_closed_is_refused_at_once() {
    let place = place();
    for args in [&["a.rs", "-o", "-"][..], &["a.rs", "-o", "/dev/stdout"], &["repair", "a.rs", "-o", "-"]] {
        let words = [args, &["--test", TEST]].concat();
        for closed in [">&-", "1< a.rs"] {
            let line = format!("exec \"$0\" \"$@\" {closed}");
            let mut command = place.command("sh");
            command.args(["-c", &line]).arg(env!("CARGO_BIN_EXE_mcve")).args(&words);
            Said::by(&mut command).exits(Exit::Output).says(&["standard output is closed"]);
        }
    }
    assert_eq!(place.names(), ["a.rs"]);
}
