//! Where a program that is run fails, and which of its own functions the failing expression gets its values from.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use syn::Expr;

use super::analysis::Analysis;
use super::functions::Function;
use super::slice::Slice;
use crate::syntax::attributes::is_entry;
use crate::syntax::{Node, Syntax, Tree, range};
use crate::text::lex::{Kind, tokens};

/// The most tokens that a change of a failing statement removes.
const GONE: usize = 2;

/// The most tokens that it adds.
const COME: usize = 8;

/// A place where a program that is run fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailingSite {
    /// The name of the function that it is in, closures aside.
    pub function: Option<String>,
    /// Whether that is `main`, or a function with `#[test]`.
    pub is_entry: bool,
    /// The functions of the program that the function calls for what the failing expression depends on, by their names.
    pub calls: BTreeSet<String>,
    /// The code without which a passing run proves nothing: an entry that calls the function under test, or else the failing
    /// statement.
    pub evidence: String,
}

impl FailingSite {
    /// The place at `byte`.
    pub fn at<'t>(names: &'t Analysis<'t>, byte: usize) -> Self {
        let Some(function) = around(names, byte) else { return Self::default() };
        let name = function.name();
        let is_entry = is_entry(function.node);
        let slice = Slice::at(names, function.node, byte);
        let own: HashSet<String> = names.functions().iter().map(Function::name).collect();
        let calls: BTreeSet<String> = slice
            .free_words()
            .into_iter()
            .filter(|word| own.contains(*word) && *word != name)
            .map(str::to_owned)
            .collect();
        let evidence = if is_entry && !calls.is_empty() { function.node.range() } else { slice.place() };
        let evidence = plain(&function.node.source_text()[evidence]);
        Self { function: Some(name), is_entry, calls, evidence }
    }

    /// The largest expression that begins at `byte`, or else the token there.
    pub fn expression(tree: &Tree<'_>, byte: usize) -> Range<usize> {
        let is_expression = |node: &Node<'_>| matches!(node.syntax(), Syntax::Expr(_) | Syntax::Macro(_));
        let ranges = tree.nodes().filter(is_expression).map(Node::range).filter(|range| range.start == byte);
        ranges.max_by_key(ExactSizeIterator::len).unwrap_or(byte..byte + 1)
    }

    /// The last statement of the function `name`, if it is unknown which of its statements fails.
    pub fn at_end_of<'t>(names: &'t Analysis<'t>, name: &str) -> Self {
        let functions = names.functions().iter().filter(|function| function.signature.ident == name);
        let statements = functions.flat_map(|function| function.node.descendants());
        let ranges = statements.filter(|node| matches!(node.syntax(), Syntax::Stmt(_))).map(Node::range);
        let last = ranges.max_by_key(|range| (range.end, Reverse(range.start)));
        last.map_or_else(Self::default, |range| Self::at(names, range.start))
    }

    /// The outermost loop around `byte` in its function, with the functions that it calls and its condition as the evidence;
    /// `None` outside of loops.
    pub fn of_loop<'t>(names: &'t Analysis<'t>, byte: usize) -> Option<Self> {
        let function = around(names, byte)?;
        let is_loop = |node: &Node<'t>| {
            let is_loop = matches!(node.syntax(), Syntax::Expr(Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_)));
            is_loop && node.range().contains(&byte)
        };
        let repeated = function.node.descendants().find(is_loop)?;
        let own: HashSet<String> = names.functions().iter().map(Function::name).collect();
        let words = tokens(repeated.text()).into_iter().map(|token| &repeated.text()[token.range]);
        let calls = words.filter(|word| own.contains(*word)).map(str::to_owned).collect();
        let condition = match repeated.syntax() {
            Syntax::Expr(Expr::While(repeated)) => Some(range(&*repeated.cond)),
            Syntax::Expr(Expr::ForLoop(repeated)) => Some(range(&*repeated.expr)),
            _ => None,
        };
        let evidence = condition.map_or_else(String::new, |range| plain(&function.node.source_text()[range]));
        Some(Self { function: Some(function.name()), calls, evidence, ..Self::default() })
    }

    /// The same without the calls of functions that a run does not reach: what is called is something else of that name.
    #[must_use]
    pub fn reaching(mut self, names: &Analysis<'_>, is_reached: &dyn Fn(&Range<usize>) -> bool) -> Self {
        let is_statement = |node: &Node<'_>| matches!(node.syntax(), Syntax::Stmt(_));
        let runs = |function: &&Function<'_>| {
            function.node.descendants().find(is_statement).is_none_or(|first| is_reached(&first.range()))
        };
        let run: HashSet<String> = names.functions().iter().filter(runs).map(Function::name).collect();
        self.calls.retain(|call| run.contains(call));
        self
    }

    /// Whether the function of a failure still has what fails there, in an entry as it was, elsewhere with a small change. It may
    /// pass all the same.
    pub fn is_kept_in(&self, names: &Analysis<'_>) -> bool {
        let Some(name) = &self.function else { return true };
        let mut functions = names.functions().iter().filter(|function| function.signature.ident == name);
        functions.any(|function| {
            let text = plain(function.node.text());
            text.contains(&self.evidence) || !self.is_entry && is_changed_in(&text, &self.evidence)
        })
    }
}

/// The innermost function around `byte`.
fn around<'a, 't>(names: &'a Analysis<'t>, byte: usize) -> Option<&'a Function<'t>> {
    names.functions().iter().rfind(|function| function.node.range().contains(&byte))
}

/// Whether the tokens of `evidence` are in `text` but for a change at one place.
fn is_changed_in(text: &str, evidence: &str) -> bool {
    let (text, evidence): (Vec<&str>, Vec<&str>) = (text.split(' ').collect(), evidence.split(' ').collect());
    (0..text.len()).any(|start| {
        let text = &text[start..];
        let same = text.iter().zip(&evidence).take_while(|(own, other)| own == other).count();
        let most = GONE.min((evidence.len() - 1) / 2).min(evidence.len() - same);
        (0..=most).any(|gone| {
            let rest = &evidence[same + gone..];
            (0..=COME).any(|come| text.get(same + come..).is_some_and(|text| text.starts_with(rest)))
        })
    })
}

/// The tokens of a text, without comments and layout.
fn plain(text: &str) -> String {
    let code = tokens(text).into_iter().filter(|token| token.kind == Kind::Code);
    code.map(|token| &text[token.range]).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::tree::Tree;

    /// Checks the place that `§` marks.
    #[track_caller]
    fn check(marked: &str, function: &str, is_entry: bool, calls: &[&str]) {
        let byte = marked.find('§').expect("a place is marked");
        let source = Source::parse(marked.replace('§', ""));
        let tree = Tree::new(&source);
        let site = FailingSite::at(&Analysis::of(&tree), byte);
        let calls = calls.iter().map(|&call| call.to_owned()).collect();
        assert!(site.is_kept_in(&Analysis::of(&tree)));
        assert_eq!((site.function.as_deref(), site.is_entry, site.calls), (Some(function), is_entry, calls));
    }

    const LIB: &str = "fn f() -> u8 { 1 } fn g(a: u8) -> u8 { a } struct S; impl S { fn m(&self) -> u8 { 2 } }";

    #[test]
    fn what_the_expression_calls() {
        check(&format!("{LIB} fn main() {{ g(3); §assert_eq!(f(), S.m()); }}"), "main", true, &["f", "m"]);
        check(&format!("{LIB} #[test] fn t() {{ f(); §panic!() }}"), "t", true, &[]);
        check(&format!("{LIB} mod m {{ fn main() {{ §panic!() }} }}"), "main", false, &[]);
        check(&format!("{LIB} fn main() {{ let m = 1; let g = g(m); §assert!(g == m) }}"), "main", true, &["g"]);
        check(
            &format!("{LIB} fn h() {{ let c = || {{ g(1); f() + §[0][g(2) as usize] }}; }}"),
            "h",
            false,
            &["f", "g"],
        );
    }

    #[test]
    fn variables_lead_to_what_they_are_bound_to_and_changed_by() {
        check(&format!("{LIB} fn main() {{ let a = g(1); let b = a; f(); §assert!(b > 0); }}"), "main", true, &["g"]);
        check(&format!("{LIB} fn main() {{ let mut a = 0; a += f(); §assert!(a > 0); }}"), "main", true, &["f"]);
        check(
            &format!("{LIB} fn main() {{ let mut a = vec![]; a.push(f()); §assert!(a.is_empty()); }}"),
            "main",
            true,
            &["f"],
        );
        check(&format!("{LIB} fn main() {{ for a in 0..f() {{ g(1); §assert!(a > 0); }} }}"), "main", true, &["f"]);
        check(&format!("{LIB} fn main() {{ §assert!(a > 0); let a = f(); }}"), "main", true, &[]);
    }

    #[test]
    fn what_is_only_looked_at_is_not_changed() {
        check(
            &format!("{LIB} fn main() {{ let a = f(); assert!(a > 0, \"{{}}\", g(1)); §assert!(a > 1); }}"),
            "main",
            true,
            &["f"],
        );
        check(
            &format!("{LIB} fn main() {{ let a = f(); println!(\"{{}}\", a.m()); §assert!(a > 1); }}"),
            "main",
            true,
            &["f"],
        );
    }

    #[test]
    fn the_last_statement_of_a_function() {
        let source = Source::parse(format!("{LIB} #[test] fn t() {{ g(1); if true {{ f(); }} }}"));
        let tree = Tree::new(&source);
        let site = FailingSite::at_end_of(&Analysis::of(&tree), "t");
        assert_eq!((site.is_entry, site.calls.into_iter().collect::<Vec<_>>()), (true, vec!["f".to_owned()]));
        assert_eq!(FailingSite::at_end_of(&Analysis::of(&tree), "u"), FailingSite::default());
    }

    #[test]
    fn a_branch_depends_on_its_condition() {
        check(&format!("{LIB} fn main() {{ if f() > 0 {{ g(1); §panic!(); }} }}"), "main", true, &["f"]);
        check(&format!("{LIB} fn main() {{ match S.m() {{ 1 => {{}}, _ => §panic!() }} }}"), "main", true, &["m"]);
    }

    #[test]
    fn a_statement_is_kept_or_not() {
        let kept = |text: &str, other: &str| {
            let (source, other) = (Source::parse(text.replace('§', "")), Source::parse(other));
            let (tree, other) = (Tree::new(&source), Tree::new(&other));
            let site = FailingSite::at(&Analysis::of(&tree), text.find('§').expect("a place is marked"));
            site.is_kept_in(&Analysis::of(&other))
        };
        let test = "#[test] fn t() { §assert_eq!(f(), 2); }";
        assert!(kept(&format!("{LIB} {test}"), "fn f() -> u8 { 2 } #[test] fn t() { assert_eq!(f(),2);  }"));
        assert!(!kept(&format!("{LIB} {test}"), "fn f() -> u8 { 2 } #[test] fn t() { f(); }"));
        assert!(kept("fn h(a: &[u8]) { f(); §a[1]; }", "fn h(a: &[u8]) { a[1]; }"));
        let of_h = |rest: &str| kept("fn h(a: &[u8]) { f(); §a[g() - 1]; }", &format!("fn h(a: &[u8]) {{ {rest} }}"));
        for changed in ["a[g() - 2];", "a[g()];", "a[g().f() - 1];"] {
            assert!(of_h(changed), "{changed}");
        }
        assert!(!of_h("a[0];") && !of_h("a[1]; g() - 1;") && !of_h(""));
        assert!(!kept("#[test] fn t() { §assert_eq!(f(), 2); }", "#[test] fn t() { assert_eq!(f(), 3); }"));
    }

    #[test]
    fn a_loop_is_the_outermost_one_in_its_function() {
        let marked = format!("{LIB} fn h() {{ f(); while f() > 0 {{ loop {{ §g(1); break }} }} S.m(); }}");
        let source = Source::parse(marked.replace('§', ""));
        let tree = Tree::new(&source);
        let site = FailingSite::of_loop(&Analysis::of(&tree), marked.find('§').expect("a place is marked"));
        let site = site.expect("there is a loop");
        assert_eq!(site.function.as_deref(), Some("h"));
        assert_eq!(site.calls.iter().collect::<Vec<_>>(), ["f", "g"]);
        assert_eq!(site.evidence, "f ( ) > 0");
        assert_eq!(FailingSite::of_loop(&Analysis::of(&tree), 3), None);
    }

    #[test]
    fn outside_of_functions_there_is_none() {
        let source = Source::parse("const A: u8 = 1;");
        let tree = Tree::new(&source);
        assert_eq!(FailingSite::at(&Analysis::of(&tree), 3), FailingSite::default());
    }
}
