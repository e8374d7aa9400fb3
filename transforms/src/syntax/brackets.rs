//! Pairs of brackets, by the tokens alone: also where no syntax is known.

use std::ops::Range;

use crate::syntax::source::Source;
use crate::text::lex::Kind;

/// The brackets in `range` that match, outermost first: the opening and the closing one.
pub(crate) fn brackets(source: &Source, range: Range<usize>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut brackets = Vec::new();
    let first = source.tokens().partition_point(|token| token.range.start < range.start);
    let tokens = source.tokens()[first..].iter().take_while(|token| token.range.end <= range.end);
    for token in tokens.filter(|token| token.kind == Kind::Code).map(|token| token.range.clone()) {
        let opening = match &source.text()[token.clone()] {
            "(" | "[" | "{" => {
                open.push(token);
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        if let Some(start) = open.pop_if(|start| &source.text()[start.clone()] == opening) {
            brackets.push((start, token));
        }
    }
    brackets.sort_by_key(|(start, _)| start.start);
    brackets
}
