//! The parts of a program of several files that are not in its text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcve_transforms::{Document, ListKind};
use xxhash_rust::xxh3::Xxh3Default;

use super::file::{File, FileKind, files_hash};
use super::files::Files;
use super::hash::ContentHash;

/// A file with more bytes than this is no part of the text.
const LARGEST_TEXT: usize = 1 << 16;

/// The files that a text stands for, as far as the text does not say what they hold. It never changes during a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The files that are taken or left as they are, by their path.
    kept: BTreeMap<String, File>,
    paths: BTreeSet<String>,
    /// Whether it is a folder, also of one file.
    pub(super) is_folder: bool,
    /// All files, where none is in the text.
    whole: Option<Files>,
    /// The edition, if it belongs to the program: which is best is no question of size.
    pub(super) edition: Option<String>,
    /// A hash of the files that are not in the text.
    digest: ContentHash,
}

impl Layout {
    /// Of the files that `document` names, of which those in `kept` are not in its text.
    pub fn new(document: &Document, kept: BTreeMap<String, File>) -> Self {
        let paths: BTreeSet<String> = paths(document).map(str::to_owned).collect();
        let files: Vec<(PathBuf, File)> = kept.iter().map(|(path, file)| (path.into(), file.clone())).collect();
        let digest = files_hash(&files);
        Self { kept, paths, is_folder: false, whole: None, edition: None, digest }
    }

    /// The layout for a document that names more files, of which those in `kept` are not in its text.
    pub(super) fn extended(&self, document: &Document, mut kept: BTreeMap<String, File>) -> Self {
        kept.extend(self.kept.clone());
        Self { is_folder: self.is_folder, edition: self.edition.clone(), ..Self::new(document, kept) }
    }

    /// These files, none of which is in the text.
    pub(super) fn of_files(files: &Files) -> Self {
        let (kept, paths) = (BTreeMap::new(), BTreeSet::new());
        Self { kept, paths, is_folder: false, whole: Some(files.clone()), edition: None, digest: files.hash() }
    }

    /// The layout as a folder, which has no root file unless that has a name.
    pub(crate) fn into_folder(self) -> Self {
        Self { is_folder: true, ..self }
    }

    pub(super) fn with_edition(&self, edition: Option<String>) -> Self {
        Self { edition, ..self.clone() }
    }

    /// The files that are read where they are, by their path.
    pub(super) fn linked(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().filter(|(_, file)| file.kind == FileKind::Link).map(|(path, _)| &**path)
    }

    /// Whether a document names only files that there are.
    pub(super) fn knows(&self, document: &Document) -> bool {
        paths(document).all(|path| self.paths.contains(path))
    }

    pub(super) fn hash(&self, text: &str) -> ContentHash {
        let mut hasher = Xxh3Default::new();
        hasher.update(b"files");
        hasher.update(String::from(self.digest).as_bytes());
        hasher.update(self.edition.as_deref().unwrap_or_default().as_bytes());
        hasher.update(text.as_bytes());
        hasher.digest128().into()
    }

    /// The files of the document of `text`, the root file, which is at `root`, first.
    pub(super) fn files(&self, root: &Path, text: &str, document: &Document) -> Vec<(PathBuf, File)> {
        if let Some(whole) = &self.whole {
            return whole.list();
        }
        let mut files: Vec<(PathBuf, File)> = Vec::new();
        let has_root = !root.as_os_str().is_empty();
        for file in document.files.iter().filter(|file| has_root || !file.at.is_empty()) {
            let path = if file.at.is_empty() { root.to_owned() } else { PathBuf::from(&file.at) };
            files.push((path, Arc::<str>::from(file.text(text)).into()));
        }
        for list in &document.lists {
            match &list.kind {
                ListKind::Data(path) => {
                    let bytes: Vec<u8> = list.elements.iter().flat_map(|(_, bytes)| bytes).copied().collect();
                    files.push((path.into(), File::plain(bytes)));
                }
                ListKind::Kept(path) => files.extend(self.kept.get(path).map(|file| (path.into(), file.clone()))),
                ListKind::Arguments | ListKind::Environment => {}
            }
        }
        files
    }
}

/// The paths that a document names, but for that of the root file.
fn paths(document: &Document) -> impl Iterator<Item = &str> {
    let rust = document.files.iter().map(|file| &*file.path).filter(|path| !path.is_empty());
    let others = document.lists.iter().filter_map(|list| match &list.kind {
        ListKind::Data(path) | ListKind::Kept(path) => Some(&**path),
        ListKind::Arguments | ListKind::Environment => None,
    });
    rust.chain(others)
}

/// The entry of a file that is not Rust in a document: its lines, or none if its bytes are in `kept` and not in the text.
pub fn listed(name: String, file: File, kept: &mut BTreeMap<String, File>) -> String {
    match std::str::from_utf8(&file.bytes) {
        Ok(data) if file.kind == FileKind::Plain && data.len() <= LARGEST_TEXT => {
            let lines: String = data.split_inclusive('\n').map(|line| format!(", {line:?}")).collect();
            format!("\nmcve::data!({name:?}{lines});")
        }
        _ => {
            let list = format!("\nmcve::kept!({name:?});");
            kept.insert(name, file);
            list
        }
    }
}
