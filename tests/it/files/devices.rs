//! Outputs that are links, devices, pipes or open files.

use std::fs;
use std::os::unix::fs::FileTypeExt;

use mcve::cli::exit::Exit;
use mcve_testing::Said;

use super::checks::{INPUT, MINE, RESULT, TEST, is_link, link, make_device, place, reduce, refuse};

#[test]
fn a_device_is_written_to_and_stays() {
    let place = place();
    if !make_device(&place, "null", "3") {
        return;
    }
    let output = reduce(&place, &["a.rs", "-o", "null"]);
    assert!(fs::metadata(place.path("null")).expect("it is there").file_type().is_char_device());
    assert!(!output.stderr.contains("mcve resume"), "{}", output.stderr);
    assert_eq!(place.names(), ["a.rs", "null"]);
    place.run(&["generate", "--size", "1", "--choices", "null"], Exit::Done);
    place.run(&["repair", "a.rs", "-o", "null", "--test", TEST], Exit::Done);
    assert!(fs::metadata(place.path("null")).expect("it is there").file_type().is_char_device());
}

#[test]
fn what_a_device_does_not_take_is_not_lost() {
    let place = place();
    if !make_device(&place, "full", "7") {
        return;
    }
    place.write("a_mcve.rs", MINE);
    let output = place.run(&["a.rs", "-o", "full", "--test", TEST], Exit::Output);
    assert!(output.stderr.contains("full: No space left on device"), "{}", output.stderr);
    assert!(output.stderr.contains("the result is in a_mcve.rs"), "{}", output.stderr);
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, MINE));
    let output = place.run(&["repair", "a.rs", "-o", "full", "--test", TEST], Exit::Output);
    assert!(output.stdout.contains("+++"), "the patch is told");
}

#[test]
fn standard_output_that_is_full_loses_nothing() {
    let place = place();
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else { return };
    let said = Said::by(place.mcve(&["a.rs", "-o", "-", "--test", TEST]).stdout(full));
    said.exits(Exit::Output).says(&["the result is in a_mcve.rs"]);
    assert_eq!(place.read("a_mcve.rs"), RESULT);
}

#[test]
fn a_pipe_gets_the_result_and_stays() {
    let place = place();
    place.make_pipe("pipe");
    let path = place.path("pipe");
    // It is opened by the reader only when the run writes.
    let reader = std::thread::spawn(move || fs::read_to_string(path).expect("it is text"));
    reduce(&place, &["a.rs", "-o", "pipe"]);
    assert_eq!(reader.join().expect("it ends"), RESULT);
    assert!(fs::metadata(place.path("pipe")).expect("it is there").file_type().is_fifo());
    assert_eq!(place.names(), ["a.rs", "pipe"]);
}

#[test]
fn a_link_to_standard_output_is_standard_output() {
    let place = place();
    link(&place, "out", "/dev/fd/1");
    let output = reduce(&place, &["a.rs", "-q", "-o", "out"]);
    assert_eq!(output.stdout, RESULT);
    assert!(is_link(&place, "out"));
    refuse(&place, &["a.rs", "-o", "out", "--message-format", "json"], Exit::Usage, "both want standard output");
}

#[test]
fn an_open_file_is_written_to_at_its_end() {
    let place = place();
    link(&place, "err", "/dev/fd/2");
    place.write("log", "before\n");
    let log = fs::File::options().append(true).open(place.path("log")).expect("it is there");
    let status = place.mcve(&["a.rs", "-q", "-o", "err", "--test", TEST]).stderr(log).status();
    assert!(status.expect("the binary runs").success());
    assert_eq!(place.read("log"), format!("before\n{RESULT}"));
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_written() {
    let place = place();
    fs::create_dir(place.path("deep")).expect("it can be made");
    link(&place, "out.rs", "deep/b.rs");
    for _ in 0..2 {
        reduce(&place, &["a.rs", "-o", "out.rs"]);
        assert!(is_link(&place, "out.rs") && !is_link(&place, "deep/b.rs"));
        assert_eq!(place.read("deep/b.rs"), RESULT);
    }
    assert_eq!(place.names(), ["a.rs", "deep", "out.rs"]);
    assert_eq!(fs::read_dir(place.path("deep")).expect("it is there").count(), 1);
}

#[test]
fn in_place_a_link_stays_and_the_original_is_kept() {
    let place = place();
    link(&place, "l.rs", "a.rs");
    reduce(&place, &["l.rs", "--in-place"]);
    assert!(is_link(&place, "l.rs") && !is_link(&place, "a.rs"));
    assert_eq!((&*place.read("a.rs"), &*place.read("l.rs.orig")), (RESULT, INPUT));
    assert_eq!(place.names(), ["a.rs", "l.rs", "l.rs.orig"]);
}

#[test]
fn the_original_is_not_written_through_a_link_to_nowhere() {
    let place = place();
    link(&place, "a.rs.orig", "nowhere");
    refuse(
        &place,
        &["a.rs", "--in-place", "--test", TEST],
        Exit::Output,
        "a.rs.orig is there already and leads nowhere",
    );
    assert_eq!(place.read("a.rs"), INPUT);
}

#[test]
fn the_first_interrupt_ends_a_run_whose_pipe_nobody_reads() {
    let place = place();
    place.make_pipe("pipe");
    let run = place.start(&["a.rs", "-o", "pipe", "--message-format", "json", "--test", TEST]);
    let mut run = run;
    run.wait_for("gained", 1);
    run.interrupt();
    assert!(place.read("a_mcve.rs").contains("needle"));
    assert_eq!(place.names(), ["a.rs", "a_mcve.rs", "pipe"]);
}
