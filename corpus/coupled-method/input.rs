//@ edition: 2021
//@ compile-flags: --crate-type=lib
#![deny(unconditional_recursion)]
//! A text buffer of an editor, as a list of pieces, with a cursor and undo.

use std::collections::VecDeque;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    text: String,
    frozen: bool,
}

#[derive(Debug, Clone)]
pub enum Change {
    Insert { at: usize, text: String },
    Delete { range: Range<usize>, text: String },
}

#[derive(Debug, Default)]
pub struct Buffer {
    pieces: VecDeque<Piece>,
    done: Vec<Change>,
    undone: Vec<Change>,
    cursor: usize,
    measured: Option<usize>,
}

impl Piece {
    fn new(text: &str) -> Self {
        Piece { text: text.to_string(), frozen: false }
    }

    fn len(&self) -> usize {
        self.text.len()
    }

    fn split(&self, at: usize) -> (Piece, Piece) {
        let (left, right) = self.text.split_at(at);
        (Piece::new(left), Piece::new(right))
    }
}

impl Buffer {
    pub fn new(text: &str) -> Self {
        let mut buffer = Buffer::default();
        buffer.pieces.push_back(Piece::new(text));
        buffer
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| piece.len() == 0)
    }

    /// The length in bytes, measured once after each change.
    pub fn len(&mut self, from: usize) -> usize {
        let measured = self.measured.unwrap_or_default();
        if measured > from {
            return self.len(measured);
        }
        let rest: usize = self.pieces.iter().skip(from).map(Piece::len).sum();
        self.measured = Some(rest);
        self.len(from + rest)
    }

    pub fn insert(&mut self, at: usize, text: &str) -> &mut Self {
        let (index, offset) = self.find(at);
        if let Some(piece) = self.pieces.get(index).cloned() {
            let (left, right) = piece.split(offset);
            self.pieces[index] = left;
            self.pieces.insert(index + 1, Piece::new(text));
            self.pieces.insert(index + 2, right);
        } else {
            self.pieces.push_back(Piece::new(text));
        }
        self.done.push(Change::Insert { at, text: text.to_string() });
        self.measured = None;
        self
    }

    fn find(&self, at: usize) -> (usize, usize) {
        let mut left = at;
        for (index, piece) in self.pieces.iter().enumerate() {
            if left <= piece.len() {
                return (index, left);
            }
            left -= piece.len();
        }
        (self.pieces.len(), 0)
    }

    pub fn end(&mut self) -> usize {
        let end = self.len(0);
        self.cursor = self.cursor.min(end);
        end
    }

    pub fn undo(&mut self) -> Option<&Change> {
        let change = self.done.pop()?;
        match &change {
            Change::Insert { at, text } => self.cursor = at.saturating_sub(text.len()),
            Change::Delete { range, .. } => self.cursor = range.end,
        }
        self.undone.push(change);
        self.undone.last()
    }

    pub fn text(&self) -> String {
        self.pieces.iter().filter(|piece| !piece.frozen).map(|piece| piece.text.as_str()).collect()
    }
}

pub fn append(buffer: &mut Buffer, lines: &[&str]) -> usize {
    for line in lines {
        let end = buffer.len(0);
        buffer.insert(end, line).insert(end, "\n");
    }
    Buffer::end(buffer)
}
