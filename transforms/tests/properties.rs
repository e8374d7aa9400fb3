//! Properties of every transform, over every corpus file, the project's own sources and those of its dependencies: each
//! single reduction gives a smaller text that still parses, and no set of reductions makes `apply` panic.
//!
//! Of the dependencies, which are large, one item in two hundred is taken; all of them with `MCVE_PROPERTIES=all`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use mcve_transforms::{
    Measure, Reduction, Rule, Source, Tree, Understanding, apply, enumerate, enumerate_trials, range, transforms,
};

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

/// From this size on an `impl` is split. Below it stays whole, so that lists of items are there, too.
const LARGE: usize = 1000;

/// The texts that the properties are held for: the items of each file as files of their own, so that a candidate is
/// quick to parse; those of inline modules and large `impl`s likewise.
fn texts() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is a member of the workspace");
    let mut paths = Vec::new();
    for folder in ["corpus", "src", "transforms", "tests"] {
        files(&root.join(folder), &mut paths);
    }
    assert!(paths.len() > 30, "the sources are found: {}", paths.len());
    let mut texts = items(paths);
    let all = std::env::var_os("MCVE_PROPERTIES").is_some_and(|value| value == "all");
    texts.extend(items(dependencies(root)).into_iter().step_by(if all { 1 } else { SAMPLE }));
    texts
}

/// Of how many items of the dependencies one is taken.
const SAMPLE: usize = 200;

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

fn items(paths: Vec<PathBuf>) -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        split(&path, &text, &mut texts);
    }
    texts
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

fn reductions(text: &str) -> (Understanding, Vec<Reduction>) {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    (source.understanding(), transforms().flat_map(|transform| enumerate(&tree, transform)).collect())
}

/// Calls `check` for every text, on as many threads as there are cores.
fn for_all(check: impl Fn(&Path, &str) + Sync) {
    let texts = texts();
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, || {
                    while let Some((path, text)) = texts.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                        check(path, text);
                    }
                })
                .expect("threads can be had");
        }
    });
}

#[test]
fn every_single_reduction_parses_and_is_smaller() {
    // The shortest text that each transform breaks says most.
    let broken: Mutex<BTreeMap<&str, (usize, String)>> = Mutex::default();
    for_all(|path, text| {
        let before = Measure::of(text);
        let (understanding, reductions) = reductions(text);
        for reduction in reductions.iter().filter(|reduction| !matches!(reduction.transform.rule, Rule::Text(_))) {
            let after = apply(text, [reduction]);
            let wrong = match Measure::of(&after) < before {
                false => "does not shrink",
                true if understanding == Understanding::Full && !Source::is_valid(&after) => "does not parse",
                true => continue,
            };
            let place = &text[reduction.site.clone()];
            let edits: Vec<_> = reduction.edits.iter().map(|edit| (&text[edit.range.clone()], &edit.text)).collect();
            let story = format!("{wrong}: {}\n{place}\nedits {edits:?} in\n{text}", path.display());
            let mut broken = broken.lock().expect("no thread panics with it");
            let entry = broken.entry(reduction.transform.name).or_insert((0, story.clone()));
            entry.0 += 1;
            if story.len() < entry.1.len() {
                entry.1 = story;
            }
        }
    });
    let broken = broken.into_inner().expect("no thread panicked with it");
    for (name, (times, story)) in &broken {
        println!("{name}, {times} times, {story}\n");
    }
    assert!(broken.is_empty(), "these do not keep their promise: {:?}", broken.keys());
}

/// What changes several places at once needs the whole file, where the definition is and its uses are.
#[test]
fn every_coupled_reduction_parses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is a member of the workspace");
    let mut paths = Vec::new();
    files(&root.join("corpus"), &mut paths);
    let mut reductions = 0;
    let mut broken = BTreeMap::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        let source = Source::parse(&*text);
        let tree = Tree::new(&source);
        if source.understanding() < Understanding::Full {
            continue;
        }
        for transform in transforms().filter(|transform| matches!(transform.rule, Rule::Tree(_))) {
            for reduction in enumerate(&tree, transform).into_iter().chain(enumerate_trials(&tree, transform)) {
                reductions += 1;
                let after = apply(&text, [&reduction]);
                if !Source::is_valid(&after) {
                    broken.entry(transform.name).or_insert_with(|| {
                        let line = syn::parse_file(&after).map_or_else(|error| error.span().start().line, |_| 1);
                        let line = after.lines().nth(line - 1).unwrap_or_default().to_owned();
                        (path.clone(), text[reduction.site.clone()].to_owned(), line)
                    });
                }
            }
        }
    }
    assert!(broken.is_empty(), "these do not parse: {broken:#?}");
    assert!(reductions > 1000, "there are reductions: {reductions}");
}

#[test]
fn every_trial_parses() {
    let trials = std::sync::atomic::AtomicUsize::new(0);
    for_all(|path, text| {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        for trial in transforms().flat_map(|transform| enumerate_trials(&tree, transform)) {
            trials.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let after = apply(text, [&trial]);
            let parses = source.understanding() < Understanding::Full || Source::is_valid(&after);
            assert!(parses, "{:?} of {}: {after}", trial.transform, path.display());
        }
    });
    assert!(trials.into_inner() > 0, "there are trials");
}

#[test]
fn any_subset_can_be_applied() {
    for_all(|_, text| {
        let (_, reductions) = reductions(text);
        // Subsets of many sizes and strides, the same in every run.
        for stride in [1, 2, 3, 7] {
            for offset in 0..stride.min(3) {
                let _ = apply(text, reductions.iter().skip(offset).step_by(stride));
            }
        }
    });
}

#[test]
fn the_order_of_a_set_does_not_matter() {
    for_all(|_, text| {
        let (_, reductions) = reductions(text);
        assert_eq!(apply(text, &reductions), apply(text, reductions.iter().rev()));
    });
}
