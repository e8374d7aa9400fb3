//! The format that puts a program of several files into one text, so that every transform sees all of it.
//!
//! The text is that of the root file. Each module that has its own file stands where it is declared, under a mark that
//! names the file. Everything that is not Rust stands after the last item, as calls of macros that do not exist:
//!
//! ```text
//! #[mcve::file("src/walk.rs")] mod walk {
//! pub fn walk() {}
//! }
//! #[mcve::krate("auxiliary/a.rs", "--crate-name=a", "--crate-type=lib")] mod a {
//! pub struct A;
//! }
//! mcve::data!("table.txt", "1 2\n", "3 4\n");
//! mcve::kept!("logo.png");
//! mcve::arguments!("--edition=2021", "-Copt-level=2");
//! mcve::environment!("LIMIT=7");
//! ```
//!
//! So a file is deleted like an item, a module's file becomes part of its parent when its mark is deleted, a crate becomes
//! a module in the same way, and a line of data or an argument is an element of a list. [`Document::read`] turns such a
//! text into files again.

mod cursor;
mod place;
mod read;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use place::ModulePlace;

/// The parts of a program of several files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The files of Rust: the root file first, each before those of its modules.
    pub files: Vec<RustFile>,
    /// The lists, in the order of the text.
    pub lists: Vec<List>,
}

/// A file of Rust.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RustFile {
    /// The path that names it, with `/`; that of the root file is empty.
    pub path: String,
    /// Its actual path: another one only if the compiler would look for `path` in a folder that need not exist.
    pub at: String,
    /// Its contents.
    pub pieces: Vec<Piece>,
    /// The arguments of the crate whose root it is, with their positions; `None` for a module's file and for the root file.
    pub arguments: Option<Vec<(Range<usize>, String)>>,
    /// All of it, mark included.
    pub range: Range<usize>,
}

/// A piece of a file of Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// These bytes of the document.
    Text(Range<usize>),
    /// Text that is not in the document.
    Made(String),
}

/// A list of parts that are not Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The kind of its elements.
    pub kind: ListKind,
    /// Its elements with their positions, without the path that a file begins with.
    pub elements: Vec<(Range<usize>, Vec<u8>)>,
    /// All of it.
    pub range: Range<usize>,
}

/// The kind of elements of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// The pieces of the file at this path.
    Data(String),
    /// Nothing: the file at this path is not in the document.
    Kept(String),
    /// The arguments of the compiler.
    Arguments,
    /// The variables of its environment, as `NAME=VALUE`.
    Environment,
}

impl RustFile {
    /// The text of the file in the document `text`.
    pub fn text(&self, text: &str) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(range) => text[range.clone()].to_owned(),
            Piece::Made(text) => text.clone(),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// The byte of the document for the byte `offset` of the file; `None` if that is not in the document.
    pub fn byte(&self, offset: usize) -> Option<usize> {
        let mut before = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Text(range) if offset < before + range.len() => return Some(range.start + offset - before),
                Piece::Text(range) => before += range.len(),
                Piece::Made(text) if offset < before + text.len() => return None,
                Piece::Made(text) => before += text.len(),
            }
        }
        // The end of the file.
        let Some(Piece::Text(range)) = self.pieces.last() else { return None };
        (offset == before).then_some(range.end)
    }

    /// The byte of the file for the byte `byte` of the document; `None` if it is in another file.
    pub fn offset(&self, byte: usize) -> Option<usize> {
        let mut before = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Text(range) if range.contains(&byte) => return Some(before + byte - range.start),
                Piece::Text(range) => before += range.len(),
                Piece::Made(text) => before += text.len(),
            }
        }
        None
    }
}

impl Document {
    /// A text that occurs in every document and in hardly any other text.
    pub const SIGN: &'static str = "mcve::";

    /// The file that holds the byte `byte`, and the offset in that file.
    pub fn place(&self, byte: usize) -> Option<(&RustFile, usize)> {
        self.files.iter().find_map(|file| Some((file, file.offset(byte)?)))
    }

    /// The file at `path`; the path of the root file is empty.
    pub fn file(&self, path: &str) -> Option<&RustFile> {
        self.files.iter().find(|file| file.at == path)
    }

    /// The elements of all lists of a kind, as texts.
    pub fn words(&self, kind: &ListKind) -> Vec<String> {
        let lists = self.lists.iter().filter(|list| list.kind == *kind);
        lists.flat_map(|list| &list.elements).map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).collect()
    }
}
