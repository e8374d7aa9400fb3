//! Other failures that candidates show on the way, each with the smallest program that shows it.

use std::collections::HashMap;
use std::path::PathBuf;

use mcve_transforms::Measure;

use super::checks::Checks;
use super::limits::Stop;
use super::request::{Query, Reply};
use crate::dd::outcome::Outcome;
use crate::event::{Event, Find, Observer};
use crate::exec::job::Trust;
use crate::oracle::fingerprint::Fingerprint;
use crate::program::Program;

/// Where finds go, and which were told.
pub(super) struct Finds {
    folder: PathBuf,
    /// The size of the smallest program of each.
    smallest: HashMap<Fingerprint, Measure>,
}

impl Checks {
    /// The same, where other failures that candidates show are told, with a place for them in `folder`.
    #[must_use]
    pub fn with_finds(mut self, folder: Option<PathBuf>) -> Self {
        self.finds = folder.map(|folder| Finds { folder, smallest: HashMap::new() });
        self
    }

    /// Tells another failure that the check of `program` showed, if it did and no smaller program has shown the same. One that was
    /// seen in the fork server has to show in a fresh process as well.
    pub(super) fn tell_find(
        &mut self,
        program: &Program,
        reply: &Reply,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let (Some(finds), Some(result)) = (&self.finds, &reply.result) else { return Ok(()) };
        if reply.outcome() == Outcome::Fail {
            return Ok(());
        }
        let Some(other) = self.parts.oracle.advice().other_failure(result) else { return Ok(()) };
        let measure = program.measure();
        if finds.smallest.get(&other.fingerprint).is_some_and(|smallest| *smallest <= measure) {
            return Ok(());
        }
        if reply.trust == Trust::Likely {
            let job = self.parts.oracle.job(program);
            let fresh = self.output(Query::Check, program, &job)?.result;
            let again = fresh.and_then(|result| self.parts.oracle.advice().other_failure(&result));
            if again.is_none_or(|again| again.fingerprint != other.fingerprint) {
                return Ok(());
            }
        }
        let Some(finds) = &mut self.finds else { return Ok(()) };
        let mut path = finds.folder.join(other.fingerprint.file_name());
        if program.is_lone() {
            // The fingerprint may hold dots.
            path.as_mut_os_string().push(".rs");
        }
        let command = self.parts.oracle.command(program, &path);
        let (fingerprint, failure) = (other.fingerprint.to_string(), other.words);
        finds.smallest.insert(other.fingerprint, measure);
        let program = program.clone();
        observer.event(&Event::Found(Box::new(Find { fingerprint, failure, program, path, command })));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
