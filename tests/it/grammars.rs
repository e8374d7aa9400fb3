//! Texts with a grammar: all candidates are sentences, and what is left is smaller than without one.

use std::fs;

use mcve::cli::exit::Exit;
use mcve_dd::grammar::earley::Earley;
use mcve_dd::grammar::notation::read;
use mcve_dd::grammar::shipped::{SHIPPED, shipped};
use mcve_testing::TestFolder;

fn place() -> TestFolder {
    TestFolder::new(env!("CARGO_BIN_EXE_mcve"))
}

/// Checks what is left of a text with a grammar, by a script for the shell in which `$1` is the file. Each candidate is kept, and
/// has to be a sentence.
#[track_caller]
fn check(grammar: &str, text: &str, script: &str, expected: &str) {
    let place = place();
    place.write("a.txt", text);
    let (name, rules) = match shipped(grammar) {
        Some(rules) => (grammar, rules),
        None => ("g.ebnf", grammar),
    };
    place.write("g.ebnf", rules);
    let seen = place.path("seen");
    fs::create_dir(&seen).expect("the folder is there");
    let keeps = format!("cp \"$1\" \"{}/$$\"; {script}", seen.display());
    let said = place.run_cleanly(&["a.txt", "--test", &keeps, "--grammar", name, "--sandbox", "off"], Exit::Done);
    said.says(&["1-minimal"]);
    assert_eq!(place.read("a_mcve.txt"), expected);
    let parser = Earley::new(&read(rules).expect("it is a grammar"));
    for candidate in fs::read_dir(seen).expect("it is there") {
        let candidate = fs::read_to_string(candidate.expect("it can be read").path()).expect("it is text");
        let is_sentence = parser.accepts(&candidate) || parser.accepts(candidate.trim_end_matches('\n'));
        assert!(is_sentence || candidate.is_empty(), "{candidate:?}");
    }
}

#[test]
fn what_is_left_is_a_sentence() {
    let text = "{\"a\": [1, {\"b\": -20, \"c\": \"xyz\"}, null], \"d\": {\"e\": [true, {\"f\": 7}]}}\n";
    check("json", text, "grep -q -e '-' \"$1\"", "-0");
    check("json", text, "grep -q 'c.*true' \"$1\"", "{\"c\":\"\",\"\":true}");
    check("csv", "a,b,c\n1,\"x, y\",3\n4,5,6\n", "grep -q ', ' \"$1\"", "\", \"");
    check("url", "https://me@www.host.example:80/a/b?k=v&flag#x\n", "grep -q 'flag' \"$1\"", "a://flag");
    check("cgi", "name=Ada+L.&born=10%2F12&x=1", "grep -q '%2F' \"$1\"", "%2F");
    check("toml", "# A\na = 1\n\n[t]\nb = [1, # one\n 2]\nc = { d = 'x' }\n", "grep -q 'd' \"$1\"", "d=0");
    check("arithmetic", "1 + 2 * (f(3 - 4) / 0)\n", "grep -q '/' \"$1\"", "a/0");
    check(
        "sql",
        "select a, b from t where a > 1 order by b;\ndrop table t",
        "grep -q 'where' \"$1\"",
        "select * where 0",
    );
}

#[test]
fn any_context_free_grammar_will_do() {
    check("s ::= s ';' a | a\na ::= [a-z]+", "ab;cd;ef;gh", "grep -q 'f' \"$1\"", "f");
    check("s ::= 'a' s 'b' | ''", "aaaabbbb", "grep -q 'ab' \"$1\"", "ab");
    check("{'<s>': ['<s><s>', '(<s>)', 'x']}", "x((xx)(x))", "grep -q 'x)' \"$1\"", "(x)");
}

#[test]
fn an_ambiguous_grammar_is_told() {
    let place = place();
    place.write("e.ebnf", "e ::= e '+' e | e '*' e | [0-9]\n");
    place.write("a.txt", "1*2+3\n");
    let said = place.run(&["a.txt", "--test", "grep -q 2 \"$1\"", "--grammar", "e.ebnf"], Exit::Done);
    said.says(&["the grammar e.ebnf is ambiguous: `e` derives `1*2+3` in line 1, column 1 in several ways"]);
}

#[test]
fn a_list_of_ten_thousand_items_is_reduced() {
    let place = place();
    place.write("l.py", "L = {'<start>': ['<item>,<start>', '<item>'], '<item>': ['a', 'b']}\n");
    place.write("a.txt", &("a,".repeat(7000) + "b," + &"a,".repeat(3000) + "a\n"));
    place.run_cleanly(&["a.txt", "--test", "grep -q b \"$1\"", "--grammar", "l.py"], Exit::Done).says(&["1-minimal"]);
    assert_eq!(place.read("a_mcve.txt"), "b");
}

#[test]
fn the_result_does_not_depend_on_how_many_jobs_run() {
    let text = "[[1, 2, [3, 4]], {\"a\": [5, 6], \"b\": {\"c\": 7}}, \"eight\", 9]\n";
    let left = ["-j1", "-j4"].map(|jobs| {
        let place = place();
        place.write("a.json", text);
        let script = "grep -q '4.*c.*9' \"$1\"";
        let said = place.run_cleanly(&["a.json", "--test", script, "--grammar", "json", jobs], Exit::Done);
        let checks = said.stderr.lines().find(|line| line.starts_with("  checks")).map(|line| line[..18].to_owned());
        (place.read("a_mcve.json"), checks)
    });
    assert_eq!(left[0], left[1]);
}

#[test]
fn two_sentences_differ_in_one_part() {
    let place = place();
    place.write("a.json", "{\"a\": [1, 2, 3], \"b\": {\"c\": -4}}\n");
    let script = "grep -q -e '-4' \"$1\"";
    let mode = ["isolate", "-o", ".", "a.json", "--test", script, "--grammar", "json"];
    let said = place.run_cleanly(&mode, Exit::Done);
    assert!(said.stdout.contains("this is what makes it fail: the text `-`, line 1"), "{}", said.stdout);
    let json = Earley::new(&read(shipped("json").expect("it is shipped")).expect("it is a grammar"));
    for file in ["pass.json", "fail.json"] {
        assert!(json.accepts(&place.read(file)), "{}", place.read(file));
    }
    let repair = ["repair", "-o", "pass.txt", "a.json", "--test", script, "--grammar", "json"];
    place.run_cleanly(&repair, Exit::Done).says(&["differ   1 characters"]);
    assert_eq!(place.read("pass.txt"), "{\"a\": [1, 2, 3], \"b\": {\"c\": 4}}\n");
}

#[test]
fn what_is_generated_is_a_sentence_and_the_same_for_a_seed() {
    for (name, rules) in SHIPPED {
        let generate = |seed| {
            let place = place();
            place.run_cleanly(&["generate", "--grammar", name, "--seed", seed, "--size", "30"], Exit::Done).stdout
        };
        assert_eq!(generate("1"), generate("1"));
        assert_ne!(generate("1"), generate("2"));
        assert!(Earley::new(&read(rules).expect("it is a grammar")).accepts(&generate("3")), "{name}");
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let place = place();
    place.write("a.json", "{\"a\": 1,\n \"b\": }\n");
    place.write("bad.ebnf", "a ::= 'x\n");
    let run = |grammar: &str, more: &[&str], exit| place.run(&[&["a.json", "--grammar", grammar], more].concat(), exit);
    let test = ["--test", "true"];
    run("json", &test, Exit::Input)
        .says(&["a.json does not follow the grammar json: line 2, column 7: found \"}\", expected one of"]);
    run("bad.ebnf", &test, Exit::Input)
        .says(&["bad.ebnf is no grammar: line 1, column 8: this text has no closing quote"]);
    run("none", &test, Exit::Input)
        .says(&["--grammar none is no file that can be read, and none of arithmetic, cgi, csv"]);
    run("json", &[], Exit::Usage).says(&["with --grammar, a script or a command says what fails"]);
}

#[test]
fn a_run_with_a_grammar_that_was_killed_goes_on() {
    let place = place();
    let numbers: Vec<String> = (0..60).map(|number| format!("{{\"k{number}\": [{number}]}}")).collect();
    place.write("a.json", format!("[{}]", numbers.join(", ")));
    let test = "grep -q 'k7\".*k31\".*k55\"' $1";
    let args = ["a.json", "--test", test, "--grammar", "json", "-j", "1", "--message-format", "json"];
    let finished = |events: &[serde_json::Value]| events.last().expect("there are events").clone();
    let whole = finished(&place.run(&[&args[..], &["-o", "whole.json"]].concat(), Exit::Done).events());
    place.kill("gained", 2, || place.mcve(&[&args[..], &["-o", "rest.json"]].concat()));
    let resumed = finished(&place.run(&["resume"], Exit::Done).events());
    assert!(whole["recalled"] == 0 && resumed["recalled"].as_u64() > Some(0), "{resumed}");
    assert_eq!(place.read("rest.json"), place.read("whole.json"));
    assert!(place.read("rest.json").len() <= r#"[{"k7":0},{"k31":0},{"k55":0}]"#.len());
}
