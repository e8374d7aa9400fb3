//! `mcve bisect` and `mcve report --channels`. The toolchains are scripts that run the real rustc: from 1.84 on with `--cfg newer`.

use std::os::unix::fs::symlink;
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

/// Lists, installs and removes toolchains, and runs their compilers. There is no 1.79.0.
const RUSTUP: &str = r#"#!/bin/sh
case "$0 $*" in
    *rustc\ +*) name="${1#+}"; shift; exec "$PLACE/all/$name/bin/rustc" "$@" ;;
    *rustc*) exec "$PLACE/all/1.87.0/bin/rustc" "$@" ;;
    *active*) echo "1.87.0 (default)" ;;
    *list*) ls "$PLACE/all" ;;
    *uninstall*) for name; do :; done; rm -r "$PLACE/all/$name"; echo "- $name" >> "$PLACE/log" ;;
    *install*1.79.0) exit 1 ;;
    *install*) for name; do :; done; mkdir -p "$PLACE/all/$name/bin"; cp "$PLACE/compiler" "$PLACE/all/$name/bin/rustc"; echo "+ $name" >> "$PLACE/log" ;;
esac
"#;

/// The compiler of the toolchain in whose folder it is.
const COMPILER: &str = r#"#!/bin/sh
own="${0%/bin/rustc}"; release="${own##*/}"; minor="${release#1.}"; minor="${minor%.0}"
case "$*" in
    -vV) printf 'rustc %s (000%s 2033-01-02)\nbinary: rustc\ncommit-hash: 000%s\nhost: own\nrelease: %s\n' $release $minor $minor $release; exit ;;
    "--print sysroot") echo "$own"; exit ;;
esac
if [ "$minor" -ge 84 ]; then set -- "$@" --cfg newer; fi
exec "$REAL" "$@"
"#;

/// With `newer` a function is missing.
const PROGRAM: &str = "fn main() {\n    #[cfg(newer)]\n    missing();\n}\n";

fn run(place: &TestFolder, args: &[&str], exit: Exit) -> Said {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc runs");
    let real = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned() + "/bin/rustc";
    let mut command = place.mcve(args);
    command.env("PATH", place.path_with_bin()).env("REAL", real).env_remove("RUSTUP_TOOLCHAIN");
    Said::by(&mut command).exits(exit)
}

fn place() -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write_script("bin/rustup", RUSTUP);
    symlink("rustup", place.path("bin/rustc")).expect("it can be made");
    place.write_script("compiler", COMPILER);
    for name in ["1.85.0", "1.87.0"] {
        place.write_script(format!("all/{name}/bin/rustc"), COMPILER);
    }
    place.write("a.rs", PROGRAM);
    place
}

#[test]
fn the_first_release_with_the_failure_is_found_and_what_was_installed_is_removed() {
    let place = place();
    let said = run(&place, &["bisect", "a.rs"], Exit::Done);
    let expected = "first with the failure: 1.84.0\nlast without it: 1.83.0 (does not fail)\ncommits: https://github.com/rust-lang/rust/compare/00083...00084\n";
    assert_eq!(said.stdout, expected, "{}", said.stderr);
    assert_eq!(place.read("log"), "+ 1.86.0\n- 1.86.0\n+ 1.83.0\n- 1.83.0\n+ 1.84.0\n- 1.84.0\n");
    let said = run(&place, &["bisect", "a.rs"], Exit::Done);
    assert_eq!((said.stdout.as_str(), place.read("log").lines().count()), (expected, 6), "the answers are kept");
    let report = run(&place, &["report", "a.rs", "--channels", "--form", "regression"], Exit::Done).stdout;
    for part in ["first with the failure: 1.84.0", "| 1.85.0 | 1.85.0 (00085 2033-01-02) | fails in the same way |"] {
        assert!(report.contains(part), "{part} is not in {report}");
    }
    assert!(report.contains("+S-has-bisection") && report.contains("+regression-from-stable-to-stable"), "{report}");
}

#[test]
fn a_release_that_cannot_be_installed_is_passed_over() {
    let place = place();
    let said = run(&place, &["bisect", "a.rs", "--start", "1.81", "--end", "1.85", "--keep-toolchains"], Exit::Done);
    assert!(said.stdout.starts_with("first with the failure: 1.84.0\nlast without it: 1.83.0"), "{}", said.stdout);
    assert!(!place.read("log").contains("- "), "they are kept");
    let said = run(&place, &["bisect", "a.rs", "--start", "1.85", "--end", "1.87"], Exit::NothingPasses);
    assert!(said.stderr.contains("1.85.0 is not without the failure"), "{}", said.stderr);
    place.write("b.rs", "fn main() {\n    missing();\n}\n");
    let said = run(&place, &["bisect", "b.rs"], Exit::NothingPasses);
    assert!(said.stderr.contains("1.79.0: not tried: rustup cannot install 1.79.0"), "{}", said.stderr);
    assert!(said.stderr.contains("no version without the failure was found, back to 1.31.0"), "{}", said.stderr);
}
