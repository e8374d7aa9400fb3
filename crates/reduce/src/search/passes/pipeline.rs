//! A whole search: its stages, one after the other.

use std::sync::Arc;

use super::format;
use super::schedule::{Schedule, Strategy};
use super::{arguments, canonical, data, growing, minimality, mir_passes, nearest, runner, scrub};
use crate::check::limits::Stop;
use crate::program::Language;
use crate::search::by_generator::{self, ByGenerator};
use crate::search::by_text;
use crate::search::engine::Search;

/// The only stage of a search over a text that is not Rust.
const STAGES_OF_TEXT: &[Stage] = &[|search, schedule| by_text::run(search, schedule.sentences.clone())];

type Stage = fn(&mut Search<'_>, &Schedule) -> Result<(), Stop>;

/// The stages of a search behind that by a generator, in this order.
const STAGES: &[Stage] = &[
    |search, schedule| {
        runner::run(search, schedule.coarse_to_fine.clone().into());
        Ok(())
    },
    data::reduce,
    |search, schedule| growing::run(search, schedule.coarse_to_fine.clone().into()),
    |search, schedule| {
        runner::polish(search, schedule.last.clone().into());
        Ok(())
    },
    |search, _| arguments::settle(search),
    |search, _| mir_passes::name_passes(search),
    |search, _| canonical::settle_parts(search),
    |search, schedule| {
        minimality::prove(search, schedule.all().into());
        Ok(())
    },
    |search, schedule| nearest::find(search, schedule),
    |search, _| arguments::settle_headers(search),
    |search, _| canonical::settle_order(search),
    |search, schedule| scrub::settle(search, schedule.naming),
    |search, schedule| format::format(search, schedule.naming.readable).map(drop),
];

/// Searches by `schedule`, and first by the generator that made the program, if one did.
pub(crate) fn run(search: &mut Search<'_>, mut made: Option<ByGenerator>, schedule: &Schedule) -> Result<(), Stop> {
    let schedule = Arc::new(schedule.clone());
    loop {
        let stages = if search.best().language == Language::Rust { STAGES } else { STAGES_OF_TEXT };
        search.then(|search| search.confirm());
        for stage in stages.iter().rev() {
            let schedule = Arc::clone(&schedule);
            search.then(move |search| stage(search, &schedule));
        }
        let made = made.as_mut().map_or(Ok(()), |made| by_generator::run(search, made));
        match made.and_then(|()| search.run_steps()) {
            Err(Stop::Refuted) => search.fall_back(),
            done => return done,
        }
    }
}

/// Keeps the items that a run reaches, with those that they need, and no other tests, as far as `schedule` has the passes for that: it leaves
/// each of them as it is, so that a change with which the program passes is still to be found. Where the search has to stop, the next one
/// does.
pub(crate) fn keep_what_runs(search: &mut Search<'_>, schedule: &Schedule) {
    for pass in &schedule.coarse_to_fine {
        let knows = match pass.strategy {
            Strategy::OtherTests => Ok(()),
            Strategy::Running => search.depend_on_what_runs(),
            _ => continue,
        };
        let run = knows.and_then(|()| runner::run_pass(search, pass)).and_then(|()| search.confirm());
        if run.is_err() {
            search.fall_back();
        }
    }
}
