//! Parses files that syn refuses as a whole: item by item, and around the statement that it does not know.

use crate::text::covers;
use std::ops::Range;

use proc_macro2::extra::DelimSpan;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::TokenStreamExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser, Result};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Attribute, Block, Expr, ExprMatch, File, ImplItem, Item, ItemImpl, ItemMod, ItemTrait, Stmt, Token, TraitItem,
};

/// Parses a file item by item; items that do not parse become `Item::Verbatim`.
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
        Ok((attrs, recover::<Item>(input, care, 0)?))
    };
    let parse = |care: Care| (|input: ParseStream<'_>| attrs_and_items(input, care)).parse2(tokens.clone());
    let (attrs, items) = parse(Care::Little)
        .or_else(|_| parse(Care::Great))
        .unwrap_or_else(|_| (Vec::new(), vec![Item::Verbatim(tokens.clone())]));
    File { shebang: None, frontmatter: None, attrs, items }
}

/// The maximum depth of braces that are parsed separately. For each of them all contents are parsed again.
const DEEPEST: usize = 32;

/// How a node that was parsed is trusted.
#[derive(Clone, Copy)]
pub(crate) enum Care {
    /// As it is. Surplus tokens in a group only lead to an error at the end of parsing.
    Little,
    /// After it was parsed a second time, alone.
    Great,
}

/// A kind of node that can be kept as bare tokens, alone or inside a node that is parsed without what its braces hold.
pub(crate) trait Recover: Parse {
    /// What ends a node, besides braces.
    const END: char = ';';

    /// The node that is nothing but `tokens`, or little more.
    fn verbatim(tokens: Vec<TokenTree>) -> Option<Self>;

    /// The node that is all that is left of `input`, if it has another form there.
    fn last(_input: ParseStream<'_>) -> Option<Self> {
        None
    }

    fn ends(token: &TokenTree) -> bool {
        match token {
            TokenTree::Punct(punct) => punct.as_char() == Self::END,
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        }
    }

    fn accept(&mut self, filler: &mut Filler);
}

/// Items, whose bare form holds nothing but tokens.
macro_rules! recover_items {
    ($($item:ident, $visit:ident;)*) => {
        $(
            impl Recover for $item {
                fn verbatim(tokens: Vec<TokenTree>) -> Option<Self> {
                    Some(Self::Verbatim(tokens.into_iter().collect()))
                }

                fn accept(&mut self, filler: &mut Filler) {
                    filler.$visit(self);
                }
            }
        )*
    };
}

recover_items! {
    Item, visit_item_mut;
    ImplItem, visit_impl_item_mut;
    TraitItem, visit_trait_item_mut;
}

impl Recover for Stmt {
    fn verbatim(tokens: Vec<TokenTree>) -> Option<Self> {
        Some(Self::Expr(Expr::Verbatim(tokens.into_iter().collect()), None))
    }

    fn last(input: ParseStream<'_>) -> Option<Self> {
        let expr = input.parse().ok()?;
        input.is_empty().then_some(Self::Expr(expr, None))
    }

    fn accept(&mut self, filler: &mut Filler) {
        filler.visit_stmt_mut(self);
    }
}

impl Recover for Arm {
    const END: char = ',';

    /// The part before the body is parsed.
    fn verbatim(tokens: Vec<TokenTree>) -> Option<Self> {
        let is = |token: &TokenTree, c: char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == c);
        let arrow = tokens.windows(2).position(|pair| is(&pair[0], '=') && is(&pair[1], '>'))?;
        let (head, body) = tokens.split_at(arrow + 2);
        let block = TokenTree::Group(Group::new(Delimiter::Brace, TokenStream::new()));
        let mut arm: Self = syn::parse2(head.iter().cloned().chain([block]).collect()).ok()?;
        *arm.body = Expr::Verbatim(body.iter().cloned().collect());
        Some(arm)
    }

    fn accept(&mut self, filler: &mut Filler) {
        filler.visit_arm_mut(self);
    }
}

/// Fills the braces that were emptied before a node was parsed.
pub(crate) struct Filler {
    /// Where they stand.
    at: Range<usize>,
    body: TokenStream,
    /// How many braces that are parsed apart are around these.
    depth: usize,
    filled: bool,
}

impl Filler {
    fn fill<T: Recover>(&mut self, list: &mut Vec<T>, braces: DelimSpan) {
        if braces.join().byte_range() != self.at {
            return;
        }
        let parse =
            |care: Care| (|input: ParseStream<'_>| recover::<T>(input, care, self.depth + 1)).parse2(self.body.clone());
        if let Ok(parsed) = parse(Care::Little).or_else(|_| parse(Care::Great)) {
            *list = parsed;
            self.filled = true;
        }
    }
}

impl VisitMut for Filler {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.fill(&mut block.stmts, block.brace_token.span);
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_match_mut(&mut self, expr: &mut ExprMatch) {
        self.fill(&mut expr.arms, expr.brace_token.span);
        visit_mut::visit_expr_match_mut(self, expr);
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        self.fill(&mut item.items, item.brace_token.span);
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_mod_mut(&mut self, item: &mut ItemMod) {
        if let Some((braces, items)) = &mut item.content {
            self.fill(items, braces.span);
        }
        visit_mut::visit_item_mod_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        self.fill(&mut item.items, item.brace_token.span);
        visit_mut::visit_item_trait_mut(self, item);
    }
}

/// Parses as many `T` as there are. What does not parse is parsed around one pair of braces in it, and what these hold in
/// turn, if it does parse without; else the tokens up to its likely end are kept bare.
///
/// `depth` braces around it are parsed apart already. Fails when not even that can be.
pub(crate) fn recover<T: Recover>(input: ParseStream<'_>, care: Care, depth: usize) -> Result<Vec<T>> {
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
            let last = T::ends(&token);
            skipped.push(token);
            if last && !input.peek(Token![else]) {
                break;
            }
        }
        let node = hollow(&skipped, depth).or_else(|| T::verbatim(skipped));
        parsed.push(node.ok_or_else(|| input.error("no node begins here"))?);
    }
    Ok(parsed)
}

/// The node that `tokens` are if what one pair of braces among them holds is parsed apart.
fn hollow<T: Recover>(tokens: &[TokenTree], depth: usize) -> Option<T> {
    if depth == DEEPEST {
        return None;
    }
    let mut braces = Vec::new();
    collect_braces(&mut tokens.iter().cloned(), &mut braces);
    braces.into_iter().rev().find_map(|group| {
        let at = group.span().byte_range();
        let mut node: T = syn::parse2(emptied(&mut tokens.iter().cloned(), &at)).ok()?;
        let mut filler = Filler { at, body: group.stream(), depth, filled: false };
        node.accept(&mut filler);
        filler.filled.then_some(node)
    })
}

/// Collects the outermost braces that hold something.
fn collect_braces(tokens: &mut dyn Iterator<Item = TokenTree>, found: &mut Vec<Group>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                found.extend((!group.stream().is_empty()).then_some(group));
            }
            TokenTree::Group(group) => collect_braces(&mut group.stream().into_iter(), found),
            _ => {}
        }
    }
}

/// `tokens` with nothing in the braces at `at`.
fn emptied(tokens: &mut dyn Iterator<Item = TokenTree>, at: &Range<usize>) -> TokenStream {
    let token = |token| match token {
        TokenTree::Group(group) => {
            let own = group.span().byte_range();
            let stream = match (own == *at, covers(&own, at)) {
                (true, _) => TokenStream::new(),
                (false, true) => emptied(&mut group.stream().into_iter(), at),
                (false, false) => return TokenTree::Group(group),
            };
            let mut emptied = Group::new(group.delimiter(), stream);
            emptied.set_span(group.span());
            TokenTree::Group(emptied)
        }
        token => token,
    };
    tokens.map(token).collect()
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
    fn braces_anywhere_are_parsed_apart() {
        check(
            "fn f() { match a { b => {} c if d => e as u8 << 2, g => h } }",
            &["eas u8<<2,".replace(' ', "").as_str()],
        );
        check("fn f() { let a = g(|b| { c; d as u8 << 2; }, e); }", &["dasu8<<2;"]);
        check("fn f() { if a { b } else { c as u8 << 2 } }", &["casu8<<2"]);
    }

    #[test]
    fn what_has_no_body_is_kept_bare_whole() {
        check("struct S { a: 1 } enum E { }", &["structS{a:1}"]);
    }
}
