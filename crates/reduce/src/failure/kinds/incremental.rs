//! rustc fails, or what it makes behaves differently, only after another version of the program.

use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use crate::exec::job::JobResult;
use crate::failure::error::{Conflict, FailureError};
use crate::oracle::Oracle;
use crate::oracle::incremental;
use crate::oracle::run::Target;
use crate::oracle::rustc::Rustc;
use crate::oracle::strictness::Strictness;

/// Versions of the program are compiled into one incremental folder.
#[derive(Clone, Debug)]
struct Incremental {
    versions: Vec<String>,
    run: Option<incremental::Run>,
    strictness: Strictness,
    allow_errors: bool,
}

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    if !ask.spec.incremental {
        return Ok(());
    }
    let run = match ask.run().map(|run| run.target) {
        Some(Target::Main(args)) => Some(incremental::Run { args, stdin: ask.stdin.clone() }),
        Some(_) => return Err(Conflict::IncrementalTest.into()),
        None => None,
    };
    let strictness = match ask.spec.strictness {
        Some(given) => given.crash.ok_or(Conflict::DiagnosticParts)?,
        None => Strictness::default(),
    };
    let versions = ask.versions.clone();
    kinds.push(Arc::new(Incremental { versions, run, strictness, allow_errors: ask.spec.allow_errors }));
    Ok(())
}

impl FailureKind for Incremental {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let (rustc, versions, run) = (rustc.clone(), self.versions.clone(), self.run.clone());
        let oracle = incremental::Incremental { rustc, versions, run, held: None };
        Arc::new(seen.map_or(oracle.clone(), |seen| oracle.holding(seen, self.strictness, self.allow_errors)))
    }

    fn is_failure_with_run(&self) -> bool {
        true
    }

    fn needs_main(&self, _: &Rustc) -> bool {
        self.run.is_some()
    }

    fn ways(&self, rustc: &Rustc) -> Vec<Rustc> {
        match self.run {
            Some(_) => vec![rustc.clone()],
            None => vec![rustc.with_emit("metadata"), rustc.with_emit("obj"), rustc.clone()],
        }
    }
}
