//! `cargo mcve`: packages with real cargo, none of which needs anything from elsewhere.

mod commands;
mod confined;
mod dependencies;
mod documentation;
mod foreign;
mod macros;
mod modes;
mod options;
mod questions;
mod red;
mod regressions;
mod shown;
mod tests;
mod variables;
mod vendor;

use std::path::Path;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

/// The command.
const BINARY: &str = env!("CARGO_BIN_EXE_cargo-mcve");

/// A package with these files, in a folder that is no part of a workspace.
fn package(files: &[(&str, &str)]) -> TestFolder {
    let place = TestFolder::new(BINARY);
    let manifest = "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    place.write("Cargo.toml", manifest);
    for (path, text) in files {
        place.write(path, text);
    }
    place
}

/// What `cargo mcve` says, which changes and makes no file of the package.
#[track_caller]
fn run(place: &TestFolder, args: &[&str], exit: Exit) -> Said {
    let before = sources(place.root());
    let said = place.run(&[&["mcve"], args].concat(), exit);
    assert_eq!(sources(place.root()), before);
    said
}

/// The sources, manifests and lock files of a folder, results aside.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(sources(&path));
        } else if !path.to_string_lossy().contains("_mcve")
            && path.extension().is_some_and(|end| end == "rs" || end == "toml" || end == "lock")
        {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).expect("it is text")));
        }
    }
    found.sort();
    found
}

/// Copies a folder into another one.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("it can be made");
    for entry in std::fs::read_dir(from).expect("it is a folder") {
        let path = entry.expect("it can be read").path();
        let to = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() && !path.ends_with("target") {
            copy(&path, &to);
        } else if path.is_file() {
            std::fs::copy(&path, to).expect("it can be copied");
        }
    }
}

#[test]
fn a_crash_that_needs_pieces_of_three_crates_becomes_one_file() {
    let place = TestFolder::new(BINARY);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/packages/walker"), place.root());
    let said = run(&place, &["--offline"], Exit::Done);
    for words in ["package: walker 0.1.0, lib `walker`, ", "3 dependencies; `cargo check` fails", "checked: "] {
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }
    let result = place.read("walker_mcve.rs");
    assert!(mcve_transforms::Measure::of(&result).tokens <= 80, "{result}");
    let command = said.see_it().expect("it is shown").to_owned();
    assert!(!command.contains("--extern") && !command.contains("target"), "{command}");
    let seen = Said::by(place.command("sh").args(["-c", &command]));
    assert!(seen.stderr.contains("mir/statement.rs:894"), "{}", seen.stderr);
}

#[test]
fn stages_are_told_to_other_programs() {
    let place = package(&[
        ("src/lib.rs", "use part::Thing;\npub fn f(thing: Thing) -> u16 { thing }\n"),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", "pub struct Thing;\npub struct Other;\n"),
    ]);
    let manifest = format!("{}[dependencies]\npart = {{ path = \"part\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said = run(&place, &[&["check", "--message-format", "json"], brief()].concat(), Exit::Done);
    let events = said.events();
    let is_of_stage = |event: &&serde_json::Value| event["event"].as_str().is_some_and(|name| name.contains("stage"));
    let told: Vec<String> = events.iter().filter(is_of_stage).map(ToString::to_string).collect();
    let [first, .., last] = &told[..] else { panic!("{told:?}") };
    assert_eq!(first, r#"{"dependencies":["part"],"event":"stage-started","stage":"crate"}"#);
    assert!(last.contains("stage-ended") && last.contains(r#""taken":true"#), "{told:?}");
}

/// Writes a file beside the manifest.
const BUILD: &str = "fn main() {\n    if let Err(error) = std::fs::write(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/made.rs\"), \"\") {\n        eprintln!(\"{error}\");\n        std::process::exit(1)\n    }\n}\n";

#[test]
fn a_build_script_writes_to_its_own_folder_only() {
    let place = package(&[("src/lib.rs", ""), ("build.rs", BUILD)]);
    let said = run(&place, &[], Exit::NotFailing);
    let denied = ["Permission denied", "Read-only file system"];
    assert!(denied.iter().any(|words| said.stderr.contains(words)), "{}", said.stderr);
    for words in ["cargo and what it runs were in a sandbox", "--writable PATH"] {
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }
    let said = place.run(&["mcve", "--writable", "."], Exit::NotFailing);
    assert!(said.stderr.contains("there is no failure to keep"), "{}", said.stderr);
    assert!(place.root().join("made.rs").exists());
}

const LIBRARY: &str = "//! Numbers.\nmod sum;\npub use sum::ends;\npub fn unused() -> u8 { 1 }\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn two_ends() { assert_eq!(ends(&[1, 2, 3]), 4); }\n    #[test]\n    fn one_cell() { let cells = [4]; assert_eq!(unused(), 1); assert_eq!(ends(&cells), 8); }\n}\n";

const SUM: &str = "/// The sum of both ends.\npub fn ends(cells: &[u32]) -> u32 {\n    let mut sum = 0;\n    for (at, cell) in cells.iter().enumerate() {\n        if at == 0 || at == cells.len() - 1 { sum += cell; }\n    }\n    sum\n}\n";

#[test]
fn a_test_that_fails_becomes_a_file_with_the_function_that_is_wrong() {
    let place = package(&[("src/lib.rs", LIBRARY), ("src/sum.rs", SUM)]);
    let said = run(&place, &["test", "one_cell"], Exit::Done);
    assert!(said.stderr.contains("tests of `walk`, "), "{}", said.stderr);
    assert!(said.stderr.contains("the test `tests::one_cell` fails"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("fn ends(") && result.contains("#[test]") && result.contains('8'), "{result}");
    assert!(!result.contains("unused") && !result.contains("two_ends") && !result.contains("mod sum"), "{result}");
}

#[test]
fn a_test_without_a_harness_is_a_program() {
    let test = "fn main() {\n    assert_eq!(walk::unused(), 1);\n    assert_eq!(walk::ends(&[4]), 8);\n}\n";
    let place = package(&[("src/lib.rs", LIBRARY), ("src/sum.rs", SUM), ("tests/own.rs", test)]);
    let manifest = place.read("Cargo.toml");
    place.write("Cargo.toml", format!("{manifest}[[test]]\nname = \"own\"\nharness = false\n"));
    let said = run(&place, &[&["test"][..], brief(), &["--test", "own"]].concat(), Exit::Done);
    assert!(said.stderr.contains("bin `own`, 1 file, 1 dependency; `cargo test` fails"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("fn ends(") && result.contains("fn main(") && result.contains('8'), "{result}");
    assert!(!result.contains("unused") && !result.contains("extern"), "{result}");
}

#[test]
fn a_file_that_is_kept_stays_as_it_is() {
    let place = package(&[("src/lib.rs", LIBRARY), ("src/sum.rs", SUM)]);
    run(&place, &[&["test"][..], brief(), &["one_cell", "--keep", "src/sum.rs"]].concat(), Exit::Done);
    let result: String = place.read("walk_mcve.rs").split_whitespace().collect();
    for line in SUM.lines().skip(1) {
        assert!(result.contains(&line.split_whitespace().collect::<String>()), "{line} is not in {result}");
    }
    assert!(!result.contains("unused") && !result.contains("two_ends"), "{result}");
    let said = run(&place, &["test", "--keep", "src/product.rs"], Exit::Usage);
    assert!(said.stderr.contains("nothing in the package is called src/product.rs"), "{}", said.stderr);
}

#[test]
fn a_library_that_is_kept_is_a_dependency_of_the_result() {
    let test = "#[test]\nfn one_cell() { let cells = [4]; assert_eq!(walk::unused(), 1); assert_eq!(walk::ends(&cells), 8); }\n";
    let place = package(&[("src/lib.rs", LIBRARY), ("src/sum.rs", SUM), ("tests/ends.rs", test)]);
    let said = run(&place, &[&["test"][..], brief(), &["--test", "ends", "--keep", "src/lib.rs"]].concat(), Exit::Done);
    let manifest = place.read("walk_mcve/Cargo.toml");
    assert!(manifest.contains("[dependencies.walk]") && manifest.contains("path = \"walk\""), "{manifest}");
    assert!(place.read("walk_mcve/walk/src/sum.rs").contains("fn ends"), "{}", said.stderr);
    let result = place.read("walk_mcve/ends.rs");
    assert!(result.contains("walk::ends") && !result.contains("unused") && !result.contains("fn ends"), "{result}");
    let command = said.see_it().expect("it is shown").to_owned();
    assert_eq!(command, "cd walk_mcve && cargo test --lib one_cell");
    let seen = Said::by(place.command("sh").args(["-c", &command]));
    assert!(seen.stdout.contains("one_cell ... FAILED"), "{}", seen.all());
}

#[test]
fn a_test_in_documentation_and_what_it_tests() {
    let library = "//! Numbers.\n\n/// Doubles.\n///\n/// ```\n/// # use walk::double;\n/// assert_eq!(double(2), 5);\n/// ```\npub fn double(n: u32) -> u32 { helper(n) }\nfn helper(n: u32) -> u32 { n * 2 }\npub fn unused() {}\n";
    let place = package(&[("src/lib.rs", library)]);
    let said = run(&place, &[&["test"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("of the documentation fails"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("fn main()") && result.contains("* 2") && !result.contains("unused"), "{result}");
}

#[test]
fn files_that_a_test_reads_are_taken_along() {
    let test = "#[test]\nfn sums() { let text = std::fs::read_to_string(\"data/numbers.txt\").unwrap(); let sum: i32 = text.lines().map(|line| line.parse().unwrap_or(0)).sum(); assert_eq!(sum, 7); }\n";
    let place = package(&[("src/lib.rs", ""), ("tests/it.rs", test), ("data/numbers.txt", "1\n2\nx3\nx4\n")]);
    run(&place, &[&["test"], brief()].concat(), Exit::Done);
    let data = place.read("walk_mcve/data/numbers.txt");
    assert!(data.lines().count() <= 2, "{data}");
}

#[test]
fn a_macro_of_a_crate_of_its_own_is_replaced_by_what_it_makes() {
    let place = package(&[
        ("src/main.rs", "use make::Answer;\n#[derive(Answer)]\nstruct S;\nfn main() { assert_eq!(S.answer(), 42); }\n"),
        (
            "make/Cargo.toml",
            "[package]\nname = \"make\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nproc-macro = true\n",
        ),
        (
            "make/src/lib.rs",
            "use proc_macro::TokenStream;\n#[proc_macro_derive(Answer)]\npub fn answer(_: TokenStream) -> TokenStream { \"impl S { fn answer(&self) -> u8 { self.half() * 2 } fn half(&self) -> u8 { 20 } }\".parse().unwrap() }\n",
        ),
    ]);
    let manifest = format!("{}[dependencies]\nmake = {{ path = \"make\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said = run(&place, &[&["run"], brief()].concat(), Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(!result.contains("make") && !result.contains("derive") && result.contains("20"), "{result}");
    assert!(!said.see_it().expect("it is shown").contains("--extern"), "{}", said.stderr);
}

#[test]
fn the_same_command_goes_on_after_an_interrupt() {
    let place = TestFolder::new(BINARY);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/packages/walker"), place.root());
    let args = [&["--offline", "--message-format", "json"], brief()].concat();
    let mut running = place.start(&[&["mcve"], &args[..]].concat());
    running.wait_for("gained", 2);
    running.interrupt();
    let again = run(&place, &args, Exit::Done).last_event();
    assert_eq!(again["ending"], "complete");
    assert!(again["recalled"].as_u64() > Some(0), "{again}");
    assert!(!place.path("target/mcve/state").exists());
}

#[test]
fn what_cannot_be_used_is_said() {
    let place = TestFolder::new(BINARY);
    let said = place.run(&["mcve"], Exit::Input);
    assert!(said.stderr.contains("could not find `Cargo.toml`"), "{}", said.stderr);

    let place = package(&[("src/lib.rs", "pub fn f() {}\n#[test]\nfn t() {}\n")]);
    let said = run(&place, &[], Exit::NotFailing);
    let passed = "there is no failure to keep: `cargo check`, `cargo build`, `cargo test` passed";
    assert!(said.stderr.contains(passed), "{}", said.stderr);
    // Where cargo refuses to run, its own message is shown.
    let said = run(&place, &["-p", "other"], Exit::NotFailing);
    assert!(said.stderr.contains("`other`"), "{}", said.stderr);
    let said = run(&place, &["nothing"], Exit::Usage);
    assert!(
        said.stderr.contains("`nothing` is no file") && said.stderr.contains("`cargo mcve test nothing`"),
        "{}",
        said.stderr
    );

    let manifest = format!("{}[dependencies]\nno-such-crate-anywhere = \"1\"\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said = run(&place, &["--offline"], Exit::NotFailing);
    assert!(said.stderr.contains("no-such-crate-anywhere"), "{}", said.stderr);
}

/// A build script that never ends.
const ENDLESS: &str = "fn main() { loop { std::thread::park() } }\n";

#[test]
fn an_interrupt_ends_cargo() {
    let place = package(&[("src/lib.rs", ""), ("build.rs", ENDLESS)]);
    let mut running = place.start(&["mcve", "check", "--message-format", "json"]);
    // That of `cargo update`, and that of `cargo check`.
    running.wait_for("note", 2);
    running.interrupt();
    assert!(!place.path("Cargo.lock").exists());
}

#[test]
fn a_spent_budget_ends_cargo() {
    let place = package(&[("src/lib.rs", ""), ("build.rs", ENDLESS)]);
    // It doubles until it is enough for the beginning of the build on this machine.
    let mut budgets = (1..12).map(|power| (1 << power).to_string());
    let said = budgets.find_map(|budget| {
        let said = run(&place, &["check", "--budget", &budget], Exit::OutOfTime);
        Some(said).filter(|said| said.stderr.contains("`cargo check` runs"))
    });
    let said = said.expect("some budget is enough");
    let words = ["the budget was spent before there was a result: what cargo built took", "the same command goes on"];
    said.says(&words);
}

#[test]
fn a_lock_file_that_somebody_makes_meanwhile_stays() {
    let place = package(&[("src/lib.rs", "pub fn other() {}\npub fn f() -> u8 { \"\" }\n")]);
    let mut running = place.start(&[&["mcve", "check", "--message-format", "json"], brief()].concat());
    running.wait_for("stage-started", 1);
    // cargo does not run any more.
    assert!(!place.path("Cargo.lock").exists());
    place.write("Cargo.lock", "# mine\n");
    assert_eq!(running.end().0, Some(0));
    assert_eq!(place.read("Cargo.lock"), "# mine\n");
}

#[test]
fn a_lock_file_that_lacks_a_package_is_as_it_was_afterwards() {
    let place = package(&[
        ("src/lib.rs", "pub fn f() -> u8 { part::one(); \"\" }\n"),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", "pub fn one() {}\n"),
    ]);
    let lock = "version = 4\n\n[[package]]\nname = \"walk\"\nversion = \"0.1.0\"\n";
    place.write("Cargo.lock", lock);
    let manifest = format!("{}[dependencies]\npart = {{ path = \"part\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said = run(&place, &[&["check"][..], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("E0308"), "{}", said.stderr);
    assert_eq!(place.read("Cargo.lock"), lock);
    let said = run(&place, &["check", "--locked"], Exit::NotFailing);
    assert!(said.stderr.contains("--locked was passed"), "{}", said.stderr);
}

#[test]
fn the_command_of_a_package_has_the_arguments_of_its_program_and_quotes() {
    let place = package(&[
        ("src/main.rs", "fn main() { if std::env::args().nth(1).as_deref() == Some(\"a b\") { part::fail(1) } }\n"),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", "pub fn fail(n: u8) { assert_eq!(n, 2) }\n"),
    ]);
    let manifest = format!("{}[dependencies]\npart = {{ path = \"part\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said = run(
        &place,
        &[&["run"][..], brief(), &["--keep-package", "-o", "my walk_mcve.rs", "--", "a b"]].concat(),
        Exit::Done,
    );
    let command = said.see_it().expect("it is shown").to_owned();
    assert_eq!(command, "cd 'my walk_mcve' && cargo run -- 'a b'");
    let seen = Said::by(place.command("sh").args(["-c", &command]));
    assert!(seen.stderr.contains("panicked"), "{}", seen.all());
}

#[test]
fn a_test_that_is_ignored_is_reduced_where_that_is_asked_for() {
    let library = LIBRARY.replace("#[test]\n    fn one_cell", "#[test]\n    #[ignore]\n    fn one_cell");
    let place = package(&[("src/lib.rs", &library), ("src/sum.rs", SUM)]);
    place.write("my results/keep", "");
    let said = run(
        &place,
        &[&["test"][..], brief(), &["-o", "my results/walk_mcve.rs", "--", "--ignored"]].concat(),
        Exit::Done,
    );
    assert!(said.stderr.contains("the test `tests::one_cell` fails"), "{}", said.stderr);
    let command = said.see_it().expect("it is shown").to_owned();
    assert!(command.contains("'my results/walk_mcve.rs'"), "{command}");
    let seen = Said::by(place.command("sh").args(["-c", &command]));
    assert!(seen.stdout.contains("one_cell"), "{}", seen.all());
}

#[test]
fn all_targets_and_all_packages_are_cargos() {
    let place = package(&[
        ("src/lib.rs", ""),
        ("examples/show.rs", "fn main() { let n: u8 = \"\"; }\n"),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", "pub fn f() -> u8 { g }\n"),
    ]);
    let manifest = format!("{}members = [\"part\"]\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said = run(&place, &[&["check"][..], brief(), &["--workspace", "--exclude", "walk"]].concat(), Exit::Done);
    assert!(said.stderr.contains("package: part 0.1.0"), "{}", said.stderr);
    let said = run(&place, &[&["check"][..], brief(), &["--all-targets"]].concat(), Exit::Done);
    assert!(said.stderr.contains("bin `show`"), "{}", said.stderr);
    let said = run(&place, &["check", "adds"], Exit::Usage);
    assert!(said.stderr.contains("`cargo mcve check` takes no name"), "{}", said.stderr);
}

#[test]
fn what_is_missing_has_the_exit_code_of_mcve() {
    let place = package(&[("src/lib.rs", "")]);
    let said = run(&place, &["typo.rs"], Exit::Input);
    assert!(said.stderr.contains("cannot read typo.rs"), "{}", said.stderr);
    run(&place, &["+no-such-toolchain", "check"], Exit::Check);
    let mut command = place.command(BINARY);
    command.args(["mcve", "check"]).env("PATH", place.path("bin")).env_remove("CARGO");
    let said = Said::by(&mut command).exits(Exit::Check);
    assert!(said.stderr.contains("there is no program `cargo` in `PATH`"), "{}", said.stderr);
}
