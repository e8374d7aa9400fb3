//! Folders of any files.

use std::os::unix::fs::symlink;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, names};

use super::place::place;

const FILES: [(&str, &str); 5] = [
    ("p/Cargo.toml", "[package]\nname = \"p\"\n\n[dependencies]\nneedle = \"1\"\nother = \"2\"\n"),
    ("p/src/lib.rs", "mod a;\npub fn f() -> u8 { a::g() + 1 }\n"),
    ("p/src/a.rs", "pub fn g() -> u8 { let thread = 3; thread }\npub fn h() {}\n"),
    ("p/notes/long.txt", "one\ntwo\nthree\n"),
    ("p/target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
];

#[test]
fn a_folder_is_reduced_as_a_folder() {
    let place = place(&FILES);
    symlink("src/a.rs", place.path("p/link")).expect("it can be made");
    let test = "grep -q needle Cargo.toml && grep -q thread src/a.rs";
    let said = place.run(&["p", "--test", test], Exit::Done);
    assert_eq!(names(&place.path("p_mcve")), ["Cargo.toml", "src"]);
    assert_eq!(place.read("p_mcve/Cargo.toml").lines().count(), 1);
    assert!(place.read("p_mcve/src/a.rs").split_whitespace().count() < 8, "{}", place.read("p_mcve/src/a.rs"));
    assert_eq!(place.read("p/src/a.rs"), FILES[2].1);
    let line = said.see_it().expect("a command is printed");
    let by_hand = Said::by(place.command("sh").args(["-c", line]));
    assert!(by_hand.is_success(), "{line}: {}", by_hand.all());
}

#[test]
fn the_last_file_of_a_folder_keeps_its_name() {
    let place = place(&FILES);
    place.run(&["./p/", "--test", "grep -q two notes/long.txt"], Exit::Done);
    assert_eq!(names(&place.path("p_mcve")), ["notes"]);
    assert_eq!(place.read("p_mcve/notes/long.txt").trim(), "two");
}

#[test]
fn a_folder_needs_somebody_who_judges_it() {
    let place = place(&FILES);
    place.run(&["p"], Exit::Input).says(&["p is the folder of a package: `cargo mcve` in it"]);
    place.write("plain/a.txt", "one");
    place.run(&["plain"], Exit::Input).says(&["plain is a directory: name the Rust file in it, or say by --test"]);
    std::fs::create_dir(place.path("empty")).expect("it can be made");
    let said = place.run(&["empty", "--test", "true"], Exit::Input);
    assert!(said.stderr.contains("empty has no files"), "{}", said.stderr);
}

#[test]
fn a_command_of_a_folder_is_shown_to_run_in_it() {
    let place = place(&FILES);
    let said = place.run(&["p", "--stdout", "needle", "--", "cat", "Cargo.toml"], Exit::Done);
    let line = said.see_it().expect("a command is printed");
    assert_eq!(line, "(cd p_mcve && cat Cargo.toml)");
    let by_hand = Said::by(place.command("sh").args(["-c", line]));
    assert!(by_hand.stdout.contains("needle"), "{}", by_hand.all());
}
