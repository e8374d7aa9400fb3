//! A grammar as numbers, and what may come next at each place of its productions.

use std::sync::Arc;

use super::alphabet::{Alphabet, END, Kinds};
use crate::grammar::class::Class;
use crate::grammar::derivation::{Derivation, Symbol};
use crate::grammar::productions::{Grammar, Rule};

/// What stands behind a dot in a production.
pub(super) enum Next {
    /// Nothing: the production of this symbol is complete.
    End(usize),
    /// A terminal with its node.
    Text(Arc<str>, Derivation),
    /// A character, below a node of this name.
    Class(Class, Symbol),
    /// A symbol with productions.
    Symbol(usize),
}

/// A dot in a production. The one behind it in the same production is the next slot.
pub(super) struct Slot {
    pub(super) next: Next,
    /// What may begin here, in the production or behind it.
    pub(super) look: Kinds,
}

/// A symbol with its productions.
pub(super) struct Expanded {
    /// Its name.
    pub(super) name: Symbol,
    /// Whether it is a part of the list of this name, whose children are those of the list.
    pub(super) is_part: bool,
    /// The first slots of its productions, in order.
    pub(super) productions: Vec<usize>,
    /// What stands for it in a derivation where its text is empty, if that is possible.
    pub(super) empty: Option<Vec<Derivation>>,
    /// The symbols that it may be expanded to without further text, and that may so become it again.
    pub(super) circle: Vec<usize>,
}

/// The whole grammar. Its first symbol has one production: the start symbol.
pub(super) struct Table {
    pub(super) alphabet: Alphabet,
    pub(super) symbols: Vec<Expanded>,
    pub(super) slots: Vec<Slot>,
}

impl Table {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let mut builder = Builder {
            grammar,
            places: Vec::new(),
            productions: Vec::new(),
            symbols: vec![(Symbol::nonterminal(""), false)],
        };
        let names: Vec<Symbol> = grammar.names().map(|name| Symbol::Nonterminal(Arc::clone(name))).collect();
        for name in &names {
            let is_class = matches!(grammar.rule(name), Some(Rule::Class(_)));
            builder.places.push(if is_class { None } else { Some(builder.symbols.len()) });
            if !is_class {
                builder.symbols.push((name.clone(), false));
            }
        }
        if let Some(start) = names.first() {
            let start = builder.next(start);
            builder.productions.push((0, vec![start]));
        }
        for (name, place) in names.iter().zip(builder.places.clone()) {
            if let Some(place) = place {
                builder.add(name, place);
            }
        }
        builder.table()
    }
}

struct Builder<'g> {
    grammar: &'g Grammar,
    /// The symbols in the table of those of the grammar; none for a class.
    places: Vec<Option<usize>>,
    productions: Vec<(usize, Vec<Next>)>,
    /// The names, and which are parts of a list.
    symbols: Vec<(Symbol, bool)>,
}

impl Builder<'_> {
    fn next(&self, symbol: &Symbol) -> Next {
        match (symbol, self.grammar.rule(symbol), self.grammar.place(symbol)) {
            (Symbol::Terminal(text), _, _) => Next::Text(Arc::clone(text), Derivation::terminal(text)),
            (_, Some(Rule::Class(class)), _) => Next::Class(class.clone(), symbol.clone()),
            (_, _, place) => {
                let place = place.expect("a grammar has all its symbols");
                Next::Symbol(self.places[place].expect("it is no class"))
            }
        }
    }

    fn add(&mut self, name: &Symbol, place: usize) {
        let Some(list) = self.grammar.repetition(name) else {
            for alternative in self.grammar.alternatives(name) {
                let production = alternative.iter().map(|symbol| self.next(symbol)).collect();
                self.productions.push((place, production));
            }
            return;
        };
        // A list goes by left recursion, which takes the same time for each item.
        let part = self.symbols.len();
        self.symbols.push((name.clone(), true));
        if list.may_be_empty {
            self.productions.push((place, Vec::new()));
        }
        self.productions.push((place, vec![Next::Symbol(part)]));
        let more = [Next::Symbol(part)].into_iter().chain(list.separator.iter().map(|it| self.next(it)));
        let more = more.chain([self.next(&list.item)]).collect();
        self.productions.push((part, more));
        self.productions.push((part, vec![self.next(&list.item)]));
    }

    fn table(self) -> Table {
        let ranges = |next: &Next| match next {
            Next::Text(text, _) => text.chars().next().map(|char| vec![char..=char]).unwrap_or_default(),
            Next::Class(class, _) => class.ranges().to_vec(),
            Next::End(_) | Next::Symbol(_) => Vec::new(),
        };
        let all: Vec<_> = self.productions.iter().flat_map(|(_, nexts)| nexts.iter().flat_map(ranges)).collect();
        let alphabet = Alphabet::of(all.iter());
        let empty = self.empty();
        let none = alphabet.none();
        let (mut first, mut follow) = (vec![none.clone(); self.symbols.len()], vec![none.clone(); self.symbols.len()]);
        follow[0].insert(END);
        let begin = |next: &Next, first: &[Kinds]| match next {
            Next::Symbol(symbol) => first[*symbol].clone(),
            next => alphabet.of_ranges(&ranges(next)),
        };
        let is_empty = |next: &Next| match next {
            Next::Symbol(symbol) => empty[*symbol].is_some(),
            Next::Text(text, _) => text.is_empty(),
            Next::Class(..) | Next::End(_) => false,
        };
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for (symbol, nexts) in &self.productions {
                let mut behind = follow[*symbol].clone();
                let mut begins = none.clone();
                for next in nexts.iter().rev() {
                    if let Next::Symbol(symbol) = next {
                        grows |= follow[*symbol].extend(&behind);
                    }
                    let own = begin(next, &first);
                    if !is_empty(next) {
                        (behind, begins) = (none.clone(), none.clone());
                    }
                    behind.extend(&own);
                    begins.extend(&own);
                }
                grows |= first[*symbol].extend(&begins);
            }
        }
        let circles = self.circles(&empty);
        let mut symbols: Vec<Expanded> = Vec::with_capacity(self.symbols.len());
        for (((name, is_part), empty), circle) in self.symbols.into_iter().zip(empty).zip(circles) {
            symbols.push(Expanded { name, is_part, productions: Vec::new(), empty, circle });
        }
        let mut slots = Vec::new();
        for (symbol, nexts) in self.productions {
            symbols[symbol].productions.push(slots.len());
            let mut look = follow[symbol].clone();
            let mut looks = vec![look.clone()];
            for next in nexts.iter().rev() {
                let is_empty = match next {
                    Next::Symbol(symbol) => symbols[*symbol].empty.is_some(),
                    Next::Text(text, _) => text.is_empty(),
                    Next::Class(..) | Next::End(_) => false,
                };
                let own = begin(next, &first);
                if is_empty {
                    look.extend(&own);
                } else {
                    look = own;
                }
                looks.push(look.clone());
            }
            let nexts = nexts.into_iter().chain([Next::End(symbol)]);
            slots.extend(nexts.zip(looks.into_iter().rev()).map(|(next, look)| Slot { next, look }));
        }
        Table { alphabet, symbols, slots }
    }

    /// What stands for each symbol where its text is empty: by the first alternative of the fewest levels.
    fn empty(&self) -> Vec<Option<Vec<Derivation>>> {
        let mut found: Vec<Option<Vec<Derivation>>> = vec![None; self.symbols.len()];
        loop {
            let mut new = Vec::new();
            for (symbol, nexts) in &self.productions {
                if found[*symbol].is_some() || new.iter().any(|(known, _)| known == symbol) {
                    continue;
                }
                let parts = nexts.iter().map(|next| match next {
                    Next::Symbol(symbol) => found[*symbol].clone(),
                    Next::Text(text, leaf) if text.is_empty() => Some(vec![leaf.clone()]),
                    _ => None,
                });
                let Some(parts) = parts.collect::<Option<Vec<_>>>() else { continue };
                let children = parts.concat();
                new.push((
                    *symbol,
                    match &self.symbols[*symbol] {
                        (_, true) => children,
                        (name, false) => vec![Derivation::new(name.clone(), children)],
                    },
                ));
            }
            if new.is_empty() {
                return found;
            }
            new.into_iter().for_each(|(symbol, tree)| found[symbol] = Some(tree));
        }
    }

    /// The symbols that each may be expanded to and back without further text.
    fn circles(&self, empty: &[Option<Vec<Derivation>>]) -> Vec<Vec<usize>> {
        let mut leads: Vec<Vec<usize>> = vec![Vec::new(); self.symbols.len()];
        for (symbol, nexts) in &self.productions {
            let is_empty = |next: &Next| matches!(next, Next::Symbol(symbol) if empty[*symbol].is_some());
            for (place, next) in nexts.iter().enumerate() {
                let others = || nexts.iter().enumerate().filter(|(other, _)| *other != place);
                if let Next::Symbol(to) = next
                    && others().all(|(_, next)| is_empty(next))
                {
                    leads[*symbol].push(*to);
                }
            }
        }
        let reach = |from: usize| {
            let (mut reached, mut waiting) = (vec![false; leads.len()], leads[from].clone());
            while let Some(symbol) = waiting.pop() {
                if !std::mem::replace(&mut reached[symbol], true) {
                    waiting.extend(&leads[symbol]);
                }
            }
            reached
        };
        let all: Vec<Vec<bool>> = (0..leads.len()).map(reach).collect();
        (0..leads.len())
            .map(|one| (0..leads.len()).filter(|&other| all[one][other] && all[other][one]).collect())
            .collect()
    }
}
