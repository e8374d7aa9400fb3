//! rustc reports a diagnostic, besides another failure.

use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use crate::exec::job::JobResult;
use crate::failure::error::FailureError;
use crate::oracle::Oracle;
use crate::oracle::diagnostic::{DiagnosticOracle, Held};
use crate::oracle::identity::Detail;
use crate::oracle::rustc::Rustc;
use crate::oracle::wanted::Wanted;

#[derive(Clone, Debug)]
pub(in crate::failure) struct Says(pub(in crate::failure) Wanted);

/// Adds the requested diagnostics as a further condition of the kinds that were added before.
pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    let wanted = &ask.spec.diagnostics;
    // Diagnostics alone are found more cheaply in another way.
    if !wanted.is_empty() && (!kinds.is_empty() || ask.spec.run_target().is_some()) {
        kinds.push(Arc::new(Says(wanted.clone())));
    }
    Ok(())
}

impl FailureKind for Says {
    fn oracle(&self, rustc: &Rustc, _: Option<&JobResult>) -> Arc<dyn Oracle> {
        let (rustc, wanted, held, detail) = (rustc.clone(), self.0.clone(), Held::default(), Detail::default());
        Arc::new(DiagnosticOracle { rustc, wanted, held, detail, allow_errors: true, has_proc_macros: false })
    }

    fn ways(&self, rustc: &Rustc) -> Vec<Rustc> {
        rustc.checking()
    }
}
