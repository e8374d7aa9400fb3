//! Values of options, as they are written.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use mcve_reduce::failure::spec::Match;

/// One of these values, each with its name and what the help says of it.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    values: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let names = values.iter().map(|(name, _, about)| PossibleValue::new(*name).help(*about));
    PossibleValuesParser::new(names).map(|name| {
        let (_, value, _) = values.iter().find(|(known, ..)| *known == name).expect("clap refuses other names");
        *value
    })
}

/// A time, such as `30s` or a number of seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let parsed = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?,
        Err(_) => humantime::parse_duration(text).map_err(|_| "give a time such as 30s, 5m or 1h".to_owned())?,
    };
    if parsed.is_zero() { Err("a time of zero ends before it begins".to_owned()) } else { Ok(parsed) }
}

/// The code of an error, of which the number is enough.
pub(super) fn code(text: &str) -> Result<String, std::convert::Infallible> {
    let number = text.trim_start_matches(['E', 'e']);
    let is_code = !number.is_empty() && number.len() <= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    Ok(if is_code { format!("E{number:0>4}") } else { text.to_owned() })
}

/// A number of things that are done at once.
pub(super) fn number(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "give a number from 1 on".to_owned())
}

/// How much of a failure a candidate has to show.
pub(super) fn strictness(text: &str) -> Result<Match, String> {
    let given = Match { crash: text.parse().ok(), diagnostic: text.parse().ok() };
    if given.crash.is_none() && given.diagnostic.is_none() {
        return Err(format!(
            "`{text}` is neither one of code, message, labels, notes, nor some of message,place,stack, nor any-ice"
        ));
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcve_reduce::oracle::identity::Detail;

    #[test]
    fn times_have_units_or_are_seconds() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert!(duration("0").is_err());
        assert!(duration("-1").is_err());
        assert!(duration("soon").is_err());
    }

    #[track_caller]
    fn check(text: &str, is_of_crashes: bool, diagnostic: Option<Detail>) {
        let parsed = strictness(text).expect("it says how much");
        assert_eq!((parsed.crash.is_some(), parsed.diagnostic), (is_of_crashes, diagnostic), "{text}");
    }

    #[test]
    fn the_parts_to_keep_are_those_of_a_crash_or_a_diagnostic() {
        check("code", false, Some(Detail::Code));
        check("notes", false, Some(Detail::Notes));
        check("message", true, Some(Detail::Message));
        check("message,place", true, None);
        check("any-ice", true, None);
        assert!(strictness("labels,notes").is_err());
        assert!(strictness("").is_err());
    }
}
