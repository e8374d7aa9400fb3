//! Random derivations of a grammar: the grammar fuzzer of *The Fuzzing Book*, which first grows and then closes a tree.

use std::sync::Arc;

use super::class::Class;
use super::derivation::{Derivation, Symbol};
use super::productions::{Expansion, Grammar, Rule};
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
    let (random, growing) = (Random::new(seed), growing(grammar));
    let mut generator = Generator { grammar, random, growing, nodes: Vec::new(), open: Vec::new() };
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

struct Generator<'g> {
    grammar: &'g Grammar,
    random: Random,
    /// Which symbols of the grammar lead to a recursive one or to a list.
    growing: Vec<bool>,
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
        let grammar = self.grammar;
        let children = match grammar.rule(&self.nodes[place].0) {
            Some(Rule::Class(class)) => {
                let char = self.char_of(class);
                vec![Symbol::terminal(char.encode_utf8(&mut [0; 4]))]
            }
            Some(Rule::Repetition(list)) => {
                let is_first = self.nodes[place].1.is_empty();
                if grow {
                    // It may grow again.
                    self.open.push(place);
                } else if !is_first || list.may_be_empty {
                    return;
                }
                list.separator.iter().filter(|_| !is_first).chain([&list.item]).cloned().collect()
            }
            _ => self.expansion(place, grow),
        };
        for symbol in children {
            let child = self.push(symbol);
            self.nodes[place].1.push(child);
        }
    }

    /// An alternative of the symbol at `place`.
    fn expansion(&mut self, place: usize, grow: bool) -> Expansion {
        let symbol = self.nodes[place].0.clone();
        let alternatives = self.grammar.alternatives(&symbol);
        let grows = |alternative: &Expansion| alternative.iter().any(|symbol| self.grows(symbol));
        let mut preferred: Vec<&Expansion> = alternatives.iter().filter(|it| grow && grows(it)).collect();
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

    /// Whether it leads to a recursive symbol or a list.
    fn grows(&self, symbol: &Symbol) -> bool {
        self.grammar.place(symbol).is_some_and(|place| self.growing[place])
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

/// Which symbols lead to a recursive one or to a list.
fn growing(grammar: &Grammar) -> Vec<bool> {
    let names: Vec<Symbol> = grammar.names().map(|name| Symbol::Nonterminal(Arc::clone(name))).collect();
    let reached: Vec<Vec<bool>> = names
        .iter()
        .map(|name| {
            let mut reached = vec![false; names.len()];
            let mut waiting = vec![name];
            while let Some(symbol) = waiting.pop() {
                for place in grammar.alternatives(symbol).iter().flatten().filter_map(|it| grammar.place(it)) {
                    if !std::mem::replace(&mut reached[place], true) {
                        waiting.push(&names[place]);
                    }
                }
            }
            reached
        })
        .collect();
    let has_own = |place: usize| reached[place][place] || grammar.repetition(&names[place]).is_some();
    (0..names.len()).map(|from| has_own(from) || (0..names.len()).any(|to| reached[from][to] && has_own(to))).collect()
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
