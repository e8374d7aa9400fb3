//@ valid-by: +nightly -Znext-solver
//! Columns of a report: functions over records, known by what they can be compared with.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// A thing that a report has rows of.
pub trait Record: Sized + 'static {
    type Part<'a>;
    const TITLE: &'static str;
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Person {
    name: String,
    age: u8,
}

impl Person {
    fn new(name: &str, age: u8) -> Self {
        Person { name: name.to_string(), age }
    }

    fn older<'a>(&'a self, other: &'a Person) -> &'a Person {
        match self.age.cmp(&other.age) {
            Ordering::Less => other,
            _ => self,
        }
    }
}

impl Record for Person {
    type Part<'a> = usize;
    const TITLE: &'static str = "person";
}

impl Record for char {
    type Part<'a> = &'a str;
    const TITLE: &'static str = "letter";
}

pub trait Titled {
    fn title(&self) -> &'static str;
    fn rank(&self) -> usize;
}

pub trait Column: Titled {
    fn heading(&self, width: usize) -> String {
        format!("{:>width$}", self.title())
    }
}

impl<R: Record> Titled for fn(&mut String, R, R::Part<'_>) -> fmt::Result {
    fn title(&self) -> &'static str {
        R::TITLE
    }
    fn rank(&self) -> usize {
        R::TITLE.len()
    }
}

impl<R: Record> Column for fn(&mut String, R, R::Part<'_>) -> fmt::Result {}

type Cell<R, P> = fn(&mut String, R, P) -> fmt::Result;

/// Where the function of a column is, for those that only want to know whether two are the same.
union Place<R: Record> {
    cell: &'static fn(&mut String, R, R::Part<'_>) -> fmt::Result,
    address: *const (),
}

impl<R: Record> Place<R> {
    /// The column, as what has a title.
    const fn titled(self) -> &'static dyn Titled {
        let column: &'static dyn Column = unsafe { self.cell };
        column
    }

    fn is(&self, other: &Place<R>) -> bool {
        unsafe { self.address == other.address }
    }
}

const fn later<'a>(first: &'a [u8], second: &'a [u8]) -> &'a [u8] {
    if first.len() > second.len() { first } else { second }
}

fn name(out: &mut String, person: Person, width: usize) -> fmt::Result {
    write!(out, "{:width$}", person.name)
}

fn age(out: &mut String, person: Person, width: usize) -> fmt::Result {
    write!(out, "{:>width$}", person.age)
}

const CELLS: [Cell<Person, usize>; 2] = [name, age];
static NAME: Cell<Person, usize> = name;
static AGE: Cell<Person, usize> = age;
const LONGEST: &[u8] = later(b"name", b"age");

/// All columns of a report on persons.
const COLUMNS: [&dyn Titled; 2] = {
    let first = Place::<Person> { cell: &NAME }.titled();
    let second = Place::<Person> { cell: &AGE }.titled();
    [first, second]
};

struct Report<'a> {
    persons: &'a [Person],
    out: String,
}

impl<'a> Report<'a> {
    fn new(persons: &'a [Person]) -> Self {
        Report { persons, out: String::new() }
    }

    fn write(mut self) -> Result<String, fmt::Error> {
        for person in self.persons {
            for cell in CELLS {
                cell(&mut self.out, person.clone(), LONGEST.len())?;
            }
            self.out.push('\n');
        }
        Ok(self.out)
    }

    fn oldest(&self) -> Option<&'a Person> {
        self.persons.iter().reduce(|one, other| one.older(other))
    }
}

fn main() -> Result<(), fmt::Error> {
    let persons = vec![Person::new("Ada", 36), Person::new("Bo", 7)];
    let sorted: BTreeSet<&Person> = persons.iter().collect();
    let report = Report::new(&persons);
    println!("{}", Place::<Person> { cell: &NAME }.is(&Place { cell: &AGE }));
    println!("{:?} of {}", report.oldest(), sorted.len());
    for column in COLUMNS {
        println!("{} {}", column.title(), column.rank());
    }
    print!("{}", report.write()?);
    Ok(())
}
