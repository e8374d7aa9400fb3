//! How much of a failure of rustc a candidate has to show.

use std::str::FromStr;

use super::failure::Failure;

/// The parts of a failure that a candidate must show, besides its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// These parts must be the same.
    Parts {
        /// The normalised message.
        message: bool,
        /// The place in the compiler's source.
        place: bool,
        /// The top of the query stack, or the frames of a recursion.
        stack: bool,
    },
    /// Any crash of the compiler will do, and no error in the program.
    AnyCrash,
}

impl Default for Strictness {
    fn default() -> Self {
        Self::Parts { message: true, place: true, stack: true }
    }
}

impl FromStr for Strictness {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "any-ice" {
            return Ok(Self::AnyCrash);
        }
        let (mut message, mut place, mut stack) = (false, false, false);
        for part in text.split(',') {
            match part {
                "message" => message = true,
                "place" => place = true,
                "stack" => stack = true,
                _ => return Err(format!("`{part}` is none of message, place, stack; or say any-ice alone")),
            }
        }
        Ok(Self::Parts { message, place, stack })
    }
}

impl Strictness {
    /// Whether `other` shows enough of `failure`, whatever errors come with it.
    pub(crate) fn is_same(self, failure: &Failure, other: &Failure) -> bool {
        let Self::Parts { message, place, stack } = self else { return !other.is_in_program() };
        failure.kind == other.kind
            && (!message || failure.message == other.message)
            && (!place || failure.place == other.place)
            && (!stack || failure.has_same_stack(other))
            && (!failure.is_in_program() || failure.codes == other.codes)
    }
}

impl Failure {
    /// Whether the other is the same failure, whatever errors come with it.
    pub fn is_same(&self, other: &Self) -> bool {
        Strictness::default().is_same(self, other)
    }

    /// Whether a run with these failures, the most telling first, shows enough of this one. A crash must be the first: a user
    /// does not see one that comes after another. Of errors, another one may come first when the program shrinks.
    pub(crate) fn is_shown_by(&self, failures: &[Self], strictness: Strictness) -> bool {
        let count = if self.is_in_program() { failures.len() } else { failures.len().min(1) };
        failures[..count].iter().any(|failure| strictness.is_same(self, failure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::signature::failure::Kind;

    fn failure(kind: Kind, message: &str, place: &str, query: &str) -> Failure {
        let [place, query] = [place, query].map(|text| Some(text.to_owned()));
        let (recursion, codes) = Default::default();
        Failure { kind, message: message.to_owned(), said: String::new(), place, query, recursion, codes }
    }

    #[track_caller]
    fn check(said: &str, other: &Failure, is_same: bool) {
        let one = failure(Kind::Ice, "message", "place", "typeck");
        let strictness: Strictness = said.parse().expect("it is a strictness");
        assert_eq!(strictness.is_same(&one, other), is_same, "{said}: {other}");
    }

    #[test]
    fn only_what_is_asked_for_has_to_be_the_same() {
        for (said, message, place, stack) in [
            ("message", true, false, false),
            ("place", false, true, false),
            ("stack", false, false, true),
            ("message,stack", true, false, true),
            ("message,place,stack", true, true, true),
        ] {
            check(said, &failure(Kind::Ice, "message", "place", "typeck"), true);
            check(said, &failure(Kind::Ice, "another", "place", "typeck"), !message);
            check(said, &failure(Kind::Ice, "message", "another", "typeck"), !place);
            check(said, &failure(Kind::Ice, "message", "place", "another"), !stack);
            check(said, &failure(Kind::Llvm, "message", "place", "typeck"), false);
        }
        assert_eq!("message,place,stack".parse(), Ok(Strictness::default()));
    }

    #[test]
    fn any_crash_is_no_error_in_the_program() {
        check("any-ice", &failure(Kind::Signal(11), "another", "another", "another"), true);
        check("any-ice", &failure(Kind::Errors, "message", "place", "typeck"), false);
    }

    #[test]
    fn what_is_no_part_is_told() {
        for text in ["", "codes", "message,", "any-ice,place"] {
            assert!(text.parse::<Strictness>().is_err(), "{text}");
        }
    }
}
