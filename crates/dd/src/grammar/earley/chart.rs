//! The chart of a text: all that its beginnings may be (Earley, *An Efficient Context-Free Parsing Algorithm*, 1970).
//!
//! A symbol that may be empty is passed where it is predicted (Aycock and Horspool, *Practical Earley Parsing*, 2002). What
//! cannot go on with the next character is left out, so that a list by right recursion mostly takes linear time.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::table::{Next, Table};

/// A production that is read up to its slot, from a place of the text on.
pub(super) struct Item {
    pub(super) slot: usize,
    pub(super) origin: usize,
    /// The last way in which it came to be.
    pub(super) way: Option<usize>,
}

/// A way in which an item came to be: from the item of the slot before, by a symbol whose text begins at `middle`.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) item: usize,
    pub(super) middle: usize,
    /// Another way.
    pub(super) other: Option<usize>,
}

/// What a place of the text has.
#[derive(Clone, Default)]
struct EarleySet {
    waiting: Range<usize>,
    complete: Range<usize>,
}

/// A terminal that was read: the slot behind it, its origin, the item before, and where the terminal begins.
type Read = (usize, usize, usize, usize);

pub(super) struct Chart<'a> {
    table: &'a Table,
    pub(super) items: Vec<Item>,
    pub(super) ways: Vec<Way>,
    places: Vec<EarleySet>,
    /// The items that wait for a symbol, by place and symbol.
    waiting: Vec<(usize, usize)>,
    /// The symbols that are complete, with their origins and items, by place.
    complete: Vec<(usize, usize, usize)>,
    /// The last place that was reached, and how.
    reached: (usize, Vec<Read>),
}

/// The place that is worked on.
#[derive(Default)]
struct Current {
    at: usize,
    kind: usize,
    /// Where its items begin.
    first: usize,
    /// Whether what cannot go on is left out.
    looks: bool,
    known: HashMap<(usize, usize), usize>,
    predicted: Vec<bool>,
    /// The symbols that are complete, with their origins.
    ended: BTreeSet<(usize, usize)>,
}

impl<'a> Chart<'a> {
    /// Reads as much of `text` as can begin a sentence.
    pub(super) fn read(table: &'a Table, text: &'a str) -> Self {
        let places = vec![EarleySet::default(); text.len() + 1];
        let (items, ways, waiting, complete) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut chart = Self { table, items, ways, places, waiting, complete, reached: (0, Vec::new()) };
        let mut read: Vec<Vec<Read>> = vec![Vec::new(); text.len() + 1];
        let mut current = Current { looks: true, ..Current::default() };
        for at in 0..=text.len() {
            if at > 0 && read[at].is_empty() {
                continue;
            }
            let reads = std::mem::take(&mut read[at]);
            current.kind = table.alphabet.kind(text[at..].chars().next());
            chart.begin(&mut current, at);
            chart.fill(&mut current, &reads);
            chart.reached = (at, reads);
            for index in current.first..chart.items.len() {
                let Item { slot, origin, .. } = chart.items[index];
                let length = match &table.slots[slot].next {
                    Next::Text(terminal, _) => text[at..].starts_with(&**terminal).then(|| terminal.len()),
                    Next::Class(class, _) => {
                        text[at..].chars().next().filter(|char| class.contains(*char)).map(char::len_utf8)
                    }
                    Next::End(_) | Next::Symbol(_) => None,
                };
                if let Some(length) = length {
                    read[at + length].push((slot + 1, origin, index, at));
                }
            }
            chart.close(&current);
        }
        chart
    }

    fn begin(&self, current: &mut Current, at: usize) {
        (current.at, current.first) = (at, self.items.len());
        current.known.clear();
        current.predicted.clear();
        current.predicted.resize(self.table.symbols.len(), false);
        current.ended.clear();
    }

    /// Makes all items of a place.
    fn fill(&mut self, current: &mut Current, reads: &[Read]) {
        for &(slot, origin, item, middle) in reads {
            self.add(current, slot, origin, Some((item, middle)));
        }
        if current.at == 0 {
            self.table.symbols[0].productions.iter().for_each(|&slot| self.add(current, slot, 0, None));
        }
        let (table, mut index) = (self.table, current.first);
        while index < self.items.len() {
            let Item { slot, origin, .. } = self.items[index];
            match table.slots[slot].next {
                // What is complete without text was passed where it was predicted.
                Next::End(symbol) if origin < current.at => {
                    if current.ended.insert((symbol, origin)) {
                        for waiting in self.waiting_for(symbol, origin) {
                            let parent = self.waiting[waiting].1;
                            let Item { slot, origin: start, .. } = self.items[parent];
                            self.add(current, slot + 1, start, Some((parent, origin)));
                        }
                    }
                }
                Next::Symbol(symbol) => {
                    if !std::mem::replace(&mut current.predicted[symbol], true) {
                        table.symbols[symbol]
                            .productions
                            .iter()
                            .for_each(|&slot| self.add(current, slot, current.at, None));
                    }
                    if table.symbols[symbol].empty.is_some() {
                        self.add(current, slot + 1, origin, Some((index, current.at)));
                    }
                }
                Next::End(_) | Next::Text(..) | Next::Class(..) => {}
            }
            index += 1;
        }
    }

    fn add(&mut self, current: &mut Current, slot: usize, origin: usize, way: Option<(usize, usize)>) {
        if current.looks && !self.table.slots[slot].look.has(current.kind) {
            return;
        }
        let new = self.items.len();
        let index = *current.known.entry((slot, origin)).or_insert(new);
        if index == new {
            self.items.push(Item { slot, origin, way: None });
        }
        if let Some((item, middle)) = way {
            self.ways.push(Way { item, middle, other: self.items[index].way });
            self.items[index].way = Some(self.ways.len() - 1);
        }
    }

    /// Sorts what later places look up.
    fn close(&mut self, current: &Current) {
        let (waiting, complete) = (self.waiting.len(), self.complete.len());
        for index in current.first..self.items.len() {
            let Item { slot, origin, .. } = self.items[index];
            match self.table.slots[slot].next {
                Next::Symbol(symbol) => self.waiting.push((symbol, index)),
                Next::End(symbol) => self.complete.push((symbol, origin, index)),
                Next::Text(..) | Next::Class(..) => {}
            }
        }
        self.waiting[waiting..].sort_unstable();
        let (items, complete_here) = (&self.items, &mut self.complete[complete..]);
        complete_here.sort_unstable_by_key(|&(symbol, origin, index)| (symbol, origin, items[index].slot));
        self.places[current.at] =
            EarleySet { waiting: waiting..self.waiting.len(), complete: complete..self.complete.len() };
    }

    /// Which elements of `waiting` are the items at this place that wait for `symbol`.
    fn waiting_for(&self, symbol: usize, at: usize) -> Range<usize> {
        let Range { start, end } = self.places[at].waiting;
        let all = &self.waiting[start..end];
        let begin = all.partition_point(|(other, _)| *other < symbol);
        let length = all[begin..].iter().take_while(|(other, _)| *other == symbol).count();
        start + begin..start + begin + length
    }

    /// The items of complete productions of `symbol` from `origin` to `end`, in the order of the alternatives.
    pub(super) fn complete(&self, symbol: usize, origin: usize, end: usize) -> impl Iterator<Item = usize> + Clone {
        let all = &self.complete[self.places[end].complete.clone()];
        let begin = all.partition_point(|&(other, start, _)| (other, start) < (symbol, origin));
        all[begin..].iter().take_while(move |&&(other, start, _)| (other, start) == (symbol, origin)).map(|it| it.2)
    }

    /// The last place that was reached, and what could come next there.
    pub(super) fn expected(mut self) -> (usize, impl Iterator<Item = &'a Next>) {
        let (at, reads) = std::mem::take(&mut self.reached);
        let mut current = Current::default();
        self.begin(&mut current, at);
        self.fill(&mut current, &reads);
        let slots: BTreeSet<usize> = self.items[current.first..].iter().map(|item| item.slot).collect();
        let table = self.table;
        (at, slots.into_iter().map(|slot| &table.slots[slot].next))
    }
}
