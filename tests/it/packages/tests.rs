//! Tests that fail: what else is a test goes first, the command runs just the one that fails, and the profile that passes is held.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

use super::package;

/// A ring that forgets what it holds, with tests and documentation.
const RING: &str = r#"//! A ring.
//!
//! ```
//! assert!(walk::Ring::of(1).items().is_empty());
//! ```

/// The last items.
///
/// ```
/// let mut ring = walk::Ring::of(2);
/// ring.push(1);
/// assert_eq!(ring.items(), [1]);
/// ```
pub struct Ring { items: Vec<u32>, start: usize, size: usize }

impl Ring {
    /// An empty one.
    pub fn of(size: usize) -> Self { Self { items: Vec::new(), start: 0, size } }
    /// Adds an item.
    pub fn push(&mut self, item: u32) {
        if self.items.len() < self.size {
            self.items.push(item);
        } else {
            self.items[self.start] = item;
            self.start = (self.start + 1) % (self.size - 1);
        }
    }
    /// The oldest first.
    pub fn items(&self) -> Vec<u32> {
        let (newer, older) = self.items.split_at(self.start);
        [older, newer].concat()
    }
}
"#;

/// Tests by the name `name`, of which only the last fails.
fn tests(name: &str) -> String {
    let passing = (1..8).map(|n| {
        format!("#[test]\nfn {name}_{n}() {{\n    let mut ring = Ring::of({n} + 1);\n    ring.push({n});\n    assert_eq!(ring.items(), [{n}]);\n}}\n")
    });
    let failing = format!(
        "#[test]\nfn {name}_forgets() {{\n    let mut ring = Ring::of(3);\n    (0..5).for_each(|n| ring.push(n));\n    assert_eq!(ring.items(), [2, 3, 4]);\n}}\n"
    );
    passing.chain([failing]).collect()
}

/// Runs a command of a shell.
fn shell(place: &TestFolder, command: &str) -> Said {
    Said::by(place.command("sh").args(["-c", command]))
}

/// Checks that the first steps leave one test and no documentation, that the result is one file with that test, and that the command
/// for it runs just that and passes with the change that is shown.
#[track_caller]
fn check_alone(place: &TestFolder, name: &str) {
    let args = ["test", "--message-format", "json", "--only", "items,attrs,stmts,files,crates"];
    let said = super::run(place, &args, Exit::Done);
    let gained: Vec<_> = said.events().into_iter().filter(|event| event["event"] == "gained").take(2).collect();
    let steps = gained.iter().map(|event| event["steps"].to_string()).collect::<String>();
    assert!(steps.contains("delete-item") && steps.contains("delete-doc"), "{steps}");
    let checks: Vec<u64> = gained.iter().filter_map(|event| event["checks"].as_u64()).collect();
    assert_eq!(checks[1], checks[0] + 1, "{gained:?}");
    let result = place.read("walk_mcve.rs");
    assert_eq!((result.matches("#[test]").count(), result.matches("//").count()), (1, 0), "{result}");
    let end = said.last_event();
    let command = end["command"].as_str().expect("it is text");
    let seen = shell(place, command);
    assert!(
        seen.stdout.contains("running 1 test\n") && seen.stdout.contains(&format!("{name} ... ")),
        "{}",
        seen.all()
    );
    assert!(!seen.is_success(), "{}", seen.all());
    if let Some(passing) = end["pass"].as_str() {
        place.write("walk_mcve.rs", passing);
        assert!(shell(place, command).is_success(), "{passing}");
    }
}

#[test]
fn other_tests_of_a_library_go_first() {
    let tests = tests("own");
    let library = format!("{RING}#[cfg(test)]\nmod tests {{\nuse super::*;\n{tests}}}\n");
    check_alone(
        &package(&[("src/lib.rs", &library), ("tests/it.rs", &format!("use walk::*;\n{}", self::tests("it")))]),
        "own_forgets",
    );
}

#[test]
fn other_tests_from_outside_go_first_and_the_library_is_a_module() {
    let tests = format!("use walk::*;\n{}", tests("it"));
    let library = format!(
        "{RING}#[cfg(test)]\nmod tests {{ #[test] fn empty() {{ assert!(crate::Ring::of(1).items().is_empty()); }} }}\n"
    );
    check_alone(&package(&[("src/lib.rs", &library), ("tests/it.rs", &tests)]), "it_forgets");
}

#[test]
fn the_command_of_a_package_runs_the_failing_test_alone() {
    let tests = tests("it");
    let place = package(&[("src/lib.rs", RING), ("tests/it.rs", &format!("use walk::*;\n{tests}"))]);
    let said = super::run(&place, &[&["test", "--keep-package"], brief()].concat(), Exit::Done);
    let command = said.see_it().expect("it is shown");
    assert_eq!(command, "cd walk_mcve && cargo test --lib it_forgets");
    let seen = shell(&place, command);
    assert!(seen.stdout.contains("running 1 test\n") && !seen.is_success(), "{}", seen.all());
}

/// A queue that is only changed where assertions for debugging are checked.
const QUEUE: &str = "pub struct Queue(Vec<u32>);\nimpl Queue {\n    pub fn of(items: &[u32]) -> Self { Self(items.to_vec()) }\n    pub fn advance(&mut self) { debug_assert!(self.0.pop().is_some()); }\n    pub fn rest(&self) -> u32 { self.0.iter().sum() }\n}\npub fn unused() {}\n";

/// Checks that a failure that only shows with `--release` is that in the result, too, which is one file.
#[track_caller]
fn check_release(path: &str, text: &str, args: &[&str]) {
    let place = package(&[("src/lib.rs", QUEUE), (path, text)]);
    let said = super::run(&place, &[args, &["--release"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("-Copt-level=0 -Cdebug-assertions=on"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("debug_assert!") && !result.contains("unused"), "{result}");
    let (fails, passes) = said.see_it().and_then(|shown| shown.split_once("; ")).expect("both are shown");
    assert!(!shell(&place, fails).is_success() && shell(&place, passes).is_success(), "{}", said.stderr);
}

#[test]
fn what_the_other_profile_shows_is_held() {
    let body = "let mut queue = Queue::of(&[1, 2]); queue.advance(); assert_eq!(queue.rest(), 1);";
    check_release("src/main.rs", &format!("use walk::*;\nfn main() {{ {body} }}\n"), &["run"]);
    check_release("tests/it.rs", &format!("use walk::*;\n#[test]\nfn rest() {{ {body} }}\n"), &["test", "rest"]);
}

#[test]
fn what_both_profiles_show_is_held_for_neither() {
    let place = package(&[
        ("src/lib.rs", QUEUE),
        ("tests/it.rs", "#[test]\nfn rest() { assert_eq!(walk::Queue::of(&[1]).rest(), 2); }\n"),
    ]);
    let said = super::run(&place, &[&["test", "--release"], brief()].concat(), Exit::Done);
    assert!(!said.stderr.contains("-Cdebug-assertions"), "{}", said.stderr);
}

/// A library whose numbers have no letter `f`.
const DIGITS: &str = "fn value(digit: u8) -> Option<u32> {\n    match digit {\n        b'0'..=b'9' => Some(u32::from(digit - b'0')),\n        b'a'..=b'e' => Some(u32::from(digit - b'a') + 10),\n        _ => None,\n    }\n}\npub fn number(text: &str) -> Option<u32> {\n    let mut sum = 0;\n    for digit in text.bytes() { sum = sum * 16 + value(digit)?; }\n    Some(sum)\n}\n";

#[test]
fn a_call_of_a_private_function_becomes_the_test_with_the_assertions_of_std() {
    let tests = "use pretty_assertions::assert_eq;\n#[test]\nfn letters() { assert_eq!(crate::digits::number(\"1f\"), Some(31)); }";
    let place = package(&[
        ("src/lib.rs", &format!("pub mod digits;\n#[cfg(test)]\nmod tests {{\n{tests}\n}}\n")),
        ("src/digits.rs", DIGITS),
        ("pretty/Cargo.toml", "[package]\nname = \"pretty_assertions\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        (
            "pretty/src/lib.rs",
            "#[macro_export]\nmacro_rules! assert_eq { ($one:expr, $other:expr) => { if $one != $other { panic!(\"they differ\") } }; }\n",
        ),
    ]);
    let manifest =
        format!("{}[dev-dependencies]\npretty_assertions = {{ path = \"pretty\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said = super::run(&place, &[&["test"], brief()].concat(), Exit::Done);
    said.says(&["carved: `value(102)` gives `None` in place of `Some(15)`", "with this change it passes:"]);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("b'a'..=b'e'") && result.contains("assert_eq!(value(102)"), "{result}");
    assert!(!result.contains("number") && !result.contains("pretty"), "{result}");
}
