//! `mcve report`, `mcve fingerprint` and `mcve bisect`, by the real rustc.

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

/// An error with what does not matter around it, and a fence of Markdown.
const WRONG: &str = "fn unused() -> u8 { 7 }\n/// ```\nfn main() { let x: u8 = \"a\"; }\n";

fn place() -> TestFolder {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", WRONG);
    place
}

/// The headings of a text, and where each stands.
fn headings(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("### ")).collect()
}

#[test]
fn a_report_has_the_parts_of_its_form_and_names_nobody() {
    let place = place();
    place.run(&["a.rs", "--keep", "main"], Exit::Done);
    let text = place.run(&["report", "a_mcve.rs", "--form", "diagnostic"], Exit::Done).stdout;
    let expected = ["Code", "Current output", "Desired output", "Rationale and extra context"];
    assert_eq!(headings(&text)[..4], expected, "{text}");
    for part in [
        "let x: u8 = \"a\";",
        "```sh\nrustc ",
        "error[E0308]: mismatched types",
        "commit-hash: ",
        "_To be written by you: what the compiler should say._",
        "fingerprint: `",
        "@rustbot label +A-diagnostics +S-has-mcve",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let home = std::env::var("HOME").expect("there is one");
    assert!(!text.contains(&home) && !text.contains(&place.root().display().to_string()), "{text}");
    let object = place.run(&["report", "a_mcve.rs", "--json", "--form", "diagnostic"], Exit::Done).stdout;
    let object: serde_json::Value = serde_json::from_str(&object).expect("it is an object");
    assert!(object["message"].as_str().is_some_and(|message| message.contains("mismatched types")), "{object}");
    assert!(object["files"].as_object().is_some_and(|files| files.len() == 1), "{object}");
    assert_eq!(object["labels"], serde_json::json!(["A-diagnostics", "S-has-mcve", "T-compiler"]));
    assert_eq!(object["form"], "diagnostic");
    let question = place.run(&["report", "a_mcve.rs", "-o", "q.md"], Exit::Done);
    assert!(question.stderr.contains("written: ") && place.read("q.md").starts_with("_To be written by you"));
    place.write("mine.md", "mine");
    place.run(&["report", "a_mcve.rs", "-o", "mine.md"], Exit::Done);
    assert_eq!(place.read("mine.md.orig"), "mine");
    let result = place.read("a_mcve.rs");
    place.run(&["report", "a_mcve.rs", "-o", "a_mcve.rs"], Exit::Usage);
    assert_eq!(place.read("a_mcve.rs"), result);
}

#[test]
fn a_file_that_does_not_fail_has_no_report() {
    let place = place();
    place.write("b.rs", "fn main() {}\n");
    place.run(&["report", "b.rs"], Exit::NotFailing);
    place.run(&["report", "missing.rs"], Exit::Input);
}

#[test]
fn known_failures_are_named() {
    let place = place();
    place.write("known/one.rs", "pub fn f() -> u8 { \"x\" }\n");
    place.write("known/two.rs", "pub fn f() { g() }\n");
    let said = place.run(&["fingerprint", "a.rs", "--known", "known"], Exit::Done).stdout;
    assert!(said.contains("E0308") && said.contains("known/one.rs") && !said.contains("two.rs"), "{said}");
    assert_eq!(place.run(&["fingerprint", "a.rs", "--known", "known"], Exit::Done).stdout, said, "it is kept");
    place.write("b.rs", "fn main() {}\n");
    let said = place.run(&["fingerprint", "missing.rs", "b.rs"], Exit::NotFailing);
    assert_eq!(said.stdout, "b.rs: no failure\n", "what cannot be checked is not said to pass");
    assert!(said.stderr.contains("cannot read missing.rs"), "{}", said.stderr);
}
