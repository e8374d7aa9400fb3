//! Which failure is reduced, which input is refused and why, and that the command that mcve prints shows the failure in a
//! fresh shell. All with the real rustc.

mod checks;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use checks::{paste, reduces, reduces_to_the_end, refuses, run};
use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

/// A folder, in the environment of somebody who has just opened a shell.
fn place() -> TestFolder {
    TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"))
}

/// A program with an error of types.
const WRONG_TYPE: &str =
    "fn helper(x: u8) -> u8 { x + 1 }\nfn main() { let x: u8 = \"\"; println!(\"{}\", helper(x)); }\n";

/// Makes the first error a crash, in every version.
const CRASH: &str = "//@ compile-flags: -Ztreat-err-as-bug=1\n";

/// Checks that a file is refused.
#[track_caller]
fn refuses_file(text: &str, words: &[&str]) {
    let place = place();
    place.write("a.rs", text);
    refuses(&place, &["a.rs"], Exit::Input, words);
}

#[test]
fn a_file_that_is_not_all_of_its_program_is_refused() {
    refuses_file("mod x;\nmod y { mod z; }\nfn main() {}", &["the file of the module `x` is not there", "module `z`"]);
    refuses_file(
        "use semver::Version;\nfn main() {}",
        &["the crate `semver` is not known to rustc", "--extern semver="],
    );
    refuses_file("fn main() { regex::Regex::new(\"\"); }", &["the crate `regex` is not known", "--force"]);
    refuses_file("extern crate semver;\nfn main() {}", &["the crate `semver` is not known"]);
    refuses_file("#![feature(never_type)]\nfn main() {}", &["mcve +nightly"]);
    refuses_file("const A: &str = include_str!(\"no.txt\");\nfn main() {}", &["the file `no.txt` is not there"]);
    refuses_file("const A: &str = env!(\"NO_SUCH\");\nfn main() {}", &["the variable `NO_SUCH` is not set"]);
}

#[test]
fn force_reduces_it_all_the_same() {
    let place = place();
    place.write("a.rs", "use semver::Version;\nfn f() {}\nfn main() { f() }");
    reduces(&place, &["a.rs", "--force"], &[], "E0432", "a_mcve.rs");
}

#[test]
fn several_tests_that_fail_are_counted() {
    let place = place();
    place.write("a.rs", "#[test] fn a() { assert!(false) }\n#[test] fn b() {}\n#[test] fn c() { assert!(false) }\n");
    let said = place.run(&["a.rs"], Exit::Done);
    said.says(&["2 tests fail, of which the first is kept", "the test `a` fails"]);
    assert!(!place.run(&["a.rs", "--test-name", "c"], Exit::Done).stderr.contains("tests fail, of which"));
}

#[test]
fn a_crash_is_reduced_whatever_the_program_lacks() {
    let place = place();
    place.write("a.rs", format!("{CRASH}mod x;\nfn main() {{}}"));
    let said = reduces(&place, &["a.rs"], &[("RUSTC_BOOTSTRAP", "1")], "internal compiler error", "a_mcve.rs");
    assert!(said.stderr.contains("failure: internal compiler error"), "{}", said.stderr);
}

#[test]
fn the_edition_is_that_of_the_package_or_else_the_newest_with_the_fewest_errors() {
    let text = "async fn f() {}\nfn g() -> u8 { \"\" }\nfn main() { f(); let x: u8 = g(); }\n";
    let place = place();
    place.write("a.rs", text);
    place.write("p/Cargo.toml", "[package]\nname = \"p\"\nedition = \"2018\"\n");
    place.write("p/src/main.rs", text);
    let said = reduces(&place, &["a.rs"], &[], "E0308", "a_mcve.rs");
    assert!(said.stderr.contains("edition: 2024, the newest one"), "{}", said.stderr);
    let said = reduces(&place, &["p/src/main.rs"], &[], "E0308", "p/src/main_mcve.rs");
    assert!(said.stderr.contains("edition: 2018, as ") && said.stderr.contains("p/Cargo.toml says"), "{}", said.stderr);
    // Given, it is not chosen.
    let said = reduces(&place, &["a.rs", "--", "--edition", "2021"], &[], "E0308", "a_mcve.rs");
    assert!(!said.stderr.contains("edition: "), "{}", said.stderr);
}

#[test]
fn errors_that_only_an_old_edition_has_are_no_failure() {
    let place = place();
    place.write("a.rs", "async fn f() {}\nfn main() { f(); }\n");
    refuses(&place, &["a.rs"], Exit::NotFailing, &["a.rs compiles (edition 2024)"]);
    place.write("a.rs", "fn f() { let async = 1; }\nfn main() { f() }\n");
    refuses(
        &place,
        &["a.rs"],
        Exit::NotFailing,
        &["a.rs compiles (edition 2015)", "as edition 2024 it does not", "-- --edition 2024"],
    );
}

/// Since edition 2021 a closure holds only the fields that it names.
#[test]
fn an_error_that_only_new_editions_have_is_kept() {
    let place = place();
    place.write(
        "a.rs",
        "struct Sent { at: *mut u8, name: String }\nunsafe impl Send for Sent {}\nfn send<T: Send>(_: T) {}\n\
         fn main() {\n    let sent = Sent { at: &mut 1, name: String::from(\"a\") };\n    println!(\"{}\", sent.name);\n    \
         send(move || println!(\"{:?}\", sent.at));\n}\n",
    );
    let said = reduces(&place, &["a.rs"], &[], "E0277", "a_mcve.rs");
    said.says(&["edition: 2024, the newest one in which the file fails; it compiles as edition 2018"]);
    assert!(place.read("a_mcve.rs").contains("unsafe impl Send for Sent"));
}

#[test]
fn what_is_no_rust_is_refused_without_a_check() {
    let place = place();
    place.write("Cargo.toml", "[package]\nname = \"p\"\nversion = \"1.0.0\"\n");
    refuses(&place, &["Cargo.toml"], Exit::Input, &["Cargo.toml is not Rust", "--test SCRIPT"]);
    place.run(&["Cargo.toml", "--test", "grep -q version $1"], Exit::Done);
    assert_eq!(place.read("Cargo_mcve.toml"), "version");
}

#[test]
fn a_check_that_accepts_anything_is_refused() {
    let place = place();
    place.write("a.rs", WRONG_TYPE);
    let refuses = |args: &[&str], words: &[&str]| refuses(&place, &[&["a.rs"], args].concat(), Exit::Usage, words);
    refuses(&["--test", "true"], &["accepts an empty file", "(it printed nothing)"]);
    refuses(&["--test", "! cargo test --lib"], &["accepts an empty file", "could not find `Cargo.toml`"]);
    refuses(
        &["--test", "echo said; grep -q 'fn main() {}' $1 || grep -q helper $1"],
        &["accepts `fn main() {}`", "said"],
    );
    refuses(&["--exit-code", "0", "--", "rustfmt", "--quiet", "--emit", "stdout", "{}"], &["accepts an empty file"]);
}

#[test]
fn a_check_that_accepts_anything_is_used_by_force() {
    let place = place();
    place.write("a.rs", WRONG_TYPE);
    let said = run(&place, &["a.rs", "--force", "--test", "true"], &[]);
    assert_eq!((said.code(), place.read("a_mcve.rs").trim()), (Some(0), ""));
}

#[test]
fn headers_that_are_not_followed_are_named() {
    let place = place();
    place.write("a.rs", format!("//@ some-header: 1\n//@ known-bug: #1\n//@ ignore-windows\n{WRONG_TYPE}"));
    let said = reduces_to_the_end(&place, &["a.rs"], &[], "E0308", "a_mcve.rs");
    assert!(said.stderr.contains("headers that mcve does not follow: `//@ some-header`\n"), "{}", said.stderr);
    assert!(!place.read("a_mcve.rs").contains("//@"), "{}", place.read("a_mcve.rs"));
    place.write("b.rs", format!("//@ aux-build: c.rs\n//@ proc-macro: d.rs\n{WRONG_TYPE}"));
    let said = run(&place, &["b.rs"], &[]);
    assert_eq!(said.code(), Some(Exit::Input.code().into()));
    assert!(
        said.stderr.contains("needs other crates, and their files are not all there: c.rs, d.rs"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_revision_that_crashes_is_found() {
    let place = place();
    let headers = "//@ revisions: good bad\n//@[bad] compile-flags: -Ztreat-err-as-bug=1\n";
    place.write("a.rs", format!("{headers}#[cfg(good)] fn f() {{}}\nfn main() {{ f() }}\n"));
    let said =
        reduces_to_the_end(&place, &["a.rs"], &[("RUSTC_BOOTSTRAP", "1")], "internal compiler error", "a_mcve.rs");
    // The flag is needed, the name of the revision is not.
    let line = said.see_it().expect("it is told");
    assert!(line.contains("-Ztreat-err-as-bug") && !line.contains("--cfg"), "{line}");
}

#[test]
fn a_check_that_does_not_end_is_told() {
    let place = place();
    place.write_script(
        "rustc.sh",
        "#!/bin/sh\ncase \"$*\" in *a.rs*) exec tail -f /dev/null ;; esac\nexec rustc \"$@\"\n",
    );
    place.write("a.rs", WRONG_TYPE);
    refuses(&place, &["a.rs", "--timeout", "1s", "--rustc", "./rustc.sh"], Exit::NotFailing, &["did not end in 1s"]);
    let test = ["a.rs", "--timeout", "1s", "--test", "exec tail -f /dev/null"];
    refuses(&place, &test, Exit::NotFailing, &["did not end in 1s"]);
}

#[test]
fn a_compiler_that_ends_oddly_is_told_with_its_words() {
    let place = place();
    place.write_script(
        "rustc.sh",
        "#!/bin/sh\ncase \"$*\" in *a.rs*) echo odd thing >&2; exit 3 ;; esac\nexec rustc \"$@\"\n",
    );
    place.write("a.rs", WRONG_TYPE);
    let odd = ["`./rustc.sh` ended with exit code 3", "odd thing"];
    refuses(&place, &["a.rs", "--rustc", "./rustc.sh"], Exit::NotFailing, &odd);
    refuses(
        &place,
        &["a.rs", "--", "--bogus"],
        Exit::NotFailing,
        &["ended with exit code 1", "Unrecognized option: 'bogus'"],
    );
    refuses(&place, &["a.rs", "--", "--edition=2077"], Exit::NotFailing, &["argument for `--edition` must be one of"]);
    place.write("b.rs", "fn main() {}");
    refuses(&place, &["b.rs"], Exit::NotFailing, &["b.rs compiles"]);
}

#[test]
fn an_error_is_found_in_the_middle_of_many_warnings_and_on_a_long_line() {
    let place = place();
    let warnings = |name: &str| (0..600).map(|n| format!("fn {name}{n}() {{ let x{n} = {n}; }}\n")).collect::<String>();
    place.write("a.rs", format!("{}fn bad() -> u8 {{ \"\" }}\n{}fn main() {{}}\n", warnings("f"), warnings("g")));
    reduces(&place, &["a.rs"], &[], "E0308", "a_mcve.rs");
    place.write("b.rs", format!("fn main() {{ let s = \"{}\"; let x: u8 = s; }}", "x".repeat(300_000)));
    reduces(&place, &["b.rs"], &[], "E0308", "b_mcve.rs");
}

#[test]
fn odd_names_of_files_do_not_matter() {
    let place = place();
    for (name, given, result) in
        [("-x.rs", "./-x.rs", "-x_mcve.rs"), ("a b.c.rs", "a b.c.rs", "a_b_c_mcve.rs"), ("ä.rs", "ä.rs", "ä_mcve.rs")]
    {
        place.write(name, WRONG_TYPE);
        reduces(&place, &[given], &[], "E0308", result);
    }
}

#[test]
fn a_name_that_is_no_text_does_not_matter() {
    let place = place();
    let name = OsStr::from_bytes(b"n\xff.rs");
    place.write(name, WRONG_TYPE);
    Said::by(place.command("sh").args(["-c", "exec \"$0\" n*.rs", env!("CARGO_BIN_EXE_mcve")])).exits(Exit::Done);
    assert!(place.read("n__mcve.rs").contains("fn main"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_failure_that_comes_from_the_limit_of_memory_is_refused() {
    let place = place();
    place.write("a.rs", "struct A(A);\nfn main() {}\n");
    let words = ["comes from the limit of 20 MiB", "--memory", "--force"];
    refuses(&place, &["a.rs", "--memory", "20M"], Exit::NotFailing, &words);
    // Not pasted: with so little from its first moment on, rustc may also hang.
    let said = run(&place, &["a.rs", "--memory", "20M", "--force"], &[]);
    assert!(said.see_it().expect("it is told").starts_with("(ulimit -d 20480; "));
    // A limit that has nothing to do with it is in no command.
    let said = reduces(&place, &["a.rs", "--memory", "2G"], &[], "E0072", "a_mcve.rs");
    assert!(!said.see_it().expect("it is told").contains("ulimit"));
}

#[test]
fn a_compiler_is_called_as_a_person_would() {
    let place = place();
    place.write("a.rs", format!("#![feature(never_type)]\n{CRASH}{WRONG_TYPE}"));
    let env = [("RUSTC_BOOTSTRAP", "1"), ("RUST_MIN_STACK", "9000000"), ("SOURCE_DATE_EPOCH", "1")];
    let said = reduces(&place, &["a.rs"], &env, "internal compiler error", "a_mcve.rs");
    let line = said.see_it().expect("it is told");
    assert!(line.starts_with("RUSTC_BOOTSTRAP=1 rustc ") && line.ends_with(" a_mcve.rs"), "{line}");
    place.write("a.rs", WRONG_TYPE);
    let said = reduces(&place, &["a.rs"], &env, "E0308", "a_mcve.rs");
    let line = said.see_it().expect("it is told");
    assert!(line.starts_with("rustc "), "{line}");
}

#[test]
fn a_driver_is_run_as_itself() {
    let place = place();
    place.write("a.rs", "#![deny(clippy::all)]\nfn f() -> bool { true }\nfn main() { if f() == true { f(); } }\n");
    let args = ["a.rs", "--rustc", "clippy-driver"];
    let said = reduces(&place, &args, &[], "bool_comparison", "a_mcve.rs");
    assert!(said.see_it().expect("it is told").starts_with("clippy-driver "), "{}", said.stderr);
}

#[test]
fn the_command_of_a_script_or_command_shows_the_failure() {
    let place = place();
    place.write("a.rs", WRONG_TYPE);
    place.write_script("test.sh", "#!/bin/sh\nrustc --emit=metadata \"$1\" 2>&1 | grep E0308\n");
    for test in ["./test.sh", "rustc --emit=metadata a.rs 2>&1 | grep E0308"] {
        let said = reduces(&place, &["a.rs", "--test", test], &[], "E0308", "a_mcve.rs");
        paste(&place, said.see_it().expect("it is told")).exits(Exit::Done);
    }
    let args = ["a.rs", "--stderr", "E0308", "--", "rustc", "--emit=metadata", "{}"];
    let said = reduces(&place, &args, &[], "E0308", "a_mcve.rs");
    assert_eq!(said.see_it(), Some("rustc --emit=metadata a_mcve.rs"));
}

#[test]
fn a_check_that_varies_is_told_with_its_rate() {
    let place = place();
    // It fails in each run but the fourth.
    let count =
        "c=$(cat COUNT 2>/dev/null || echo 0); c=$((c + 1)); echo $c > COUNT; test $c -ne 4 && grep -q helper $1";
    let test = count.replace("COUNT", &place.path("count").display().to_string());
    place.write("a.rs", WRONG_TYPE);
    let said = run(&place, &["a.rs", "-j1", "--writable", ".", "--test", &test], &[]);
    assert!(said.stderr.contains("the failure is there in 89 of 90 runs"), "{}", said.stderr);
    assert_eq!(said.code(), Some(0));
    std::fs::remove_file(place.path("a_mcve.rs")).expect("it is there");
    std::fs::remove_file(place.path("count")).expect("it is there");
    refuses(
        &place,
        &["a.rs", "-j1", "--writable", ".", "--runs", "9", "--test", &test],
        Exit::Flaky,
        &["in 8 of 9 runs only"],
    );
    std::fs::remove_file(place.path("count")).expect("it is there");
    let said = run(&place, &["a.rs", "-j1", "--writable", ".", "--force", "--runs", "9", "--test", &test], &[]);
    assert!(said.stderr.contains("warning: the failure is there in 8 of 9 runs only"), "{}", said.stderr);
    assert_eq!(said.code(), Some(0));
}

#[test]
fn a_result_that_varies_is_told() {
    let place = place();
    // Once the program is small, it fails every second time.
    let script = "grep -q helper $1 || exit 1; test $(wc -c < $1) -gt 40 && exit 0; c=$(cat COUNT 2>/dev/null || echo 0); c=$((c + 1)); echo $c > COUNT; test $((c % 2)) -eq 1";
    let test = script.replace("COUNT", &place.path("count").display().to_string());
    place.write("a.rs", WRONG_TYPE);
    let said = run(&place, &["a.rs", "-j1", "--writable", ".", "--test", &test], &[]);
    assert!(said.stderr.contains("the result shows the failure in "), "{}", said.stderr);
    assert_eq!(said.code(), Some(Exit::Flaky.code().into()));
}

#[test]
fn several_failures_are_listed() {
    let place = place();
    let text = "fn f() -> u8 { \"\" }\nfn g() { let s = String::new(); drop(s); drop(s); }\nfn main() { f(); g(); }\n";
    place.write("a.rs", text);
    let said = reduces(&place, &["a.rs"], &[], "E0308", "a_mcve.rs");
    let lines = "of 2 that it shows:\n  error E0308: mismatched types (line 1)\n  error E0382: use of moved value: `s` (line 2)\n";
    assert!(said.stderr.contains(lines), "{}", said.stderr);
}

#[test]
fn a_printer_that_panics_is_not_heard() {
    let place = place();
    for text in [
        "extern \"C\" {\n    fn f() {}\n}\n",
        "#![feature(const_trait_impl)]\nconst trait A {}\n",
        "#![feature(decl_macro)]\nmacro m() { 1 }\n",
    ] {
        place.write("a.rs", format!("{text}fn g() -> u8 {{ \"\" }}\nfn main() {{ g(); }}\n"));
        reduces(&place, &["a.rs", "--code", "E0308"], &[("RUSTC_BOOTSTRAP", "1")], "E0308", "a_mcve.rs");
    }
}

#[test]
fn a_way_that_fails_by_its_own_options_is_no_way_around_a_crash() {
    // It is too old for the other trait solver, and crashes.
    let old = r#"case "$*" in
*-Znext-solver*) echo '{"message":"unknown unstable option: `next-solver`","code":null,"level":"error","spans":[],"children":[]}' >&2; exit 1 ;;
*.rs*) grep -q 'crashes.*-> usize' a.rs && { printf "thread 'rustc' panicked at compiler/rustc_x/src/y.rs:10:20:\nboom\n" >&2; exit 101; } ;;
esac"#;
    // The first ones that are tried do not accept the program.
    let other = "case \"$*\" in *.rs*) exec rustc \"$@\" --cfg other ;; esac";
    let text = "#[cfg(other)] compile_error!(\"it is another one\");\nfn size(all: &[u8]) -> usize { all.len() }\npub fn crashes(all: &[u8]) -> usize { size(all) + 1 }\n";
    let check = |others: &[&str], is_valid: bool| {
        let place = place();
        place.write("a.rs", text);
        for (name, before) in
            [("a-old", old), ("c-other", other), ("d-other", other), ("e-other", other), ("b-new", "")]
        {
            if name == "a-old" || others.contains(&name) {
                let script = format!("#!/bin/sh\n{before}\nexec rustc \"$@\"\n");
                place.write_script(format!("toolchains/{name}/bin/rustc"), &script);
            }
        }
        let said = place.run(&["a.rs", "--rustc", "toolchains/a-old/bin/rustc", "--sandbox", "off"], Exit::Done);
        let left = place.read("a_mcve.rs").replace("crashes", "f");
        place.write("left.rs", left);
        let compiled = place.command("rustc").args(["--crate-type=lib", "--emit=metadata", "left.rs"]).output();
        assert!(!is_valid || compiled.expect("rustc runs").status.success(), "{}", said.stderr);
        assert_eq!(said.stderr.contains("/b-new/bin/rustc"), is_valid, "{}", said.stderr);
        assert!(!said.stderr.contains("unknown unstable option"), "{}", said.stderr);
    };
    check(&["c-other", "d-other", "e-other", "b-new"], true);
    check(&[], false);
}

#[test]
fn an_error_that_comes_only_with_code_is_the_failure() {
    let check = |text: &str, words: &str, emit: &str| {
        let place = place();
        place.write("a.rs", text);
        let said = reduces(&place, &["a.rs"], &[], words, "a_mcve.rs");
        said.says(&["edition: 2024", emit]);
    };
    let deep = "struct Wrap<T>(T);\npub fn other() {}\nfn deep<T>(n: u32, t: T) -> u32 { if n == 0 { 0 } else { deep(n - 1, Wrap(t)) } }\n";
    let limit = "recursion limit while instantiating";
    check(&format!("{deep}fn main() {{ other(); deep(3, 1u8); }}\n"), limit, "--emit=obj");
    check(&format!("{deep}pub fn start() -> u32 {{ deep(3, 1u8) }}\n"), limit, "--crate-type=lib --emit=obj");
    let checked = "struct Check<const N: usize>;\nimpl<const N: usize> Check<N> { const LEFT: usize = 3 - N; }\nfn left<const N: usize>() -> usize { Check::<N>::LEFT }\npub fn other() {}\nfn main() { other(); left::<4>(); }\n";
    check(checked, "which would overflow", "--emit=obj");
    let undefined = "unsafe extern \"C\" { safe fn nowhere_to_be_found(); }\nfn other() {}\nfn main() { other(); nowhere_to_be_found(); }\n";
    check(undefined, "linking with", "see it");
}
