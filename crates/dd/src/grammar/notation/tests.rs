//! Both notations: what they mean, and what is said of mistakes.

use super::*;
use crate::grammar::earley::Earley;

#[track_caller]
fn check(grammar: &str, start: &str, accepted: &[&str], refused: &[&str]) {
    let grammar = read(grammar).unwrap_or_else(|error| panic!("{grammar}: {error}"));
    assert_eq!(grammar.names().next().map(|name| &**name), Some(start));
    let parser = Earley::new(&grammar);
    for text in accepted {
        assert_eq!(parser.parse(text).map(|parse| parse.tree.text()).as_deref(), Ok(*text));
    }
    for text in refused {
        assert!(!parser.accepts(text), "{text}");
    }
}

#[track_caller]
fn check_error(grammar: &str, expected: &str) {
    assert_eq!(read(grammar).err().map(|error| error.to_string()).as_deref(), Some(expected));
}

#[test]
fn ebnf_has_texts_classes_groups_and_lists() {
    check("a ::= 'x' b? c* d+ ; b ::= \"y\" c ::= [0-9a] d ::= (\"-\" | #x2B)", "a", &["x-", "xy0a-+-"], &["x", "xz-"]);
    check("a ::= \"\\\"\\\\\\n\\u{e9}\\x41\\u00e9\"", "a", &["\"\\\n\u{e9}A\u{e9}"], &[]);
    check(
        "a ::= [^\\]a-c^-] // not these\n  [\\-\\n#x41-#x43]",
        "a",
        &["d-", "!\n", "eB"],
        &["]-", "a-", "^-", "--", "d0"],
    );
    check("a ::= 'se-lect'i 'x'", "a", &["se-lectx", "SE-Lectx"], &["SE-LECTX"]);
    check("a ::= ([^x] - [a-m] - [y]+ )*", "a", &["", "no", "zz!"], &["nx", "m", "y"]);
    check("list ::= item (',' item)*\nitem ::= ('a' | 'b')*", "list", &["", "ab,", ",,a"], &[",c"]);
    check("list ::= '[' (item (',' item)*)? ']' item ::= 'a' 'b'", "list", &["[]", "[ab,ab]"], &["[,]", "[ab,]"]);
    check("s ::= /* nothing\n */ | s 'a'", "s", &["", "aaa"], &["b"]);
}

#[test]
fn lists_are_flat_and_parts_have_names() {
    let grammar = read("list ::= '[' (item (', ' item)*)? ']' item ::= [0-9]+").expect("it is a grammar");
    let tree = Earley::new(&grammar).parse("[1, 23, 4]").expect("it is a list").tree;
    let list = &tree.children()[1];
    assert_eq!(list.children().iter().map(|child| child.text()).collect::<Vec<_>>(), ["1", ", ", "23", ", ", "4"]);
    let names: Vec<&str> = grammar.names().map(|name| &**name).collect();
    assert_eq!(names, ["list", "item", "(item (\", \" item)*)?", "[0-9]", "[0-9]+"]);
}

#[test]
fn a_text_that_is_repeated_is_a_node() {
    let tree = Earley::new(&read("s ::= 'ab'+").expect("it is a grammar")).parse("abab").expect("it is a list").tree;
    assert_eq!((tree.size(), tree.height()), (6, 4));
}

#[test]
fn mistakes_in_ebnf_have_a_place() {
    check_error("a = 'x'", "line 1, column 3: found `=`, expected `::=` behind `a`");
    check_error("a ::= 'x'\nb ::= 'y\n", "line 2, column 8: this text has no closing quote in its line");
    check_error("a ::= ('x' | 'y'", "line 1, column 7: this `(` has no `)`");
    check_error("a ::= 'x' )", "line 1, column 11: found `)`, expected a rule such as `name ::= \"text\"`");
    check_error("a ::= b\na ::= 'x'", "line 2, column 1: `a` has a rule already: write its alternatives as `a | b`");
    check_error("a ::= [z-a]", "line 1, column 9: this range ends before it begins");
    check_error("a ::= [a", "line 1, column 7: this `[` has no `]` in its line");
    check_error("a ::= []", "line 1, column 7: this class has no characters");
    check_error("a ::= '\\u{110000}'", "line 1, column 8: `\\u{110000}` is not a character");
    check_error("a ::= x - y", "line 1, column 9: `-` stands between two classes, as in `[a-z] - [q]`");
    check_error("a ::= [x] - 'x'", "line 1, column 11: `-` stands between two classes, as in `[a-z] - [q]`");
    check_error("a ::= [x] - [w-z]", "line 1, column 11: no character is left");
    check_error("a ::= /* b", "line 1, column 7: this comment has no end");
    check_error("a ::= b", "the grammar has no rule for b");
    check_error("a ::= 'x' a", "a cannot be expanded to text");
    check_error("", "the grammar has no rules");
}

#[test]
fn the_notation_of_the_book_is_json_or_python() {
    let json = r#"{"<start>": ["<n>+<start>", "<n>"], "<n>": ["1", "\u0032"]}"#;
    check(json, "<start>", &["1", "1+2"], &["", "3"]);
    let python = "# Sums\nSUMS: Grammar = {\n  '<n>': ['1', r'\\d' , \"2\" '3',],\n  '<start>': [('<n>+<start>', opts(prob=0.5, f=(1, ')'))), '<n>'],  # both\n}\n";
    check(python, "<start>", &["1", "\\d+23"], &["2"]);
    check("{'<a>': ['']}", "<a>", &[""], &["a"]);
}

#[test]
fn mistakes_in_the_notation_of_the_book_have_a_place() {
    check_error("{'a': ['x']}", "line 1, column 2: the name of the symbol `a` has to stand between `<` and `>`");
    check_error(
        "{'<a>': crange('a', 'z')}",
        "line 1, column 9: found `c`, expected a list of texts in quotes, not code that makes one",
    );
    check_error("{'<a>': ['x' 1]}", "line 1, column 14: found `1`, expected `,` or `]`");
    check_error("{'<a>': ['<b>']}", "the grammar has no rule for <b>");
    check_error("{'<a>': ['x']} + B", "line 1, column 16: nothing follows the dictionary");
    check_error("{'<a>' ['x']}", "line 1, column 8: found `[`, expected `:`");
    check_error("{", "line 1, column 2: found the end, expected a symbol in quotes");
}
