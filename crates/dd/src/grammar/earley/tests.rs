//! What the parser accepts, which derivation it chooses, and where it says that a text is wrong.

use std::fmt::Write;

use super::*;
use crate::grammar::class::Class;
use crate::grammar::generator::generate;
use crate::grammar::productions::{Repetition, Rule};

fn parser(rules: &[(&str, &[&str])]) -> Earley {
    Earley::new(&Grammar::new(rules).expect("it is a grammar"))
}

#[track_caller]
fn check(rules: &[(&str, &[&str])], accepted: &[&str], refused: &[&str]) {
    let parser = parser(rules);
    for text in accepted {
        assert_eq!(parser.parse(text).map(|parse| parse.tree.text()).as_deref(), Ok(*text));
        assert!(parser.accepts(text));
    }
    for text in refused {
        assert!(parser.parse(text).is_err() && !parser.accepts(text), "{text}");
    }
}

/// A derivation with its inner nodes in brackets.
fn shape(tree: &Derivation) -> String {
    let mut shape = String::new();
    match tree.symbol() {
        Symbol::Terminal(text) => shape.push_str(text),
        Symbol::Nonterminal(_) => {
            let children: String = tree.children().iter().map(self::shape).collect();
            write!(shape, "[{children}]").expect("a string takes it");
        }
    }
    shape
}

/// Checks the derivation of a text, and whether there are others.
#[track_caller]
fn check_shape(rules: &[(&str, &[&str])], text: &str, expected: &str, ambiguous: Option<&str>) {
    let parse = parser(rules).parse(text).expect("it is a sentence");
    let said = parse.ambiguity.map(|it| format!("{:?} {} {}", it.symbol, it.place, it.text));
    assert_eq!(shape(&parse.tree), expected);
    let ambiguous = ambiguous.map(|said| format!("Nonterminal({said}"));
    assert_eq!(said, ambiguous);
}

#[test]
fn the_whole_text_has_to_match() {
    let rules: &[(&str, &[&str])] = &[("<s>", &["(<s>)", "<d>"]), ("<d>", &["1", "ß"])];
    check(rules, &["1", "((1))", "(ß)"], &["", "(1", "1)", "(2)", "11"]);
}

#[test]
fn an_expansion_may_be_empty() {
    check(&[("<s>", &["a<s>", ""])], &["", "aaa"], &["ab"]);
    check(
        &[("<s>", &["<a><b><a>"]), ("<a>", &["a", ""]), ("<b>", &["b", "<a>"])],
        &["", "a", "aaa", "b", "aba"],
        &["bb"],
    );
    check(&[("<s>", &["<a><s>x", ""]), ("<a>", &["", "<a>"])], &["", "x", "xxx"], &["a"]);
}

#[test]
fn recursion_may_be_left_right_or_both() {
    check(&[("<s>", &["<s>a", "a"])], &["a", "aa", "aaaaaa"], &["", "ab"]);
    check(&[("<s>", &["<t>a", "b"]), ("<t>", &["<s>c", "d"])], &["b", "da", "bca", "dacaca"], &["ba"]);
    check(&[("<s>", &["<s><s>", "a"])], &["a", "aaaaaaa"], &[""]);
    check(&[("<s>", &["a<s>a", "b<s>b", ""])], &["", "abba", "aabbaa"], &["ab"]);
}

#[test]
fn the_first_alternative_comes_first_and_the_last_part_is_short() {
    let sums: &[(&str, &[&str])] = &[("<e>", &["<e>+<e>", "<e>*<e>", "<n>"]), ("<n>", &["1", "2", "3"])];
    check_shape(sums, "1+2", "[[[1]]+[[2]]]", None);
    check_shape(sums, "1+2+3", "[[[[1]]+[[2]]]+[[3]]]", Some("\"<e>\") line 1, column 1 1+2+3"));
    check_shape(sums, "1*2+3", "[[[[1]]*[[2]]]+[[3]]]", Some("\"<e>\") line 1, column 1 1*2+3"));
    let longest: &[(&str, &[&str])] = &[("<s>", &["x\n<a><a>"]), ("<a>", &["a<a>", ""])];
    check_shape(longest, "x\naa", "[x\n[a[a[]]][]]", Some("\"<s>\") line 1, column 1 x\naa"));
}

#[test]
fn what_leads_back_to_itself_has_a_derivation_that_ends() {
    check_shape(&[("<a>", &["<a>", "<b>", "x"]), ("<b>", &["<a>"])], "x", "[x]", Some("\"<a>\") line 1, column 1 x"));
    check_shape(
        &[("<a>", &["<a><n>", "<n><a>", "x"]), ("<n>", &["", "<a>"])],
        "x",
        "[x]",
        Some("\"<a>\") line 1, column 1 x"),
    );
}

fn lists(separator: Option<&str>, may_be_empty: bool) -> Earley {
    let digits = Class::new(vec!['0'..='9'], false).expect("it has characters");
    let repetition = |item: &str, separator: Option<&str>, may_be_empty| {
        let (item, separator) = (Symbol::nonterminal(item), separator.map(Symbol::terminal));
        Rule::Repetition(Repetition { item, separator, may_be_empty })
    };
    let rules = [
        ("list", repetition("number", separator, may_be_empty)),
        ("number", repetition("digit", None, false)),
        ("digit", Rule::Class(digits)),
    ];
    Earley::new(&Grammar::of(rules.map(|(name, rule)| (name.to_owned(), rule))).expect("it is a grammar"))
}

#[test]
fn a_list_is_one_node() {
    let shape = |parser: &Earley, text: &str| parser.parse(text).map(|parse| self::shape(&parse.tree)).ok();
    let parser = lists(Some(", "), true);
    assert_eq!(shape(&parser, "12, 3, 4").as_deref(), Some("[[[1][2]], [[3]], [[4]]]"));
    assert_eq!(shape(&parser, "").as_deref(), Some("[]"));
    assert_eq!(shape(&parser, "1,2"), None);
    assert_eq!(shape(&parser, "1, "), None);
    assert_eq!(shape(&lists(None, false), ""), None);
    // Where one number ends and the next begins is not said.
    let parse = lists(None, false).parse("123").expect("it is a sentence");
    assert_eq!(self::shape(&parse.tree), "[[[1]][[2]][[3]]]");
    assert!(parse.ambiguity.is_some());
}

#[test]
fn an_error_says_where_and_what_was_expected() {
    let error = |parser: Earley, text: &str| parser.parse(text).expect_err("it is no sentence").to_string();
    let rules: &[(&str, &[&str])] = &[("<s>", &["(<s>)\n", "<d>"]), ("<d>", &["1", "true"])];
    assert_eq!(error(parser(rules), "(1"), "line 1, column 3: found the end, expected \")\\n\"");
    assert_eq!(error(parser(rules), "(((1)\nß"), "line 2, column 1: found \"ß\", expected \")\\n\"");
    assert_eq!(error(parser(rules), "tru"), "line 1, column 1: found \"t\", expected one of \"(\", \"1\", \"true\"");
    assert_eq!(error(parser(rules), "11"), "line 1, column 2: found \"1\", expected the end");
    assert_eq!(
        error(lists(Some(","), true), "12;"),
        "line 1, column 3: found \";\", expected one of \",\", digit, the end"
    );
}

/// Checks that 200 random sentences are parsed.
#[track_caller]
fn check_generated(rules: &[(&str, &[&str])]) {
    let grammar = Grammar::new(rules).expect("it is a grammar");
    let parser = Earley::new(&grammar);
    for seed in 0..200 {
        let text = generate(&grammar, 40, seed).text();
        assert_eq!(parser.parse(&text).map(|parse| parse.tree.text()).as_deref(), Ok(&*text), "seed {seed}");
    }
}

#[test]
fn all_that_a_grammar_generates_is_parsed() {
    check_generated(&[
        ("<sum>", &["<sum>+<term>", "<term>"]),
        ("<term>", &["<term>*<n>", "<n>"]),
        ("<n>", &["1", "2"]),
    ]);
    check_generated(&[("<e>", &["<e><e>", "<e>-<e>", "(<e>)", "n", ""])]);
    // Of the form of the grammars of *The Fuzzing Book*: prefixes before what is longer, which an ordered choice cannot take.
    check_generated(&[
        ("<start>", &["<url>"]),
        ("<url>", &["<scheme>://<authority><path><query>"]),
        ("<scheme>", &["ws", "wss", "git", "gits"]),
        ("<authority>", &["<host>", "<host>:<port>", "<userinfo>@<host>", "<userinfo>@<host>:<port>"]),
        ("<host>", &["a.example", "www.b.example", "c.test"]),
        ("<port>", &["70", "7070", "<nat>"]),
        ("<nat>", &["<digit>", "<digit><digit>"]),
        ("<digit>", &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]),
        ("<userinfo>", &["me:secret"]),
        ("<path>", &["", "/", "/<id>"]),
        ("<id>", &["one", "two", "n<digit><digit>"]),
        ("<query>", &["", "?<params>"]),
        ("<params>", &["<param>", "<param>&<params>"]),
        ("<param>", &["<id>=<id>", "<id>=<nat>"]),
    ]);
    let digits: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];
    check_generated(&[
        ("<start>", &["<string>"]),
        ("<string>", &["<letter>", "<letter><string>"]),
        ("<letter>", &["<plus>", "<percent>", "<other>"]),
        ("<plus>", &["+"]),
        ("<percent>", &["%<hexdigit><hexdigit>"]),
        ("<hexdigit>", digits),
        ("<other>", &["0", "1", "2", "a", "b", "-", "_"]),
    ]);
}

#[test]
fn a_long_text_takes_linear_time_by_any_recursion() {
    let text = "a,".repeat(20_000) + "a";
    let left: &[(&str, &[&str])] = &[("<l>", &["<l>,<a>", "<a>"]), ("<a>", &["a"])];
    let right: &[(&str, &[&str])] = &[("<l>", &["<a>,<l>", "<a>"]), ("<a>", &["a"])];
    for rules in [left, right] {
        let parser = parser(rules);
        assert_eq!(parser.parse(&text).expect("it is a sentence").tree.height(), 20_003);
        assert!(Chart::read(&parser.table, &text).items.len() < 10 * text.len());
    }
}
