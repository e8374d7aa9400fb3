//! Holds what documents name to what is there: links, paths, commands, options, variables, tests, names of the code.

mod book;
mod commands;
pub(crate) mod markdown;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use commands::{Reference, option};
use markdown::{prose, spans};

use crate::repository::{files, read, root};

/// Suites of rustc, which are in no folder of this repository.
const SUITES: [&str; 3] = ["tests/crashes", "tests/incremental", "tests/ui"];

/// All documents of the repository, with their text; of the changelog the newest version, as older ones name what was.
fn documents() -> Vec<(PathBuf, String)> {
    let documents = files().into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "md"));
    let newest = |file: &Path, text: String| match text.match_indices("\n## ").nth(2) {
        Some((at, _)) if file == Path::new("CHANGELOG.md") => text[..at].to_owned(),
        _ => text,
    };
    let with_text = |file: PathBuf| {
        let text = newest(&file, read(&file.to_string_lossy()));
        (file, text)
    };
    let documents: Vec<_> = documents.map(with_text).collect();
    assert!(documents.len() > 40, "the documents are found");
    documents
}

/// Whether a page is about the project. Other pages have paths of the user's own package.
fn is_for_developers(page: &Path) -> bool {
    page.starts_with("docs/design") || page == Path::new("ARCHITECTURE.md") || page == Path::new("CONTRIBUTING.md")
}

/// The text of all sources and scripts.
fn sources() -> String {
    let is_source = |file: &PathBuf| {
        let is_code = |extension: &std::ffi::OsStr| ["py", "rs", "sh"].iter().any(|end| extension == *end);
        file.starts_with(".ci") || file.extension().is_some_and(is_code)
    };
    files().into_iter().filter(is_source).map(|file| read(&file.to_string_lossy())).collect()
}

/// Fails with all that `faults` finds in the documents.
fn hold(faults: impl Fn(&Path, &str) -> Vec<String>) {
    let found = documents().into_iter().flat_map(|(page, text)| {
        faults(&page, &text).into_iter().map(move |fault| format!("{}: {fault}", page.display()))
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "documents name what is not there:\n{}", found.join("\n"));
}

/// The anchors of a document: its headings in lower case, with dashes for spaces and without punctuation.
fn anchors(document: &str) -> BTreeSet<String> {
    let headings = prose(document).into_iter().filter(|line| line.starts_with('#'));
    let names = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-"));
    names.map(|name| name.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()).collect()
}

#[test]
fn links_lead_somewhere() {
    hold(|page, text| {
        let lines = prose(text);
        // `[name]: target`, on a line of its own, is what `[text][name]` leads to.
        let named = lines.iter().filter_map(|line| Some(line.strip_prefix('[')?.split_once("]: ")?.1));
        let text = lines.join("\n");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).chain(named);
        let is_broken = |link: &&str| {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = root().join(page.parent().expect("it is in a folder"));
            let target = if path.is_empty() { root().join(page) } else { folder.join(path) };
            let has_anchor = || std::fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor));
            !target.exists() || !anchor.is_empty() && !has_anchor()
        };
        links.filter(|link| !link.contains("://")).filter(is_broken).map(str::to_owned).collect()
    });
}

#[test]
fn paths_are_there() {
    let files = files();
    let is_there = |page: &Path, path: &Path| {
        let is_below = |file: &PathBuf| file.ancestors().any(|place| place.ends_with(path));
        root().join(path).exists()
            || root().join(page).with_file_name("").join(path).exists()
            || is_for_developers(page) && files.iter().any(is_below)
    };
    hold(|page, text| {
        let is_path = |span: &String| {
            let is_plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
            let is_ours = [".ci", "benches", "corpus", "crates", "docs", "skills", "tests/it", "transforms", "xtask"];
            let is_ours = span.contains('/') && is_ours.iter().any(|place| Path::new(span).starts_with(place));
            let is_file = ["json", "md", "py", "rs", "sh", "toml"].iter().any(|end| span.ends_with(&format!(".{end}")));
            is_plain && (is_ours || is_for_developers(page) && (span.contains('/') || is_file))
        };
        let paths = spans(text).into_iter().filter(is_path);
        // Words in capitals stand for a name.
        let known = |path: &str| {
            let is_name = |part: &&str| !part.chars().all(|c| c.is_ascii_uppercase());
            path.trim_end_matches('/').split('/').take_while(is_name).collect::<PathBuf>()
        };
        paths.filter(|path| !SUITES.contains(&path.as_str()) && !is_there(page, &known(path))).collect()
    });
}

#[test]
fn commands_have_what_they_name() {
    let reference = Reference::read();
    hold(|_, text| {
        let faults = |words: Vec<String>| {
            let faults = commands::faults(&words, &reference).into_iter();
            faults.map(move |fault| format!("{fault}, in `{}`", words.join(" "))).collect::<Vec<_>>()
        };
        markdown::commands(text).into_iter().flat_map(faults).collect()
    });
}

#[test]
fn options_and_variables_are_known() {
    let (reference, sources) = (Reference::read(), sources());
    let is_other = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_');
    let known: BTreeSet<&str> = sources.split(is_other).collect();
    hold(|_, text| {
        let spans = spans(text);
        let options = spans.iter().filter_map(|span| option(span)).filter(|option| option.starts_with("--"));
        let options = options.filter(|option| !reference.has(option));
        let variables =
            text.split(is_other).filter(|name| ["MCVE_", "REDUCE_"].iter().any(|start| name.starts_with(start)));
        options.chain(variables).filter(|name| !known.contains(name)).map(str::to_owned).collect()
    });
}

#[test]
fn tests_are_there() {
    let sources = sources();
    // The name of a test is a sentence; `..` stands for its end.
    let is_missing = |span: &String| {
        let (start, end) = span.strip_suffix("..").map_or((span.as_str(), "("), |start| (start, ""));
        let is_name = start.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | ':'));
        let name = start.rsplit("::").next().expect("there is a last part");
        is_name && name.matches('_').count() > 2 && !sources.contains(&format!("fn {name}{end}"))
    };
    hold(|_, text| spans(text).into_iter().filter(is_missing).collect());
}

#[test]
fn names_of_the_code_are_there() {
    let (sources, files) = (sources(), files());
    // Comments may hold any word.
    let code = sources.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names: BTreeSet<&str> = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
    // `A`, `a::b`, `a_b`, `a()`, and `a-b`: a transform, a crate, a case. What others have is written like `#[a]`, `x.a()`.
    let is_missing = |span: &String| {
        let is_lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if span.chars().all(is_lower) && span.trim_matches('-').contains('-') {
            let is_part = |file: &PathBuf| file.iter().any(|part| part == span.as_str());
            return !span.starts_with('-') && !sources.contains(&format!("\"{span}\"")) && !files.iter().any(is_part);
        }
        let path = span.trim_end_matches("()");
        let is_name = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
        let is_type = path.starts_with(char::is_uppercase) && path.contains(char::is_lowercase);
        let is_of_code = is_type || path.contains("::") || path.contains('_') || span.ends_with("()");
        let last = path.rsplit("::").next().expect("there is a last part");
        is_name && is_of_code && !names.contains(last)
    };
    hold(|page, text| {
        let spans = if is_for_developers(page) { spans(text) } else { Vec::new() };
        spans.into_iter().filter(is_missing).collect()
    });
}

#[test]
fn pages_that_the_code_names_are_there() {
    let sources = sources();
    let is_other = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '/');
    for rest in sources.split("docs/").skip(1) {
        let (page, rest) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
        assert!(!rest.starts_with(".md") || root().join(format!("docs/{page}.md")).exists(), "docs/{page}.md");
    }
}
