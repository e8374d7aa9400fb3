//! Parses tokens that syn leaves bare: inside macro calls and `macro_rules!`, and around syntax that it does not know.

use std::collections::BTreeMap;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::TokenStreamExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, Block, Expr, File, Item, Stmt, Token};

use crate::syntax::recovery::{Care, recover};

/// The syntax of a bare token stream.
pub(crate) enum Fragment {
    /// A comma list of expressions: the arguments of `println!`.
    Exprs(Punctuated<Expr, Token![,]>),
    /// Statements or items.
    Stmts(Vec<Stmt>),
    /// Items, some of which may be bare tokens again.
    Items(Vec<Item>),
    /// `[value; length]`, as in `vec![0; n]`.
    Repeat(Box<(Expr, Expr)>),
    /// No syntax that syn knows.
    Tokens(TokenStream),
}

impl Fragment {
    /// Visits the syntax, if there is some.
    pub(crate) fn accept<'s>(&'s self, visitor: &mut impl Visit<'s>) {
        match self {
            Self::Exprs(exprs) => exprs.iter().for_each(|expr| visitor.visit_expr(expr)),
            Self::Stmts(stmts) => stmts.iter().for_each(|stmt| visitor.visit_stmt(stmt)),
            Self::Items(items) => items.iter().for_each(|item| visitor.visit_item(item)),
            Self::Repeat(pair) => [&pair.0, &pair.1].into_iter().for_each(|expr| visitor.visit_expr(expr)),
            Self::Tokens(_) => {}
        }
    }
}

/// Where the tokens of a stream stand: the start of the first and the end of the last, in bytes.
pub(crate) type StreamPlace = (usize, usize);

pub(crate) fn place(tokens: &TokenStream) -> Option<StreamPlace> {
    let mut tokens = tokens.clone().into_iter();
    let first = tokens.next()?.span().byte_range();
    Some((first.start, tokens.last().map_or(first.end, |token| token.span().byte_range().end)))
}

/// All fragments of a file, by the place of their tokens.
pub(crate) fn find(file: &File) -> BTreeMap<StreamPlace, Fragment> {
    let mut finder = Finder { fragments: BTreeMap::new() };
    finder.visit_file(file);
    finder.fragments
}

struct Finder {
    fragments: BTreeMap<StreamPlace, Fragment>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        let Some(place) = place(tokens) else { return };
        if self.fragments.contains_key(&place) {
            // An item of unknown syntax that is all there is of the stream around it.
            groups(tokens).for_each(|group| self.visit_token_stream(&group.stream()));
            return;
        }
        // The place is taken first, for the case above.
        self.fragments.insert(place, Fragment::Tokens(TokenStream::new()));
        let fragment = parse(tokens);
        if let Fragment::Tokens(tokens) = &fragment {
            groups(tokens).for_each(|group| self.visit_token_stream(&group.stream()));
        }
        fragment.accept(self);
        self.fragments.insert(place, fragment);
    }
}

/// The groups of a stream, without those inside them and without those of doc comments, which are not in the text.
pub(crate) fn groups(tokens: &TokenStream) -> impl Iterator<Item = Group> {
    tokens.clone().into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => {
            let first = group.stream().into_iter().next().map(|token| token.span().byte_range().start);
            first.is_none_or(|first| first > group.span().byte_range().start).then_some(group)
        }
        _ => None,
    })
}

/// The first reading of `tokens` that fits: expressions, a repetition, statements, items with gaps, nothing.
fn parse(tokens: &TokenStream) -> Fragment {
    let plain = without_dollars(tokens);
    if let Ok(exprs) = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(plain.clone()) {
        return Fragment::Exprs(exprs);
    }
    let repeat = |input: ParseStream<'_>| {
        let value = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(Box::new((value, input.parse()?)))
    };
    if let Ok(pair) = repeat.parse2(plain.clone()) {
        return Fragment::Repeat(pair);
    }
    if let Ok(stmts) = Block::parse_within.parse2(plain.clone()) {
        return Fragment::Stmts(stmts);
    }
    let items = |input: ParseStream<'_>| recover::<Item>(input, Care::Little, 0);
    match items.parse2(plain) {
        Ok(items) if items.iter().any(|item| !matches!(item, Item::Verbatim(_))) => Fragment::Items(items),
        _ => Fragment::Tokens(tokens.clone()),
    }
}

/// `tokens` with each `$name` as one identifier that spans both tokens, so that a transcriber reads like plain Rust.
fn without_dollars(tokens: &TokenStream) -> TokenStream {
    let mut plain = TokenStream::new();
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(dollar) if dollar.as_char() == '$' => match tokens.peek() {
                Some(TokenTree::Ident(ident)) => {
                    let span = dollar.span().join(ident.span()).unwrap_or_else(|| ident.span());
                    // Its text can begin with `r#`, which is no part of a name.
                    let mut ident = ident.clone();
                    ident.set_span(span);
                    plain.append(ident);
                    tokens.next();
                }
                _ => plain.append(dollar),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_dollars(&group.stream()));
                inner.set_span(group.span());
                plain.append(inner);
            }
            token => plain.append(token),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use crate::syntax::source::{Source, Understanding};

    #[test]
    fn metavariables_may_have_the_names_of_keywords() {
        let text = "macro_rules! m { ($r#mod:expr) => { $r#mod } } fn main() { a }";
        assert_eq!(Source::parse(text).understanding(), Understanding::Full);
    }
}
