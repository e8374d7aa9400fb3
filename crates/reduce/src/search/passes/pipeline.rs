//! A whole search: its parts, one after the other.

use std::sync::Arc;

use super::format;
use super::schedule::Schedule;
use super::{arguments, canonical, growing, minimality, mir_passes, nearest, runner};
use crate::check::limits::Stop;
use crate::program::Language;
use crate::search::by_generator::{self, ByGenerator};
use crate::search::engine::Search;
use crate::search::{by_grammar, by_text};

/// The only part of a search over a text that is not Rust.
const PARTS_OF_TEXT: &[Part] = &[|search, schedule| match &schedule.sentences {
    Some(sentences) => by_grammar::run(search, sentences),
    None => by_text::run(search),
}];

type Part = fn(&mut Search<'_>, &Schedule) -> Result<(), Stop>;

/// The parts of a search behind that by a generator, in this order.
const PARTS: &[Part] = &[
    |search, schedule| runner::run(search, &schedule.coarse_to_fine),
    |search, schedule| growing::run(search, &schedule.coarse_to_fine),
    |search, schedule| runner::polish(search, &schedule.last),
    |search, _| arguments::settle(search),
    |search, _| mir_passes::name_passes(search),
    |search, _| canonical::settle_parts(search),
    |search, schedule| minimality::prove(search, &schedule.all()),
    |search, schedule| nearest::find(search, schedule),
    |search, _| arguments::settle_headers(search),
    |search, _| canonical::settle_order(search),
    |search, _| format::format(search).map(drop),
];

/// Searches by `schedule`, and first by the generator that made the program, if one did.
pub(crate) fn run(search: &mut Search<'_>, mut made: Option<ByGenerator>, schedule: &Schedule) -> Result<(), Stop> {
    let schedule = Arc::new(schedule.clone());
    loop {
        let (made, later) = (made.as_mut(), Arc::clone(&schedule));
        let first = |search: &mut Search<'_>| made.map_or(Ok(()), |made| by_generator::run(search, made));
        let parts = if search.best().language == Language::Rust { PARTS } else { PARTS_OF_TEXT };
        match search.in_sequence(first, move |search| go_on(search, &later, parts)) {
            Err(Stop::Refuted) => search.fall_back(),
            done => return done,
        }
    }
}

fn go_on(search: &mut Search<'_>, schedule: &Arc<Schedule>, parts: &'static [Part]) -> Result<(), Stop> {
    let Some((part, rest)) = parts.split_first() else { return search.confirm() };
    let later = Arc::clone(schedule);
    search.in_sequence(|search| part(search, schedule), move |search| go_on(search, &later, rest))
}
