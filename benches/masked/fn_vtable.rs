//@ valid-by: +nightly -Znext-solver
//! Cells of a sheet, and functions over them that are kept as objects.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Empty,
    Number(f64),
    Text(Rc<str>),
}

impl Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Empty => Ok(()),
            Cell::Number(number) => write!(f, "{number:.2}"),
            Cell::Text(text) => f.pad(text),
        }
    }
}

/// What a function over cells gets beside the value.
pub trait Value: Sized {
    type Context<'a>;
    const SLOTS: usize;
    fn read(cell: &Cell) -> Option<Self>;
}

impl Value for f64 {
    type Context<'a> = usize;
    const SLOTS: usize = 2;
    fn read(cell: &Cell) -> Option<f64> {
        if let Cell::Number(number) = cell { Some(*number) } else { None }
    }
}

impl Value for Rc<str> {
    type Context<'a> = &'a Sheet;
    const SLOTS: usize = 1;
    fn read(cell: &Cell) -> Option<Self> {
        match cell {
            Cell::Text(text) => Some(Rc::clone(text)),
            _ => None,
        }
    }
}

pub trait Formula {
    fn arity(&self) -> usize;
    fn is_for(&self, cell: &Cell) -> bool;
    fn consume(self: Box<Self>) -> String;
}

impl<V: Value> Formula for fn(V, V::Context<'_>) -> Cell {
    fn arity(&self) -> usize {
        V::SLOTS
    }
    fn is_for(&self, cell: &Cell) -> bool {
        V::read(cell).is_some()
    }
    fn consume(self: Box<Self>) -> String {
        format!("{} slots", self.arity())
    }
}

/// So many slots, which must be enough for the value.
struct Slots<V, const N: usize>([Option<V>; N]);

impl<V: Value, const N: usize> Slots<V, N> {
    const ENOUGH: () = assert!(N >= V::SLOTS, "too few slots");

    fn new() -> Self {
        let () = Self::ENOUGH;
        Slots(std::array::from_fn(|_| None))
    }

    fn fill(mut self, cell: &Cell) -> [Option<V>; N] {
        for slot in &mut self.0 {
            *slot = V::read(cell);
        }
        self.0
    }
}

#[derive(Default)]
pub struct Sheet {
    cells: BTreeMap<(u32, char), Cell>,
    formulas: Vec<Box<dyn Formula>>,
}

impl Sheet {
    fn set(&mut self, row: u32, column: char, cell: Cell) -> Option<Cell> {
        self.cells.insert((row, column), cell)
    }

    fn add<V: Value + 'static>(&mut self, formula: fn(V, V::Context<'_>) -> Cell) -> usize {
        let slots = Slots::<V, 2>::new().fill(&Cell::Empty);
        let formula: Box<dyn Formula> = Box::new(formula);
        self.formulas.push(formula);
        slots.iter().flatten().count()
    }

    fn column(&self, wanted: char) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |((_, column), _)| *column == wanted).map(|(_, cell)| cell)
    }
}

fn half(number: f64, row: usize) -> Cell {
    Cell::Number(number / 2.0 + row as f64)
}

/// The first character without a check.
fn first(text: &str) -> char {
    assert!(text.is_ascii() && !text.is_empty());
    char::from(unsafe { *text.as_bytes().get_unchecked(0) })
}

fn main() {
    let mut sheet = Sheet::default();
    sheet.set(1, 'a', Cell::Number(4.0));
    sheet.set(2, 'a', Cell::Text("four".into()));
    sheet.set(2, first("bc"), Cell::Empty);
    sheet.add::<f64>(half);
    for cell in sheet.column('a') {
        let users = sheet.formulas.iter().filter(|formula| formula.is_for(cell)).count();
        println!("{cell} is for {users}, {}", half(1.0, users));
    }
    for formula in sheet.formulas {
        println!("{}", formula.consume());
    }
}
