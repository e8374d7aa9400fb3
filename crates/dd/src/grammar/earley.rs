//! A parser for all context-free grammars: Earley, *An Efficient Context-Free Parsing Algorithm* (1970).

mod alphabet;
mod chart;
mod table;
mod tree;

use std::collections::BTreeSet;
use std::fmt;

use super::derivation::{Derivation, Symbol};
use super::position::TextPosition;
use super::productions::Grammar;
use chart::Chart;
use table::{Next, Table};

/// The most terminals that an error lists.
const LISTED: usize = 8;

/// Parses texts by one grammar: any context-free one, with left recursion, empty expansions and ambiguity.
///
/// Of several derivations it takes the same one each time. From the top down, each symbol is expanded by the first alternative
/// that is possible; and of that, the last part is as short as possible, then the one before it, and so on. So with
/// `<e> ::= <e>+<e>`, `1+2+3` is `(1+2)+3`.
///
/// Linear in the text for most grammars that tell what comes next by one character, quadratic for unambiguous ones, and cubic at
/// worst. The stack does not grow with the text.
pub struct Earley {
    table: Table,
}

/// A text that was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parse {
    /// Its derivation.
    pub tree: Derivation,
    /// A part that could also be derived otherwise, if there is one.
    pub ambiguity: Option<Ambiguity>,
}

/// A part of a text with several derivations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// What the part is.
    pub symbol: Symbol,
    /// Where it begins.
    pub place: TextPosition,
    /// Its text.
    pub text: String,
}

/// The error of a text that does not follow a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The first place at which the text does not go on as a sentence could.
    pub place: TextPosition,
    /// What could stand there.
    pub expected: Vec<String>,
    /// The character there; none at the end of the text.
    pub found: Option<char>,
}

impl Earley {
    /// A parser for `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        Self { table: Table::new(grammar) }
    }

    /// Parses the whole of `text`.
    ///
    /// # Errors
    /// When the text does not follow the grammar.
    pub fn parse(&self, text: &str) -> Result<Parse, SyntaxError> {
        let chart = Chart::read(&self.table, text);
        if !is_whole(&chart, text) {
            return Err(error(chart, text));
        }
        let (tree, ambiguous) = tree::tree(&self.table, &chart, text);
        let ambiguity = ambiguous.map(|(symbol, start, end)| {
            let (place, text) = (TextPosition::of(text, start), text[start..end].to_owned());
            Ambiguity { symbol, place, text }
        });
        Ok(Parse { tree, ambiguity })
    }

    /// Whether `text` is a sentence.
    pub fn accepts(&self, text: &str) -> bool {
        is_whole(&Chart::read(&self.table, text), text)
    }
}

fn is_whole(chart: &Chart<'_>, text: &str) -> bool {
    chart.complete(0, 0, text.len()).next().is_some()
}

fn error(chart: Chart<'_>, text: &str) -> SyntaxError {
    let (at, nexts) = chart.expected();
    let (mut words, mut end) = (BTreeSet::new(), None);
    for next in nexts {
        match next {
            Next::Text(text, _) => _ = words.insert(format!("{text:?}")),
            Next::Class(_, Symbol::Nonterminal(name) | Symbol::Terminal(name)) => _ = words.insert(name.to_string()),
            Next::End(0) => end = Some("the end".to_owned()),
            Next::End(_) | Next::Symbol(_) => {}
        }
    }
    let expected = words.into_iter().chain(end).collect();
    SyntaxError { place: TextPosition::of(text, at), expected, found: text[at..].chars().next() }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.found.map_or("the end".to_owned(), |char| format!("{:?}", char.to_string()));
        write!(f, "{}: found {found}", self.place)?;
        let listed = &self.expected[..self.expected.len().min(LISTED)];
        let more = self.expected.len() - listed.len();
        match (listed, more) {
            ([], _) => Ok(()),
            ([one], _) => write!(f, ", expected {one}"),
            (some, 0) => write!(f, ", expected one of {}", some.join(", ")),
            (some, more) => write!(f, ", expected one of {} and {more} others", some.join(", ")),
        }
    }
}

impl std::error::Error for SyntaxError {}

#[cfg(test)]
mod tests;
