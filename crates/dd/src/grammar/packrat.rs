//! A parser for grammars: Ford, *Packrat Parsing: Simple, Powerful, Lazy, Linear Time* (2002).

use std::rc::Rc;

use super::derivation::{Derivation, Symbol};
use super::productions::Grammar;

/// Parses texts by one grammar. It takes the first alternative that matches, so a longer one has to stand before
/// its prefix (`<term> + <expr>` before `<term>`). A symbol does not match while it is tried at the same place, so
/// left recursion fails to match instead of looping.
///
/// Linear in the text: each symbol is tried once at each place.
///
/// The stack grows with the height of the derivation, which for a list by a rule such as `<item>,<list>` is the number of
/// its items. The 2 MiB of a thread are enough for a height of about 1,000 in a debug build and 8,000 in a release build.
/// Parse and reduce higher ones in a thread with a larger [`stack_size`](std::thread::Builder::stack_size): 64 MiB are
/// enough for 20,000 in a debug build.
pub struct Packrat {
    rules: Vec<Rule>,
}

struct Rule {
    symbol: Symbol,
    alternatives: Vec<Vec<Piece>>,
}

enum Piece {
    Text(Derivation, Rc<str>),
    Rule(usize),
}

/// A derivation and the end of its text.
type Match = Option<(Derivation, usize)>;

impl Packrat {
    /// Creates a parser for `grammar`.
    #[must_use]
    pub fn new(grammar: &Grammar) -> Self {
        let rules = grammar.names().map(|name| {
            let symbol = Symbol::Nonterminal(Rc::clone(name));
            let piece = |symbol: &Symbol| match symbol {
                Symbol::Terminal(text) => Piece::Text(Derivation::terminal(text), Rc::clone(text)),
                Symbol::Nonterminal(_) => Piece::Rule(grammar.place(symbol).expect("a grammar has all its symbols")),
            };
            let alternatives = grammar.alternatives(&symbol).iter();
            let alternatives = alternatives.map(|expansion| expansion.iter().map(piece).collect()).collect();
            Rule { symbol, alternatives }
        });
        Self { rules: rules.collect() }
    }

    /// Parses the whole of `text`, if it matches.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<Derivation> {
        if self.rules.is_empty() {
            return None;
        }
        let known = vec![None; self.rules.len() * (text.len() + 1)];
        let (tree, end) = Parse { rules: &self.rules, text, known }.rule(0, 0)?;
        (end == text.len()).then_some(tree)
    }
}

struct Parse<'a> {
    rules: &'a [Rule],
    text: &'a str,
    /// The results of each rule at each place, once tried.
    known: Vec<Option<Match>>,
}

impl Parse<'_> {
    fn rule(&mut self, rule: usize, start: usize) -> Match {
        let place = start * self.rules.len() + rule;
        if let Some(known) = &self.known[place] {
            return known.clone();
        }
        self.known[place] = Some(None);
        let rules = self.rules;
        let found = rules[rule].alternatives.iter().find_map(|alternative| {
            let (children, end) = self.sequence(alternative, start)?;
            Some((Derivation::new(rules[rule].symbol.clone(), children), end))
        });
        self.known[place] = Some(found.clone());
        found
    }

    fn sequence(&mut self, pieces: &[Piece], start: usize) -> Option<(Vec<Derivation>, usize)> {
        let mut children = Vec::with_capacity(pieces.len());
        let mut end = start;
        for piece in pieces {
            let (child, next) = match piece {
                Piece::Text(leaf, text) => {
                    self.text[end..].starts_with(&**text).then(|| (leaf.clone(), end + text.len()))?
                }
                Piece::Rule(rule) => self.rule(*rule, end)?,
            };
            children.push(child);
            end = next;
        }
        Some((children, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rules: &[(&str, &[&str])], accepted: &[&str], refused: &[&str]) {
        let parser = Packrat::new(&Grammar::new(rules).expect("it is a grammar"));
        for text in accepted {
            assert_eq!(parser.parse(text).map(|tree| tree.text()).as_deref(), Some(*text));
        }
        for text in refused {
            assert_eq!(parser.parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_whole_text_has_to_match() {
        let rules: &[(&str, &[&str])] = &[("<s>", &["(<s>)", "<d>"]), ("<d>", &["1", "ß"])];
        check(rules, &["1", "((1))", "(ß)"], &["", "(1", "1)", "(2)", "11"]);
    }

    #[test]
    fn an_expansion_may_be_empty() {
        check(&[("<s>", &["a<s>", ""])], &["", "aaa"], &["ab"]);
    }

    #[test]
    fn left_recursion_ends() {
        check(&[("<s>", &["<s>a", "a"])], &["a"], &["aa"]);
    }
}
