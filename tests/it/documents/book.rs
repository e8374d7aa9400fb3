//! The book over `docs/`: its table of contents has each page once, by its heading.

use std::collections::BTreeSet;
use std::path::Path;

use crate::repository::{files, read};

#[test]
fn the_summary_has_each_page_of_the_documentation_once() {
    let summary = read("docs/SUMMARY.md");
    let entries = summary.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(')'));
    let entries: Vec<&str> = entries.collect();
    let listed: BTreeSet<&str> = entries.iter().copied().collect();
    assert_eq!(listed.len(), entries.len(), "a page is listed twice");
    let pages = files().into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "md"));
    let pages = pages.filter_map(|file| Some(file.strip_prefix("docs").ok()?.to_str()?.to_owned()));
    let pages: BTreeSet<String> = pages.filter(|page| page != "SUMMARY.md").collect();
    assert_eq!(listed, pages.iter().map(String::as_str).collect(), "docs/SUMMARY.md has the pages of docs/");
}

#[test]
fn a_page_has_one_name() {
    // The first page, and one whose heading says too little beside others.
    let renamed = ["README.md", "reference.md"];
    for line in read("docs/SUMMARY.md").lines().filter(|line| line.contains("](")) {
        let (name, page) = line.trim_start_matches(['-', ' ', '[']).split_once("](").expect("it is a link");
        let page = page.trim_end_matches(')');
        let text = read(&Path::new("docs").join(page).to_string_lossy());
        let heading = text.lines().find_map(|line| line.strip_prefix("# ")).expect("it has a heading");
        assert!(name == heading || renamed.contains(&page), "{page}: `{name}` is not `{heading}`");
    }
}
