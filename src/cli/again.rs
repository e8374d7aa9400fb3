//! Asks once more what the run that made a result was asked: the same command, of the result.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::Context;

use super::argv::usual_question;
use super::begin::Begin;
use super::exit::{Exit, Failed, OrExit};
use super::known::{Known, is_package};
use super::oracle_args::OracleArgs;
use super::run_args::ScreenArgs;
use super::{package_run, reduce};
use crate::report::log::Run;
use mcve_reduce::event::General;
use mcve_reduce::exec::folder::RunFolder;
use mcve_reduce::modes::generalise::generalise;
use mcve_reduce::modes::pair::NoPair;

impl Known {
    /// Runs the command of the run, or another one where the user says so, on the result. What comes out is not kept.
    /// Fails as a reduction, and when it is not known what the failure is.
    pub(super) fn ask(&self, oracle: OracleArgs, toolchain: Option<String>) -> Result<Run, Failed> {
        let folder = RunFolder::new().context("cannot make a temporary folder").or_exit(Exit::Output)?;
        let output = folder.path().join(self.path.file_name().unwrap_or(OsStr::new("result.rs")));
        if is_package(&self.path) {
            self.ask_package(&output, toolchain)?;
        } else {
            self.ask_file(&output, oracle, toolchain)?;
        }
        let mut run = Run::take(&output).context("the answers were not kept").or_exit(Exit::Output)?;
        if let Some(end) = &mut run.end {
            end.command = end.command.replace(&*output.to_string_lossy(), &self.named.to_string_lossy());
        }
        Ok(run)
    }

    /// The parts of the result that may be any of their kind. Fails as `mcve generalise`.
    pub(super) fn generalise(&self, oracle: OracleArgs, toolchain: Option<String>) -> Result<Vec<General>, Failed> {
        let (args, own) = self.file_args(oracle)?;
        let found = args
            .start(toolchain.or(own))?
            .run(|problem, session, _, observer| generalise(problem, session, observer).map_err(NoPair::Baseline))?;
        Ok(found.0.parts)
    }

    fn ask_file(&self, output: &Path, oracle: OracleArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
        let (mut args, own) = self.args(oracle)?;
        args.output = Some(output.to_owned());
        reduce::reduce(&args, toolchain.or(own), Begin::Anew(&self.plain()))
    }

    fn ask_package(&self, output: &Path, toolchain: Option<String>) -> Result<Exit, Failed> {
        let (mut args, own) = self.enter_package(usual_question())?;
        let words = self.run.iter().flat_map(|run| &run.begun.words).map(OsString::from).collect::<Vec<_>>();
        args.output = Some(output.to_owned());
        (args.run.log, args.run.html, args.run.report, args.run.history) = (None, None, None, None);
        args.run.screen = ScreenArgs::default();
        package_run::package(args, toolchain.or(own), None, &words)
    }
}
