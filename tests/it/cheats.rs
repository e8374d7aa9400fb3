//! Programs in which a wrong reduction would be smaller: another place fails with the same words, or what fails is fed with
//! constants. None of that is the same failure.

use mcve::cli::exit::Exit;
use mcve_testing::{TestFolder, first};

/// A program, and how its result is told from a cheat.
struct Cheat {
    /// What the cheat would be.
    name: &'static str,
    /// The program.
    text: &'static str,
    /// Arguments of mcve behind the file.
    args: &'static [&'static str],
    /// What is in every result that shows the failure.
    keeps: &'static [&'static str],
    /// What is only in a result that cheats, or should be gone.
    lacks: &'static [&'static str],
}

/// Another place fails with the message of the failure.
const ELSEWHERE: [Cheat; 7] = [
    Cheat {
        name: "the same panic in another function",
        text: r#"struct Stock { count: u32 }
impl Stock {
    fn take(&mut self, number: u32) { if number > self.count { panic!("out of stock") } self.count -= number; }
}
fn audit(stock: &Stock) { if stock.count == 0 { panic!("out of stock") } }
fn main() {
    let mut stock = Stock { count: 3 };
    stock.take(2);
    audit(&stock);
    stock.take(2);
}
"#,
        args: &[],
        keeps: &["fn take", "panic!(\"out of stock\")"],
        lacks: &["audit"],
    },
    Cheat {
        name: "the same panic in `main`",
        text: r#"fn header(line: &str) -> &str {
    match line.split_once(':') { Some((name, _)) => name, None => panic!("bad header") }
}
fn main() {
    let lines = ["a: 1", "b"];
    for line in lines { println!("{}", header(line)); }
    if lines.len() > 1 { panic!("bad header") }
}
"#,
        args: &[],
        keeps: &["fn header", "header("],
        lacks: &[],
    },
    Cheat {
        name: "the same panic in a closure of another function",
        text: r#"fn apply(f: impl Fn(u32) -> u32) -> u32 { f(7) }
fn odd(number: u32) -> u32 { if number % 2 == 1 { panic!("odd") } number }
fn other() -> u32 { apply(|number| if number > 3 { panic!("odd") } else { number }) }
fn main() {
    let sum = odd(4) + odd(9);
    println!("{}", sum + other());
}
"#,
        args: &[],
        keeps: &["fn odd"],
        lacks: &["fn other"],
    },
    Cheat {
        name: "a method of that name of another type",
        text: r#"struct Gate { key: Option<u32> }
struct Door;
impl Gate { fn open(&self) -> u32 { self.key.expect("locked") } }
impl Door { fn open(&self) -> u32 { panic!("locked") } }
fn main() {
    let gate = Gate { key: None };
    println!("{}", gate.open());
    println!("{}", Door.open());
}
"#,
        args: &[],
        keeps: &["expect(\"locked\")"],
        lacks: &["panic!"],
    },
    Cheat {
        name: "`unreachable!` elsewhere",
        text: r#"fn kind(c: char) -> u8 {
    match c { 'a'..='z' => 1, '0'..='9' => 2, ' ' => 3, _ => unreachable!() }
}
fn main() {
    let kinds: Vec<u8> = "a 1-".chars().map(kind).collect();
    match kinds.len() { 4 => unreachable!(), _ => println!("{:?}", kinds) }
}
"#,
        args: &[],
        keeps: &["fn kind", "unreachable!()"],
        lacks: &[],
    },
    Cheat {
        name: "`expect` with the same words elsewhere",
        text: r#"fn width(text: &str) -> u32 { text.trim().parse::<u32>().ok().expect("a number") }
fn height(text: &str) -> u32 { text.chars().next().and_then(|c| c.to_digit(10)).expect("a number") }
fn main() {
    println!("{}", width(" 3 ") + height("4"));
    println!("{}", width("3 m") + height(""));
}
"#,
        args: &[],
        keeps: &["fn width"],
        lacks: &["fn height"],
    },
    Cheat {
        name: "the test of that name in another module",
        text: r"mod a {
    fn half(number: u32) -> u32 { number - 1 }
    #[test]
    fn works() { assert_eq!(half(2), 3); }
}
mod b {
    fn half(number: u32) -> u32 { number / 2 }
    #[test]
    fn works() { assert_eq!(half(2), 3); }
}
",
        args: &["--test-name", "b::works"],
        keeps: &["number / 2", "half(2)"],
        lacks: &["number - 1"],
    },
];

/// The language or the library finds fault in another place, with the same message.
const FOUND_ELSEWHERE: [Cheat; 5] = [
    Cheat {
        name: "an index out of bounds elsewhere, with the same numbers",
        text: r#"fn cell(row: &[u32], column: usize) -> u32 { row[column] }
fn last(row: &[u32]) -> u32 { let end = row.len(); row[end] }
fn main() {
    let row = [1, 2, 3];
    println!("{}", cell(&row, 0));
    println!("{}", cell(&row, 3));
    println!("{}", last(&row));
}
"#,
        args: &[],
        keeps: &["fn cell", "cell(&"],
        lacks: &["fn last"],
    },
    Cheat {
        name: "`unwrap` of another `None`",
        text: r#"use std::collections::HashMap;
fn owner<'a>(owners: &HashMap<&str, &'a str>, house: &str) -> &'a str { owners.get(house).unwrap() }
fn main() {
    let owners = HashMap::from([("mill", "Ada")]);
    println!("{}", owner(&owners, "mill"));
    println!("{}", owner(&owners, "barn"));
    println!("{}", owners.get("shed").unwrap());
}
"#,
        args: &[],
        keeps: &["fn owner", ".unwrap()"],
        lacks: &["shed"],
    },
    Cheat {
        name: "an overflow elsewhere",
        text: r#"fn total(prices: &[u8]) -> u8 { let mut sum = 0; for price in prices { sum += price; } sum }
fn next(number: u8) -> u8 { number + 1 }
fn main() {
    println!("{}", total(&[100, 50]));
    println!("{}", total(&[200, 100]));
    println!("{}", next(255));
}
"#,
        args: &[],
        keeps: &["fn total", "+="],
        lacks: &["fn next"],
    },
    Cheat {
        name: "a division by zero elsewhere",
        text: r#"fn mean(numbers: &[u32]) -> u32 { numbers.iter().sum::<u32>() / numbers.len() as u32 }
fn ratio(a: u32, b: u32) -> u32 { a / b }
fn main() {
    println!("{}", mean(&[1, 2]));
    println!("{}", mean(&[]));
    println!("{}", ratio(1, 0));
}
"#,
        args: &[],
        keeps: &["fn mean", ".len()"],
        lacks: &["fn ratio"],
    },
    Cheat {
        name: "another cell that is borrowed twice",
        text: r#"use std::cell::RefCell;
struct Log { lines: RefCell<Vec<String>> }
impl Log {
    fn add(&self, line: &str) { self.lines.borrow_mut().push(line.to_string()); }
    fn copy(&self) { for line in self.lines.borrow().iter() { self.add(line); } }
}
fn main() {
    let log = Log { lines: RefCell::new(Vec::new()) };
    log.add("begun");
    log.copy();
    let cell = RefCell::new(1);
    let one = cell.borrow();
    *cell.borrow_mut() = *one;
}
"#,
        args: &[],
        keeps: &["fn add", "borrow().iter()"],
        lacks: &["RefCell::new(1)"],
    },
];

/// What fails is given other values.
const CONSTANTS: [Cheat; 5] = [
    Cheat {
        name: "an assertion of constants",
        text: r#"const SIX: u32 = 6;
fn sum(numbers: &[u32]) -> u32 { let mut sum = 0; for number in numbers { sum += number; } sum }
fn main() {
    let total = sum(&[1, 2, 3]);
    println!("{}", total == SIX);
    assert_eq!(total, 7);
}
"#,
        args: &[],
        keeps: &["sum(&[1, 2, 3])", "sum += number", "7"],
        lacks: &["SIX"],
    },
    Cheat {
        name: "a test with another input",
        text: r#"fn sum(text: &str) -> u32 { text.split(',').map(|word| word.parse::<u32>().unwrap_or(0)).sum() }
#[test]
fn sums() {
    assert_eq!(sum("42"), 42);
    assert_eq!(sum("12, 30"), 42);
    assert_eq!(sum("12"), 42);
}
"#,
        args: &[],
        keeps: &["sum(\"12, 30\"), 42"],
        lacks: &["\"42\"", "sum(\"12\")"],
    },
    Cheat {
        name: "a test that does not call what it tests",
        text: r#"fn half(number: u32) -> u32 { number / 2 }
#[test]
fn halves() {
    let low = 4;
    let high = half(9);
    println!("{low} {high}");
    assert_eq!(high, 5);
}
"#,
        args: &[],
        keeps: &["half(9)", "number / 2"],
        lacks: &["low"],
    },
    Cheat {
        name: "a function that returns what was seen",
        text: r#"fn is_vowel(c: char) -> bool { "aeiou".contains(c) }
fn vowels(word: &str) -> usize { word.chars().filter(|&c| is_vowel(c)).count() + 1 }
#[test]
fn counts_vowels() {
    assert_eq!(vowels("banana"), 3);
}
"#,
        args: &[],
        keeps: &["vowels(\"banana\")", "word.chars()", "count()", "+ 1"],
        lacks: &[],
    },
    Cheat {
        name: "a loop that is gone returns what the broken one does",
        text: r#"fn digits(text: &str) -> usize {
    let mut count = 0;
    for c in text.chars() { if c > '0' && c < '0' { count += 1; } }
    count
}
#[test]
fn counts_digits() {
    assert_eq!(digits("a1b2"), 2);
}
"#,
        args: &[],
        keeps: &["digits(\"a1b2\")", "text.chars()", "< '0'"],
        lacks: &[],
    },
];

/// No panic says where it fails.
const WITHOUT_A_PANIC: [Cheat; 3] = [
    Cheat {
        name: "the same exit code elsewhere",
        text: r#"fn check(word: &str) { if word.is_empty() { eprintln!("empty"); std::process::exit(2) } }
fn finish(count: usize) { if count > 1 { std::process::exit(2) } }
fn main() {
    let words = ["a", ""];
    for word in words { check(word); }
    finish(words.len());
}
"#,
        args: &[],
        keeps: &["eprintln!(\"empty\")"],
        lacks: &["fn finish"],
    },
    Cheat {
        name: "another error of `main`",
        text: r#"fn width(text: &str) -> Result<u32, String> { text.parse().map_err(|_| format!("no width: {text}")) }
fn main() -> Result<(), String> {
    let all = width("3")? + width("x")?;
    if all > 1 { return Err("too wide".to_string()) }
    Err("no end".to_string())
}
"#,
        args: &[],
        keeps: &["no width"],
        lacks: &["too wide", "no end"],
    },
    Cheat {
        name: "a test that should panic and does nothing",
        text: r#"fn age(text: &str) -> u32 { text.trim().parse().unwrap_or_default() }
#[test]
#[should_panic]
fn rejects_words() {
    println!("{}", age("12"));
    println!("{}", age("twelve"));
}
"#,
        args: &[],
        keeps: &["should_panic", "age(\"twelve\")"],
        lacks: &[],
    },
];

/// No report says which function filled the stack, but which code ran.
const STACK: Cheat = Cheat {
    name: "another function fills the stack",
    text: r#"fn depth(number: u64) -> u64 { if number == 0 { 0 } else { 1 + depth(number + 1) } }
fn forever(number: u64) -> u64 { forever(number + 1) + 1 }
fn main() {
println!("{}", depth(0));
println!("{}", depth(1));
println!("{}", forever(1));
}
"#,
    args: &[],
    keeps: &["fn depth"],
    lacks: &["fn forever"],
};

/// Reduces each program, and says which cheats succeeded.
#[track_caller]
fn check(cheats: &[Cheat]) {
    // All rows take two minutes on two cores.
    let succeeded: Vec<String> = first(1, cheats).iter().filter_map(cheats_by).collect();
    assert!(succeeded.is_empty(), "{}", succeeded.join("\n"));
}

/// What is wrong with the result of a program, if anything is.
fn cheats_by(cheat: &Cheat) -> Option<String> {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", cheat.text);
    let said = place.run_cleanly(&[&["a.rs", "--jobs", "1"], cheat.args].concat(), Exit::Done);
    let left = place.read("a_mcve.rs");
    let lost = cheat.keeps.iter().filter(|word| !left.contains(**word)).map(|word| format!("no `{word}`"));
    let found = cheat.lacks.iter().filter(|word| left.contains(**word)).map(|word| format!("`{word}`"));
    let wrong: Vec<String> = lost.chain(found).collect();
    (!wrong.is_empty()).then(|| format!("{}: {} in:\n{left}{}", cheat.name, wrong.join(", "), said.stderr))
}

#[test]
fn the_same_words_elsewhere_are_another_failure() {
    check(&ELSEWHERE);
}

#[test]
fn the_same_fault_elsewhere_is_another_failure() {
    check(&FOUND_ELSEWHERE);
}

#[test]
fn other_values_are_another_failure() {
    check(&CONSTANTS);
}

#[test]
fn the_same_end_elsewhere_is_another_failure() {
    check(&WITHOUT_A_PANIC);
}

#[test]
fn another_function_does_not_fill_the_stack() {
    check(&[STACK]);
}
