//! Fragments of macro arguments: the kinds of syntax that a metavariable can stand for, and their extent in the input.

use proc_macro2::{Group, Spacing, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{Block, Expr, Ident, Item, Lifetime, Lit, Meta, Pat, Path, Stmt, Token, Type, Visibility};

use crate::syntax::recovery::between;
use crate::text::lex;

/// Makes the kinds: of each its name and how it is written.
macro_rules! specifiers {
    ($($kind:ident = $($written:literal)|+;)*) => {
        /// The kinds of syntax that a metavariable can stand for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Specifier {
            $($kind,)*
        }

        impl Specifier {
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name {
                    $($($written)|+ => Some(Self::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

specifiers! {
    Block = "block";
    Expr = "expr" | "expr_2021";
    Ident = "ident";
    Item = "item";
    Lifetime = "lifetime";
    Literal = "literal";
    Meta = "meta";
    Pat = "pat";
    PatParam = "pat_param";
    Path = "path";
    Stmt = "stmt";
    Tt = "tt";
    Ty = "ty";
    Vis = "vis";
}

/// The reason why there is no match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// The tokens differ: the next rule may match.
    Differs,
    Unknown,
}

/// The matched value, or the reason why there is none.
pub(crate) type Match<T> = Result<T, Mismatch>;

/// Operators that rustc glues and `lex` does not.
const GLUED: [&str; 5] = ["<<", ">>", "<<=", ">>=", "<-"];

/// Whether rustc reads `text` as one operator.
pub(crate) fn is_operator(text: &str) -> bool {
    lex::OPERATORS.contains(&text) || GLUED.contains(&text)
}

/// Takes the fragment that `input`, whose spans are ranges of `text`, begins with.
pub(crate) fn fragment(text: &str, specifier: Specifier, input: ParseStream<'_>) -> Match<String> {
    let fork = input.fork();
    if specifier == Specifier::Tt {
        match fork.fork().parse::<TokenTree>() {
            Ok(TokenTree::Group(_)) => drop(fork.parse::<TokenTree>()),
            Ok(_) => drop(next_token(&fork)?),
            Err(_) => return Err(Mismatch::Differs),
        }
    } else {
        parse(specifier, &fork).map_err(|_| Mismatch::Differs)?;
    }
    let tokens = between(input, &fork);
    input.advance_to(&fork);
    Ok(written(text, &tokens))
}

/// The token that `input` begins with, glued as rustc does it. A group is not a token.
pub(crate) fn next_token(input: ParseStream<'_>) -> Match<String> {
    let token: TokenTree = input.parse().map_err(|_| Mismatch::Differs)?;
    let mut token = match token {
        TokenTree::Group(_) => return Err(Mismatch::Differs),
        TokenTree::Punct(punct) if punct.as_char() == '\'' => {
            let ident = Ident::parse_any(input).map_err(|_| Mismatch::Unknown)?;
            return Ok(format!("'{ident}"));
        }
        // Not the call's own: a metavariable of the macro in whose rule the call stands.
        TokenTree::Punct(punct) if punct.as_char() == '$' => return Err(Mismatch::Unknown),
        TokenTree::Punct(punct) => (punct.to_string(), punct.spacing() == Spacing::Joint),
        token => return Ok(token.to_string()),
    };
    while token.1 {
        let fork = input.fork();
        let Ok(TokenTree::Punct(next)) = fork.parse() else { break };
        let glued = format!("{}{next}", token.0);
        // `..=` and `<<=` begin with operators, too.
        if !is_operator(&glued) {
            break;
        }
        token = (glued, next.spacing() == Spacing::Joint);
        input.advance_to(&fork);
    }
    Ok(token.0)
}

fn parse(specifier: Specifier, input: ParseStream<'_>) -> syn::Result<()> {
    match specifier {
        Specifier::Block => drop(input.parse::<Block>()?),
        Specifier::Expr if input.peek(Token![_]) || input.peek(Token![let]) => {
            return Err(input.error("no expression begins like this"));
        }
        Specifier::Expr => drop(input.parse::<Expr>()?),
        Specifier::Ident if input.peek(Token![_]) => return Err(input.error("an underscore is no identifier")),
        Specifier::Ident => drop(Ident::parse_any(input)?),
        Specifier::Item => drop(input.parse::<Item>()?),
        Specifier::Lifetime => drop(input.parse::<Lifetime>()?),
        Specifier::Literal => {
            input.parse::<Option<Token![-]>>()?;
            drop(input.parse::<Lit>()?);
        }
        Specifier::Meta => drop(input.parse::<Meta>()?),
        Specifier::Pat => drop(Pat::parse_multi_with_leading_vert(input)?),
        Specifier::PatParam => drop(Pat::parse_single(input)?),
        Specifier::Path => drop(input.parse::<Path>()?),
        Specifier::Stmt => return stmt(input),
        Specifier::Tt => drop(input.parse::<TokenTree>()?),
        Specifier::Ty => drop(input.parse::<Type>()?),
        Specifier::Vis => drop(input.parse::<Visibility>()?),
    }
    Ok(())
}

/// Parses a statement without its semicolon.
fn stmt(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(Token![let]) {
        let mut tokens = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![;]) {
            tokens.extend([input.parse::<TokenTree>()?]);
        }
        tokens.extend([TokenTree::Punct(proc_macro2::Punct::new(';', Spacing::Alone))]);
        return syn::parse2::<Stmt>(tokens).map(drop);
    }
    let fork = input.fork();
    if fork.parse::<Expr>().is_ok() {
        input.advance_to(&fork);
        return Ok(());
    }
    input.parse::<Item>().map(drop)
}

/// The source text of `tokens`; tokens of a doc comment are written as rustc does it.
fn written(text: &str, tokens: &TokenStream) -> String {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return String::new() };
    let (start, end) = (first.span().byte_range().start, last.span().byte_range().end);
    let begins = matches!(first, TokenTree::Punct(pound) if pound.as_char() == '#');
    let ends = matches!(last, TokenTree::Group(_));
    if is_comment(text, first) && !(begins && all.len() > 1) || is_comment(text, last) && !ends {
        return tokens.to_string();
    }
    text[start..end].to_owned()
}

fn is_comment(text: &str, token: &TokenTree) -> bool {
    let start = match token {
        TokenTree::Group(group) => Group::span(group).byte_range().start,
        token => token.span().byte_range().start,
    };
    text[start..].starts_with("//") || text[start..].starts_with("/*")
}
