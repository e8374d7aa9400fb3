//! *The Debugging Book*, chapter *Reducing Failure-Inducing Inputs*: what a debugger prints while it runs, line by line.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use mcve_dd::arguments::{Input, Shown};
use mcve_dd::debugger::Debugger;
use mcve_dd::general::{Mode, dd};
use mcve_dd::log::{Detail, log_to};
use mcve_dd::outcome::Outcome;
use mcve_dd::same_failure::same_panic;
use mcve_dd::set_order;

use super::{FUZZED, python, runs};

/// A text that is written to and read later.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a debugger does that is logged.
#[derive(Clone, Copy)]
enum What {
    Minimise,
    Maximise,
    Isolate,
}

/// The log of a debugger of a function that panics, which cuts sets as CPython does.
fn log<A: Shown + Input<Arguments = A> + 'static>(
    detail: Detail,
    function: &'static str,
    input: A,
    test: impl FnMut(&A),
    what: What,
) -> Vec<String> {
    let out = Shared::default();
    let test = same_panic(&input, test).expect("it panics");
    let debugger = Debugger::new(input, test).arranged_by(set_order);
    let mut debugger = debugger.observed_by(log_to(out.clone(), function, detail));
    let done = match what {
        What::Minimise => debugger.minimise().map(drop),
        What::Maximise => debugger.maximise().map(drop),
        What::Isolate => {
            debugger.isolate_with(|start, order, tester| dd(start, Mode::Isolate, order, tester)).map(drop)
        }
    };
    done.expect("it fails, and nothing passes");
    drop(debugger);
    String::from_utf8(out.0.take()).expect("it is text").lines().map(str::to_owned).collect()
}

/// The lines of a log of tests of `call` with a parameter, with those that the book prints behind the first and the last test.
fn expected(call: &str, message: &str, tests: &[(&str, Outcome)], end: &[&str]) -> Vec<String> {
    let (function, parameter) = call.split_once('(').expect("it is a call");
    let parameter = parameter.trim_end_matches(')');
    let called = |input: &str| format!("{function}({parameter}={input:?})");
    let mut lines = vec![format!("Observed {} raising {message}", called(tests[0].0))];
    for (at, (input, outcome)) in tests.iter().enumerate() {
        let outcome = match outcome {
            Outcome::Fail => format!("FAIL ({message})"),
            _ => "PASS".to_owned(),
        };
        lines.push(format!("Test #{} {}: {outcome}", at + 1, called(input)));
        lines.extend((at == 0).then(|| format!("Processing {parameter}...")));
    }
    lines.extend(end.iter().map(|&line| line.to_owned()));
    lines
}

#[track_caller]
fn check_mystery(what: What, tests: &[(&str, Outcome)], end: &[&str]) {
    let log = log(Detail::Tests, "mystery(inp)", FUZZED.to_owned(), |text| python::mystery(text), what);
    assert_eq!(log, expected("mystery(inp)", "Invalid input", tests, end));
}

#[test]
fn a_minimisation_is_logged_as_in_the_book() {
    let end = [r#"Minimized inp to "()""#, r#"Minimized failing call to mystery(inp="()")"#];
    check_mystery(What::Minimise, runs::MINIMISE, &end);
    let log = log(
        Detail::Tests,
        "remove_html_markup(s)",
        r#""x > y""#.to_owned(),
        |text: &String| drop(python::remove_html_markup(text)),
        What::Minimise,
    );
    let end = [r#"Minimized s to "\">""#, r#"Minimized failing call to remove_html_markup(s="\">")"#];
    assert_eq!(log, expected("remove_html_markup(s)", "AssertionError", runs::REMOVE_HTML_MARKUP, &end));
}

#[test]
fn a_maximisation_is_logged_as_in_the_book() {
    let end = [
        r#"Maximized inp to "V\"/+!aF-V4EOz*+s/Q,7)2@0_""#,
        r#"Maximized passing call to mystery(inp="V\"/+!aF-V4EOz*+s/Q,7)2@0_")"#,
    ];
    check_mystery(What::Maximise, runs::MAXIMISE, &end);
}

#[test]
fn an_isolation_is_logged_as_in_the_book() {
    let end = [
        r#"Maximized inp to "z*+s/Q,7)2@0_""#,
        r#"Minimized inp to "(z*+s/Q,7)2@0_""#,
        r#"Maximized passing call to mystery(inp="z*+s/Q,7)2@0_")"#,
        r#"Minimized failing call to mystery(inp="(z*+s/Q,7)2@0_")"#,
    ];
    check_mystery(What::Isolate, runs::ISOLATE, &end);
}

#[test]
fn two_arguments_are_logged_as_in_the_book() {
    let substring = |(s1, s2): &(String, String)| assert!(!s2.contains(s1.as_str()), "no substrings");
    let input = ("foo".to_owned(), "foobar".to_owned());
    let expected = [
        r#"Observed string_error(s1="foo", s2="foobar") raising no substrings"#,
        r#"Test #1 string_error(s1="foo", s2="foobar"): FAIL (no substrings)"#,
        "Processing s1...",
        r#"Test #2 string_error(s1="", s2="foobar"): FAIL (no substrings)"#,
        r#"Minimized s1 to """#,
        "Processing s2...",
        r#"Test #3 string_error(s1="", s2=""): FAIL (no substrings)"#,
        r#"Minimized s2 to """#,
        r#"Minimized failing call to string_error(s1="", s2="")"#,
    ];
    let lines = log(Detail::Tests, "string_error(s1, s2)", input.clone(), substring, What::Minimise);
    assert_eq!(lines, expected);
    let without_names = log(Detail::Tests, "string_error", input, substring, What::Minimise);
    assert_eq!(
        without_names[2..5],
        [
            "Processing argument 1...",
            r#"Test #2 string_error("", "foobar"): FAIL (no substrings)"#,
            r#"Minimized argument 1 to """#
        ]
    );
}

/// The rounds that the book prints at the second level: the failing input, the granularity, the tests, and what they led to.
const ROUNDS: [(&str, usize, usize, &[&str]); 13] = [
    (FUZZED, 2, 2, &["No reduction found", "Increase granularity"]),
    (FUZZED, 4, 1, &["Reduce to complement"]),
    ("-(V4EOz*+s/Q,7)2@0_", 3, 2, &["Reduce to complement"]),
    ("-(V4EOz7)2@0_", 2, 2, &["No reduction found", "Increase granularity"]),
    ("-(V4EOz7)2@0_", 4, 1, &["Reduce to complement"]),
    ("-(V47)2@0_", 3, 2, &["Reduce to complement"]),
    ("-(V47)2", 2, 2, &["No reduction found", "Increase granularity"]),
    ("-(V47)2", 4, 2, &["Reduce to complement"]),
    ("-(V7)2", 3, 2, &["Reduce to complement"]),
    ("(V7)", 2, 2, &["No reduction found", "Increase granularity"]),
    ("(V7)", 4, 1, &["Reduce to complement"]),
    ("(7)", 3, 1, &["Reduce to complement"]),
    ("()", 2, 2, &["No reduction found"]),
];

#[test]
fn the_rounds_are_logged_as_in_the_book() {
    let log = log(Detail::Rounds, "mystery(inp)", FUZZED.to_owned(), |text| python::mystery(text), What::Minimise);
    let tests = expected("mystery(inp)", "Invalid input", runs::MINIMISE, &[]);
    let (begin, tests) = tests.split_at(4);
    let (mut lines, mut tests) = (begin.to_vec(), tests.iter());
    for (failing, granularity, count, steps) in &ROUNDS {
        lines.push("Passing input: \"\"".to_owned());
        lines.push(format!("Failing input: {failing:?}"));
        lines.push(format!("Granularity:   {granularity}"));
        lines.extend(tests.by_ref().take(*count).cloned());
        lines.extend(steps.iter().map(|&step| step.to_owned()));
    }
    lines.push(r#"Minimized inp to "()""#.to_owned());
    lines.push(r#"Minimized failing call to mystery(inp="()")"#.to_owned());
    assert_eq!(log, lines);
}
