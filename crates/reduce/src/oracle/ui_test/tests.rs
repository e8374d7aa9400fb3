//! The headers of tests.

use std::ffi::OsString;
use std::path::Path;

use super::*;
use crate::oracle::headers::{Headers, Trust};

fn rustc(args: &[&str]) -> Rustc {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    Rustc::new("rustc".into(), &Headers::default(), &args, Path::new("/"))
}

#[track_caller]
fn check(program: &str, rustc: &Rustc, (form, expected): (&Form, Expected), input: &str, test: &str) {
    let written = with_headers(&Program::new("a.rs", program), rustc, form, expected, input);
    assert_eq!(&*written.expect("it has a place for them").text, test);
}

#[test]
fn a_crash_has_the_bug_that_it_is_if_that_is_known() {
    let crash = (&Form::Crash, Expected::default());
    let way = rustc(&["--edition=2021", "--emit=metadata", "-Zmir-opt-level=3", "--cfg", "a b"]);
    let test = "//@ known-bug: #12\n//@ edition: 2021\n//@ compile-flags: -Zmir-opt-level=3 --cfg 'a b'\nfn f() {}\n";
    check("fn f() {}\n", &way, crash, "//@ known-bug: #12\n//@ check-pass\n", test);
    for unknown in ["", "//@ known-bug: 12345\n", "//@ known-bug: #0\n"] {
        check("fn f() {}", &rustc(&[]), crash, unknown, "//@ known-bug: unknown\nfn f() {}");
    }
}

#[test]
fn a_crash_is_compiled_as_the_suite_can() {
    let crash = (&Form::Crash, Expected::default());
    let headers =
        Headers::of_all("//@ rustc-env: OWN=x y\n//@ incremental\n//@ compile-flags: -Z a -Z b", Trust::Everything);
    let words = ["-Z", "a", "-Z", "c", "--cfg", "own"].map(OsString::from);
    let way = Rustc::new("rustc".into(), &headers, &words, Path::new("/"));
    let flags = "-Z a -Z b -Z c --cfg own -Zunstable-options '--env-set=OWN=x y'";
    let test = format!("//@ known-bug: unknown\n//@ incremental\n//@ compile-flags: {flags}\nf");
    check("f", &way, crash, "", &test);
    let input = "//@ ignore-backends: gcc\n//@ needs-rustc-debug-assertions\n";
    check("f", &rustc(&[]), crash, input, "//@ known-bug: unknown\n//@ ignore-backends: gcc\nf");
    let long = "x".repeat(101);
    let test = format!("//@ known-bug: unknown\n// ignore-tidy-linelength\n{long}");
    check(&long, &rustc(&[]), crash, "", &test);
    check(&test, &rustc(&[]), crash, "", &test);
}

#[test]
fn what_is_expected_is_said() {
    let way = rustc(&["--edition=2024"]);
    let codegen = Expected { needs_codegen: true, ..Expected::default() };
    check("f", &way, (&Form::Diagnostics, codegen), "", "//@ build-fail\n//@ edition: 2024\nf");
    let compiles = Expected { compiles: true, ..Expected::default() };
    check("f", &way, (&Form::Diagnostics, compiles), "", "//@ check-pass\n//@ edition: 2024\nf");
    let message = "index out of bounds: the len is _ but the index is _".to_owned();
    let run = Form::Run { crashes: false, message, args: vec!["x y".into()] };
    let test =
        "//@ run-fail\n//@ error-pattern: index out of bounds: the len is\n//@ run-flags: 'x y'\n//@ edition: 2024\nf";
    check("f", &way, (&run, Expected::default()), "", test);
}

#[test]
fn conditions_stay_where_they_mean_something() {
    let input = "//@ needs-asm-support\n//@ needs-threads\n//@ only-x86_64\n//@ normalize-stderr: \"a\" -> \"b\"\n//@[x] only-arm\n";
    let diagnostics = (&Form::Diagnostics, Expected::default());
    let test = "//@ needs-asm-support\n//@ only-x86_64\n//@ edition: 2015\nasm!();";
    check("//@ compile-flags: -O\nasm!();", &rustc(&[]), diagnostics, input, test);
}

#[test]
fn headers_stand_behind_what_has_to_be_first() {
    let diagnostics = (&Form::Diagnostics, Expected::default());
    check("#!/x\nf", &rustc(&[]), diagnostics, "", "#!/x\n//@ edition: 2015\nf");
}

#[test]
fn old_annotations_go() {
    let text = "a //~ ERROR x\n  //~^ WARN y\n//[b]~| ERROR z\nc // ~ d\n";
    check(text, &rustc(&[]), (&Form::Diagnostics, Expected::default()), "", "//@ edition: 2015\na\nc // ~ d\n");
}

#[test]
fn a_path_is_named_from_a_folder() {
    let path = |folder, file| path_from(Path::new(folder), Path::new(file));
    assert_eq!(path("auxiliary", "auxiliary/a.rs"), "a.rs");
    assert_eq!(path("x/auxiliary", "x/a.rs"), "../a.rs");
    assert_eq!(path("x/auxiliary", "auxiliary/deep/a.rs"), "../../auxiliary/deep/a.rs");
}
