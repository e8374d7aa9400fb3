//! What rustc says of a program, as a number: programs of which it says the same are likely to be the same to a script.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::failure::{Failure, Kind};
use crate::exec::job::{End, JobResult};

/// The codes of the errors that rustc reports, or the crash that it ends by, whatever in the program it is about.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Signature(u64);

impl Signature {
    /// The signature of what came of a run of rustc with `--error-format=json`; none where it says nothing that is known.
    #[must_use]
    pub fn of(result: &JobResult) -> Option<Self> {
        let said: BTreeSet<String> = match result.end {
            End::TimedOut | End::Cancelled => return None,
            End::Exited(0) => BTreeSet::new(),
            _ => Failure::all(result).into_iter().map(|failure| said(&failure)).collect(),
        };
        let is_known = !said.is_empty() || result.end == End::Exited(0);
        is_known.then(|| Self(xxh3_64(said.into_iter().collect::<Vec<_>>().join("\n").as_bytes())))
    }
}

fn said(failure: &Failure) -> String {
    let Failure { kind, message, place, query, codes, .. } = failure;
    // The codes tell the errors, and of those without a code the message.
    let message = if *kind == Kind::Errors { "" } else { message };
    format!("{kind:?} {message:?} {place:?} {query:?} {codes:?}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::exec::job::Executor;
    use crate::exec::limits::Memory;
    use crate::exec::process::{Cancel, Processes};
    use crate::exec::programs;
    use crate::oracle::headers::Headers;
    use crate::oracle::hints;
    use crate::program::Program;

    /// The signature of a program of which the real rustc says something.
    #[track_caller]
    fn of(text: &str) -> Signature {
        let program = Program::new("a.rs", text);
        let compiler = programs::rustc(None, None).expect("the tests are compiled by one");
        let job = hints::plain(&hints::guess(compiler, &program, &Headers::default(), Path::new("/")), &program);
        let processes = Processes::new(Memory::default()).expect("a temporary folder can be made");
        let result = processes.run(&job, Duration::from_secs(1000), &Cancel::default()).expect("it is there");
        Signature::of(&result).expect("rustc says something")
    }

    #[test]
    fn it_is_the_codes_that_count() {
        assert_eq!(of("fn f() { a }"), of("struct S; impl S { fn f() { b(); c() } } const A: u8 = d;"));
        assert_eq!(of("fn f() {}"), of("fn main() { let a = 1; }"));
        let others =
            ["fn f() {}", "fn f() { a }", "fn f() -> u8 {}", "fn f() -> u8 { a; }", "fn f( {}", "fn f() { / }"];
        let different: std::collections::HashSet<Signature> = others.into_iter().map(of).collect();
        assert_eq!(different.len(), others.len());
    }

    #[test]
    fn what_says_nothing_has_none() {
        for end in [End::TimedOut, End::Cancelled, End::Exited(1)] {
            let result = JobResult { end, stdout: vec![], stderr: b"what?".to_vec(), wall: Duration::ZERO };
            assert_eq!(Signature::of(&result), None, "{end}");
        }
    }
}
