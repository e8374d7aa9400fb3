// `Sum` is implemented for the type, so why can an iterator over references to it not be summed?
//@ error: a value of type `(\w+)` cannot be made by summing an iterator over elements of type `&(?:'\w+ )?\1`
//@ code: \bimpl\b[^{]*\bSum\b[^{]* for \w+
use std::iter::Sum;
use std::ops::Add;

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Cents(u64);

impl Add for Cents {
    type Output = Cents;
    fn add(self, other: Cents) -> Cents { Cents(self.0 + other.0) }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Cents>>(iter: I) -> Cents { iter.fold(Cents(0), Add::add) }
}

#[derive(Debug)]
struct Line { article: &'static str, count: u64, price: Cents }

struct Invoice { lines: Vec<Line>, fees: Vec<Cents> }

impl Invoice {
    fn goods(&self) -> Cents { self.lines.iter().map(|line| Cents(line.price.0 * line.count)).sum() }
    fn pieces(&self) -> u64 { self.lines.iter().map(|line| &line.count).sum() }
    fn total(&self) -> Cents {
        let fees: Cents = self.fees.iter().sum();
        self.goods() + fees
    }
}

fn main() {
    let lines = vec![Line { article: "rope", count: 2, price: Cents(250) }];
    let invoice = Invoice { lines, fees: vec![Cents(90), Cents(10)] };
    println!("{} {:?} {}", invoice.pieces(), invoice.total(), invoice.lines[0].article);
}
