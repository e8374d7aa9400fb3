//! Grammar-based reduction: *The Fuzzing Book*, chapter *Reducing Failure-Inducing Inputs*, with its exercise *Reduction by
//! Production*. The subtrees of one symbol are those of Perses: Sun and others, *Perses: Syntax-Guided Program Reduction*
//! (2018).

use std::collections::HashSet;

use super::outcome::Outcome;
use super::trees::TestTree;
use crate::grammar::derivation::{Derivation, Symbol};
use crate::grammar::productions::Grammar;

/// Replaces nodes of a derivation by smaller nodes of the same symbol: first by those below them, then
/// by expansions in the grammar whose symbols are found below them. All candidates are valid if the derivation is.
///
/// Tests: as many as there are levels if the failure needs a single small part; `O(n²)` at worst for `n` nodes, and
/// the product of the symbols' occurrences for each expansion with [`all_combinations`](Self::all_combinations).
#[derive(Clone, Copy)]
pub struct GrammarReducer<'g> {
    grammar: &'g Grammar,
    subtrees: bool,
    expansions: bool,
    depth_by_depth: bool,
    all_combinations: bool,
    generating: bool,
}

impl<'g> GrammarReducer<'g> {
    /// Tries subtrees and expansions at any depth. An [unknown](Grammar::unknown) grammar only allows subtrees; use it for
    /// derivations that do not come from a grammar.
    pub fn new(grammar: &'g Grammar) -> Self {
        Self {
            grammar,
            subtrees: true,
            expansions: true,
            depth_by_depth: false,
            all_combinations: false,
            generating: false,
        }
    }

    /// Only tries subtrees of the same symbol.
    #[must_use]
    pub fn only_subtrees(self) -> Self {
        Self { subtrees: true, expansions: false, ..self }
    }

    /// Only tries other expansions.
    #[must_use]
    pub fn only_expansions(self) -> Self {
        Self { subtrees: false, expansions: true, ..self }
    }

    /// Looks for replacements one level below a node, and further down only if none there works: it removes large
    /// parts first.
    #[must_use]
    pub fn depth_by_depth(self) -> Self {
        Self { depth_by_depth: true, ..self }
    }

    /// Tries each expansion with all nodes of its symbols, not only with the first that make it smaller.
    #[must_use]
    pub fn all_combinations(self) -> Self {
        Self { all_combinations: true, ..self }
    }

    /// Also generates nodes that the input does not have: for symbols that are missing below a node, and finally in place of
    /// the node itself.
    #[must_use]
    pub fn generating(self) -> Self {
        Self { generating: true, ..self }
    }

    /// A smaller derivation that still fails, if `tree` does. Depth by depth, it continues until no single node can be
    /// replaced; otherwise a node is not tried again after a change below it.
    ///
    /// # Errors
    /// When the test fails to run.
    pub fn reduce<E>(&self, tree: Derivation, test: &mut TestTree<'_, E>) -> Result<Derivation, E> {
        let mut search = Reduction { reducer: *self, tree, test };
        if self.depth_by_depth {
            let mut depth = 0;
            while depth < search.tree.height() {
                depth = if search.below(&mut Vec::new(), Some(depth))? { 0 } else { depth + 1 };
            }
        } else {
            search.below(&mut Vec::new(), None)?;
        }
        Ok(search.tree)
    }

    /// The possible replacements of `tree` by a node of `symbol`, without duplicates, in the order of the tests; from
    /// the given depth below it or from any.
    pub fn reductions(
        &self,
        tree: &Derivation,
        symbol: &Symbol,
        depth: Option<usize>,
    ) -> impl Iterator<Item = Derivation> + use<'g> {
        let (reducer, tree, symbol) = (*self, tree.clone(), symbol.clone());
        let subtrees = if reducer.subtrees { tree.below(&symbol, depth) } else { Vec::new() };
        let smallest = reducer.grammar.smallest(&symbol).filter(|_| reducer.generating);
        let expansions =
            move || if reducer.expansions { reducer.expansions(&tree, &symbol, depth) } else { Vec::new() };
        // Expansions are rarely needed if there are subtrees.
        let expansions = std::iter::once_with(expansions).flatten();
        let mut seen = HashSet::new();
        subtrees.into_iter().chain(expansions).chain(smallest).filter(move |tree| seen.insert(tree.clone()))
    }

    /// The expansions of `symbol` by nodes below `tree` that are smaller than it, smaller ones first.
    fn expansions(&self, tree: &Derivation, symbol: &Symbol, depth: Option<usize>) -> Vec<Derivation> {
        let mut alternatives: Vec<_> = self.grammar.alternatives(symbol).iter().collect();
        alternatives.sort_by_key(|alternative| alternative.len());
        let mut found = Vec::new();
        for alternative in alternatives {
            let pools: Vec<Vec<Derivation>> = alternative.iter().map(|symbol| self.pool(tree, symbol, depth)).collect();
            let mut combinations =
                Combinations { pools: &pools, only_first: !self.all_combinations, found: Vec::new() };
            combinations.extend(&mut Vec::new(), tree.size() - 1);
            found.extend(combinations.found.into_iter().map(|children| Derivation::new(symbol.clone(), children)));
        }
        found.sort_by_key(Derivation::size);
        found
    }

    /// The candidates for a symbol of an expansion.
    fn pool(&self, tree: &Derivation, symbol: &Symbol, depth: Option<usize>) -> Vec<Derivation> {
        let mut pool = tree.below(symbol, depth);
        if self.generating {
            if pool.is_empty() && matches!(symbol, Symbol::Nonterminal(_)) {
                // Tries one expansion from existing nodes before generating one.
                pool = Self { generating: false, ..*self }.expansions(tree, symbol, depth);
            }
            pool.extend(self.grammar.smallest(symbol));
        }
        pool
    }
}

/// Combinations of one element of each pool.
struct Combinations<'a> {
    pools: &'a [Vec<Derivation>],
    only_first: bool,
    found: Vec<Vec<Derivation>>,
}

impl Combinations<'_> {
    /// Completes the elements `chosen` from the first pools by less than `budget` nodes.
    fn extend(&mut self, chosen: &mut Vec<Derivation>, budget: usize) {
        let pools = self.pools;
        let Some(pool) = pools.get(chosen.len()) else {
            if budget > 0 {
                self.found.push(chosen.clone());
            }
            return;
        };
        let least = |pool: &Vec<Derivation>| pool.iter().map(Derivation::size).min();
        let Some(rest) = pools[chosen.len() + 1..].iter().map(least).sum::<Option<usize>>() else { return };
        for node in pool {
            if node.size() + rest < budget {
                chosen.push(node.clone());
                self.extend(chosen, budget - node.size());
                chosen.pop();
                if self.only_first && !self.found.is_empty() {
                    return;
                }
            }
        }
    }
}

struct Reduction<'a, 't, E> {
    reducer: GrammarReducer<'a>,
    tree: Derivation,
    test: &'a mut TestTree<'t, E>,
}

impl<E> Reduction<'_, '_, E> {
    /// Reduces the nodes below the node at `path`; returns whether any changed.
    fn below(&mut self, path: &mut Vec<usize>, depth: Option<usize>) -> Result<bool, E> {
        let mut reduced = false;
        loop {
            let mut again = false;
            for position in 0..self.tree.at(path).children().len() {
                path.push(position);
                again |= self.node(path, depth)?;
                path.pop();
            }
            if !again {
                break;
            }
            reduced = true;
        }
        for position in 0..self.tree.at(path).children().len() {
            path.push(position);
            reduced |= self.below(path, depth)?;
            path.pop();
        }
        Ok(reduced)
    }

    /// Replaces the node at `path` by the first reduction with which the whole fails.
    fn node(&mut self, path: &[usize], depth: Option<usize>) -> Result<bool, E> {
        let node = self.tree.at(path).clone();
        let smaller = self.reducer.reductions(&node, node.symbol(), depth).filter(|it| it.size() < node.size());
        for reduction in smaller {
            let candidate = self.tree.with(path, reduction);
            if (self.test)(&candidate)? == Outcome::Fail {
                self.tree = candidate;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::earley::Earley;

    const NUMBERS: &[(&str, &[&str])] = &[
        ("<number>", &["<float>", "<integer>", "<not-a-number>"]),
        ("<float>", &["<digits>.<digits>"]),
        ("<integer>", &["<digits>"]),
        ("<not-a-number>", &["NaN"]),
        ("<digits>", &["<digit><digits>", "<digit>"]),
        ("<digit>", &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]),
    ];

    /// Reduces a number below a start symbol by a test of its text; checks the result and the number of tests.
    #[track_caller]
    fn check(
        set_up: impl Fn(GrammarReducer<'_>) -> GrammarReducer<'_>,
        fails: impl Fn(&str) -> bool,
        expected: &str,
        tests: usize,
    ) {
        let rules = [&[("<start>", &["<number>"][..])], NUMBERS].concat();
        let grammar = Grammar::new(&rules).expect("it is one");
        let tree = Earley::new(&grammar).parse("100.99").expect("it is a number").tree;
        let mut asked = 0;
        let mut test = |tree: &Derivation| {
            asked += 1;
            Ok::<_, std::convert::Infallible>(if fails(&tree.text()) { Outcome::Fail } else { Outcome::Pass })
        };
        let Ok(left) = set_up(GrammarReducer::new(&grammar)).reduce(tree, &mut test);
        assert_eq!((left.text().as_str(), asked), (expected, tests));
    }

    #[test]
    fn without_production_a_float_remains_a_float() {
        check(|it| it, |_| true, "0.0", 3);
        check(|it| it.only_subtrees(), |_| true, "0.9", 3);
        check(|it| it.depth_by_depth(), |_| true, "9.9", 3);
    }

    #[test]
    fn production_makes_numbers_that_the_input_never_had() {
        check(|it| it.generating(), |_| true, "NaN", 1);
        check(|it| it.generating(), |text| text != "NaN", "0", 5);
        check(|it| it.generating(), |text| text.contains("99"), "0.99", 13);
        check(|it| it.generating().all_combinations(), |text| text.contains("99"), "99", 11);
    }

    #[test]
    fn a_digit_is_taken_from_a_number_by_an_expansion() {
        check(|it| it.only_expansions(), |text| text.starts_with('1'), "1.0", 3);
    }
}
