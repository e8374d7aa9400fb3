//! The derivation of a text from its chart, and whether there is another one.

use super::chart::{Chart, Way};
use super::table::{Next, Table};
use crate::grammar::derivation::{Derivation, Symbol};

#[derive(Clone, Copy)]
struct ProductionPart<'t> {
    next: &'t Next,
    start: usize,
    end: usize,
}

/// What is left to do.
enum Task<'t> {
    Expand(ProductionPart<'t>),
    /// Makes a node of the derivations from this one on.
    Finish(&'t Symbol, usize),
}

/// A symbol from one place of the text to another.
pub(super) type Span = (Symbol, usize, usize);

/// Makes the derivation of the start symbol for the whole of `text`, which is a sentence; and says which symbol first has
/// several.
pub(super) fn tree(table: &Table, chart: &Chart<'_>, text: &str) -> (Derivation, Option<Span>) {
    let mut builder = Builder { table, chart, text, made: Vec::new(), ambiguous: None };
    let start = &table.slots[table.symbols[0].productions[0]].next;
    let mut tasks = vec![Task::Expand(ProductionPart { next: start, start: 0, end: text.len() })];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Expand(part) => builder.expand(part, &mut tasks),
            Task::Finish(symbol, from) => {
                let children = builder.made.split_off(from);
                builder.made.push(Derivation::new(symbol.clone(), children));
            }
        }
    }
    let tree = builder.made.pop().expect("the start symbol makes one");
    (tree, builder.ambiguous)
}

struct Builder<'a> {
    table: &'a Table,
    chart: &'a Chart<'a>,
    text: &'a str,
    /// The derivations so far, from left to right.
    made: Vec<Derivation>,
    ambiguous: Option<Span>,
}

impl<'a> Builder<'a> {
    fn expand(&mut self, part: ProductionPart<'a>, tasks: &mut Vec<Task<'a>>) {
        let ProductionPart { next, start, end } = part;
        match next {
            Next::Text(_, leaf) => self.made.push(leaf.clone()),
            Next::Class(_, name) => {
                let leaf = Derivation::terminal(&self.text[start..end]);
                self.made.push(Derivation::new(name.clone(), vec![leaf]));
            }
            Next::Symbol(symbol) => {
                let expanded = &self.table.symbols[*symbol];
                if start == end {
                    self.made.extend(expanded.empty.iter().flatten().cloned());
                    return;
                }
                let parts = self.parts(*symbol, start, end);
                if !expanded.is_part {
                    tasks.push(Task::Finish(&expanded.name, self.made.len()));
                }
                // The last is done first.
                tasks.extend(parts.into_iter().map(Task::Expand));
            }
            Next::End(_) => {}
        }
    }

    /// The parts of the first alternative of `symbol` for this text, from the last one to the first: the last one is as short
    /// as possible, then the one before it, and so on.
    fn parts(&mut self, symbol: usize, start: usize, end: usize) -> Vec<ProductionPart<'a>> {
        let items = self.chart.complete(symbol, start, end);
        let own = Own { symbol, start, end, rank: items.clone().min().unwrap_or(0) };
        let is_ambiguous = items.clone().nth(1).is_some();
        let mut parts = Vec::new();
        let has_parts = items.into_iter().any(|item| self.descend(item, end, &own, &mut parts));
        assert!(has_parts, "what is complete has parts");
        let has_others = parts.iter().any(|(_, has_others)| *has_others);
        if (is_ambiguous || has_others) && self.ambiguous.is_none() {
            self.ambiguous = Some((self.table.symbols[symbol].name.clone(), start, end));
        }
        parts.into_iter().map(|(part, _)| part).collect()
    }

    /// Adds the parts of `item`, whose text ends at `end`, each with whether it could also begin elsewhere. Whether there are
    /// some that end.
    fn descend(&self, item: usize, end: usize, own: &Own, parts: &mut Vec<(ProductionPart<'a>, bool)>) -> bool {
        let known = |way: Option<usize>| way.map(|way| self.chart.ways[way]);
        let mut ways: Vec<Way> =
            std::iter::successors(known(self.chart.items[item].way), |way| known(way.other)).collect();
        if ways.is_empty() {
            return true;
        }
        ways.sort_by_key(|way| std::cmp::Reverse(way.middle));
        let has_others = ways.len() > 1;
        for way in ways {
            let next = &self.table.slots[self.chart.items[way.item].slot].next;
            if self.is_circle(next, way.middle, end, own) {
                continue;
            }
            parts.push((ProductionPart { next, start: way.middle, end }, has_others));
            if self.descend(way.item, way.middle, own, parts) {
                return true;
            }
            parts.pop();
        }
        false
    }

    /// Whether the part may be expanded to the whole again: of such symbols, only those that were complete before.
    fn is_circle(&self, next: &Next, start: usize, end: usize, own: &Own) -> bool {
        let Next::Symbol(symbol) = next else { return false };
        (start, end) == (own.start, own.end)
            && self.table.symbols[own.symbol].circle.contains(symbol)
            && self.chart.complete(*symbol, start, end).min().is_none_or(|rank| rank >= own.rank)
    }
}

/// The symbol whose parts are looked for.
struct Own {
    symbol: usize,
    start: usize,
    end: usize,
    /// The first item with which it was complete.
    rank: usize,
}
