//! Types among the tokens of macro calls, which no syntax tree shows.

use std::ops::Range;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::source::Source;
use crate::syntax::tree::{Node, Syntax};
use crate::text::edit::Edit;

family! {
    "macro-types", "Nests types among the tokens of macros as references.", in MacroProtocols;

    /// Replace all types with arguments among the tokens of a macro by references.
    ///
    /// The brackets may stand in two lists that grow in step, of which the second becomes empty.
    TOKENS_TO_REFERENCES = "tokens-to-references", Rule::Node(tokens_to_references),
        "m!({ Vec<Box< } { u8 } { >> });" => "m!({ & & } { u8 } { });";
}

/// Words before the name of something that is defined, whose parameters stand in brackets.
const DEFINING: [&str; 6] = ["fn", "struct", "enum", "union", "trait", "type"];

fn tokens_to_references(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Tokens(_) = node.syntax()
        && let Some(edits) = nested(node.tree().source(), node.range())
    {
        out.edit(node.range(), edits);
    }
}

/// The edits that make references of all that opens a bracket in `region`, and delete what closes one; none if either is missing.
fn nested(source: &Source, region: Range<usize>) -> Option<Vec<Edit>> {
    let words: Vec<(&str, Range<usize>)> = source.code(region).collect();
    let (mut opened, mut closed) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < words.len() {
        let defines = at > 0 && DEFINING.contains(&words[at - 1].0);
        match opening(&words[at..]).filter(|_| !defines) {
            Some(length) => {
                let end = words[at + length - 1].1.end;
                opened.push(Edit::replace(words[at].1.start..end, "&"));
                at += length;
            }
            None => {
                closed.extend((words[at].0 == ">").then(|| Edit::delete(words[at].1.clone())));
                at += 1;
            }
        }
    }
    (!opened.is_empty() && !closed.is_empty()).then(|| [opened, closed].concat())
}

/// How many of these tokens are a path and the bracket that it opens, with `dyn` before it and `Name =` behind it.
fn opening(words: &[(&str, Range<usize>)]) -> Option<usize> {
    let word = |at: usize| words.get(at).map(|(word, _)| *word);
    let is_name = |at: usize| word(at).is_some_and(|word| word.starts_with(|c: char| c == '_' || c.is_alphabetic()));
    let mut at = usize::from(matches!(word(0), Some("dyn" | "impl")));
    while is_name(at) && word(at + 1) == Some("::") {
        at += 2;
    }
    if !is_name(at) || word(at + 1) != Some("<") {
        return None;
    }
    at += 2;
    Some(if is_name(at) && word(at + 1) == Some("=") { at + 2 } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn brackets_in_one_list_or_two_go() {
        check(&TOKENS_TO_REFERENCES, "m!(=> a::Vec<Box<u8>>);", &["m!(=> & & u8);"]);
        check(&TOKENS_TO_REFERENCES, "m!({ Option < dyn A < B = } { > > });", &["m!({ & & } { });"]);
    }

    #[test]
    fn what_is_no_type_stays() {
        check(&TOKENS_TO_REFERENCES, "m!(=> a < b, a -> b => c);", &[]);
        check(&TOKENS_TO_REFERENCES, "m!(=> fn f<T>() {});", &[]);
        check(&TOKENS_TO_REFERENCES, "m!(a); type A = Vec<u8>;", &[]);
    }
}
