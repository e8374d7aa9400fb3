//! The program behaves differently when it is compiled in another configuration, or than a command.

use std::ffi::OsString;
use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use crate::exec::job::JobResult;
use crate::failure::error::FailureError;
use crate::failure::spec::Side;
use crate::oracle::Oracle;
use crate::oracle::compare::{Compare, CompilerConfig};
use crate::oracle::run::{Stdin, Target};
use crate::oracle::rustc::Rustc;

/// The program behaves differently on one of these sides.
#[derive(Clone, Debug)]
struct Differs {
    /// One side is compared with the program as it is compiled for the failure; two sides are compared with each other.
    sides: Vec<Side>,
    args: Vec<OsString>,
    stdin: Option<Stdin>,
}

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    if ask.spec.differs.is_empty() {
        return Ok(());
    }
    let find = |side: &Side| match side {
        Side::Config(config) => config.clone().find(ask.spec.tool).map(Side::Config),
        Side::Command(line) => Ok(Side::Command(line.clone())),
    };
    let sides = ask.spec.differs.iter().map(find).collect::<anyhow::Result<_>>()?;
    let Target::Main(args) = ask.run_or_main().target else {
        return Err(FailureError::conflict(
            "what `main` does is compared, and not a test",
            "--differs cannot be given with --test-name",
        ));
    };
    kinds.push(Arc::new(Differs { sides, args, stdin: ask.stdin.clone() }));
    Ok(())
}

impl FailureKind for Differs {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let side = |side: &Side| match side {
            Side::Config(config) => CompilerConfig::Rustc(config.of(rustc)),
            Side::Command(line) => CompilerConfig::Command(line.clone()),
        };
        let mut ways: Vec<CompilerConfig> = self.sides.iter().map(side).collect();
        if ways.len() == 1 {
            ways.insert(0, CompilerConfig::Rustc(rustc.clone()));
        }
        let compare = Compare { args: self.args.clone(), stdin: self.stdin.clone(), ..Compare::new(ways) };
        Arc::new(seen.map_or(compare.clone(), |seen| compare.holding(seen)))
    }

    fn is_of_run(&self) -> bool {
        true
    }
}
