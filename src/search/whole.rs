//! A whole search: its parts, one after the other.

use std::sync::Arc;

use super::by_generator::{self, ByGenerator};
use super::checker::Stop;
use super::engine::Search;
use super::finish;
use super::schedule::Schedule;
use super::{passes, proof, trials};

/// A part of a search.
type Part = fn(&mut Search<'_>, &Schedule) -> Result<(), Stop>;

/// The parts of a search behind that by a generator, in this order.
const PARTS: &[Part] = &[
    |search, schedule| passes::run(search, &schedule.coarse_to_fine),
    |search, schedule| trials::run(search, &schedule.coarse_to_fine),
    |search, schedule| passes::polish(search, &schedule.last),
    |search, schedule| proof::prove(search, &schedule.all()),
    |search, _| finish::format(search).map(drop),
];

/// Searches by `schedule`, and first by the generator that made the program, if one did.
///
/// # Errors
/// When the search is to stop.
pub fn run(search: &mut Search<'_>, mut made: Option<ByGenerator>, schedule: &Schedule) -> Result<(), Stop> {
    let schedule = Arc::new(schedule.clone());
    loop {
        let (made, later) = (made.as_mut(), Arc::clone(&schedule));
        let first = |search: &mut Search<'_>| made.map_or(Ok(()), |made| by_generator::run(search, made));
        match search.one_after_the_other(first, move |search| go_on(search, &later, PARTS)) {
            Err(Stop::Refuted) => search.fall_back(),
            done => return done,
        }
    }
}

fn go_on(search: &mut Search<'_>, schedule: &Arc<Schedule>, parts: &'static [Part]) -> Result<(), Stop> {
    let Some((part, rest)) = parts.split_first() else { return search.confirm() };
    let later = Arc::clone(schedule);
    search.one_after_the_other(|search| part(search, schedule), move |search| go_on(search, &later, rest))
}
