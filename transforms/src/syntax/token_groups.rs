//! Splits bare token streams, inside macro calls, macro rules or attributes, into groups of tokens that belong together.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::syntax::list::List;
use crate::syntax::tree::{Node, Syntax};
use crate::text::lex;

/// The kind of a [`TokenGroup`].
#[derive(Debug)]
pub(crate) enum Shape {
    /// A token, an operator of more than one character, a lifetime.
    Token,
    Literal,
    /// An identifier or keyword.
    Ident,
    /// A doc comment, which a macro sees as an attribute.
    Doc,
    /// An attribute, `#[..]` or `#![..]`.
    Attribute(Contents),
    /// `( .. )`, `[ .. ]` or `{ .. }`.
    Group(Contents),
    /// `$name`.
    Variable(String),
    /// `$name:specifier`, by the name.
    Fragment(String),
    /// `$( .. )`, with its separator and its `*`, `+` or `?`.
    Repetition(Contents),
}

/// The contents between two delimiters.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    /// The bytes between the delimiters.
    pub(crate) range: Range<usize>,
    pub(crate) stream: TokenStream,
}

impl Contents {
    fn of(group: &Group) -> Self {
        let range = group.span_open().byte_range().end..group.span_close().byte_range().start;
        Self { range, stream: group.stream() }
    }
}

/// Tokens that belong together.
#[derive(Debug)]
pub(crate) struct TokenGroup {
    pub(crate) range: Range<usize>,
    pub(crate) shape: Shape,
}

impl TokenGroup {
    pub(crate) fn contents(&self) -> Option<&Contents> {
        match &self.shape {
            Shape::Attribute(contents) | Shape::Group(contents) | Shape::Repetition(contents) => Some(contents),
            _ => None,
        }
    }
}

/// `tokens`, whose spans are ranges of `text`, in pieces. Linear in the number of tokens outside groups.
pub(crate) fn token_groups(text: &str, tokens: &TokenStream) -> Vec<TokenGroup> {
    let mut raw = Raw { text, tokens: tokens.clone().into_iter().collect(), next: 0 };
    let mut pieces = Vec::new();
    while let Some(piece) = raw.piece() {
        pieces.push(piece);
    }
    pieces
}

/// Elements of a list of pieces, and the separator that each takes along.
pub(crate) struct Segment<'p> {
    /// Its bytes, without the separator.
    pub(crate) range: Range<usize>,
    pub(crate) pieces: &'p [TokenGroup],
    pub(crate) separator: Option<Range<usize>>,
}

/// The elements of `pieces` between `separator`s.
pub(crate) fn segments<'p>(text: &str, pieces: &'p [TokenGroup], separator: &str) -> Vec<Segment<'p>> {
    let mut segments = Vec::new();
    let mut rest = pieces;
    while !rest.is_empty() {
        let end = rest.iter().position(|piece| &text[piece.range.clone()] == separator);
        let own = &rest[..end.unwrap_or(rest.len())];
        let separator = end.map(|end| rest[end].range.clone());
        let range = match (own, &separator) {
            ([first, ..], _) => first.range.start..own[own.len() - 1].range.end,
            ([], Some(separator)) => separator.start..separator.start,
            ([], None) => break,
        };
        segments.push(Segment { range, pieces: own, separator });
        rest = &rest[end.map_or(rest.len(), |end| end + 1)..];
    }
    segments
}

pub(crate) fn list(segments: &[Segment<'_>]) -> List {
    let elements = segments.iter().map(|segment| segment.range.clone()).collect();
    let separators = segments.iter().filter_map(|segment| segment.separator.clone()).collect();
    List::of_places(elements, separators)
}

/// The pieces of a region. The body of `macro_rules!` is not one: its rules have a family of their own.
pub(crate) fn region(node: Node<'_>) -> Vec<TokenGroup> {
    match (node.syntax(), node.parent().map(Node::syntax)) {
        (Syntax::Tokens(_), Some(Syntax::Macro(mac))) if mac.path.is_ident("macro_rules") => Vec::new(),
        (Syntax::Tokens(tokens), Some(_)) => token_groups(node.source_text(), tokens),
        _ => Vec::new(),
    }
}

struct Raw<'t> {
    text: &'t str,
    tokens: Vec<TokenTree>,
    next: usize,
}

impl Raw<'_> {
    fn piece(&mut self) -> Option<TokenGroup> {
        let token = self.next_if(|_| true)?;
        let range = token.span().byte_range();
        let piece = |shape| Some(TokenGroup { range: range.clone(), shape });
        match token {
            TokenTree::Group(group) => piece(Shape::Group(Contents::of(&group))),
            // A fragment's identifiers hold the dollar before them.
            TokenTree::Ident(ident) if self.text[range.clone()].starts_with('$') => {
                piece(Shape::Variable(ident.to_string()))
            }
            TokenTree::Ident(_) => piece(Shape::Ident),
            TokenTree::Literal(_) => piece(Shape::Literal),
            TokenTree::Punct(_) if self.text[range.clone()].starts_with('/') && range.len() > 1 => {
                while self.next_if(|token| token.span().byte_range() == range).is_some() {}
                piece(Shape::Doc)
            }
            TokenTree::Punct(punct) => Some(match punct.as_char() {
                '$' => self.dollar(range),
                '#' => self.pound(range),
                '\'' => match self.next_if(|token| matches!(token, TokenTree::Ident(_))) {
                    Some(ident) => {
                        TokenGroup { range: range.start..ident.span().byte_range().end, shape: Shape::Token }
                    }
                    None => TokenGroup { range, shape: Shape::Token },
                },
                _ => self.operator(range),
            }),
        }
    }

    fn next_if(&mut self, accept: impl Fn(&TokenTree) -> bool) -> Option<TokenTree> {
        let token = self.tokens.get(self.next).filter(|token| accept(token))?.clone();
        self.next += 1;
        Some(token)
    }

    /// The range of the next token, if `accept` takes it.
    fn take(&mut self, accept: impl Fn(&TokenTree) -> bool) -> Option<Range<usize>> {
        self.next_if(accept).map(|token| token.span().byte_range())
    }

    fn operator(&mut self, mut range: Range<usize>) -> TokenGroup {
        let text = self.text;
        let joins = |range: &Range<usize>, next: Range<usize>| {
            range.end == next.start && lex::OPERATORS.contains(&&text[range.start..next.end])
        };
        while let Some(next) = self.take(|token| joins(&range, token.span().byte_range())) {
            range.end = next.end;
        }
        TokenGroup { range, shape: Shape::Token }
    }

    fn pound(&mut self, range: Range<usize>) -> TokenGroup {
        let bang = self.take(|token| is_punct(token, '!'));
        let end = bang.map_or(range.end, |bang| bang.end);
        let is_group =
            |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
        match self.next_if(is_group) {
            Some(TokenTree::Group(group)) => TokenGroup {
                range: range.start..group.span().byte_range().end,
                shape: Shape::Attribute(Contents::of(&group)),
            },
            _ => TokenGroup { range: range.start..end, shape: Shape::Token },
        }
    }

    fn dollar(&mut self, range: Range<usize>) -> TokenGroup {
        match self.next_if(|token| !matches!(token, TokenTree::Punct(_) | TokenTree::Literal(_))) {
            Some(TokenTree::Ident(ident)) => self.variable(range.start..ident.span().byte_range().end, &ident),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                let end = self.operator_of_repetition().unwrap_or(group.span().byte_range().end);
                TokenGroup { range: range.start..end, shape: Shape::Repetition(Contents::of(&group)) }
            }
            Some(token) => TokenGroup { range: range.start..token.span().byte_range().end, shape: Shape::Token },
            None => TokenGroup { range, shape: Shape::Token },
        }
    }

    fn variable(&mut self, range: Range<usize>, ident: &proc_macro2::Ident) -> TokenGroup {
        if let [colon, TokenTree::Ident(specifier), ..] = &self.tokens[self.next..]
            && is_punct(colon, ':')
            && SPECIFIERS.split(' ').any(|name| specifier == name)
        {
            let range = range.start..specifier.span().byte_range().end;
            self.next += 2;
            return TokenGroup { range, shape: Shape::Fragment(ident.to_string()) };
        }
        TokenGroup { range, shape: Shape::Variable(ident.to_string()) }
    }

    /// The end of what follows `$( .. )`: a separator, if there is one, and the operator.
    fn operator_of_repetition(&mut self) -> Option<usize> {
        let is_operator = |token: &TokenTree| ['*', '+', '?'].into_iter().any(|op| is_punct(token, op));
        if let Some(operator) = self.take(is_operator) {
            return Some(operator.end);
        }
        let next = self.next;
        let separator =
            self.piece().filter(|piece| matches!(piece.shape, Shape::Token | Shape::Ident | Shape::Literal));
        let operator = separator.and_then(|_| self.take(is_operator));
        if operator.is_none() {
            self.next = next;
        }
        operator.map(|operator| operator.end)
    }
}

/// The names that can follow `$x:`; so `$x:y` in a transcriber is not a fragment.
const SPECIFIERS: &str =
    "adt block expr expr_2021 fn guard ident item lifetime literal meta pat pat_param path stmt tt ty vis";

fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens: TokenStream = text.parse().expect("it lexes");
        let found: Vec<&str> = token_groups(text, &tokens).into_iter().map(|piece| &text[piece.range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn operators_and_lifetimes_are_one_piece() {
        check("a => 'b::<c> ..= d", &["a", "=>", "'b", "::", "<", "c", ">", "..=", "d"]);
    }

    #[test]
    fn doc_comments_and_attributes_are_one_piece() {
        check("/// a\n#[b] c //! d\n#![e] # f", &["/// a", "#[b]", "c", "//! d", "#![e]", "#", "f"]);
    }

    #[test]
    fn fragments_and_repetitions_are_one_piece() {
        check("$a:expr, $($b:ty),* $($c)*", &["$a:expr", ",", "$($b:ty),*", "$($c)*"]);
        check("$($a);+ $($b)+ * $(c)=>? $d", &["$($a);+", "$($b)+", "*", "$(c)=>?", "$d"]);
    }

    #[test]
    fn a_typed_variable_of_a_transcriber_is_no_fragment() {
        check("let $a: u8 = $crate::x; $", &["let", "$a", ":", "u8", "=", "$crate", "::", "x", ";", "$"]);
    }

    #[test]
    fn segments_end_at_separators() {
        let text = "a b, , (c, d)";
        let pieces = token_groups(text, &text.parse().expect("it lexes"));
        let found: Vec<&str> = segments(text, &pieces, ",").into_iter().map(|segment| &text[segment.range]).collect();
        assert_eq!(found, ["a b", "", "(c, d)"]);
    }
}
