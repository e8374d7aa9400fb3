//! Makes a larger program as a transaction.

use super::engine::Search;
use super::transaction::{Scope, Transaction};
use crate::check::limits::Stop;
use crate::program::Program;

/// Reduces `program`, which fails and may be larger than the best one, with at most so many tests. Replaces the best program if the
/// result is smaller, and returns whether it did.
pub(super) fn transact(
    search: &mut Search<'_>,
    program: Program,
    tests: usize,
    steps: Vec<String>,
    reduce: impl Fn(&mut Search<'_>) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    let (before, measure) = (search.best().clone(), search.measure());
    search.replace(program);
    let mut reduced = Ok(());
    // Half of the tests are for each scope: a change in many places would leave none for what is around them.
    let mut left = 0;
    for scope in [Scope::Changed, Scope::Related] {
        left += tests / 2;
        search.course.transaction = Some(Transaction { before: before.clone(), tests: left, scope });
        reduced = reduce(search);
        left = search.course.transaction.take().map_or(0, |transaction| transaction.tests);
        if reduced.is_err() || search.measure() < measure {
            break;
        }
    }
    let (after, pays) = (search.best().clone(), search.measure() < measure);
    search.replace(before);
    if pays {
        search.accept(after, steps)?;
    }
    // The gain of an interrupted transaction is kept, too.
    reduced.map(|()| pays)
}
