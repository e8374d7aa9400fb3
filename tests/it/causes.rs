//! The cause of a run that fails: it is found, held, and repaired.

use crate::reduced::{holds, lacks, place, reduce_to_the_end};
use mcve::cli::exit::Exit;
use mcve_testing::is_thorough;

/// A list that is not sorted makes the difference of two elements negative. A guarded `i - 1` stands beside it.
const UNSORTED: &str = "fn step(marks: &[u32], i: usize) -> u32 {
    let before = if i > 0 { marks[i - 1] } else { 0 };
    let now = marks[i];
    now - before
}
fn main() {
    let marks = [4, 9, 7, 12];
    let steps: Vec<u32> = (0..marks.len()).map(|i| step(&marks, i)).collect();
    println!(\"{steps:?}\");
}
";

#[test]
fn the_cause_is_the_data_that_fails() {
    let (said, left) = reduce_to_the_end(UNSORTED, &[]);
    said.says(&["failure: panic in `step`: attempt to subtract with overflow", "with this change it passes:"]);
    // The 9 that stands before a smaller number.
    holds(&left, &["fn step(marks: &[u32], i: usize)", "now - before", "9"]);
    if is_thorough() {
        let (said, left) = reduce_to_the_end(UNSORTED, &["--no-pair"]);
        assert!(!said.stderr.contains("it passes") && !left.contains('9'), "{left}");
    }
}

#[test]
fn the_cause_is_in_a_function_that_the_compiler_evaluates_too() {
    let text = r#"const fn width(mut n: u32) -> u32 {
    let mut w = 1;
    while n > 10 { n /= 10; w += 1; }
    w
}
const SHORT: u32 = width(5);
fn pad(n: u32, to: u32) -> String {
    let mut s = String::new();
    for _ in width(n)..to { s.push(' '); }
    s + &n.to_string()
}
fn main() {
    for n in [3, 12, 10, 250] { assert_eq!(pad(n, 3 + SHORT).len(), 4, "{n}"); }
}
"#;
    let (said, left) = reduce_to_the_end(text, &[]);
    said.says(&["kept as the cause: ", "it passes with `>=` in place of `>`", "with this change it passes:"]);
    holds(&left, &["fn width", "n > 10"]);
}

#[test]
fn the_cause_is_found_where_the_program_then_runs_for_long() {
    let text = "fn is_less(a: u64, b: u64) -> bool { a < b }
#[test]
fn all_are_less() {
    for n in 1..=6_000_000u64 { assert!(is_less(n % 7, 6), \"{n}\"); }
}
";
    let place = place(text);
    let said = place.run_cleanly(&["a.rs", "--test-name", "all_are_less"], Exit::Done);
    said.says(&["kept as the cause: it passes with `<=` in place of `<`"]);
}

#[test]
fn what_had_run_before_it_fails_still_has() {
    // No mutant makes it pass, as the key is built from two parts.
    let text = r#"use std::collections::HashMap;
fn price(prices: &HashMap<String, u32>, name: &str) -> u32 {
    let first = name.split(' ').next().unwrap();
    if first.is_empty() { return 0; }
    *prices.get(&format!("{first}-{}", name.len())).unwrap()
}
fn main() {
    let mut prices = HashMap::new();
    for (name, price) in [("tea", 3), ("milk", 1)] { prices.insert(format!("{name}-{}", name.len()), price); }
    for name in ["tea", "milk", "oat milk"] { println!("{}", price(&prices, name)); }
}
"#;
    let (said, left) = reduce_to_the_end(text, &[]);
    said.says(&["panic in `price`", "the code that fails had run before"]);
    holds(&left, &["insert(", "get(", ".unwrap()"]);
}

#[test]
fn a_version_that_passes_is_handed_over() {
    let place = place(UNSORTED);
    let fixed = UNSORTED.replace("9, 7,", "7, 9,");
    place.write("fixed.rs", fixed);
    let said = place.run_cleanly(&["a.rs", "--fixed", "fixed.rs"], Exit::Done);
    said.says(&["kept as the cause: it passes with the given change", "with this change it passes:"]);
    place.write("other.rs", UNSORTED.replace("println!", "print!"));
    let said = place.run_cleanly(&["a.rs", "--fixed", "other.rs", "-o", "b.rs"], Exit::Usage).all();
    holds(&said, &["the version that is said to be fixed: does not pass with the change"]);
    let said = place.run_cleanly(&["a.rs", "--fixed", "HEAD~1", "-o", "b.rs"], Exit::Input).all();
    holds(&said, &["--fixed HEAD~1 is neither a file nor a revision of git"]);
}

#[test]
fn an_exit_code_comes_from_the_same_statement() {
    // Two columns are missing in other ways: one is not there, and one is empty.
    let text = r#"#[derive(Debug)]
struct Empty;
fn field(line: &str, index: usize) -> Result<&str, Empty> {
    let field = line.split(',').nth(index).ok_or(Empty)?;
    if field.is_empty() {
        return Err(Empty);
    }
    Ok(field)
}
fn main() -> Result<(), Empty> {
    for line in "1,2,3\n4,5,\n7,8,9".lines() { println!("{}", field(line, 2)?); }
    Ok(())
}
"#;
    let (said, left) = reduce_to_the_end(text, &[]);
    said.says(&["failure: exit code 1: Error: Empty"]);
    holds(&left, &["is_empty()"]);
}

#[test]
fn a_revision_of_several_files_is_handed_over() {
    let place = place("");
    place.write("a.rs", "mod order;\nfn main() {\n    order::steps(&[4, 9]);\n    println!(\"{:?}\", order::steps(&[4, 9, 7, 12]));\n}\n");
    let order = |sort: &str| {
        format!(
            "pub fn steps(marks: &[u32]) -> Vec<u32> {{\n    let mut marks = marks.to_vec();\n    {sort}\n    (1..marks.len()).map(|i| marks[i] - marks[i - 1]).collect()\n}}\n"
        )
    };
    let git = |words: &[&str]| {
        let user = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        let done = std::process::Command::new("git").current_dir(place.path(".")).args(user).args(words).status();
        assert!(done.expect("git is there").success());
    };
    place.write("order.rs", order("marks.sort();"));
    git(&["init", "--quiet"]);
    git(&["add", "a.rs", "order.rs"]);
    git(&["commit", "--quiet", "--message=good"]);
    place.write("order.rs", order(""));
    let said = place.run_cleanly(&["a.rs", "--fixed", "HEAD", "-o", "b.rs"], Exit::Done);
    said.says(&["kept as the cause: it passes with the given change", "marks.sort();"]);
    holds(&place.read("b.rs"), &["let mut marks", "9"]);
}

#[test]
fn a_repair_names_the_tests_that_it_breaks() {
    // The test that fails expects what no other code does.
    let text = "pub fn twice(n: u32) -> u32 {\n    n + n\n}\n#[test]\nfn doubled() {\n    assert_eq!(twice(4), 8);\n}\n#[test]\nfn squared() {\n    assert_eq!(twice(3), 9);\n}\n";
    let said = place(text).run_cleanly(&["repair", "a.rs", "--test-name", "squared"], Exit::Done).all();
    holds(&said, &["+    n * n", "breaks 1 other test: `doubled`"]);
}

#[test]
fn values_that_are_others_in_each_run_do_not_count() {
    let text = "fn address(n: &u32) -> usize {\n    n as *const u32 as usize\n}\n#[test]\nfn aligned() {\n    let n = Box::new(1);\n    assert_eq!(address(&n), 1);\n}\n";
    let (said, left) = reduce_to_the_end(text, &[]);
    said.says(&["assertion `left == right` failed, left: ", ", right: 1"]);
    holds(&left, &["assert_eq!"]);
}

#[test]
fn a_panic_is_repaired_in_the_code_or_else_in_the_data() {
    let said = place(UNSORTED).run_cleanly(&["repair", "a.rs"], Exit::Done).all();
    holds(&said, &["it does not fail without: ", "in the function `step`"]);
    let text = "fn half(text: &str) -> u32 { text.parse::<u32>().unwrap() / 2 }\nfn main() {\n    for text in [\"4\", \"6\", \"x\"] {\n        println!(\"{}\", half(text));\n    }\n}\n";
    let said = place(text).run_cleanly(&["isolate", "a.rs"], Exit::Done).all();
    holds(&said, &["this is what makes it fail: the expression `\"x\"` in the function `main`"]);
}

#[test]
fn no_value_on_the_way_becomes_another() {
    // Without the standard the port would be the same for another reason.
    let text = r#"fn settings(text: &str) -> Vec<(String, u16)> {
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(key, value)| (key.to_string(), value.parse().unwrap_or(0))).collect()
}
fn port(file: &[(String, u16)], standard: &[(String, u16)]) -> u16 {
    let mut found = 8080;
    for (key, value) in file.iter().chain(standard) {
        if key == "port" { found = *value; }
    }
    found
}
#[test]
fn the_file_wins() {
    let standard = settings("port=8080\nlines=3");
    assert_eq!(port(&settings("port=9000"), &standard), 9000);
}
"#;
    let (said, left) = reduce_to_the_end(text, &[]);
    said.says(&["left: 8080, right: 9000"]);
    // The list of the standard is not empty.
    holds(&left, &["8080", "9000", "for "]);
    let (said, left) = reduce_to_the_end(text, &["--no-carve"]);
    said.says(&["left: 8080, right: 9000"]);
    holds(&left, &["=8080", "=9000", "for "]);
}

#[test]
fn the_innermost_call_that_goes_wrong_becomes_the_test() {
    let text = r#"#[derive(Clone, Copy)]
enum Rank { Guest, Owner }
struct Right { write: bool, share: bool }
fn right(rank: Rank, is_open: bool) -> Right {
    match rank {
        Rank::Owner => Right { write: true, share: true },
        Rank::Guest if is_open => Right { write: false, share: false },
        Rank::Guest => Right { write: false, share: false },
    }
}
struct Paper { name: String, is_open: bool }
impl Paper {
    fn may(&self, rank: Rank, word: &str) -> bool {
        let right = right(rank, self.is_open);
        match word { "write" => right.write, "share" => right.share, _ => false }
    }
}
#[test]
fn an_open_paper_is_written_by_guests() {
    let paper = Paper { name: "plan".to_string(), is_open: true };
    assert!(paper.may(Rank::Owner, "share"), "{}", paper.name);
    assert!(paper.may(Rank::Guest, "write"), "{}", paper.name);
    assert!(!paper.may(Rank::Guest, "share"));
}
"#;
    let place = place(text);
    place.write("fixed.rs", text.replace("if is_open => Right { write: false", "if is_open => Right { write: true"));
    let said = place.run_cleanly(&["a.rs", "--fixed", "fixed.rs"], Exit::Done);
    said.says(&["carved: `right(Rank::Guest, true)` gives", "with this change it passes:"]);
    let left = place.read("a_mcve.rs");
    // Which rank it is, and that it depends on what is open.
    holds(&left, &["fn right(", "Guest", "if is_open"]);
    lacks(&left, &["Paper", "share", "plan"]);
}

#[test]
fn a_call_that_leaves_something_wrong_becomes_the_test() {
    let text = r#"struct Tank { name: &'static str, level: u32, is_open: bool }
impl Tank {
    fn drain(&mut self, amount: u32) {
        if amount <= self.level {
            self.level -= amount;
        }
    }
    fn close(&mut self) {
        self.is_open = false;
    }
}
#[test]
fn a_drained_tank_is_open() {
    let mut tank = Tank { name: "north", level: 3, is_open: false };
    tank.close();
    tank.drain(2);
    assert!(tank.is_open, "{} is closed at {}", tank.name, tank.level);
}
"#;
    let place = place(text);
    place.write("fixed.rs", text.replace("-= amount;", "-= amount; self.is_open = true;"));
    let said = place.run_cleanly(&["a.rs", "--fixed", "fixed.rs"], Exit::Done);
    said.says(&["carved: `Tank::drain(&mut Tank {", "leaves `Tank {", "with this change it passes:"]);
    let left = place.read("a_mcve.rs");
    holds(&left, &["fn drain(", "&mut value", "assert_eq!(value"]);
    lacks(&left, &["close", "north", "is closed at"]);
}

#[test]
fn a_text_gets_shorter_where_a_change_shows_the_cause() {
    let text = r#"fn fields(line: &str) -> usize { line.split(',').filter(|field| field.len() > 1).count() }
#[test]
fn short_fields_count() { assert_eq!(fields("alpha,b,gamma delta,epsilon"), 4); }
"#;
    let (said, left) = reduce_to_the_end(text, &["--no-carve"]);
    said.says(&["kept as the cause: it passes with `>=` in place of `>`"]);
    lacks(&left, &["alpha", "gamma delta", "epsilon"]);
}

#[test]
fn a_change_that_passes_by_accident_is_not_the_cause() {
    let text = "fn area(a: u32, b: u32) -> u32 { let c = a + b; c * 2 - a }
#[test]
fn it_is_small() { assert!(area(3, 4) < 10, \"too large\"); }
";
    let (said, left) = reduce_to_the_end(text, &[]);
    let said = said.says(&["perhaps by accident", "cause    not shown"]);
    lacks(&said.stderr, &["with this change"]);
    holds(&left, &["a + b", "* 2 - a"]);
}

#[test]
fn a_function_that_has_only_the_name_of_one_that_is_called_goes() {
    let text = r#"struct Shelf { items: Vec<u32>, spare: Vec<u32> }
impl Shelf {
    fn get(&self, index: usize) -> Option<u32> { self.spare.iter().nth(index).copied() }
    fn last(&self) -> u32 { *self.items.get(self.items.len() + 1).expect("it has one") }
}
#[test]
fn the_last_is_there() {
    let shelf = Shelf { items: vec![1, 2, 3], spare: vec![4] };
    assert_eq!(shelf.last(), 3);
}
#[test]
fn the_first_is_there() {
    assert_eq!(Shelf { items: vec![], spare: vec![4] }.get(0), Some(4));
}
"#;
    let (_, left) = reduce_to_the_end(text, &["--test-name", "the_last_is_there"]);
    holds(&left, &[".get(", "+ 1"]);
    lacks(&left, &["fn get", "spare", "vec![]"]);
}

#[test]
fn no_change_is_looked_for_where_the_user_says_how_it_passes() {
    let text = "fn half(n: u8) -> u8 { n.wrapping_mul(cfg!(debug_assertions) as u8) / 2 }\n#[test]\nfn t() { assert_eq!(half(8), 0); }\n";
    let place = place(text);
    let said = place.run_cleanly(&["a.rs", "--passes-with", "-Cdebug-assertions=off"], Exit::Done);
    for absent in ["looking for small changes", "cause "] {
        assert!(!said.stderr.contains(absent), "{}", said.stderr);
    }
    holds(&place.read("a_mcve.rs"), &["cfg!(debug_assertions)"]);
}
