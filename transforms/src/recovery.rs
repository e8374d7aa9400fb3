//! Parses what syn refuses as a whole: item by item, and around the statement that it does not know.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::TokenStreamExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Block, Expr, File, ImplItem, Item, Stmt, TraitItem};

/// Parses a file item by item; what does not parse becomes `Item::Verbatim`.
pub(crate) fn recover_file(tokens: TokenStream) -> File {
    let attrs_and_items = |input: ParseStream<'_>, care: Care| {
        let fork = input.fork();
        let attrs = match fork.call(Attribute::parse_inner) {
            Ok(attrs) => {
                input.advance_to(&fork);
                attrs
            }
            Err(_) => Vec::new(),
        };
        Ok((attrs, recover::<Item>(input, care)))
    };
    let parse = |care: Care| (|input: ParseStream<'_>| attrs_and_items(input, care)).parse2(tokens.clone());
    let (attrs, items) = parse(Care::Little)
        .or_else(|_| parse(Care::Great))
        .unwrap_or_else(|_| (Vec::new(), vec![Item::Verbatim(tokens.clone())]));
    File { shebang: None, frontmatter: None, attrs, items }
}

/// How a node that was parsed is trusted.
#[derive(Clone, Copy)]
pub(crate) enum Care {
    /// As it is. If there are tokens too many in a group, only the end of parsing tells.
    Little,
    /// After it was parsed a second time, alone.
    Great,
}

/// A kind of node that can be kept as bare tokens, alone or inside a node that is parsed without its body.
pub(crate) trait Recover: Parse {
    /// The node that is nothing but `tokens`.
    fn verbatim(tokens: TokenStream) -> Self;

    /// The node that is all that is left of `input`, if it has another form there.
    fn last(_input: ParseStream<'_>) -> Option<Self> {
        None
    }

    /// Puts `body`, parsed as far as it can be, into the node, which was parsed with empty braces at its end; whether it
    /// has a place for it.
    fn fill(&mut self, body: TokenStream) -> bool;
}

impl Recover for Item {
    fn verbatim(tokens: TokenStream) -> Self {
        Self::Verbatim(tokens)
    }

    fn fill(&mut self, body: TokenStream) -> bool {
        match self {
            Self::Fn(item) => fill_block(&mut item.block, body),
            Self::Impl(item) => fill_list(&mut item.items, body),
            Self::Mod(item) => item.content.as_mut().is_some_and(|(_, items)| fill_list(items, body)),
            Self::Trait(item) => fill_list(&mut item.items, body),
            _ => false,
        }
    }
}

impl Recover for ImplItem {
    fn verbatim(tokens: TokenStream) -> Self {
        Self::Verbatim(tokens)
    }

    fn fill(&mut self, body: TokenStream) -> bool {
        match self {
            Self::Fn(item) => fill_block(&mut item.block, body),
            _ => false,
        }
    }
}

impl Recover for TraitItem {
    fn verbatim(tokens: TokenStream) -> Self {
        Self::Verbatim(tokens)
    }

    fn fill(&mut self, body: TokenStream) -> bool {
        match self {
            Self::Fn(item) => item.default.as_mut().is_some_and(|block| fill_block(block, body)),
            _ => false,
        }
    }
}

impl Recover for Stmt {
    fn verbatim(tokens: TokenStream) -> Self {
        Self::Expr(Expr::Verbatim(tokens), None)
    }

    fn last(input: ParseStream<'_>) -> Option<Self> {
        let expr = input.parse().ok()?;
        input.is_empty().then_some(Self::Expr(expr, None))
    }

    fn fill(&mut self, body: TokenStream) -> bool {
        match self {
            Self::Item(item) => item.fill(body),
            Self::Expr(expr, None) => match expr {
                Expr::Block(expr) => fill_block(&mut expr.block, body),
                Expr::ForLoop(expr) => fill_block(&mut expr.body, body),
                Expr::If(expr) if expr.else_branch.is_none() => fill_block(&mut expr.then_branch, body),
                Expr::Loop(expr) => fill_block(&mut expr.body, body),
                Expr::Unsafe(expr) => fill_block(&mut expr.block, body),
                Expr::While(expr) => fill_block(&mut expr.body, body),
                _ => false,
            },
            _ => false,
        }
    }
}

fn fill_block(block: &mut Block, body: TokenStream) -> bool {
    fill_list(&mut block.stmts, body)
}

fn fill_list<T: Recover>(list: &mut Vec<T>, body: TokenStream) -> bool {
    let parse = |care: Care| (|input: ParseStream<'_>| Ok(recover::<T>(input, care))).parse2(body.clone());
    let parsed = parse(Care::Little).or_else(|_| parse(Care::Great));
    parsed.map(|parsed| *list = parsed).is_ok()
}

/// Parses as many `T` as there are. Of the tokens up to the next `;` or `}` around what does not parse, those before a
/// body are parsed if they do alone, and the body in turn; else they are kept bare.
pub(crate) fn recover<T: Recover>(input: ParseStream<'_>, care: Care) -> Vec<T> {
    let mut parsed = Vec::new();
    while !input.is_empty() {
        let fork = input.fork();
        if let Ok(node) = fork.parse::<T>()
            && (matches!(care, Care::Little) || syn::parse2::<T>(between(input, &fork)).is_ok())
        {
            input.advance_to(&fork);
            parsed.push(node);
            continue;
        }
        let fork = input.fork();
        if let Some(node) = T::last(&fork) {
            input.advance_to(&fork);
            parsed.push(node);
            continue;
        }
        let mut skipped = Vec::new();
        while let Ok(token) = input.parse::<TokenTree>() {
            let last = match &token {
                TokenTree::Punct(punct) => punct.as_char() == ';',
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                _ => false,
            };
            skipped.push(token);
            if last {
                break;
            }
        }
        parsed.push(hollow(&skipped).unwrap_or_else(|| T::verbatim(skipped.into_iter().collect())));
    }
    parsed
}

/// The node that `tokens` are if its body, the braces at their end, is parsed apart.
fn hollow<T: Recover>(tokens: &[TokenTree]) -> Option<T> {
    let (TokenTree::Group(body), before) = tokens.split_last()? else { return None };
    if body.delimiter() != Delimiter::Brace || body.stream().is_empty() {
        return None;
    }
    let mut empty = Group::new(Delimiter::Brace, TokenStream::new());
    empty.set_span(body.span());
    let mut header: TokenStream = before.iter().cloned().collect();
    header.append(empty);
    let mut node: T = syn::parse2(header).ok()?;
    node.fill(body.stream()).then_some(node)
}

/// The tokens from `begin` to `end`, which is further on in the same stream.
pub(crate) fn between(begin: ParseStream<'_>, end: ParseStream<'_>) -> TokenStream {
    let begin = begin.fork();
    let mut tokens = TokenStream::new();
    while begin.cursor() != end.cursor() {
        let Ok(token) = begin.parse::<TokenTree>() else { break };
        tokens.append(token);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use quote::ToTokens;

    use super::*;

    /// Checks which pieces of `text`, without space, are kept bare.
    #[track_caller]
    fn check(text: &str, bare: &[&str]) {
        struct Bare(Vec<String>);
        impl<'ast> syn::visit::Visit<'ast> for Bare {
            fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
                self.0.push(tokens.to_string().split_whitespace().collect());
            }
        }
        let tokens = TokenStream::from_str(text).expect("it can be lexed");
        let file = recover_file(tokens);
        let mut found = Bare(Vec::new());
        syn::visit::Visit::visit_file(&mut found, &file);
        assert_eq!(found.0, bare, "{}", file.to_token_stream());
    }

    #[test]
    fn one_item_is_kept_bare() {
        check("fn a() {} fn 1() {} struct S;", &["fn1(){}"]);
    }

    #[test]
    fn a_module_is_parsed_around_what_it_holds() {
        check("mod m { fn a() {} struct 1; } fn b() {}", &["struct1;"]);
        check("mod m { mod n { use a; fn b() -> { } } }", &["fnb()->{}"]);
    }

    #[test]
    fn a_function_is_parsed_around_a_statement() {
        check("impl A { fn b(&self) -> u8 { let c = 1; c as u8 << 2; d } fn e() {} }", &["casu8<<2;"]);
        check("trait A { fn b() { loop { c as u8 << 2 } } }", &["casu8<<2"]);
        check("fn f() { if a { unsafe { b as u8 << 2; c } } }", &["basu8<<2;"]);
    }

    #[test]
    fn what_has_no_body_is_kept_bare_whole() {
        check("fn f() { match a { b => c as u8 << 2, } }", &["matcha{b=>casu8<<2,}"]);
        check("struct S { a: 1 } enum E { }", &["structS{a:1}"]);
    }
}
