//! Random derivations of a grammar: the grammar fuzzer of *The Fuzzing Book*, which first grows and then closes a tree.

use std::rc::Rc;

use super::derivation::{Derivation, Symbol};
use super::productions::{Expansion, Grammar};
use crate::random::Random;

/// A random derivation with at least `symbols` expanded symbols, if the grammar allows as many. The same seed makes the
/// same derivation.
///
/// While it has fewer, any open symbol is expanded by any alternative that allows further growth; then open symbols
/// are closed by alternatives with the smallest derivations.
///
/// # Panics
/// When the grammar is unknown.
#[must_use]
pub fn generate(grammar: &Grammar, symbols: usize, seed: u64) -> Derivation {
    let mut generator = Generator { grammar, random: Random::new(seed), nodes: Vec::new(), open: Vec::new() };
    let start = Symbol::Nonterminal(Rc::clone(grammar.names().next().expect("the grammar is known")));
    generator.push(start);
    let mut expanded = 0;
    while !generator.open.is_empty() {
        let chosen = generator.random.index(generator.open.len());
        generator.expand(chosen, expanded < symbols);
        expanded += 1;
    }
    generator.tree(0)
}

struct Generator<'g> {
    grammar: &'g Grammar,
    random: Random,
    /// The symbols so far with the indices of their children.
    nodes: Vec<(Symbol, Vec<usize>)>,
    /// The nodes to be expanded.
    open: Vec<usize>,
}

impl Generator<'_> {
    fn push(&mut self, symbol: Symbol) -> usize {
        let place = self.nodes.len();
        if let Symbol::Nonterminal(_) = symbol {
            self.open.push(place);
        }
        self.nodes.push((symbol, Vec::new()));
        place
    }

    fn expand(&mut self, chosen: usize, grow: bool) {
        let place = self.open.swap_remove(chosen);
        let alternatives = self.grammar.alternatives(&self.nodes[place].0);
        let mut preferred: Vec<&Expansion> = alternatives.iter().filter(|it| grow && self.grows(it)).collect();
        if preferred.is_empty() {
            let least = alternatives.iter().map(|it| self.size(it)).min();
            preferred = alternatives.iter().filter(|it| Some(self.size(it)) == least).collect();
        }
        let expansion = preferred[self.random.index(preferred.len())];
        let children = expansion.iter().map(|symbol| self.push(symbol.clone())).collect();
        self.nodes[place].1 = children;
    }

    fn size(&self, expansion: &Expansion) -> usize {
        expansion.iter().filter_map(|symbol| self.grammar.smallest(symbol)).map(|tree| tree.size()).sum()
    }

    /// Whether it leads to a recursive symbol.
    fn grows(&self, expansion: &Expansion) -> bool {
        let reached = self.reached(expansion);
        reached.iter().any(|symbol| {
            self.grammar.alternatives(symbol).iter().any(|alternative| self.reached(alternative).contains(symbol))
        })
    }

    /// All nonterminals that can be derived from it.
    fn reached(&self, expansion: &Expansion) -> Vec<Symbol> {
        let mut reached: Vec<Symbol> = Vec::new();
        let mut waiting: Vec<&Symbol> = expansion.iter().collect();
        while let Some(symbol) = waiting.pop() {
            if matches!(symbol, Symbol::Nonterminal(_)) && !reached.contains(symbol) {
                reached.push(symbol.clone());
                waiting.extend(self.grammar.alternatives(symbol).iter().flatten());
            }
        }
        reached
    }

    fn tree(&self, place: usize) -> Derivation {
        let (symbol, children) = &self.nodes[place];
        Derivation::new(symbol.clone(), children.iter().map(|&child| self.tree(child)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::packrat::Packrat;
    use super::*;

    #[test]
    fn what_is_generated_is_as_large_as_asked_for_and_parses() {
        let rules: &[(&str, &[&str])] = &[
            ("<e>", &["<t>+<e>", "<t>"]),
            ("<t>", &["(<e>)", "<n>"]),
            ("<n>", &["<d><n>", "<d>"]),
            ("<d>", &["0", "1"]),
        ];
        let grammar = Grammar::new(rules).expect("it is one");
        let parser = Packrat::new(&grammar);
        for seed in 0..50 {
            let tree = generate(&grammar, 60, seed);
            let mut symbols = 0;
            tree.walk(&mut |node| symbols += usize::from(matches!(node.symbol(), Symbol::Nonterminal(_))));
            assert!(symbols >= 60, "seed {seed} has {symbols}");
            assert_eq!(parser.parse(&tree.text()), Some(tree), "seed {seed}");
            assert_eq!(generate(&grammar, 60, seed), generate(&grammar, 60, seed));
        }
    }

    #[test]
    fn a_grammar_without_recursion_is_at_its_end() {
        let grammar = Grammar::new(&[("<s>", &["<a><a>"]), ("<a>", &["x"])]).expect("it is one");
        assert_eq!(generate(&grammar, 60, 0).text(), "xx");
    }
}
