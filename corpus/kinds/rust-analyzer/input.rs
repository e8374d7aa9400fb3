//! Texts in columns: words are wrapped, lines are aligned, tables have borders.

#![allow(dead_code)]

use std::cmp::Ordering;
use std::fmt;

/// Where a line stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
    Middle,
}

impl Align {
    /// How many spaces stand before a text and behind it.
    fn spaces(self, width: usize, length: usize) -> (usize, usize) {
        let free = width.saturating_sub(length);
        match self {
            Align::Left => (0, free),
            Align::Right => (free, 0),
            Align::Middle => (free / 2, free - free / 2),
        }
    }
}

fn pad(text: &str, width: usize, align: Align) -> String {
    let (before, behind) = align.spaces(width, text.chars().count());
    format!("{}{text}{}", " ".repeat(before), " ".repeat(behind))
}

/// Breaks a text into lines of at most so many characters.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() >= width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    title: String,
    align: Align,
    width: usize,
}

impl Column {
    pub fn new(title: &str, align: Align) -> Self {
        Self { title: title.to_owned(), align, width: title.len() }
    }

    /// Makes it as wide as a text, but not wider than a bound.
    fn widen(&mut self, text: &str, bound: usize) {
        self.width = self.width.max(text.chars().count()).min(bound);
    }
}

/// What borders are made of.
pub trait Border {
    const CORNER: char;
    const BAR: char;
    const LINE: char;

    fn rule(widths: &[usize]) -> String {
        let mut rule = String::from(Self::CORNER);
        for width in widths {
            rule.extend(std::iter::repeat_n(Self::LINE, width + 2));
            rule.push(Self::CORNER);
        }
        rule
    }
}

pub struct Plain;

pub struct Heavy;

impl Border for Plain {
    const CORNER: char = '+';
    const BAR: char = '|';
    const LINE: char = '-';
}

impl Border for Heavy {
    const CORNER: char = '#';
    const BAR: char = '#';
    const LINE: char = '=';
}

/// What can be read cell by cell, without a copy of it.
pub trait Cells {
    type Cell<'a>;

    fn first(&self) -> usize {
        0
    }
}

impl Cells for Table {
    type Cell<T> = (usize, T);

    fn first(&self) -> usize {
        self.rows.iter().position(|row| !row.is_empty()).unwrap_or(self.rows.len())
    }
}

/// The first cell of a row that is not empty.
pub fn first_cell(table: &Table) -> <Table as Cells>::Cell {
    let row = table.first();
    (row, &table.rows[row][0])
}

/// A table: columns, and rows of as many cells.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum TableError {
    Cells { expected: usize, found: usize },
    NoColumn(String),
}

impl Table {
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub fn push(&mut self, cells: &[&str]) -> Result<(), TableError> {
        if cells.len() != self.columns.len() {
            return Err(TableError::Cells { expected: self.columns.len(), found: cells.len() });
        }
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.widen(cell, 20);
        }
        self.rows.push(cells.iter().map(|cell| (*cell).to_owned()).collect());
        Ok(())
    }

    fn index(&self, title: &str) -> Result<usize, TableError> {
        let index = self.columns.iter().position(|column| column.title == title);
        index.ok_or_else(|| TableError::NoColumn(title.to_owned()))
    }

    /// Sorts the rows by a column, numbers by their values.
    pub fn sort_by(&mut self, title: &str) -> Result<(), TableError> {
        let index = self.index(title)?;
        self.rows.sort_by(|a, b| compare(&a[index], &b[index]));
        Ok(())
    }

    fn row<B: Border>(&self, cells: &[String]) -> String {
        let wrapped: Vec<Vec<String>> =
            self.columns.iter().zip(cells).map(|(column, cell)| wrap(cell, column.width)).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        let mut text = String::new();
        for line in 0..height {
            text.push(B::BAR);
            for (column, lines) in self.columns.iter().zip(&wrapped) {
                let part = lines.get(line).map_or("", String::as_str);
                text.push_str(&format!(" {} {}", pad(part, column.width, column.align), B::BAR));
            }
            text.push('\n');
        }
        text
    }

    pub fn draw<B: Border>(&self) -> String {
        let widths: Vec<usize> = self.columns.iter().map(|column| column.width).collect();
        let titles: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        let rule = B::rule(&widths);
        let rows: String = self.rows.iter().map(|row| self.row::<B>(row)).collect();
        format!("{rule}\n{}{rule}\n{rows}{rule}\n", self.row::<B>(&titles))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.draw::<Plain>())
    }
}

fn compare(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => return a.total_cmp(&b),
        (Ok(_), Err(_)) => return Ordering::Less,
        (Err(_), Ok(_)) => return Ordering::Greater,
        // Neither is a number, so they are compared as texts.
        _ => {}
    }
    a.cmp(b)
}

fn main() {
    let mut table = Table::new(vec![Column::new("city", Align::Left), Column::new("people", Align::Right)]);
    for row in [["Lima", "10.1"], ["Oslo", "0.7"], ["Rio de Janeiro and the towns around", "6.2"]] {
        if let Err(error) = table.push(&row) {
            eprintln!("{error:?}");
        }
    }
    table.sort_by("people").expect("there is such a column");
    print!("{table}{}", table.draw::<Heavy>());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cities() -> Table {
        let mut table = Table::new(vec![Column::new("city", Align::Left), Column::new("people", Align::Right)]);
        table.push(&["Lima", "10.1"]).expect("two cells");
        table.push(&["Oslo", "0.7"]).expect("two cells");
        table
    }

    #[test]
    fn rows_are_sorted_by_value() {
        let mut table = cities();
        table.sort_by("people").expect("there is such a column");
        assert_eq!(table.rows[0][0], "Oslo");
        assert_eq!(table.sort_by("river"), Err(TableError::NoColumn("river".to_owned())));
    }

    #[test]
    fn a_row_has_a_cell_for_each_column() {
        assert_eq!(cities().push(&["Rome"]), Err(TableError::Cells { expected: 2, found: 1 }));
    }
}
