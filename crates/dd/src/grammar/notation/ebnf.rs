//! EBNF as W3C writes it, with escapes. `docs/grammar.md` describes it.

use std::fmt;
use std::ops::RangeInclusive;

use super::reader::{NotationError, Reader};
use crate::grammar::class::Class;
use crate::grammar::derivation::Symbol;
use crate::grammar::productions::{Repetition, Rule};

const COMMENTS: &[&str] = &["//"];

/// A part of an expansion. Its words are the name of the symbol that stands for it.
#[derive(Clone, PartialEq, Eq)]
enum Factor {
    Text(String),
    /// A text in any case.
    AnyCase(String),
    Class(Class, String),
    Name(String),
    /// Alternatives in parentheses.
    Group(Vec<Vec<Factor>>),
    /// `?`, `*` or `+` behind a part.
    Repeated(Box<Factor>, char),
}

impl Factor {
    /// The alternatives of a group; any other part is the only one.
    fn alternatives(&self) -> Vec<Vec<Self>> {
        match self {
            Self::Group(alternatives) => alternatives.clone(),
            part => vec![vec![part.clone()]],
        }
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::AnyCase(text) => write!(f, "{text:?}i"),
            Self::Class(_, name) | Self::Name(name) => f.write_str(name),
            Self::Group(alternatives) => write!(f, "({})", words(alternatives)),
            Self::Repeated(part, mark) => write!(f, "{part}{mark}"),
        }
    }
}

fn words(alternatives: &[Vec<Factor>]) -> String {
    let sequence = |parts: &Vec<Factor>| parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    alternatives.iter().map(sequence).collect::<Vec<_>>().join(" | ")
}

/// The rules, with those of the symbols that stand for parts.
pub(super) fn rules(reader: &mut Reader<'_>) -> Result<Vec<(String, Rule)>, NotationError> {
    let mut rules = Rules::default();
    reader.pass_blanks(COMMENTS)?;
    while !reader.is_at_end() {
        let mark = reader.mark();
        let Some(name) = name(reader) else {
            return Err(reader.expected("a rule such as `name ::= \"text\"`"));
        };
        reader.pass_blanks(COMMENTS)?;
        if !reader.takes("::=") {
            return Err(reader.expected(format_args!("`::=` behind `{name}`")));
        }
        let alternatives = alternatives(reader)?;
        reader.takes(";");
        reader.pass_blanks(COMMENTS)?;
        if rules.named.iter().any(|(known, _)| *known == name) {
            return Err(
                reader.error_at(mark, format!("`{name}` has a rule already: write its alternatives as `a | b`"))
            );
        }
        let expansions = alternatives.iter().map(|parts| rules.symbols(parts)).collect();
        rules.named.push((name, Rule::Alternatives(expansions)));
    }
    let Rules { mut named, helpers } = rules;
    named.extend(helpers);
    Ok(named)
}

fn name(reader: &mut Reader<'_>) -> Option<String> {
    let is_first = |char: char| char.is_alphabetic() || char == '_';
    reader.peek().filter(|char| is_first(*char))?;
    Some(reader.take_while(|char| is_first(char) || char.is_numeric() || char == '-' || char == '.').to_owned())
}

fn alternatives(reader: &mut Reader<'_>) -> Result<Vec<Vec<Factor>>, NotationError> {
    let mut all = vec![sequence(reader)?];
    while reader.takes("|") {
        all.push(sequence(reader)?);
    }
    Ok(all)
}

/// The parts up to the end of an alternative.
fn sequence(reader: &mut Reader<'_>) -> Result<Vec<Factor>, NotationError> {
    let mut parts = Vec::new();
    loop {
        reader.pass_blanks(COMMENTS)?;
        let mark = reader.mark();
        let mut part = match reader.peek() {
            None | Some('|' | ')' | ';') => return Ok(parts),
            Some(quote @ ('"' | '\'')) => {
                reader.next();
                let text = reader.quoted(quote)?;
                if is_in_any_case(reader) { Factor::AnyCase(text) } else { Factor::Text(text) }
            }
            Some('[') => {
                let (class, name) = class(reader)?;
                Factor::Class(class, name)
            }
            Some('(') => {
                reader.next();
                let alternatives = alternatives(reader)?;
                if !reader.takes(")") {
                    return Err(reader.error_at(mark, "this `(` has no `)`"));
                }
                Factor::Group(alternatives)
            }
            Some('#') => match reader.numbered()? {
                Some(char) => Factor::Text(char.to_string()),
                None => return Err(reader.error("a character by its number is `#x` and digits of base 16")),
            },
            Some('-') => {
                reader.next();
                reader.pass_blanks(COMMENTS)?;
                let (Some(Factor::Class(class, name)), Some('[')) = (parts.pop(), reader.peek()) else {
                    return Err(reader.error_at(mark, "`-` stands between two classes, as in `[a-z] - [q]`"));
                };
                let (other, without) = self::class(reader)?;
                let class = class.without(&other).ok_or_else(|| reader.error_at(mark, "no character is left"))?;
                Factor::Class(class, format!("{name} - {without}"))
            }
            Some('{') => return Err(reader.error("`{` is not known: write `( .. )*`")),
            Some(_) => {
                let mut ahead = reader.clone();
                let Some(name) = name(&mut ahead) else {
                    return Err(reader.expected("a name, a text or a class"));
                };
                let behind = ahead.clone();
                ahead.pass_blanks(COMMENTS)?;
                // The next rule.
                if ahead.takes("::=") {
                    return Ok(parts);
                }
                *reader = behind;
                Factor::Name(name)
            }
        };
        while let Some(mark) = reader.peek().filter(|char| matches!(char, '?' | '*' | '+')) {
            reader.next();
            part = Factor::Repeated(Box::new(part), mark);
        }
        parts.push(part);
    }
}

/// Passes the `i` behind a text, if there is one.
fn is_in_any_case(reader: &mut Reader<'_>) -> bool {
    let mut ahead = reader.clone();
    let is_mark = ahead.takes("i") && !ahead.peek().is_some_and(|char| char.is_alphanumeric() || char == '_');
    is_mark && reader.takes("i")
}

/// Reads a class. Also returns it as it is written.
fn class(reader: &mut Reader<'_>) -> Result<(Class, String), NotationError> {
    let mark = reader.mark();
    reader.takes("[");
    let is_negated = reader.takes("^");
    let mut ranges: Vec<RangeInclusive<char>> = Vec::new();
    while !reader.takes("]") {
        let from = char_of_class(reader, mark)?;
        let (dash, is_single) = (reader.mark(), reader.rest().starts_with("-]") || !reader.takes("-"));
        let to = if is_single { from } else { char_of_class(reader, mark)? };
        if to < from {
            return Err(reader.error_at(dash, "this range ends before it begins"));
        }
        ranges.push(from..=to);
    }
    let name = reader.since(mark).to_owned();
    let class = Class::new(ranges, is_negated).ok_or_else(|| reader.error_at(mark, "this class has no characters"))?;
    Ok((class, name))
}

fn char_of_class(reader: &mut Reader<'_>, mark: usize) -> Result<char, NotationError> {
    if let Some(char) = reader.numbered()? {
        return Ok(char);
    }
    match reader.peek() {
        Some('\\') => reader.escaped(),
        None | Some('\n') => Err(reader.error_at(mark, "this `[` has no `]` in its line")),
        Some(char) => {
            reader.next();
            Ok(char)
        }
    }
}

#[derive(Default)]
struct Rules {
    /// Those that the user has named.
    named: Vec<(String, Rule)>,
    /// Those of parts.
    helpers: Vec<(String, Rule)>,
}

impl Rules {
    /// The symbols of a sequence. `item (separator item)*` is a list.
    fn symbols(&mut self, parts: &[Factor]) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        let mut rest = parts;
        while let Some((part, behind)) = rest.split_first() {
            if let Some(separator) = behind.first().and_then(|next| separator(part, next)) {
                symbols.push(self.list(part, Some(separator), false, format!("{part} {}", behind[0])));
                rest = &behind[1..];
                continue;
            }
            match part {
                Factor::Text(text) if text.is_empty() => {}
                Factor::AnyCase(text) => symbols.extend(text.chars().map(|char| self.in_any_case(char))),
                Factor::Group(alternatives) if alternatives.len() == 1 => {
                    let inside = self.symbols(&alternatives[0]);
                    symbols.extend(inside);
                }
                part => symbols.push(self.symbol(part)),
            }
            rest = behind;
        }
        symbols
    }

    /// One symbol for a part.
    fn symbol(&mut self, part: &Factor) -> Symbol {
        let name = part.to_string();
        let alternatives = match part {
            Factor::Text(text) if !text.is_empty() => return Symbol::terminal(text),
            Factor::Name(name) => return Symbol::nonterminal(name),
            Factor::Class(class, _) => return self.helper(name, Rule::Class(class.clone())),
            Factor::Repeated(part, '?') => {
                let mut inside = part.alternatives();
                // `(item (separator item)*)?`
                if let [one] = &inside[..]
                    && let [item, more] = &one[..]
                    && let Some(separator) = separator(item, more)
                {
                    return self.list(item, Some(separator), true, name);
                }
                inside.push(Vec::new());
                inside
            }
            Factor::Repeated(part, mark) => return self.list(part, None, *mark == '*', name),
            Factor::Text(_) | Factor::AnyCase(_) | Factor::Group(_) => part.alternatives(),
        };
        let expansions: Vec<_> = alternatives.iter().map(|parts| self.symbols(parts)).collect();
        match &expansions[..] {
            [one] if matches!(one[..], [Symbol::Nonterminal(_)]) => one[0].clone(),
            _ => self.helper(name, Rule::Alternatives(expansions)),
        }
    }

    fn list(&mut self, item: &Factor, separator: Option<&[Factor]>, may_be_empty: bool, name: String) -> Symbol {
        let item = match self.symbol(item) {
            // An item is a node that reducers can remove.
            text @ Symbol::Terminal(_) => self.helper(item.to_string(), Rule::Alternatives(vec![vec![text]])),
            symbol => symbol,
        };
        let separator = separator.map(|parts| match parts {
            [one] => self.symbol(one),
            parts => self.symbol(&Factor::Group(vec![parts.to_vec()])),
        });
        self.helper(name, Rule::Repetition(Repetition { item, separator, may_be_empty }))
    }

    /// A character, in either case if it is a letter.
    fn in_any_case(&mut self, char: char) -> Symbol {
        let both = [char.to_ascii_lowercase(), char.to_ascii_uppercase()];
        let class = Class::new(both.map(|char| char..=char).to_vec(), false);
        match class.filter(|_| both[0] != both[1]) {
            Some(class) => self.helper(format!("[{}{}]", both[0], both[1]), Rule::Class(class)),
            None => Symbol::terminal(char.encode_utf8(&mut [0; 4])),
        }
    }

    fn helper(&mut self, name: String, rule: Rule) -> Symbol {
        let symbol = Symbol::nonterminal(&name);
        if !self.helpers.iter().any(|(known, _)| *known == name) {
            self.helpers.push((name, rule));
        }
        symbol
    }
}

/// The separator of a list that begins with `item`, if `next` is `(separator item)*`.
fn separator<'p>(item: &Factor, next: &'p Factor) -> Option<&'p [Factor]> {
    let Factor::Repeated(group, '*') = next else { return None };
    let Factor::Group(alternatives) = &**group else { return None };
    let [parts] = &alternatives[..] else { return None };
    let (last, separator) = parts.split_last()?;
    (last == item && !separator.is_empty()).then_some(separator)
}
