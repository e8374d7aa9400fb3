//! A failure in a form that two runs can compare: `ice:rustc_middle/src/mir/statement.rs:894:3f2a9c`.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::failure::{Failure, Kind};
use super::run_failure::{RunFailure, RunKind, is_from_outside};

/// The bits of the hash that are shown.
const BITS: u64 = 0xff_ffff;

/// The identity of a failure in short form: the kind, the place, and a hash of everything that counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    kind: String,
    /// The file and the line in the compiler, or the function of the program.
    place: Option<String>,
    /// Of the kind, the message, the place, the query, and where the errors are the failure, their codes.
    hash: u64,
}

/// The identity of the failure that candidates must show.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct FailureId {
    /// The failure in words.
    pub words: String,
    /// A short form that two runs can compare; none if the oracle does not know what fails.
    pub fingerprint: Option<String>,
}

impl From<String> for FailureId {
    /// A failure that is known by its words alone.
    fn from(words: String) -> Self {
        Self { words, fingerprint: None }
    }
}

/// A failure of a candidate that is not the one to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFailure {
    /// Distinguishes it from others.
    pub fingerprint: Fingerprint,
    /// The failure in words.
    pub words: String,
}

impl Fingerprint {
    fn new(kind: String, place: Option<String>, parts: &[&str]) -> Self {
        let all = parts.join("\0");
        Self { hash: xxh3_64(format!("{kind}\0{all}").as_bytes()) & BITS, kind, place }
    }

    /// The name of a file for it, without an extension: `ice-statement-894-3f2a9c`.
    pub(crate) fn file_name(&self) -> String {
        let place = self.place.as_ref().map_or_else(String::new, |place| {
            let (file, line) = place.split_once(".rs:").unwrap_or((place, ""));
            let stem = Path::new(file).file_name().map_or_else(String::new, |stem| stem.to_string_lossy().into());
            [stem, line.to_owned()].iter().filter(|part| !part.is_empty()).map(|part| format!("-{part}")).collect()
        });
        let name = format!("{}{place}-{:06x}", self.kind, self.hash);
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' }).collect()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.kind)?;
        if let Some(place) = &self.place {
            write!(f, "{place}:")?;
        }
        write!(f, "{:06x}", self.hash)
    }
}

impl From<&Failure> for Fingerprint {
    fn from(failure: &Failure) -> Self {
        let kind = match failure.kind {
            Kind::Ice => "ice".to_owned(),
            Kind::DelayedBug => "delayed-bug".to_owned(),
            Kind::StackOverflow => "stack-overflow".to_owned(),
            Kind::Signal(signal) => format!("signal-{signal}"),
            Kind::Llvm => "llvm".to_owned(),
            Kind::Errors => "errors".to_owned(),
        };
        let place = failure.place.as_deref().unwrap_or_default();
        let query = failure.query.as_deref().unwrap_or_default();
        // What else is wrong with a program that crashes the compiler comes and goes.
        let codes = if failure.is_in_program() { failure.codes.iter().cloned().collect() } else { Vec::new() };
        let shown = place.strip_prefix("compiler/").unwrap_or(place);
        // `file:line:column`; an address of a crash has neither.
        let is_number = |column: &str| column.bytes().all(|byte| byte.is_ascii_digit());
        let line = shown.rsplit_once(':').filter(|(_, column)| is_number(column)).map(|(line, _)| line);
        let shown = line.unwrap_or(shown);
        let shown = (!shown.is_empty()).then(|| shown.to_owned());
        Self::new(kind, shown, &[&failure.message, place, query, &codes.join(",")])
    }
}

impl From<&RunFailure> for Fingerprint {
    fn from(failure: &RunFailure) -> Self {
        let kind = match failure.kind {
            RunKind::Panic => "panic".to_owned(),
            RunKind::Exit(code) => format!("exit-{code}"),
            RunKind::Signal(signal) => format!("signal-{signal}"),
        };
        let function = failure.site.function.clone();
        Self::new(kind, function.clone(), &[&failure.message, function.as_deref().unwrap_or_default()])
    }
}

impl OtherFailure {
    /// A failure of rustc, if it is no error in the program.
    pub(crate) fn of_compiler(failure: &Failure) -> Option<Self> {
        let (fingerprint, words) = (failure.into(), failure.to_string());
        let is_ended = matches!(failure.kind, Kind::Signal(signal) if is_from_outside(signal));
        (!failure.is_in_program() && !is_ended).then_some(Self { fingerprint, words })
    }

    /// A failure of the program, without its functions, whose names change during reduction.
    pub(crate) fn of_program(failure: RunFailure) -> Self {
        let failure = RunFailure { site: mcve_transforms::FailingSite::default(), ..failure };
        Self { fingerprint: (&failure).into(), words: failure.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn failure(kind: Kind, message: &str, place: Option<&str>) -> Failure {
        let place = place.map(str::to_owned);
        Failure {
            kind,
            message: message.to_owned(),
            said: message.to_owned(),
            place,
            query: None,
            recursion: BTreeSet::new(),
            codes: BTreeSet::new(),
        }
    }

    #[track_caller]
    fn check(failure: &Failure, shown: &str, name: &str) {
        let fingerprint = Fingerprint::from(failure);
        let hash = format!("{:06x}", fingerprint.hash);
        assert_eq!(fingerprint.to_string(), shown.replace('#', &hash));
        assert_eq!(fingerprint.file_name(), name.replace('#', &hash));
    }

    #[test]
    fn a_fingerprint_is_the_kind_and_the_place_and_a_hash() {
        let place = "compiler/rustc_middle/src/mir/statement.rs:894:17";
        let ice = failure(Kind::Ice, "assertion", Some(place));
        check(&ice, "ice:rustc_middle/src/mir/statement.rs:894:#", "ice-statement-894-#");
        check(&failure(Kind::StackOverflow, "", None), "stack-overflow:#", "stack-overflow-#");
        let crash = failure(Kind::Signal(11), "", Some("librustc.so(+0x12)"));
        check(&crash, "signal-11:librustc.so(+0x12):#", "signal-11-librustc-so--0x12--#");
    }

    #[test]
    fn what_counts_is_in_the_hash_and_nothing_else() {
        let ice = failure(Kind::Ice, "one", Some("compiler/rustc_x/src/y.rs:1:2"));
        let of = |failure: &Failure| Fingerprint::from(failure);
        let with_codes = |failure: &Failure| Failure { codes: ["E0308".to_owned()].into(), ..failure.clone() };
        let others = [
            Failure { message: "two".to_owned(), ..ice.clone() },
            Failure { query: Some("typeck".to_owned()), ..ice.clone() },
            Failure { place: Some("compiler/rustc_x/src/y.rs:1:3".to_owned()), ..ice.clone() },
        ];
        assert!(others.iter().all(|other| of(other) != of(&ice)));
        assert_eq!(of(&with_codes(&ice)), of(&ice));
        let errors = failure(Kind::Errors, "mismatched types", None);
        assert_ne!(of(&with_codes(&errors)), of(&errors));
    }
}
