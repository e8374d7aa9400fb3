//@ edition: 2021
#![warn(missing_debug_implementations)]
#![deny(unused_must_use, unreachable_patterns, non_camel_case_types)]
#![allow(dead_code)]

//! `larder`: an embedded key-value store with a write-ahead log, nested
//! savepoints, a tiny query language and schema migrations.

use std::fmt;
use std::io::{self, BufRead, Write};

/// Errors of all layers.
pub mod error {
    use super::fmt;
    use std::num::ParseIntError;

    #[derive(Debug)]
    pub enum StoreError {
        KeyTooLong { length: usize, limit: usize },
        PageFull(u32),
        NoSuchPage(u32),
        NoSuchTable(String),
        TableExists(String),
        Corrupt { page: u32, reason: &'static str },
        Syntax(SyntaxError),
        Number(ParseIntError),
        Io(std::io::Error),
    }

    /// Where in a command, and what was wrong there.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SyntaxError {
        pub at: usize,
        pub expected: Vec<&'static str>,
        pub found: Option<String>,
    }

    impl fmt::Display for SyntaxError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "column {}: expected ", self.at + 1)?;
            for (i, what) in self.expected.iter().enumerate() {
                match i {
                    0 => {}
                    _ if i + 1 == self.expected.len() => f.write_str(" or ")?,
                    _ => f.write_str(", ")?,
                }
                f.write_str(what)?;
            }
            match &self.found {
                Some(found) => write!(f, ", found `{found}`"),
                None => f.write_str(", found the end"),
            }
        }
    }

    impl fmt::Display for StoreError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                StoreError::KeyTooLong { length, limit } => {
                    write!(f, "a key of {length} bytes exceeds {limit}")
                }
                StoreError::PageFull(page) => write!(f, "page {page} is full"),
                StoreError::NoSuchPage(page) => write!(f, "no page {page}"),
                StoreError::NoSuchTable(name) => write!(f, "no table `{name}`"),
                StoreError::TableExists(name) => write!(f, "table `{name}` exists"),
                StoreError::Corrupt { page, reason } => {
                    write!(f, "page {page} is corrupt: {reason}")
                }
                StoreError::Syntax(e) => e.fmt(f),
                StoreError::Number(e) => e.fmt(f),
                StoreError::Io(e) => e.fmt(f),
            }
        }
    }

    impl std::error::Error for StoreError {}

    macro_rules! wrap {
        ($($from:ty => $variant:ident),* $(,)?) => {
            $(
                impl From<$from> for StoreError {
                    fn from(e: $from) -> Self {
                        StoreError::$variant(e)
                    }
                }
            )*
        };
    }

    wrap! {
        SyntaxError => Syntax,
        ParseIntError => Number,
        std::io::Error => Io,
    }

    pub type Result<T> = std::result::Result<T, StoreError>;
}

/// Keys and values and their order-preserving encoding.
pub mod value {
    use crate::error::{Result, StoreError};
    use std::cmp::Ordering;
    use std::fmt;

    pub const KEY_LIMIT: usize = 255;

    #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Key(Box<[u8]>);

    #[derive(Debug, Clone, PartialEq)]
    pub enum Value {
        Null,
        Bool(bool),
        Int(i64),
        Text(String),
        List(Vec<Value>),
    }

    impl Key {
        pub fn new(bytes: impl AsRef<[u8]>) -> Result<Self> {
            let bytes = bytes.as_ref();
            if bytes.len() > KEY_LIMIT {
                return Err(StoreError::KeyTooLong {
                    length: bytes.len(),
                    limit: KEY_LIMIT,
                });
            }
            Ok(Key(bytes.into()))
        }

        pub fn as_bytes(&self) -> &[u8] {
            &self.0
        }

        pub fn has_prefix(&self, prefix: &[u8]) -> bool {
            self.0.starts_with(prefix)
        }
    }

    impl fmt::Display for Key {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for chunk in self.0.utf8_chunks() {
                f.write_str(chunk.valid())?;
                for byte in chunk.invalid() {
                    write!(f, "\\x{byte:02x}")?;
                }
            }
            Ok(())
        }
    }

    impl Value {
        /// Rank of the kind, for comparisons of values of different kinds.
        fn rank(&self) -> u8 {
            match self {
                Value::Null => 0,
                Value::Bool(_) => 1,
                Value::Int(_) => 2,
                Value::Text(_) => 3,
                Value::List(_) => 4,
            }
        }

        pub fn size(&self) -> usize {
            1 + match self {
                Value::Null => 0,
                Value::Bool(_) => 1,
                Value::Int(_) => 8,
                Value::Text(text) => 4 + text.len(),
                Value::List(items) => 4 + items.iter().map(Value::size).sum::<usize>(),
            }
        }

        pub fn truthy(&self) -> bool {
            !matches!(self, Value::Null | Value::Bool(false))
        }
    }

    impl PartialOrd for Value {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            match (self, other) {
                (Value::Bool(a), Value::Bool(b)) => a.partial_cmp(b),
                (Value::Int(a), Value::Int(b)) => a.partial_cmp(b),
                (Value::Text(a), Value::Text(b)) => a.partial_cmp(b),
                (Value::List(a), Value::List(b)) => a.partial_cmp(b),
                _ => self.rank().partial_cmp(&other.rank()),
            }
        }
    }

    impl fmt::Display for Value {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Value::Null => f.write_str("null"),
                Value::Bool(b) => b.fmt(f),
                Value::Int(n) => n.fmt(f),
                Value::Text(text) => write!(f, "{text:?}"),
                Value::List(items) => {
                    f.write_str("[")?;
                    for (i, item) in items.iter().enumerate() {
                        if i > 0 {
                            f.write_str(", ")?;
                        }
                        item.fmt(f)?;
                    }
                    f.write_str("]")
                }
            }
        }
    }

    impl From<i64> for Value {
        fn from(n: i64) -> Self {
            Value::Int(n)
        }
    }

    impl From<&str> for Value {
        fn from(text: &str) -> Self {
            Value::Text(text.to_owned())
        }
    }

    impl<T: Into<Value>> From<Vec<T>> for Value {
        fn from(items: Vec<T>) -> Self {
            Value::List(items.into_iter().map(Into::into).collect())
        }
    }
}

/// Fixed-size pages of sorted entries.
pub mod page {
    use crate::error::{Result, StoreError};
    use crate::value::{Key, Value};

    pub const CAPACITY: usize = 4096;

    #[derive(Debug, Clone, Default)]
    pub struct Page {
        number: u32,
        entries: Vec<(Key, Value)>,
        used: usize,
    }

    /// What a page did with an entry.
    #[derive(Debug, PartialEq)]
    pub enum Placed {
        Inserted,
        Replaced(Value),
    }

    impl Page {
        pub fn new(number: u32) -> Self {
            Page {
                number,
                ..Page::default()
            }
        }

        pub fn number(&self) -> u32 {
            self.number
        }

        fn find(&self, key: &Key) -> std::result::Result<usize, usize> {
            self.entries.binary_search_by(|(k, _)| k.cmp(key))
        }

        pub fn get(&self, key: &Key) -> Option<&Value> {
            self.find(key).ok().map(|i| &self.entries[i].1)
        }

        pub fn put(&mut self, key: Key, value: Value) -> Result<Placed> {
            let size = key.as_bytes().len() + value.size();
            match self.find(&key) {
                Ok(i) => {
                    let old = std::mem::replace(&mut self.entries[i].1, value);
                    self.used = self.used + size - key.as_bytes().len() - old.size();
                    Ok(Placed::Replaced(old))
                }
                Err(_) if self.used + size > CAPACITY => Err(StoreError::PageFull(self.number)),
                Err(i) => {
                    self.used += size;
                    self.entries.insert(i, (key, value));
                    Ok(Placed::Inserted)
                }
            }
        }

        pub fn remove(&mut self, key: &Key) -> Option<Value> {
            let i = self.find(key).ok()?;
            let (key, value) = self.entries.remove(i);
            self.used -= key.as_bytes().len() + value.size();
            Some(value)
        }

        /// Moves the upper half to a new page.
        pub fn split(&mut self, number: u32) -> Page {
            let entries = self.entries.split_off(self.entries.len() / 2);
            let used = entries
                .iter()
                .map(|(key, value)| key.as_bytes().len() + value.size())
                .sum();
            self.used -= used;
            Page {
                number,
                entries,
                used,
            }
        }

        pub fn first(&self) -> Option<&Key> {
            self.entries.first().map(|(key, _)| key)
        }

        pub fn iter(&self) -> std::slice::Iter<'_, (Key, Value)> {
            self.entries.iter()
        }

        pub fn check(&self) -> Result<()> {
            let sorted = self.entries.windows(2).all(|w| w[0].0 < w[1].0);
            if sorted {
                Ok(())
            } else {
                Err(StoreError::Corrupt {
                    page: self.number,
                    reason: "keys are out of order",
                })
            }
        }
    }
}

/// The write-ahead log.
pub mod wal {
    use crate::value::{Key, Value};
    use std::ops::{Add, AddAssign};

    /// Log sequence number.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Lsn(u64);

    /// A thing together with the sequence number at which it was made.
    pub type Stamped<T, N = Lsn> = (N, T);

    impl Add<u64> for Lsn {
        type Output = Lsn;

        fn add(self, rhs: u64) -> Lsn {
            Lsn(self.0 + rhs)
        }
    }

    impl AddAssign<u64> for Lsn {
        fn add_assign(&mut self, rhs: u64) {
            self.0 += rhs;
        }
    }

    impl Lsn {
        pub fn since(self, earlier: Lsn) -> u64 {
            self.0.saturating_sub(earlier.0)
        }
    }

    #[derive(Debug, Clone, PartialEq)]
    pub enum Entry {
        Begin,
        Put {
            table: u16,
            key: Key,
            before: Option<Value>,
        },
        Delete {
            table: u16,
            key: Key,
            before: Value,
        },
        Commit,
    }

    #[derive(Debug, Default)]
    pub struct Wal {
        entries: Vec<Stamped<Entry>>,
        next: Lsn,
    }

    impl Wal {
        pub fn append(&mut self, entry: Entry) -> Lsn {
            let at = self.next;
            self.entries.push((at, entry));
            self.next += 1;
            at
        }

        pub fn next(&self) -> Lsn {
            self.next
        }

        /// Takes the entries from `mark` on, newest first.
        pub fn unwind(&mut self, mark: Lsn) -> impl Iterator<Item = Entry> {
            let keep = self
                .entries
                .iter()
                .position(|(at, _)| *at >= mark)
                .unwrap_or(self.entries.len());
            let undone = self.entries.split_off(keep);
            undone.into_iter().rev().map(|(_, entry)| entry)
        }

        pub fn is_quiet(&self) -> bool {
            matches!(self.entries.last(), None | Some((_, Entry::Commit)))
        }
    }
}

/// Savepoints and what backends have to offer for them.
pub mod txn {
    use crate::error::Result;
    use crate::wal::Lsn;
    use std::fmt::Debug;

    /// A point that the store can be rolled back to.
    ///
    /// Dropping it without a call of `release` rolls back at the end of the
    /// transaction.
    #[must_use = "a savepoint that nobody releases is rolled back"]
    pub trait Savepoint: Debug + Send {
        fn mark(&self) -> Lsn;

        /// Keeps the changes since the mark.
        fn release(self: Box<Self>) -> Lsn;

        fn depth(&self) -> usize {
            1
        }
    }

    /// A store with transactions.
    pub trait Backend {
        type Checkpoint: Sized;
        type Name: AsRef<str> + ?Sized;

        fn checkpoint(&mut self, name: &Self::Name) -> Self::Checkpoint;

        fn commit(&mut self) -> Result<Lsn>;

        fn roll_back(&mut self, to: Lsn) -> usize;
    }

    #[derive(Debug, Clone)]
    pub(crate) struct Plain {
        pub(crate) mark: Lsn,
        pub(crate) name: String,
    }

    #[derive(Debug)]
    pub(crate) struct Nested<S> {
        pub(crate) outer: S,
        pub(crate) depth: usize,
    }

    impl Savepoint for Plain {
        fn mark(&self) -> Lsn {
            self.mark
        }

        fn release(self: Box<Self>) -> Lsn {
            self.mark + 1
        }
    }

    impl<S> Savepoint for Nested<S>
    where
        S: Savepoint,
    {
        fn mark(&self) -> Lsn {
            self.outer.mark()
        }

        fn release(self: Box<Self>) -> Lsn {
            let Nested { outer, .. } = *self;
            outer.mark() + 1
        }

        fn depth(&self) -> usize {
            self.depth
        }
    }
}

/// Tables on pages, the catalog and the transactions over them.
pub mod engine {
    use crate::error::{Result, StoreError};
    use crate::page::{Page, Placed};
    use crate::txn::{Backend, Nested, Plain, Savepoint};
    use crate::value::{Key, Value};
    use crate::wal::{Entry, Lsn, Stamped, Wal};
    use std::collections::BTreeMap;

    #[derive(Debug, Default)]
    pub struct Table {
        id: u16,
        pages: Vec<Page>,
    }

    impl Table {
        fn new(id: u16) -> Self {
            Table {
                id,
                pages: vec![Page::new(0)],
            }
        }

        /// Index of the page that has or would have the key.
        fn locate(&self, key: &Key) -> usize {
            self.pages
                .partition_point(|page| page.first().is_some_and(|first| first <= key))
                .saturating_sub(1)
        }

        pub fn get(&self, key: &Key) -> Option<&Value> {
            self.pages[self.locate(key)].get(key)
        }

        fn put(&mut self, key: Key, value: Value) -> Result<Placed> {
            let at = self.locate(&key);
            match self.pages[at].put(key.clone(), value.clone()) {
                Err(StoreError::PageFull(_)) => {
                    let number = self.pages.len() as u32;
                    let upper = self.pages[at].split(number);
                    self.pages.insert(at + 1, upper);
                    let at = self.locate(&key);
                    self.pages[at].put(key, value)
                }
                placed => placed,
            }
        }

        fn remove(&mut self, key: &Key) -> Option<Value> {
            let at = self.locate(key);
            self.pages[at].remove(key)
        }

        pub fn iter(&self) -> impl Iterator<Item = (&Key, &Value)> + '_ {
            self.pages
                .iter()
                .flat_map(Page::iter)
                .map(|(key, value)| (key, value))
        }

        pub fn len(&self) -> usize {
            self.pages.iter().map(|page| page.iter().len()).sum()
        }

        pub fn is_empty(&self) -> bool {
            self.len() == 0
        }
    }

    #[derive(Debug, Default)]
    pub struct Engine {
        tables: BTreeMap<String, Table>,
        wal: Wal,
        open: usize,
    }

    impl Engine {
        pub fn new() -> Self {
            Engine::default()
        }

        pub fn create(&mut self, name: &str) -> Result<u16> {
            if self.tables.contains_key(name) {
                return Err(StoreError::TableExists(name.to_owned()));
            }
            let id = self.tables.len() as u16;
            self.tables.insert(name.to_owned(), Table::new(id));
            Ok(id)
        }

        pub fn table(&self, name: &str) -> Result<&Table> {
            self.tables
                .get(name)
                .ok_or_else(|| StoreError::NoSuchTable(name.to_owned()))
        }

        fn table_mut(&mut self, name: &str) -> Result<&mut Table> {
            self.tables
                .get_mut(name)
                .ok_or_else(|| StoreError::NoSuchTable(name.to_owned()))
        }

        pub fn put(&mut self, table: &str, key: Key, value: Value) -> Result<Lsn> {
            let target = self.table_mut(table)?;
            let id = target.id;
            let before = match target.put(key.clone(), value)? {
                Placed::Inserted => None,
                Placed::Replaced(old) => Some(old),
            };
            Ok(self.wal.append(Entry::Put {
                table: id,
                key,
                before,
            }))
        }

        pub fn delete(&mut self, table: &str, key: &Key) -> Result<bool> {
            let target = self.table_mut(table)?;
            let id = target.id;
            let Some(before) = target.remove(key) else {
                return Ok(false);
            };
            self.wal.append(Entry::Delete {
                table: id,
                key: key.clone(),
                before,
            });
            Ok(true)
        }

        fn by_id(&mut self, id: u16) -> Option<&mut Table> {
            self.tables.values_mut().find(|table| table.id == id)
        }

        fn undo(&mut self, entry: Entry) -> bool {
            match entry {
                Entry::Put {
                    table,
                    key,
                    before: Some(value),
                }
                | Entry::Delete {
                    table,
                    key,
                    before: value,
                } => self
                    .by_id(table)
                    .is_some_and(|table| table.put(key, value).is_ok()),
                Entry::Put {
                    table,
                    key,
                    before: None,
                } => self
                    .by_id(table)
                    .is_some_and(|table| table.remove(&key).is_some()),
                Entry::Begin | Entry::Commit => false,
            }
        }

        pub fn names(&self) -> impl Iterator<Item = &str> + '_ {
            self.tables.keys().map(String::as_str)
        }
    }

    impl Backend for Engine {
        type Checkpoint = Stamped<Box<dyn Savepoint>>;
        type Name = str;

        fn checkpoint(&mut self, name: &str) -> Self::Checkpoint {
            let mark = self.wal.append(Entry::Begin);
            self.open += 1;
            let plain = Plain {
                mark,
                name: name.to_owned(),
            };
            match self.open {
                1 => (mark, Box::new(plain)),
                depth => (
                    mark,
                    Box::new(Nested {
                        outer: plain,
                        depth,
                    }),
                ),
            }
        }

        fn commit(&mut self) -> Result<Lsn> {
            self.open = 0;
            Ok(self.wal.append(Entry::Commit))
        }

        fn roll_back(&mut self, to: Lsn) -> usize {
            let undone: Vec<_> = self.wal.unwind(to).collect();
            self.open = self.open.saturating_sub(1);
            undone
                .into_iter()
                .map(|entry| self.undo(entry))
                .filter(|&done| done)
                .count()
        }
    }
}

/// The command language: `get t k`, `put t k 1`, `scan t where value > 3`.
pub mod query {
    use crate::error::{Result, SyntaxError};
    use crate::value::{Key, Value};
    use std::cmp::Ordering;
    use std::iter::Peekable;
    use std::str::CharIndices;

    #[derive(Debug, Clone, PartialEq)]
    pub enum Token {
        Word(String),
        Text(String),
        Int(i64),
        Symbol(char),
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Comparison {
        Less,
        Equal,
        Greater,
    }

    #[derive(Debug, Clone, PartialEq)]
    pub enum Filter {
        Compare(Comparison, Value),
        Prefix(Vec<u8>),
        Both(Box<Filter>, Box<Filter>),
        Not(Box<Filter>),
    }

    #[derive(Debug, Clone, PartialEq)]
    pub enum Command {
        Create(String),
        Get(String, Key),
        Put(String, Key, Value),
        Delete(String, Key),
        Scan(String, Option<Filter>),
        Migrate,
        Quit,
    }

    impl Comparison {
        pub fn holds(self, left: &Value, right: &Value) -> bool {
            left.partial_cmp(right).is_some_and(|ordering| {
                matches!(
                    (self, ordering),
                    (Comparison::Less, Ordering::Less)
                        | (Comparison::Equal, Ordering::Equal)
                        | (Comparison::Greater, Ordering::Greater)
                )
            })
        }
    }

    impl Filter {
        pub fn accepts(&self, key: &Key, value: &Value) -> bool {
            match self {
                Filter::Compare(comparison, right) => comparison.holds(value, right),
                Filter::Prefix(prefix) => key.has_prefix(prefix),
                Filter::Both(a, b) => a.accepts(key, value) && b.accepts(key, value),
                Filter::Not(inner) => !inner.accepts(key, value),
            }
        }

        pub fn and(self, other: Filter) -> Filter {
            Filter::Both(Box::new(self), Box::new(other))
        }
    }

    struct Lexer<'a> {
        text: &'a str,
        chars: Peekable<CharIndices<'a>>,
    }

    impl<'a> Lexer<'a> {
        fn new(text: &'a str) -> Self {
            Lexer {
                text,
                chars: text.char_indices().peekable(),
            }
        }

        /// Consumes while `accept` holds, from the byte offset `start` on.
        fn run(&mut self, start: usize, accept: impl Fn(char) -> bool) -> &'a str {
            let mut end = start;
            while let Some(&(at, c)) = self.chars.peek() {
                if !accept(c) {
                    break;
                }
                end = at + c.len_utf8();
                self.chars.next();
            }
            &self.text[start..end]
        }
    }

    impl Iterator for Lexer<'_> {
        type Item = (usize, Token);

        fn next(&mut self) -> Option<Self::Item> {
            while self.chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
            let &(start, c) = self.chars.peek()?;
            let token = match c {
                '0'..='9' | '-' => {
                    let digits = self.run(start, |c| c.is_ascii_digit() || c == '-');
                    match digits.parse() {
                        Ok(n) => Token::Int(n),
                        Err(_) => Token::Word(digits.to_owned()),
                    }
                }
                '"' => {
                    self.chars.next();
                    let text = self.run(start + 1, |c| c != '"').to_owned();
                    self.chars.next();
                    Token::Text(text)
                }
                c if c.is_alphabetic() => {
                    Token::Word(self.run(start, |c| c.is_alphanumeric() || c == '_').to_owned())
                }
                other => {
                    self.chars.next();
                    Token::Symbol(other)
                }
            };
            Some((start, token))
        }
    }

    struct Parser {
        tokens: Vec<(usize, Token)>,
        next: usize,
        end: usize,
    }

    impl Parser {
        fn new(text: &str) -> Self {
            Parser {
                tokens: Lexer::new(text).collect(),
                next: 0,
                end: text.len(),
            }
        }

        fn fail<T>(&self, expected: &[&'static str]) -> Result<T> {
            let found = self.tokens.get(self.next);
            Err(SyntaxError {
                at: found.map_or(self.end, |(at, _)| *at),
                expected: expected.to_vec(),
                found: found.map(|(_, token)| format!("{token:?}")),
            }
            .into())
        }

        fn bump(&mut self) -> Option<&Token> {
            let token = self.tokens.get(self.next).map(|(_, token)| token);
            self.next += usize::from(token.is_some());
            token
        }

        fn eat(&mut self, word: &str) -> bool {
            let hit = matches!(self.tokens.get(self.next), Some((_, Token::Word(w))) if w == word);
            self.next += usize::from(hit);
            hit
        }

        fn word(&mut self) -> Result<String> {
            match self.tokens.get(self.next) {
                Some((_, Token::Word(word))) => {
                    self.next += 1;
                    Ok(word.clone())
                }
                _ => self.fail(&["a word"]),
            }
        }

        fn key(&mut self) -> Result<Key> {
            match self.tokens.get(self.next).map(|(_, token)| token.clone()) {
                Some(Token::Word(text) | Token::Text(text)) => {
                    self.next += 1;
                    Key::new(text)
                }
                Some(Token::Int(n)) => {
                    self.next += 1;
                    Key::new(n.to_be_bytes())
                }
                _ => self.fail(&["a key"]),
            }
        }

        fn value(&mut self) -> Result<Value> {
            match self.bump().cloned() {
                Some(Token::Int(n)) => Ok(n.into()),
                Some(Token::Text(text)) => Ok(Value::Text(text)),
                Some(Token::Word(word)) => match word.as_str() {
                    "null" => Ok(Value::Null),
                    "true" | "false" => Ok(Value::Bool(word == "true")),
                    _ => Ok(Value::Text(word)),
                },
                Some(Token::Symbol('[')) => {
                    let mut items = Vec::new();
                    while self.tokens.get(self.next).map(|(_, token)| token)
                        != Some(&Token::Symbol(']'))
                    {
                        items.push(self.value()?);
                    }
                    self.next += 1;
                    Ok(Value::List(items))
                }
                _ => self.fail(&["a number", "a text", "`[`"]),
            }
        }

        fn filter(&mut self) -> Result<Filter> {
            let first = if self.eat("not") {
                Filter::Not(Box::new(self.filter()?))
            } else if self.eat("prefix") {
                Filter::Prefix(self.key()?.as_bytes().to_vec())
            } else if self.eat("value") {
                let comparison = match self.bump() {
                    Some(Token::Symbol('<')) => Comparison::Less,
                    Some(Token::Symbol('=')) => Comparison::Equal,
                    Some(Token::Symbol('>')) => Comparison::Greater,
                    _ => return self.fail(&["`<`", "`=`", "`>`"]),
                };
                Filter::Compare(comparison, self.value()?)
            } else {
                return self.fail(&["not", "prefix", "value"]);
            };
            if self.eat("and") {
                Ok(first.and(self.filter()?))
            } else {
                Ok(first)
            }
        }
    }

    pub fn parse(text: &str) -> Result<Command> {
        let mut parser = Parser::new(text);
        let verb = parser.word()?;
        let command = match verb.as_str() {
            "create" => Command::Create(parser.word()?),
            "get" => Command::Get(parser.word()?, parser.key()?),
            "put" => Command::Put(parser.word()?, parser.key()?, parser.value()?),
            "delete" => Command::Delete(parser.word()?, parser.key()?),
            "scan" => {
                let table = parser.word()?;
                let filter = if parser.eat("where") {
                    Some(parser.filter()?)
                } else {
                    None
                };
                Command::Scan(table, filter)
            }
            "migrate" => Command::Migrate,
            "quit" => Command::Quit,
            _ => return parser.fail(&["a command"]),
        };
        if parser.next < parser.tokens.len() {
            return parser.fail(&["the end"]);
        }
        Ok(command)
    }
}

/// Counters with a logarithmic histogram of value sizes.
pub mod stats {
    use crate::engine::Table;
    use std::fmt;

    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Histogram<const N: usize = 12> {
        buckets: Vec<u64>,
    }

    impl<const N: usize> Histogram<N> {
        pub fn record(&mut self, size: usize) {
            if self.buckets.is_empty() {
                self.buckets.resize(N, 0);
            }
            let bucket = size.checked_ilog2().map_or(0, |log| log as usize + 1);
            self.buckets[bucket.min(N - 1)] += 1;
        }

        pub fn total(&self) -> u64 {
            self.buckets.iter().sum()
        }
    }

    impl<const N: usize> Extend<usize> for Histogram<N> {
        fn extend<I: IntoIterator<Item = usize>>(&mut self, sizes: I) {
            sizes.into_iter().for_each(|size| self.record(size));
        }
    }

    impl<const N: usize> fmt::Display for Histogram<N> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let most = self.buckets.iter().copied().max().unwrap_or(0).max(1);
            for (i, &count) in self.buckets.iter().enumerate() {
                let width = (count * 40 / most) as usize;
                writeln!(f, "<{:>6} {:>6} {}", 1u64 << i, count, "#".repeat(width))?;
            }
            Ok(())
        }
    }

    pub fn of(table: &Table) -> Histogram {
        let mut histogram = Histogram::default();
        histogram.extend(table.iter().map(|(_, value)| value.size()));
        histogram
    }
}

/// Schema migrations, each of them between two savepoints.
pub mod migrate {
    use crate::engine::Engine;
    use crate::error::Result;
    use crate::txn::{Backend, Savepoint};
    use crate::value::{Key, Value};

    /// One step from a version to the next one.
    pub trait Step<B: Backend> {
        fn title(&self) -> &str;

        fn run(&self, store: &mut B) -> Result<usize>;
    }

    /// Renames a table by copying it.
    #[derive(Debug)]
    pub struct Rename {
        pub from: &'static str,
        pub to: &'static str,
    }

    /// Rewrites all values of a table.
    #[derive(Debug)]
    pub struct Rewrite<F> {
        pub table: &'static str,
        pub rule: F,
    }

    impl Step<Engine> for Rename {
        fn title(&self) -> &str {
            "rename"
        }

        fn run(&self, store: &mut Engine) -> Result<usize> {
            store.create(self.to)?;
            let rows: Vec<(Key, Value)> = store
                .table(self.from)?
                .iter()
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            let moved = rows.len();
            for (key, value) in rows {
                store.delete(self.from, &key)?;
                store.put(self.to, key, value)?;
            }
            Ok(moved)
        }
    }

    impl<F> Step<Engine> for Rewrite<F>
    where
        F: Fn(&Value) -> Option<Value>,
    {
        fn title(&self) -> &str {
            "rewrite"
        }

        fn run(&self, store: &mut Engine) -> Result<usize> {
            let changed: Vec<_> = store
                .table(self.table)?
                .iter()
                .filter_map(|(key, value)| Some((key.clone(), (self.rule)(value)?)))
                .collect();
            let count = changed.len();
            store.checkpoint(self.table);
            for (key, value) in changed {
                store.put(self.table, key, value)?;
            }
            Ok(count)
        }
    }

    #[derive(Debug, Default)]
    pub struct Report {
        pub done: Vec<(String, usize)>,
        pub failed: Option<String>,
    }

    /// Runs the steps until one fails; a failed step leaves no traces.
    pub fn run_all(store: &mut Engine, steps: &[&dyn Step<Engine>]) -> Result<Report> {
        let mut report = Report::default();
        for step in steps {
            let (mark, savepoint) = store.checkpoint(step.title());
            match step.run(store) {
                Ok(count) => {
                    let released = savepoint.release();
                    debug_assert!(released > mark);
                    report.done.push((step.title().to_owned(), count));
                }
                Err(e) => {
                    store.roll_back(mark);
                    report.failed = Some(format!("{}: {e}", step.title()));
                    break;
                }
            }
        }
        store.commit()?;
        Ok(report)
    }

    /// The deepest of some savepoints.
    pub fn deepest(savepoints: &[Box<dyn Savepoint>]) -> Option<&dyn Savepoint> {
        savepoints
            .iter()
            .map(|savepoint| &**savepoint)
            .max_by_key(|savepoint| savepoint.depth())
    }
}

use engine::Engine;
use error::Result;
use query::Command;
use value::Value;

/// What the shell prints for a command.
#[derive(Debug, PartialEq)]
enum Answer {
    Done,
    Rows(Vec<(String, String)>),
    Nothing,
    Bye,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Done => f.write_str("ok"),
            Answer::Nothing => f.write_str("(nothing)"),
            Answer::Bye => f.write_str("bye"),
            Answer::Rows(rows) => {
                let width = rows.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
                for (key, value) in rows {
                    writeln!(f, "{key:<width$}  {value}")?;
                }
                write!(f, "({} rows)", rows.len())
            }
        }
    }
}

fn execute(engine: &mut Engine, command: Command) -> Result<Answer> {
    Ok(match command {
        Command::Create(name) => {
            engine.create(&name)?;
            Answer::Done
        }
        Command::Get(table, key) => match engine.table(&table)?.get(&key) {
            Some(value) => Answer::Rows(vec![(key.to_string(), value.to_string())]),
            None => Answer::Nothing,
        },
        Command::Put(table, key, value) => {
            engine.put(&table, key, value)?;
            Answer::Done
        }
        Command::Delete(table, key) => {
            if engine.delete(&table, &key)? {
                Answer::Done
            } else {
                Answer::Nothing
            }
        }
        Command::Scan(table, filter) => Answer::Rows(
            engine
                .table(&table)?
                .iter()
                .filter(|(key, value)| filter.as_ref().is_none_or(|f| f.accepts(key, value)))
                .map(|(key, value)| (key.to_string(), value.to_string()))
                .collect(),
        ),
        Command::Migrate => {
            let numbers_to_text = migrate::Rewrite {
                table: "pantry",
                rule: |value: &Value| match value {
                    Value::Int(n) => Some(Value::Text(n.to_string())),
                    _ => None,
                },
            };
            let rename = migrate::Rename {
                from: "pantry",
                to: "shelf",
            };
            let report = migrate::run_all(engine, &[&numbers_to_text, &rename])?;
            let rows = report
                .done
                .into_iter()
                .map(|(title, count)| (title, count.to_string()))
                .chain(report.failed.map(|e| ("failed".to_owned(), e)))
                .collect();
            Answer::Rows(rows)
        }
        Command::Quit => Answer::Bye,
    })
}

/// Reads commands line by line until the end or `quit`.
fn shell(input: impl BufRead, mut output: impl Write) -> io::Result<usize> {
    let mut engine = Engine::new();
    let mut count = 0;
    for line in input.lines() {
        let line = line?;
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        count += 1;
        match query::parse(line).and_then(|command| execute(&mut engine, command)) {
            Ok(Answer::Bye) => break,
            Ok(answer) => writeln!(output, "{answer}")?,
            Err(e) => writeln!(output, "error: {e}")?,
        }
    }
    for name in engine.names() {
        if let Ok(table) = engine.table(name) {
            let histogram = stats::of(table);
            writeln!(output, "{name}: {} values\n{histogram}", histogram.total())?;
        }
    }
    Ok(count)
}

fn main() {
    let script = "\
        create pantry\n\
        put pantry flour 3   # bags\n\
        put pantry sugar 1\n\
        put pantry herbs [\"thyme\" \"sage\"]\n\
        scan pantry where value > 1 and not prefix h\n\
        migrate\n\
        scan shelf\n\
        quit\n";
    match shell(script.as_bytes(), io::stdout().lock()) {
        Ok(count) => eprintln!("{count} commands"),
        Err(e) => eprintln!("larder: {e}"),
    }
}
