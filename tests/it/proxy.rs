//! Which rustc the checks of scripts and commands run where the one in `PATH` is a proxy of rustup. The proxy and the
//! compilers are scripts that write down who was called.

use std::os::unix::fs::symlink;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

/// A proxy that knows where the compiler is and writes down all other calls.
const PROXY: &str = r#"#!/bin/sh
case "$*" in
    show*) echo "${RUSTUP_TOOLCHAIN-default} (a reason)" ;;
    +*--print*) echo "$PLACE/it's ${1#+}" ;;
    *) echo "proxy $1 ${RUSTUP_TOOLCHAIN-default}" >> "$PLACE/log"; grep -q needle "$PLACE/a.rs" ;;
esac
"#;

/// A compiler that finds its failure wherever there is a needle, and has no advice for who asks for it.
const COMPILER: &str = r#"#!/bin/sh
case "$*" in *--error-format=json* | -vV) exit 1 ;; esac
echo "$0 ${1#"$PWD/"}" >> "$PLACE/log"
grep -q needle "$1"
"#;

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// A folder with the proxy, its toolchains and an input.
fn place() -> TestFolder {
    let place = TestFolder::new(BINARY);
    place.write_script("bin/rustup", PROXY);
    symlink("rustup", place.path("bin/rustc")).expect("it can be made");
    for toolchain in ["default", "nightly"] {
        place.write_script(format!("it's {toolchain}/bin/rustc"), COMPILER);
    }
    place.write("a.rs", "fn needle() {} fn other() {}");
    place
}

/// Who was called by the checks of `mcve ARGS`, each once.
#[track_caller]
fn check(args: &[&str], expected: &[&str]) {
    let place = place();
    // They write down what they do outside of the folders of checks.
    let (toolchain, args) = args.split_at(usize::from(args[0].starts_with('+')));
    let mut command = place.mcve(&[toolchain, &["--writable", "."], args].concat());
    command.env("PATH", place.path_with_bin()).env_remove("RUSTUP_TOOLCHAIN");
    Said::by(&mut command).exits(Exit::Done);
    let root = place.root().to_str().expect("it is text");
    let mut calls: Vec<String> = place.read("log").lines().map(|call| call.replace(root, "DIR")).collect();
    calls.sort();
    calls.dedup();
    assert_eq!(calls, expected);
}

#[test]
fn scripts_call_the_compiler_itself() {
    check(&["a.rs", "--test", "rustc $1"], &["DIR/it's default/bin/rustc a.rs"]);
    check(&["+nightly", "a.rs", "--test", "rustc $1"], &["DIR/it's nightly/bin/rustc a.rs"]);
}

#[test]
fn scripts_that_ask_for_a_toolchain_get_it_from_the_proxy() {
    check(&["a.rs", "--test", "grep -q needle $1 && rustc +beta $1"], &["proxy +beta default"]);
    check(&["a.rs", "--test", "grep -q needle $1 && RUSTUP_TOOLCHAIN=beta rustc -"], &["proxy - beta"]);
    check(&["+nightly", "a.rs", "--test", "grep -q needle $1 && rustc +beta $1"], &["proxy +beta nightly"]);
}

#[test]
fn commands_are_the_compiler_itself_unless_they_ask_for_a_toolchain() {
    check(&["a.rs", "--exit-code", "0", "--", "rustc"], &["DIR/it's default/bin/rustc a.rs"]);
    let args = ["a.rs", "--force", "--exit-code", "0", "--only", "lines", "--", "rustc", "+beta"];
    check(&args, &["proxy +beta default"]);
}
