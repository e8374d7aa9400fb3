//! Single reductions from the smallest: one that includes another that was rejected is not tried.

use std::ops::Range;

use mcve_transforms::{Edit, Reduction, Transform};

use crate::check::limits::Stop;
use crate::search::engine::Search;
use crate::search::tester::KeepListTester;
use mcve_dd::keep_list::KeepList;
use mcve_dd::tester::Tester;

/// Applies single reductions, the smallest first, until none applies. Each gain begins anew, as it may have made another possible.
pub(super) fn smallest_first(search: &mut Search<'_>, transforms: &[&'static Transform]) -> Result<(), Stop> {
    loop {
        let mut reductions = search.reductions(transforms)?;
        reductions.sort_by_key(|reduction| reduction.edits.iter().map(|edit| edit.range.len()).sum::<usize>());
        let full = KeepList::full(reductions.len());
        let mut tried: Vec<usize> = Vec::new();
        let mut singles = (0..reductions.len()).filter_map(|index| {
            let is_new = !tried.iter().any(|&smaller| includes(&reductions[index], &reductions[smaller]));
            is_new.then(|| {
                tried.push(index);
                full.without(index..index + 1)
            })
        });
        if KeepListTester::new(search, &reductions).first(&mut singles)?.is_none() {
            return Ok(());
        }
    }
}

/// Whether one reduction deletes all that another one changes.
fn includes(one: &Reduction, other: &Reduction) -> bool {
    let deletes = |range: &Range<usize>| {
        let around =
            |edit: &Edit| edit.text.is_empty() && edit.range.start <= range.start && range.end <= edit.range.end;
        one.edits.iter().any(around)
    };
    other.edits.iter().all(|edit| deletes(&edit.range))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use mcve_transforms::named;

    use super::*;
    use crate::check::limits::Limits;
    use crate::check::testing::{Events, checker};
    use crate::program::Program;
    use mcve_dd::outcome::Outcome;

    /// The reduced `text`, with the parts that `fails` needs, and the candidates that were checked.
    fn run(text: &str, needed: &'static str) -> (String, Vec<String>) {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let asking = Arc::clone(&asked);
        let fails = move |text: &str| {
            asking.lock().expect("nobody panics").push(text.to_owned());
            if text.contains(needed) { Outcome::Fail } else { Outcome::Pass }
        };
        let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
        let (program, checker) = (Program::new("a.rs", text), checker(1, Limits::default(), fails));
        let mut search = Search::new(program, named("delete-closure"), checker, &mut events, &mut keep);
        smallest_first(&mut search, &named("delete-closure")).expect("nothing stops it");
        let text = search.best().text.to_string();
        drop(search);
        let asked = asked.lock().expect("nobody panics").clone();
        (text, asked)
    }

    /// `a` goes with `b`, and both with `c`.
    const TEXT: &str = "fn a() { b() } fn b() { c() } fn c() {} fn d() {}";

    #[test]
    fn what_includes_what_was_tried_in_vain_is_not_tried() {
        let (text, asked) = run(TEXT, "fn a");
        assert_eq!(text, TEXT);
        assert_eq!(asked.len(), 1, "{asked:?}");
    }

    #[test]
    fn the_smallest_goes_first() {
        let (text, asked) = run(TEXT, "fn c");
        assert_eq!(text.trim(), "fn c() {} fn d() {}");
        assert_eq!(asked.len(), 1, "{asked:?}");
    }
}
