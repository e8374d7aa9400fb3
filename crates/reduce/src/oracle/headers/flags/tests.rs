//! Options that headers may have, and those that are refused.

use super::super::line::words;
use super::*;

#[track_caller]
fn check(line: &str, refused: &[&str]) {
    let words = words(line);
    let (allowed, found) = sort(&words);
    assert_eq!(found, refused, "{line}");
    if refused.is_empty() {
        assert_eq!(allowed, words);
    }
    // Nothing that is refused comes in by the words around it.
    assert_eq!(sort(&allowed).1, [""; 0], "{line}");
}

#[test]
fn what_runs_loads_and_writes_nothing_is_allowed() {
    for line in [
        "",
        "--edition=2021 --edition 2024 --crate-type=lib --crate-type lib --crate-name foo -O -g --test",
        "--cfg x --cfg 'feature=\"a/b\"' --check-cfg=cfg(a,values(\"/\"))",
        "-Awarnings -D unused --force-warn=unused --cap-lints allow",
        "-Copt-level=3 -C opt_level=3 --codegen lto --codegen=lto=fat -Cextra-filename=-x -Clinker-plugin-lto",
        "-Znext-solver -Z next_solver=globally -Zmir-enable-passes=+A,-B -Zunpretty=mir -Zcrate-attr=doc=\"/\"",
        "--emit=metadata,obj --emit mir --print=cfg --extern proc_macro --target x86_64-unknown-none",
        "-lfoo -l static:+verbatim=foo.a --remap-path-prefix=/a=b --env-set A=/b --error-format human",
    ] {
        check(line, &[]);
    }
}

#[test]
fn what_runs_something_is_refused() {
    for line in [
        "-Clinker=./evil",
        "-C linker=./evil",
        "--codegen linker=./evil",
        "--codegen=linker=./evil",
        "-Clinker-flavor=em",
        "-Clink-arg=-fuse-ld=/evil",
        "-C link_args=-Bevil",
        "-Zpre-link-arg=-wrapper",
        "-Zpre_link_args=-wrapper",
        "-Clinker-plugin-lto=evil.so",
        "-Cdlltool=evil",
        "-Cllvm-args=-load=/evil.so",
        "-Cpasses=x",
        "-Zcodegen-backend=evil",
        "-Zllvm-plugins=/evil.so",
        "-Zllvm_plugins=evil.so",
        "-Zoffload=Host=/evil",
        "-llink-arg=-wrapper",
        "-l link-arg:+verbatim=-wrapper",
        "-l x/../../y",
        "--extern x=/evil.so",
        "--extern=priv:x=libx.so",
        "-L .",
        "-L/evil",
        "--sysroot /evil",
        "--sysroot=evil",
        "--target evil.json",
        "--target=/evil",
    ] {
        check(line, &[line]);
    }
}

#[test]
fn what_writes_or_reads_elsewhere_is_refused() {
    for line in [
        "-o /home/x",
        "-o/home/x",
        "-go/home/x",
        "--o=/home/x",
        "--out-dir /home",
        "--out-dir=/home",
        "--emit=asm=/home/x",
        "--emit metadata,link=x",
        "--print=cfg=/home/x",
        "--crate-name=../x",
        "-Cextra-filename=/../../x",
        "-Cincremental=/home",
        "-Csave-temps",
        "-Cprofile-generate=/home",
        "-Cprofile-use=x",
        "-Zself-profile=/home",
        "-Zdump-mir-dir=..",
        "-Zdump-mir=all",
        "-Zprofile-closures",
        "-Zremark-dir=/home",
        "-Ztemps-dir=/home",
        "-Zls=root",
        "-Zunpretty=/x",
        "@argfile",
        "@shell:argfile",
        "-",
        "other.rs",
    ] {
        check(line, &[line]);
    }
    check("-- other.rs", &["-- other.rs"]);
}

#[test]
fn what_others_read_in_another_way_is_refused() {
    check("--cfg @file", &["--cfg", "@file"]);
    check("--cfg=@file", &[]);
    check("-A -o -O --cfg -Clinker=x", &["-A", "-o", "--cfg", "-Clinker=x"]);
    check("-C", &["-C"]);
    check("-Z -Clto", &["-Z"]);
    check("-C=linker=x", &["-C=linker=x"]);
    check("-gO", &["-gO"]);
    check("--test=x --tes", &["--test=x", "--tes"]);
    check("-O -o a -g", &["-o a"]);
    check("\u{e4}\u{f6}", &["\u{e4}\u{f6}"]);
}

#[test]
fn the_lists_are_in_order_and_each_name_stands_once() {
    for list in [CODEGEN, UNSTABLE] {
        let names: Vec<&str> = list.split_whitespace().collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{list}");
    }
}
