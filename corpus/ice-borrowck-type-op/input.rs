//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! `shelf`, the stock keeping of a small hardware shop.
//!
//! The shop is driven by a line-based command language (`add`, `take`, `price`,
//! `find`, `report`, ...).  Commands are tokenized and parsed, applied to a ledger
//! which keeps every movement, and reports are laid out as text tables or as CSV.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

pub mod money {
    //! Amounts of money, kept in cents.

    use std::fmt;
    use std::iter::Sum;
    use std::ops::{Add, AddAssign, Mul, Neg, Sub};
    use std::str::FromStr;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Cents(pub i64);

    impl Cents {
        pub const ZERO: Cents = Cents(0);

        pub fn from_parts(units: i64, cents: i64) -> Self {
            Cents(units * 100 + if units < 0 { -cents } else { cents })
        }

        /// Rounds half away from zero.
        pub fn scaled(self, permille: i64) -> Self {
            let scaled = self.0 * permille;
            let half = if scaled < 0 { -500 } else { 500 };
            Cents((scaled + half) / 1000)
        }

        pub fn is_negative(self) -> bool {
            self.0 < 0
        }
    }

    macro_rules! binary {
        ($($op:ident :: $method:ident),* $(,)?) => {$(
            impl $op for Cents {
                type Output = Cents;

                fn $method(self, other: Cents) -> Cents {
                    Cents($op::$method(self.0, other.0))
                }
            }
        )*};
    }

    binary!(Add::add, Sub::sub);

    impl AddAssign for Cents {
        fn add_assign(&mut self, other: Cents) {
            self.0 += other.0;
        }
    }

    impl Neg for Cents {
        type Output = Cents;

        fn neg(self) -> Cents {
            Cents(-self.0)
        }
    }

    impl Mul<i64> for Cents {
        type Output = Cents;

        fn mul(self, factor: i64) -> Cents {
            Cents(self.0 * factor)
        }
    }

    impl Sum for Cents {
        fn sum<I: Iterator<Item = Cents>>(iter: I) -> Cents {
            iter.fold(Cents::ZERO, Add::add)
        }
    }

    impl fmt::Display for Cents {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let sign = if self.is_negative() { "-" } else { "" };
            let magnitude = self.0.unsigned_abs();
            let text = format!("{sign}{}.{:02}", magnitude / 100, magnitude % 100);
            f.pad(&text)
        }
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BadAmount(pub String);

    impl fmt::Display for BadAmount {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:?} is not an amount", self.0)
        }
    }

    impl std::error::Error for BadAmount {}

    impl FromStr for Cents {
        type Err = BadAmount;

        fn from_str(text: &str) -> Result<Self, Self::Err> {
            let bad = || BadAmount(text.to_owned());
            let (negative, digits) = match text.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, text),
            };
            let (units, cents) = digits.split_once('.').unwrap_or((digits, "0"));
            if cents.len() > 2 || units.is_empty() {
                return Err(bad());
            }
            let units: i64 = units.parse().map_err(|_| bad())?;
            let mut fraction: i64 = cents.parse().map_err(|_| bad())?;
            if cents.len() == 1 {
                fraction *= 10;
            }
            let amount = Cents::from_parts(units, fraction);
            Ok(if negative { -amount } else { amount })
        }
    }
}

pub mod error {
    //! The errors of all layers.

    use super::fmt;
    use super::money::BadAmount;
    use std::num::ParseIntError;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Span {
        pub start: usize,
        pub end: usize,
    }

    impl Span {
        pub fn new(start: usize, end: usize) -> Self {
            Span { start, end }
        }

        pub fn to(self, other: Span) -> Span {
            Span {
                start: self.start.min(other.start),
                end: self.end.max(other.end),
            }
        }
    }

    #[derive(Debug, Clone, PartialEq)]
    pub enum ShelfError {
        StrayCharacter {
            at: usize,
            found: char,
        },
        UnclosedQuote {
            at: usize,
        },
        UnexpectedEnd {
            wanted: &'static str,
        },
        Unexpected {
            span: Span,
            wanted: &'static str,
        },
        UnknownVerb {
            span: Span,
            verb: String,
        },
        Number(ParseIntError),
        Amount(BadAmount),
        UnknownItem(String),
        DuplicateItem(String),
        OutOfStock {
            code: String,
            wanted: u32,
            left: u32,
        },
        Csv {
            line: usize,
            problem: CsvProblem,
        },
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum CsvProblem {
        Columns { wanted: usize, found: usize },
        Value { column: usize, text: String },
    }

    impl ShelfError {
        /// Position in the command line, for carets.
        pub fn span(&self) -> Option<Span> {
            match *self {
                ShelfError::StrayCharacter { at, found } => {
                    Some(Span::new(at, at + found.len_utf8()))
                }
                ShelfError::UnclosedQuote { at } => Some(Span::new(at, at + 1)),
                ShelfError::Unexpected { span, .. } | ShelfError::UnknownVerb { span, .. } => {
                    Some(span)
                }
                _ => None,
            }
        }

        pub fn is_user_error(&self) -> bool {
            !matches!(self, ShelfError::Csv { .. })
        }
    }

    impl fmt::Display for ShelfError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                ShelfError::StrayCharacter { found, .. } => write!(f, "stray {found:?}"),
                ShelfError::UnclosedQuote { .. } => f.write_str("this quote is never closed"),
                ShelfError::UnexpectedEnd { wanted } => write!(f, "expected {wanted} at the end"),
                ShelfError::Unexpected { wanted, .. } => write!(f, "expected {wanted}"),
                ShelfError::UnknownVerb { verb, .. } => write!(f, "unknown command `{verb}`"),
                ShelfError::Number(source) => write!(f, "bad number: {source}"),
                ShelfError::Amount(source) => write!(f, "bad amount: {source}"),
                ShelfError::UnknownItem(code) => write!(f, "there is no item `{code}`"),
                ShelfError::DuplicateItem(code) => write!(f, "item `{code}` exists already"),
                ShelfError::OutOfStock { code, wanted, left } => {
                    write!(f, "cannot take {wanted} of `{code}`, only {left} left")
                }
                ShelfError::Csv { line, problem } => write!(f, "line {line}: {problem}"),
            }
        }
    }

    impl fmt::Display for CsvProblem {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                CsvProblem::Columns { wanted, found } => {
                    write!(f, "{found} columns instead of {wanted}")
                }
                CsvProblem::Value { column, text } => {
                    write!(f, "bad value {text:?} in column {column}")
                }
            }
        }
    }

    impl std::error::Error for ShelfError {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            match self {
                ShelfError::Number(source) => Some(source),
                ShelfError::Amount(source) => Some(source),
                _ => None,
            }
        }
    }

    impl From<ParseIntError> for ShelfError {
        fn from(source: ParseIntError) -> Self {
            ShelfError::Number(source)
        }
    }

    impl From<BadAmount> for ShelfError {
        fn from(source: BadAmount) -> Self {
            ShelfError::Amount(source)
        }
    }

    pub type Result<T, E = ShelfError> = std::result::Result<T, E>;
}

pub mod lexer {
    //! Splits a command line into tokens.

    use super::error::{Result, ShelfError, Span};
    use std::iter::Peekable;
    use std::str::CharIndices;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum TokenKind<'s> {
        Word(&'s str),
        Number(&'s str),
        Quoted(&'s str),
        Tag(&'s str),
        Comma,
        Arrow,
        Star,
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Token<'s> {
        pub kind: TokenKind<'s>,
        pub span: Span,
    }

    pub struct Lexer<'s> {
        source: &'s str,
        chars: Peekable<CharIndices<'s>>,
    }

    impl<'s> Lexer<'s> {
        pub fn new(source: &'s str) -> Self {
            Lexer {
                source,
                chars: source.char_indices().peekable(),
            }
        }

        fn end_while(&mut self, start: usize, accept: impl Fn(char) -> bool) -> usize {
            let mut end = start;
            while let Some((at, c)) = self.chars.next_if(|(_, c)| accept(*c)) {
                end = at + c.len_utf8();
            }
            end
        }

        fn quoted(&mut self, open: usize) -> Result<Token<'s>> {
            for (at, c) in self.chars.by_ref() {
                if c == '"' {
                    return Ok(Token {
                        kind: TokenKind::Quoted(&self.source[open + 1..at]),
                        span: Span::new(open, at + 1),
                    });
                }
            }
            Err(ShelfError::UnclosedQuote { at: open })
        }

        fn token(&mut self, start: usize, first: char) -> Result<Token<'s>> {
            let after = start + first.len_utf8();
            let (kind, end) = match first {
                ',' => (TokenKind::Comma, after),
                '*' => (TokenKind::Star, after),
                '"' => return self.quoted(start),
                '-' => {
                    if self.chars.next_if(|(_, c)| *c == '>').is_some() {
                        (TokenKind::Arrow, after + 1)
                    } else {
                        let end = self.end_while(after, |c| c.is_ascii_digit() || c == '.');
                        if end == after {
                            return Err(ShelfError::StrayCharacter {
                                at: start,
                                found: '-',
                            });
                        }
                        (TokenKind::Number(&self.source[start..end]), end)
                    }
                }
                '#' => {
                    let end = self.end_while(after, is_word);
                    (TokenKind::Tag(&self.source[after..end]), end)
                }
                c if c.is_ascii_digit() => {
                    let end = self.end_while(after, |c| c.is_ascii_digit() || c == '.');
                    (TokenKind::Number(&self.source[start..end]), end)
                }
                c if is_word(c) => {
                    let end = self.end_while(after, is_word);
                    (TokenKind::Word(&self.source[start..end]), end)
                }
                found => return Err(ShelfError::StrayCharacter { at: start, found }),
            };
            Ok(Token {
                kind,
                span: Span::new(start, end),
            })
        }
    }

    impl<'s> Iterator for Lexer<'s> {
        type Item = Result<Token<'s>>;

        fn next(&mut self) -> Option<Self::Item> {
            while self.chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
            let (start, first) = self.chars.next()?;
            Some(self.token(start, first))
        }
    }

    fn is_word(c: char) -> bool {
        c.is_alphanumeric() || c == '_' || c == '/'
    }

    /// All tokens of a line, or its first error.
    pub fn tokenize(line: &str) -> Result<Vec<Token<'_>>> {
        Lexer::new(line).collect()
    }
}

pub mod command {
    //! The commands and their parser.

    use super::error::{Result, ShelfError, Span};
    use super::lexer::{tokenize, Token, TokenKind};
    use super::money::Cents;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Command {
        Define {
            code: String,
            label: String,
            price: Cents,
            tags: Vec<String>,
        },
        Add {
            code: String,
            count: u32,
        },
        Take {
            code: String,
            count: u32,
        },
        Reprice {
            target: Target,
            change: Change,
        },
        Find(Target),
        Report {
            csv: bool,
        },
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Target {
        Everything,
        Code(String),
        Tagged(String),
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Change {
        To(Cents),
        Permille(i64),
    }

    struct Parser<'t, 's> {
        tokens: &'t [Token<'s>],
        position: usize,
    }

    impl<'t, 's> Parser<'t, 's> {
        fn peek(&self) -> Option<&'t Token<'s>> {
            self.tokens.get(self.position)
        }

        fn advance(&mut self) -> Option<&'t Token<'s>> {
            let token = self.tokens.get(self.position)?;
            self.position += 1;
            Some(token)
        }

        fn next_or(&mut self, wanted: &'static str) -> Result<&'t Token<'s>> {
            self.advance().ok_or(ShelfError::UnexpectedEnd { wanted })
        }

        fn word(&mut self, wanted: &'static str) -> Result<&'s str> {
            match self.next_or(wanted)? {
                Token {
                    kind: TokenKind::Word(word),
                    ..
                } => Ok(word),
                other => Err(ShelfError::Unexpected {
                    span: other.span,
                    wanted,
                }),
            }
        }

        fn number(&mut self, wanted: &'static str) -> Result<&'s str> {
            let token = self.next_or(wanted)?;
            if let TokenKind::Number(digits) = token.kind {
                Ok(digits)
            } else {
                Err(ShelfError::Unexpected {
                    span: token.span,
                    wanted,
                })
            }
        }

        fn accept(&mut self, kind: &TokenKind<'_>) -> bool {
            let found = self.peek().is_some_and(|t| t.kind == *kind);
            self.position += usize::from(found);
            found
        }

        fn tags(&mut self) -> Vec<String> {
            let mut tags = Vec::new();
            while let Some(Token {
                kind: TokenKind::Tag(tag),
                ..
            }) = self.peek()
            {
                tags.push((*tag).to_owned());
                self.position += 1;
                self.accept(&TokenKind::Comma);
            }
            tags
        }

        fn target(&mut self) -> Result<Target> {
            let wanted = "an item, a tag or `*`";
            let token = self.next_or(wanted)?;
            Ok(match token.kind {
                TokenKind::Star => Target::Everything,
                TokenKind::Word(code) => Target::Code(code.to_owned()),
                TokenKind::Tag(tag) => Target::Tagged(tag.to_owned()),
                _ => {
                    return Err(ShelfError::Unexpected {
                        span: token.span,
                        wanted,
                    })
                }
            })
        }

        fn finish(&self) -> Result<()> {
            match self.tokens.get(self.position..) {
                None | Some([]) => Ok(()),
                Some([first, rest @ ..]) => {
                    let span = rest
                        .last()
                        .map_or(first.span, |last| first.span.to(last.span));
                    Err(ShelfError::Unexpected {
                        span,
                        wanted: "the end of the line",
                    })
                }
            }
        }
    }

    /// Parses one line; empty lines are no command.
    pub fn parse(line: &str) -> Result<Option<Command>> {
        let tokens = tokenize(line)?;
        let mut parser = Parser {
            tokens: &tokens,
            position: 0,
        };
        if tokens.is_empty() {
            return Ok(None);
        }
        let verb = parser.word("a command")?;
        let command = match verb {
            "define" => {
                let code = parser.word("a code")?.to_owned();
                let label = match parser.next_or("a quoted label")? {
                    Token {
                        kind: TokenKind::Quoted(label),
                        ..
                    } => (*label).to_owned(),
                    other => {
                        return Err(ShelfError::Unexpected {
                            span: other.span,
                            wanted: "a quoted label",
                        })
                    }
                };
                let price = parser.number("a price")?.parse()?;
                Command::Define {
                    code,
                    label,
                    price,
                    tags: parser.tags(),
                }
            }
            "add" | "take" => {
                let count = parser.number("a count")?.parse()?;
                let code = parser.word("a code")?.to_owned();
                if verb == "add" {
                    Command::Add { code, count }
                } else {
                    Command::Take { code, count }
                }
            }
            "price" => {
                let target = parser.target()?;
                let change = if parser.accept(&TokenKind::Arrow) {
                    Change::To(parser.number("a price")?.parse()?)
                } else {
                    Change::Permille(parser.number("permille")?.parse()?)
                };
                Command::Reprice { target, change }
            }
            "find" => Command::Find(parser.target()?),
            "report" => Command::Report {
                csv: match parser.peek() {
                    Some(Token {
                        kind: TokenKind::Word("csv"),
                        ..
                    }) => {
                        parser.position += 1;
                        true
                    }
                    _ => false,
                },
            },
            _ => {
                return Err(ShelfError::UnknownVerb {
                    span: tokens.first().map_or(Span::new(0, 0), |t| t.span),
                    verb: verb.to_owned(),
                })
            }
        };
        parser.finish()?;
        Ok(Some(command))
    }
}

pub mod item {
    //! What lies on the shelves.

    use super::lend::Reborrow;
    use super::money::Cents;
    use super::BTreeSet;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Item {
        pub code: String,
        pub label: String,
        pub price: Cents,
        pub stock: u32,
        pub tags: BTreeSet<String>,
    }

    impl Item {
        pub fn new(code: impl Into<String>, label: impl Into<String>, price: Cents) -> Self {
            Item {
                code: code.into(),
                label: label.into(),
                price,
                stock: 0,
                tags: BTreeSet::new(),
            }
        }

        pub fn tagged<I>(mut self, tags: I) -> Self
        where
            I: IntoIterator,
            I::Item: Into<String>,
        {
            self.tags.extend(tags.into_iter().map(Into::into));
            self
        }

        pub fn value(&self) -> Cents {
            self.price * i64::from(self.stock)
        }
    }

    impl Ord for Item {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            self.code.cmp(&other.code)
        }
    }

    impl PartialOrd for Item {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }

    /// Items are lent by reference and can be lent again for a shorter time.
    impl<'r> Reborrow for &'r Item {
        type At<'a> = &'a Item;

        const DEPTH: usize = 1;
    }

    /// A line of a delivery note.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Delivery<'n> {
        pub code: &'n str,
        pub count: u32,
    }

    impl<'n> Reborrow for Delivery<'n> {
        type At<'a> = Delivery<'a>;
    }
}

pub mod lend {
    //! Views which borrow from the ledger.
    //!
    //! Table columns work on views instead of on items, so that the same layout code
    //! serves items, deliveries and plain numbers.

    /// A type with one lifetime, which can be exchanged.
    pub trait Reborrow {
        type At<'a>;

        const DEPTH: usize = 0;
    }

    impl Reborrow for u32 {
        type At<'a> = u32;
    }

    impl<'r> Reborrow for (&'r str, u32) {
        type At<'a> = (&'a str, u32);

        const DEPTH: usize = 1;
    }

    impl<V: Reborrow> Reborrow for Option<V> {
        type At<'a> = Option<V::At<'a>>;

        const DEPTH: usize = V::DEPTH;
    }

    /// Says which views a store hands out.
    pub trait Lends<V> {
        fn lend_count(&self) -> usize {
            0
        }
    }

    /// Marker of the cell types of the old report writer. It is gone, but crates
    /// which still have it implement this trait.
    pub trait LegacyCell {
        fn legacy_text(&self) -> String;
    }
}

pub mod ledger {
    //! All items and all their movements.

    use super::command::{Change, Command, Target};
    use super::error::{Result, ShelfError};
    use super::item::{Delivery, Item};
    use super::lend::Lends;
    use super::money::Cents;
    use super::{BTreeMap, HashMap};

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MovementKind {
        In,
        Out,
        Revalued { by: Cents },
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Movement {
        pub code: String,
        pub kind: MovementKind,
        pub count: u32,
    }

    /// The stock of the shop.
    #[derive(Debug, Clone, Default)]
    pub struct Ledger {
        items: BTreeMap<String, Item>,
        movements: Vec<Movement>,
    }

    impl<'r> Lends<&'r Item> for Ledger {
        fn lend_count(&self) -> usize {
            self.items.len()
        }
    }

    impl Ledger {
        pub fn new() -> Self {
            Ledger::default()
        }

        pub fn define(&mut self, item: Item) -> Result<()> {
            if self.items.contains_key(&item.code) {
                return Err(ShelfError::DuplicateItem(item.code));
            }
            self.items.insert(item.code.clone(), item);
            Ok(())
        }

        pub fn item(&self, code: &str) -> Result<&Item> {
            self.items
                .get(code)
                .ok_or_else(|| ShelfError::UnknownItem(code.to_owned()))
        }

        fn item_mut(&mut self, code: &str) -> Result<&mut Item> {
            self.items
                .get_mut(code)
                .ok_or_else(|| ShelfError::UnknownItem(code.to_owned()))
        }

        pub fn items(&self) -> impl Iterator<Item = &Item> + '_ {
            self.items.values()
        }

        pub fn movements(&self) -> &[Movement] {
            &self.movements
        }

        pub fn receive(&mut self, deliveries: &[Delivery<'_>]) -> Result<u32> {
            let mut total = 0;
            for delivery in deliveries {
                self.put_in(delivery.code, delivery.count)?;
                total += delivery.count;
            }
            Ok(total)
        }

        pub fn put_in(&mut self, code: &str, count: u32) -> Result<()> {
            self.item_mut(code)?.stock += count;
            self.record(code, MovementKind::In, count);
            Ok(())
        }

        pub fn take_out(&mut self, code: &str, count: u32) -> Result<Cents> {
            let item = self.item_mut(code)?;
            item.stock = item
                .stock
                .checked_sub(count)
                .ok_or_else(|| ShelfError::OutOfStock {
                    code: code.to_owned(),
                    wanted: count,
                    left: item.stock,
                })?;
            let paid = item.price * i64::from(count);
            self.record(code, MovementKind::Out, count);
            Ok(paid)
        }

        fn record(&mut self, code: &str, kind: MovementKind, count: u32) {
            self.movements.push(Movement {
                code: code.to_owned(),
                kind,
                count,
            });
        }

        /// Items which a target means; a code has to exist.
        pub fn select(&self, target: &Target) -> Result<Vec<&Item>> {
            Ok(match target {
                Target::Everything => self.items().collect(),
                Target::Code(code) => vec![self.item(code)?],
                Target::Tagged(tag) => self.items().filter(|i| i.tags.contains(tag)).collect(),
            })
        }

        pub fn reprice(&mut self, target: &Target, change: Change) -> Result<usize> {
            let codes: Vec<String> = self
                .select(target)?
                .into_iter()
                .map(|i| i.code.clone())
                .collect();
            for code in &codes {
                let item = self.item_mut(code)?;
                let before = item.value();
                item.price = match change {
                    Change::To(price) => price,
                    Change::Permille(permille) => item.price.scaled(permille),
                };
                let by = item.value() - before;
                let count = item.stock;
                self.record(code, MovementKind::Revalued { by }, count);
            }
            Ok(codes.len())
        }

        /// Counts movements by code.
        pub fn activity(&self) -> HashMap<&str, usize> {
            let mut activity = HashMap::new();
            for movement in &self.movements {
                *activity.entry(movement.code.as_str()).or_insert(0) += 1;
            }
            activity
        }
    }

    /// What a command answers.
    #[derive(Debug, Clone, PartialEq)]
    pub enum Answer {
        Done,
        Paid(Cents),
        Changed(usize),
        Found(Vec<Item>),
        Text(String),
    }

    impl Ledger {
        pub fn apply(&mut self, command: Command) -> Result<Answer> {
            match command {
                Command::Define {
                    code,
                    label,
                    price,
                    tags,
                } => {
                    self.define(Item::new(code, label, price).tagged(tags))?;
                    Ok(Answer::Done)
                }
                Command::Add { code, count } => self.put_in(&code, count).map(|()| Answer::Done),
                Command::Take { code, count } => self.take_out(&code, count).map(Answer::Paid),
                Command::Reprice { target, change } => {
                    self.reprice(&target, change).map(Answer::Changed)
                }
                Command::Find(target) => {
                    let found = self.select(&target)?.into_iter().cloned().collect();
                    Ok(Answer::Found(found))
                }
                Command::Report { csv } => Ok(Answer::Text(if csv {
                    super::csv::export(self)
                } else {
                    super::report::stock(self)
                })),
            }
        }
    }
}

pub mod table {
    //! Layout of text tables.

    use super::fmt::{self, Write};
    use super::ledger::Ledger;
    use super::lend::{LegacyCell, Lends, Reborrow};

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Align {
        #[default]
        Left,
        Right,
        Center,
    }

    /// One column of a table over views of type `V`.
    pub struct Column<V, A = Align> {
        pub title: &'static str,
        pub align: A,
        pub pick: fn(V) -> String,
    }

    impl<V, A: Default> Column<V, A> {
        pub fn new(title: &'static str, pick: fn(V) -> String) -> Self {
            Column {
                title,
                align: A::default(),
                pick,
            }
        }
    }

    impl<V> Column<V> {
        pub fn right(self) -> Self {
            Column {
                align: Align::Right,
                ..self
            }
        }
    }

    /// Something a table can be made of.
    pub trait Tabular {
        fn minimum() -> usize {
            4
        }
    }

    /// The cells of the old report writer can be used as they are.
    impl<T> Tabular for T
    where
        T: LegacyCell + Clone,
    {
        fn minimum() -> usize {
            8
        }
    }

    /// Columns are fine when the ledger lends their views for any time.
    impl<V, A> Tabular for Column<V, A>
    where
        Ledger: Lends<V>,
        for<'a> V: Reborrow<At<'a> = V>,
        A: Copy,
    {
        fn minimum() -> usize {
            V::DEPTH + 5
        }
    }

    /// Width limits of a table's cells.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Limits {
        pub narrowest: usize,
        pub widest: usize,
    }

    impl Limits {
        pub const RELAXED: Limits = Limits {
            narrowest: 3,
            widest: 60,
        };

        pub fn clamp(self, width: usize) -> usize {
            width.clamp(self.narrowest, self.widest.max(self.narrowest))
        }
    }

    /// The limits which suit the columns over `V`.
    pub fn limits_for<V>(widest: usize) -> Limits
    where
        Column<V>: Tabular,
    {
        Limits {
            narrowest: <Column<V>>::minimum(),
            widest,
        }
    }

    /// A table with its cells already turned into text.
    #[derive(Debug, Clone, Default)]
    pub struct Table {
        header: Vec<(&'static str, Align)>,
        rows: Vec<Vec<String>>,
    }

    impl Table {
        pub fn of<V: Copy>(columns: &[Column<V>], views: impl Iterator<Item = V>) -> Self {
            Table {
                header: columns.iter().map(|c| (c.title, c.align)).collect(),
                rows: views
                    .map(|view| columns.iter().map(|c| (c.pick)(view)).collect())
                    .collect(),
            }
        }

        pub fn rows(&self) -> &[Vec<String>] {
            &self.rows
        }

        pub fn widths(&self, limits: Limits) -> Vec<usize> {
            self.header
                .iter()
                .enumerate()
                .map(|(index, (title, _))| {
                    let cells = self.rows.iter().map(|row| row[index].chars().count());
                    limits.clamp(cells.chain([title.len()]).max().unwrap_or(0))
                })
                .collect()
        }

        pub fn render(&self, limits: Limits) -> String {
            let widths = self.widths(limits);
            let mut text = String::new();
            let titles: Vec<String> = self.header.iter().map(|(t, _)| t.to_string()).collect();
            self.line(&mut text, &titles, &widths);
            let rule: Vec<String> = widths.iter().map(|w| "-".repeat(*w)).collect();
            self.line(&mut text, &rule, &widths);
            for row in &self.rows {
                self.line(&mut text, row, &widths);
            }
            text
        }

        fn line(&self, text: &mut String, cells: &[String], widths: &[usize]) {
            let mut first = true;
            for ((cell, width), (_, align)) in cells.iter().zip(widths).zip(&self.header) {
                if !std::mem::replace(&mut first, false) {
                    text.push_str("  ");
                }
                let cell = shorten(cell, *width);
                let _ = match align {
                    Align::Left => write!(text, "{cell:<width$}"),
                    Align::Right => write!(text, "{cell:>width$}"),
                    Align::Center => write!(text, "{cell:^width$}"),
                };
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }

    impl fmt::Display for Table {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.render(Limits::RELAXED))
        }
    }

    fn shorten(cell: &str, width: usize) -> String {
        if cell.chars().count() <= width {
            return cell.to_owned();
        }
        let mut short: String = cell.chars().take(width.saturating_sub(1)).collect();
        short.push('~');
        short
    }
}

pub mod report {
    //! The reports of the shop.

    use super::item::Item;
    use super::ledger::{Ledger, MovementKind};
    use super::money::Cents;
    use super::table::{limits_for, Column, Limits, Table};
    use super::BTreeMap;

    /// Totals at the foot of a report.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Totals {
        pub items: usize,
        pub pieces: u64,
        pub value: Cents,
    }

    impl<'i> FromIterator<&'i Item> for Totals {
        fn from_iter<I: IntoIterator<Item = &'i Item>>(items: I) -> Self {
            items
                .into_iter()
                .fold(Totals::default(), |mut totals, item| {
                    totals.items += 1;
                    totals.pieces += u64::from(item.stock);
                    totals.value += item.value();
                    totals
                })
        }
    }

    /// The stock with prices.
    pub fn stock(ledger: &Ledger) -> String {
        let columns = [
            Column::new("code", |item: &Item| item.code.clone()),
            Column::new("label", |item: &Item| item.label.clone()),
            Column::new("price", |item: &Item| item.price.to_string()).right(),
            Column::new("stock", |item: &Item| item.stock.to_string()).right(),
        ];
        let totals: Totals = ledger.items().collect();
        let mut text = Table::of(&columns, ledger.items()).render(stock_limits(totals));
        text.push_str(&format!(
            "{} items, {} pieces, worth {}\n",
            totals.items, totals.pieces, totals.value
        ));
        text
    }

    /// Wide cells for small shops.
    fn stock_limits(totals: Totals) -> Limits {
        match totals.items {
            0 => Limits::RELAXED,
            1..=20 => limits_for(32),
            _ => Limits {
                widest: 24,
                ..Limits::RELAXED
            },
        }
    }

    /// The most moved items first.
    pub fn activity(ledger: &Ledger, rows: usize) -> String {
        let mut counts: Vec<(&str, u32)> = ledger
            .activity()
            .into_iter()
            .map(|(code, count)| (code, count as u32))
            .collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let columns = [
            Column::new("code", |(code, _): (&str, u32)| code.to_owned()),
            Column::new("moves", |(_, count): (&str, u32)| {
                "*".repeat(count as usize)
            }),
        ];
        Table::of(&columns, counts.into_iter().take(rows)).to_string()
    }

    /// What was gained or lost by new prices, by item.
    pub fn revaluation(ledger: &Ledger) -> BTreeMap<&str, Cents> {
        let mut sums: BTreeMap<&str, Cents> = BTreeMap::new();
        for movement in ledger.movements() {
            if let MovementKind::Revalued { by } = movement.kind {
                *sums.entry(&movement.code).or_default() += by;
            }
        }
        sums.retain(|_, sum| *sum != Cents::ZERO);
        sums
    }
}

pub mod csv {
    //! Export to and import from CSV.

    use super::error::{CsvProblem, Result, ShelfError};
    use super::item::Item;
    use super::ledger::Ledger;
    use std::borrow::Cow;

    const COLUMNS: usize = 5;

    fn escape(field: &str) -> Cow<'_, str> {
        if field.contains([',', '"', '\n']) {
            Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
        } else {
            Cow::Borrowed(field)
        }
    }

    fn split(line: &str) -> Vec<String> {
        let mut fields = vec![String::new()];
        let mut quoted = false;
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, quoted) {
                ('"', true) if chars.peek() == Some(&'"') => {
                    chars.next();
                    push(&mut fields, '"');
                }
                ('"', _) => quoted = !quoted,
                (',', false) => fields.push(String::new()),
                (c, _) => push(&mut fields, c),
            }
        }
        fields
    }

    fn push(fields: &mut [String], c: char) {
        if let Some(last) = fields.last_mut() {
            last.push(c);
        }
    }

    pub fn export(ledger: &Ledger) -> String {
        let mut text = String::from("code,label,price,stock,tags\n");
        for item in ledger.items() {
            let tags: Vec<&str> = item.tags.iter().map(String::as_str).collect();
            let fields = [
                item.code.clone(),
                item.label.clone(),
                item.price.to_string(),
                item.stock.to_string(),
                tags.join(" "),
            ];
            let escaped: Vec<_> = fields.iter().map(|f| escape(f)).collect();
            text.push_str(&escaped.join(","));
            text.push('\n');
        }
        text
    }

    fn read_row(line: usize, text: &str) -> Result<Item> {
        let csv = |problem| ShelfError::Csv { line, problem };
        let fields = split(text);
        let [code, label, price, stock, tags] =
            <[String; COLUMNS]>::try_from(fields).map_err(|fields| {
                csv(CsvProblem::Columns {
                    wanted: COLUMNS,
                    found: fields.len(),
                })
            })?;
        let price = price.parse().map_err(|_| {
            csv(CsvProblem::Value {
                column: 2,
                text: price.clone(),
            })
        })?;
        let stock = stock.parse().map_err(|_| {
            csv(CsvProblem::Value {
                column: 3,
                text: stock.clone(),
            })
        })?;
        let mut item = Item::new(code, label, price).tagged(tags.split_whitespace());
        item.stock = stock;
        Ok(item)
    }

    /// Reads what `export` has written.
    pub fn import(text: &str) -> Result<Ledger> {
        let mut ledger = Ledger::new();
        for (index, line) in text.lines().enumerate().skip(1) {
            ledger.define(read_row(index + 1, line)?)?;
        }
        Ok(ledger)
    }
}

pub mod session {
    //! Runs scripts and collects their answers.

    use super::command::parse;
    use super::error::ShelfError;
    use super::ledger::{Answer, Ledger};
    use super::money::Cents;
    use std::fmt::Write;

    #[derive(Debug, Default)]
    pub struct Session {
        pub ledger: Ledger,
        pub transcript: String,
        takings: Cents,
        failures: Vec<(usize, ShelfError)>,
    }

    impl Session {
        pub fn with_ledger(ledger: Ledger) -> Self {
            Session {
                ledger,
                ..Session::default()
            }
        }

        pub fn takings(&self) -> Cents {
            self.takings
        }

        pub fn failures(&self) -> &[(usize, ShelfError)] {
            &self.failures
        }

        fn line(&mut self, line: &str) -> Result<(), ShelfError> {
            let Some(command) = parse(line)? else {
                return Ok(());
            };
            let written = match self.ledger.apply(command)? {
                Answer::Done => Ok(()),
                Answer::Paid(amount) => {
                    self.takings += amount;
                    writeln!(self.transcript, "paid {amount}")
                }
                Answer::Changed(count) => writeln!(self.transcript, "{count} prices changed"),
                Answer::Found(items) => items.iter().try_for_each(|item| {
                    writeln!(self.transcript, "{:<8} {:>8}", item.code, item.price)
                }),
                Answer::Text(text) => write!(self.transcript, "{text}"),
            };
            debug_assert!(written.is_ok());
            Ok(())
        }

        /// Runs all lines; failures do not stop the script.
        pub fn run(&mut self, script: &str) -> &mut Self {
            for (index, line) in script.lines().enumerate() {
                if line.trim_start().starts_with("//") {
                    continue;
                }
                if let Err(error) = self.line(line) {
                    let _ = writeln!(self.transcript, "{}", caret(line, &error));
                    self.failures.push((index + 1, error));
                }
            }
            self
        }
    }

    /// Shows an error below the line it was found in.
    pub fn caret(line: &str, error: &ShelfError) -> String {
        match error.span() {
            None => format!("error: {error}"),
            Some(span) => {
                let before = line.get(..span.start).map_or(0, |s| s.chars().count());
                let width = line
                    .get(span.start..span.end)
                    .map_or(1, |s| s.chars().count());
                format!(
                    "{line}\n{}{} {error}",
                    " ".repeat(before),
                    "^".repeat(width.max(1))
                )
            }
        }
    }
}

pub mod checks {
    //! Small self-checks, run by the shop's installer.

    use super::csv;
    use super::error::ShelfError;
    use super::money::Cents;
    use super::session::Session;

    /// One check: a name and a function which says what is wrong.
    pub type Check = (&'static str, fn() -> Result<(), String>);

    macro_rules! expect {
        ($left:expr, $right:expr $(,)?) => {
            match (&$left, &$right) {
                (left, right) if left == right => {}
                (left, right) => {
                    return Err(format!("{}: {left:?} is not {right:?}", stringify!($left)))
                }
            }
        };
    }

    const SCRIPT: &str = r##"
// the nails and the hammers
define nail "Nail, 40 mm" 0.05 #iron, #small
define hammer "Claw hammer" 18.9 #iron, #tool
define glue "Wood glue" 4.25
add 1200 nail
add 7 hammer
add 12 glue
take 100 nail
take 2 hammer
price #iron 1100
price glue -> 3.99
find *
"##;

    fn amounts() -> Result<(), String> {
        expect!("12.5".parse(), Ok(Cents(1250)));
        expect!("-0.07".parse(), Ok(Cents(-7)));
        expect!("1.234".parse::<Cents>().is_err(), true);
        expect!(Cents(1250).scaled(1100), Cents(1375));
        expect!([Cents(1), Cents(2)].into_iter().sum::<Cents>(), Cents(3));
        Ok(())
    }

    fn scripts() -> Result<(), String> {
        let mut session = Session::default();
        session.run(SCRIPT);
        expect!(session.failures().len(), 0);
        expect!(session.takings(), Cents(4280));
        expect!(
            session.ledger.item("hammer").map(|i| i.price),
            Ok(Cents(2079))
        );
        Ok(())
    }

    fn failures() -> Result<(), String> {
        let mut session = Session::default();
        session.run("define a \"A\" 1\ntake 3 a\nsell 3 a\nadd 3 a ?\n");
        let lines: Vec<usize> = session.failures().iter().map(|(line, _)| *line).collect();
        expect!(lines, [2, 3, 4]);
        let stray = matches!(
            session.failures().last(),
            Some((_, ShelfError::StrayCharacter { found: '?', .. }))
        );
        expect!(stray, true);
        Ok(())
    }

    fn round_trip() -> Result<(), String> {
        let mut session = Session::default();
        session.run(SCRIPT);
        let text = csv::export(&session.ledger);
        let again = csv::import(&text).map_err(|e| e.to_string())?;
        expect!(csv::export(&again), text);
        Ok(())
    }

    pub const ALL: [Check; 4] = [
        ("amounts", amounts),
        ("scripts", scripts),
        ("failures", failures),
        ("round trip", round_trip),
    ];

    /// Runs all checks and gives the messages of those which fail.
    pub fn run_all() -> Vec<String> {
        ALL.iter()
            .filter_map(|(name, check)| check().err().map(|e| format!("{name}: {e}")))
            .collect()
    }
}
