//! Tests that hold the repository to what its documents say.

use std::collections::{BTreeMap, BTreeSet};
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
                | Strategy::OtherTests
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

/// The cells of the rows of a table that begin with a name, by name.
fn rows<'t>(page: &'t str, heading: &str) -> BTreeMap<&'t str, Vec<&'t str>> {
    let (_, part) = page.split_once(heading).expect("the page has the heading");
    let part = part.split("\n## ").next().expect("there is a first part");
    let rows = part.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "));
    rows.map(|(name, cells)| (name, cells.split(" | ").collect())).collect()
}

#[test]
fn each_transform_meets_the_bar_or_the_page_says_why_it_stays() {
    const NOT_MEASURED: &str = "not measured";
    let [page, changelog] = ["docs/transforms.md", "CHANGELOG.md"].map(read);
    let table = rows(&page, "## The table");
    let names: BTreeSet<&str> = transforms().map(|transform| transform.name).collect();
    assert_eq!(
        table.keys().copied().collect::<BTreeSet<&str>>(),
        names,
        "docs/transforms.md has a row for each transform"
    );
    let (_, kept) = page.split_once("## Kept below the bar").expect("the page has the heading");
    let (_, new) = changelog.split_once("## Unreleased").expect("the changelog has the heading");
    let new = new.split("\n## ").next().expect("there is a first part");
    for (name, cells) in table {
        let [programs, _, without] = cells[..] else { panic!("{name} has {} cells", cells.len()) };
        if programs == NOT_MEASURED {
            assert!(new.contains(&format!("`{name}`")), "{name} is not new, and was not measured");
            continue;
        }
        let is_worth = without.parse().is_ok_and(|tokens: i64| tokens > 0);
        assert!(is_worth || without == NOT_MEASURED || without.parse::<i64>().is_ok(), "{name} without it: {without}");
        let meets = programs.parse::<usize>().expect("a number of programs") >= 3 && is_worth;
        assert_ne!(
            meets,
            kept.contains(&format!("`{name}`")),
            "{name}: {programs} programs, {without} tokens without it"
        );
    }
}
