//! A formatter, or another reader of files, fails.

use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use crate::exec::job::JobResult;
use crate::exec::programs;
use crate::failure::error::FailureError;
use crate::failure::tool::Tool;
use crate::oracle::Oracle;
use crate::oracle::formatter::{Formatter, FormatterOracle};
use crate::oracle::rustc::Rustc;

#[derive(Clone, Debug)]
struct Formats(Formatter);

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    if let Some(tool) = ask.spec.tool.filter(|tool| !tool.is_compiler()) {
        let program = tool.find(ask.toolchain)?;
        // As the compiler of its toolchain is called.
        let mut called = programs::called(None, ask.toolchain, &program.with_file_name("rustc"));
        called[0] = if called[0] == "rustc" { tool.program().into() } else { program.clone().into() };
        kinds.push(Arc::new(Formats(Formatter { program, called, writes: tool == Tool::Rustfmt })));
    }
    Ok(())
}

impl FailureKind for Formats {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        Arc::new(FormatterOracle::new(self.0.clone(), rustc.clone(), seen))
    }
}
