//! Headers of a foreign file, through the real binary: what stands in its comments runs, loads and writes nothing.

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

/// The program that a header names as the linker.
const EVIL: &str = "#!/bin/sh\ntouch \"$PLACE/ran\"\nexec cc \"$@\"\n";

/// A program that fails by a file with arguments only.
const NEEDS: &str = "//@ compile-flags: -Clinker=./evil @needed\n#[cfg(needed)] fn f() -> u8 { () }\nfn main() {}\n";

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// A folder with a program that a header may name.
fn place() -> TestFolder {
    let place = TestFolder::new(BINARY);
    place.write_script("evil", EVIL);
    place.write("args", "-Clinker=./evil\n");
    place.write("needed", "--cfg=needed\n");
    place
}

/// Runs the command on a program, and returns what it said.
#[track_caller]
fn run(place: &TestFolder, program: &str, args: &[&str], exit: Exit) -> String {
    place.write("a.rs", program);
    // What runs is to be seen.
    place.run(&[&["a.rs", "--sandbox", "off"], args].concat(), exit).all()
}

fn has_run(place: &TestFolder) -> bool {
    place.path("ran").exists()
}

#[test]
fn a_command_in_a_comment_is_refused_by_name_and_not_run() {
    for header in [
        "//@ compile-flags: -Clinker=./evil",
        "// A remark\n    //@[x] compile-flags: -Clinker=./evil\n//@ revisions: x",
        "//@ compile-flags: -O -C linker=./evil",
        "//@ compile-flags: @args",
        "//@ compile-flags: --cfg @args",
        "//@ rustc-env: PATH=.",
    ] {
        let place = place();
        let said = run(&place, &format!("{header}\nfn main() {{}}\n"), &[], Exit::Input);
        let named = header.rsplit_once(' ').expect("it has words").1;
        let named = if header.contains("[x]") { "-Clinker=./evil" } else { named };
        assert!(said.contains(named) && said.contains("line ") && said.contains("--trust-headers"), "{said}");
        assert!(!has_run(&place));
    }
}

#[test]
fn a_path_to_write_in_a_comment_is_refused_by_name_and_not_written() {
    for flag in ["-o OUT", "-goOUT", "--out-dir OUT", "--emit=asm=OUT", "-Zself-profile=OUT", "-Cprofile-generate=OUT"]
    {
        let place = place();
        let out = place.path("out");
        let flag = flag.replace("OUT", out.to_str().expect("it is text"));
        let said = run(&place, &format!("//@ compile-flags: {flag}\nfn main() {{}}\n"), &[], Exit::Input);
        assert!(said.contains(&flag) && !out.exists(), "{said}");
    }
}

#[test]
fn headers_are_followed_of_a_file_that_is_trusted() {
    let place = place();
    let program = "//@ compile-flags: -Clinker=./evil\nfn main() {}\n";
    run(&place, program, &["--trust-headers"], Exit::NotFailing);
    assert!(has_run(&place));
    // What shows it by hand needs the flags that the failure needs.
    let said = run(&place, NEEDS, &["--trust-headers"], Exit::Done);
    let shown = said.lines().find(|line| line.contains("see it")).expect("it is told");
    assert!(shown.contains("/needed") && !shown.contains("-Clinker="), "{said}");
}

#[test]
fn a_run_that_trusts_headers_is_resumed_with_them() {
    let place = place();
    place.write("a.rs", NEEDS);
    place.kill("baseline", 1, || {
        place.mcve(&["a.rs", "--sandbox", "off", "--trust-headers", "--message-format", "json"])
    });
    let said = place.run(&["resume"], Exit::Done).all();
    assert!(said.contains("/needed"), "{said}");
}

#[test]
fn a_script_judges_a_file_whose_headers_are_not_followed() {
    let place = place();
    let program = "//@ compile-flags: -Clinker=./evil --emit=link=out\nfn needle() {}\nfn main() {}\n";
    run(&place, program, &["--test", "grep -q needle $1"], Exit::Done);
    assert!(!has_run(&place) && !place.path("out").exists());
}

#[test]
fn a_reduction_makes_no_header_that_is_followed() {
    let place = place();
    // With the first comment gone, or its first line, the second would be a header.
    let program = "/* //@ compile-flags: -O\n*/ //@ compile-flags: -Clinker=./evil\n//\n//@ edition: 2021\nfn f() { let x: u8 = (); }\nfn main() {}\n";
    let said = run(&place, program, &[], Exit::Done);
    assert!(!has_run(&place) && !said.contains("linker"), "{said}");
}
