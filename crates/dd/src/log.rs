//! Logs of a running [`Debugger`](super::debugger::Debugger), as *The Debugging Book* prints them.

use std::fmt::Debug;
use std::io::Write;

use super::arguments::Arguments;
use super::outcome::{Outcome, Report};
use super::tester::Step;

/// What a debugger does.
pub enum Event<'a, A> {
    /// It reduces an argument, by its position.
    Argument(usize),
    /// It has run a test.
    Test {
        /// How many tests were run, with this one.
        number: usize,
        /// The tested input.
        input: &'a A,
        /// The outcome, and the message of a failure.
        report: &'a Report,
    },
    /// A round of general delta debugging begins.
    Round {
        /// The passing arguments.
        passing: &'a A,
        /// The failing arguments.
        failing: &'a A,
        /// The number of parts into which their difference is cut.
        granularity: usize,
    },
    /// Something that the round has led to.
    Step(Step),
}

/// How much a log shows: the book's `log=1` and `log=2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The tests.
    Tests,
    /// Also the rounds of general delta debugging.
    Rounds,
}

/// Writes a line for each event to `out`, with each input as a call of `function`. Errors of `out` are ignored.
///
/// ```
/// use mcve_dd::log::{Detail, log_to};
/// use mcve_dd::{Debugger, same_panic};
///
/// fn remove_html_markup(text: &str) {
///     assert!(!text.contains("\">"));
/// }
///
/// let input = "\"x > y\"".replace("x ", "");
/// let test = same_panic(&input, |text: &String| remove_html_markup(text))?;
/// let mut debugger = Debugger::new(input, test).observed_by(log_to(std::io::stdout(), "remove_html_markup", Detail::Tests));
/// // Test #1 remove_html_markup("\"> y\""): FAIL (assertion failed: !text.contains("\">"))
/// // ..
/// assert_eq!(debugger.minimise()?, "\">");
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
pub fn log_to<A: Arguments + Debug>(mut out: impl Write, function: &str, detail: Detail) -> impl FnMut(&Event<'_, A>) {
    move |event| {
        // A log that cannot be written does not end a reduction.
        let _ = match event {
            Event::Argument(at) => writeln!(out, "Processing argument {}...", at + 1),
            Event::Test { number, input, report } => {
                let outcome = match report.outcome {
                    Outcome::Fail => "FAIL",
                    Outcome::Pass => "PASS",
                    Outcome::Unresolved => "UNRESOLVED",
                };
                let message = report.message.as_ref().map(|message| format!(" ({message})")).unwrap_or_default();
                writeln!(out, "Test #{number} {}: {outcome}{message}", call(function, *input))
            }
            Event::Round { passing, failing, granularity } if detail == Detail::Rounds => {
                writeln!(out, "Passing input: {passing:?}\nFailing input: {failing:?}\nGranularity:   {granularity}")
            }
            Event::Step(step) if detail == Detail::Rounds => writeln!(out, "{step}"),
            Event::Round { .. } | Event::Step(_) => Ok(()),
        };
    }
}

/// A call of `function` with these arguments, as an expression of Rust: `f("a")`, `f([1], "b")`.
///
/// ```
/// use mcve_dd::log::call;
///
/// assert_eq!(call("list_error", &(vec![1, 2], "x".to_owned())), r#"list_error([1, 2], "x")"#);
/// assert_eq!(call("mystery", &"()".to_owned()), r#"mystery("()")"#);
/// ```
pub fn call<A: Arguments + Debug>(function: &str, arguments: &A) -> String {
    // A tuple has its own parentheses.
    if arguments.lengths().len() == 1 {
        format!("{function}({arguments:?})")
    } else {
        format!("{function}{arguments:?}")
    }
}
