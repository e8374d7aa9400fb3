//! Orders of a small shop: a list of prices, a text format for orders, totals, a report.

#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fmt;

/// Amounts of money.
mod money {
    use std::fmt;
    use std::iter::Sum;
    use std::ops::{Add, AddAssign};

    /// An amount in cents.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Cents(pub u32);

    impl Cents {
        pub const ZERO: Cents = Cents(0);

        pub const fn of(euros: u32, cents: u32) -> Self {
            Self(euros * 100 + cents)
        }

        pub fn times(self, count: u32) -> Self {
            Self(self.0 * count)
        }

        /// So many percent of it, rounded down.
        pub fn percent(self, rate: u32) -> Self {
            Self(self.0 / 100 * rate)
        }
    }

    impl Add for Cents {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self(self.0 + other.0)
        }
    }

    impl AddAssign for Cents {
        fn add_assign(&mut self, other: Self) {
            *self = *self + other;
        }
    }

    impl Sum for Cents {
        fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
            amounts.fold(Self::ZERO, |sum, amount| sum + amount)
        }
    }

    impl fmt::Display for Cents {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}.{:02} EUR", self.0 / 100, self.0 % 100)
        }
    }
}

/// What is sold.
mod catalogue {
    use super::money::Cents;
    use std::collections::HashMap;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Kind {
        Food,
        Book,
        Voucher,
    }

    impl Kind {
        /// The tax on it, in percent.
        pub fn tax(self) -> u32 {
            match self {
                Kind::Food | Kind::Book => 7,
                Kind::Voucher => 0,
            }
        }
    }

    #[derive(Clone, Debug)]
    pub struct Product {
        pub title: String,
        pub price: Cents,
        pub kind: Kind,
    }

    /// The products by their numbers.
    #[derive(Debug, Default)]
    pub struct Catalogue {
        products: HashMap<String, Product>,
        aliases: HashMap<String, String>,
    }

    impl Catalogue {
        pub fn insert(&mut self, number: &str, title: &str, price: Cents, kind: Kind) {
            let product = Product { title: title.to_owned(), price, kind };
            self.products.insert(number.to_uppercase(), product);
        }

        /// Another number of a product.
        pub fn alias(&mut self, alias: &str, number: &str) {
            if self.products.contains_key(&number.to_uppercase()) {
                self.aliases.insert(alias.to_owned(), number.to_owned());
            }
        }

        pub fn find(&self, number: &str) -> Option<&Product> {
            let number = self.aliases.get(number).map_or(number, String::as_str);
            self.products.get(number)
        }

        pub fn price(&self, number: &str) -> Cents {
            match self.find(number) {
                Some(product) => product.price,
                None => panic!("no product {number}"),
            }
        }

        pub fn title(&self, number: &str) -> &str {
            match self.find(number) {
                Some(product) => &product.title,
                None => panic!("no product {number}"),
            }
        }

        pub fn len(&self) -> usize {
            self.products.len()
        }
    }
}

/// Orders, and how they are written.
mod orders {
    use super::catalogue::Catalogue;
    use super::money::Cents;
    use std::str::FromStr;

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Line {
        pub number: String,
        pub count: u32,
    }

    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Order {
        pub customer: String,
        pub lines: Vec<Line>,
        pub discount: u32,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum OrderError {
        NoCustomer,
        NoCount(String),
        BadCount(String),
    }

    impl FromStr for Line {
        type Err = OrderError;

        fn from_str(text: &str) -> Result<Self, OrderError> {
            let (count, number) = text.split_once('x').ok_or_else(|| OrderError::NoCount(text.to_owned()))?;
            let count = count.trim().parse().map_err(|_| OrderError::BadCount(count.to_owned()))?;
            Ok(Self { number: number.trim().to_owned(), count })
        }
    }

    impl FromStr for Order {
        type Err = OrderError;

        fn from_str(text: &str) -> Result<Self, OrderError> {
            let (customer, rest) = text.split_once(':').ok_or(OrderError::NoCustomer)?;
            let mut order = Self { customer: customer.trim().to_owned(), ..Self::default() };
            for part in rest.split(',').map(str::trim) {
                match part.strip_suffix('%') {
                    Some(rate) => order.discount = rate.parse().map_err(|_| OrderError::BadCount(rate.to_owned()))?,
                    None => order.lines.push(part.parse()?),
                }
            }
            Ok(order)
        }
    }

    impl Order {
        pub fn total(&self, catalogue: &Catalogue) -> Cents {
            let full: Cents = self.lines.iter().map(|line| catalogue.price(&line.number).times(line.count)).sum();
            full.percent(100 - self.discount)
        }

        pub fn count(&self) -> u32 {
            self.lines.iter().map(|line| line.count).sum()
        }
    }
}

use catalogue::{Catalogue, Kind};
use money::Cents;
use orders::Order;

/// What customers spent.
#[derive(Default)]
struct Report {
    spent: BTreeMap<String, Cents>,
    orders: usize,
}

impl Report {
    fn add(&mut self, order: &Order, catalogue: &Catalogue) {
        *self.spent.entry(order.customer.clone()).or_default() += order.total(catalogue);
        self.orders += 1;
    }

    fn best(&self) -> Option<(&str, Cents)> {
        self.spent.iter().max_by_key(|(_, spent)| **spent).map(|(name, spent)| (name.as_str(), *spent))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} orders", self.orders)?;
        self.spent.iter().try_for_each(|(name, spent)| writeln!(f, "{name:>10} {spent}"))
    }
}

fn stock() -> Catalogue {
    let mut catalogue = Catalogue::default();
    catalogue.insert("T1", "Tea", Cents::of(4, 50), Kind::Food);
    catalogue.insert("C7", "Coffee", Cents::of(7, 90), Kind::Food);
    catalogue.insert("B3", "A book of maps", Cents::of(32, 0), Kind::Book);
    catalogue.insert("V9", "Voucher", Cents::of(25, 0), Kind::Voucher);
    catalogue.alias("tea", "T1");
    catalogue
}

fn main() {
    let catalogue = stock();
    println!("{} products", catalogue.len());
    let mut report = Report::default();
    for text in ["ann: 2x tea, 1x B3", "bob: 1x V9, 10%", "ann: 3x C7, 5%", "eve: 1x T1, 2x c7"] {
        match text.parse::<Order>() {
            Ok(order) => report.add(&order, &catalogue),
            Err(error) => eprintln!("{text}: {error:?}"),
        }
    }
    print!("{report}");
    if let Some((name, spent)) = report.best() {
        println!("best: {name} with {spent}, {}", catalogue.title("C7"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_read() {
        let order: Order = "ann: 2x tea, 1 x B3, 10%".parse().expect("it is one");
        assert_eq!((order.count(), order.discount), (3, 10));
        assert_eq!("2x tea".parse::<Order>(), Err(orders::OrderError::NoCustomer));
    }

    #[test]
    fn a_discount_is_taken_from_all() {
        let order: Order = "ann: 2x tea, 50%".parse().expect("it is one");
        assert_eq!(order.total(&stock()), Cents::of(4, 50));
    }
}
