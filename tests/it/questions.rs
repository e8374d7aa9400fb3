//! Errors and warnings that people ask about: what is left asks the same question. What it has to be was written before any of these
//! was reduced.

use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{TestFolder, brief, is_thorough};
use regex::Regex;

/// What a program that is left has to be like.
#[derive(Default)]
struct Wanted<'a> {
    /// What the compiler says of it, each a regex.
    says: &'a [&'a str],
    /// What it does not say.
    says_not: &'a [&'a str],
    /// What its text matches.
    code: &'a [&'a str],
    /// What its text does not match.
    code_not: &'a [&'a str],
}

/// Reduces a program a little, and checks what is left.
#[track_caller]
fn check(text: &str, args: &[&str], tool: &str, wanted: &Wanted<'_>) {
    check_to_the_end(text, &[brief(), args].concat(), tool, wanted);
}

/// Reduces a program, and checks what is left.
#[track_caller]
fn check_to_the_end(text: &str, args: &[&str], tool: &str, wanted: &Wanted<'_>) {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    let said = place.run_cleanly(&[&["a.rs"], args].concat(), Exit::Done);
    let left = place.read("a_mcve.rs");
    let emit = (tool != "rustdoc").then_some("--emit=metadata");
    let compiled = Command::new(tool)
        .args(["--edition=2024", "--crate-name=a"])
        .args(emit)
        .arg("a_mcve.rs")
        .current_dir(place.root())
        .output()
        .expect("the tool runs");
    let rendered = String::from_utf8_lossy(&compiled.stderr).into_owned();
    let matches = |pattern: &str, text: &str| Regex::new(&format!("(?m){pattern}")).expect("it is one").is_match(text);
    let shown = format!("{}\n{left}\n{rendered}", said.all());
    wanted.says.iter().for_each(|pattern| assert!(matches(pattern, &rendered), "not said: {pattern}\n{shown}"));
    wanted.says_not.iter().for_each(|pattern| assert!(!matches(pattern, &rendered), "said: {pattern}\n{shown}"));
    wanted.code.iter().for_each(|pattern| assert!(matches(pattern, &left), "not there: {pattern}\n{shown}"));
    wanted.code_not.iter().for_each(|pattern| assert!(!matches(pattern, &left), "there: {pattern}\n{shown}"));
}

#[test]
fn a_trait_of_the_program_stays_the_one_that_is_not_implemented() {
    let text = "
        use std::fmt::Display;
        trait Save { fn save(&self) -> Vec<u8>; }
        struct User { name: String }
        struct Stamp(u64);
        impl Save for User { fn save(&self) -> Vec<u8> { self.name.clone().into_bytes() } }
        fn store<T: Save>(all: &[T]) -> usize { all.iter().map(|one| one.save().len()).sum() }
        fn show(title: impl Display) { println!(\"{title}\") }
        fn main() { show(store(&[User { name: String::new() }])); show(store(&[Stamp(3)])); }";
    let wanted = Wanted {
        says: &[r"E0277.*: the trait bound `(\w+): (\w+)` is not satisfied"],
        code: &[r"trait \w+", r"struct \w+"],
        code_not: &["Drop", "From", "Copy"],
        ..Wanted::default()
    };
    check_to_the_end(text, &[], "rustc", &wanted);
}

#[test]
fn what_is_held_across_an_await_stays() {
    if !is_thorough() {
        return println!("reduced by MCVE_TESTS=all only");
    }
    let text = "
        use std::cell::RefCell;
        use std::rc::Rc;
        struct Cache { hits: Rc<RefCell<u32>> }
        async fn fetch(url: &str) -> usize { url.len() }
        async fn work(cache: Cache) -> usize {
            let hits = Rc::clone(&cache.hits);
            let size = fetch(\"a\").await;
            *hits.borrow_mut() += 1;
            size
        }
        fn spawn<F: Future + Send + 'static>(task: F) { drop(task) }
        fn main() { spawn(work(Cache { hits: Rc::default() })); }";
    let wanted = Wanted {
        says: &["future cannot be sent between threads safely", "this value is used across an await", r"`Rc<.*>`"],
        code: &[r"\.await", "Send"],
        ..Wanted::default()
    };
    check(text, &[], "rustc", &wanted);
}

#[test]
fn the_types_of_a_bound_of_the_standard_library_stay() {
    if !is_thorough() {
        return println!("reduced by MCVE_TESTS=all only");
    }
    let text = "
        struct Row { size: u32, name: String }
        fn total(rows: &[Row]) -> u32 { let sum: u32 = rows.iter().map(|row| u64::from(row.size)).sum(); sum }
        fn main() { println!(\"{}\", total(&[Row { size: 1, name: String::new() }])); }";
    let wanted = Wanted { says: &["value of type `u32` cannot be made by summing .* `u64`"], ..Wanted::default() };
    check(text, &[], "rustc", &wanted);
}

#[test]
fn a_move_by_a_loop_is_not_one_by_a_call() {
    let text = "
        struct Line { words: Vec<String> }
        fn print(line: &Line) { println!(\"{}\", line.words.len()) }
        fn main() {
            let line = Line { words: vec![String::new()] };
            for word in line.words { println!(\"{word}\"); }
            print(&line);
        }";
    let wanted = Wanted {
        says: &["E0382", "moved due to this implicit call to `.into_iter\\(\\)`"],
        code: &[r"for \w+ in"],
        ..Wanted::default()
    };
    check_to_the_end(text, &[], "rustc", &wanted);
}

#[test]
fn what_ends_too_early_is_still_used_later() {
    if !is_thorough() {
        return println!("reduced by MCVE_TESTS=all only");
    }
    let text = "
        use std::collections::HashMap;
        fn longest<'a>(names: &'a HashMap<u32, String>) -> &'a str { names.values().map(|name| &**name).max().unwrap_or(\"\") }
        fn main() {
            let best;
            { let mut names = HashMap::new(); names.insert(1, String::new()); best = longest(&names); }
            println!(\"{best}\");
        }";
    let wanted = Wanted {
        says: &["E0597", "dropped here while still borrowed", "borrow later used here"],
        code: &["HashMap"],
        code_not: &["&'static"],
        ..Wanted::default()
    };
    check(text, &[], "rustc", &wanted);
}

#[test]
fn one_error_stays_one() {
    if !is_thorough() {
        return println!("reduced by MCVE_TESTS=all only");
    }
    let text = "
        #[derive(Debug)] struct ErrA; #[derive(Debug)] struct ErrB;
        fn read(text: &str) -> Result<u32, ErrA> { text.parse().map_err(|_| ErrA) }
        fn check(size: u32) -> Result<u32, ErrB> { if size > 3 { Err(ErrB) } else { Ok(size) } }
        fn both(text: &str) -> Result<u32, ErrB> { let size = check(1)?; Ok(size + read(text)?) }
        fn main() { println!(\"{:?}\", both(\"1\")); }";
    let wanted = Wanted {
        says: &["`\\?` couldn't convert the error to `(\\w+)`", "aborting due to 1 previous error"],
        says_not: &["values that implement `Try`", "can only be used"],
        code: &[r"\?"],
        ..Wanted::default()
    };
    check(text, &[], "rustc", &wanted);
}

#[test]
fn a_link_that_is_broken_stays_and_one_that_was_right_is_not_broken() {
    let text = "
        //! See [`Foo`] and [`Missing`], or [`Gone`].
        /// It is there.
        pub struct Foo { pub size: u8 }
        impl Foo { pub fn new() -> Self { Foo { size: 1 } } }";
    let wanted = Wanted { says: &["unresolved link to `Missing`"], says_not: &["link to `Foo`"], ..Wanted::default() };
    check(text, &["--tool", "rustdoc", "--lint", "rustdoc::broken_intra_doc_links"], "rustdoc", &wanted);
}

#[test]
fn the_error_or_warning_on_a_line_is_the_one_that_is_kept() {
    let text = "
        fn first() -> u8 { \"one\" }
        fn second(size: u16) -> u16 { let text: String = size; size }
        fn main() { first(); second(1); }";
    let wanted = Wanted { says: &["expected `String`, found `u16`"], says_not: &["`u8`"], ..Wanted::default() };
    check(text, &["--at", "3"], "rustc", &wanted);
    let text = "
        fn other() -> u8 { let mut a = 1; a }
        fn main() { let mut b = other(); println!(\"{b}\") }";
    let wanted = Wanted { says: &["variable does not need to be mutable"], code: &["let mut"], ..Wanted::default() };
    check(text, &["--at", "3"], "rustc", &wanted);
}

#[test]
fn a_suggestion_stays_wrong() {
    let text = "
        #![allow(dead_code)]
        macro_rules! sum { ($first:expr $(, $rest:expr)*) => {{ let mut sum = $first; $(sum += $rest;)* sum }}; }
        struct Account { cents: u32 }
        fn fee(account: &Account) -> u32 { sum!(account.cents) }
        fn total(accounts: &[Account]) -> u32 { sum!(1, accounts.len() as u32, 3) }
        fn main() { println!(\"{} {}\", fee(&Account { cents: 1 }), total(&[])); }";
    let wanted = Wanted { says: &["variable does not need to be mutable"], code: &["let mut"], ..Wanted::default() };
    check(text, &["--lint", "unused_mut", "--suggestion", "fails"], "rustc", &wanted);
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", "fn main() { let mut a = 1; println!(\"{a}\") }");
    let right = ["a.rs", "--lint", "unused_mut", "--suggestion", "fails"];
    place.run(&right, Exit::NotFailing).says(&["with the suggestion applied, the program compiles"]);
    place.run(&["a.rs", "--suggestion", "fails"], Exit::Usage).says(&["--suggestion needs --lint"]);
    place.run(&["a.rs", "--lint", "unused_mut"], Exit::Done).says(&["the lint keeps the warning, right or wrong"]);
}

#[test]
fn a_suggestion_changes_what_the_program_does() {
    let text = "
        struct Log { lines: Vec<String> }
        fn last(log: &Log) -> Option<usize> { log.lines.iter().map(|line| { println!(\"{line}\"); line.len() }).last() }
        fn main() { let log = Log { lines: vec![\"a\".into(), \"b\".into()] }; println!(\"{:?}\", last(&log)); }";
    let wanted = Wanted { says: &["next_back"], code: &["print"], ..Wanted::default() };
    let args = ["--tool", "clippy", "--lint", "clippy::double_ended_iterator_last", "--suggestion", "fails", "--run"];
    check(text, &args, "clippy-driver", &wanted);
}

#[test]
#[cfg(target_os = "linux")]
fn a_suggestion_makes_the_program_wait_for_ever() {
    let text = "
        use std::sync::Mutex;
        static QUEUE: Mutex<Vec<u32>> = Mutex::new(Vec::new());
        fn note(text: &str) -> usize { text.len() }
        fn step(n: u32) { if n < 3 { QUEUE.lock().unwrap().push(n); } for n in { QUEUE.lock().unwrap().split_off(0) } { step(n + 1) } }
        fn main() { step(1); println!(\"{}\", note(\"a\")); }";
    let code = &[r"in \{ \w+\.lock"];
    let wanted = Wanted { says: &["unnecessary braces"], code, code_not: &["note"], ..Wanted::default() };
    let args = ["--lint", "unused_braces", "--suggestion", "fails", "--run"];
    check(text, &args, "rustc", &wanted);
    let sleeps = text.replace("step(1);", "std::thread::sleep(std::time::Duration::from_secs(20));");
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", sleeps);
    let said = place.run(&[&["a.rs", "--timeout", "4s"], &args[..]].concat(), Exit::NotFailing);
    said.says(&["with the suggestion applied, the two programs cannot be compared: timed out"]);
}

#[test]
fn a_main_function_goes_where_a_library_shows_the_same() {
    let text = "trait Show { fn show(&self); }\nstruct Err;\nfn other() -> u8 { let mut n = 3; n }\nimpl Show for Err {}\nfn main() { println!(\"{}\", other()); }\n";
    let wanted = Wanted { code_not: &["main"], ..Wanted::default() };
    check(text, &[], "rustc", &wanted);
    check(text, &["--lint", "unused_mut"], "rustc", &wanted);
    let of_main = Wanted { code: &["fn main"], ..Wanted::default() };
    check("fn other() {}\nfn main() -> u8 { other(); 3 }\n", &[], "rustc", &of_main);
    check("fn never() {}\nfn main() {}\n", &["--lint", "dead_code"], "rustc", &of_main);
}

#[test]
fn less_of_a_diagnostic_is_enough_if_that_is_said() {
    let text = "
        trait Save { fn save(&self) {} }
        struct Stamp(u64);
        fn store<T: Save>(one: T) { one.save() }
        fn main() { store(Stamp(3)); }";
    let strict = Wanted { code: &["trait"], ..Wanted::default() };
    check(text, &[], "rustc", &strict);
    let loose = Wanted { says: &["E0277"], code_not: &["Stamp", "save"], ..Wanted::default() };
    check_to_the_end(text, &["--match", "code"], "rustc", &loose);
}

#[test]
fn a_table_of_thousands_takes_few_checks() {
    let elements: String = (0..3000).map(|n| format!("    {},\n", n * 7 % 1000)).collect();
    let text = format!(
        "static TABLE: [u32; 3000] = [\n{elements}];\nfn main() {{\n    let s: String = TABLE[3];\n    println!(\"{{s}}\");\n}}\n"
    );
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    let said = place.run(&["a.rs", "--jobs", "1", "--message-format", "json"], Exit::Done);
    let left = place.read("a_mcve.rs");
    assert!(left.len() < 100, "{left}");
    assert!(said.last_event()["checks"].as_u64().is_some_and(|checks| checks < 100), "{}", said.last_event());
}

#[test]
fn a_bound_that_rustc_does_not_name_stays_the_reason() {
    let text = "
        trait System<Args> { fn run(self); }
        macro_rules! systems { ($([$($p:ident)*])*) => {
            $(impl<F, $($p),*> System<($($p,)*)> for F where F: Fn($($p),*), $($p: Clone,)* { fn run(self) {} })*
        } }
        systems! { [] [A] [A B] }
        struct TestFolder { at: i32 }
        #[derive(Clone)] struct Speed(i32);
        fn go(place: TestFolder, speed: Speed) { println!(\"{} {}\", place.at, speed.0); }
        fn add<A>(system: impl System<A>) { system.run(); }
        fn main() { add(|| {}); add(go); }";
    let wanted = Wanted {
        says: &[r"`fn\(.*\) \{\w+\}: \w+<_>` is not satisfied"],
        code: &[r"\bClone\b", "impl ?<"],
        ..Wanted::default()
    };
    check(text, &[], "rustc", &wanted);
}

#[test]
fn a_help_that_points_at_code_stays() {
    let text = "
        macro_rules! set { ($v:expr) => { let size = $v; } }
        fn helper(n: u32) -> u32 { n + 1 }
        fn main() { set!(helper(1)); println!(\"{}\", size + helper(2)); }";
    let wanted = Wanted { says: &["E0425", "not accessible due to macro hygiene"], ..Wanted::default() };
    check_to_the_end(text, &[], "rustc", &wanted);
}
