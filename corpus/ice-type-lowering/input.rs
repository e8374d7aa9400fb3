//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! A double-entry ledger for a small bank.
//!
//! * `money`: amounts and currencies, no floating point anywhere;
//! * `chart`: the accounts;
//! * `journal`: entries and their postings;
//! * `rules`: what has to hold before an entry is accepted;
//! * `hooks`: who is told about it;
//! * `book`: the ledger itself;
//! * `statement`: the printed form.

#![allow(clippy::module_inception)]

pub mod money {
    use std::fmt;
    use std::iter::Sum;
    use std::ops::{Add, AddAssign, Neg, Sub};
    use std::str::FromStr;

    macro_rules! currencies {
        ($($code:ident, $digits:literal, $name:literal;)*) => {
            /// The currencies that accounts may be kept in.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub enum Currency {
                $(#[doc = $name] $code,)*
            }

            impl Currency {
                /// Number of digits after the point.
                pub const fn digits(self) -> usize {
                    match self {
                        $(Currency::$code => $digits,)*
                    }
                }

                pub const fn code(self) -> &'static str {
                    match self {
                        $(Currency::$code => stringify!($code),)*
                    }
                }
            }

            impl FromStr for Currency {
                type Err = AmountError;

                fn from_str(text: &str) -> Result<Self, AmountError> {
                    match text {
                        $(stringify!($code) => Ok(Currency::$code),)*
                        _ => Err(AmountError::Currency(text.to_owned())),
                    }
                }
            }
        };
    }

    currencies! {
        Eur, 2, "Euro";
        Chf, 2, "Swiss franc";
        Jpy, 0, "Yen";
        Kwd, 3, "Kuwaiti dinar";
    }

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum AmountError {
        Currency(String),
        Number(String),
        TooManyDigits { allowed: usize, found: usize },
    }

    impl fmt::Display for AmountError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                AmountError::Currency(code) => write!(f, "unknown currency `{code}`"),
                AmountError::Number(text) => write!(f, "`{text}` is not an amount"),
                AmountError::TooManyDigits { allowed, found } => {
                    write!(
                        f,
                        "{found} digits after the point, at most {allowed} allowed"
                    )
                }
            }
        }
    }

    impl std::error::Error for AmountError {}

    /// An amount in the smallest unit of its currency.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Minor(pub i64);

    impl Minor {
        pub const ZERO: Minor = Minor(0);

        pub fn is_zero(self) -> bool {
            self.0 == 0
        }

        pub fn abs(self) -> Minor {
            Minor(self.0.abs())
        }

        /// Reads `12.34` with as many digits as the currency has.
        pub fn parse(text: &str, currency: Currency) -> Result<Minor, AmountError> {
            let bad = || AmountError::Number(text.to_owned());
            let (sign, digits) = match text.strip_prefix('-') {
                Some(rest) => (-1, rest),
                None => (1, text),
            };
            let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
            let allowed = currency.digits();
            if part.len() > allowed {
                return Err(AmountError::TooManyDigits {
                    allowed,
                    found: part.len(),
                });
            }
            let padded = format!("{whole}{part:0<allowed$}");
            padded
                .parse::<i64>()
                .map(|units| Minor(sign * units))
                .map_err(|_| bad())
        }

        pub fn show(self, currency: Currency) -> String {
            let digits = currency.digits();
            let scale = 10_i64.pow(digits as u32);
            let sign = if self.0 < 0 { "-" } else { "" };
            let units = self.0.abs();
            if digits == 0 {
                format!("{sign}{units}")
            } else {
                format!("{sign}{}.{:0digits$}", units / scale, units % scale)
            }
        }
    }

    impl Add for Minor {
        type Output = Minor;

        fn add(self, other: Minor) -> Minor {
            Minor(self.0 + other.0)
        }
    }

    impl Sub for Minor {
        type Output = Minor;

        fn sub(self, other: Minor) -> Minor {
            Minor(self.0 - other.0)
        }
    }

    impl Neg for Minor {
        type Output = Minor;

        fn neg(self) -> Minor {
            Minor(-self.0)
        }
    }

    impl AddAssign for Minor {
        fn add_assign(&mut self, other: Minor) {
            *self = *self + other;
        }
    }

    impl Sum for Minor {
        fn sum<I: Iterator<Item = Minor>>(iter: I) -> Minor {
            iter.fold(Minor::ZERO, Add::add)
        }
    }
}

pub mod chart {
    use crate::money::Currency;
    use std::collections::BTreeMap;
    use std::fmt;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct AccountId(pub u32);

    impl fmt::Display for AccountId {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "#{:06}", self.0)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Nature {
        Asset,
        Liability,
        Income,
        Expense,
    }

    impl Nature {
        /// +1 if a debit makes the balance larger.
        pub fn sign(self) -> i64 {
            match self {
                Nature::Asset | Nature::Expense => 1,
                Nature::Liability | Nature::Income => -1,
            }
        }
    }

    #[derive(Clone, Debug)]
    pub struct Account {
        pub id: AccountId,
        pub title: String,
        pub nature: Nature,
        pub currency: Currency,
        pub closed: bool,
    }

    /// All accounts of the bank.
    #[derive(Clone, Debug, Default)]
    pub struct Chart {
        accounts: BTreeMap<AccountId, Account>,
    }

    impl Chart {
        pub fn open(&mut self, title: &str, nature: Nature, currency: Currency) -> AccountId {
            let next = self
                .accounts
                .last_key_value()
                .map_or(1, |(&AccountId(last), _)| last + 1);
            let id = AccountId(next);
            self.accounts.insert(
                id,
                Account {
                    id,
                    title: title.to_owned(),
                    nature,
                    currency,
                    closed: false,
                },
            );
            id
        }

        pub fn close(&mut self, id: AccountId) -> bool {
            self.accounts
                .get_mut(&id)
                .map(|account| std::mem::replace(&mut account.closed, true))
                .is_some_and(|before| !before)
        }

        pub fn get(&self, id: AccountId) -> Option<&Account> {
            self.accounts.get(&id)
        }

        pub fn iter(&self) -> impl Iterator<Item = &Account> {
            self.accounts.values()
        }
    }
}

pub mod journal {
    use crate::chart::AccountId;
    use crate::money::{Currency, Minor};
    use std::collections::BTreeMap;

    /// Days since the bank was founded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub struct Day(pub u32);

    /// One line of an entry; debits are positive.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Posting {
        pub account: AccountId,
        pub amount: Minor,
        pub currency: Currency,
    }

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Entry {
        pub day: Day,
        pub text: String,
        pub postings: Vec<Posting>,
    }

    impl Entry {
        pub fn new(day: Day, text: impl Into<String>) -> Self {
            Entry {
                day,
                text: text.into(),
                postings: Vec::with_capacity(2),
            }
        }

        pub fn debit(mut self, account: AccountId, amount: Minor, currency: Currency) -> Self {
            self.postings.push(Posting {
                account,
                amount,
                currency,
            });
            self
        }

        pub fn credit(self, account: AccountId, amount: Minor, currency: Currency) -> Self {
            self.debit(account, -amount, currency)
        }

        /// What is left over in each currency; all zero in a good entry.
        pub fn remainders(&self) -> BTreeMap<Currency, Minor> {
            let mut sums = BTreeMap::new();
            for posting in &self.postings {
                *sums.entry(posting.currency).or_insert(Minor::ZERO) += posting.amount;
            }
            sums
        }
    }
}

pub mod rules {
    use crate::chart::{AccountId, Chart};
    use crate::journal::Entry;
    use crate::money::{Currency, Minor};
    use std::fmt;

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Violation {
        Empty,
        Unbalanced {
            currency: Currency,
            by: Minor,
        },
        NoAccount(AccountId),
        Closed(AccountId),
        WrongCurrency {
            account: AccountId,
            currency: Currency,
        },
        TooLarge {
            limit: Minor,
            amount: Minor,
        },
    }

    impl fmt::Display for Violation {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Violation::Empty => f.write_str("the entry has no postings"),
                Violation::Unbalanced { currency, by } => {
                    write!(
                        f,
                        "out of balance by {} {}",
                        by.show(*currency),
                        currency.code()
                    )
                }
                Violation::NoAccount(id) => write!(f, "there is no account {id}"),
                Violation::Closed(id) => write!(f, "account {id} is closed"),
                Violation::WrongCurrency { account, currency } => {
                    write!(f, "account {account} is not kept in {}", currency.code())
                }
                Violation::TooLarge { limit, amount } => {
                    write!(f, "{} is over the limit of {}", amount.0, limit.0)
                }
            }
        }
    }

    impl std::error::Error for Violation {}

    pub trait Rule {
        fn check(&self, entry: &Entry, chart: &Chart) -> Result<(), Violation>;

        /// This rule, then another one.
        fn then<R: Rule>(self, next: R) -> Then<Self, R>
        where
            Self: Sized,
        {
            Then { first: self, next }
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Then<A, B> {
        first: A,
        next: B,
    }

    impl<A: Rule, B: Rule> Rule for Then<A, B> {
        fn check(&self, entry: &Entry, chart: &Chart) -> Result<(), Violation> {
            self.first.check(entry, chart)?;
            self.next.check(entry, chart)
        }
    }

    impl<F> Rule for F
    where
        F: Fn(&Entry, &Chart) -> Result<(), Violation>,
    {
        fn check(&self, entry: &Entry, chart: &Chart) -> Result<(), Violation> {
            self(entry, chart)
        }
    }

    /// The sums are zero in each currency.
    #[derive(Clone, Copy, Debug)]
    pub struct Balanced;

    impl Rule for Balanced {
        fn check(&self, entry: &Entry, _: &Chart) -> Result<(), Violation> {
            if entry.postings.is_empty() {
                return Err(Violation::Empty);
            }
            match entry
                .remainders()
                .into_iter()
                .find(|(_, sum)| !sum.is_zero())
            {
                Some((currency, by)) => Err(Violation::Unbalanced { currency, by }),
                None => Ok(()),
            }
        }
    }

    /// The accounts exist, are open, and are kept in the right currency.
    #[derive(Clone, Copy, Debug)]
    pub struct Addressed;

    impl Rule for Addressed {
        fn check(&self, entry: &Entry, chart: &Chart) -> Result<(), Violation> {
            for posting in &entry.postings {
                let account = chart
                    .get(posting.account)
                    .ok_or(Violation::NoAccount(posting.account))?;
                if account.closed {
                    return Err(Violation::Closed(account.id));
                }
                if account.currency != posting.currency {
                    return Err(Violation::WrongCurrency {
                        account: account.id,
                        currency: posting.currency,
                    });
                }
            }
            Ok(())
        }
    }

    /// No single posting is larger than this.
    #[derive(Clone, Copy, Debug)]
    pub struct Limit(pub Minor);

    impl Rule for Limit {
        fn check(&self, entry: &Entry, _: &Chart) -> Result<(), Violation> {
            entry
                .postings
                .iter()
                .map(|posting| posting.amount.abs())
                .find(|&amount| amount > self.0)
                .map_or(Ok(()), |amount| {
                    Err(Violation::TooLarge {
                        limit: self.0,
                        amount,
                    })
                })
        }
    }
}

#[macro_use]
pub mod hooks {
    use crate::journal::Entry;
    use crate::rules::Violation;

    /// What an observer wants to happen next.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict {
        Continue,
        Detach,
    }

    /// Somebody who is told about entries.
    pub trait Observer {
        fn accepted(&mut self, number: usize, entry: &Entry) -> Verdict;

        fn refused(&mut self, _entry: &Entry, _why: &Violation) -> Verdict {
            Verdict::Continue
        }
    }

    /// The type of an object that must not leave the thread of its book.
    macro_rules! confined {
        ($($interface:tt)+) => {
            dyn $($interface)+ + ?Sized + !Send
        };
    }

    /// Counts, and nothing else.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Counter {
        pub accepted: usize,
        pub refused: usize,
    }

    impl Observer for Counter {
        fn accepted(&mut self, _: usize, _: &Entry) -> Verdict {
            self.accepted += 1;
            Verdict::Continue
        }

        fn refused(&mut self, _: &Entry, _: &Violation) -> Verdict {
            self.refused += 1;
            Verdict::Continue
        }
    }

    /// Keeps the texts of the first few entries.
    #[derive(Clone, Debug)]
    pub struct Sample {
        pub texts: Vec<String>,
        room: usize,
    }

    impl Sample {
        pub fn new(room: usize) -> Self {
            Sample {
                texts: Vec::new(),
                room,
            }
        }
    }

    impl Observer for Sample {
        fn accepted(&mut self, number: usize, entry: &Entry) -> Verdict {
            self.texts.push(format!("{number}: {}", entry.text));
            self.room = self.room.saturating_sub(1);
            if self.room == 0 {
                Verdict::Detach
            } else {
                Verdict::Continue
            }
        }
    }
}

pub mod book {
    use crate::chart::{AccountId, Chart};
    use crate::hooks::{Observer, Verdict};
    use crate::journal::{Day, Entry};
    use crate::money::Minor;
    use crate::rules::{Rule, Violation};
    use std::cell::RefCell;
    use std::rc::Rc;

    /// What came of a number of entries.
    #[derive(Debug, Default)]
    pub struct Outcome {
        pub accepted: usize,
        pub refused: Vec<(usize, Violation)>,
    }

    impl Outcome {
        pub fn is_clean(&self) -> bool {
            self.refused.is_empty()
        }
    }

    pub struct Book<R> {
        pub chart: Chart,
        rule: R,
        entries: Vec<Entry>,
        observers: Vec<Rc<RefCell<dyn Observer>>>,
    }

    impl<R: Rule> Book<R> {
        pub fn new(chart: Chart, rule: R) -> Self {
            Book {
                chart,
                rule,
                entries: Vec::new(),
                observers: Vec::new(),
            }
        }

        pub fn attach(&mut self, observer: Rc<RefCell<dyn Observer>>) -> &mut Self {
            self.observers.push(observer);
            self
        }

        /// Tells everybody; drops those who have heard enough.
        fn announce(&mut self, number: usize, entry: &Entry, result: Result<(), &Violation>) {
            let tell = |observer: &mut confined!(Observer), number: usize| match result {
                Ok(()) => observer.accepted(number, entry),
                Err(why) => observer.refused(entry, why),
            };
            self.observers
                .retain(|slot| tell(&mut *slot.borrow_mut(), number) == Verdict::Continue);
        }

        pub fn post(&mut self, entry: Entry) -> Result<usize, Violation> {
            let number = self.entries.len() + 1;
            let result = self.rule.check(&entry, &self.chart);
            self.announce(number, &entry, result.as_ref().copied());
            result.map(|()| {
                self.entries.push(entry);
                number
            })
        }

        pub fn post_all<I>(&mut self, entries: I) -> Outcome
        where
            I: IntoIterator<Item = Entry>,
        {
            let mut outcome = Outcome::default();
            for (index, entry) in entries.into_iter().enumerate() {
                match self.post(entry) {
                    Ok(_) => outcome.accepted += 1,
                    Err(why) => outcome.refused.push((index, why)),
                }
            }
            outcome
        }

        pub fn entries(&self) -> &[Entry] {
            &self.entries
        }

        /// The balance of an account at the end of a day.
        pub fn balance(&self, account: AccountId, day: Day) -> Minor {
            let debits: Minor = self
                .entries
                .iter()
                .filter(|entry| entry.day <= day)
                .flat_map(|entry| &entry.postings)
                .filter(|posting| posting.account == account)
                .map(|posting| posting.amount)
                .sum();
            match self.chart.get(account) {
                Some(account) => Minor(debits.0 * account.nature.sign()),
                None => Minor::ZERO,
            }
        }
    }
}

pub mod import {
    use crate::chart::AccountId;
    use crate::journal::{Day, Entry};
    use crate::money::{AmountError, Currency, Minor};

    #[derive(Debug)]
    pub enum ImportError {
        Fields { line: usize, found: usize },
        Number { line: usize, text: String },
        Amount { line: usize, source: AmountError },
    }

    /// Reads lines of `day;from;to;amount;currency;text`.
    pub fn read(text: &str) -> Result<Vec<Entry>, ImportError> {
        text.lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(index, line)| read_line(index + 1, line))
            .collect()
    }

    fn number(line: usize, text: &str) -> Result<u32, ImportError> {
        text.trim().parse().map_err(|_| ImportError::Number {
            line,
            text: text.to_owned(),
        })
    }

    fn read_line(line: usize, row: &str) -> Result<Entry, ImportError> {
        let fields: Vec<&str> = row.splitn(6, ';').collect();
        let [day, from, to, amount, currency, text] = fields[..] else {
            return Err(ImportError::Fields {
                line,
                found: fields.len(),
            });
        };
        let wrap = |source| ImportError::Amount { line, source };
        let currency: Currency = currency.trim().parse().map_err(wrap)?;
        let amount = Minor::parse(amount.trim(), currency).map_err(wrap)?;
        let from = AccountId(number(line, from)?);
        let to = AccountId(number(line, to)?);
        Ok(Entry::new(Day(number(line, day)?), text.trim())
            .debit(to, amount, currency)
            .credit(from, amount, currency))
    }
}

pub mod statement {
    use crate::book::Book;
    use crate::chart::AccountId;
    use crate::journal::Day;
    use crate::rules::Rule;
    use std::fmt::{self, Write};

    /// The statement of one account, from one day to another.
    pub fn print<R: Rule>(
        book: &Book<R>,
        account: AccountId,
        days: std::ops::RangeInclusive<Day>,
    ) -> Result<String, fmt::Error> {
        let mut out = String::new();
        let Some(details) = book.chart.get(account) else {
            return Ok(out);
        };
        writeln!(out, "{} {}", details.id, details.title)?;
        let mut lines = 0;
        for entry in book.entries() {
            if !days.contains(&entry.day) {
                continue;
            }
            for posting in entry.postings.iter().filter(|line| line.account == account) {
                let amount = posting.amount.show(details.currency);
                writeln!(out, "{:>5}  {:<40.40}{amount:>14}", entry.day.0, entry.text)?;
                lines += 1;
            }
        }
        let last = book.balance(account, *days.end()).show(details.currency);
        writeln!(
            out,
            "{lines} lines, balance {last} {}",
            details.currency.code()
        )?;
        Ok(out)
    }
}
