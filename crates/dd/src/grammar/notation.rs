//! Grammars as text: EBNF, or the notation of *The Fuzzing Book* as JSON or Python.

mod books;
mod ebnf;
mod reader;

use std::fmt;

use super::productions::{Grammar, Unusable};
pub use reader::NotationError;
use reader::Reader;

/// The error of a grammar that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrammarError {
    /// It is not written as one.
    Notation(NotationError),
    /// Its rules do not form one.
    Rules(Unusable),
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notation(error) => write!(f, "{error}"),
            Self::Rules(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for GrammarError {}

impl From<NotationError> for GrammarError {
    fn from(error: NotationError) -> Self {
        Self::Notation(error)
    }
}

/// The grammar that `text` is: a dictionary in the notation of the book if it begins as one, else EBNF.
///
/// ```
/// use mcve_dd::grammar::notation::read;
///
/// let ebnf = read("sum ::= number ('+' number)*\nnumber ::= [0-9]+")?;
/// let book = read(r#"{"<start>": ["<digit>+<start>", "<digit>"], "<digit>": ["0", "1"]}"#)?;
/// assert_eq!((&**ebnf.names().next().unwrap(), &**book.names().next().unwrap()), ("sum", "<start>"));
/// # Ok::<(), mcve_dd::grammar::notation::GrammarError>(())
/// ```
///
/// # Errors
/// When it is not written as a grammar, or its rules do not form one.
pub fn read(text: &str) -> Result<Grammar, GrammarError> {
    let mut reader = Reader::new(text);
    let rules = if books::is_begun(&mut reader)? { books::rules(&mut reader)? } else { ebnf::rules(&mut reader)? };
    Grammar::of(rules).map_err(GrammarError::Rules)
}

#[cfg(test)]
mod tests;
