//! Context-free grammars in the notation of *The Fuzzing Book*: a name in angle brackets is a nonterminal, all other text is
//! terminal.
//!
//! A name is any text without space, `<` and `>`. A `<` that does not begin a name in brackets is a terminal, as in `a < b`.
//! For a terminal that looks like a name, such as the tag `<b>`, expand a symbol to its `<`: `<lt>b>` with the rule
//! `("<lt>", &["<"])`.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use super::derivation::{Derivation, Symbol};

/// A sequence of symbols.
pub type Expansion = Vec<Symbol>;

/// A context-free grammar: the expansions of each symbol, and the start symbol.
///
/// ```
/// use mcve_dd::grammar::packrat::Packrat;
/// use mcve_dd::grammar::productions::Grammar;
///
/// let grammar = Grammar::new(&[("<list>", &["<digit>,<list>", "<digit>"]), ("<digit>", &["0", "1"])])?;
/// let tree = Packrat::new(&grammar).parse("1,0").expect("it is a list");
/// assert_eq!((tree.text().as_str(), tree.size()), ("1,0", 7));
/// # Ok::<(), mcve_dd::grammar::productions::Unusable>(())
/// ```
pub struct Grammar {
    rules: Vec<Rule>,
    places: HashMap<Rc<str>, usize>,
}

struct Rule {
    name: Rc<str>,
    alternatives: Vec<Expansion>,
    /// The smallest derivation of the symbol.
    smallest: Derivation,
}

/// The reason why rules do not form a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// There are no rules.
    Empty,
    /// A symbol is used that no rule expands.
    Undefined(String),
    /// Every expansion of a symbol is infinite.
    Endless(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the grammar has no rules"),
            Self::Undefined(name) => write!(f, "the grammar has no rule for {name}"),
            Self::Endless(name) => write!(f, "{name} cannot be expanded to text"),
        }
    }
}

impl std::error::Error for Unusable {}

impl Grammar {
    /// Creates a grammar from these rules: a symbol, with its brackets, and its expansions. The symbol of the first rule
    /// is the start symbol. Several rules of one symbol are one rule with the expansions of all.
    ///
    /// # Errors
    /// When there are no rules, or a symbol has no rule or no finite expansion.
    pub fn new(rules: &[(&str, &[&str])]) -> Result<Self, Unusable> {
        if rules.is_empty() {
            return Err(Unusable::Empty);
        }
        let mut parsed: Vec<(Rc<str>, Vec<Expansion>)> = Vec::new();
        let mut places: HashMap<Rc<str>, usize> = HashMap::new();
        for (name, texts) in rules {
            let place = *places.entry((*name).into()).or_insert(parsed.len());
            if place == parsed.len() {
                parsed.push(((*name).into(), Vec::new()));
            }
            parsed[place].1.extend(texts.iter().map(|text| symbols(text)));
        }
        for symbol in parsed.iter().flat_map(|(_, alternatives)| alternatives.iter().flatten()) {
            if let Symbol::Nonterminal(name) = symbol
                && !places.contains_key(name)
            {
                return Err(Unusable::Undefined(name.to_string()));
            }
        }
        let smallest = smallest(&parsed, &places);
        let rule = |((name, alternatives), smallest): ((Rc<str>, Vec<Expansion>), Option<Derivation>)| {
            let smallest = smallest.ok_or_else(|| Unusable::Endless(name.to_string()))?;
            Ok(Rule { name, alternatives, smallest })
        };
        let rules = parsed.into_iter().zip(smallest).map(rule).collect::<Result<_, _>>()?;
        Ok(Self { rules, places })
    }

    /// An empty grammar, which expands nothing. For derivations from other sources.
    #[must_use]
    pub fn unknown() -> Self {
        Self { rules: Vec::new(), places: HashMap::new() }
    }

    /// Whether the grammar is empty.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.rules.is_empty()
    }

    /// The symbols that can be expanded, the start symbol first.
    pub fn names(&self) -> impl Iterator<Item = &Rc<str>> {
        self.rules.iter().map(|rule| &rule.name)
    }

    /// The index of a symbol among the [`names`](Self::names).
    #[must_use]
    pub fn place(&self, symbol: &Symbol) -> Option<usize> {
        match symbol {
            Symbol::Nonterminal(name) => self.places.get(name).copied(),
            Symbol::Terminal(_) => None,
        }
    }

    /// The expansions of `symbol`, in order; none for a terminal.
    #[must_use]
    pub fn alternatives(&self, symbol: &Symbol) -> &[Expansion] {
        self.place(symbol).map_or(&[], |place| &self.rules[place].alternatives)
    }

    /// The smallest derivation of `symbol`; of several, the first one found. None for an unknown symbol.
    #[must_use]
    pub fn smallest(&self, symbol: &Symbol) -> Option<Derivation> {
        match symbol {
            Symbol::Terminal(text) => Some(Derivation::terminal(text)),
            Symbol::Nonterminal(_) => Some(self.rules[self.place(symbol)?].smallest.clone()),
        }
    }
}

/// Splits an expansion into its symbols. A name is `<`, text without `<`, `>` or space, and `>`. The text is not empty.
fn symbols(text: &str) -> Expansion {
    let mut symbols = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(open) = rest[from..].find('<').map(|at| from + at) {
        let after = &rest[open + 1..];
        match after.find(['<', '>', ' ']) {
            Some(length) if length > 0 && after[length..].starts_with('>') => {
                if open > 0 {
                    symbols.push(Symbol::terminal(&rest[..open]));
                }
                let end = open + length + 2;
                symbols.push(Symbol::nonterminal(&rest[open..end]));
                rest = &rest[end..];
                from = 0;
            }
            _ => from = open + 1,
        }
    }
    if !rest.is_empty() {
        symbols.push(Symbol::terminal(rest));
    }
    symbols
}

/// The smallest derivation of each symbol, by rounds until none gets smaller.
fn smallest(rules: &[(Rc<str>, Vec<Expansion>)], places: &HashMap<Rc<str>, usize>) -> Vec<Option<Derivation>> {
    let mut found: Vec<Option<Derivation>> = vec![None; rules.len()];
    loop {
        let mut changed = false;
        for (place, (name, alternatives)) in rules.iter().enumerate() {
            for alternative in alternatives {
                let children = alternative.iter().map(|symbol| match symbol {
                    Symbol::Terminal(text) => Some(Derivation::terminal(text)),
                    Symbol::Nonterminal(name) => found[places[name]].clone(),
                });
                let Some(children) = children.collect() else { continue };
                let tree = Derivation::new(Symbol::Nonterminal(Rc::clone(name)), children);
                if found[place].as_ref().is_none_or(|known| tree.size() < known.size()) {
                    found[place] = Some(tree);
                    changed = true;
                }
            }
        }
        if !changed {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_from_text() {
        let [n, t] = [Symbol::nonterminal, Symbol::terminal];
        assert_eq!(symbols("(<a>)"), [t("("), n("<a>"), t(")")]);
        assert_eq!(symbols("<a><b-c>"), [n("<a>"), n("<b-c>")]);
        assert_eq!(symbols("<a> < <<b>"), [n("<a>"), t(" < <"), n("<b>")]);
        assert_eq!(symbols("a<b c>"), [t("a<b c>")]);
        assert_eq!(symbols("a<>b"), [t("a<>b")]);
        assert_eq!(symbols("<lt>b>"), [n("<lt>"), t("b>")]);
        assert_eq!(symbols(""), []);
    }

    #[test]
    fn the_smallest_derivation_has_the_fewest_nodes() {
        let rules: &[(&str, &[&str])] =
            &[("<e>", &["<e>+<e>", "(<e>)", "<n>"]), ("<n>", &["<d><n>", "<d>"]), ("<d>", &["7", "8"])];
        let grammar = Grammar::new(rules).expect("it is one");
        let smallest = grammar.smallest(&Symbol::nonterminal("<e>")).expect("it is known");
        assert_eq!((smallest.text().as_str(), smallest.size()), ("7", 4));
    }

    #[test]
    fn rules_of_one_symbol_are_one_rule() {
        let rules: &[(&str, &[&str])] = &[("<a>", &["x"]), ("<b>", &["y"]), ("<a>", &["<b><a>", ""])];
        let grammar = Grammar::new(rules).expect("it is one");
        assert_eq!(grammar.names().map(|name| &**name).collect::<Vec<_>>(), ["<a>", "<b>"]);
        assert_eq!(grammar.alternatives(&Symbol::nonterminal("<a>")).len(), 3);
    }

    #[test]
    fn what_is_no_grammar_is_an_error() {
        let error = |rules: &[(&str, &[&str])]| Grammar::new(rules).err().map(|error| error.to_string());
        assert_eq!(error(&[]).as_deref(), Some("the grammar has no rules"));
        assert_eq!(error(&[("<a>", &["<b>"])]).as_deref(), Some("the grammar has no rule for <b>"));
        assert_eq!(error(&[("<a>", &["x<a>"])]).as_deref(), Some("<a> cannot be expanded to text"));
    }
}
