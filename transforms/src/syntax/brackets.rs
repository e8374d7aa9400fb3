//! Pairs of brackets, by the tokens alone: also where no syntax is known.

use std::ops::Range;

use crate::syntax::source::Source;

/// The brackets in `range` that match, outermost first: the opening and the closing one.
pub(crate) fn brackets(source: &Source, range: Range<usize>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut brackets = Vec::new();
    for (word, token) in source.code(range) {
        let opening = match word {
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
