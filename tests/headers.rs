//! Headers of a foreign file, through the real binary: what stands in its comments runs, loads and writes nothing.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use tempfile::TempDir;

/// The program that a header names as the linker.
const EVIL: &str = "#!/bin/sh\ntouch \"$PLACE/ran\"\nexec cc \"$@\"\n";

/// A folder with a program that a header may name, in which the command runs.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let place = Self { folder };
        std::fs::create_dir(place.path("tmp")).expect("a folder can be made");
        std::fs::write(place.path("evil"), EVIL).expect("it can be written");
        std::fs::set_permissions(place.path("evil"), PermissionsExt::from_mode(0o755)).expect("it is ours");
        std::fs::write(place.path("args"), "-Clinker=./evil\n").expect("it can be written");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the command on a program, and returns what it said.
    #[track_caller]
    fn run(&self, program: &str, args: &[&str], exit: Exit) -> String {
        std::fs::write(self.path("a.rs"), program).expect("it can be written");
        // What runs is to be seen.
        self.command(&[&["a.rs", "--sandbox", "off"], args].concat(), exit)
    }

    /// Runs the command, and returns what it said.
    #[track_caller]
    fn command(&self, args: &[&str], exit: Exit) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("TMPDIR", self.path("tmp")).env("PLACE", self.path("")).env("XDG_CONFIG_HOME", self.path("tmp"));
        let Output { status, stdout, stderr } = command.output().expect("the binary runs");
        let said = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
        assert_eq!(status.code(), Some(exit.code().into()), "{said}");
        said
    }

    fn has_run(&self) -> bool {
        self.path("ran").exists()
    }
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
        let place = Place::new();
        let said = place.run(&format!("{header}\nfn main() {{}}\n"), &[], Exit::Input);
        let named = header.rsplit_once(' ').expect("it has words").1;
        let named = if header.contains("[x]") { "-Clinker=./evil" } else { named };
        assert!(said.contains(named) && said.contains("line ") && said.contains("--trust-headers"), "{said}");
        assert!(!place.has_run());
    }
}

#[test]
fn a_path_to_write_in_a_comment_is_refused_by_name_and_not_written() {
    for flag in ["-o OUT", "-goOUT", "--out-dir OUT", "--emit=asm=OUT", "-Zself-profile=OUT", "-Cprofile-generate=OUT"]
    {
        let place = Place::new();
        let out = place.path("out");
        let flag = flag.replace("OUT", out.to_str().expect("it is text"));
        let said = place.run(&format!("//@ compile-flags: {flag}\nfn main() {{}}\n"), &[], Exit::Input);
        assert!(said.contains(&flag) && !out.exists(), "{said}");
    }
}

#[test]
fn headers_are_followed_of_a_file_that_is_trusted() {
    let place = Place::new();
    let program = "//@ compile-flags: -Clinker=./evil\nfn main() {}\n";
    place.run(program, &["--trust-headers"], Exit::NotFailing);
    assert!(place.has_run());
    // What shows it by hand needs the flag as well.
    let program = "//@ compile-flags: -Clinker=./evil\nfn main() { let x: u8 = (); }\n";
    let said = place.run(program, &["--trust-headers"], Exit::Done);
    let shown = said.lines().find(|line| line.contains("see it")).expect("it is told");
    assert!(shown.contains("-Clinker=") && shown.contains("/evil"), "{said}");
}

#[test]
fn a_run_that_trusts_headers_is_resumed_with_them() {
    let place = Place::new();
    let program = "//@ compile-flags: -Clinker=./evil\nfn main() { let x: u8 = (); }\n";
    place.run(program, &["--trust-headers", "--state", "known"], Exit::Done);
    let said = place.command(&["resume", "known"], Exit::Done);
    assert!(said.contains("-Clinker="), "{said}");
}

#[test]
fn a_script_judges_a_file_whose_headers_are_not_followed() {
    let place = Place::new();
    let program = "//@ compile-flags: -Clinker=./evil --emit=link=out\nfn needle() {}\nfn main() {}\n";
    place.run(program, &["--test", "grep -q needle $1"], Exit::Done);
    assert!(!place.has_run() && !place.path("out").exists());
}

#[test]
fn a_reduction_makes_no_header_that_is_followed() {
    let place = Place::new();
    // With the first comment gone, or its first line, the second would be a header.
    let program = "/* //@ compile-flags: -O\n*/ //@ compile-flags: -Clinker=./evil\n//\n//@ edition: 2021\nfn f() { let x: u8 = (); }\nfn main() {}\n";
    let said = place.run(program, &[], Exit::Done);
    assert!(!place.has_run() && !said.contains("linker"), "{said}");
}
