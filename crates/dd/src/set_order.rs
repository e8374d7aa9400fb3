//! The order of Python's sets, by which the `dd` of *The Debugging Book* cuts a difference.

use super::difference::Difference;

/// The elements in the order in which CPython 3 iterates over `failing - passing`, sets of small numbers: by the number modulo the
/// size of a table that grows with what is put in. For [`Debugger::arranged_by`](super::Debugger::arranged_by), to make the tests
/// that the book prints.
///
/// The order of a set also depends on how it came about, which a difference does not know: with numbers that are larger than the
/// table, some are ordered otherwise in Python.
///
/// After `set_difference`, `set_merge`, `set_add_entry` and `set_table_resize` of `Objects/setobject.c`.
pub fn set_order(difference: &Difference) -> Vec<usize> {
    let grown = |least: usize| vec![None; (least + 1).next_power_of_two().max(8)];
    let (failing, elements) = (difference.failing.kept(), difference.elements());
    let mut table = grown(0);
    if failing.len() / 4 > difference.passing.len() {
        // Much is left over: it copies the one set and discards what is in the other, too little to resize the table.
        if failing.len() * 5 >= 7 * 3 {
            table = grown(2 * failing.len());
        }
        failing.iter().for_each(|&element| insert(&mut table, element));
    } else {
        // It puts what is in the one set and not in the other into a new set.
        for (before, &element) in elements.iter().enumerate() {
            insert(&mut table, element);
            if (before + 1) * 5 >= (table.len() - 1) * 3 {
                let old = std::mem::replace(&mut table, grown(4 * (before + 1)));
                old.into_iter().flatten().for_each(|element| insert(&mut table, element));
            }
        }
    }
    table.into_iter().flatten().filter(|element| elements.binary_search(element).is_ok()).collect()
}

/// Puts an element into the first free place of its probe sequence: nine places in a row, if there are as many, and then a jump.
fn insert(table: &mut [Option<usize>], element: usize) {
    let mask = table.len() - 1;
    let (mut perturb, mut place) = (element, element & mask);
    loop {
        let last = Some(place + 9).filter(|&last| last <= mask).unwrap_or(place);
        if let Some(free) = table[place..=last].iter_mut().find(|entry| entry.is_none()) {
            *free = Some(element);
            return;
        }
        perturb >>= 5;
        place = (place * 5 + 1 + perturb) & mask;
    }
}
