//! A text as a sentence of a grammar that the user gave: of such a text, each candidate is a sentence.

use mcve_dd::grammar::derivation::Derivation;
use mcve_dd::grammar::earley::{Ambiguity, Earley, SyntaxError};
use mcve_dd::grammar::productions::Grammar;

/// The grammar of the text that is reduced.
pub struct Sentences {
    pub(crate) grammar: Grammar,
    parser: Earley,
    /// The end of the last line, if the text has one and the grammar does not know it.
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

    pub(crate) fn parse(&self, text: &str) -> Option<Derivation> {
        self.parser.parse(self.sentence(text)).ok().map(|parse| parse.tree)
    }

    /// Whether a text is a sentence.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.parser.accepts(self.sentence(text))
    }

    /// The text of a derivation in the place of `text`.
    pub(crate) fn in_place_of(&self, text: &str, tree: &Derivation) -> String {
        tree.text() + &text[self.sentence(text).len()..]
    }

    /// The text without the end of its last line, if that is no part of the sentence.
    pub(crate) fn without_ending<'t>(&self, text: &'t str) -> Option<&'t str> {
        Some(self.sentence(text)).filter(|sentence| sentence.len() < text.len())
    }

    fn sentence<'t>(&self, text: &'t str) -> &'t str {
        text.strip_suffix(self.ending).unwrap_or(text)
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
        assert_eq!(sentences.each_ref().map(|it| it.has("x\n")), [false, true, false]);
        assert!(sentences.iter().all(|it| it.has("x")));
        let texts = sentences.each_ref().map(|it| {
            let tree = it.parse("x").expect("it is one");
            ["xx", "xx\n", "xx\r\n"].map(|text| it.in_place_of(text, &tree))
        });
        assert_eq!([&texts[0][0], &texts[1][1], &texts[1][0], &texts[2][2]], ["x", "x\n", "x", "x\r\n"]);
    }
}
