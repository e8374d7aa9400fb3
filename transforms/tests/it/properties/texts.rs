//! The texts that the properties are held for.
//!
//! Of the project's sources and of the dependencies, which are large, a sample is taken; all of them with `MCVE_PROPERTIES=all`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mcve_transforms::{Source, Understanding, range};

/// All Rust files below `folder`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// A text and where it is from.
pub(crate) type Text = (PathBuf, String);

/// Of how many files of the project one is taken, and of how many of the dependencies; all of the corpus is.
const FILES: [usize; 2] = [16, 160];
/// Of how many items of such files one is taken, where other files are taken for items than as a whole.
const ITEMS: [usize; 2] = [4, 6];

/// Whether all are wanted.
pub(crate) fn all() -> bool {
    std::env::var_os("MCVE_PROPERTIES").is_some_and(|value| value == "all")
}

/// The root of the project.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is a member of the workspace")
}

/// The corpus and, of the sources of the project and those of its dependencies, one file in so many, from that number on.
fn sources(steps: [usize; 2], first: usize) -> [Vec<Text>; 3] {
    let below = |folders: &[&str]| {
        let mut paths = Vec::new();
        folders.iter().for_each(|folder| files(&root().join(folder), &mut paths));
        assert!(paths.len() > 30, "the sources are found: {}", paths.len());
        paths
    };
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        (path, text)
    };
    let texts = |paths: Vec<PathBuf>, step| paths.into_iter().skip(first).step_by(step).map(read).collect();
    [
        below(&["corpus"]).into_iter().map(read).collect(),
        texts(below(&["src", "transforms", "tests"]), steps[0]),
        texts(dependencies(root()), steps[1]),
    ]
}

/// Whole files, in which what is changed in several places at once finds the definition and the uses.
pub(crate) fn whole_files() -> Vec<Text> {
    let steps = if all() { [1, 1] } else { FILES };
    in_order(sources(steps, 0).into_iter().flatten())
}

/// The items of each file as files of their own, those of inline modules and large `impl`s likewise: some reductions are
/// for small texts only.
pub(crate) fn items() -> &'static [Text] {
    static TEXTS: OnceLock<Vec<Text>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let (files, first, steps) = if all() { ([1, 1], 0, [1, 1]) } else { (FILES.map(|step| step / 2), 1, ITEMS) };
        let items = |texts: Vec<Text>| {
            let mut items = Vec::new();
            texts.iter().for_each(|(path, text)| split(path, text, &mut items));
            items.into_iter()
        };
        let [corpus, own, others] = sources(files, first).map(items);
        in_order(corpus.chain(own.step_by(steps[0])).chain(others.step_by(steps[1])))
    })
}

/// The texts, none twice, the largest ones first, so that no thread ends with one.
fn in_order(texts: impl Iterator<Item = Text>) -> Vec<Text> {
    let mut seen = HashSet::new();
    let mut texts: Vec<Text> = texts.filter(|(_, text)| seen.insert(text.clone())).collect();
    texts.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    texts
}

/// From this size on an `impl` is split. Below it stays whole, so that lists of items are there, too.
const LARGE: usize = 1000;

/// The sources of the dependencies, as far as cargo has them.
fn dependencies(root: &Path) -> Vec<PathBuf> {
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).expect("it is part of the project");
    let value = |line: &str, key| line.strip_prefix(key).map(|value| value.trim_matches('"').to_owned());
    let names = lock.lines().filter_map(|line| value(line, "name = "));
    let versions = lock.lines().filter_map(|line| value(line, "version = ")).filter(|version| version.contains('.'));
    let packages: Vec<String> = names.zip(versions).map(|(name, version)| format!("{name}-{version}")).collect();
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"))).unwrap_or_default();
    let Ok(registries) = std::fs::read_dir(home.join("registry/src")) else { return Vec::new() };
    let mut paths = Vec::new();
    for registry in registries.flatten() {
        packages.iter().for_each(|package| files(&registry.path().join(package).join("src"), &mut paths));
    }
    paths
}

fn split(path: &Path, text: &str, texts: &mut Vec<(PathBuf, String)>) {
    let source = Source::parse(text);
    let Some(file) = source.file().filter(|_| source.understanding() == Understanding::Full) else {
        texts.push((path.to_owned(), text.to_owned()));
        return;
    };
    for item in &file.items {
        match item {
            syn::Item::Mod(module) if module.content.is_some() => {
                let braces = module.content.as_ref().expect("it was asked for").0.span;
                let inside = braces.open().byte_range().end..braces.close().byte_range().start;
                split(path, &text[inside], texts);
            }
            syn::Item::Impl(block) if range(block).len() > LARGE => {
                let head = &text[range(block).start..block.brace_token.span.open().byte_range().end];
                texts.extend(
                    block.items.iter().map(|item| (path.to_owned(), format!("{head} {} }}", &text[range(item)]))),
                );
            }
            _ => texts.push((path.to_owned(), text[range(item)].to_owned())),
        }
    }
}
