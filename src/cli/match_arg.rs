//! `--match`: how much of a failure a candidate has to show.

use std::str::FromStr;

use crate::oracle::identity::Detail;
use crate::oracle::strictness::Strictness;

/// How much of a failure a candidate has to show, for each of the two that it can be said of.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// Of a crash of rustc; none where what was given is about diagnostics.
    pub crash: Option<Strictness>,
    /// Of an error or a warning; none where it is about crashes.
    pub diagnostic: Option<Detail>,
}

impl FromStr for Match {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (crash, diagnostic) = (text.parse(), text.parse());
        if crash.is_err() && diagnostic.is_err() {
            return Err(format!(
                "`{text}` is neither one of code, message, labels, notes, nor some of message,place,stack, nor any-ice"
            ));
        }
        Ok(Self { crash: crash.ok(), diagnostic: diagnostic.ok() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, is_of_crashes: bool, diagnostic: Option<Detail>) {
        let parsed: Match = text.parse().expect("it says how much");
        assert_eq!((parsed.crash.is_some(), parsed.diagnostic), (is_of_crashes, diagnostic), "{text}");
    }

    #[test]
    fn it_says_what_it_is_about() {
        check("code", false, Some(Detail::Code));
        check("notes", false, Some(Detail::Notes));
        check("message", true, Some(Detail::Message));
        check("message,place", true, None);
        check("any-ice", true, None);
        assert!("labels,notes".parse::<Match>().is_err());
        assert!("".parse::<Match>().is_err());
    }
}
