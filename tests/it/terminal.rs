//! What others wrote into files and names never reaches a terminal as anything but text, through the real binaries.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};
use regex::Regex;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A title, a bell, a cleared screen, a blinking colour, a C1 control, and an override of the direction of the text.
const EVIL: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\u{1b}[5m\u{9b}31m\u{202e}";

/// The same in a string of Rust.
const ESCAPED: &str = "\\x1b]0;x\\x07\\x1b[2J\\x1b[5m\\u{9b}31m\\u{202e}";

/// Files in which there is something of the kind.
fn place() -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    let panics = "fn unused() {}\nfn main() { unused(); if std::env::args().count() < 9 { panic!(\"TEXT\"); } }\n";
    let fails = "#[test] fn t() { panic!(\"TEXT\"); }\n";
    for (name, text) in [
        ("module.rs", "#[path = \"TEXT.rs\"] mod m;\nfn main() { let x: u8 = \"\"; }\n"),
        ("include.rs", "fn main() { include!(\"TEXT.rs\"); let x: u8 = \"\"; }\n"),
        ("header.rs", "//@ compile-flags: -Clinker=TEXT\nfn main() {}\n"),
        ("unknown.rs", "//@ TEXT: x\n//@ aux-crate: TEXT\nfn main() { let x: u8 = \"\"; }\n"),
        ("panic.rs", &panics.replace("TEXT", ESCAPED)),
        ("raw.rs", panics),
        ("types.rs", "const S: &str = \"TEXT\"; fn main() { let x: u8 = \"TEXT\"; }\n"),
        ("fine.rs", "fn main() {}\n"),
        ("nTEXT.rs", "fn main() { let x: u8 = \"\"; }\n"),
        ("good/a", "one\n"),
        ("bad/a", "one\nneedle TEXT\n"),
        ("module/Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n[workspace]\n"),
        ("module/src/lib.rs", "#[path = \"TEXT.rs\"] mod m;\n"),
        ("test/Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n[workspace]\n"),
        ("test/src/lib.rs", &fails.replace("TEXT", ESCAPED)),
    ] {
        place.write(name.replace("TEXT", EVIL), text.replace("TEXT", EVIL));
    }
    place.write_script("says.sh", &format!("#!/bin/sh\necho '{EVIL}'\necho '{EVIL}' >&2\nexit 1\n"));
    place
}

/// What a command prints on a terminal with colours.
fn on_terminal(command: &mut Command) -> String {
    on_terminal_of(80, command.env_remove("NO_COLOR"))
}

/// What a command prints on a terminal with so many columns.
fn on_terminal_of(columns: u16, command: &mut Command) -> String {
    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
    grantpt(&main).and_then(|()| unlockpt(&main)).expect("it is ours");
    let name = ptsname(&main, Vec::new()).expect("it has a name");
    let end = File::options().read(true).write(true).open(OsStr::from_bytes(name.as_bytes())).expect("it is there");
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&end, size).expect("it is a terminal");
    let mut child = {
        command.stdout(end.try_clone().expect("it is open")).stderr(end).env("TERM", "xterm");
        command.spawn().expect("it can be run")
    };
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut said = Vec::new();
    // The end of a terminal is an error.
    let _ = File::from(main).read_to_end(&mut said);
    child.wait().expect("it ends");
    String::from_utf8_lossy(&said).into_owned()
}

/// Checks that a text has nothing that a terminal obeys but our styles, and what moves the progress bar.
#[track_caller]
fn is_text(args: &[&str], said: &str) {
    let ours = Regex::new("\u{1b}\\[(0|1|3[1-6]?|[0-9]*[AK]|\\?25[hl])m?|\r").expect("it is one");
    let left = ours.replace_all(said, "");
    let obeyed = left.find(|c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}');
    assert!(obeyed.is_none(), "{args:?}: {:?}", &left[obeyed.unwrap_or(0)..]);
}

/// Checks a command on a terminal and, if it is a short one, into pipes.
#[track_caller]
fn check(place: &TestFolder, binary: &str, folder: &str, args: &[&str]) {
    let command = || {
        let mut command = place.command(binary);
        command.args(args).current_dir(place.path(folder));
        command
    };
    if !args.contains(&"--run") {
        is_text(args, &Said::by(&mut command()).all());
    }
    is_text(args, &on_terminal(&mut command()));
}

#[test]
fn no_command_hands_a_terminal_what_others_wrote() {
    let place = place();
    let (named, missing) = (format!("n{EVIL}.rs"), format!("no{EVIL}/x"));
    for args in [
        &["module.rs"][..],
        &["include.rs"],
        &["header.rs"],
        &["unknown.rs"],
        &["panic.rs", "--run"],
        &["isolate", "panic.rs", "--run"],
        &["repair", "panic.rs", "--run"],
        &["repair", "raw.rs", "--run"],
        &["generalise", "types.rs"],
        &["module.rs", "--message-format", "json"],
        &["types.rs", "--message-format", "json"],
        &["fine.rs", "--test", "./says.sh"],
        &["fine.rs", "--test", &named],
        &[&named],
        &[&missing],
        &["fine.rs", "-o", &missing],
        &["resume", &named],
        &["explain", &named],
        &["fine.rs", &format!("--{EVIL}")],
        &["changes", "good", "bad", "--test", "false"],
    ] {
        check(&place, env!("CARGO_BIN_EXE_mcve"), ".", args);
    }
    for folder in ["module", "test"] {
        check(&place, env!("CARGO_BIN_EXE_cargo-mcve"), folder, &["mcve"]);
    }
}

/// A program that some check finds, whose first check takes longer than what is told.
fn slow() -> (TestFolder, String) {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", "mod m { fn f() {} fn g() {} fn h() {} }\nfn main() {\n    needle(\"x\");\n}\n");
    let test = "[ -e $PLACE/once ] || { touch $PLACE/once; sleep 2.7; }; grep -q needle $1";
    (place, test.to_owned())
}

#[test]
fn a_terminal_shows_what_is_done_in_lines_that_fit() {
    let [colours, escapes] =
        ["\u{1b}\\[[0-9;]*m", "\u{1b}\\[[?0-9;]*[A-Za-z]"].map(|pattern| Regex::new(pattern).expect("it is one"));
    for columns in [60, 80, 160] {
        let (place, test) = slow();
        let said = on_terminal_of(
            columns,
            &mut place.mcve(&["a.rs", "-j", "1", "--sandbox", "off", "--budget", "1h", "--test", &test]),
        );
        let styles = colours.replace_all(&said, "").into_owned();
        let plain = escapes.replace_all(&styles, "\r").into_owned();
        let lines: Vec<&str> = plain.split(['\r', '\n']).filter(|line| !line.trim().is_empty()).collect();
        for words in ["checking that it fails", "the first check runs, 0:02", "59:5", " left", "━", "~", "- "] {
            assert!(lines.iter().any(|line| line.contains(words)), "{columns}: no `{words}` in {lines:?}");
        }
        // Each line is filled up to the last column, so that those of the live view follow each other without an end.
        for line in lines.iter().filter(|line| line.contains(" left")) {
            let rows: Vec<String> =
                line.chars().collect::<Vec<_>>().chunks(columns.into()).map(String::from_iter).collect();
            assert!(rows[1..].iter().all(|row| row.starts_with("  ")), "{columns}: {rows:?}");
        }
        let passes = ["items: ", "proof: ", "single-items"];
        assert!(passes.iter().all(|pass| !plain.contains(pass)), "{plain}");
        // The end shows the program, the numbers in one line, and what to do next.
        let end: Vec<&str> = lines.iter().copied().skip_while(|line| *line != "done").collect();
        assert!(end.concat().contains("needle"), "{end:?}");
        assert!(end.iter().any(|line| line.contains(" tokens (") && line.contains("; 1-minimal: ")), "{end:?}");
        assert!(end.contains(&"  next     mcve why a_mcve.rs; mcve report a_mcve.rs"), "{end:?}");
    }
}

#[test]
fn colours_are_as_the_options_and_the_environment_say() {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", "fn main() { needle() }\n");
    let args = ["a.rs", "--test", "grep -q needle $1"];
    let coloured = |more: &[&str], variables: &[(&str, &str)], is_terminal: bool| {
        let mut command = place.mcve(&[&args[..], more].concat());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        let said = if is_terminal { on_terminal_of(80, &mut command) } else { Said::by(&mut command).all() };
        assert!(said.contains("1-minimal"), "{said}");
        said.contains("\u{1b}[3")
    };
    for (more, variables, is_terminal, expected) in [
        (&[][..], &[][..], true, true),
        (&[], &[("NO_COLOR", "1")], true, false),
        (&["--color", "never"], &[], true, false),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], true, false),
        (&["--color", "always"], &[("NO_COLOR", "1")], true, true),
        (&[], &[], false, false),
        (&[], &[("CLICOLOR_FORCE", "1")], false, true),
        (&["--color", "always"], &[], false, true),
    ] {
        assert_eq!(coloured(more, variables, is_terminal), expected, "{more:?} {variables:?} {is_terminal}");
    }
}

#[test]
fn results_and_patches_are_exact_but_on_a_terminal() {
    let place = place();
    let patch = ["changes", "good", "bad", "-q", "--test", "grep -q needle a"];
    for args in [&["raw.rs", "-q", "-o", "-", "--test", "grep -q \"$(printf '\\033')]0;x\" $1"][..], &patch] {
        assert!(place.run(args, Exit::Done).stdout.contains("\u{1b}]0;x"), "{args:?}");
        is_text(args, &on_terminal(&mut place.mcve(args)));
    }
}

#[test]
fn a_line_to_copy_names_the_same_file_in_every_shell() {
    let place = place();
    let said = place.run(&[&format!("n{EVIL}.rs")], Exit::Done);
    let line = said.see_it().expect("it is said");
    is_text(&["see it"], line);
    for shell in ["sh", "bash"] {
        let said = Said::by(place.command(shell).args(["-c", line]));
        assert!(said.stderr.contains("E0308"), "{line}: {}", said.stderr);
    }
}
