//! The data of a program that fails when it is run: texts, lists and calls of its `main` or of its tests.
//!
//! Code is reduced as long as no value becomes another one, and other data give other values. So data have a stage of their own:
//! the code is not touched, and both sides of an assertion and the variants of values stay as they are. After it the values of the
//! smaller program are those that count, and the code is reduced again.

use std::sync::Arc;

use mcve_transforms::PassName;

use super::runner;
use super::schedule::{Pass, Schedule};
use crate::check::limits::Stop;
use crate::check::values::observed_anew;
use crate::oracle::conditional::of_data;
use crate::search::engine::Search;

/// The passes that reduce data.
const PASSES: [PassName; 6] =
    [PassName::Data, PassName::Statements, PassName::Lists, PassName::Macros, PassName::DataBytes, PassName::Strings];

/// Reduces the data, and then the code again, until the data stay as they are.
pub(super) fn reduce(search: &mut Search<'_>, schedule: &Schedule) -> Result<(), Stop> {
    search.confirm()?;
    let best = search.best().clone();
    let anew = observed_anew(&mut search.checks, &best)?;
    let Some(oracle) = anew.and_then(|oracle| of_data(&oracle, None)) else { return Ok(()) };
    search.course.of_code = Some(Arc::clone(search.checks.oracle()));
    search.begin_stage(oracle, true);
    let (before, schedule) = (search.measure(), schedule.clone());
    let passes: Arc<[Pass]> = schedule.all().into_iter().filter(|pass| PASSES.contains(&pass.of)).collect();
    search.then(move |search| {
        search.confirm()?;
        let gained = search.measure() < before;
        let best = search.best().clone();
        let anew = if gained { observed_anew(&mut search.checks, &best)? } else { None };
        let of_code = search.course.of_code.take();
        let Some(oracle) = anew.or(of_code) else { return Ok(()) };
        search.begin_stage(oracle, false);
        if gained {
            let later = schedule.clone();
            search.then(move |search| reduce(search, &later));
            runner::run(search, schedule.coarse_to_fine.clone().into());
        }
        Ok(())
    });
    runner::polish(search, passes);
    Ok(())
}
