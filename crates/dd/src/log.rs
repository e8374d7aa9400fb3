//! Logs of a running [`Debugger`](super::debugger::Debugger), as *The Debugging Book* prints them.

use std::io::Write;

use super::arguments::Shown;
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
    /// It has minimised or maximised an argument, by its position, or all of them together.
    Found {
        /// Which argument; none for all of them.
        argument: Option<usize>,
        /// The arguments.
        arguments: &'a A,
        /// Whether they pass, as they were maximised.
        passes: bool,
    },
}

/// How much a log shows: the book's `log=1` and `log=2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The tests.
    Tests,
    /// Also the rounds of general delta debugging.
    Rounds,
}

/// Writes a line for each event to `out`, with each input as a [`call`] of `function`. Errors of `out` are ignored.
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
/// let log = log_to(std::io::stdout(), "remove_html_markup(text)", Detail::Tests);
/// let mut debugger = Debugger::new(input, test).observed_by(log);
/// // Observed remove_html_markup(text="\"> y\"") raising assertion failed: !text.contains("\">")
/// // Test #1 remove_html_markup(text="\"> y\""): FAIL (assertion failed: !text.contains("\">"))
/// // Processing text...
/// // ..
/// assert_eq!(debugger.minimise()?, "\">");
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
pub fn log_to<A: Shown>(mut out: impl Write, function: &str, detail: Detail) -> impl FnMut(&Event<'_, A>) {
    move |event| {
        // A log that cannot be written does not end a reduction.
        let _ = match event {
            Event::Argument(at) => writeln!(out, "Processing {}...", name(function, *at)),
            Event::Found { argument, arguments, passes } => {
                let (verb, call_of) = if *passes { ("Maximized", "passing") } else { ("Minimized", "failing") };
                match argument {
                    Some(at) => writeln!(out, "{verb} {} to {}", name(function, *at), arguments.shown()[*at]),
                    None => writeln!(out, "{verb} {call_of} call to {}", call(function, *arguments)),
                }
            }
            Event::Test { number, input, report } => {
                let outcome = match report.outcome {
                    Outcome::Fail => "FAIL",
                    Outcome::Pass => "PASS",
                    Outcome::Unresolved => "UNRESOLVED",
                };
                let message = report.message.as_ref().map(|message| format!(" ({message})")).unwrap_or_default();
                let call = call(function, *input);
                let observed = match &report.message {
                    // The input of the first test is the whole one.
                    Some(message) if *number == 1 => format!("Observed {call} raising {message}\n"),
                    _ => String::new(),
                };
                writeln!(out, "{observed}Test #{number} {call}: {outcome}{message}")
            }
            Event::Round { passing, failing, granularity } if detail == Detail::Rounds => {
                let [passing, failing] = [passing, failing].map(|input| input.shown().join(", "));
                writeln!(out, "Passing input: {passing}\nFailing input: {failing}\nGranularity:   {granularity}")
            }
            Event::Step(step) if detail == Detail::Rounds => writeln!(out, "{step}"),
            Event::Round { .. } | Event::Step(_) => Ok(()),
        };
    }
}

/// A call of `function` with these arguments, which may name its parameters as the book does: `f("a")`, `f(l=[1], text="b")`.
///
/// ```
/// use mcve_dd::log::call;
///
/// assert_eq!(call("list_error", &(vec![1, 2], "x".to_owned())), r#"list_error([1, 2], "x")"#);
/// assert_eq!(call("mystery(inp)", &"()".to_owned()), r#"mystery(inp="()")"#);
/// ```
pub fn call<A: Shown>(function: &str, arguments: &A) -> String {
    let parameter = |at| parameters(function).nth(at).map(|name| format!("{name}=")).unwrap_or_default();
    let shown = arguments.shown().into_iter().enumerate().map(|(at, value)| parameter(at) + &value);
    format!("{}({})", function.split('(').next().unwrap_or_default(), shown.collect::<Vec<_>>().join(", "))
}

/// The names of the parameters in `f(a, b)`, if it has any.
fn parameters(function: &str) -> impl Iterator<Item = &str> {
    let names = function.split_once('(').map(|(_, names)| names.trim_end_matches(')').split(','));
    names.into_iter().flatten().map(str::trim).filter(|name| !name.is_empty())
}

/// The name of an argument, or its number.
fn name(function: &str, at: usize) -> String {
    parameters(function).nth(at).map_or_else(|| format!("argument {}", at + 1), str::to_owned)
}
