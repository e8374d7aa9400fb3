//! Outputs that are links, devices, pipes or open files.

use std::fs;
use std::os::unix::fs::FileTypeExt;

use mcve::cli::exit::Exit;

use super::place::{INPUT, MINE, Place, RESULT, TEST, ended, said};

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
