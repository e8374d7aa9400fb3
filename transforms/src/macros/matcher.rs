//! Matches the arguments of a macro call against the rules of a `macro_rules!`.
//!
//! It works like rustc with two exceptions: a repetition is greedy without backtracking, and where the behaviour of rustc
//! is unknown, there is no match.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseBuffer, ParseStream, Parser};

use crate::macros::fragments::{Match, Mismatch, Specifier, fragment, is_operator, next_token};
use crate::syntax::token_groups::{Contents, Shape, TokenGroup, token_groups};

#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// The source text of tokens, and the specifier that they were matched with.
    Leaf(String, Specifier),
    /// One binding for each time that the repetition around the metavariable was matched.
    Sequence(Vec<Binding>),
}

/// The values of the metavariables of a rule, by name.
pub(crate) type Bindings = BTreeMap<String, Binding>;

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

impl Matcher {
    /// Reads the left side of a rule; `None` if some of it is not understood.
    pub(crate) fn of(text: &str, contents: &Contents) -> Option<Self> {
        elements(text, &contents.stream).map(Self)
    }

    /// The values of the metavariables when `tokens`, whose spans are ranges of `text`, are matched.
    pub(crate) fn bindings(&self, text: &str, tokens: &TokenStream) -> Match<Bindings> {
        let matching = |input: ParseStream<'_>| {
            let fork = input.fork();
            let mut bindings = Bindings::new();
            let found = sequence(text, &self.0, &fork, &mut bindings);
            let complete = fork.is_empty();
            while input.parse::<TokenTree>().is_ok() {}
            Ok(found.and(if complete { Ok(bindings) } else { Err(Mismatch::Differs) }))
        };
        matching.parse2(tokens.clone()).unwrap_or(Err(Mismatch::Unknown))
    }
}

fn elements(text: &str, stream: &TokenStream) -> Option<Vec<Element>> {
    let mut all = Vec::new();
    let mut last_end = usize::MAX;
    for piece in token_groups(text, stream) {
        let own = &text[piece.range.clone()];
        match &piece.shape {
            Shape::Token | Shape::Literal | Shape::Ident if own.starts_with('$') => return None,
            Shape::Token | Shape::Literal | Shape::Ident => match all.last_mut() {
                Some(Element::Token(last)) if last_end == piece.range.start && is_operator(&format!("{last}{own}")) => {
                    last.push_str(own);
                }
                _ => all.push(Element::Token(own.to_owned())),
            },
            Shape::Group(contents) => all.push(group_element(text, contents)?),
            Shape::Attribute(contents) => {
                all.push(Element::Token("#".to_owned()));
                if own[1..].trim_start().starts_with('!') {
                    all.push(Element::Token("!".to_owned()));
                }
                all.push(group_element(text, contents)?);
            }
            Shape::Fragment(name) => {
                let specifier = Specifier::named(own.rsplit(':').next()?.trim())?;
                all.push(Element::Fragment(name.clone(), specifier));
            }
            Shape::Repetition(contents) => {
                let (separator, operator) = operator_of(text, &piece)?;
                all.push(Element::Repetition(elements(text, &contents.stream)?, separator, operator));
            }
            Shape::Doc | Shape::Variable(_) => return None,
        }
        last_end = piece.range.end;
    }
    Some(all)
}

fn group_element(text: &str, contents: &Contents) -> Option<Element> {
    let delimiter = match text.as_bytes().get(contents.range.start.checked_sub(1)?)? {
        b'(' => Delimiter::Parenthesis,
        b'[' => Delimiter::Bracket,
        b'{' => Delimiter::Brace,
        _ => return None,
    };
    Some(Element::Group(delimiter, elements(text, &contents.stream)?))
}

/// The separator and the operator of a repetition; `None` if it has no operator, or a comment before it.
pub(crate) fn operator_of(text: &str, piece: &TokenGroup) -> Option<(Option<String>, char)> {
    let contents = piece.contents()?;
    let after = text[contents.range.end + 1..piece.range.end].trim();
    let operator = after.chars().next_back().filter(|operator| "*+?".contains(*operator))?;
    let separator = after[..after.len() - 1].trim();
    if separator.contains("//") || separator.contains("/*") {
        return None;
    }
    Some((Some(separator.to_owned()).filter(|separator| !separator.is_empty()), operator))
}

fn sequence(text: &str, elements: &[Element], input: ParseStream<'_>, bindings: &mut Bindings) -> Match<()> {
    for element in elements {
        match element {
            Element::Token(token) => {
                if next_token(input)? != *token {
                    return Err(Mismatch::Differs);
                }
            }
            Element::Group(delimiter, elements) => {
                let contents = group(input, *delimiter).map_err(|_| Mismatch::Differs)?;
                sequence(text, elements, &contents, bindings)?;
                if !contents.is_empty() {
                    return Err(Mismatch::Differs);
                }
            }
            Element::Fragment(name, specifier) => {
                bindings.insert(name.clone(), Binding::Leaf(fragment(text, *specifier, input)?, *specifier));
            }
            Element::Repetition(elements, separator, operator) => {
                let times = repetition(text, elements, separator.as_deref(), *operator, input)?;
                if times.is_empty() && *operator == '+' {
                    return Err(Mismatch::Differs);
                }
                bind_sequences(elements, times, bindings);
            }
        }
    }
    Ok(())
}

/// The bindings of each time that `elements` are matched.
fn repetition(
    text: &str,
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
        match sequence(text, elements, &fork, &mut bindings) {
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
