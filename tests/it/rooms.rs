//! Holds the imports between folders to the code map: what a place must not know, it does not import.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, UseTree, VisRestricted};

/// The folders of sources of all crates.
const CRATES: [&str; 10] = [
    "crates/changes/src", "crates/dd/src", "crates/generate/src", "crates/launch/src", "crates/package/src",
    "crates/preload/src", "crates/reduce/src", "crates/testing/src", "src", "transforms/src",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A module, as the names that lead to it.
type Module = Vec<String>;

/// What the modules of one crate import of each other, tests left out.
struct Imports {
    modules: BTreeSet<Module>,
    of: BTreeMap<Module, BTreeSet<Module>>,
}

impl Imports {
    /// The imports of the sources in the folder `sources`.
    fn read(sources: &str) -> Self {
        let folder = root().join(sources);
        let files = files(&folder);
        let modules: BTreeSet<Module> = files.iter().map(|file| module(file, &folder)).collect();
        let mut of = BTreeMap::new();
        for file in &files {
            let own = module(file, &folder);
            let text = std::fs::read_to_string(file).expect("it can be read");
            let mut paths = Paths { found: Vec::new() };
            paths.visit_file(&syn::parse_file(&text).expect("the sources parse"));
            let imported = paths.found.iter().filter_map(|path| resolve(path, &own, &modules));
            of.insert(own.clone(), imported.filter(|other| *other != own).collect());
        }
        Self { modules, of }
    }

    /// The modules that a module leads to, itself only where it does so by others.
    fn reach<'a>(&'a self, from: &'a Module) -> BTreeSet<&'a Module> {
        let (mut found, mut work) = (BTreeSet::new(), vec![from]);
        while let Some(module) = work.pop() {
            work.extend(self.of.get(module).into_iter().flatten().filter(|other| found.insert(*other)));
        }
        found
    }
}

/// The Rust files below `folder` that are no tests and no programs of their own.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("it is there") {
            let path = entry.expect("it can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("it has a name").to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && !matches!(&*name, "lib.rs" | "main.rs" | "tests.rs" | "testing.rs") {
                found.push(path);
            }
        }
    }
    found
}

/// The module that a file is.
fn module(file: &Path, folder: &Path) -> Module {
    let path = file.strip_prefix(folder).expect("it is below").with_extension("");
    let names = path.iter().map(|name| name.to_str().expect("it is text").to_owned());
    names.filter(|name| name != "mod").collect()
}

/// The module of `modules` that `path`, written in `own`, leads into; none where it leads out of the crate.
fn resolve(path: &[String], own: &Module, modules: &BTreeSet<Module>) -> Option<Module> {
    let mut whole = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "super" | "self" => own.clone(),
        first => {
            let child = [&own[..], &[first.to_owned()]].concat();
            return modules.contains(&child).then_some(child);
        }
    };
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => drop(whole.pop()),
            name => whole.push(name.to_owned()),
        }
    }
    (1..=whole.len()).rev().map(|length| whole[..length].to_vec()).find(|module| modules.contains(module))
}

/// All paths of a file but for those of its tests.
struct Paths {
    found: Vec<Vec<String>>,
}

impl Paths {
    fn leaves(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(tree) => self.leaves(&tree.tree, &with(&tree.ident)),
            UseTree::Name(tree) => self.found.push(with(&tree.ident)),
            UseTree::Rename(tree) => self.found.push(with(&tree.ident)),
            UseTree::Glob(_) => self.found.push(before.to_vec()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.leaves(tree, before)),
        }
    }
}

fn is_test(attrs: &[Attribute]) -> bool {
    attrs
        .iter()
        .any(|attr| attr.path().is_ident("cfg") && attr.parse_args::<syn::Path>().is_ok_and(|p| p.is_ident("test")))
}

impl<'a> Visit<'a> for Paths {
    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        self.leaves(&item.tree, &[]);
    }

    /// `pub(super)` says who may import an item, and imports nothing.
    fn visit_vis_restricted(&mut self, _: &'a VisRestricted) {}

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.segments.first().is_some_and(|first| first.ident == "crate" || first.ident == "super") {
            self.found.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// A row of the code map, as far as it speaks of places: those that it must not know, or the only ones that it may.
struct Row {
    sources: &'static str,
    place: Module,
    named: Vec<Module>,
    /// Whether it must not know anything but those.
    is_closed: bool,
    /// Whether the files in its folders must not know each other.
    apart: bool,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it is there");
    let names = |path: &str| -> Module {
        let path = path.trim_end_matches('/').trim_end_matches(".rs");
        path.split('/').map(str::to_owned).collect()
    };
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let place = cells[1].trim_matches('`');
        let sources = CRATES.into_iter().find(|sources| place.starts_with(&format!("{sources}/")));
        let (Some(sources), Some(must_not)) = (sources, cells.get(3)) else { continue };
        rows.push(Row {
            sources,
            place: names(&place[sources.len() + 1..]),
            named: must_not.split('`').skip(1).step_by(2).map(names).collect(),
            is_closed: must_not.contains("anything but"),
            apart: must_not.contains("each other"),
        });
    }
    rows
}

#[test]
fn what_a_place_must_not_know_it_does_not_import() {
    let rows = rows();
    for sources in CRATES {
        let imports = Imports::read(sources);
        for row in rows.iter().filter(|row| row.sources == sources && !row.named.is_empty()) {
            for name in &row.named {
                let is_there = imports.modules.iter().any(|module| module.starts_with(name));
                assert!(is_there, "the code map names {name:?}, which is not in {sources}");
            }
            for (module, imported) in imports.of.iter().filter(|(module, _)| module.starts_with(&row.place)) {
                for other in imported.iter().filter(|other| !other.starts_with(&row.place)) {
                    let is_named = row.named.iter().any(|name| other.starts_with(name));
                    assert!(is_named == row.is_closed, "{} imports {}", module.join("::"), other.join("::"));
                }
            }
        }
    }
}

#[test]
fn no_family_imports_another_one() {
    for row in rows().iter().filter(|row| row.apart) {
        let imports = Imports::read(row.sources);
        // A room lists its families.
        let files = || imports.of.iter().filter(|(module, _)| module.len() == row.place.len() + 2);
        for (module, imported) in files().filter(|(module, _)| module.starts_with(&row.place)) {
            let other = imported.iter().find(|other| other.starts_with(&row.place));
            assert!(other.is_none(), "{} imports {}", module.join("::"), other.expect("there is one").join("::"));
        }
    }
}

#[test]
fn no_modules_import_each_other() {
    for sources in CRATES {
        let imports = Imports::read(sources);
        for module in &imports.modules {
            let reached = imports.reach(module);
            let circle: Vec<String> = reached
                .iter()
                .filter(|other| imports.reach(other).contains(module))
                .map(|other| other.join("::"))
                .collect();
            assert!(circle.is_empty(), "in {sources} these modules import each other: {}", circle.join(", "));
        }
    }
}

#[test]
fn no_rooms_import_each_other() {
    for sources in ["transforms/src", "crates/reduce/src"] {
        let mut imports = Imports::read(sources);
        let room = |module: &Module| module[..1].to_vec();
        let mut of: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (module, imported) in &imports.of {
            let others = imported.iter().map(room).filter(|other| *other != room(module));
            of.entry(room(module)).or_default().extend(others);
        }
        imports.of = of;
        for room in imports.of.keys() {
            assert!(!imports.reach(room).contains(room), "{room:?} is in a circle of rooms");
        }
    }
}

/// The rooms of a crate in an order in which each imports later ones only, a line each with those that no other one of its
/// imports imports for it.
fn picture(sources: &str) -> String {
    let imports = Imports::read(sources);
    let mut of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, imported) in &imports.of {
        let others = imported.iter().map(|other| other[0].clone()).filter(|other| *other != module[0]);
        of.entry(module[0].clone()).or_default().extend(others);
    }
    let reach = |from: &String| {
        let (mut found, mut work) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(room) = work.pop() {
            work.extend(of[&room].iter().filter(|other| found.insert((*other).clone())).cloned());
        }
        found
    };
    let mut rooms: Vec<(usize, &String)> = of.keys().map(|room| (reach(room).len(), room)).collect();
    rooms.sort_by(|(size, room), (other_size, other)| other_size.cmp(size).then(room.cmp(other)));
    let mut lines = String::new();
    for (_, room) in rooms {
        let is_direct = |other: &&String| !of[room].iter().any(|between| reach(between).contains(*other));
        let direct: Vec<&str> = of[room].iter().filter(is_direct).map(String::as_str).collect();
        let arrow = if direct.is_empty() { String::new() } else { format!(" -> {}", direct.join(", ")) };
        lines.push_str(format!("{room:12}{arrow}").trim_end());
        lines.push('\n');
    }
    lines
}

#[test]
fn the_map_is_the_picture_of_the_imports() {
    let path = root().join("ARCHITECTURE.md");
    let mut text = std::fs::read_to_string(&path).expect("it is there");
    for sources in ["crates/reduce/src", "transforms/src"] {
        let begin = format!("<!-- rooms of {sources} -->\n```text\n");
        let start = text.find(&begin).expect("there is a picture") + begin.len();
        let end = start + text[start..].find("```").expect("it has an end");
        let (picture, shown) = (picture(sources), text[start..end].to_owned());
        if std::env::var_os("MCVE_BLESS").is_some() {
            text.replace_range(start..end, &picture);
            std::fs::write(&path, &text).expect("it can be written");
            continue;
        }
        assert_eq!(shown, picture, "`MCVE_BLESS=1 cargo test --test it rooms` renews it");
    }
}
