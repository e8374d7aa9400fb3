//! `--scrub` and `--readable`: results without what comes from the source, and with names for people.

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;
use serde_json::Value;

/// A value is used after it was moved, in a program that nobody may publish.
const PRIVATE: &str = "// ACME internal.
struct AcmeInvoice<'book> { r#type: &'book str, cents: u64 }
mod billing { pub trait Charge { fn charge(&self) -> u64; } }
use billing::Charge;
impl Charge for AcmeInvoice<'_> { fn charge(&self) -> u64 { self.cents * 1979 } }
fn settle<Bill: Charge>(invoice: Bill) -> u64 { invoice.charge() }
fn main() {
    let invoice = AcmeInvoice { r#type: \"anvil\", cents: 4200 };
    let fee = settle(invoice);
    println!(\"fee {fee} of {}\", invoice.cents);
}
";

fn place(text: &str) -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    place
}

/// The words of a text, without numbers.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c != '_' && !c.is_alphanumeric());
    words.filter(|word| word.starts_with(char::is_alphabetic)).map(str::to_lowercase).collect()
}

/// What is left of the source, by the last event: the kinds and texts.
fn left(last: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("it is a text").to_owned();
    let left = last["left"].as_array().expect("it is a list");
    left.iter().map(|left| (text(&left["kind"]), text(&left["text"]))).collect()
}

#[test]
fn no_word_of_the_source_is_left_that_is_not_listed() {
    let place = place(PRIVATE);
    let said = place.run(&["a.rs", "--scrub", "--message-format", "json", "--no-fork-server"], Exit::Done);
    let listed: Vec<String> = left(&said.last_event()).into_iter().map(|(_, text)| text.to_lowercase()).collect();
    let of_source = [
        "acme", "internal", "invoice", "acmeinvoice", "book", "cents", "billing", "charge", "settle", "bill", "anvil",
        "fee",
    ];
    let result = place.read("a_mcve.rs");
    for word in words(&result).iter().filter(|word| of_source.contains(&word.as_str())) {
        assert!(listed.contains(word), "{word} is left and not listed: {listed:?}\n{result}");
    }
    assert!(listed.is_empty(), "{listed:?}\n{result}");
}

#[test]
fn a_reduced_file_can_be_scrubbed_and_stays_as_it_is_then() {
    let place = place("fn settle(invoice: String) {\n    invoice;\n    invoice;\n}\n");
    place.run_cleanly(&["a.rs", "--scrub", "-o", "b.rs"], Exit::Done);
    let first = place.read("b.rs");
    assert_eq!(words(&first), ["fn", "f", "x", "string", "x", "x"]);
    place.run_cleanly(&["b.rs", "--scrub", "-o", "c.rs"], Exit::Done);
    assert_eq!(place.read("c.rs"), first);
}

/// The failure needs a function, a word of a text and a number; the rest becomes neutral.
#[test]
fn what_the_failure_needs_is_listed_with_the_reason() {
    let place = place("fn vault() { open(\"gold 77 bars\", 4711) }\n");
    let test = "grep -Eq 'fn vault.*' $1 && grep -Eq '[a-z0-9]+[(]\"gold [0-9]{2} [a-z]{4}\", 4711' $1";
    let said = place.run(&["a.rs", "--scrub", "--test", test, "--message-format", "json"], Exit::Done);
    let last = said.last_event();
    let expected = [("function", "vault"), ("text", "gold"), ("number", "4711")];
    assert_eq!(
        left(&last),
        expected.map(|(kind, text)| (kind.to_owned(), text.to_owned())),
        "{}",
        place.read("a_mcve.rs")
    );
    assert_eq!(words(&place.read("a_mcve.rs"))[2..], ["name2", "gold", "aaaa"]);
    assert!(last["left"][2]["why"].as_str().is_some_and(|why| why.starts_with("the failure needs it")), "{last}");
}

#[test]
fn the_function_that_fails_gets_another_name() {
    let place =
        place("fn crack_vault(combination: &[u8]) -> u8 { combination[4] }\nfn main() { crack_vault(&[7; 3]); }\n");
    place.run(&["a.rs", "--run", "--scrub"], Exit::Done);
    let result = place.read("a_mcve.rs");
    assert!(!result.contains("vault") && !result.contains("combination"), "{result}");
}

#[test]
fn readable_names_are_words() {
    let place = place("struct A;\nfn b(x: A) {\n    x;\n    x;\n}\n");
    place.run_cleanly(&["a.rs", "--readable"], Exit::Done);
    let result = place.read("a_mcve.rs");
    assert!(result.contains("struct Struct;\nfn function(value: Struct) {\n    value;\n    value;\n}"), "{result}");
}

#[test]
fn only_rust_is_scrubbed() {
    let place = place("");
    place.write("a.json", "{\"a\": 1}");
    let said = place.run(&["a.json", "--scrub", "--test", "grep -q a $1"], Exit::Input);
    assert!(said.stderr.contains("--scrub is for Rust only"), "{}", said.stderr);
}
