//! Context-free grammars in the notation of *The Fuzzing Book*: a name in angle brackets is a nonterminal, all other text is
//! terminal.
//!
//! A name is any text without space, `<` and `>`. A `<` that does not begin a name in brackets is a terminal, as in `a < b`.
//! For a terminal that looks like a name, such as the tag `<b>`, expand a symbol to its `<`: `<lt>b>` with the rule
//! `("<lt>", &["<"])`.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::class::Class;
use super::derivation::{Derivation, Symbol};

/// A sequence of symbols.
pub type Expansion = Vec<Symbol>;

/// What a symbol stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One of these expansions.
    Alternatives(Vec<Expansion>),
    /// A character.
    Class(Class),
    /// A list. Its derivation is flat: one node with all items and separators as children.
    Repetition(Repetition),
}

/// A list of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// What is repeated. Reducers remove nonterminals only.
    pub item: Symbol,
    /// What stands between two items, if anything does.
    pub separator: Option<Symbol>,
    /// Whether there may be no item.
    pub may_be_empty: bool,
}

/// A context-free grammar: what each symbol stands for, and the start symbol.
///
/// ```
/// use mcve_dd::grammar::earley::Earley;
/// use mcve_dd::grammar::productions::Grammar;
///
/// let grammar = Grammar::new(&[("<list>", &["<digit>,<list>", "<digit>"]), ("<digit>", &["0", "1"])])?;
/// let tree = Earley::new(&grammar).parse("1,0").expect("it is a list").tree;
/// assert_eq!((tree.text().as_str(), tree.size()), ("1,0", 7));
/// # Ok::<(), mcve_dd::grammar::productions::Unusable>(())
/// ```
pub struct Grammar {
    rules: Vec<Entry>,
    /// The index of each symbol among the rules.
    indices: HashMap<Arc<str>, usize>,
}

struct Entry {
    name: Arc<str>,
    rule: Rule,
    /// All alternatives, or one or two that are typical of a class or a list.
    alternatives: Vec<Expansion>,
    /// The derivation of the symbol with the fewest nodes.
    smallest: Derivation,
    /// The derivation of the symbol with the fewest characters.
    shortest: Derivation,
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
        let alternatives = |texts: &[&str]| Rule::Alternatives(texts.iter().map(|text| symbols(text)).collect());
        Self::of(rules.iter().map(|(name, texts)| ((*name).to_owned(), alternatives(texts))))
    }

    /// Creates a grammar from these rules. The symbol of the first rule is the start symbol. Of several rules of one symbol,
    /// those with alternatives are one rule; any other is replaced by a later one. A terminal without text is left out.
    ///
    /// # Errors
    /// When there are no rules, or a symbol has no rule or no finite expansion.
    pub fn of(rules: impl IntoIterator<Item = (String, Rule)>) -> Result<Self, Unusable> {
        let mut all: Vec<(Arc<str>, Rule)> = Vec::new();
        let mut indices: HashMap<Arc<str>, usize> = HashMap::new();
        for (name, mut rule) in rules {
            if let Rule::Alternatives(alternatives) = &mut rule {
                alternatives.iter_mut().for_each(|one| one.retain(|symbol| *symbol != Symbol::terminal("")));
            }
            let name: Arc<str> = name.into();
            let index = *indices.entry(Arc::clone(&name)).or_insert(all.len());
            match (all.get_mut(index), rule) {
                (None, rule) => all.push((name, rule)),
                (Some((_, Rule::Alternatives(known))), Rule::Alternatives(more)) => known.extend(more),
                (Some((_, known)), rule) => *known = rule,
            }
        }
        if all.is_empty() {
            return Err(Unusable::Empty);
        }
        let rules: Vec<_> = all.into_iter().map(|(name, rule)| (name, typical(&rule), rule)).collect();
        let separators = rules.iter().filter_map(|(_, _, rule)| match rule {
            Rule::Repetition(list) => list.separator.as_ref(),
            _ => None,
        });
        for symbol in rules.iter().flat_map(|(_, all, _)| all).flatten().chain(separators) {
            if let Symbol::Nonterminal(name) = symbol
                && !indices.contains_key(name)
            {
                return Err(Unusable::Undefined(name.to_string()));
            }
        }
        let smallest = least(&rules, &indices, Derivation::size);
        let shortest = least(&rules, &indices, |tree| (tree.length(), tree.size()));
        let entries = rules.into_iter().zip(smallest.into_iter().zip(shortest)).map(|(rule, least)| {
            let (name, alternatives, rule) = rule;
            match least {
                (Some(smallest), Some(shortest)) => Ok(Entry { name, rule, alternatives, smallest, shortest }),
                _ => Err(Unusable::Endless(name.to_string())),
            }
        });
        Ok(Self { rules: entries.collect::<Result<_, _>>()?, indices })
    }

    /// An empty grammar, which expands nothing. For derivations from other sources.
    pub fn unknown() -> Self {
        Self { rules: Vec::new(), indices: HashMap::new() }
    }

    /// Whether the grammar is empty.
    pub fn is_unknown(&self) -> bool {
        self.rules.is_empty()
    }

    /// The symbols that can be expanded, the start symbol first.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.rules.iter().map(|rule| &rule.name)
    }

    /// The index of a symbol among the [`names`](Self::names).
    pub fn index(&self, symbol: &Symbol) -> Option<usize> {
        match symbol {
            Symbol::Nonterminal(name) => self.indices.get(name).copied(),
            Symbol::Terminal(_) => None,
        }
    }

    /// What `symbol` stands for; none for a terminal and an unknown symbol.
    pub fn rule(&self, symbol: &Symbol) -> Option<&Rule> {
        self.index(symbol).map(|index| &self.rules[index].rule)
    }

    /// The list that `symbol` stands for, if it is one.
    pub fn repetition(&self, symbol: &Symbol) -> Option<&Repetition> {
        match self.rule(symbol)? {
            Rule::Repetition(list) => Some(list),
            _ => None,
        }
    }

    /// The expansions of `symbol`, in order; none for a terminal. Of a class, one character; of a list, no item if that is
    /// possible, and one item.
    pub fn alternatives(&self, symbol: &Symbol) -> &[Expansion] {
        self.index(symbol).map_or(&[], |index| &self.rules[index].alternatives)
    }

    /// The derivation of `symbol` with the fewest nodes; of several, the first one found. None for an unknown symbol.
    pub fn smallest(&self, symbol: &Symbol) -> Option<Derivation> {
        self.least(symbol, |entry| &entry.smallest)
    }

    /// The derivation of `symbol` with the fewest characters, and among these the fewest nodes. None for an unknown symbol.
    pub fn shortest(&self, symbol: &Symbol) -> Option<Derivation> {
        self.least(symbol, |entry| &entry.shortest)
    }

    fn least(&self, symbol: &Symbol, of: fn(&Entry) -> &Derivation) -> Option<Derivation> {
        match symbol {
            Symbol::Terminal(text) => Some(Derivation::terminal(text)),
            Symbol::Nonterminal(_) => Some(of(&self.rules[self.index(symbol)?]).clone()),
        }
    }
}

/// The alternatives of a rule, or typical ones of a class or a list.
fn typical(rule: &Rule) -> Vec<Expansion> {
    match rule {
        Rule::Alternatives(all) => all.clone(),
        Rule::Class(class) => vec![vec![Symbol::terminal(class.example().encode_utf8(&mut [0; 4]))]],
        Rule::Repetition(list) => {
            let none = list.may_be_empty.then(Vec::new);
            none.into_iter().chain([vec![list.item.clone()]]).collect()
        }
    }
}

/// Splits an expansion into its symbols. A name is `<`, text without `<`, `>` or space, and `>`. The text is not empty.
pub(super) fn symbols(text: &str) -> Expansion {
    let (mut symbols, mut done) = (Vec::new(), 0);
    for (open, _) in text.match_indices('<') {
        let name = &text[open + 1..];
        let length = name.find(['<', '>', ' ']).filter(|&length| length > 0 && name[length..].starts_with('>'));
        let Some(end) = length.map(|length| open + length + 2) else { continue };
        symbols.extend([Symbol::terminal(&text[done..open]), Symbol::nonterminal(&text[open..end])]);
        done = end;
    }
    symbols.push(Symbol::terminal(&text[done..]));
    symbols.retain(|symbol| *symbol != Symbol::terminal(""));
    symbols
}

/// The derivation of each symbol with the least key, by rounds until none gets less.
fn least<K: Ord>(
    rules: &[(Arc<str>, Vec<Expansion>, Rule)],
    indices: &HashMap<Arc<str>, usize>,
    key: impl Fn(&Derivation) -> K,
) -> Vec<Option<Derivation>> {
    let mut found: Vec<Option<Derivation>> = vec![None; rules.len()];
    loop {
        let mut changed = false;
        for (index, (name, alternatives, _)) in rules.iter().enumerate() {
            for alternative in alternatives {
                let children = alternative.iter().map(|symbol| match symbol {
                    Symbol::Terminal(text) => Some(Derivation::terminal(text)),
                    Symbol::Nonterminal(name) => found[indices[name]].clone(),
                });
                let Some(children) = children.collect() else { continue };
                let tree = Derivation::new(Symbol::Nonterminal(Arc::clone(name)), children);
                if found[index].as_ref().is_none_or(|known| key(&tree) < key(known)) {
                    found[index] = Some(tree);
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
    fn the_shortest_derivation_has_the_fewest_characters() {
        let rules: &[(&str, &[&str])] = &[
            ("<list>", &["[<items>]"]),
            ("<items>", &["<item>,<items>", "<item>", ""]),
            ("<item>", &["<list>", "<number>"]),
            ("<number>", &["10", "2<number>", "7"]),
        ];
        let grammar = Grammar::new(rules).expect("it is one");
        let shortest = |name| grammar.shortest(&Symbol::nonterminal(name)).expect("it is known").text();
        assert_eq!(["<list>", "<items>", "<item>", "<number>"].map(shortest), ["[]", "", "7", "7"]);
    }

    #[test]
    fn rules_of_one_symbol_are_one_rule() {
        let rules: &[(&str, &[&str])] = &[("<a>", &["x"]), ("<b>", &["y"]), ("<a>", &["<b><a>", ""])];
        let grammar = Grammar::new(rules).expect("it is one");
        assert_eq!(grammar.names().map(|name| &**name).collect::<Vec<_>>(), ["<a>", "<b>"]);
        assert_eq!(grammar.alternatives(&Symbol::nonterminal("<a>")).len(), 3);
    }

    #[test]
    fn terminals_without_text_are_left_out() {
        let [nothing, x] = ["", "x"].map(Symbol::terminal);
        let rule = Rule::Alternatives(vec![vec![nothing.clone(), x.clone()], vec![nothing]]);
        let grammar = Grammar::of([("a".to_owned(), rule)]).expect("it is one");
        assert_eq!(grammar.alternatives(&Symbol::nonterminal("a")), [vec![x], Vec::new()]);
    }

    #[test]
    fn what_is_no_grammar_is_an_error() {
        let error = |rules: &[(&str, &[&str])]| Grammar::new(rules).err().map(|error| error.to_string());
        assert_eq!(error(&[]).as_deref(), Some("the grammar has no rules"));
        assert_eq!(error(&[("<a>", &["<b>"])]).as_deref(), Some("the grammar has no rule for <b>"));
        assert_eq!(error(&[("<a>", &["x<a>"])]).as_deref(), Some("<a> cannot be expanded to text"));
    }
}
