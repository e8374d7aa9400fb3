//! How rustc is run for a failure: its arguments, its limit of memory, its variables.

use std::path::Path;

use anyhow::Context;

use super::compiler::{Recogniser, Recognition, Unrecognised};
use super::error::{Cause, FailureError};
use super::held::FoundOracle;
use super::lookup::Lookup;
use super::tool::{Tool, miri_sysroot};
use crate::exec::environment::VARIABLES;
use crate::exec::programs;
use crate::oracle::diagnostics::Stderr;
use crate::oracle::headers::Headers;
use crate::oracle::rustc::Rustc;
use mcve_dd::outcome::Outcome;

/// Texts that rustc prints, outside of diagnostics, when it runs out of memory.
const OUT_OF_MEMORY: [&str; 2] = ["memory allocation of ", "out of memory"];

impl Lookup<'_> {
    /// How rustc is run, for each revision of the file.
    pub(super) fn ways(&self, headers: &[Headers]) -> Result<Vec<Rustc>, FailureError> {
        let folder = std::env::current_dir().context("there is no current folder")?;
        let (spec, toolchain) = (self.spec, self.session.toolchain.as_deref());
        let tool = spec.tool.filter(|tool| tool.is_compiler());
        let given = tool.map(|tool| Path::new(tool.program())).or(spec.rustc.as_deref());
        let compiler = tool.map_or_else(|| programs::rustc(given, toolchain), |tool| tool.find(toolchain))?;
        let called = programs::called(given, toolchain, &compiler);
        let config = spec.fails_with.first().map(|config| config.clone().find(spec.tool)).transpose()?;
        let sysroot = (tool == Some(Tool::Miri)).then(|| miri_sysroot(toolchain)).transpose()?;
        let way = |headers| {
            let mut way = Rustc::new(compiler.clone(), headers, &spec.rustc_args, &folder);
            way.args.extend(sysroot.clone());
            let way = Rustc { called: called.clone(), ..way.naming(self.program) };
            config.as_ref().map_or(way.clone(), |config| config.of(&way))
        };
        Ok(headers.iter().map(way).collect())
    }

    /// The rustc of a crash, with a memory limit if the failure needs one. Fails if the failure is due to the limit.
    pub(super) fn limited(&self, recogniser: &Recogniser<'_>, found: &Recognition) -> Result<Rustc, FailureError> {
        let oracle = &found.oracle;
        let limit = self.session.memory.unwrap_or_default();
        let Some(bytes) = limit.0.filter(|_| !oracle.failure.is_in_program()) else { return Ok(oracle.rustc.clone()) };
        let plain = Stderr::read(&found.result.stderr).plain;
        let ran_out = plain.iter().any(|line| OUT_OF_MEMORY.iter().any(|words| line.contains(words)));
        let is_due = match self.session.memory {
            // The user set a limit: run once with the usual one.
            Some(_) => {
                let usual = self.session.executor_of_usual_memory().context("cannot start a process")?;
                let recogniser = Recogniser { executor: &*usual, ..*recogniser };
                let shows = recogniser.shows(&oracle.rustc, &oracle.failure);
                !shows.map_err(|error| self.unrecognised(error))?
            }
            None => ran_out,
        };
        if !is_due {
            return Ok(oracle.rustc.clone());
        }
        if !self.spec.force {
            return Err(Cause::MemoryLimit(bytes >> 20, oracle.failure.to_string()).into());
        }
        Ok(Rustc { memory: Some(bytes), ..oracle.rustc.clone() })
    }

    /// The failure with only those variables of mcve's environment that it needs.
    pub(super) fn with_variables(&self, mut found: FoundOracle) -> Result<FoundOracle, FailureError> {
        for name in VARIABLES.into_iter().chain(["LD_LIBRARY_PATH"]) {
            let Some(value) = std::env::var_os(name) else { continue };
            let rustc = found.rustc();
            let without = rustc.without(name);
            // A compiler that cannot start without the variable needs it.
            let oracle = found.clone().with(without.clone()).oracle();
            let is_needless = match self.try_result_of(&oracle.job(self.program)) {
                Ok(result) => oracle.verdict(&result).outcome == Outcome::Fail,
                Err(Unrecognised::Exec(_)) => false,
                Err(error) => return Err(self.unrecognised(error)),
            };
            let rustc = match is_needless {
                // A compiler that has started needs the variables that were looked at before.
                true if name.starts_with("LD_") => continue,
                true => without,
                false => rustc.with_variable(name, value),
            };
            found = found.with(rustc);
        }
        Ok(found)
    }
}
