//! `--html` and `mcve page` write a page of a result, by the real rustc.

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

/// An error with what does not matter around it.
const WRONG: &str = "fn unused() -> u8 { 7 }\nfn main() { let x: u8 = \"<b>\"; }\n";

/// What each page says of it.
const SAYS: [&str; 3] = ["error E0308: mismatched types", "rustc ", "fn unused() -&#62; u8 { 7 }"];

fn place() -> TestFolder {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", WRONG);
    place
}

#[track_caller]
fn assert_is_page(page: &str) {
    assert!(page.starts_with("<!doctype html>"), "{page}");
    for said in SAYS {
        assert!(page.contains(said), "{said} is not in {page}");
    }
    assert!(!page.contains(&std::env::var("HOME").unwrap_or("/home/".to_owned())), "{page}");
}

#[test]
fn a_page_is_written_at_the_end_and_later() {
    let place = place();
    place.run_cleanly(&["a.rs", "--html", "a.html", "--log", "run.log"], Exit::Done);
    let page = place.read("a.html");
    assert_is_page(&page);
    place.run(&["page", "a_mcve.rs"], Exit::Done);
    assert_eq!(place.read("a_mcve.html"), page);
    let printed = place.run(&["page", "run.log", "-o", "-"], Exit::Done);
    assert_is_page(&printed.stdout);
    place.write("a_mcve.rs", "fn main() {}\n");
    let said = place.run(&["page", "a_mcve.rs"], Exit::Done).stderr;
    assert!(said.contains("a_mcve.rs has changed since mcve wrote it"), "{said}");
}

#[test]
fn a_result_on_standard_output_has_a_page_too() {
    let place = place();
    let done = place.run(&["a.rs", "-o", "-", "--html", "a.html", "-q"], Exit::Done);
    assert!(done.stdout.contains("fn main"), "{}", done.stdout);
    assert_is_page(&place.read("a.html"));
}

#[test]
fn other_files_are_not_written_over() {
    let place = place();
    place.write("notes.html", "<p>mine</p>");
    for place_of_page in ["notes.html", "none/a.html", "."] {
        let said = place.run(&["a.rs", "--html", place_of_page], Exit::Output).stderr;
        assert!(said.contains(&format!("cannot write the page {place_of_page}")), "{said}");
    }
    assert_eq!(place.read("notes.html"), "<p>mine</p>");
    assert!(!place.path("a_mcve.rs").exists(), "it is said before anything is done");
}

#[test]
fn a_file_of_which_nothing_is_kept_has_no_page() {
    let place = place();
    let said = place.run(&["page", "a.rs"], Exit::Input).stderr;
    assert!(said.contains("nothing is kept of a.rs") && said.contains("--html"), "{said}");
    assert!(place.run(&["page", "none.rs"], Exit::Input).stderr.contains("none.rs"));
}
