//! Headers that are followed, passed over, and refused.

use super::*;

#[track_caller]
fn check(text: &str, args: &[&str], env: &[(&str, Option<&str>)]) {
    let headers = Headers::revisions(text, Trust::Everything).swap_remove(0);
    assert_eq!(headers.args, args);
    let env: Vec<_> = env.iter().map(|(name, value)| ((*name).into(), value.map(OsString::from))).collect();
    assert_eq!(headers.env, env);
}

#[test]
fn flags_are_words() {
    check("//@ compile-flags: -O --cfg x\nfn main() {}\n//@compile-flags:-g", &["-O", "--cfg", "x", "-g"], &[]);
    check("//@ compile-flags: 'a b' -C", &["a b", "-C"], &[]);
    check("\t//@ compile-flags: -O\r\n", &["-O"], &[]);
}

#[test]
fn an_edition_is_a_flag() {
    check("//@ edition: 2021", &["--edition=2021"], &[]);
    check("//@ edition:2021", &["--edition=2021"], &[]);
    check("//@ edition: 2018..2024", &["--edition=2018"], &[]);
    check("//@ edition: ..=2018", &["--edition=2018"], &[]);
}

#[test]
fn variables_are_set_and_unset() {
    let env = [("A", Some("b=c")), ("D", Some("")), ("E", None)];
    check("//@ rustc-env:A=b=c\n//@ rustc-env: D=\n//@ unset-rustc-env: E", &[], &env);
}

#[test]
fn each_revision_has_its_own_flags_and_those_of_all() {
    let text = "//@ revisions: a b\n//@[a] compile-flags: -O\n//@[b,a] edition: 2021\n//@ compile-flags: -g";
    let args: Vec<_> = Headers::revisions(text, Trust::AllowList).into_iter().map(|headers| headers.args).collect();
    let words = |line: &str| words(line);
    assert_eq!(args, [words("--cfg a -O --edition=2021 -g"), words("--cfg b --edition=2021 -g")]);
    assert_eq!(Headers::revisions("fn main() {}", Trust::AllowList), [Headers::default()]);
}

#[test]
fn what_cannot_be_followed_is_named() {
    let headers = Headers::parse("//@ aux-bin:a.rs\n//@ some-thing\n//@ a remark: this");
    assert_eq!(Vec::from_iter(&headers.unsupported), ["aux-bin"]);
    assert_eq!(Vec::from_iter(&headers.unknown), ["some-thing"]);
}

#[test]
fn other_crates_are_named_by_their_files() {
    let headers = Headers::parse("//@ aux-build:a-b.rs\n//@ proc-macro: x/b-c.rs\n//@ aux-crate: priv:d=e.rs");
    let crates = headers.crates.iter().map(|it| (&*it.file, it.name.as_deref(), it.is_proc_macro));
    let expected = [("a-b.rs", None, false), ("x/b-c.rs", Some("b_c"), true), ("e.rs", Some("d"), false)];
    assert_eq!(crates.collect::<Vec<_>>(), expected);
}

/// Checks what is refused of headers, and that what is not is followed.
#[track_caller]
fn check_refused(text: &str, args: &str, refused: &[&str]) {
    let headers = Headers::revisions(text, Trust::AllowList);
    let told: Vec<String> = headers.iter().flat_map(|it| &it.refused).map(ToString::to_string).collect();
    assert_eq!(told, refused);
    assert_eq!(headers[0].args, words(args));
    let trusted = Headers::revisions(text, Trust::Everything);
    assert!(trusted.iter().all(|headers| headers.refused.is_empty()));
}

#[test]
fn what_would_reach_out_is_refused_by_line_and_name() {
    check_refused(
        "fn main() {}\n//@ compile-flags: -O -Clinker=./evil -g -o x\n",
        "-O -g",
        &["line 2: `//@ compile-flags`: `-Clinker=./evil`", "line 2: `//@ compile-flags`: `-o x`"],
    );
    check_refused(
        "//@ compile-flags: -C\n//@ compile-flags: lto",
        "",
        &["line 1: `//@ compile-flags`: `-C`", "line 2: `//@ compile-flags`: `lto`"],
    );
    check_refused("//@ rustc-env: LD_PRELOAD=./x.so", "", &["line 1: `//@ rustc-env`: `LD_PRELOAD=./x.so`"]);
    check_refused("//@ unset-rustc-env:PATH", "", &["line 1: `//@ unset-rustc-env`: `PATH`"]);
    check_refused("//@ revisions: @file", "", &["line 1: `//@ revisions`: `@file`"]);
    check_refused("//@ revisions: a -o\n", "--cfg a", &["line 1: `//@ revisions`: `-o`"]);
    check_refused("//@[x] compile-flags: -Clinker=./evil", "", &[]);
}

#[test]
fn a_refusal_hides_nothing_from_a_terminal() {
    let refused = Headers::parse("//@ compile-flags: -o\u{1b}[8m/x").refused;
    let told: Vec<String> = refused.iter().map(ToString::to_string).collect();
    assert_eq!(told, [r"line 1: `//@ compile-flags`: `-o\u{1b}[8m/x`"]);
}

#[test]
fn other_lines_say_nothing() {
    for text in [
        "",
        "// compile-flags: -O",
        "//@ check-pass",
        "//@[a] compile-flags: -O",
        "//@ known-bug: #1",
        "//@ ignore-windows",
        "//@ only-x86_64 because of this",
        "//@ rustc-env:A",
    ] {
        check(text, &[], &[]);
    }
}
