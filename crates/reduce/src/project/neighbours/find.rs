//! Finds the files that a file names.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use mcve_transforms::{Kind, ModulePlace, Node, Source, Syntax, Token, Tree, Understanding, prefix, range, tokens};
use syn::{Item, Meta};

use crate::oracle::headers::{Auxiliary, Headers};
use crate::project::bounds::Bounds;
use crate::secrets::is_secret;

/// At most so many bytes of Rust are gone through.
const LARGEST_PROGRAM: usize = 64 << 20;

const INCLUDES: [&str; 3] = ["include", "include_bytes", "include_str"];

/// The folder of the crates that a file of rustc's test suite needs.
const AUXILIARY: &str = "auxiliary";

/// A file of Rust with those of its modules.
pub(super) struct RustFile {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) modules: Vec<Module>,
    pub(super) included: Vec<Included>,
}

/// A module in a file of its own.
pub(super) struct Module {
    pub(super) item: Range<usize>,
    /// The attributes that say where the file is.
    pub(super) attributes: Vec<Range<usize>>,
    pub(super) file: Named<RustFile>,
}

pub(super) struct Included {
    /// The literal that names it.
    pub(super) literal: Range<usize>,
    pub(super) path: Named<PathBuf>,
}

/// A file that a program names.
pub(super) enum Named<T> {
    Own(T),
    /// It is out of bounds, at this path.
    Foreign(PathBuf),
}

impl<T> Named<T> {
    pub(super) fn own(&self) -> Option<&T> {
        if let Self::Own(own) = self { Some(own) } else { None }
    }
}

/// A crate that the root file needs.
pub(super) struct Needed {
    pub(super) auxiliary: Auxiliary,
    /// The arguments that its own headers ask for.
    pub(super) arguments: Vec<String>,
    pub(super) root: RustFile,
}

impl RustFile {
    /// Its path and those of its modules.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let modules = self.modules.iter().filter_map(|module| module.file.own()).flat_map(Self::paths);
        std::iter::once(self.path.clone()).chain(modules).collect()
    }

    /// Whether it names a file that is out of bounds, by itself.
    pub(super) fn names_foreign(&self) -> bool {
        self.modules.iter().any(|module| module.file.own().is_none())
            || self.included.iter().any(|included| included.path.own().is_none())
    }
}

/// The files found so far.
pub(super) struct FileSearch {
    /// The files around the one that is read.
    open: Vec<PathBuf>,
    bytes: usize,
    bounds: Bounds,
    /// Files that are no modules, or whose text cannot stand in another.
    pub(super) others: BTreeSet<PathBuf>,
}

impl FileSearch {
    /// The files that a root file names, which is at `path` and holds `text`.
    pub(super) fn of_root(path: &Path, text: &str) -> Option<(Self, RustFile)> {
        let path = std::path::absolute(path).ok()?;
        let (open, bounds) = (vec![path.canonicalize().ok()?], Bounds::of_file(&path));
        let mut search = Self { open, bytes: 0, bounds, others: BTreeSet::new() };
        let root = search.read(path, text.to_owned(), true)?;
        Some((search, root))
    }

    /// The crates that the headers of a root file name, in the order of need; none if one of them is not there.
    pub(super) fn crates(&mut self, root: &RustFile) -> Option<Vec<Needed>> {
        let mut found: Vec<Needed> = Vec::new();
        for auxiliary in Headers::parse(&root.text).crates {
            let folder = root.path.parent()?;
            let places = [folder.join(AUXILIARY).join(&auxiliary.file), folder.join(&auxiliary.file)];
            let path =
                places.into_iter().map(|path| plain(&path)).find(|path| path.is_file() && self.bounds.has(path))?;
            let real = path.canonicalize().ok()?;
            if self.open.contains(&real) {
                return None;
            }
            let text = std::fs::read_to_string(&path).ok().filter(|text| prefix(text) == 0)?;
            self.open.push(real);
            let own = self.read(path, text, true)?;
            found.extend(self.crates(&own)?);
            self.open.pop();
            let headers = Headers::parse(&own.text);
            let given = headers.crates.iter().filter_map(|krate| krate.name.as_ref());
            let given = given.map(|name| format!("--extern={name}"));
            let arguments = headers.separate_args()?.into_iter().chain(given).collect();
            found.push(Needed { auxiliary, arguments, root: own });
        }
        let mut seen = BTreeSet::new();
        found.retain(|needed| seen.insert(needed.root.path.clone()));
        Some(found)
    }

    /// Reads the file at `path`, which holds `text`, with the files that it names; none if it is not Rust.
    pub(super) fn read(&mut self, path: PathBuf, text: String, is_root: bool) -> Option<RustFile> {
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
        let included: Vec<Included> = included(&source, path.parent()?)
            .into_iter()
            .filter(|(_, path)| path.is_file() && !is_secret(path))
            .map(|(literal, path)| {
                let path = if self.bounds.has(&path) { Named::Own(path) } else { Named::Foreign(path) };
                Included { literal, path }
            })
            .collect();
        self.others.extend(included.iter().filter_map(|included| included.path.own()).cloned());
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
        let (path, is_root) = by_path
            .chain(by_name)
            .map(|(path, by)| (PathBuf::from(path), by))
            .find(|(path, _)| path.is_file() && !is_secret(path))?;
        let real = path.canonicalize().ok()?;
        // A circle is the compiler's to refuse.
        if self.open.contains(&real) {
            return None;
        }
        if !self.bounds.has(&path) {
            return Some(Module { item: node.range(), attributes, file: Named::Foreign(plain(&path)) });
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
        Some(Module { item: node.range(), attributes, file: Named::Own(file?) })
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
    let named = literals(source.tokens(), source.text(), |words| {
        INCLUDES.contains(&words[0]) && words[1] == "!" && matches!(words[2], "(" | "[" | "{")
    });
    // What is elsewhere for sure is there for a check, too.
    let inside = named.into_iter().filter(|(_, path)| !path.starts_with('/'));
    inside.map(|(range, path)| (range, plain(&folder.join(path)))).collect()
}

/// The files that a text names by their whole paths, as modules or to be included.
pub(super) fn absolute(text: &str) -> BTreeSet<PathBuf> {
    let named = literals(&tokens(text), text, |words| {
        INCLUDES.contains(&words[0]) && words[1] == "!" || words[1..] == ["path", "="]
    });
    named.into_iter().map(|(_, path)| PathBuf::from(path)).filter(|path| path.is_absolute() && path.is_file()).collect()
}

/// The literals behind three words that are wanted, with where they are written.
fn literals(tokens: &[Token], text: &str, is_wanted: impl Fn(&[&str]) -> bool) -> Vec<(Range<usize>, String)> {
    let code = tokens.iter().filter(|token| token.kind == Kind::Code);
    let words: Vec<(&str, Range<usize>)> =
        code.map(|token| (&text[token.range.clone()], token.range.clone())).collect();
    let before = |words: &[(&str, Range<usize>)]| is_wanted(&[words[0].0, words[1].0, words[2].0]);
    let literal = |words: &[(&str, Range<usize>)]| {
        let (word, range) = &words[3];
        Some((range.clone(), syn::parse_str::<syn::LitStr>(word).ok()?.value()))
    };
    words.windows(4).filter(|words| before(words)).filter_map(literal).collect()
}

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
