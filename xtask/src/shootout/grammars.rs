//! The grammars of the shoot-out, and the tests of their sentences.

use std::collections::HashSet;
use std::sync::Arc;

use mcve_dd::grammar::derivation::{Derivation, Symbol};
use mcve_dd::grammar::earley::Earley;
use mcve_dd::grammar::generator::generate;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::outcome::Outcome;
use mcve_dd::random::Random;

type Rules = &'static [(&'static str, &'static [&'static str])];

const DIGITS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The expressions of *The Fuzzing Book*.
const EXPRESSIONS: Rules = &[
    ("<start>", &["<expr>"]),
    ("<expr>", &["<term> + <expr>", "<term> - <expr>", "<term>"]),
    ("<term>", &["<factor> * <term>", "<factor> / <term>", "<factor>"]),
    ("<factor>", &["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"]),
    ("<integer>", &["<digit><integer>", "<digit>"]),
    ("<digit>", DIGITS),
];

/// JSON without blanks, with short words and numbers, so that what is generated is nested.
const JSON: Rules = &[
    ("<start>", &["<value>"]),
    ("<value>", &["{<members>}", "[<values>]", "\"<word>\"", "-<number>", "<number>", "true", "false", "null"]),
    ("<members>", &["<member>,<members>", "<member>", ""]),
    ("<member>", &["\"<word>\":<value>"]),
    ("<values>", &["<value>,<values>", "<value>", ""]),
    ("<word>", &["<letter><letter>", "<letter>"]),
    ("<letter>", &["a", "b", "c", "d"]),
    ("<number>", &["<digit>.<digit>", "<digit>"]),
    ("<digit>", DIGITS),
];

/// A little of Rust.
const RUST: Rules = &[
    ("<start>", &["<items>"]),
    ("<items>", &["<item><items>", "<item>"]),
    ("<item>", &["fn <name>(<parameters>) -> <type> <block>\n", "const <name>: <type> = <expr>;\n"]),
    ("<parameters>", &["<parameter>, <parameters>", "<parameter>", ""]),
    ("<parameter>", &["<name>: <type>"]),
    ("<type>", &["[<type>; <number>]", "(<type>, <type>)", "&<type>", "u8", "bool"]),
    ("<block>", &["{ <statements><expr> }"]),
    ("<statements>", &["<statement> <statements>", ""]),
    ("<statement>", &["let <name> = <expr>;", "while <expr> <block>", "return <expr>;", "<name> = <expr>;"]),
    ("<expr>", &["<operand> + <expr>", "<operand> && <expr>", "<operand>"]),
    (
        "<operand>",
        &[
            "(if <expr> <block> else <block>)",
            "(match <expr> { <arms> })",
            "<name>(<arguments>)",
            "[<arguments>]",
            "!<operand>",
            "true",
            "<name>",
            "<number>",
        ],
    ),
    ("<arms>", &["<number> => <expr>, <arms>", "_ => <expr>"]),
    ("<arguments>", &["<expr>, <arguments>", "<expr>", ""]),
    ("<name>", &["a", "b", "c", "x", "y"]),
    ("<number>", &["<digit><number>", "<digit>"]),
    ("<digit>", DIGITS),
];

/// The grammars by name.
pub(crate) const GRAMMARS: [(&str, Rules); 3] = [("expressions", EXPRESSIONS), ("JSON", JSON), ("Rust", RUST)];

/// How many inputs there are of each grammar, and how many tests of each for one, two and three symbols.
const INPUTS: u64 = 8;
const TESTS: u64 = 3;

/// How many symbols are expanded in each input.
const SYMBOLS: usize = 100;

/// An input, and the terminals that make it fail when all of them are there.
pub(crate) struct Case {
    pub(crate) tree: Derivation,
    pub(crate) wanted: HashSet<Arc<str>>,
}

impl Case {
    /// The test of this case: what is no sentence of the grammar is unresolved.
    pub(crate) fn test(&self, parser: &Earley, text: &str) -> Outcome {
        match parser.parse(text) {
            Err(_) => Outcome::Unresolved,
            Ok(parse) if self.wanted.is_subset(&terminals(&parse.tree)) => Outcome::Fail,
            Ok(_) => Outcome::Pass,
        }
    }

    /// The same for what begins with nothing: the empty text passes.
    pub(crate) fn test_from_nothing(&self, parser: &Earley, text: &str) -> Outcome {
        if text.is_empty() { Outcome::Pass } else { self.test(parser, text) }
    }
}

fn terminals(tree: &Derivation) -> HashSet<Arc<str>> {
    let mut found = HashSet::new();
    tree.walk(&mut |node| {
        if let Symbol::Terminal(text) = node.symbol() {
            found.insert(Arc::clone(text));
        }
    });
    found
}

/// All cases of a grammar, the same in each run.
pub(crate) fn cases(grammar: &Grammar) -> Vec<Case> {
    let mut cases = Vec::new();
    for seed in 0..INPUTS {
        let tree = generate(grammar, SYMBOLS, seed);
        let mut all: Vec<Arc<str>> = terminals(&tree).into_iter().collect();
        all.sort();
        for count in 1..=3 {
            for test in 0..TESTS {
                let mut random = Random::new(seed * 100 + count * 10 + test);
                let mut left = all.clone();
                let wanted = (0..count).map(|_| left.swap_remove(random.index(left.len()))).collect();
                cases.push(Case { tree: tree.clone(), wanted });
            }
        }
    }
    cases
}
