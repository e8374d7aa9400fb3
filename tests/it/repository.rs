//! Tests that hold the repository to what its documents say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mcve_reduce::search::passes::schedule::{COARSE_TO_FINE, LAST, Pass, Strategy};
use mcve_transforms::transforms;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("it is there")
}

/// All files of the project, relative to the root, without what is built and what is hidden.
pub(crate) fn files() -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root().to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("it is there") {
            let path = entry.expect("it can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("it has a name");
            if name == "target" || name.starts_with('.') && name != ".ci" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(root()).expect("it is below").to_owned());
            }
        }
    }
    found
}

/// All Rust files of the project, its corpus aside, relative to the root.
fn sources() -> Vec<PathBuf> {
    let folders = ["crates", "src", "tests", "transforms", "xtask"];
    let is_source = |path: &PathBuf| {
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        is_rust && folders.iter().any(|folder| path.starts_with(folder))
    };
    let found: Vec<PathBuf> = files().into_iter().filter(is_source).collect();
    assert!(found.len() > 40, "the sources are found");
    found
}

#[test]
fn every_file_says_what_it_is_for() {
    for path in sources() {
        let text = std::fs::read_to_string(root().join(&path)).expect("it is there");
        assert!(text.starts_with("//! "), "{} does not open with a //! line", path.display());
    }
}

#[test]
fn the_readme_names_the_oldest_compiler_that_builds_it() {
    let manifest = read("Cargo.toml");
    let oldest = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).expect("it is said");
    assert!(read("README.md").contains(&format!("needs Rust {} or later", oldest.trim_matches('"'))), "{oldest}");
}

#[test]
fn the_code_map_names_every_place() {
    let architecture = read("ARCHITECTURE.md");
    let named: BTreeSet<PathBuf> = architecture
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split('`').next())
        .filter(|place| place.contains('/'))
        .map(PathBuf::from)
        .collect();
    for place in &named {
        assert!(root().join(place).exists(), "the code map names {}, which is not there", place.display());
    }
    for path in sources().into_iter().filter(|path| !path.starts_with("tests") && !path.starts_with("transforms/tests"))
    {
        if path == Path::new("src/lib.rs") {
            continue;
        }
        assert!(path.ancestors().any(|place| named.contains(place)), "the code map does not name {}", path.display());
    }
}

#[test]
fn the_schedule_tries_every_transform() {
    let scheduled: Vec<&str> =
        COARSE_TO_FINE.iter().chain(LAST).flat_map(Pass::transforms).map(|transform| transform.name).collect();
    // Passes that choose among what others try have their own strategies.
    let chooses = |pass: &&Pass| {
        matches!(
            pass.strategy,
            Strategy::Bisection
                | Strategy::Closed
                | Strategy::Running
                | Strategy::Focus
                | Strategy::Hints
                | Strategy::Switches
        )
    };
    for transform in transforms() {
        assert!(scheduled.contains(&transform.name), "{} is in no pass", transform.name);
        for schedule in [COARSE_TO_FINE, LAST] {
            let tried = schedule.iter().filter(|pass| !chooses(pass)).flat_map(Pass::transforms);
            let times = tried.filter(|tried| tried.name == transform.name).count();
            assert!(times <= 1, "{} is in {times} passes of one schedule", transform.name);
        }
    }
    for pass in COARSE_TO_FINE.iter().chain(LAST) {
        assert!(!pass.transforms().is_empty(), "pass {} tries nothing", pass.name);
    }
}

#[test]
fn ci_runs_the_test_command_of_the_document() {
    let command = "cargo test --workspace";
    assert!(read("CONTRIBUTING.md").lines().any(|line| line.trim() == command));
    assert!(read(".ci/run").lines().any(|line| line.trim() == command));
}

#[test]
fn the_table_of_what_transforms_are_worth_has_each_of_them_once() {
    let page = read("docs/transforms.md");
    let (_, table) = page.split_once("## The table").expect("the page has the table");
    let table = table.split("\n## ").next().expect("there is a first part");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut rows: Vec<&str> = rows.collect();
    let mut names: Vec<&str> = transforms().map(|transform| transform.name).collect();
    rows.sort_unstable();
    names.sort_unstable();
    assert_eq!(rows, names, "`cargo run --release -p xtask -- transform-table` renews docs/transforms.md");
    let (_, kept) =
        page.split_once("## Kept without a gain").expect("the page says why a transform stays that no program accepts");
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 12, "{row}");
        assert!(cells.iter().all(|cell| !cell.is_empty()), "a column is empty: {row}");
        let is_measured = !cells[9..].contains(&"-");
        assert!(
            is_measured || kept.contains(cells[0]),
            "no program accepts it, and the page does not say why it stays: {row}"
        );
    }
}
