//! *The Debugging Book*, chapter *Reducing Failure-Inducing Inputs*: the code of `remove_html_markup` is reduced by lines, by
//! characters and by its syntax tree.

use std::process::Command;

use mcve_dd::debugger::Debugger;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::grammar::rust::derivation;
use mcve_dd::grammar_reducer::GrammarReducer;
use mcve_dd::outcome::Outcome;
use mcve_dd::tree_reduction::repeated_tree_reduction;
use mcve_transforms::{Analysis, Edit, Measure, Node, Reduction, Source, Syntax, Tree, apply, enumerate, named};

use super::compiler::Stop;
use super::fails_if;
use super::interpreter::Program;

/// The function as the chapter has it, among others.
const PROGRAM: &str = include_str!("remove_html_markup.rs");

/// What it does to text in a tag and in quotes.
fn results(text: &str) -> Result<[String; 2], Stop> {
    let program = Program::new(text)?;
    Ok([program.run(NAME, TAGGED)?, program.run(NAME, QUOTED)?])
}

/// That quotes are lost is the failure.
fn loses_quotes(text: &str) -> Outcome {
    results(text).map_or(Outcome::Unresolved, |[_, quoted]| fails_if(quoted != QUOTED))
}

/// The same, with a check for missing functionality: that tags remain is something else.
fn outcome(text: &str) -> Outcome {
    match results(text) {
        Ok([tagged, _]) if tagged != "bar" => Outcome::Unresolved,
        _ => loses_quotes(text),
    }
}

const TAGGED: &str = "<foo>bar</foo>";
const QUOTED: &str = "\"foo\"";
const NAME: &str = "remove_html_markup";

/// By lines: what is left.
fn by_lines(outcome: fn(&str) -> Outcome) -> String {
    let lines: Vec<&str> = PROGRAM.split_inclusive('\n').collect();
    let mut debugger = Debugger::new(lines, |lines: &Vec<&str>| outcome(&lines.concat()));
    debugger.minimise().expect("it fails").concat()
}

/// By characters: what is left.
fn by_characters(text: &str) -> String {
    Debugger::new(text.to_owned(), |text: &String| outcome(text)).minimise().expect("it fails")
}

/// The book deletes any node that Python can do without.
const DELETION: &[&str] = &["delete-item", "delete-statement", "drop-else", "drop-mut", "delete-argument"];

/// The operators of *Transforming Nodes*: a comparison by a constant, an operation by its left operand, an `if` by its body.
const REPLACEMENT: &[&str] = &["decide-condition", "keep-operand", "unwrap-if"];

/// Some of exercise 1, whose other alternatives are those that come second where the first does not help.
const ALTERNATIVES: &[&str] = &["replace-by-value", "hoist-expression", "inline-binding", "unwrap-if"];

/// Applies as many as possible of the reductions that these transforms propose, by a list of those that are not applied, and
/// again to what that leaves: the first alternative for each node, or all. Tells what is left.
fn by_syntax(text: &str, transforms: &[&[&str]], alternatives: bool) -> String {
    let mut text = text.to_owned();
    loop {
        let source = Source::parse(text.as_str());
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let transforms = transforms.iter().copied().flatten().flat_map(|name| named(name));
        let mut reductions: Vec<Reduction> = transforms.flat_map(|transform| enumerate(&names, transform)).collect();
        if alternatives {
            reductions.extend(constants(&tree));
        } else {
            reductions.retain(|reduction| reduction.rank == 0);
        }
        let all: Vec<usize> = (0..reductions.len()).collect();
        let applied = |kept: &Vec<usize>| {
            let chosen = all.iter().filter(|&at| kept.binary_search(at).is_err());
            apply(&text, chosen.map(|&at| &reductions[at]))
        };
        let kept = Debugger::new(all.clone(), |kept: &Vec<usize>| outcome(&applied(kept))).minimise();
        let left = applied(&kept.expect("it fails"));
        if left == text {
            return text;
        }
        text = left;
    }
}

/// The shorter constant in the place of each longer one.
fn constants(tree: &Tree<'_>) -> Vec<Reduction> {
    let transform = named("replace-by-value")[0];
    let falsehoods = tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Lit(_)) && node.text() == "false");
    let reduction = |node: Node<'_>| {
        let edits = vec![Edit::replace(node.range(), "true")];
        Reduction { transform, site: node.range(), rank: 0, edits, gain: 0 }
    };
    falsehoods.map(reduction).collect()
}

/// rustc takes the program as well, and what it makes of it fails in the same way.
#[track_caller]
fn check_by_rustc(text: &str) {
    let folder = tempfile::tempdir().expect("there is room");
    let [source, program] = ["main.rs", "main"].map(|name| folder.path().join(name));
    let main = format!("fn main() {{ for s in [{TAGGED:?}, {QUOTED:?}] {{ println!(\"{{}}\", {NAME}(s)) }} }}");
    std::fs::write(&source, format!("{text}\n{main}\n")).expect("it can be written");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled =
        Command::new(compiler).args(["--edition=2024", "-Awarnings", "-o"]).args([&program, &source]).status();
    assert!(compiled.expect("rustc runs").success(), "{text}");
    let output = Command::new(&program).output().expect("it runs");
    let printed = String::from_utf8(output.stdout).expect("it is text");
    let lines: Vec<&str> = printed.lines().collect();
    assert!(output.status.success() && lines[0] == "bar" && lines[1] != QUOTED, "{text}\n{printed}");
}

#[test]
fn without_the_check_for_missing_functionality_too_much_goes() {
    let left = by_lines(loses_quotes);
    let expected = "fn remove_html_markup(s: &str) -> String {
    let mut quote = false;
    let mut out = String::new();
    for c in s.chars() {
        if c == '<' && !quote {
        }
    }
    out
}
";
    assert_eq!(left, expected);
    assert_eq!(outcome(&left), Outcome::Unresolved);
}

#[test]
fn each_way_to_reduce_code_leaves_less_than_the_one_before() {
    let lines = by_lines(outcome);
    let characters = by_characters(&lines);
    let deletion = by_syntax(&characters, &[DELETION], false);
    let replacement = by_syntax(&deletion, &[DELETION, REPLACEMENT], false);
    let alternatives = by_syntax(&replacement, &[DELETION, REPLACEMENT, ALTERNATIVES], true);
    let stages = [PROGRAM, &lines, &characters, &deletion, &replacement, &alternatives];
    stages[1..].iter().for_each(|text| check_by_rustc(text));
    assert_eq!(stages.map(|text| Measure::of(text).tokens), [258, 98, 94, 93, 76, 69]);
    let whole = "fn remove_html_markup(s:&str)->String{let mut tag=true;let mut out=String::new();for c in s.chars(){\
                 if c=='<'{tag=true}if c=='>'{tag=false}else if!tag{out.push(c)}}out}";
    assert_eq!(alternatives, whole);
}

#[test]
fn trees_of_rust_lose_what_is_not_needed_without_any_transform() {
    let source = Source::parse(PROGRAM);
    let tree = derivation(&Tree::new(&source)).expect("it parses");
    let unknown = Grammar::unknown();
    let mut debugger = Debugger::new(tree.text(), |text: &String| outcome(text));
    let subtrees = debugger.minimise_tree(&tree, |tree, test| GrammarReducer::new(&unknown).reduce(tree, test));
    let both = debugger.minimise_tree(&tree, |tree, test| repeated_tree_reduction(tree, &unknown, test));
    let left = [subtrees, both].map(|tree| tree.expect("it fails").text());
    left.iter().for_each(|text| check_by_rustc(text));
    assert_eq!(left.map(|text| Measure::of(&text).tokens), [200, 80]);
}
