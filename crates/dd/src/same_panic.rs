//! Uses a panicking closure as a test: a failing call in *The Debugging Book* (chapter *Reducing Failure-Inducing
//! Inputs*) is a panicking call here, and the same exception is the same message.

use std::any::{Any, TypeId};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::outcome::Outcome;
use super::precondition::Precondition;

/// A test that `function` fails as it does for `input`: a panic with the same message is
/// [`Fail`](Outcome::Fail), a panic with another message is [`Unresolved`](Outcome::Unresolved), no panic is
/// [`Pass`](Outcome::Pass).
///
/// Whole messages are compared, so a message that quotes the input (as `assert_eq!` does) fixes the quoted parts.
/// Panics whose payload is not a message are the same if the payload has the same type. The panic hook runs for each
/// panic and prints its message, unless the caller has set another.
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
) -> Result<impl FnMut(&A) -> Outcome + use<A, F, R>, Precondition> {
    let original = panic_of(&mut function, input).ok_or(Precondition::NotFailing)?;
    Ok(move |candidate: &A| match panic_of(&mut function, candidate) {
        None => Outcome::Pass,
        Some(panic) if panic == original => Outcome::Fail,
        Some(_) => Outcome::Unresolved,
    })
}

/// The properties that distinguish panics.
#[derive(PartialEq, Eq)]
enum Panic {
    Message(String),
    Payload(TypeId),
}

/// The panic of a call. Only later calls of the function can see state that it leaves broken.
fn panic_of<A, R>(function: &mut impl FnMut(&A) -> R, input: &A) -> Option<Panic> {
    let payload = catch_unwind(AssertUnwindSafe(|| drop(function(input)))).err()?;
    let message = payload.downcast_ref::<String>().cloned();
    let message = message.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
    Some(message.map_or_else(|| Panic::Payload(Any::type_id(&*payload)), Panic::Message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_message_is_the_failure() {
        let function = |input: &u8| match input {
            0 => {}
            1..=2 => panic!("small"),
            3 => panic!("{}", "small"),
            _ => panic!("large: {input}"),
        };
        let mut test = same_panic(&1, function).expect("it panics");
        let outcomes = [0, 1, 2, 3, 4].map(|input| test(&input));
        let [pass, fail, unresolved] = [Outcome::Pass, Outcome::Fail, Outcome::Unresolved];
        assert_eq!(outcomes, [pass, fail, fail, fail, unresolved]);
    }

    #[test]
    fn without_a_message_the_type_of_the_payload_counts() {
        let function = |input: &u8| match input {
            0..2 => std::panic::panic_any(*input),
            2 => std::panic::panic_any("two"),
            _ => std::panic::panic_any(u16::from(*input)),
        };
        let mut test = same_panic(&0, function).expect("it panics");
        let outcomes = [1, 2, 3].map(|input| test(&input));
        assert_eq!(outcomes, [Outcome::Fail, Outcome::Unresolved, Outcome::Unresolved]);
    }

    #[test]
    fn what_does_not_panic_is_not_failing() {
        assert_eq!(same_panic(&1, |_: &u8| {}).err(), Some(Precondition::NotFailing));
    }
}
