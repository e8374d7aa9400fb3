//! Uses a closure that panics or returns errors as a test: a failing call in *The Debugging Book* (chapter *Reducing
//! Failure-Inducing Inputs*) is a panicking call here, and the same exception is the same message at the same place.

use std::error::Error;
use std::iter::successors;

use super::outcome::{Outcome, Report};
use super::panics::caught;
use super::precondition::Precondition;

/// A test that `function` fails as it does for `input`: a panic with the same message at the same place is
/// [`Fail`](Outcome::Fail), another panic is [`Unresolved`](Outcome::Unresolved), no panic is [`Pass`](Outcome::Pass).
///
/// Whole messages are compared, so a message that quotes the input (as `assert_eq!` does) fixes the quoted parts.
/// Panics whose payload is not a message are the same if the payload has the same type. A place is a file, a line and a
/// column; that of a panic in the standard library is the one of its caller where the standard library tracks it.
///
/// These panics are not printed. For that, the first call of this function in a process installs a panic hook, which calls
/// the hook before it for all other panics. A program that sets another hook later does not have the places compared.
///
/// ```
/// use mcve_dd::{Debugger, same_panic};
///
/// let names = |numbers: &Vec<usize>| {
///     assert!(!numbers.is_empty(), "there are no numbers");
///     numbers.iter().map(|&number| ["zero", "one", "two"][number]).collect::<Vec<_>>()
/// };
/// let input = vec![2, 0, 7, 1];
/// let test = same_panic(&input, names)?;
/// // That the index is out of bounds is the failure; that there are no numbers is another.
/// assert_eq!(Debugger::new(input, test).minimise()?, [7]);
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
///
/// # Errors
/// [`NotFailing`](Precondition::NotFailing) when `function` does not panic for `input`.
pub fn same_panic<A, F: FnMut(&A) -> R, R>(
    input: &A,
    mut function: F,
) -> Result<impl FnMut(&A) -> Report + use<A, F, R>, Precondition> {
    let original = caught(|| drop(function(input))).err().ok_or(Precondition::NotFailing)?;
    Ok(move |candidate: &A| match caught(|| drop(function(candidate))) {
        Ok(()) => Outcome::Pass.into(),
        Err(panic) => {
            let outcome = if panic == original { Outcome::Fail } else { Outcome::Unresolved };
            Report { outcome, message: Some(panic.message()) }
        }
    })
}

/// A test that `function` returns the error that it returns for `input`: an error with the same messages, its own and those
/// of its [sources](Error::source), is [`Fail`](Outcome::Fail); another error or a panic is
/// [`Unresolved`](Outcome::Unresolved); `Ok` is [`Pass`](Outcome::Pass). An error has no place.
///
/// ```
/// use mcve_dd::{Debugger, same_error};
///
/// let sum = |text: &String| text.split('+').map(str::parse::<u8>).sum::<Result<u8, _>>();
/// let input = "1+20+x3+4".to_owned();
/// let test = same_error(&input, sum)?;
/// // That a number is missing is another error.
/// assert_eq!(Debugger::new(input, test).minimise()?, "x");
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
///
/// # Errors
/// [`NotFailing`](Precondition::NotFailing) when `function` returns `Ok` for `input`,
/// [`Unresolved`](Precondition::Unresolved) when it panics.
pub fn same_error<A, F: FnMut(&A) -> Result<R, E>, R, E: Error + 'static>(
    input: &A,
    mut function: F,
) -> Result<impl FnMut(&A) -> Report + use<A, F, R, E>, Precondition> {
    let mut messages = move |input: &A| match caught(|| function(input).err()) {
        Ok(None) => Ok(None),
        Ok(Some(error)) => Ok(Some(chain(&error))),
        Err(panic) => Err(panic.message()),
    };
    let original = messages(input).map_err(|_| Precondition::Unresolved)?.ok_or(Precondition::NotFailing)?;
    Ok(move |candidate: &A| match messages(candidate) {
        Ok(None) => Outcome::Pass.into(),
        Ok(Some(message)) => {
            let outcome = if message == original { Outcome::Fail } else { Outcome::Unresolved };
            Report { outcome, message: Some(message) }
        }
        Err(message) => Report { outcome: Outcome::Unresolved, message: Some(message) },
    })
}

/// The messages of an error and of its sources.
fn chain(error: &(dyn Error + 'static)) -> String {
    successors(Some(error), |error: &&dyn Error| (*error).source())
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Outcome; 3] = [Outcome::Pass, Outcome::Fail, Outcome::Unresolved];

    #[test]
    fn only_the_same_message_is_the_failure() {
        let function = |input: &u8| match input {
            0 => {}
            1..=3 => panic!("{}", if *input < 3 { "small" } else { "large" }),
            _ => panic!("large: {input}"),
        };
        let mut test = same_panic(&1, function).expect("it panics");
        let reports = [0, 2, 3].map(|input| test(&input));
        assert_eq!(reports.each_ref().map(|report| report.outcome), ALL);
        assert_eq!(reports.map(|report| report.message), [None, Some("small".to_owned()), Some("large".to_owned())]);
    }

    #[test]
    fn the_same_message_at_another_place_is_another_failure() {
        let function = |input: &u8| match input {
            0 => {}
            1 | 2 => panic!("bad"),
            _ => panic!("bad"),
        };
        let mut test = same_panic(&1, function).expect("it panics");
        assert_eq!([0, 2, 3].map(|input| test(&input).outcome), ALL);
        // The place of a caller.
        let numbers = |input: &u8| (*input == 0).then_some(0);
        let function = |input: &u8| match input {
            0..=2 => numbers(input).expect("a number"),
            _ => numbers(input).expect("a number"),
        };
        let mut test = same_panic(&1, function).expect("it panics");
        assert_eq!([0, 2, 3].map(|input| test(&input).outcome), ALL);
    }

    #[test]
    fn without_a_message_the_type_of_the_payload_counts() {
        let function = |input: &u8| {
            let payload: Box<dyn std::any::Any + Send> = match input {
                0..2 => Box::new(*input),
                2 => Box::new("two"),
                _ => Box::new(u16::from(*input)),
            };
            std::panic::resume_unwind(payload)
        };
        let mut test = same_panic(&0, function).expect("it panics");
        let outcomes = [1, 2, 3].map(|input| test(&input).outcome);
        assert_eq!(outcomes, [Outcome::Fail, Outcome::Unresolved, Outcome::Unresolved]);
    }

    #[test]
    fn what_does_not_panic_is_not_failing() {
        assert_eq!(same_panic(&1, |_: &u8| {}).err(), Some(Precondition::NotFailing));
    }

    #[test]
    fn only_the_same_error_is_the_failure() {
        let function = |text: &String| {
            assert!(text != "panic", "a panic");
            text.parse::<u8>()
        };
        let mut test = same_error(&"x".to_owned(), function).expect("it is an error");
        let outcomes = ["1", "yz", ""].map(|text| test(&text.to_owned()).outcome);
        assert_eq!(outcomes, ALL);
        assert_eq!(test(&"panic".to_owned()).outcome, Outcome::Unresolved);
        assert_eq!(same_error(&"1".to_owned(), function).err(), Some(Precondition::NotFailing));
        assert_eq!(same_error(&"panic".to_owned(), function).err(), Some(Precondition::Unresolved));
    }
}
