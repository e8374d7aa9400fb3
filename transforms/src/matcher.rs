//! Matches the arguments of a macro call against the rules of a `macro_rules!`.
//!
//! As rustc does, but for two things: a repetition takes as much as it can and never gives back, and where this file
//! cannot tell what rustc would do, there is no match at all.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseBuffer, ParseStream, Parser};
use syn::{Block, Expr, Ident, Item, Lifetime, Lit, Meta, Pat, Path, Stmt, Token, Type, Visibility};

use crate::fragment::between;
use crate::lex;
use crate::pieces::{Contents, Piece, Shape, pieces};

/// What one metavariable stands for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// Tokens, as they are written, and what they were matched as.
    Leaf(String, Specifier),
    /// One binding for each time that the repetition around the metavariable was matched.
    Sequence(Vec<Binding>),
}

/// What the metavariables of a rule stand for, by their names.
pub(crate) type Bindings = BTreeMap<String, Binding>;

/// The kinds of syntax that a metavariable can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Specifier {
    /// `block`
    Block,
    /// `expr`, `expr_2021`
    Expr,
    /// `ident`
    Ident,
    /// `item`
    Item,
    /// `lifetime`
    Lifetime,
    /// `literal`
    Literal,
    /// `meta`
    Meta,
    /// `pat`
    Pat,
    /// `pat_param`
    PatParam,
    /// `path`
    Path,
    /// `stmt`
    Stmt,
    /// `tt`
    Tt,
    /// `ty`
    Ty,
    /// `vis`
    Vis,
}

impl Specifier {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "block" => Self::Block,
            "expr" | "expr_2021" => Self::Expr,
            "ident" => Self::Ident,
            "item" => Self::Item,
            "lifetime" => Self::Lifetime,
            "literal" => Self::Literal,
            "meta" => Self::Meta,
            "pat" => Self::Pat,
            "pat_param" => Self::PatParam,
            "path" => Self::Path,
            "stmt" => Self::Stmt,
            "tt" => Self::Tt,
            "ty" => Self::Ty,
            "vis" => Self::Vis,
            _ => return None,
        })
    }
}

/// A part of a matcher.
#[derive(Debug)]
enum Element {
    /// A token as rustc glues them, a lifetime.
    Token(String),
    /// `( .. )`, `[ .. ]` or `{ .. }`.
    Group(Delimiter, Vec<Element>),
    /// `$name:specifier`.
    Fragment(String, Specifier),
    /// `$( .. )` with separator and operator.
    Repetition(Vec<Element>, Option<String>, char),
}

/// The left side of a rule.
#[derive(Debug)]
pub(crate) struct Matcher(Vec<Element>);

/// Why there is no match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// The tokens are others: the next rule may match.
    Differs,
    /// It cannot be said.
    Unknown,
}

type Match<T> = Result<T, Mismatch>;

impl Matcher {
    /// Reads the left side of a rule; nothing if there is something in it that is not understood.
    pub(crate) fn of(text: &str, contents: &Contents) -> Option<Self> {
        elements(text, &contents.stream).map(Self)
    }

    /// What the metavariables stand for when `tokens`, whose spans are ranges of `text`, are matched.
    pub(crate) fn bindings(&self, text: &str, tokens: &TokenStream) -> Match<Bindings> {
        let matching = |input: ParseStream<'_>| {
            let fork = input.fork();
            let mut bindings = Bindings::new();
            let found = Matching { text }.sequence(&self.0, &fork, &mut bindings);
            let complete = fork.is_empty();
            while input.parse::<TokenTree>().is_ok() {}
            Ok(found.and(if complete { Ok(bindings) } else { Err(Mismatch::Differs) }))
        };
        matching.parse2(tokens.clone()).unwrap_or(Err(Mismatch::Unknown))
    }
}

/// Operators that rustc glues and `lex` does not.
const GLUED: [&str; 5] = ["<<", ">>", "<<=", ">>=", "<-"];

fn is_operator(text: &str) -> bool {
    lex::OPERATORS.contains(&text) || GLUED.contains(&text)
}

fn elements(text: &str, stream: &TokenStream) -> Option<Vec<Element>> {
    let mut elements = Vec::new();
    let mut last_end = usize::MAX;
    for piece in pieces(text, stream) {
        let own = &text[piece.range.clone()];
        match &piece.shape {
            Shape::Token | Shape::Literal | Shape::Ident if own.starts_with('$') => return None,
            Shape::Token | Shape::Literal | Shape::Ident => match elements.last_mut() {
                Some(Element::Token(last)) if last_end == piece.range.start && is_operator(&format!("{last}{own}")) => {
                    last.push_str(own);
                }
                _ => elements.push(Element::Token(own.to_owned())),
            },
            Shape::Group(contents) => elements.push(group_element(text, contents)?),
            Shape::Attribute(contents) => {
                elements.push(Element::Token("#".to_owned()));
                if own[1..].trim_start().starts_with('!') {
                    elements.push(Element::Token("!".to_owned()));
                }
                elements.push(group_element(text, contents)?);
            }
            Shape::Fragment(name) => {
                let specifier = Specifier::named(own.rsplit(':').next()?.trim())?;
                elements.push(Element::Fragment(name.clone(), specifier));
            }
            Shape::Repetition(contents) => {
                let (separator, operator) = operator_of(text, &piece)?;
                elements.push(Element::Repetition(elements_of(text, contents)?, separator, operator));
            }
            Shape::Doc | Shape::Variable(_) => return None,
        }
        last_end = piece.range.end;
    }
    Some(elements)
}

fn elements_of(text: &str, contents: &Contents) -> Option<Vec<Element>> {
    elements(text, &contents.stream)
}

fn group_element(text: &str, contents: &Contents) -> Option<Element> {
    let delimiter = match text.as_bytes().get(contents.range.start.checked_sub(1)?)? {
        b'(' => Delimiter::Parenthesis,
        b'[' => Delimiter::Bracket,
        b'{' => Delimiter::Brace,
        _ => return None,
    };
    Some(Element::Group(delimiter, elements_of(text, contents)?))
}

/// The separator and the operator of a repetition; nothing if it has no operator, or a comment before it.
pub(crate) fn operator_of(text: &str, piece: &Piece) -> Option<(Option<String>, char)> {
    let contents = piece.contents()?;
    let after = text[contents.range.end + 1..piece.range.end].trim();
    let operator = after.chars().next_back().filter(|operator| "*+?".contains(*operator))?;
    let separator = after[..after.len() - 1].trim();
    if separator.contains("//") || separator.contains("/*") {
        return None;
    }
    Some((Some(separator.to_owned()).filter(|separator| !separator.is_empty()), operator))
}

struct Matching<'t> {
    text: &'t str,
}

impl Matching<'_> {
    fn sequence(&self, elements: &[Element], input: ParseStream<'_>, bindings: &mut Bindings) -> Match<()> {
        for element in elements {
            match element {
                Element::Token(token) => {
                    if next_token(input)? != *token {
                        return Err(Mismatch::Differs);
                    }
                }
                Element::Group(delimiter, elements) => {
                    let contents = group(input, *delimiter).map_err(|_| Mismatch::Differs)?;
                    self.sequence(elements, &contents, bindings)?;
                    if !contents.is_empty() {
                        return Err(Mismatch::Differs);
                    }
                }
                Element::Fragment(name, specifier) => {
                    bindings.insert(name.clone(), Binding::Leaf(self.fragment(*specifier, input)?, *specifier));
                }
                Element::Repetition(elements, separator, operator) => {
                    let times = self.repetition(elements, separator.as_deref(), *operator, input)?;
                    if times.is_empty() && *operator == '+' {
                        return Err(Mismatch::Differs);
                    }
                    bind_sequences(elements, times, bindings);
                }
            }
        }
        Ok(())
    }

    /// What is bound each time that `elements` are matched.
    fn repetition(
        &self,
        elements: &[Element],
        separator: Option<&str>,
        operator: char,
        input: ParseStream<'_>,
    ) -> Match<Vec<Bindings>> {
        let mut times = Vec::new();
        while !(input.is_empty() || operator == '?' && times.len() == 1) {
            let fork = input.fork();
            if let Some(separator) = separator.filter(|_| !times.is_empty())
                && (fork.is_empty() || next_token(&fork)? != separator)
            {
                break;
            }
            let mut bindings = Bindings::new();
            match self.sequence(elements, &fork, &mut bindings) {
                Ok(()) if fork.cursor() != input.cursor() => {
                    input.advance_to(&fork);
                    times.push(bindings);
                }
                Ok(()) | Err(Mismatch::Differs) => break,
                Err(Mismatch::Unknown) => return Err(Mismatch::Unknown),
            }
        }
        Ok(times)
    }

    /// The text of the fragment that `input` begins with.
    fn fragment(&self, specifier: Specifier, input: ParseStream<'_>) -> Match<String> {
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
        Ok(written(self.text, &tokens))
    }
}

/// Binds each metavariable of `elements` to what it was bound to each time.
fn bind_sequences(elements: &[Element], times: Vec<Bindings>, bindings: &mut Bindings) {
    let mut names = Vec::new();
    collect_names(elements, &mut names);
    for name in names {
        let sequence = times.iter().filter_map(|bindings| bindings.get(name).cloned()).collect();
        bindings.insert(name.to_owned(), Binding::Sequence(sequence));
    }
}

fn collect_names<'e>(elements: &'e [Element], names: &mut Vec<&'e str>) {
    for element in elements {
        match element {
            Element::Token(_) => {}
            Element::Fragment(name, _) => names.push(name),
            Element::Group(_, elements) | Element::Repetition(elements, ..) => collect_names(elements, names),
        }
    }
}

/// The contents of the group that `input` begins with.
fn group<'a>(input: &ParseBuffer<'a>, delimiter: Delimiter) -> syn::Result<ParseBuffer<'a>> {
    let contents;
    match delimiter {
        Delimiter::Parenthesis => _ = syn::parenthesized!(contents in input),
        Delimiter::Bracket => _ = syn::bracketed!(contents in input),
        Delimiter::Brace => _ = syn::braced!(contents in input),
        Delimiter::None => return Err(input.error("no delimiter is written")),
    }
    Ok(contents)
}

/// The token that `input` begins with, glued as rustc does it. A group is no token.
fn next_token(input: ParseStream<'_>) -> Match<String> {
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

/// Parses what `specifier` stands for.
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

/// `tokens` as they are written; those that stand for a part of a doc comment, as rustc writes them.
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

/// Whether `token` is part of what a doc comment stands for.
fn is_comment(text: &str, token: &TokenTree) -> bool {
    let start = match token {
        TokenTree::Group(group) => Group::span(group).byte_range().start,
        token => token.span().byte_range().start,
    };
    text[start..].starts_with("//") || text[start..].starts_with("/*")
}
