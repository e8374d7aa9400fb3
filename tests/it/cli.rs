//! The command line, through the real binary: what is written where, what is said, how it exits.

use std::io::Write;
use std::process::{Command, Stdio};

use mcve::cli::exit::Exit;
use mcve_testing::{TestFolder, first, shell};

const INPUT: &str = "mod m {\n    pub fn needle(x: u8) -> u8 {\n        x + 1\n    }\n}\n\nfn main() {\n    println!(\"{}\", m::needle(1));\n}\n";

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// A folder with a file `a.rs`.
fn place() -> TestFolder {
    let place = TestFolder::new(BINARY);
    place.write("a.rs", INPUT);
    place
}

#[test]
fn the_result_stands_beside_the_input_which_is_untouched() {
    let place = place();
    let output = place.run_cleanly(&["a.rs", "--test", "grep -q needle $1"], Exit::Done);
    assert_eq!(place.read("a.rs"), INPUT);
    let result = place.read("a_mcve.rs");
    assert!(result.contains("needle") && result.len() < 20, "{result}");
    let summary = output.stderr;
    for word in ["tokens", "checks", "1-minimal", "a_mcve.rs", "grep -q needle"] {
        assert!(summary.contains(word), "no {word} in: {summary}");
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn reduce_is_the_same_as_no_command() {
    let place = place();
    place.run_cleanly(&["reduce", "a.rs", "--test", "grep -q needle $1"], Exit::Done);
    let long = place.read("a_mcve.rs");
    place.run_cleanly(&["a.rs", "--test", "grep -q needle $1"], Exit::Done);
    assert_eq!(place.read("a_mcve.rs"), long);
    let output = place.run_cleanly(&["-qj1", "reduce", "a.rs", "--test", "grep -q needle $1"], Exit::Done);
    assert!(output.stderr.is_empty(), "{}", output.stderr);
}

#[test]
fn in_place_keeps_the_original() {
    let place = place();
    place.run_cleanly(&["a.rs", "--in-place", "--test", "grep -q needle $1"], Exit::Done);
    assert_eq!(place.read("a.rs.orig"), INPUT);
    assert!(place.read("a.rs").len() < INPUT.len());
}

#[test]
fn the_result_can_go_to_standard_output() {
    let place = place();
    let output = place.run_cleanly(&["-q", "a.rs", "-o", "-", "--test", "grep -q needle $1"], Exit::Done);
    assert!(output.stdout.contains("needle"));
    assert!(output.stderr.is_empty(), "{}", output.stderr);
    assert!(!place.path("a_mcve.rs").exists());
}

#[test]
fn every_event_is_a_json_object_a_line() {
    let place = place();
    let args = ["a.rs", "--message-format", "json", "--test", "grep -q needle $1"];
    let output = place.run_cleanly(&args, Exit::Done);
    let events = output.events();
    let last = events.last().expect("there are events");
    assert_eq!(last["event"], "finished");
    assert_eq!(last["one_minimal"], true);
    assert!(events.iter().any(|event| event["event"] == "gained"));
    let checked = events.iter().filter(|event| event["event"] == "checked").count();
    assert_eq!(last["checks"], checked);
}

#[test]
fn a_script_runs_in_a_folder_with_the_candidate_under_its_own_name() {
    let place = TestFolder::new(BINARY);
    place.write("odd name.rs", INPUT);
    place.write_script(
        "test.sh",
        "#!/bin/sh\n[ -f 'odd name.rs' ] && [ \"$1\" = \"$PWD/odd name.rs\" ] && grep -q needle \"$1\"\n",
    );
    place.run_cleanly(&["odd name.rs", "--test", "./test.sh"], Exit::Done);
    assert!(place.read("odd_name_mcve.rs").contains("needle"));
}

#[test]
fn a_command_is_judged_by_all_its_conditions() {
    let place = place();
    let conditions = ["--exit-code", "0", "--stdout", "needle", "--not-stdout", "nowhere", "--not-stderr", "."];
    place.run_cleanly(&[&["a.rs"], &conditions[..], &["--", "cat", "{}"]].concat(), Exit::Done);
    assert!(place.read("a_mcve.rs").contains("needle"));
    place.run_cleanly(&["a.rs", "--exit-code", "1", "--stdout", "needle", "--", "cat", "{}"], Exit::NotFailing);
}

#[test]
fn a_file_that_cannot_be_used_is_refused() {
    let place = TestFolder::new(BINARY);
    std::fs::create_dir(place.path("folder.rs")).expect("it can be made");
    place.write("empty.rs", "");
    place.write("blank.rs", " \n\n");
    place.write("binary.rs", b"fn main() {}\0");
    place.write("latin.rs", b"// caf\xe9\nfn main() {}");
    for file in ["missing.rs", "folder.rs", "empty.rs", "blank.rs", "binary.rs", "latin.rs"] {
        let output = place.run_cleanly(&[file, "--test", "true"], Exit::Input);
        let stderr = output.stderr;
        assert!(stderr.starts_with("error: ") && stderr.contains(file), "{stderr}");
    }
}

#[test]
fn a_file_that_does_not_fail_is_told_with_the_command() {
    let place = place();
    let output = place.run_cleanly(&["a.rs", "--test", "grep -q nowhere $1"], Exit::NotFailing);
    assert!(output.stderr.contains("grep -q nowhere"), "{}", output.stderr);
    assert!(!place.path("a_mcve.rs").exists(), "there is no result");
    let output = place.run_cleanly(&["a.rs"], Exit::NotFailing);
    assert!(output.stderr.contains("rustc"), "{}", output.stderr);
}

#[test]
fn a_file_that_fails_only_sometimes_is_told() {
    let place = place();
    let script = format!("[ {} -ne 2 ]", shell::count(&place.write("state", "")));
    let args = ["a.rs", "--test", &script, "--writable", "state", "--jobs", "1", "--runs", "3"];
    let output = place.run_cleanly(&args, Exit::Flaky);
    assert!(output.stderr.contains("2 of 3"), "{}", output.stderr);
}

#[test]
fn a_check_that_cannot_be_run_is_told() {
    let place = place();
    place.write("test.sh", "#!/bin/sh\ntrue\n");
    let checks: [&[&str]; 4] = [
        &["a.rs", "--test", "./test.sh"],
        &["a.rs", "--rustc", "/nowhere/rustc"],
        &["a.rs", "--exit-code", "0", "--", "/nowhere/command", "{}"],
        &["a.rs", "--exit-code", "0", "--", "no-such-command-anywhere", "{}"],
    ];
    for args in checks {
        let output = place.run_cleanly(args, Exit::Check);
        assert!(output.stderr.starts_with("error: "), "{}", output.stderr);
    }
}

#[test]
fn a_wrong_command_line_is_told() {
    let place = place();
    let wrong: [&[&str]; 10] = [
        &[],
        &["a.rs", "--no-such-option"],
        &["a.rs", "--stderr", "(", "--", "cat"],
        &["a.rs", "--jobs", "0"],
        &["a.rs", "--budget", "soon"],
        &["a.rs", "--only", "no-such-transform"],
        &["a.rs", "-o", "a.rs", "--test", "true"],
        &["explain", "no-such-transform"],
        &["--in-place", "isolate", "a.rs"],
        &["a.rs", "--skip", "proof"],
    ];
    for args in wrong {
        place.run_cleanly(args, Exit::Usage);
    }
    assert_eq!(place.read("a.rs"), INPUT);
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_work() {
    let place = place();
    place.run_cleanly(&["a.rs", "-o", "no/such/folder/b.rs", "--test", "grep -q needle $1"], Exit::Output);
    place.run_cleanly(&["a.rs", "-o", "tmp", "--test", "grep -q needle $1"], Exit::Output);
}

#[test]
fn what_stands_before_the_program_survives() {
    for (name, prefix) in [
        ("shebang.rs", "#!/usr/bin/env run\n"),
        ("frontmatter.rs", "---\n[dependencies]\n---\n"),
        ("header.rs", "//@ edition: 2021\n"),
    ] {
        let place = TestFolder::new(BINARY);
        place.write(name, format!("{prefix}{INPUT}"));
        place.run_cleanly(&[name, "--test", "grep -q needle $1"], Exit::Done);
        let result = place.read(name.replace(".rs", "_mcve.rs"));
        assert!(result.starts_with(prefix), "{result:?}");
    }
    let place = TestFolder::new(BINARY);
    place.write("bom.rs", format!("\u{feff}{INPUT}"));
    place.run_cleanly(&["bom.rs", "--test", "grep -q needle $1"], Exit::Done);
    assert!(!place.read("bom_mcve.rs").contains('\u{feff}'), "no program needs the mark of an editor");
}

#[test]
fn odd_text_is_reduced() {
    let texts = [
        ("crlf.rs", INPUT.replace('\n', "\r\n")),
        ("names.rs", INPUT.replace("fn main", "fn größe() { let 変数 = \"🦀\"; }\nfn main")),
        ("unbalanced.rs", format!("{INPUT}\nfn broken( {{\n")),
        ("odd.rs", format!("{INPUT}\nfn 1broken() {{ let = ; }}\n")),
        ("prose.rs", "no Rust at all: it's a needle\nin a haystack \"\n".to_owned()),
        ("deep.rs", format!("{INPUT}\nfn deep() {{ {}0{}; }}\n", "(".repeat(5_000), ")".repeat(5_000))),
        ("deeper.rs", format!("{INPUT}\nfn deep() {{ {}0{}; }}\n", "(".repeat(20_000), ")".repeat(20_000))),
    ];
    for &(name, ref input) in first(6, &texts) {
        let place = TestFolder::new(BINARY);
        place.write(name, input);
        place.run_cleanly(&[name, "--test", "grep -q needle $1"], Exit::Done);
        let result = place.read(name.replace(".rs", "_mcve.rs"));
        assert!(result.contains("needle") && result.len() < 30, "{name}: {result}");
    }
}

#[test]
fn a_check_that_hangs_is_ended_and_nothing_is_left() {
    let place = place();
    let test = "grep -q main $1 || exec tail -f /dev/null; grep -q needle $1";
    place.run_in_time("--timeout", &["a.rs", "--only", "items", "--test", test]);
    let result = place.read("a_mcve.rs");
    assert!(result.contains("main") && result.contains("needle"), "{result}");
}

#[test]
fn a_budget_ends_with_the_best_so_far() {
    let place = place();
    // The empty program ends at once: it is checked before the search.
    let test = "[ -s $1 ] || exit 1; grep -q main $1 || exec tail -f /dev/null; grep -q needle $1";
    let output = place.run_in_time("--budget", &["a.rs", "--test", test]);
    assert!(output.stderr.contains("budget"), "{}", output.stderr);
    assert!(place.read("a_mcve.rs").contains("needle"));
}

#[test]
fn an_interrupt_keeps_the_best_so_far_and_leaves_nothing() {
    let place = place();
    let test = "[ -s $1 ] || exit 1; grep -q main $1 || exec tail -f /dev/null; grep -q needle $1";
    let args = ["a.rs", "--message-format", "json", "--test", test];
    let mut running = place.start(&args);
    running.wait_for("baseline", 1);
    running.interrupt();
    assert!(place.read("a_mcve.rs").contains("needle"));
    place.assert_clean();
}

#[test]
fn only_and_skip_choose_transforms() {
    let place = place();
    place.run_cleanly(&["a.rs", "--only", "delete-item", "--test", "grep -q needle $1"], Exit::Done);
    let items = place.read("a_mcve.rs");
    assert!(items.contains("x + 1") && !items.contains("main"), "{items}");
    place.run_cleanly(&["a.rs", "--skip", "items", "--test", "grep -q needle $1"], Exit::Done);
    assert!(place.read("a_mcve.rs").contains("main"));
}

#[test]
fn list_and_explain_show_every_transform() {
    let place = TestFolder::new(BINARY);
    let list = place.run_cleanly(&["list"], Exit::Done).stdout;
    for transform in mcve_transforms::transforms() {
        assert!(list.contains(transform.name), "{} is not listed", transform.name);
    }
    let explained = place.run_cleanly(&["explain", "delete-item"], Exit::Done).stdout;
    assert!(explained.contains("-fn helper() {}"), "{explained}");
}

#[test]
fn a_transform_is_found_by_an_everyday_word() {
    let place = TestFolder::new(BINARY);
    let words = [
        ("clone", "drop-link"),
        ("Unwrap()", "drop-link"),
        ("vec!", "macro-to-arguments"),
        ("cast", "hoist-expression"),
        ("operator", "keep-operand"),
        ("lifetime", "elide-lifetime"),
        ("comment", "delete-comment"),
        ("await", "drop-async"),
        ("import", "delete-use-leaf"),
        ("loop", "unwrap-loop"),
    ];
    for (word, transform) in words {
        let found = place.run_cleanly(&["list", "--search", word], Exit::Done).stdout;
        assert!(found.lines().any(|line| line.starts_with(&format!("{transform} "))), "{word} finds {found}");
    }
    let none = place.run(&["list", "--search", "turnip"], Exit::Usage);
    assert!(none.stderr.contains("`mcve list` shows all"), "{}", none.stderr);
}

#[test]
fn cargo_mcve_is_the_same_command() {
    let place = place();
    let status = Command::new(env!("CARGO_BIN_EXE_cargo-mcve"))
        .args(["mcve", "a.rs", "-q", "--test", "grep -q needle $1"])
        .current_dir(place.root())
        .status()
        .expect("the binary runs");
    assert!(status.success());
    assert!(place.read("a_mcve.rs").contains("needle"));
}

#[test]
fn whoever_closes_standard_output_does_not_make_it_panic() {
    let place = TestFolder::new(BINARY);
    let mut child = place.mcve(&["list"]).stdout(Stdio::piped()).spawn().expect("the binary runs");
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    assert!(status.code().is_some_and(|code| code != 101), "{status}");
    let _ = std::io::stderr().flush();
}
