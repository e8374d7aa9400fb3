//! The files that a file takes along: those of its modules, and those that it includes.
//!
//! They are found by syntax: `mod x;` with the rules of [`ModulePlace`], `include!`, `include_str!` and `include_bytes!` of a
//! literal. What a macro makes is not found.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use mcve_transforms::{Document, Kind, ModulePlace, Node, Source, Syntax, Tree, Understanding, prefix, range};
use syn::{Item, Meta};

use crate::output::program_name;
use crate::program::{File, FileKind, Layout, Program};

/// A file with more bytes than this is no part of the text.
const LARGEST_TEXT: usize = 1 << 16;

/// A file with more bytes than this is read where it is.
const LARGEST_COPY: u64 = 1 << 20;

/// At most so many bytes of Rust are gone through.
const LARGEST_PROGRAM: usize = 64 << 20;

/// The macros that include a file.
const INCLUDES: [&str; 3] = ["include", "include_bytes", "include_str"];

/// A file of Rust with those of its modules.
struct RustFile {
    path: PathBuf,
    text: String,
    modules: Vec<Module>,
    /// What is included, and where it is named.
    included: Vec<(Range<usize>, PathBuf)>,
}

/// A module in a file of its own.
struct Module {
    /// The declaration.
    item: Range<usize>,
    /// The attributes that say where the file is.
    attributes: Vec<Range<usize>>,
    file: RustFile,
}

/// A program with the files that its root file names.
pub struct Gathered {
    /// The program.
    pub program: Program,
    /// What the user should know of it.
    pub notes: Vec<String>,
}

/// The program whose root file is at `path` and holds `text`; none where it names no other file that there is.
#[must_use]
pub fn gather(path: &Path, text: &str) -> Option<Gathered> {
    let path = std::path::absolute(path).ok()?;
    let mut search = Search { open: vec![path.canonicalize().ok()?], bytes: 0, others: BTreeSet::new() };
    let root = search.read(path, text.to_owned(), true)?;
    let others = search.others;
    let paths: Vec<PathBuf> = root.paths().into_iter().chain(others.iter().cloned()).collect();
    if paths.len() < 2 {
        return None;
    }
    let base = common_folder(&paths)?;
    let names = Names { base: &base, root: root.path.parent()?, used: BTreeSet::new() };
    names.program(&root, &others)
}

/// What was found so far.
struct Search {
    /// The files around the one that is read.
    open: Vec<PathBuf>,
    bytes: usize,
    /// Files that are no modules, or whose text cannot stand in another.
    others: BTreeSet<PathBuf>,
}

impl Search {
    fn read(&mut self, path: PathBuf, text: String, is_root: bool) -> Option<RustFile> {
        self.bytes += text.len();
        if self.bytes > LARGEST_PROGRAM {
            return None;
        }
        let source = Source::parse(&*text);
        if source.understanding() == Understanding::Text {
            return None;
        }
        let tree = Tree::new(&source);
        let place = ModulePlace::of_file(path.to_str()?, is_root);
        let mut modules: Vec<Module> = tree.nodes().filter_map(|node| self.module(node, &place)).collect();
        modules.sort_by_key(|module| module.item.start);
        modules.dedup_by_key(|module| module.item.start);
        let mut included = included(&source, path.parent()?);
        included.retain(|(_, path)| path.is_file());
        self.others.extend(included.iter().map(|(_, path)| path.clone()));
        drop(tree);
        drop(source);
        Some(RustFile { path, text, modules, included })
    }

    /// The module that a node declares, if it has a file of its own.
    fn module(&mut self, node: Node<'_>, place: &ModulePlace) -> Option<Module> {
        let Syntax::Item(Item::Mod(item)) = node.syntax() else { return None };
        item.semi.as_ref()?;
        let around: Vec<String> = node
            .ancestors()
            .filter_map(|node| match node.syntax() {
                Syntax::Item(Item::Mod(item)) => Some(item.ident.to_string()),
                _ => None,
            })
            .collect();
        let place = around.iter().rev().fold(place.clone(), |place, name| place.inside(name));
        let (mut attributes, mut said) = (Vec::new(), Vec::new());
        for attribute in &item.attrs {
            let paths = paths_of(&attribute.meta);
            if !paths.is_empty() {
                attributes.push(range(attribute));
                said.extend(paths);
            }
        }
        let name = item.ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name);
        let by_path = said.iter().map(|path| place.named(path)).map(|path| (path, true));
        let by_name = place.candidates(name).into_iter().map(|path| (path, false));
        let (path, is_root) =
            by_path.chain(by_name).map(|(path, by)| (PathBuf::from(path), by)).find(|(path, _)| path.is_file())?;
        let real = path.canonicalize().ok()?;
        // A circle is the compiler's to refuse.
        if self.open.contains(&real) {
            return None;
        }
        let text = std::fs::read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        // What stands before the Rust text cannot stand in another file.
        let Some(text) = text.filter(|text| prefix(text) == 0) else {
            self.others.insert(path);
            return None;
        };
        self.open.push(real);
        let file = self.read(path.clone(), text, is_root);
        self.open.pop();
        if file.is_none() {
            self.others.insert(path);
        }
        Some(Module { item: node.range(), attributes, file: file? })
    }
}

/// The paths that an attribute gives a module: `path = ".."`, by itself or in `cfg_attr`.
fn paths_of(meta: &Meta) -> Vec<String> {
    let text = |expr: &syn::Expr| match expr {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    };
    match meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => text(&pair.value).into_iter().collect(),
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let parser = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
            let nested = list.parse_args_with(parser).unwrap_or_default();
            nested.iter().skip(1).flat_map(paths_of).collect()
        }
        _ => Vec::new(),
    }
}

/// The paths that calls of `include!` and its kin name, with where they are written.
fn included(source: &Source, folder: &Path) -> Vec<(Range<usize>, PathBuf)> {
    let code = source.tokens().iter().filter(|token| token.kind == Kind::Code);
    let words: Vec<(&str, Range<usize>)> =
        code.map(|token| (&source.text()[token.range.clone()], token.range.clone())).collect();
    let calls = words
        .windows(4)
        .filter(|words| INCLUDES.contains(&words[0].0) && words[1].0 == "!" && matches!(words[2].0, "(" | "[" | "{"));
    let path = |words: &[(&str, Range<usize>)]| {
        let path = syn::parse_str::<syn::LitStr>(words[3].0).ok()?.value();
        // What is elsewhere for sure is there for a check, too.
        (!path.starts_with('/')).then(|| (words[3].1.clone(), plain(&folder.join(path))))
    };
    calls.filter_map(path).collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The innermost folder that all paths are in.
fn common_folder(paths: &[PathBuf]) -> Option<PathBuf> {
    let mut folder = paths.first()?.parent()?.to_owned();
    for path in paths {
        while !path.starts_with(&folder) {
            folder.pop();
        }
    }
    Some(folder)
}

impl RustFile {
    /// Its path and those of its modules.
    fn paths(&self) -> Vec<PathBuf> {
        let modules = self.modules.iter().flat_map(|module| module.file.paths());
        std::iter::once(self.path.clone()).chain(modules).collect()
    }
}

/// Names files by where they are in a folder.
struct Names<'a> {
    base: &'a Path,
    /// The folder of the root file.
    root: &'a Path,
    used: BTreeSet<String>,
}

impl Names<'_> {
    fn program(mut self, root: &RustFile, others: &BTreeSet<PathBuf>) -> Option<Gathered> {
        let (mut notes, mut kept) = (Vec::new(), BTreeMap::new());
        let mut text = self.text(root);
        for path in others {
            let name = path.strip_prefix(self.base).ok()?.to_str()?.to_owned();
            if !self.used.insert(name.clone()) {
                continue;
            }
            let size = std::fs::metadata(path).ok()?.len();
            if size > LARGEST_COPY {
                notes.push(format!("{} has {} MiB: it is read where it is", path.display(), size >> 20));
                let target = OsString::from(path).into_vec();
                text += &format!("\nmcve::kept!({name:?});");
                kept.insert(name, File { kind: FileKind::Link, bytes: Arc::from(target) });
                continue;
            }
            let bytes = std::fs::read(path).ok()?;
            match std::str::from_utf8(&bytes) {
                Ok(data) if bytes.len() <= LARGEST_TEXT => {
                    let lines: String = data.split_inclusive('\n').map(|line| format!(", {line:?}")).collect();
                    text += &format!("\nmcve::data!({name:?}{lines});");
                }
                _ => {
                    text += &format!("\nmcve::kept!({name:?});");
                    kept.insert(name, File::plain(bytes));
                }
            }
        }
        let name = &root.path.strip_prefix(self.base).ok()?.with_file_name(program_name(&root.path));
        let document = Document::read(&text, name.to_str()?)?;
        let layout = Some(Arc::new(Layout::new(&document, kept)));
        Some(Gathered { program: Program { name: name.to_owned(), text: text.into(), layout }, notes })
    }

    /// A name of its own for a file: one that is there twice has two.
    fn name(&mut self, path: &Path) -> String {
        let name = path.strip_prefix(self.base).unwrap_or(path).to_string_lossy().into_owned();
        let stem = name.strip_suffix(".rs").unwrap_or(&name);
        let others = (2..).map(|number| format!("{stem}_{number}.rs"));
        let free = std::iter::once(name.clone()).chain(others).find(|name| !self.used.contains(name));
        let free = free.expect("there is always another number");
        self.used.insert(free.clone());
        free
    }

    /// The text of a file with those of its modules in it.
    fn text(&mut self, file: &RustFile) -> String {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for Module { item, attributes, file } in &file.modules {
            let mark = format!("#[mcve::file({:?})] ", self.name(&file.path));
            edits.push((item.start..item.start, mark));
            edits.extend(attributes.iter().map(|attribute| (attribute.clone(), String::new())));
            edits.push((item.end - 1..item.end, format!(" {{\n{}\n}}", self.text(file))));
        }
        for (literal, path) in &file.included {
            let folder = ModulePlace::of_file(&self.root.join("x").to_string_lossy(), true);
            edits.push((literal.clone(), format!("{:?}", folder.path_to(&path.to_string_lossy()))));
        }
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = file.text.clone();
        for (range, new) in edits.into_iter().rev() {
            text.replace_range(range, &new);
        }
        text
    }
}
