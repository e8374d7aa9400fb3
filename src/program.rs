//! What is being reduced: files, and how the compiler is called.

mod arguments;
mod file;
pub(crate) mod files;
mod hash;
mod layout;
mod origin;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use mcve_transforms::{Document, Measure, Reduction, apply_traced};

pub use arguments::Crate;
pub use file::{File, FileKind, files_hash};
pub use files::{Files, collides, is_text, path_of};
pub use hash::ContentHash;
pub use layout::{Layout, listed};
use origin::Origin;

/// A program: a lone file, or several files as one text.
#[derive(Clone, Debug)]
pub struct Program {
    /// The root file's own name, kept in every check: some failures depend on it. Of several files, its path among them.
    pub name: PathBuf,
    /// The text: that of the lone file, or the [`Document`] of several.
    pub text: Arc<str>,
    /// What several files have besides that text; none for a lone file.
    pub layout: Option<Arc<Layout>>,
    /// What the text stands for, once somebody has asked.
    read: OnceLock<Option<Arc<Document>>>,
    /// Where its tokens come from, if it is traced.
    origin: Option<Arc<Origin>>,
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.text, &self.layout) == (&other.name, &other.text, &other.layout)
    }
}

impl Eq for Program {}

impl Program {
    /// A program of one file.
    #[must_use]
    pub fn new(name: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into(), layout: None, read: OnceLock::new(), origin: None }
    }

    /// The same with another file, which is no Rust: its text, or none where that is kept as it is.
    #[must_use]
    pub fn with_file(&self, name: &str, file: File) -> Option<Self> {
        let mut kept = BTreeMap::new();
        let text = format!("{}{}", self.text, listed(name.to_owned(), file, &mut kept));
        let document = Document::read(&text, &self.name.to_string_lossy())?;
        let layout = match &self.layout {
            Some(layout) => layout.extended(&document, kept),
            None => Layout::new(&document, kept),
        };
        Some(Self::of_document(&*self.name, text, layout))
    }

    /// Files of which no text is made: they are checked as they are. The root file is that at `name`, or none if that is empty.
    #[must_use]
    pub fn of_files(name: impl Into<PathBuf>, files: &Files) -> Self {
        Self::of_document(name, "", Layout::of_files(files))
    }

    /// The same with another text. Of a program that is traced, its tokens are aligned with those of this one.
    #[must_use]
    pub fn with_text(&self, text: impl Into<Arc<str>>) -> Self {
        let origin = self.origin.as_ref().map(|origin| Arc::new(Origin::made_of(origin, &self.text, None)));
        let (name, layout) = (self.name.clone(), self.layout.clone());
        Self { name, text: text.into(), layout, read: OnceLock::new(), origin }
    }

    /// What reductions make of it.
    #[must_use]
    pub fn reduced_by<'r>(&self, reductions: impl IntoIterator<Item = &'r Reduction>) -> Self {
        let (text, segments) = apply_traced(&self.text, reductions);
        let origin = self.origin.as_ref().map(|origin| Arc::new(Origin::made_of(origin, &self.text, Some(segments))));
        Self { origin, ..self.with_text(text) }
    }

    /// The same as the one that a reduction begins with: whatever is made of it knows where its tokens come from.
    #[must_use]
    pub fn traced(self) -> Self {
        Self { origin: Some(Arc::new(Origin::of_input(Arc::clone(&self.text)))), ..self }
    }

    /// The words of the program that the reduction began with that the tokens that read `word` come from: one or none, as long as
    /// no two things share a name. That word itself where the program is not [`traced`](Self::traced).
    #[must_use]
    pub fn words_behind<'a>(&'a self, word: &'a str) -> HashSet<&'a str> {
        match &self.origin {
            Some(origin) => origin.words_behind(&self.text, word),
            None => [word].into(),
        }
    }

    /// Lets go of all that it is traced by but the result.
    pub fn settle_origin(&self) {
        self.origin.iter().for_each(|origin| origin.settle(&self.text));
    }

    /// The same where a lone file has another name.
    #[must_use]
    pub fn called(&self, name: PathBuf) -> Self {
        let name = if self.layout.is_none() { name } else { self.name.clone() };
        Self { name, ..self.clone() }
    }

    /// The hash of the content.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        match &self.layout {
            None => ContentHash::of(self.text.as_bytes()),
            Some(layout) => layout.hash(&self.text),
        }
    }

    /// What the text stands for; none for a lone file, and where it stands for nothing.
    #[must_use]
    pub fn document(&self) -> Option<Arc<Document>> {
        let layout = self.layout.as_ref()?;
        let read =
            || Document::read(&self.text, &self.name.to_string_lossy()).filter(|document| layout.knows(document));
        self.read.get_or_init(|| read().map(Arc::new)).clone()
    }

    /// A program of this text, and of what is not in it.
    #[must_use]
    pub fn of_document(name: impl Into<PathBuf>, text: impl Into<Arc<str>>, layout: Layout) -> Self {
        Self { layout: Some(Arc::new(layout)), ..Self::new(name, text) }
    }

    /// Whether the text stands for something: that of several files may have lost what says which they are.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.layout.is_none() || self.document().is_some()
    }

    /// The files, the root file first.
    #[must_use]
    pub fn files(&self) -> Vec<(PathBuf, File)> {
        match (&self.layout, self.document()) {
            (Some(layout), Some(document)) => layout.files(&self.name, &self.text, &document),
            _ => vec![(self.name.clone(), Arc::clone(&self.text).into())],
        }
    }

    /// Where the root file is, if the program is at `path`: a lone file there, several files in the folder there. `path` may
    /// be that of the root file itself.
    #[must_use]
    pub fn root_at(&self, path: &Path) -> PathBuf {
        if self.is_lone() || path.is_file() { path.to_owned() } else { path.join(&self.name) }
    }

    /// The folder of the files, if the program is at `path`.
    #[must_use]
    pub fn folder_at(&self, path: &Path) -> PathBuf {
        if !path.is_file() {
            return path.to_owned();
        }
        let depth = self.name.components().count();
        match path.ancestors().nth(depth) {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            Some(_) => PathBuf::from("."),
            // The folder is above the one that the path begins in.
            None => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                path.ancestors().nth(depth).map_or_else(|| PathBuf::from("."), Path::to_owned)
            }
        }
    }

    /// Whether it is one file, whatever the arguments of the compiler are.
    #[must_use]
    pub fn is_lone(&self) -> bool {
        self.layout.as_ref().is_none_or(|layout| !layout.is_folder() && self.files().len() == 1)
    }

    /// All that it holds, for a reader: of several files each behind its path.
    #[must_use]
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

    /// Where the text's lists begin, which are no Rust: at its end, if there are none.
    #[must_use]
    pub fn lists(&self) -> usize {
        let document = self.document();
        let lists = document.iter().flat_map(|document| &document.lists);
        let first = lists.map(|list| list.range.start).min().unwrap_or(self.text.len());
        if first == self.text.len() { first } else { self.text[..first].strip_suffix('\n').map_or(first, str::len) }
    }

    /// The files that are too large to be copied for each check: they are read where they are.
    #[must_use]
    pub fn linked(&self) -> Vec<&str> {
        self.layout.iter().flat_map(|layout| layout.linked()).collect()
    }

    /// The text of the root file.
    #[must_use]
    pub fn root(&self) -> Cow<'_, str> {
        match self.document() {
            Some(document) => Cow::Owned(document.files[0].text(&self.text)),
            None => Cow::Borrowed(&self.text),
        }
    }

    /// The hash of what a result holds: of the only file, or of all of them.
    #[must_use]
    pub fn result_hash(&self) -> ContentHash {
        if self.is_lone() { ContentHash::of(self.root().as_bytes()) } else { files_hash(&self.files()) }
    }

    /// The byte of the text that is the byte `offset` of the file that the compiler calls `path`.
    #[must_use]
    pub fn byte(&self, path: &Path, offset: usize) -> Option<usize> {
        if self.layout.is_none() {
            return (path == self.name && offset <= self.text.len()).then_some(offset);
        }
        let path = if path == self.name { "" } else { path.to_str()? };
        self.document()?.file(path)?.byte(offset)
    }

    /// The bytes of the text that are these of the file that the compiler calls `path`.
    #[must_use]
    pub fn range(&self, path: &Path, bytes: Range<usize>) -> Option<Range<usize>> {
        let range = self.byte(path, bytes.start)?..self.byte(path, bytes.end)?;
        self.text.get(range.clone()).map(|_| range)
    }

    /// The file that holds a byte of the text, and the text of that file before it.
    #[must_use]
    pub fn place(&self, byte: usize) -> (PathBuf, String) {
        let document = self.document();
        match document.as_ref().and_then(|document| document.place(byte)) {
            Some((file, offset)) => {
                let path = if file.at.is_empty() { self.name.clone() } else { PathBuf::from(&file.at) };
                (path, file.text(&self.text)[..offset].to_owned())
            }
            None => (self.name.clone(), self.text[..byte].to_owned()),
        }
    }

    /// The bytes that it replaced of the program `before`, and those that it has in their place.
    #[must_use]
    pub fn changed_since(&self, before: &Self) -> (Range<usize>, Range<usize>) {
        let (before, now) = (before.text.as_bytes(), self.text.as_bytes());
        let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
        let start = before.iter().zip(now).take_while(same).count();
        let most = before.len().min(now.len()) - start;
        let end = before.iter().rev().zip(now.iter().rev()).take(most).take_while(same).count();
        (start..before.len() - end, start..now.len() - end)
    }

    /// The size of the text, which a search makes smaller.
    #[must_use]
    pub fn measure(&self) -> Measure {
        Measure::of(&self.text)
    }

    /// The size of all files, and how many lines they have.
    #[must_use]
    pub fn size(&self) -> (Measure, usize) {
        if self.layout.is_none() {
            return (self.measure(), self.text.lines().count());
        }
        let (mut size, mut lines) = (Measure { tokens: 0, bytes: 0 }, 0);
        for (_, file) in self.files() {
            let text = String::from_utf8_lossy(&file.bytes);
            let own = Measure::of(&text);
            (size.tokens, size.bytes) = (size.tokens + own.tokens, size.bytes + own.bytes);
            lines += text.lines().count();
        }
        (size, lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(before: &str, now: &str) -> (Range<usize>, Range<usize>) {
        Program::new("a.rs", now).changed_since(&Program::new("a.rs", before))
    }

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
    fn a_word_that_is_written_elsewhere_is_what_it_was_and_a_new_one_is_nothing() {
        let text = "fn f() { g(one) } fn h() {}";
        let moved = |program: Program| program.with_text("fn h() { g(one, two) }");
        check_words(text, moved, &[("g", &["g"]), ("one", &["one"]), ("two", &[])]);
    }

    #[test]
    fn the_changed_bytes_are_what_is_not_shared_at_the_ends() {
        assert_eq!(changed("abcd", "abxd"), (2..3, 2..3));
        assert_eq!(changed("aa", "aaa"), (2..2, 2..3));
        assert_eq!(changed("aaa", "aa"), (2..3, 2..2));
        assert_eq!(changed("ab", "ab"), (2..2, 2..2));
        assert_eq!(changed("é", "è"), (1..2, 1..2));
    }
}
