//! The conditions besides the failure, each found on the unreduced program.

use std::sync::Arc;

use super::compiler::Recognised;
use super::config::CompilerConfig;
use super::error::FailureError;
use super::held::{Asked, Besides, FoundOracle, Held};
use super::kinds::{Accepted, Expands, FailureKind, Prints, Says};
use super::lookup::{Lookup, Unmet};
use super::run;
use super::spec::Unwanted;
use crate::oracle::rustc::Rustc;

impl Lookup<'_> {
    /// The conditions besides the failure of `base`, of which `asked` are kinds; else the first that does not hold.
    pub(super) fn conditions(
        &self,
        base: &Rustc,
        failure: Option<&FoundOracle>,
        asked: &[Arc<dyn FailureKind>],
    ) -> Result<Result<Vec<Held>, Unmet>, FailureError> {
        let runner = failure.and_then(FoundOracle::runner);
        let accepted = || Arc::new(Accepted(runner.clone()));
        let run = self.ask()?.run_or_main();
        let find = |config: &CompilerConfig| self.other_config(config);
        let mut wanted: Vec<(Option<CompilerConfig>, Arc<dyn FailureKind>, bool)> = Vec::new();
        let perhaps = &self.spec.passes_perhaps;
        for config in self.spec.passes_with.iter().chain(perhaps) {
            wanted.push((Some(find(config)?), accepted(), false));
        }
        wanted.extend(asked.iter().map(|kind| (None, Arc::clone(kind), false)));
        for unwanted in &self.spec.unwanted {
            wanted.push(match unwanted {
                Unwanted::Says(said) => (None, Arc::new(Says(said.clone())), true),
                Unwanted::Accepted(config) => (Some(find(config)?), accepted(), true),
                Unwanted::Prints(text) => (None, Arc::new(Prints { text: text.clone(), run: run.clone() }), true),
                Unwanted::Expands(pattern) => (None, Arc::new(Expands(pattern.clone())), true),
            });
        }
        let mut held = Vec::new();
        let reported = if let Some(FoundOracle::Diagnostic(oracle)) = failure { Some(oracle) } else { None };
        let first = reported.map(|oracle| self.result(oracle)).transpose()?;
        for (config, kind, is_negated) in wanted {
            let rustc = config.as_ref().map_or_else(|| base.clone(), |config| config.of(base));
            let must_hold = !config.as_ref().is_some_and(|config| perhaps.contains(config));
            // The result at the start is not passed on: the next check yields the same or more.
            let result = self.result(&*kind.oracle(&rustc, None))?;
            let oracle = FoundOracle::Asked(Asked { kind, rustc: rustc.clone(), result: result.clone() });
            // Another configuration that warns of the same does not accept it.
            let absent = reported.filter(|_| config.is_some() && !is_negated).cloned();
            let condition = Held::Besides(Box::new(Besides { config, oracle, is_negated, absent }));
            let judge = condition.by(base);
            if let Some(why) = judge.broken(&result, first.as_ref().unwrap_or(&result)) {
                if !must_hold {
                    continue;
                }
                let command = self.subject.by_hand(&|path| judge.command(self.program, path));
                return Ok(Err(Unmet { why, command }));
            }
            held.push(condition);
        }
        // The first one is how the failure itself was found, unless a script defines the failure.
        for config in self.spec.fails_with.iter().skip(usize::from(failure.is_some())) {
            let config = find(config)?;
            let Some(oracle) = self.fails_in(&config, base, failure)? else {
                let command = self.subject.by_hand(&|path| config.of(base).command(self.program, path));
                return Ok(Err(Unmet { why: format!("with `{config}` it does not fail"), command }));
            };
            let besides = Besides { config: Some(config), oracle, is_negated: false, absent: None };
            held.push(Held::Besides(Box::new(besides)));
        }
        Ok(Ok(held))
    }

    /// The failure that another configuration shows as well; none if it shows none.
    fn fails_in(
        &self,
        config: &CompilerConfig,
        base: &Rustc,
        failure: Option<&FoundOracle>,
    ) -> Result<Option<FoundOracle>, FailureError> {
        let rustc = config.of(base);
        match failure {
            Some(FoundOracle::Run(oracle)) => {
                let found = self.run_recogniser()?.recognise(&rustc, Some(&oracle.runner.target));
                Ok(match found.map_err(|error| self.unrecognised(error))? {
                    run::Recognised::Fails(oracle, _) => Some(FoundOracle::Run(*oracle)),
                    _ => None,
                })
            }
            Some(FoundOracle::Diagnostic(oracle)) => {
                let found = self.recogniser().recognise_diagnostics(&[rustc], &[], &oracle.wanted, oracle.detail);
                Ok(found.map_err(|error| self.unrecognised(error))?.ok().map(FoundOracle::Diagnostic))
            }
            Some(FoundOracle::Asked(asked)) => {
                let found = self.find_kind(&asked.kind, &[rustc], &[])?;
                Ok(found.ok().map(FoundOracle::Asked))
            }
            _ => {
                let found = self.recogniser().recognise(&[rustc], &[]).map_err(|error| self.unrecognised(error))?;
                let Recognised::Fails(recognition) = found else { return Ok(None) };
                let is_same = match failure {
                    // Another version of the compiler may crash in another place.
                    Some(FoundOracle::Rustc(first)) => first.failure.kind == recognition.oracle.failure.kind,
                    _ => true,
                };
                Ok(is_same.then_some(FoundOracle::Rustc(recognition.oracle)))
            }
        }
    }
}
