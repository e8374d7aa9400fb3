//! The program: its text, the files that the text is made of, and its size.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use mcve_transforms::{Document, Measure, Reduction, apply_traced, tokens};

use super::file::{File, files_hash};
use super::files::Files;
use super::hash::ContentHash;
use super::language::{Language, decode};
use super::layout::{Layout, listed};
use super::origin::{Origin, Traced, is_name};
use super::size::Size;

/// A program: a lone file, or several files as one text.
#[derive(Clone, Debug)]
pub struct Program {
    /// The root file's own name, kept in every check: some failures depend on it. Of several files, its path among them.
    pub name: PathBuf,
    /// The text: that of the lone file, or the [`Document`] of several.
    pub text: Arc<str>,
    /// The parts of several files that are not in the text; none for a lone file.
    pub layout: Option<Arc<Layout>>,
    /// What the text is. Of several files the root is Rust.
    pub language: Language,
    /// The document that the text is, once it was read.
    read: OnceLock<Option<Arc<Document>>>,
    /// The origin of its tokens, if it is traced.
    origin: Option<Arc<Origin>>,
    /// The stage of the search that it belongs to: another stage may judge the same text in another way.
    stage: u32,
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.text, &self.layout) == (&other.name, &other.text, &other.layout)
    }
}

impl Eq for Program {}

impl Program {
    /// A program of one file.
    pub fn new(name: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        let (layout, language, read, origin, stage) = Default::default();
        Self { name: name.into(), text: text.into(), layout, language, read, origin, stage }
    }

    /// A file that is not Rust.
    pub fn of_bytes(name: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self { language: Language::Text, ..Self::new(name, text) },
            Err(error) => Self { language: Language::Bytes, ..Self::new(name, decode(error.as_bytes())) },
        }
    }

    /// The program with another file, which is not Rust. Returns none if its text cannot be read with it.
    pub fn with_file(&self, name: &str, file: File) -> Option<Self> {
        let mut kept = BTreeMap::new();
        let text = format!("{}{}", self.text, listed(name.to_owned(), file, &mut kept));
        let document = Document::read(&text, &self.name.to_string_lossy())?;
        Some(self.extended(text, &document, kept))
    }

    /// The program with more files in its text, of which those in `kept` are not.
    pub(super) fn extended(&self, text: String, document: &Document, kept: BTreeMap<String, File>) -> Self {
        let layout = match &self.layout {
            Some(layout) => layout.extended(document, kept),
            None => Layout::new(document, kept),
        };
        Self::of_document(&*self.name, text, layout)
    }

    /// A program of files that are checked as they are: no text is made of them. `name` is the root file, or empty.
    pub fn of_files(name: impl Into<PathBuf>, files: &Files) -> Self {
        Self::of_document(name, "", Layout::of_files(files))
    }

    /// The program with another text. If it is traced, the new tokens are aligned with the old ones.
    pub fn with_text(&self, text: impl Into<Arc<str>>) -> Self {
        let origin = self.origin.as_ref().map(|origin| Arc::new(Origin::made_of(origin, &self.text, None)));
        let (name, layout, language, stage) = (self.name.clone(), self.layout.clone(), self.language, self.stage);
        Self { name, text: text.into(), layout, language, read: OnceLock::new(), origin, stage }
    }

    /// The program with these reductions applied. Of a text that is not Rust, one inside of another does nothing.
    pub(crate) fn reduced_by<'r>(&self, reductions: impl IntoIterator<Item = &'r Reduction>) -> Self {
        if self.language != Language::Rust {
            let mut edits: Vec<_> = reductions.into_iter().flat_map(|reduction| &reduction.edits).collect();
            edits.sort_by_key(|edit| (edit.range.start, Reverse(edit.range.end)));
            let (mut text, mut at) = (String::with_capacity(self.text.len()), 0);
            for edit in edits {
                if edit.range.start >= at {
                    text.push_str(&self.text[at..edit.range.start]);
                    text.push_str(&edit.text);
                }
                at = at.max(edit.range.end);
            }
            return self.with_text(text + &self.text[at..]);
        }
        let (text, segments) = apply_traced(&self.text, reductions);
        let origin = self.origin.as_ref().map(|origin| Arc::new(Origin::made_of(origin, &self.text, Some(segments))));
        Self { origin, ..self.with_text(text) }
    }

    /// The program with its origin recorded: programs made of it know which of its tokens theirs come from.
    #[must_use]
    pub fn traced(self) -> Self {
        Self { origin: Some(Arc::new(Origin::of_input(Arc::clone(&self.text)))), ..self }
    }

    /// The words in the unreduced program behind the tokens that read `word`: one or none, unless two things share a name. Just
    /// `word` if the program is not [`traced`](Self::traced).
    pub(crate) fn words_behind<'a>(&'a self, word: &'a str) -> HashSet<&'a str> {
        match &self.origin {
            Some(origin) => origin.words_behind(&self.text, word),
            None => [word].into(),
        }
    }

    /// The tokens of the text and where they come from; none if the program is not [`traced`](Self::traced).
    pub(super) fn trace(&self) -> Option<&[Traced]> {
        self.origin.as_ref().map(|origin| origin.tokens(&self.text))
    }

    /// The bytes of the token of the unreduced program that the token at `byte` was; none if it is new, or the program is not traced.
    pub fn origin_of(&self, byte: usize) -> Option<Range<usize>> {
        let tokens = self.trace()?;
        let index = tokens.partition_point(|token| token.at.end <= byte);
        tokens.get(index).filter(|token| token.at.contains(&byte))?.from.clone()
    }

    /// Whether a token of the unreduced program for which `is_it` holds is left; the program is [`traced`](Self::traced).
    pub(crate) fn has_token(&self, is_it: impl Fn(&Range<usize>) -> bool) -> bool {
        self.trace().unwrap_or_default().iter().filter_map(|token| token.from.as_ref()).any(is_it)
    }

    /// A piece of the unreduced program with the names that its things have now.
    pub(super) fn renamed(&self, piece: &str) -> String {
        let mut text = piece.to_owned();
        for at in tokens(piece).into_iter().map(|token| token.range).rev().filter(|at| is_name(&piece[at.clone()])) {
            let now = self.origin.as_ref().and_then(|origin| origin.word_now(&self.text, &piece[at.clone()]));
            now.into_iter().for_each(|word| text.replace_range(at.clone(), word));
        }
        text
    }

    /// Computes the origin of each token now, and drops the older programs that it is computed from.
    pub(crate) fn settle_origin(&self) {
        self.trace();
    }

    /// The program with another name, if it is a lone file.
    pub fn called(&self, name: PathBuf) -> Self {
        let name = if self.layout.is_none() { name } else { self.name.clone() };
        Self { name, ..self.clone() }
    }

    /// The same program in the next stage of the search, where no verdict about it is known.
    pub(crate) fn in_next_stage(self) -> Self {
        Self { stage: self.stage + 1, ..self }
    }

    /// The hash of the content, and of the stage of the search.
    pub fn hash(&self) -> ContentHash {
        let own = || ContentHash::of(self.text.as_bytes());
        self.layout.as_ref().map_or_else(own, |layout| layout.hash(&self.text)).in_stage(self.stage)
    }

    /// The document that the text is; none for a lone file, or if the text is not a document.
    pub fn document(&self) -> Option<Arc<Document>> {
        let layout = self.layout.as_ref()?;
        let read =
            || Document::read(&self.text, &self.name.to_string_lossy()).filter(|document| layout.knows(document));
        self.read.get_or_init(|| read().map(Arc::new)).clone()
    }

    /// A program of several files: the text, and the layout that the text does not hold.
    pub(crate) fn of_document(name: impl Into<PathBuf>, text: impl Into<Arc<str>>, layout: Layout) -> Self {
        Self { layout: Some(Arc::new(layout)), ..Self::new(name, text) }
    }

    /// Whether the text is a program: that of several files may have lost the marks that name them.
    pub fn is_whole(&self) -> bool {
        self.layout.is_none() || self.document().is_some()
    }

    /// The files, the root file first.
    pub fn files(&self) -> Vec<(PathBuf, File)> {
        match (&self.layout, self.document()) {
            (Some(layout), Some(document)) => layout.files(&self.name, &self.text, &document),
            _ => vec![(self.name.clone(), File::plain(&*self.language.encode(&self.text)))],
        }
    }

    /// The paths of the files that are not Rust.
    pub(crate) fn data(&self) -> Vec<PathBuf> {
        let Some(document) = self.document().filter(|_| self.layout.is_some()) else { return Vec::new() };
        let is_rust = |path: &PathBuf| {
            *path == self.name || document.files.iter().skip(1).any(|file| path.as_os_str() == file.at.as_str())
        };
        self.files().into_iter().map(|(path, _)| path).filter(|path| !is_rust(path)).collect()
    }

    /// Whether it is one file, whatever the arguments of the compiler are.
    pub fn is_lone(&self) -> bool {
        self.layout.as_ref().is_none_or(|layout| !layout.is_folder && self.files().len() == 1)
    }

    /// All files for a reader, each after its path if there are several.
    pub fn shown(&self) -> String {
        if self.is_lone() {
            return self.root().into_owned();
        }
        let file = |(path, file): (PathBuf, File)| {
            let text = String::from_utf8_lossy(&file.bytes);
            format!("// {}\n{}\n", path.display(), text.trim_end())
        };
        self.files().into_iter().map(file).collect::<Vec<_>>().join("\n")
    }

    /// The begin of the lists at the end of the text, which are not Rust; the end of the text if there are none.
    pub fn lists(&self) -> usize {
        let document = self.document();
        let lists = document.iter().flat_map(|document| &document.lists);
        let first = lists.map(|list| list.range.start).min().unwrap_or(self.text.len());
        if first == self.text.len() { first } else { self.text[..first].strip_suffix('\n').map_or(first, str::len) }
    }

    /// The files that are too large to copy for each check, and are read in place.
    pub fn linked(&self) -> Vec<&str> {
        self.layout.iter().flat_map(|layout| layout.linked()).collect()
    }

    /// The text of the root file.
    pub fn root(&self) -> Cow<'_, str> {
        match self.document() {
            Some(document) => Cow::Owned(document.files[0].text(&self.text)),
            None => Cow::Borrowed(&self.text),
        }
    }

    /// The hash of the only file, or of all files.
    pub(crate) fn result_hash(&self) -> ContentHash {
        if self.is_lone() { ContentHash::of(&self.language.encode(&self.root())) } else { files_hash(&self.files()) }
    }

    /// The size of the text, which a search makes smaller.
    pub fn measure(&self) -> Measure {
        let characters = || self.text.chars().count();
        match self.language {
            Language::Rust => Measure::of(&self.text),
            Language::Text => Measure { tokens: characters(), bytes: self.text.len() },
            Language::Bytes => Measure { tokens: characters(), bytes: characters() },
        }
    }

    /// The size of all files.
    pub fn size(&self) -> Size {
        if self.layout.is_none() {
            return Size::new(self.measure(), &self.text);
        }
        let mut size = Size::default();
        for (_, file) in self.files() {
            let text = String::from_utf8_lossy(&file.bytes);
            size += Size::new(Measure::of(&text), &text);
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what is behind words of a program that `change` makes of `text`.
    #[track_caller]
    fn check_words(text: &str, change: impl Fn(Program) -> Program, expected: &[(&str, &[&str])]) {
        let changed = change(Program::new("a.rs", text).traced());
        for (word, words) in expected {
            assert_eq!(changed.words_behind(word), words.iter().copied().collect(), "{word} in {}", changed.text);
        }
    }

    /// The first reduction of a transform that makes this of a program.
    fn reduced(program: &Program, transform: &str, expected: &str) -> Program {
        let source = mcve_transforms::Source::parse(&*program.text);
        let tree = mcve_transforms::Tree::new(&source);
        let names = mcve_transforms::Analysis::of(&tree);
        let all = mcve_transforms::named(transform).into_iter().flat_map(|it| mcve_transforms::enumerate(&names, it));
        let mut programs = all.map(|reduction| program.reduced_by([&reduction]));
        programs.find(|made| *made.text == *expected).unwrap_or_else(|| panic!("{transform} makes it"))
    }

    #[test]
    fn words_are_known_by_where_they_come_from() {
        let text = "struct Stamp; struct User; fn save(a: Stamp) {} fn f() { save(Stamp) }";
        let after = "struct A; struct User; fn save(a: A) {} fn f() { save(A) }";
        let renamed = |program: Program| reduced(&program, "rename", after);
        check_words(text, renamed, &[("A", &["Stamp"]), ("User", &["User"]), ("Stamp", &[]), ("f", &["f"])]);
        let shorter = "struct A; fn save(a: A) {} fn f() { save(A) }";
        let both = |program: Program| reduced(&renamed(program), "delete-item", shorter);
        check_words(text, both, &[("A", &["Stamp"]), ("User", &[]), ("a", &["a"])]);
        let reformatted = |program: Program| both(program).with_text(shorter.replace(' ', "\n").replace("A)", "A,)"));
        check_words(text, reformatted, &[("A", &["Stamp"]), ("User", &[]), ("save", &["save"])]);
    }

    #[test]
    fn a_word_that_was_there_takes_no_other_place() {
        let text = "struct Stamp; struct User; fn f() { save(Stamp) }";
        let other = |program: Program| program.with_text("struct User; fn f() { save(User) }");
        check_words(text, other, &[("User", &["User"]), ("Stamp", &[])]);
    }

    #[test]
    fn data_are_the_files_that_are_not_rust() {
        let program = Program::new("a.rs", "mod b;").with_file("data/c.txt", "1\n".into()).expect("it has a place");
        assert_eq!(program.data(), [PathBuf::from("data/c.txt")]);
        assert!(Program::new("a.rs", "").data().is_empty());
    }

    #[test]
    fn what_moved_comes_from_where_it_stood() {
        let text = "fn f() { g(1, 2) } struct A(u8); impl A { const B: u8 = 3; }";
        let moved = "struct A(u8); impl A { const B: u8 = 3; } fn f() { g(1, 2) }";
        let program = Program::new("a.rs", text).traced().with_text(moved);
        for token in super::super::origin::code(moved) {
            let from = program.origin_of(token.start).map(|from| &text[from]);
            assert_eq!(from, Some(&moved[token.clone()]), "at {}", token.start);
        }
    }

    #[test]
    fn a_word_that_is_written_elsewhere_is_what_it_was_and_a_new_one_is_nothing() {
        let text = "fn f() { g(one) } fn h() {}";
        let moved = |program: Program| program.with_text("fn h() { g(one, two) }");
        check_words(text, moved, &[("g", &["g"]), ("one", &["one"]), ("two", &[])]);
    }
}
