//! The kinds of failure that are asked for by name, and the conditions that hold besides, with the real tools.

use std::path::PathBuf;
use std::process::Command;

use crate::reduced::{holds, lacks, place, reduce, reduce_to_the_end};
use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

/// Another compiler of Debian's package, or the one that the variable names; none if there is none.
fn other_rustc() -> Option<PathBuf> {
    let named = std::env::var_os("MCVE_OTHER_RUSTC").map(PathBuf::from);
    let rustc = named.unwrap_or_else(|| "/usr/bin/rustc".into());
    let version = Command::new(&rustc).arg("--version").output().ok()?;
    let is_old = String::from_utf8_lossy(&version.stdout).starts_with("rustc 1.63");
    if !is_old {
        println!("skipped: {} is no rustc 1.63, which Debian's package `rustc` has", rustc.display());
    }
    is_old.then_some(rustc)
}

/// A program whose sum overflows, which is a panic in a debug build only.
const OVERFLOW: &str = r#"
struct Table { rows: Vec<u8>, name: String }
impl Table {
    fn sum(&self) -> u8 { let mut sum = 0u8; for row in &self.rows { sum += row; } sum }
    fn title(&self) -> String { format!("<{}>", self.name) }
}
fn read(text: &str) -> Vec<u8> { text.split(' ').map(|word| word.parse().unwrap_or(0)).collect() }
fn main() {
    let table = Table { rows: read("100 100 100"), name: String::from("t") };
    println!("{}", table.title());
    println!("{}", table.sum());
}
"#;

#[test]
fn what_one_way_of_compiling_accepts_and_another_does_not() {
    let (said, left) = reduce(OVERFLOW, &["--run", "--passes-with", "-O"]);
    said.says(&["failure: panic in `sum`: attempt to add with overflow; `rustc --edition=2024 -O` accepts it"]);
    holds(&left, &["+="]);
    lacks(&left, &["title"]);
    let (said, _) =
        reduce(OVERFLOW, &["--fails-with", "-Coverflow-checks=on -O", "--passes-with", "-Coverflow-checks=off"]);
    said.says(&["attempt to add with overflow"]);
    let said = place(OVERFLOW).run(&["a.rs", "--run", "--passes-with", "-Copt-level=0"], Exit::NotFailing);
    said.says(&["the failure is there, and this does not hold", "it fails there as well"]);
    let args = ["a.rs", "--run", "--passes-with", "-Copt-level=high"];
    place(OVERFLOW)
        .run(&args, Exit::NotFailing)
        .says(&["it does not compile there: error: optimization level needs to be"]);
    let said = place(OVERFLOW).run(&["a.rs", "--run", "--passes-with", "no-such-rustc"], Exit::Check);
    said.says(&["no-such-rustc"]);
}

#[test]
fn a_regression_between_two_compilers() {
    let Some(other) = other_rustc() else { return };
    let other = other.to_str().expect("it is text");
    let text = "fn old(x: &u8) -> String { format!(\"{x:?}\") }\nfn new() -> Option<u8> { let Some(x) = Some(3) else { return None }; Some(x) }\nfn main() { println!(\"{} {:?}\", old(&1), new()); }\n";
    let (said, left) = reduce(text, &["--fails-with", other, "--passes-with", "rustc"]);
    // It knows no edition 2024.
    said.says(&["error E0658", "accepts it", "--edition=2021"]);
    holds(&left, &["else {"]);
    lacks(&left, &["old", "println"]);
    let (said, _) = reduce("fn f() { x }\nfn main() { f() }", &["--fails-with", "rustc", "--fails-with", other]);
    said.says(&["error E0425"]);
}

#[test]
fn another_compiler_that_reports_the_same_warning_does_not_accept_the_program() {
    // Of three such warnings the other way of compiling shares the first, and the last.
    let text = r#"
fn step(n: u32) -> u32 { n + 1 }
fn main() {
    let mut size = 0;
    size = step(1);
    println!("{size}");
    let mut last = 0;
    for n in 1..4 { if step(n) > 2 { last = n; } }
    #[cfg(later)]
    println!("{last}");
    let mut end = step(1);
    println!("{end}");
    end = 3;
}
"#;
    let lint = ["--lint", "unused_assignments", "--passes-with", "--cfg later"];
    let (said, left) = reduce_to_the_end(text, &lint);
    let said = said
        .says(&["value assigned to `last` is never read; `rustc --edition=2024 --crate-type=lib --cfg later` accepts it without it"]);
    holds(&left, &["#[cfg(later)]"]);
    assert!(!said.stderr.contains("cannot tell"), "{}", said.stderr);
    for (line, exit) in [("8", Exit::Done), ("4", Exit::NotFailing), ("13", Exit::NotFailing)] {
        let said = place(text).run(&[&["a.rs", "--at", line][..], &lint, brief()].concat(), exit);
        let is_shared = said.stderr.contains("unused_assignments is reported there as well");
        assert_eq!(is_shared, exit == Exit::NotFailing, "{}", said.stderr);
    }
    // Another compiler may point elsewhere, in the same words.
    let place = place(text);
    let script = r#"#!/bin/sh
case "$*" in *.rs*) rustc "$@" 2>&1 | sed 's/"byte_start":[0-9]*,"byte_end":[0-9]*/"byte_start":0,"byte_end":1/g' >&2 ;; *) exec rustc "$@" ;; esac
"#;
    place.write_script("other", script);
    let args = ["a.rs", "--sandbox", "off", "--lint", "unused_assignments", "--passes-with", "./other"];
    place.run(&args, Exit::NotFailing).says(&["unused_assignments is reported there as well"]);
}

#[test]
fn a_lint_alone_is_right_or_wrong() {
    let check = |text: &str, lint: &str, words: &str| reduce(text, &["--lint", lint]).0.says(&[words]);
    check(
        "fn main() { let mut n = 1; n = 2; print!(\"{n}\"); }",
        "unused_assignments",
        "cannot tell a right warning from",
    );
    check("fn main() { let mut n = 1; print!(\"{n}\"); }", "unused_mut", "--suggestion fails");
}

/// The old value of `last` prints when another one takes its place.
#[test]
fn a_run_shows_that_a_lint_is_wrong() {
    let text = r#"
struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { println!("{} ends", self.0); } }
fn step(n: u32) -> u32 { n + 1 }
fn main() {
    let mut last = Loud("first");
    println!("{} {}", last.0, step(1));
    last = Loud("second");
    std::process::exit(0);
}
"#;
    let (said, left) = reduce(text, &["--lint", "unused_assignments"]);
    said.says(&[
        "a run contradicts the lint: without what it marks, the program does something else; so does the result",
    ]);
    holds(&left, &["impl Drop"]);
    lacks(&left, &["step"]);
    let said =
        place(text).run(&[&["a.rs", "--lint", "unused_assignments", "--sandbox", "off"], brief()].concat(), Exit::Done);
    said.says(&["mcve cannot tell a right warning from a wrong one"]);
}

#[test]
fn conditions_may_be_negated() {
    let text = "fn f(v: &mut Vec<u8>) { let a = &mut *v; let b = &mut *v; a.push(1); b.push(2); }\nfn g() -> u8 { \"x\" }\nfn main() { f(&mut vec![]); g(); }";
    let (_, left) = reduce(text, &["--code", "E0308", "--not", "code=E0425"]);
    holds(&left, &["-> u8"]);
    lacks(&left, &["push"]);
    place(text).run(&["a.rs", "--code", "E0308", "--not", "code=E0308"], Exit::NotFailing).says(&["does not hold"]);
    place(text).run(&["a.rs", "--not", "E0308"], Exit::Usage).says(&["KIND=VALUE"]);
}

#[test]
fn a_script_may_have_conditions() {
    let text = "fn f() -> u8 { 1 }\nfn g() {}\nfn main() { println!(\"{}\", f()); g(); }\n";
    let (said, left) = reduce(text, &["--test", "grep -q println \"$1\"", "--passes-with", "2021"]);
    said.says(&["accepts it"]);
    holds(&left, &["fn main()", "println"]);
}

#[test]
fn a_program_that_hangs_is_held_to_its_loop() {
    let text = r#"
struct Counter { count: u64, step: u64 }
impl Counter {
    fn bump(&mut self) { self.count = (self.count + self.step) % 100; }
    fn wait(&mut self) { while self.count != 101 { self.bump(); } }
    fn quick(&self) { while self.count > 0 { println!("{}", self.step) } }
}
fn main() {
    let mut counter = Counter { count: 0, step: 3 };
    counter.quick();
    counter.wait();
}
"#;
    let (said, left) = reduce(text, &["--run", "--hang", "1s"]);
    said.says(&["failure: the program does not end in 1s of processor time, it hangs in a loop of `wait`"]);
    holds(&left, &["while self.count != 101", "bump"]);
    lacks(&left, &["quick", "println"]);
    place("fn main() {}").run(&["a.rs", "--run", "--hang", "1s"], Exit::NotFailing).says(&["it ends"]);
}

#[test]
fn a_compiler_that_takes_long_or_much() {
    let text = "const fn fib(n: u32) -> u64 { if n < 2 { 1 } else { fib(n - 1) + fib(n - 2) } }\nconst BIG: u64 = fib(26);\nfn other() -> u8 { 3 }\nfn main() { println!(\"{} {}\", BIG, other()); }\n";
    let (said, left) = reduce(text, &["--slower-than", "4x"]);
    said.says(&["failure: rustc takes more than 4 times what an empty program takes"]);
    lacks(&left, &["println", "other"]);
    let text = "fn many(n: usize) -> Vec<Vec<u8>> { (0..n).map(|i| vec![i as u8; 1 << 20]).collect() }\nfn other() -> u8 { 3 }\nfn main() { println!(\"{}\", many(100).len()); other(); }\n";
    let (said, left) = reduce(text, &["--run", "--memory-above", "64M"]);
    said.says(&["failure: the program has more than 64 MiB of memory"]);
    lacks(&left, &["other"]);
    let said = place(text).run(&["a.rs", "--run", "--memory-above", "1G"], Exit::NotFailing);
    said.says(&["it does not show what was asked for", "MiB"]);
}

#[test]
fn a_slow_program_gets_no_new_errors() {
    let text = "const fn fib(n: u32) -> u64 { if n < 2 { 1 } else { fib(n - 1) + fib(n - 2) } }\nconst BIG: u64 = fib(24);\nfn word() -> u8 { \"text\" }\nfn main() { println!(\"{}\", BIG); }\n";
    let used = "s of a processor";
    let (said, left) = reduce(text, &["--slower-than", "4x"]);
    said.says(&[
        "the input takes ",
        "; an empty program takes ",
        "  message",
        used,
        "MiB; an empty program takes ",
        "(the input: ",
    ]);
    holds(&left, &["fn main() {"]);
    lacks(&left, &["println"]);
    let (said, left) = reduce(text, &["--slower-than", "4x", "--allow-errors"]);
    said.says(&[used]);
    lacks(&left, &["main"]);
}

#[test]
fn what_a_program_prints_or_expands_to() {
    let (said, left) = reduce(&OVERFLOW.replace("100 100 100", "1 2 4"), &["--prints", "7"]);
    said.says(&["failure: the program prints `7`"]);
    lacks(&left, &["title"]);
    let text = "macro_rules! make { ($($name:ident),*) => { $( fn $name() -> u8 { 1 } )* } }\nmake!(alpha, beta);\nfn main() { println!(\"{}\", alpha()); }\n";
    let (said, left) = reduce_to_the_end(text, &["--expands-to", "fn beta"]);
    said.says(&["failure: the program expands to `fn beta`"]);
    lacks(&left, &["alpha", "println"]);
    place(text).run(&["a.rs", "--expands-to", "fn gamma"], Exit::NotFailing).says(&["something else"]);
}

#[test]
fn a_program_that_does_something_else_in_another_way() {
    let text = "fn level() -> u8 { if cfg!(debug_assertions) { 2 } else { 1 } }\nfn other() -> u8 { 3 }\nfn main() { println!(\"{}\", level()); other(); }\n";
    let (said, left) = reduce(text, &["--differs", "-O"]);
    said.says(&["failure: it behaves in two ways, by `rustc --edition=2024` and by `rustc --edition=2024 -O`"]);
    holds(&left, &["debug_assertions"]);
    lacks(&left, &["other"]);
    let (_, left) = reduce(text, &["--differs", "cat {} | wc -c", "--prints", "2"]);
    holds(&left, &["2"]);
    place(text).run(&["a.rs", "--differs", "-g"], Exit::NotFailing).says(&["it behaves the same"]);
}

#[test]
fn a_program_that_waits_for_ever_hangs_and_one_that_runs_for_ever_is_another() {
    let text = "use std::sync::Mutex;\nfn other() -> u8 { 3 }\nfn main() {\n    let bank = Mutex::new(1);\n    println!(\"{}\", other());\n    let first = bank.lock().unwrap();\n    let second = bank.lock().unwrap();\n    println!(\"{first} {second}\");\n}\n";
    let place = place(text);
    let args = [&["a.rs"], brief(), &["--run", "--hang", "1s"]].concat();
    let said = place.run_cleanly(&args, Exit::Done);
    said.says(&["failure: the program waits for something that does not come: nothing of it runs for 1s"]);
    let left = place.read("a_mcve.rs");
    assert_eq!(left.matches("bank.lock()").count(), 2, "{left}");
    lacks(&left, &["loop", "other"]);
    // A pause is no end.
    place.write("a.rs", "fn main() { std::thread::sleep(std::time::Duration::from_millis(200)) }\n");
    place.run(&["a.rs", "--run", "--hang", "4s"], Exit::NotFailing).says(&["it ends"]);
}

#[test]
fn a_compiler_that_hangs_is_waited_for_a_part_of_the_time() {
    let text = "#![allow(long_running_const_eval)]\npub fn other() -> u8 { 3 }\npub const G: u64 = loop {};\npub fn more() {}\n";
    let place = place(text);
    let args = ["a.rs", "--only", "items", "--jobs", "1", "--hang", "3s", "--message-format", "json"];
    let said = place.run_cleanly(&args, Exit::Done);
    let events = said.events();
    let reasons: Vec<_> = events.iter().filter_map(|event| event["reason"].as_str()).collect();
    assert!(reasons.contains(&"it most likely takes too long"), "{reasons:?}");
    // What is written is confirmed with the full time.
    assert!(events.iter().all(|event| event["event"] != "shortcut-closed"), "{}", said.stdout);
    let left = place.read("a_mcve.rs");
    holds(&left, &["loop {}"]);
    lacks(&left, &["fn"]);
}

#[test]
fn clippy_and_rustdoc_are_compilers() {
    let text = "fn f(v: Vec<u32>) -> u32 { let mut t = 0; for i in 0..v.len() { t += v[i]; } return t; }\nfn g(x: &String) -> usize { x.len() }\nfn main() { println!(\"{} {}\", f(vec![1]), g(&String::new())); }\n";
    let (said, left) = reduce(text, &["--tool", "clippy", "--lint", "clippy::needless_range_loop"]);
    said.says(&["failure: warning clippy::needless_range_loop: ", "clippy-driver"]);
    holds(&left, &["for i in"]);
    lacks(&left, &["String", "println"]);
    let text = "//! A crate, see [`Missing`].\n\n/// Does it. See [`Thing::nothing`].\npub fn f() {}\npub struct Thing { pub a: u8 }\nimpl Thing { pub fn new() -> Self { Thing { a: 1 } } }\n";
    let (said, left) = reduce(text, &["--tool", "rustdoc", "--lint", "rustdoc::broken_intra_doc_links"]);
    said.says(&["rustdoc --edition=2024"]);
    lacks(&left, &["impl"]);
}

#[test]
fn a_formatter_may_spoil_a_program() {
    // The comment behind the last arm moves at the second time.
    let text = "fn f(x: u8) -> u8 { x + 1 }\nfn main() {\n    match f(1) {\n        2 => { println!(\"two\"); },\n        _ => {\n        },\n        // nothing else\n    }\n}\n";
    let (said, left) = reduce(text, &["--tool", "rustfmt"]);
    said.says(&["failure: rustfmt writes something else when it formats what it wrote"]);
    holds(&left, &["match", "//"]);
    lacks(&left, &["println"]);
    place("fn main() {}\n").run(&["a.rs", "--tool", "rustfmt"], Exit::NotFailing).says(&["the tool does well"]);
}

/// Starts mcve where `bin` of the place stands before all else in `PATH`.
fn run_with_tools(place: &TestFolder, args: &[&str]) -> Said {
    Said::by(place.mcve(args).env("PATH", place.path_with_bin()))
}

#[test]
fn a_tool_that_is_not_installed_is_named() {
    for tool in ["miri", "rust-analyzer"] {
        let name = std::path::Path::new(tool);
        let beside = mcve_testing::shell::rustc().with_file_name(name);
        if beside.is_file() || mcve_reduce::exec::programs::installed(name.as_os_str()).is_some() {
            println!("skipped: {tool} is installed");
            continue;
        }
        let place = place("fn main() {}");
        // One of rustup's proxies has nothing behind it.
        place.write_script("bin/rustup", "#!/bin/sh\nexit 1\n");
        std::os::unix::fs::symlink("rustup", place.path("bin").join(name)).expect("it can be made");
        let said = run_with_tools(&place, &["a.rs", "--tool", tool]);
        said.exits(Exit::Check).says(&[&format!("{tool} is not installed: `rustup component add {tool}`")]);
    }
}

#[test]
fn a_tool_in_path_need_not_be_of_the_toolchain() {
    if mcve_testing::shell::rustc().with_file_name("rust-analyzer").is_file() {
        return println!("skipped: the toolchain has a rust-analyzer of its own");
    }
    let place = place("struct Kept;\nstruct Other;\nfn main() {}\n");
    place.write_script(
        "bin/rust-analyzer",
        "#!/bin/sh\n[ $1 = highlight ] && grep -q 'struct Kept' || exit 0\necho \"thread 'main' panicked at a.rs:1:2:\ncannot highlight\" >&2\nexit 101\n",
    );
    let said = run_with_tools(&place, &["a.rs", "--tool", "rust-analyzer"]);
    let words =
        ["failure: rust-analyzer panics at a.rs:1:2: cannot highlight", "rust-analyzer highlight < a_mcve.rs > "];
    said.exits(Exit::Done).says(&words);
    assert_eq!(place.read("a_mcve.rs"), "struct Kept;\n");
}

#[test]
fn a_lint_is_there_in_two_editions() {
    let text = "fn f(x: u32) -> u32 { let mut y = x; y }\nfn other() {}\nfn main() { f(3); other(); }\n";
    let (said, left) = reduce(text, &["--lint", "unused_mut", "--fails-with", "2018", "--fails-with", "2021"]);
    said.says(&["failure: warning unused_mut: variable does not need to be mutable; warning unused_mut: "]);
    holds(&left, &["let mut"]);
    let args = ["a.rs", "--lint", "dead_code", "--fails-with", "2018", "--fails-with", "2021"];
    place(text).run(&args, Exit::NotFailing).says(&["it does not show what was asked for"]);
}

#[test]
fn a_crash_in_another_crate_is_counted_run_by_run() {
    let place = place("//@ aux-build: x.rs\nextern crate x;\nfn other() {}\nfn main() { other() }\n");
    let crash = "pub fn a<T>() where *const T: std::ops::Add<usize> { 0 as *const T + 0; }\n";
    place.write("auxiliary/x.rs", crash);
    let said = place.run(&["a.rs", "--runs", "2/3", "--only", "items"], Exit::Done);
    said.says(&["internal compiler error"]);
}

/// The command by which a program is seen not to fail. What it does when a shell runs it is the exit code.
struct ByHand {
    place: TestFolder,
    line: String,
}

impl ByHand {
    #[track_caller]
    fn of(place: TestFolder, args: &[&str]) -> Self {
        let said = place.run(&[&["a.rs"], args].concat(), Exit::NotFailing);
        let (_, line) = said.stderr.split_once("to see it by hand: ").expect("a command is printed");
        let line = line.to_owned();
        Self { place, line }
    }

    #[track_caller]
    fn exits(&self, code: i32) {
        let said = Said::by(self.place.command("sh").args(["-c", &self.line]));
        assert_eq!(said.code(), Some(code), "{}: {}", self.line, said.all());
    }
}

#[test]
fn the_printed_command_compares_programs_of_several_files() {
    let text = "//@ aux-build: x.rs\nextern crate x;\nmod m;\nfn main() { println!(\"{}\", x::level() + m::one()); }\n";
    let place = place(text);
    place.write("auxiliary/x.rs", "pub fn level() -> u8 { std::hint::black_box(1) }\n");
    place.write("m.rs", "pub fn one() -> u8 { 1 }\n");
    let by_hand = ByHand::of(place, &["--differs", "-O"]);
    by_hand.exits(0);
    by_hand.place.write("auxiliary/x.rs", "pub fn level() -> u8 { std::hint::black_box(255) }\n");
    by_hand.exits(1);
    by_hand.place.write("m.rs", "pub fn two() -> u8 { 1 }\n");
    by_hand.exits(1);
}

#[test]
fn the_printed_comparison_is_two_calls_of_rustc_and_a_diff() {
    let place = place("#![feature(never_type)]\nfn main() { if cfg!(debug_assertions) { std::process::exit(3) } }\n");
    let args = [&["a.rs"], brief(), &["--differs", "-O"]].concat();
    let said = Said::by(place.mcve(&args).env("RUSTC_BOOTSTRAP", "1")).exits(Exit::Done);
    said.clone().says(&["they print:", "< exit code 3", "> exit code 0"]);
    let line = said.see_it().expect("a command is printed");
    let call = "RUSTC_BOOTSTRAP=1 rustc --edition=2024";
    let (first, second) = (format!("{call} a_mcve.rs -o \"$d\"/1"), format!("{call} -O a_mcve.rs -o \"$d\"/2"));
    assert!(line.contains(&first) && line.contains(&second) && line.len() < 400, "{line}");
    let by_hand = Said::by(place.command("sh").args(["-c", line]));
    assert_eq!(by_hand.stdout, "2c2\n< exit code 3\n---\n> exit code 0\n", "{}", by_hand.stderr);
}

#[test]
fn the_printed_command_formats_programs_of_several_files() {
    let place = place("mod m;\nfn main() {\n    m::f();\n}\n");
    place.write("m.rs", "pub fn f() -> u8 {\n    1\n}\n");
    let by_hand = ByHand::of(place, &["--tool", "rustfmt"]);
    by_hand.exits(0);
    let spoilt = "mod m;\nfn main() {\n    match m::f() {\n        2 => { println!(\"two\"); },\n        _ => {\n        },\n        // nothing else\n    }\n}\n";
    by_hand.place.write("a.rs", spoilt);
    let shown = Said::by(by_hand.place.command("sh").args(["-c", &by_hand.line]));
    assert!(shown.stdout.contains("Diff in"), "{}: {}", by_hand.line, shown.all());
}

#[test]
fn the_printed_command_sets_the_variables_that_a_kind_needs() {
    let text = "#![feature(never_type)]\npub fn f() -> ! { panic!(\"ended\") }\nfn other() {}\nfn main() { other(); let x: ! = f(); }\n";
    for args in [&["--lint", "unused_variables"][..], &["--run"], &["--prints", "ended"]] {
        let place = place(text);
        let args = [&["a.rs"], brief(), args].concat();
        let said = Said::by(place.mcve(&args).env("RUSTC_BOOTSTRAP", "1").env("RUST_MIN_STACK", "9000000"));
        let said = said.exits(Exit::Done);
        let line = said.see_it().expect("a command is printed");
        assert!(line.contains("RUSTC_BOOTSTRAP=1") && !line.contains("RUST_MIN_STACK"), "{line}");
    }
}
