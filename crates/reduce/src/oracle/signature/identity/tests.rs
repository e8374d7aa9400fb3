//! Tests of what makes a diagnostic the same, with diagnostics as rustc 1.95 prints them.

use serde_json::{Value, json};

use super::{Detail, Difference, Identity, OwnNames};
use crate::oracle::output::diagnostics::Diagnostic;
use crate::program::Program;

/// A part of the program `text` that reads `word`, with a label.
fn span(text: &str, word: &str, is_primary: bool, label: Option<&str>) -> Value {
    let start = text.find(word).expect("the program has it");
    json!({
        "file_name": "a.rs", "byte_start": start, "byte_end": start + word.len(), "line_start": 1, "line_end": 1,
        "column_start": 1, "is_primary": is_primary, "label": label
    })
}

fn diagnostic(message: &str, spans: &[Value], children: &[Value]) -> Diagnostic {
    let value = json!({ "level": "error", "code": { "code": "E0277" }, "message": message, "spans": spans, "children": children });
    serde_json::from_value(value).expect("it is a diagnostic")
}

fn child(level: &str, message: &str) -> Value {
    json!({ "level": level, "message": message, "code": null })
}

/// Checks in what `now`, of the program `after` that became of `before`, differs from `held`.
#[track_caller]
fn check(before: &str, held: &Diagnostic, after: &str, now: &Diagnostic, expected: Option<Difference>) {
    let program = Program::new("a.rs", before).traced();
    let own = OwnNames::of(&program);
    let identity = Identity::of(held, &own.seen_in(Some(&program)));
    let after = program.with_text(after);
    assert_eq!(identity.missing(now, &own.seen_in(Some(&after)), Detail::Notes), expected);
}

#[test]
fn a_name_of_the_program_is_followed_by_where_it_comes_from() {
    let (before, after) = ("struct Stamp; fn f() { save(Stamp) }", "struct A; fn f() { save(A) }");
    let said = |name: &str| diagnostic(&format!("the trait bound `{name}: Clone` is not satisfied"), &[], &[]);
    check(before, &said("Stamp"), after, &said("A"), None);
    check(before, &said("Stamp"), after, &said("B"), Some(Difference::Message));
    let other = "struct User; fn f() { save(User) }";
    check(&format!("{before} struct User;"), &said("Stamp"), other, &said("User"), Some(Difference::Message));
    check(before, &said("u32"), after, &said("A"), Some(Difference::Message));
    // What takes its place has to be the program's own, too.
    check(before, &said("Stamp"), "fn f() { save(u8) }", &said("u8"), Some(Difference::Message));
}

#[test]
fn a_label_points_at_what_it_pointed_at() {
    let (text, other) = ("fn f() { a.b(); c; }", "fn f() { a(b); c; }");
    let said = |text: &str| diagnostic("moved", &[span(text, "b", true, Some("value moved here"))], &[]);
    check(text, &said(text), text, &said(text), None);
    check(text, &said(text), other, &said(other), Some(Difference::Labels));
}

/// Checks the words for how `now` differs from `held`. Both are diagnostics of the program `text`.
#[track_caller]
fn check_words(text: &str, held: &Diagnostic, now: &Diagnostic, expected: &str) {
    let program = Program::new("a.rs", text).traced();
    let own = OwnNames::of(&program);
    let names = own.seen_in(Some(&program));
    let identity = Identity::of(held, &names);
    let difference = identity.missing(now, &names, Detail::Notes).expect("they differ");
    assert_eq!(identity.difference(now, &names, difference), expected);
}

#[test]
fn a_difference_names_the_label_or_the_note() {
    let text = "fn f() { a; b; }";
    let said = |word: &str, label: &str, note: &str| {
        diagnostic("moved", &[span(text, word, true, Some(label))], &[child("note", note)])
    };
    let held = said("a", "moved here", "the value is not `Copy`");
    check_words(text, &held, &said("a", "used here", "the value is not `Copy`"), "no label: moved here");
    check_words(text, &held, &said("a", "moved here", "it is dropped"), "no note: the value is not `Copy`");
    let more = [span(text, "a", true, Some("moved here")), span(text, "b", false, Some("used here"))];
    check_words(text, &held, &diagnostic("moved", &more, &[]), "a new label: used here");
    let (text, other) = ("fn f() { a.b(); }", "fn f() { a(b); }");
    let program = Program::new("a.rs", text).traced();
    let (own, after) = (OwnNames::of(&program), program.with_text(other));
    for (label, expected) in [(Some("here"), "another part has the label: here"), (None, "it points at another part")] {
        let at = |text| diagnostic("moved", &[span(text, "b", true, label)], &[]);
        let identity = Identity::of(&at(text), &own.seen_in(Some(&program)));
        let words = identity.difference(&at(other), &own.seen_in(Some(&after)), Difference::Labels);
        assert_eq!(words, expected);
    }
}

#[test]
fn no_label_is_lost_and_none_is_new() {
    let text = "fn f() { a; b; }";
    let [primary, secondary] = [("a", true), ("b", false)].map(|(word, first)| span(text, word, first, Some("here")));
    let both = diagnostic("moved", &[primary.clone(), secondary.clone()], &[]);
    let one = diagnostic("moved", &[primary], &[]);
    check(text, &both, text, &one, Some(Difference::Labels));
    check(text, &one, text, &both, Some(Difference::Labels));
    check(text, &both, text, &both, None);
}

#[test]
fn notes_that_explain_count_and_advice_does_not() {
    const TEXT: &str = "fn f() {}";
    let text = TEXT;
    let said = |notes: &[(&str, &str)]| {
        diagnostic("moved", &[], &notes.iter().map(|(level, message)| child(level, message)).collect::<Vec<_>>())
    };
    let held = said(&[("note", "future is not `Send` as this value is used across an await")]);
    check(text, &held, text, &said(&[]), Some(Difference::Notes));
    let advice = ("help", "consider importing this struct");
    check(text, &said(&[]), text, &said(&[advice, ("note", "this error originates in the macro `m`")]), None);
    check(text, &said(&[]), text, &held, Some(Difference::Notes));
    let suggests = |text: &str| {
        let mut value = child("help", text);
        value["spans"] = json!([span(TEXT, "f", true, None)]);
        value["spans"][0]["suggested_replacement"] = json!("g");
        diagnostic("moved", &[], &[value])
    };
    check(text, &suggests("consider borrowing `a`"), text, &suggests("consider borrowing `b`"), None);
    check(text, &suggests("consider borrowing `a`"), text, &said(&[]), Some(Difference::Notes));
    check(text, &said(&[]), text, &suggests("consider cloning"), Some(Difference::Notes));
    check(text, &said(&[]), text, &suggests("consider importing this struct"), None);
    let points = |text: &str| {
        let mut value = child("help", text);
        value["spans"] = json!([span(TEXT, "f", true, None)]);
        diagnostic("moved", &[], &[value])
    };
    check(
        text,
        &points("an identifier with the same name is not accessible"),
        text,
        &said(&[]),
        Some(Difference::Notes),
    );
    check(text, &points("consider borrowing here"), text, &said(&[]), None);
    check(text, &points("the following other types implement trait `A`"), text, &said(&[]), None);
    check(text, &points("the trait `A` is implemented for `u8`"), text, &said(&[]), None);
    let linked = |file: &str, symbol: &str| {
        let given = format!(" \"cc\" \"-m64\" \"/tmp/{file}/symbols.o\"");
        let printed = format!("ld: error: undefined symbol: {symbol}\n>>> referenced by a.{file}.rcgu.o:(f)\n");
        said(&[("note", &given), ("note", &printed)])
    };
    check(text, &linked("rustc1", "g"), text, &linked("rustc2", "g"), None);
    check(text, &linked("rustc1", "g"), text, &linked("rustc1", "h"), Some(Difference::Notes));
    let implements = [("help", "the trait `A` is not implemented for `u8`\nbut trait `B` is implemented for it")];
    check(text, &said(&implements), text, &said(&[("help", "the trait `A` is not implemented for `u8`")]), None);
    check(text, &said(&implements), text, &said(&[]), Some(Difference::Notes));
    check(text, &said(&[("help", "the trait `A` is implemented for `u8`")]), text, &said(&[]), None);
}

#[test]
fn a_type_of_the_program_and_one_of_another_crate_lack_a_trait_in_the_same_words() {
    let text = "fn f() { a }";
    let said = "the trait `A` is not implemented for `B`";
    let foreign = diagnostic("bound", &[span(text, "a", true, Some(said))], &[]);
    let own = diagnostic("bound", &[span(text, "a", true, Some("unsatisfied trait bound"))], &[child("help", said)]);
    check(text, &foreign, text, &own, None);
    check(text, &own, text, &foreign, None);
    let other = child("help", "the trait `A` is not implemented for `u8`");
    let other = diagnostic("bound", &[span(text, "a", true, Some("unsatisfied trait bound"))], &[other]);
    check(text, &foreign, text, &other, Some(Difference::Labels));
}

#[test]
fn a_chain_of_requirements_may_lose_links_and_gains_none() {
    let text = "fn f() {}";
    let said = |links: &[&str]| {
        let notes: Vec<Value> = links.iter().map(|link| child("note", link)).collect();
        diagnostic("not satisfied", &[], &notes)
    };
    let [one, two] = ["required for `Vec<u8>` to implement `Clone`", "required for `Option<u8>` to implement `Clone`"];
    check(text, &said(&[one, two]), text, &said(&[two]), None);
    check(text, &said(&[one, two]), text, &said(&[]), Some(Difference::Notes));
    check(text, &said(&[one]), text, &said(&[one, two]), Some(Difference::Notes));
    let within = "required because it appears within the type `Vec<u8>`";
    check(text, &said(&[one]), text, &said(&[within]), Some(Difference::Notes));
}
