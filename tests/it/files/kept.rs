//! What somebody wrote, who may read it, and that two runs do not write the same.

use std::fs;

use mcve::cli::exit::Exit;
use mcve_reduce::state::lock::OutputLock;
use mcve_reduce::state::place::StateFolder;
use mcve_testing::Said;

use super::checks::{MINE, RESULT, TEST, link, mode, place, reduce, refuse, set_mode};

#[test]
fn what_somebody_wrote_is_kept_and_what_mcve_wrote_is_not() {
    let place = place();
    for _ in 0..2 {
        assert!(!reduce(&place, &["a.rs"]).stderr.contains("warning"));
        assert_eq!(place.names(), ["a.rs", "a_mcve.rs"]);
    }
    place.write("a_mcve.rs", MINE);
    let output = reduce(&place, &["a.rs"]);
    let why = "warning: a_mcve.rs holds what mcve did not write: a copy is kept as a_mcve.rs.orig\n";
    assert!(output.stderr.contains(why), "{}", output.stderr);
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, MINE));
    place.write("a_mcve.rs", "fn more() {}");
    reduce(&place, &["a.rs"]);
    assert_eq!(place.read("a_mcve.rs.orig.1"), "fn more() {}");
    place.write("a_mcve.rs", MINE);
    assert!(!reduce(&place, &["a.rs"]).stderr.contains("warning"), "it is kept already");
    assert_eq!(place.names(), ["a.rs", "a_mcve.rs", "a_mcve.rs.orig", "a_mcve.rs.orig.1"]);
}

#[test]
fn what_somebody_writes_during_a_run_is_kept() {
    let place = place();
    // The first candidate that fails is written by the time that the next one is checked.
    let test = "grep -q needle $1 || exit 1; grep -q main $1 || [ -e $PLACE/x ] || { echo mine > $PLACE/a_mcve.rs; touch $PLACE/x; }";
    let output = place.run(&["a.rs", "--jobs", "1", "--writable", ".", "--test", test], Exit::Done);
    assert!(output.stderr.contains("a copy is kept as a_mcve.rs.orig"), "{}", output.stderr);
    assert_eq!((&*place.read("a_mcve.rs"), &*place.read("a_mcve.rs.orig")), (RESULT, "mine\n"));
}

#[test]
fn every_command_keeps_what_somebody_wrote() {
    let place = place();
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
            assert_eq!(output.stderr.contains(&format!("kept as {file}.orig")), warns, "{}", output.stderr);
        }
        assert_ne!(place.read(file), MINE);
        assert_eq!(place.read(format!("{file}.orig")), MINE);
    }
}

#[test]
fn fuzzing_keeps_what_somebody_wrote() {
    let place = place();
    fs::create_dir(place.path("finds")).expect("it can be made");
    place.write("finds/seed-0.rs", MINE);
    // It does not show the failure, so it is no result of an earlier run.
    let test = format!("! grep -qF '{}' $1", MINE.trim());
    let args = ["fuzz", "--seeds", "0..1", "--size", "1", "--test", &test, "-o", "finds"];
    let output = place.run(&args, Exit::Done);
    assert!(output.stderr.contains("kept as finds/seed-0.rs.orig"), "{}", output.stderr);
    assert_eq!(place.read("finds/seed-0.rs.orig"), MINE);
}

#[test]
fn what_is_too_large_to_be_a_result_is_not_copied() {
    let place = place();
    let large = fs::File::create(place.path("large")).expect("it can be made");
    large.set_len(1 << 40).expect("it takes no room");
    let output = place.run(&["a.rs", "-o", "large", "--test", TEST], Exit::Output);
    assert!(output.stderr.contains("cannot keep a copy of large"), "{}", output.stderr);
    assert_eq!(large.metadata().expect("it is open").len(), 1 << 40);
}

#[test]
fn a_run_of_the_same_output_is_refused_whatever_it_is_called() {
    let place = place();
    link(&place, "link.rs", "a_mcve.rs");
    fs::create_dir(place.path("deep")).expect("it can be made");
    let real = fs::canonicalize(place.root()).expect("it is there").join("a_mcve.rs");
    let state = StateFolder::at(place.path("state/mcve")).expect("it can be made");
    let lock = OutputLock::take_in(&state, &real).expect("nobody has it");
    assert!(lock.is_some());
    for args in [&["a.rs"][..], &["a.rs", "-o", "./deep/../a_mcve.rs"], &["a.rs", "-o", "link.rs"]] {
        refuse(&place, args, Exit::Output, "another run is writing");
    }
    drop(lock);
    reduce(&place, &["a.rs"]);
    assert_eq!(place.names(), ["a.rs", "a_mcve.rs", "deep", "link.rs"]);
}

#[test]
fn results_and_copies_have_the_permissions_of_what_they_are_made_of() {
    let place = place();
    set_mode(&place, "a.rs", 0o640);
    place.write("a_mcve.rs", MINE);
    set_mode(&place, "a_mcve.rs", 0o600);
    reduce(&place, &["a.rs"]);
    assert_eq!((mode(&place, "a_mcve.rs"), mode(&place, "a_mcve.rs.orig")), (0o640, 0o600));
    reduce(&place, &["a.rs", "--in-place"]);
    assert_eq!((mode(&place, "a.rs"), mode(&place, "a.rs.orig")), (0o640, 0o640));
}

#[test]
fn a_new_file_is_as_open_as_the_umask_allows() {
    let place = place();
    for (umask, expected) in [("077", 0o600), ("002", 0o664)] {
        let before = format!("umask {umask}");
        Said::by(&mut place.mcve_after(&before, &["generate", "--size", "1", "--choices", umask])).exits(Exit::Done);
        assert_eq!(mode(&place, umask), expected);
    }
}
