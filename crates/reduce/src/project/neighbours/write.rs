//! Writes a program's files as one text.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcve_transforms::{Document, ModulePlace, Source, Understanding, prefix};

use super::find::{Included, Module, Named, Needed, RustFile};
use crate::output::program_name;
use crate::program::{File, FileKind, Files, Layout, Program, edited, listed};

/// A file with more bytes than this is read where it is.
const LARGEST_COPY: u64 = 1 << 20;

/// The program of the files of a folder: those of Rust as crates of their own, as nothing says how they belong together.
pub(super) fn folder(files: &Files) -> Option<Program> {
    let (mut text, mut kept) = (String::new(), BTreeMap::new());
    for (path, file) in &files.files {
        let name = path.to_str()?.to_owned();
        let rust = std::str::from_utf8(&file.bytes).ok().filter(|rust| {
            let is_named = file.kind == FileKind::Plain && name.ends_with(".rs") && prefix(rust) == 0;
            is_named && Source::parse(*rust).understanding() != Understanding::Text && !rust.contains(Document::SIGN)
        });
        text += &match rust {
            Some(rust) => format!("\n#[mcve::krate({name:?})] mod file {{\n{rust}\n}}"),
            None => listed(name, file.clone(), &mut kept),
        };
    }
    let document = Document::read(&text, "")?;
    Some(Program::of_document("", text, Layout::new(&document, kept).into_folder()))
}

/// A file that is no module: where it is too large to be copied, a link to it.
pub(super) fn taken(path: &Path) -> Option<File> {
    if std::fs::metadata(path).ok()?.len() > LARGEST_COPY {
        return Some(File { kind: FileKind::Link, bytes: Arc::from(OsString::from(path).into_vec()) });
    }
    Some(File::plain(std::fs::read(path).ok()?))
}

/// Names files by where they are in a folder.
pub(super) struct Names<'a> {
    pub(super) base: &'a Path,
    /// The folder that all of them are put into; empty for none.
    pub(super) inside: &'a str,
    /// The names that files have.
    pub(super) used: BTreeSet<String>,
}

impl Names<'_> {
    /// The program of these files; none if it cannot be one text.
    pub(super) fn program(mut self, root: &RustFile, crates: &[Needed], others: &BTreeSet<PathBuf>) -> Option<Program> {
        let mut kept = BTreeMap::new();
        let mut text = self.text(root, root.path.parent()?);
        for needed in crates {
            text += &self.krate(needed)?;
        }
        let given: BTreeSet<&String> = crates.iter().filter_map(|needed| needed.auxiliary.name.as_ref()).collect();
        if !given.is_empty() {
            let words: Vec<String> = given.iter().map(|name| format!("{:?}", format!("--extern={name}"))).collect();
            text += &format!("\nmcve::arguments!({});", words.join(", "));
        }
        for path in others {
            let name = path.strip_prefix(self.base).ok()?.to_str()?.to_owned();
            if !self.used.insert(name.clone()) {
                continue;
            }
            text += &listed(name, taken(path)?, &mut kept);
        }
        let name = &root.path.strip_prefix(self.base).ok()?.with_file_name(program_name(&root.path));
        let document = Document::read(&text, name.to_str()?)?;
        Some(Program::of_document(name, text, Layout::new(&document, kept)))
    }

    /// The text of a crate as the program of another one has it: that is called `name` and compiled with these arguments.
    pub(super) fn dependency(mut self, root: &RustFile, name: &str, arguments: &[String]) -> Option<String> {
        let words = std::iter::once(self.name(&root.path)).chain(arguments.iter().cloned());
        self.marked(root, name, words.collect())
    }

    /// The text of a crate that is called `name` and compiled with these words, the name of its root file first.
    fn marked(&mut self, root: &RustFile, name: &str, words: Vec<String>) -> Option<String> {
        let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
        let text = self.text(root, root.path.parent()?);
        Some(format!("\n#[mcve::krate({})] mod {name} {{\n{text}\n}}", words.join(", ")))
    }

    /// The path of a file among the others.
    fn place(&self, path: &Path) -> String {
        let path = path.strip_prefix(self.base).unwrap_or(path);
        Path::new(self.inside).join(path).to_string_lossy().into_owned()
    }

    /// A name of its own for a file: one that is there twice has two.
    fn name(&mut self, path: &Path) -> String {
        let name = self.place(path);
        let stem = name.strip_suffix(".rs").unwrap_or(&name);
        let others = (2..).map(|number| format!("{stem}_{number}.rs"));
        let free = std::iter::once(name.clone()).chain(others).find(|name| !self.used.contains(name));
        let free = free.expect("there is always another number");
        self.used.insert(free.clone());
        free
    }

    /// The text of a crate that another one needs.
    fn krate(&mut self, needed: &Needed) -> Option<String> {
        let root = &needed.root;
        let stem = root.path.file_stem()?.to_str()?.replace('-', "_");
        let name = needed.auxiliary.name.as_ref().unwrap_or(&stem);
        let is_proc_macro = needed.auxiliary.is_proc_macro || root.text.contains("crate_type = \"proc-macro\"");
        let form = if is_proc_macro { "proc-macro" } else { "lib" };
        let mut words = vec![self.name(&root.path), format!("--crate-name={name}"), format!("--crate-type={form}")];
        words.extend(is_proc_macro.then(|| "--extern=proc_macro".to_owned()));
        words.extend(needed.arguments.iter().cloned());
        self.marked(root, name, words)
    }

    /// The text of a file with those of its modules in it; `root` is the folder of the root file of its crate.
    pub(super) fn text(&mut self, file: &RustFile, root: &Path) -> String {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for Module { item, attributes, file } in &file.modules {
            edits.extend(attributes.iter().map(|attribute| (attribute.clone(), String::new())));
            let mark = match file {
                Named::Own(file) => {
                    let mark = format!("#[mcve::file({:?})] ", self.name(&file.path));
                    edits.push((item.end - 1..item.end, format!(" {{\n{}\n}}", self.text(file, root))));
                    mark
                }
                Named::Foreign(path) => format!("#[path = {path:?}] "),
            };
            edits.push((item.start..item.start, mark));
        }
        for Included { literal, path } in &file.included {
            let folder = ModulePlace::of_file(&root.join("x").to_string_lossy(), true);
            let path = match path {
                Named::Own(path) => folder.path_to(&path.to_string_lossy()),
                Named::Foreign(path) => path.to_string_lossy().into_owned(),
            };
            edits.push((literal.clone(), format!("{path:?}")));
        }
        edited(&file.text, edits)
    }
}
