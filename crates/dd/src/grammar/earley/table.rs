//! A grammar as numbers, and what may come next at each place of its productions.

use std::sync::Arc;

use super::alphabet::{Alphabet, END, Kinds};
use crate::grammar::class::Class;
use crate::grammar::derivation::{Derivation, Symbol};
use crate::grammar::productions::{Grammar, Rule};
use crate::grammar::reached::reached;

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
        let names = grammar.names().map(|name| Symbol::Nonterminal(Arc::clone(name)));
        let symbols = [Symbol::nonterminal("")].into_iter().chain(names).map(|name| (name, false)).collect();
        let mut builder = Builder { grammar, productions: Vec::new(), symbols };
        let count = builder.symbols.len();
        if count > 1 {
            builder.productions.push((0, vec![builder.next(&builder.symbols[1].0)]));
        }
        (1..count).for_each(|symbol| builder.add(symbol));
        builder.table()
    }
}

struct Builder<'g> {
    grammar: &'g Grammar,
    /// Their symbols, and what they consist of.
    productions: Vec<(usize, Vec<Next>)>,
    /// The names, and which are parts of a list: none, then those of the grammar, then the parts.
    symbols: Vec<(Symbol, bool)>,
}

impl Builder<'_> {
    fn next(&self, symbol: &Symbol) -> Next {
        match (symbol, self.grammar.rule(symbol)) {
            (Symbol::Terminal(text), _) => Next::Text(Arc::clone(text), Derivation::terminal(text)),
            (_, Some(Rule::Class(class))) => Next::Class(class.clone(), symbol.clone()),
            _ => Next::Symbol(1 + self.grammar.index(symbol).expect("a grammar has all its symbols")),
        }
    }

    fn add(&mut self, symbol: usize) {
        let name = self.symbols[symbol].0.clone();
        match self.grammar.rule(&name) {
            Some(Rule::Alternatives(alternatives)) => {
                for alternative in alternatives {
                    let production = alternative.iter().map(|symbol| self.next(symbol)).collect();
                    self.productions.push((symbol, production));
                }
            }
            // A list goes by left recursion, which takes the same time for each item.
            Some(Rule::Repetition(list)) => {
                let part = self.symbols.len();
                self.symbols.push((name, true));
                if list.may_be_empty {
                    self.productions.push((symbol, Vec::new()));
                }
                self.productions.push((symbol, vec![Next::Symbol(part)]));
                let more = list.separator.iter().chain([&list.item]).map(|it| self.next(it));
                let more = [Next::Symbol(part)].into_iter().chain(more).collect();
                self.productions.push((part, more));
                self.productions.push((part, vec![self.next(&list.item)]));
            }
            Some(Rule::Class(_)) | None => {}
        }
    }

    fn table(self) -> Table {
        let ranges = |next: &Next| match next {
            Next::Text(text, _) => text.chars().take(1).map(|char| char..=char).collect(),
            Next::Class(class, _) => class.ranges().to_vec(),
            Next::End(_) | Next::Symbol(_) => Vec::new(),
        };
        let alphabet = Alphabet::of(self.productions.iter().flat_map(|(_, nexts)| nexts).flat_map(ranges));
        let empty = self.empty();
        let circles = self.circles(&empty);
        // What may begin with `next`, where `behind` may begin behind it.
        let begin = |next: &Next, behind: &Kinds, first: &[Kinds]| match next {
            Next::Symbol(symbol) => {
                let mut kinds = first[*symbol].clone();
                if empty[*symbol].is_some() {
                    kinds.extend(behind);
                }
                kinds
            }
            next => alphabet.of_ranges(&ranges(next)),
        };
        let none = vec![alphabet.none(); self.symbols.len()];
        let (mut first, mut follow) = (none.clone(), none);
        follow[0].insert(END);
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for (symbol, nexts) in &self.productions {
                let (mut begins, mut behind) = (alphabet.none(), follow[*symbol].clone());
                for next in nexts.iter().rev() {
                    if let Next::Symbol(symbol) = next {
                        grows |= follow[*symbol].extend(&behind);
                    }
                    (begins, behind) = (begin(next, &begins, &first), begin(next, &behind, &first));
                }
                grows |= first[*symbol].extend(&begins);
            }
        }
        let (mut slots, mut productions) = (Vec::new(), vec![Vec::new(); self.symbols.len()]);
        for (symbol, nexts) in self.productions {
            productions[symbol].push(slots.len());
            let mut looks = vec![follow[symbol].clone()];
            for next in nexts.iter().rev() {
                looks.push(begin(next, &looks[looks.len() - 1], &first));
            }
            let nexts = nexts.into_iter().chain([Next::End(symbol)]);
            slots.extend(nexts.zip(looks.into_iter().rev()).map(|(next, look)| Slot { next, look }));
        }
        let symbols = self.symbols.into_iter().zip(productions).zip(empty.into_iter().zip(circles));
        let expanded =
            |(((name, is_part), productions), (empty, circle))| Expanded { name, is_part, productions, empty, circle };
        Table { symbols: symbols.map(expanded).collect(), alphabet, slots }
    }

    /// What stands for each symbol where its text is empty: by the first alternative of the fewest levels.
    fn empty(&self) -> Vec<Option<Vec<Derivation>>> {
        let mut found: Vec<Option<Vec<Derivation>>> = vec![None; self.symbols.len()];
        loop {
            let mut next = found.clone();
            for (symbol, nexts) in self.productions.iter().filter(|(symbol, _)| found[*symbol].is_none()) {
                let parts = nexts.iter().map(|next| match next {
                    Next::Symbol(symbol) => found[*symbol].as_deref(),
                    _ => None,
                });
                let children = parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat());
                next[*symbol] = next[*symbol].take().or_else(|| match &self.symbols[*symbol] {
                    (_, true) => children,
                    (name, false) => Some(vec![Derivation::new(name.clone(), children?)]),
                });
            }
            if next == found {
                return found;
            }
            found = next;
        }
    }

    /// The symbols that each may be expanded to and back without further text.
    fn circles(&self, empty: &[Option<Vec<Derivation>>]) -> Vec<Vec<usize>> {
        let mut leads: Vec<Vec<usize>> = vec![Vec::new(); self.symbols.len()];
        for (symbol, nexts) in &self.productions {
            let has_text = |next: &Next| !matches!(next, Next::Symbol(symbol) if empty[*symbol].is_some());
            let texts = nexts.iter().filter(|next| has_text(next)).count();
            leads[*symbol].extend(nexts.iter().filter_map(|next| match next {
                Next::Symbol(to) if texts == usize::from(has_text(next)) => Some(*to),
                _ => None,
            }));
        }
        let all = reached(&leads);
        let is_circle = |one: usize, other: usize| all[one][other] && all[other][one];
        (0..all.len()).map(|one| (0..all.len()).filter(|&other| is_circle(one, other)).collect()).collect()
    }
}
