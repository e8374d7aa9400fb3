//! Random derivations of a grammar: the grammar fuzzer of *The Fuzzing Book*, which first grows and then closes a tree.

use std::sync::Arc;

use super::class::Class;
use super::derivation::{Derivation, Symbol};
use super::productions::{Expansion, Grammar, Rule};
use super::reached::reached;
use crate::random::Random;

/// A random derivation with at least `symbols` expanded symbols, if the grammar allows as many. The same seed makes the
/// same derivation.
///
/// While it has fewer, any open symbol is expanded by any alternative that allows further growth; then open symbols
/// are closed by alternatives with the smallest derivations.
///
/// # Panics
/// When the grammar is unknown.
pub fn generate(grammar: &Grammar, symbols: usize, seed: u64) -> Derivation {
    let (random, growth) = (Random::new(seed), growth(grammar));
    let mut generator = Generator { grammar, random, growth, nodes: Vec::new(), open: Vec::new() };
    let start = Symbol::Nonterminal(Arc::clone(grammar.names().next().expect("the grammar is known")));
    generator.push(start);
    let mut expanded = 0;
    while !generator.open.is_empty() {
        let chosen = generator.random.index(generator.open.len());
        generator.expand(chosen, expanded < symbols);
        expanded += 1;
    }
    generator.tree()
}

/// How the derivations of a symbol can grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Growth {
    /// Not at all.
    #[default]
    None,
    /// By lists of what does not grow.
    List,
    /// By recursion, or by lists of what grows.
    Nested,
}

struct Generator<'g> {
    grammar: &'g Grammar,
    random: Random,
    /// How the symbols of the grammar can grow.
    growth: Vec<Growth>,
    /// The symbols so far with the indices of their children.
    nodes: Vec<(Symbol, Vec<usize>)>,
    /// The nodes to be expanded.
    open: Vec<usize>,
}

impl Generator<'_> {
    fn push(&mut self, symbol: Symbol) -> usize {
        let node = self.nodes.len();
        if let Symbol::Nonterminal(_) = symbol {
            self.open.push(node);
        }
        self.nodes.push((symbol, Vec::new()));
        node
    }

    fn expand(&mut self, chosen: usize, grow: bool) {
        let node = self.open.swap_remove(chosen);
        let grammar = self.grammar;
        let children = match grammar.rule(&self.nodes[node].0) {
            Some(Rule::Class(class)) => {
                let char = self.char_of(class);
                vec![Symbol::terminal(char.encode_utf8(&mut [0; 4]))]
            }
            Some(Rule::Repetition(list)) => {
                let is_first = self.nodes[node].1.is_empty();
                if grow {
                    // It may grow again. Of characters, such as blanks, there are few where anything else grows.
                    let is_of_characters = self.growth_of(&list.item) == Growth::None;
                    let is_nested = |&other: &usize| self.growth_of(&self.nodes[other].0) == Growth::Nested;
                    let others_grow = || self.open.iter().any(is_nested);
                    if !is_of_characters || !others_grow() || self.random.index(3) > 0 {
                        self.open.push(node);
                    }
                } else if !is_first || list.may_be_empty {
                    return;
                }
                list.separator.iter().filter(|_| !is_first).chain([&list.item]).cloned().collect()
            }
            _ => self.expansion(node, grow),
        };
        for symbol in children {
            let child = self.push(symbol);
            self.nodes[node].1.push(child);
        }
    }

    /// An alternative of the symbol of a node.
    fn expansion(&mut self, node: usize, grow: bool) -> Expansion {
        let symbol = self.nodes[node].0.clone();
        let alternatives = self.grammar.alternatives(&symbol);
        let growth =
            |alternative: &Expansion| alternative.iter().map(|it| self.growth_of(it)).max().unwrap_or_default();
        let grown = |least: Growth| alternatives.iter().filter(|it| grow && growth(it) >= least).collect::<Vec<_>>();
        let (nested, lists) = (grown(Growth::Nested), grown(Growth::List));
        let is_mixed = !nested.is_empty() && nested.len() < lists.len();
        let mut preferred = if nested.is_empty() || is_mixed && self.random.index(4) == 0 { lists } else { nested };
        if preferred.is_empty() {
            let least = alternatives.iter().map(|it| self.size(it)).min();
            preferred = alternatives.iter().filter(|it| Some(self.size(it)) == least).collect();
        }
        preferred[self.random.index(preferred.len())].clone()
    }

    /// A random character of a class, a printable one of ASCII if there is one.
    fn char_of(&mut self, class: &Class) -> char {
        let plain: Vec<char> = (' '..='~').filter(|char| class.contains(*char)).collect();
        if plain.is_empty() { class.example() } else { plain[self.random.index(plain.len())] }
    }

    fn size(&self, expansion: &Expansion) -> usize {
        expansion.iter().filter_map(|symbol| self.grammar.smallest(symbol)).map(|tree| tree.size()).sum()
    }

    fn growth_of(&self, symbol: &Symbol) -> Growth {
        self.grammar.index(symbol).map_or(Growth::None, |index| self.growth[index])
    }

    /// The derivation of the whole. Children stand behind their parents.
    fn tree(self) -> Derivation {
        let mut trees: Vec<Option<Derivation>> = vec![None; self.nodes.len()];
        for (place, (symbol, children)) in self.nodes.into_iter().enumerate().rev() {
            let children = children.into_iter().map(|child| trees[child].take().expect("it stands behind its parent"));
            let children = children.collect();
            trees[place] = Some(Derivation::new(symbol, children));
        }
        trees.swap_remove(0).expect("it is the last one")
    }
}

/// How each symbol can grow.
fn growth(grammar: &Grammar) -> Vec<Growth> {
    let names: Vec<Symbol> = grammar.names().map(|name| Symbol::Nonterminal(Arc::clone(name))).collect();
    let leads = |name| grammar.alternatives(name).iter().flatten().filter_map(|it| grammar.index(it)).collect();
    let reached = reached(&names.iter().map(leads).collect::<Vec<_>>());
    let is_list = |index: usize| grammar.repetition(&names[index]).is_some();
    let leads_to = |from: usize, is: &dyn Fn(usize) -> bool| (0..names.len()).any(|to| reached[from][to] && is(to));
    let is_nested = |index: usize| reached[index][index] || is_list(index) && leads_to(index, &is_list);
    let own = |index: usize| {
        if is_nested(index) || leads_to(index, &is_nested) {
            Growth::Nested
        } else if is_list(index) || leads_to(index, &is_list) {
            Growth::List
        } else {
            Growth::None
        }
    };
    (0..names.len()).map(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::earley::Earley;

    #[test]
    fn what_is_generated_is_as_large_as_asked_for_and_parses() {
        let rules: &[(&str, &[&str])] = &[
            ("<e>", &["<t>+<e>", "<t>"]),
            ("<t>", &["(<e>)", "<n>"]),
            ("<n>", &["<d><n>", "<d>"]),
            ("<d>", &["0", "1"]),
        ];
        let grammar = Grammar::new(rules).expect("it is one");
        let parser = Earley::new(&grammar);
        for seed in 0..50 {
            let tree = generate(&grammar, 60, seed);
            let mut symbols = 0;
            tree.walk(&mut |node| symbols += usize::from(matches!(node.symbol(), Symbol::Nonterminal(_))));
            assert!(symbols >= 60, "seed {seed} has {symbols}");
            assert_eq!(parser.parse(&tree.text()).map(|parse| parse.tree), Ok(tree), "seed {seed}");
            assert_eq!(generate(&grammar, 60, seed), generate(&grammar, 60, seed));
        }
    }

    #[test]
    fn a_grammar_without_recursion_is_at_its_end() {
        let grammar = Grammar::new(&[("<s>", &["<a><a>"]), ("<a>", &["x"])]).expect("it is one");
        assert_eq!(generate(&grammar, 60, 0).text(), "xx");
    }
}
