//! Programs that nest hundreds deep: the levels are a list for delta debugging, and no walk overflows its stack.

use crate::reduced::place;
use mcve::cli::exit::Exit;
use mcve_testing::first;

/// Nests with an error in the middle: how many levels, what stands before them, a level's two sides, the middle, what stands behind,
/// and how many tokens are left at most.
const NESTS: &[(usize, [&str; 5], u64)] = &[
    (1000, ["fn f(x: u8) -> u8 { x } fn main() { let _ = ", "f(", "\"a\"", ")", "; }"], 19),
    (1000, ["#[a", "(", "b", ")", "] fn main() {}"], 10),
    (6000, ["#[a", "(", "b", ")", "] fn main() {}"], 10),
    (300, ["fn main() { ", "{ g(); ", "let _: u8 = \"a\";", "}", "} fn g() {}"], 14),
    (500, ["fn main() { let _: u8 = ", "(", "\"a\"", ")", "; }"], 14),
    (300, ["macro_rules! m { ($e:expr) => { $e } } fn main() { let _: u8 = ", "m!(", "\"a\"", ")", "; }"], 14),
    (300, ["fn f(_: ", "Vec<", "A", ">", ") {} fn main() {}"], 18),
    (300, ["fn f(_: ", "&", "A", "", ") {} fn main() {}"], 15),
    (200, ["fn main() { ", "if g(1) { ", "let _: u8 = \"a\";", "}", "} fn g(n: u8) -> bool { n > 1 }"], 14),
    (200, ["fn main() { ", "if g(1) {} else ", "{ let _: u8 = \"a\"; }", "", "} fn g(n: u8) -> bool { n > 1 }"], 14),
    (200, ["struct S; impl S { fn b(self) -> S { self } } fn main() { S.c()", ".b()", "", "", "; }"], 25),
    (200, ["fn main() { m!(=> ", "[", "a", "]", "); }"], 10),
];

#[test]
fn levels_that_are_not_needed_go_in_few_checks() {
    for (levels, [before, open, middle, close, after], most) in first(4, NESTS) {
        let mut text = [before, &*open.repeat(*levels), middle, &close.repeat(*levels), after].concat();
        if text.contains("macro_rules") {
            text.insert_str(0, "#![recursion_limit = \"2000\"] ");
        }
        let place = place(&text);
        let last = place.run_cleanly(&["a.rs", "--message-format", "json"], Exit::Done).last_event();
        let (tokens, checks) = (last["after"]["tokens"].as_u64(), last["checks"].as_u64());
        assert!(
            tokens.is_some_and(|tokens| tokens <= *most),
            "{tokens:?} tokens of {open}: {}",
            place.read("a_mcve.rs")
        );
        assert!(checks.is_some_and(|checks| checks <= 60), "{checks:?} checks for {open}");
    }
}

#[test]
fn a_number_of_levels_is_found_whichever_these_are() {
    let place = place(&["#[a", &"(".repeat(600), &")".repeat(600), "] fn f() {}"].concat());
    let test = "[ $(tr -dc '(' <$1 | wc -c) -ge 60 ]";
    let args = ["a.rs", "--test", test, "--only", "nesting", "--message-format", "json"];
    let events = place.run_cleanly(&args, Exit::Done).events();
    let end = events.iter().find(|event| event["event"] == "pass-ended").expect("there is a pass");
    let checks = end["checks"].as_u64();
    assert!(checks.is_some_and(|checks| checks <= 60), "{checks:?} checks");
    assert_eq!(place.read("a_mcve.rs").matches('(').count(), 60);
}
