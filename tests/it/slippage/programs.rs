//! Runs plain rustc and mcve on one of the programs, in the environment of a fresh shell.

use std::path::Path;

use mcve_testing::{Said, TestFolder};

/// A folder with the program of this name.
#[track_caller]
pub(crate) fn place(name: &str) -> TestFolder {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/slippage/programs");
    place.write(name, std::fs::read(programs.join(name)).expect("the program is there"));
    place
}

/// The words behind each of the headers `//@ name:` of a program.
fn headers(text: &str, name: &str) -> Vec<String> {
    let start = format!("//@ {name}: ");
    let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
    lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// What plain rustc says of the program as its headers ask for, with these `--cfg`, in this form of the diagnostics.
pub(crate) fn rustc(place: &TestFolder, file: &str, without: &[&str], form: &str) -> String {
    let text = place.read(file);
    let mut command = place.command("rustc");
    command.args(headers(&text, "edition").iter().map(|edition| format!("--edition={edition}")));
    command.args(headers(&text, "compile-flags")).args(without.iter().map(|name| format!("--cfg={name}")));
    command.args(["--out-dir", "tmp", form, file]).env("RUSTC_ICE", "0").env("RUST_BACKTRACE", "0");
    for variable in headers(&text, "rustc-env") {
        let (name, value) = variable.split_once('=').expect("the header sets a variable");
        command.env(name, value);
    }
    Said::by(&mut command).stderr
}

/// What a shell says on standard error when a line is pasted into it.
pub(crate) fn paste(place: &TestFolder, line: &str) -> String {
    Said::by(place.command("sh").args(["-c", line])).stderr
}

/// Reduces the program, with these options of mcve's and arguments of rustc's.
pub(crate) fn reduce(place: &TestFolder, file: &str, options: &[&str], rest: &[&str]) -> Said {
    let args = [file, "-j1", "--message-format", "json", "-o", "small.rs"];
    Said::by(&mut place.mcve(&[&args[..], options, &["--"], rest].concat()))
}
