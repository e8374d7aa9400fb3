//! What is on disk shows the failure at any time, and a run that was killed goes on to the same bytes.

use std::fs;
use std::os::unix::fs::symlink;

use mcve::cli::exit::Exit;
use mcve_testing::{TestFolder, is_thorough, names};
use rustix::process::Signal;

use super::place::{FILES, place};

/// It fails as long as three files have something, so that the result is a folder.
const TEST: &str = "grep -q needs src/walk/step.rs && grep -q name data/name.txt && grep -q mod src/lib.rs";

#[test]
fn a_killed_run_of_several_files_goes_on_to_the_same_bytes() {
    let whole = place(&FILES);
    whole.run(&["src/lib.rs", "--test", TEST], Exit::Done);
    let result = |place: &TestFolder| {
        ["src/lib.rs", "src/walk.rs", "src/walk/step.rs", "data/name.txt"]
            .map(|path| std::fs::read_to_string(place.path(format!("src/lib_mcve/{path}"))).unwrap_or_default())
    };
    let expected = result(&whole);
    let times = if is_thorough() { 50 } else { 2 };
    for time in 0..times {
        let place = place(&FILES);
        let mut running = place.start(&["src/lib.rs", "--message-format", "json", "--test", TEST]);
        running.wait_for("checked", 3 + time * 7 % 60);
        running.signal(Signal::KILL);
        drop(running.end());
        if place.path("src/lib_mcve").exists() {
            let shows = place.command("sh").current_dir(place.path("src/lib_mcve")).args(["-c", TEST]).status();
            assert!(shows.expect("there is a shell").success(), "after {time}");
        }
        place.run(&["resume", "src/lib_mcve.rs"], Exit::Done);
        assert_eq!(result(&place), expected, "after {time}");
        assert_eq!(names(&place.path("src")), names(&whole.path("src")), "nothing else is left, after {time}");
    }
}

#[test]
fn a_program_of_several_files_is_reduced_in_place_with_a_backup_of_each() {
    let place = place(&FILES);
    let said = place.run(&["src/lib.rs", "--in-place", "--test", TEST], Exit::Done);
    let names = names(&place.path("src"));
    assert!(!names.iter().any(|name| name.contains("mcve")), "the result is in one place: {names:?}");
    assert!(said.stderr.contains("  file     src/lib.rs\n"), "{}", said.stderr);
    assert!(said.see_it().is_some_and(|line| !line.contains("_mcve")), "{}", said.stderr);
    for (path, text) in FILES {
        assert_eq!(place.read(format!("{path}.orig")), text);
    }
    assert!(place.read("src/walk/step.rs").contains("needs") && place.read("src/walk/step.rs").len() < 30);
    assert!(!place.path("src/tools.rs").exists() && !place.path("data/table.txt").exists());
    let shows = place.command("sh").args(["-c", TEST]).status();
    assert!(shows.expect("there is a shell").success());
}

#[test]
fn in_place_a_large_file_and_a_link_stay() {
    let place = place(&[("p/a.txt", "needle\nother\n"), ("p/b.txt", "unused\n")]);
    symlink("a.txt", place.path("p/link")).expect("it can be made");
    place.run(&["p", "--in-place", "--test", "grep needle a.txt"], Exit::Done);
    assert_eq!(fs::read_link(place.path("p/link")).expect("it is there").to_str(), Some("a.txt"));
    assert_eq!(names(&place.path("p")), ["a.txt", "a.txt.orig", "b.txt.orig", "link"]);
    let large = vec![7; 3 << 20];
    place.write("l/large.bin", &large);
    let text = "pub static B: &[u8] = include_bytes!(\"large.bin\");\npub fn f() -> u8 { \"\" }\n";
    place.write("l/lib.rs", text);
    place.run(&["l/lib.rs", "--in-place", "--code", "E0308"], Exit::Done);
    assert_eq!(fs::read(place.path("l/large.bin")).expect("it is there"), large);
    assert!(place.read("l/lib.rs").len() < text.len() && place.read("l/lib.rs.orig") == text);
}

#[test]
fn in_place_what_is_edited_during_the_run_is_put_aside() {
    let place = place(&FILES);
    let mut running = place.start(&["src/lib.rs", "--in-place", "--message-format", "json", "--test", TEST]);
    // The backups are there, and the run is not at its end.
    running.wait_for("baseline", 1);
    place.write("src/tools.rs", "// mine\n");
    let (code, _) = running.end();
    assert_eq!(code, Some(Exit::Done.code().into()));
    let kept = |name: &str| names(&place.path("src")).contains(&name.to_owned());
    assert!(!kept("tools.rs") && kept("tools.rs.orig"));
    assert_eq!(place.read("src/tools.rs.orig.1"), "// mine\n");
}

#[test]
fn an_interrupted_run_in_place_replaces_nothing_until_it_is_resumed() {
    let files: Vec<(String, &str)> = FILES.iter().map(|(path, text)| (format!("p/{path}"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    for input in ["p/src/lib.rs", "p"] {
        let place = place(&files);
        let mut running = place.start(&[input, "--in-place", "--message-format", "json", "--test", TEST]);
        running.wait_for("checked", 30);
        running.interrupt();
        for (path, text) in &files {
            assert_eq!(place.read(path), *text);
        }
        let result = if input == "p" { "p_mcve.rs" } else { "p/src/lib_mcve.rs" };
        place.run(&["resume", result], Exit::Done);
        assert!(place.read("p/src/lib.rs").len() < files[0].1.len(), "{input}");
        assert!(!place.path("p/src/lib_mcve").exists() && !place.path("p_mcve").exists(), "{input}");
    }
}
