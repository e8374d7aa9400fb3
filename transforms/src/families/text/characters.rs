//! Characters of text that was not understood.

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Source, Understanding};
use crate::text::splice::fuses;

family! {
    "characters", "Deletes characters of text that cannot be parsed.", in Characters;

    /// Delete a character.
    ///
    /// Only where syn does not know what the text is. It is the last resort: a candidate a character.
    DELETE_CHARACTER = "delete-character", Rule::Text(delete_character), "fn ff( {" => "fn f( {";
}

fn delete_character(source: &Source, out: &mut Proposals<'_>) {
    let text = source.text();
    for (start, char) in text.char_indices().filter(|_| source.understanding() == Understanding::Text) {
        let end = start + char.len_utf8();
        // A blank that keeps two tokens apart would come back.
        if !char.is_whitespace() || !fuses(&text[..start], &text[end..]) {
            out.delete(start..end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::candidates;

    #[track_caller]
    fn check_characters(text: &str, expected: &[&str]) {
        assert_eq!(candidates(&DELETE_CHARACTER, text), expected);
    }

    #[test]
    fn each_character_goes() {
        check_characters("aé{1", &["é{1", "a{1", "aé 1", "aé{"]);
        check_characters("(abc", &["abc", "(bc", "(ac", "(ab"]);
    }

    #[test]
    fn blanks_go_where_they_keep_nothing_apart() {
        check_characters("a b (", &["b (", "a (", "a b(", "a b "]);
    }

    #[test]
    fn characters_that_were_understood_stay() {
        check_characters("fn f() { m!(a =>) }", &[]);
        check_characters("fn 1() {}", &[]);
        check_characters("", &[]);
    }
}
