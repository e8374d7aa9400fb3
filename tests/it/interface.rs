//! Holds the public interface of each library to a page in `docs/interface/`, so that a change of it is seen in a review.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use quote::{ToTokens, quote};
use syn::{Fields, File, ImplItem, Item, ItemMod, TraitItem, UseTree, Visibility};

/// The libraries, by the folder of their sources.
const LIBRARIES: [(&str, &str); 8] = [
    ("mcve-changes", "crates/changes/src"),
    ("mcve-dd", "crates/dd/src"),
    ("mcve-generate", "crates/generate/src"),
    ("mcve-launch", "crates/launch/src"),
    ("mcve-package", "crates/package/src"),
    ("mcve-preload", "crates/preload/src"),
    ("mcve-reduce", "crates/reduce/src"),
    ("mcve-transforms", "transforms/src"),
];

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Writes the public items of a library as lines: the module, then the item without documentation and bodies.
struct Page {
    lines: Vec<String>,
    /// The names that the library exports from private modules.
    exported: BTreeSet<String>,
    /// Whether the module at hand is private.
    is_private: bool,
}

/// The names that a use declaration brings.
fn names(tree: &UseTree, found: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => names(&path.tree, found),
        UseTree::Name(name) => _ = found.insert(name.ident.to_string()),
        UseTree::Rename(rename) => _ = found.insert(rename.ident.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, found)),
        UseTree::Glob(_) => {}
    }
}

/// The name of an item, or of the type that it is an impl of.
fn name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Impl(item) => tokens(&item.self_ty).split(['<', ' ']).next()?.to_owned(),
        _ => return None,
    })
}

impl Page {
    fn file(&mut self, file: &Path, folder: &Path, module: &str) {
        let text = std::fs::read_to_string(file).expect("a module has a file");
        let File { items, .. } = syn::parse_file(&text).expect("the sources parse");
        self.items(&items, folder, module);
    }

    fn items(&mut self, items: &[Item], folder: &Path, module: &str) {
        for item in items {
            if self.is_private && !matches!(item, Item::Mod(_)) {
                let is_exported = name(item).is_some_and(|name| self.exported.contains(&name));
                if !is_exported {
                    continue;
                }
            }
            match item {
                Item::Mod(item) if item.attrs.iter().any(|attr| attr.path().is_ident("cfg")) => {}
                Item::Mod(item) => {
                    let before = self.is_private;
                    self.is_private |= !is_public(&item.vis);
                    self.module(item, folder, module);
                    self.is_private = before;
                }
                Item::Const(item) if is_public(&item.vis) => {
                    let (name, ty) = (&item.ident, &item.ty);
                    self.push(module, quote!(const #name: #ty));
                }
                Item::Static(item) if is_public(&item.vis) => {
                    let (name, ty) = (&item.ident, &item.ty);
                    self.push(module, quote!(static #name: #ty));
                }
                Item::Fn(item) if is_public(&item.vis) => self.push(module, &item.sig),
                Item::Type(item) if is_public(&item.vis) => {
                    let (name, generics, ty) = (&item.ident, &item.generics, &item.ty);
                    self.push(module, quote!(type #name #generics = #ty));
                }
                Item::Use(item) if is_public(&item.vis) => {
                    let tree = &item.tree;
                    names(tree, &mut self.exported);
                    self.push(module, quote!(use #tree));
                }
                Item::Struct(item) if is_public(&item.vis) => {
                    let (name, generics) = (&item.ident, &item.generics);
                    self.push(module, quote!(struct #name #generics));
                    self.fields(module, &name.to_string(), &item.fields, false);
                }
                Item::Enum(item) if is_public(&item.vis) => {
                    let (name, generics) = (&item.ident, &item.generics);
                    self.push(module, quote!(enum #name #generics));
                    for variant in &item.variants {
                        let of = format!("{name}::{}", variant.ident);
                        self.lines.push(format!("{module}: {of}"));
                        self.fields(module, &of, &variant.fields, true);
                    }
                }
                Item::Trait(item) if is_public(&item.vis) => {
                    let (name, generics) = (&item.ident, &item.generics);
                    self.push(module, quote!(trait #name #generics));
                    for inner in &item.items {
                        if let TraitItem::Fn(method) = inner {
                            let (sig, is_provided) = (&method.sig, method.default.is_some());
                            let provided = if is_provided { " = .." } else { "" };
                            self.lines.push(format!("{module}: {name}: {}{provided}", tokens(sig)));
                        }
                    }
                }
                Item::Impl(item) => {
                    let of = tokens(&item.self_ty);
                    if let Some((path, _)) = &item.trait_ {
                        self.lines.push(format!("{module}: impl {} for {of}", tokens(path)));
                        continue;
                    }
                    for inner in &item.items {
                        match inner {
                            ImplItem::Fn(method) if is_public(&method.vis) => {
                                self.lines.push(format!("{module}: {of}: {}", tokens(&method.sig)));
                            }
                            ImplItem::Const(constant) if is_public(&constant.vis) => {
                                let (name, ty) = (&constant.ident, tokens(&constant.ty));
                                self.lines.push(format!("{module}: {of}: const {name}: {ty}"));
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn module(&mut self, item: &ItemMod, folder: &Path, module: &str) {
        let name = item.ident.to_string();
        let inner = format!("{module}::{name}");
        match &item.content {
            Some((_, items)) => self.items(items, &folder.join(&name), &inner),
            None => {
                let files = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
                let file = files.iter().find(|file| file.is_file()).expect("a module has a file");
                self.file(file, &folder.join(&name), &inner);
            }
        }
    }

    fn fields(&mut self, module: &str, of: &str, fields: &Fields, are_public: bool) {
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| are_public || is_public(&field.vis)) {
            let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
            self.lines.push(format!("{module}: {of}.{name}: {}", tokens(&field.ty)));
        }
    }

    fn push(&mut self, module: &str, item: impl ToTokens) {
        self.lines.push(format!("{module}: {}", tokens(item)));
    }
}

/// Tokens on one line, with the spaces of a person as far as that is simple.
fn tokens(item: impl ToTokens) -> String {
    let text = item.into_token_stream().to_string();
    let pairs = [(" :: ", "::"), (" < ", "<"), (" >", ">"), (" , ", ", "), ("& ", "&"), (" ;", ";"), (" :", ":")];
    pairs
        .into_iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
        .replace("( ", "(")
        .replace(" )", ")")
        .replace(" (", "(")
}

#[test]
fn the_pages_of_interfaces_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, sources) in LIBRARIES {
        let mut page = Page { lines: Vec::new(), exported: BTreeSet::new(), is_private: false };
        let sources: PathBuf = root.join(sources);
        // Twice: an item may stand before the line that exports it.
        for _ in 0..2 {
            page.file(&sources.join("lib.rs"), &sources, &name.replace('-', "_"));
        }
        page.lines.sort();
        page.lines.dedup();
        let text = page.lines.join("\n") + "\n";
        let path = root.join("docs/interface").join(format!("{name}.txt"));
        if std::env::var_os("MCVE_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
            std::fs::write(&path, &text).expect("it can be written");
            continue;
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        let changed: Vec<&str> = text.lines().filter(|line| !known.lines().any(|other| other == *line)).collect();
        assert!(
            known == text,
            "`MCVE_BLESS=1 cargo test --test it interface` renews {}; new: {changed:#?}",
            path.display()
        );
    }
}
