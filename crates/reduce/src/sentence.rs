//! A text as a sentence of a grammar that the user gave: of such a text, each candidate is a sentence.

use mcve_dd::grammar::derivation::Derivation;
use mcve_dd::grammar::earley::{Ambiguity, Earley, SyntaxError};
use mcve_dd::grammar::productions::Grammar;

/// The grammar of the text that is reduced.
pub struct Sentences {
    grammar: Grammar,
    parser: Earley,
    /// The end of the last line, where the text has one and the grammar does not know it. It stays.
    ending: &'static str,
}

impl Sentences {
    /// The sentences of `grammar`, of which `text` is one, perhaps with a line break behind it. Also returns a part of it that
    /// could be derived in several ways, if there is one.
    ///
    /// # Errors
    /// When it is none.
    pub fn with(grammar: Grammar, text: &str) -> Result<(Self, Option<Ambiguity>), SyntaxError> {
        let parser = Earley::new(&grammar);
        let mut parsed = parser.parse(text);
        let mut ending = "";
        for end in ["\r\n", "\n"] {
            if parsed.is_err()
                && let Some(parse) = text.strip_suffix(end).and_then(|text| parser.parse(text).ok())
            {
                (parsed, ending) = (Ok(parse), end);
            }
        }
        let ambiguity = parsed?.ambiguity;
        Ok((Self { grammar, parser, ending }, ambiguity))
    }

    /// The grammar.
    pub(crate) fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The derivation of a text.
    pub(crate) fn parse(&self, text: &str) -> Option<Derivation> {
        self.parser.parse(text.strip_suffix(self.ending)?).ok().map(|parse| parse.tree)
    }

    /// Whether a text is a sentence.
    pub(crate) fn has(&self, text: &str) -> bool {
        text.strip_suffix(self.ending).is_some_and(|text| self.parser.accepts(text))
    }

    /// The text of a derivation.
    pub(crate) fn text(&self, tree: &Derivation) -> String {
        tree.text() + self.ending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_last_line_may_be_no_part_of_the_sentence() {
        let sentences = |text: &str| {
            let grammar = Grammar::new(&[("<a>", &["x<a>", "x"])]).expect("it is a grammar");
            Sentences::with(grammar, text).map(|(sentences, _)| sentences)
        };
        let sentences =
            [sentences("xx"), sentences("xx\n"), sentences("xx\r\n")].map(|it| it.expect("it is a sentence"));
        assert_eq!(sentences.each_ref().map(|it| it.has("x")), [true, false, false]);
        assert_eq!(sentences.each_ref().map(|it| it.has("x\n")), [false, true, false]);
        let trees = [sentences[0].parse("x"), sentences[1].parse("x\n"), sentences[2].parse("x\r\n")];
        let texts: Vec<String> =
            sentences.iter().zip(trees).map(|(it, tree)| it.text(&tree.expect("it is one"))).collect();
        assert_eq!(texts, ["x", "x\n", "x\r\n"]);
    }
}
