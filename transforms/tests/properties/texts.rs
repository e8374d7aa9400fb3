//! The texts that the properties are held for.
//!
//! Of the project's sources and of the dependencies, which are large, a sample is taken; all of them with `MCVE_PROPERTIES=all`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

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
const FILES: [usize; 2] = [8, 80];
/// The same for items.
const ITEMS: [usize; 2] = [8, 160];

/// Whether all are wanted.
pub(crate) fn all() -> bool {
    std::env::var_os("MCVE_PROPERTIES").is_some_and(|value| value == "all")
}

/// The root of the project.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is a member of the workspace")
}

fn read(paths: Vec<PathBuf>) -> Vec<Text> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// The corpus, the sources of the project, and those of its dependencies.
fn sources() -> [Vec<Text>; 3] {
    let below = |folders: &[&str]| {
        let mut paths = Vec::new();
        folders.iter().for_each(|folder| files(&root().join(folder), &mut paths));
        assert!(paths.len() > 30, "the sources are found: {}", paths.len());
        read(paths)
    };
    [below(&["corpus"]), below(&["src", "transforms", "tests"]), read(dependencies(root()))]
}

/// Whole files, in which what is changed in several places at once finds the definition and the uses.
pub(crate) fn whole_files() -> Vec<Text> {
    sample(sources(), FILES)
}

/// The items of each file as files of their own, those of inline modules and large `impl`s likewise: some reductions are
/// for small texts only.
pub(crate) fn items() -> Vec<Text> {
    let items = |texts: Vec<Text>| {
        let mut items = Vec::new();
        texts.iter().for_each(|(path, text)| split(path, text, &mut items));
        items
    };
    sample(sources().map(items), ITEMS)
}

/// All of the corpus, and of the others one in so many; none twice, the largest ones first, so that no thread ends with one.
fn sample([corpus, own, others]: [Vec<Text>; 3], steps: [usize; 2]) -> Vec<Text> {
    let steps = if all() { [1, 1] } else { steps };
    let texts = corpus.into_iter().chain(own.into_iter().step_by(steps[0])).chain(others.into_iter().step_by(steps[1]));
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
