//! The arguments and variables of the compiler that belong to a program, and the crates that it needs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use mcve_transforms::{Document, ListKind};

use super::content::Program;
use super::layout::Layout;

const EDITION: &str = "--edition=";

/// A crate that the last one of a program needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crate {
    /// The arguments of the compiler.
    pub arguments: Vec<String>,
    /// Its files, the root file first.
    pub files: Vec<PathBuf>,
    range: Range<usize>,
}

impl Program {
    /// The program with new arguments and variables of the compiler; none where the text has no place for them.
    pub fn with_arguments(&self, arguments: &[String], variables: &[String]) -> Option<Self> {
        let is_edition = |argument: &&String| argument.starts_with(EDITION);
        let edition = arguments.iter().find(is_edition).and_then(|argument| argument.strip_prefix(EDITION));
        let edition = edition.or(self.edition());
        let own = self.arguments();
        let is_new = |argument: &&String| !is_edition(argument) && !own.contains(argument);
        let arguments: Vec<String> = arguments.iter().filter(is_new).cloned().collect();
        let mut text = self.text.to_string();
        for (name, words) in [("arguments", &arguments[..]), ("environment", variables)] {
            if !words.is_empty() {
                let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
                text += &format!("\nmcve::{name}!({});", words.join(", "));
            }
        }
        let document = Document::read(&text, &self.name.to_string_lossy())?;
        let layout = self.layout.as_deref().cloned();
        let layout = layout.unwrap_or_else(|| Layout::new(&document, BTreeMap::new()));
        let program = Self::of_document(&*self.name, text, layout);
        let is_same = program.root() == self.root() && program.arguments().ends_with(&arguments);
        is_same.then(|| program.with_edition(edition))
    }

    /// The program with another crate before all others, a marked module of a document; none if two files had one name.
    pub(crate) fn with_crate(&self, krate: &str) -> Option<Self> {
        let document = self.document();
        let crates = document.iter().flat_map(|document| document.files.iter().skip(1));
        let first = crates.filter(|file| file.arguments.is_some()).map(|file| file.range.start).min();
        let (before, behind) = self.text.split_at(first.unwrap_or_else(|| self.lists()));
        let text = format!("{before}{krate}{}{behind}", if first.is_some() { "\n" } else { "" });
        let read = Document::read(&text, &self.name.to_string_lossy())?;
        let mut names = BTreeSet::new();
        if !read.files.iter().all(|file| names.insert(&*file.path)) {
            return None;
        }
        Some(self.extended(text, &read, BTreeMap::new()))
    }

    /// The arguments of the compiler that belong to the program, but for the edition.
    pub fn arguments(&self) -> Vec<String> {
        self.document().map(|document| document.words(&ListKind::Arguments)).unwrap_or_default()
    }

    /// The edition, if it belongs to the program.
    pub fn edition(&self) -> Option<&str> {
        self.layout.as_ref()?.edition.as_deref()
    }

    /// The program with another edition, or none. A program without arguments stays as it is.
    pub(crate) fn with_edition(&self, edition: Option<&str>) -> Self {
        let layout = self.layout.as_ref().map(|layout| Arc::new(layout.with_edition(edition.map(str::to_owned))));
        let mut program = self.clone();
        program.layout = layout;
        program
    }

    /// The crates besides the last one, in the order in which they are compiled.
    pub fn crates(&self) -> Vec<Crate> {
        let mut crates: Vec<Crate> = Vec::new();
        let document = self.document();
        for file in document.iter().flat_map(|document| &document.files).skip(1) {
            match (&file.arguments, crates.last_mut()) {
                (Some(arguments), _) => {
                    let arguments = arguments.iter().map(|(_, word)| word.clone()).collect();
                    crates.push(Crate { arguments, files: vec![file.at.clone().into()], range: file.range.clone() });
                }
                (None, Some(last)) if last.range.contains(&file.range.start) => last.files.push(file.at.clone().into()),
                (None, _) => {}
            }
        }
        crates
    }

    /// Whether to compile it runs code of it: procedural macros.
    pub(crate) fn has_proc_macros(&self) -> bool {
        let is_one = |argument: &String| argument == "--crate-type=proc-macro";
        self.crates().iter().any(|krate| krate.arguments.iter().any(is_one))
    }

    /// The variables of the compiler's environment that belong to the program, with their values.
    pub fn environment(&self) -> Vec<(String, String)> {
        let words = self.document().map(|document| document.words(&ListKind::Environment)).unwrap_or_default();
        words.iter().filter_map(|word| word.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect()
    }
}
