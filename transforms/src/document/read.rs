//! Reads a document: finds out which bytes belong to which file.

use std::ops::Range;

use super::cursor::Cursor;
use super::{Document, List, ListKind, ModulePlace, Piece, RustFile};

/// A file that is being read.
struct Open {
    /// Its number.
    file: usize,
    /// The number of the root file of its crate.
    root: usize,
    /// The start of its text that is not taken yet.
    from: usize,
}

/// A document that is being read.
struct Reader<'t> {
    text: &'t str,
    /// The path of the root file.
    root: &'t str,
    cursor: Cursor<'t>,
    found: Document,
    /// The open braces, each with the number of the file that it closes, if it is that of a file.
    frames: Vec<Option<usize>>,
    /// The files that are open, the innermost last.
    open: Vec<Open>,
    /// The places of the open files and modules, the innermost last.
    places: Vec<ModulePlace>,
}

impl Document {
    /// Reads a text whose root file is at `root`; `None` if it is not a document: a mark is not on a module with a body, or a
    /// list does not only contain strings.
    pub fn read(text: &str, root: &str) -> Option<Self> {
        let whole = RustFile { range: 0..text.len(), ..RustFile::default() };
        let mut reader = Reader {
            text,
            root,
            cursor: Cursor::new(text),
            found: Self { files: vec![whole], lists: Vec::new() },
            frames: Vec::new(),
            open: vec![Open { file: 0, root: 0, from: 0 }],
            places: vec![ModulePlace::of_file(root, true)],
        };
        while !reader.cursor.is_at_end() {
            reader.step()?;
        }
        if reader.open.len() > 1 {
            return None;
        }
        reader.take(text.len());
        Some(reader.found)
    }
}

impl Reader<'_> {
    fn step(&mut self) -> Option<()> {
        let start = self.cursor.range().start;
        if self.cursor.accept(&["#", "[", "mcve", "::"]) {
            return self.mark(start);
        }
        if self.cursor.accept(&["mcve", "::"]) {
            return self.list(start);
        }
        match self.cursor.peek(0) {
            "mod" if self.cursor.peek(2) == "{" => {
                let inside = self.places.last()?.inside(self.cursor.peek(1));
                (0..3).for_each(|_| self.cursor.skip());
                self.enter(None, inside);
            }
            "{" => {
                let place = self.places.last()?.clone();
                self.cursor.skip();
                self.enter(None, place);
            }
            "}" => {
                let end = self.cursor.range();
                self.cursor.skip();
                self.places.pop();
                if let Some(file) = self.frames.pop()? {
                    self.close(file, end);
                }
            }
            "include" | "include_bytes" | "include_str" if self.cursor.peek(1) == "!" => self.include(),
            _ => self.cursor.skip(),
        }
        Some(())
    }

    /// A macro that includes a file. In the document, the path is relative to the folder of the root file; for the compiler,
    /// to that of the file that includes it.
    fn include(&mut self) {
        (0..3).for_each(|_| self.cursor.skip());
        let literal = self.cursor.range();
        let Ok(path) = syn::parse_str::<syn::LitStr>(&self.text[literal.clone()]) else { return };
        let open = self.open.last().expect("the root file is open");
        let (file, root) = (&self.found.files[open.file], &self.found.files[open.root]);
        let at = |file: &RustFile| ModulePlace::of_file(if file.at.is_empty() { self.root } else { &file.at }, true);
        let path = path.value();
        let (from, to) = (at(root), at(file));
        if from == to || path.starts_with('/') {
            return;
        }
        let path = to.path_to(&from.named(&path));
        self.take(literal.start);
        let open = self.open.last_mut().expect("the root file is open");
        open.from = literal.end;
        self.found.files[open.file].pieces.push(Piece::Made(format!("{path:?}")));
    }

    fn enter(&mut self, file: Option<usize>, place: ModulePlace) {
        self.frames.push(file);
        self.places.push(place);
    }

    /// A file that begins with a mark at `start`; its `#[mcve::` is already read.
    fn mark(&mut self, start: usize) -> Option<()> {
        let is_crate = self.cursor.peek(0) == "krate";
        if !is_crate && self.cursor.peek(0) != "file" {
            return None;
        }
        self.cursor.skip();
        if !self.cursor.accept(&["("]) {
            return None;
        }
        let literals = self.cursor.literals(")")?.into_iter();
        let mut words = literals.map(|(range, bytes)| Some((range, String::from_utf8(bytes).ok()?)));
        let (_, path) = words.next()??;
        let arguments = words.collect::<Option<Vec<_>>>()?;
        if !self.cursor.accept(&["]"]) || path.is_empty() || !is_crate && !arguments.is_empty() {
            return None;
        }
        let rest = self.cursor.behind();
        let rest = rest + usize::from(self.text[rest..].starts_with([' ', '\n']));
        while self.cursor.peek(0) != "mod" {
            match self.cursor.peek(0) {
                "#" => self.cursor.skip(),
                "pub" if self.cursor.peek(1) != "(" => {
                    self.cursor.skip();
                    continue;
                }
                "pub" => self.cursor.skip(),
                _ => return None,
            }
            self.cursor.group()?;
        }
        self.cursor.skip();
        let name = self.cursor.peek(0);
        self.cursor.skip();
        let brace = self.cursor.range();
        if !self.cursor.accept(&["{"]) {
            return None;
        }
        let number = self.found.files.len();
        let mut at = path.clone();
        let is_root = if is_crate {
            if !self.frames.is_empty() {
                return None;
            }
            self.take(self.before_newline(start));
            true
        } else {
            let place = self.places.last()?.clone();
            self.take(start);
            let is_found = place.candidates(name).contains(&path);
            let declaration = self.text[rest..brace.start].trim_end();
            let pieces = &mut self.found.files[self.open.last()?.file].pieces;
            if !is_found && place.is_inline {
                at = place.candidates(name)[0].clone();
            } else if !is_found {
                let blank = if declaration.starts_with(char::is_whitespace) { "" } else { " " };
                pieces.push(Piece::Made(format!("#[path = {:?}]{blank}", place.path_to(&path))));
            }
            pieces.extend([Piece::Text(rest..rest + declaration.len()), Piece::Made(";".to_owned())]);
            !is_found && !place.is_inline
        };
        let place = ModulePlace::of_file(&at, is_root);
        let (arguments, range) = (is_crate.then_some(arguments), start..brace.end);
        self.found.files.push(RustFile { path, at, pieces: Vec::new(), arguments, range });
        let root = if is_crate { number } else { self.open.last()?.root };
        let from = brace.end + usize::from(self.text[brace.end..].starts_with('\n'));
        self.open.push(Open { file: number, root, from });
        self.enter(Some(number), place);
        Some(())
    }

    fn close(&mut self, file: usize, brace: Range<usize>) {
        self.take(self.before_newline(brace.start));
        self.open.pop();
        self.found.files[file].range.end = brace.end;
        self.open.last_mut().expect("the root file is open").from = brace.end;
    }

    /// A list at `start`; its `mcve::` is already read.
    fn list(&mut self, start: usize) -> Option<()> {
        let name = self.cursor.peek(0);
        self.cursor.skip();
        if !self.frames.is_empty() || !self.cursor.accept(&["!", "("]) {
            return None;
        }
        let mut elements = self.cursor.literals(")")?;
        if !self.cursor.accept(&[";"]) {
            return None;
        }
        let range = start..self.cursor.behind();
        let mut path = || (!elements.is_empty()).then(|| String::from_utf8(elements.remove(0).1).ok()).flatten();
        let kind = match name {
            "data" => ListKind::Data(path()?),
            "kept" => ListKind::Kept(path()?),
            "arguments" => ListKind::Arguments,
            "environment" => ListKind::Environment,
            _ => return None,
        };
        self.take(self.before_newline(start));
        self.open.last_mut()?.from = range.end;
        self.found.lists.push(List { kind, elements, range });
        Some(())
    }

    /// Takes the text of the innermost file up to `end`.
    fn take(&mut self, end: usize) {
        let open = self.open.last().expect("the root file is open");
        if open.from < end {
            self.found.files[open.file].pieces.push(Piece::Text(open.from..end));
        }
    }

    /// `byte`, or the byte before a newline that ends there: the newline only separates a file from the following text.
    fn before_newline(&self, byte: usize) -> usize {
        let from = self.open.last().map_or(0, |open| open.from);
        let is_there = byte > from && self.text[from..byte].ends_with('\n');
        byte - usize::from(is_there)
    }
}
