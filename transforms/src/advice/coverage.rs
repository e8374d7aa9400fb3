//! Coverage: instruments a program so that a run reports which of its blocks are reached.
//!
//! The failure most likely does not need code that a run does not reach: all of it can go at once. Coverage only orders
//! candidates and decides nothing; each candidate is checked like any other.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Expr, Item, ReturnType};

use super::runtime::is_run;
use super::seen::name_of_block;
use crate::rule::Hint;
use crate::syntax::surroundings::signature;
use crate::syntax::{Node, Syntax, Tree, Understanding, range};
use crate::text::Edit;
use crate::text::lex::Measure;

/// The lint name of the hints about unreached code.
const LINT: &str = "not-reached";

/// The replacement for the contents of a block with a value.
const LOOP: &str = "loop {}";

/// A block, or the expression of a match arm, that reports when it is reached.
struct Site {
    /// The bytes inside of the braces, or of the expression.
    inside: Range<usize>,
    /// Whether it is an expression without braces.
    is_bare: bool,
    /// Its replacement if it is not reached; `None` where nothing fits.
    rest: Option<&'static str>,
    /// The whole function, if this is its body.
    function: Option<Range<usize>>,
}

/// The result of a run.
pub struct Reached {
    /// Hints to empty the outermost of the blocks that it did not reach.
    pub hints: Vec<Hint>,
    /// The tokens of the functions that were called, without the blocks in them that were not reached.
    pub tokens: usize,
}

/// Which blocks have a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    /// Each block that is run, also in functions that are written in calls of any macro: the macro may do anything with them.
    AlsoInMacros,
    /// Each block that is run.
    Blocks,
    /// The bodies of functions only.
    Bodies,
}

/// The sites of a program.
pub struct Coverage<'t> {
    tree: &'t Tree<'t>,
    sites: Vec<Site>,
}

impl<'t> Coverage<'t> {
    /// A site at the beginning of each block that is to be `covered`; none if the program is not understood or cannot be run.
    pub fn of(tree: &'t Tree<'t>, covered: Covered) -> Self {
        let text = tree.source().text();
        let may_run = text.contains("fn main") || text.contains("test]");
        let is_understood = tree.source().understanding() == Understanding::Full;
        let mut sites: Vec<Site> = Vec::new();
        if may_run && is_understood {
            sites = tree.nodes().filter_map(|node| site(node, covered)).collect();
        }
        Self { tree, sites }
    }

    /// The bytes inside of each block that has a site, and whether it is an expression without braces.
    pub fn blocks(&self) -> Vec<(Range<usize>, bool)> {
        self.sites.iter().map(|site| (site.inside.clone(), site.is_bare)).collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sites.len()
    }

    /// Reads the `output` of the instrumented program. `None` if that is empty: then the program was not run.
    pub fn read(&self, output: &str) -> Option<Reached> {
        let reported: HashSet<usize> = output.lines().filter_map(|line| line.parse().ok()).collect();
        if reported.is_empty() {
            return None;
        }
        let name = |site: &Site| name_of_block(&site.inside, site.is_bare);
        let numbered = self.sites.iter().enumerate().filter(|(_, site)| reported.contains(&name(site)));
        let reached: HashSet<usize> = numbered.map(|(number, _)| number).collect();
        let (mut hints, mut end) = (Vec::new(), 0);
        for (number, site) in self.sites.iter().enumerate() {
            if reached.contains(&number) || site.inside.start < end {
                continue;
            }
            if let Some(rest) = site.rest {
                end = site.inside.end;
                let edits = vec![Edit::replace(site.inside.clone(), rest)];
                hints.push(Hint { lint: LINT.to_owned(), site: site.inside.clone(), edits });
            }
        }
        Some(Reached { hints, tokens: self.tokens(&reached) })
    }

    /// The tokens of the functions that were called, without the blocks in them that were not reached.
    fn tokens(&self, reached: &HashSet<usize>) -> usize {
        let text = self.tree.source().text();
        let tokens = |range: &Range<usize>| Measure::of(&text[range.clone()]).tokens;
        let (mut count, mut called_until, mut not_reached_until) = (0, 0, 0);
        for (number, site) in self.sites.iter().enumerate() {
            let (begin, end) = (site.inside.start, site.inside.end);
            let is_called = begin < called_until;
            match &site.function {
                _ if begin < not_reached_until => {}
                _ if !reached.contains(&number) => {
                    count -= if is_called { tokens(&site.inside) } else { 0 };
                    not_reached_until = end;
                }
                Some(function) if !is_called => {
                    count += tokens(function);
                    called_until = end;
                }
                _ => {}
            }
        }
        count
    }
}

/// Whether it is a call of a macro, or tokens in one. The rules of a macro are none.
fn is_call(node: Node<'_>) -> bool {
    match node.syntax() {
        Syntax::Item(Item::Macro(item)) => item.ident.is_none(),
        syntax => matches!(syntax, Syntax::Macro(_) | Syntax::Tokens(_)),
    }
}

fn site(node: Node<'_>, covered: Covered) -> Option<Site> {
    let text = node.source_text();
    let site = match node.syntax() {
        Syntax::Block(_) => {
            let whole = node.range();
            let is_braced = text[whole.clone()].starts_with('{') && whole.len() >= 2;
            let inside = is_braced.then(|| whole.start + 1..whole.end - 1)?;
            // An inner attribute has to be the first.
            if text[inside.clone()].trim_start().starts_with("#!") {
                return None;
            }
            let owner = node.parent().and_then(signature);
            let rest = match owner.map(|signature| &signature.output) {
                Some(ReturnType::Default) => Some(""),
                Some(ReturnType::Type(_, ty)) => (!text[range(&**ty)].contains("impl ")).then_some(LOOP),
                None => Some(LOOP),
            };
            let function = owner.map(|signature| range(signature).start..whole.end);
            Site { inside, is_bare: false, rest, function }
        }
        Syntax::Arm(arm) if !matches!(&*arm.body, Expr::Block(_)) => {
            Site { inside: range(&*arm.body), is_bare: true, rest: Some(LOOP), function: None }
        }
        _ => return None,
    };
    let is_length = |outer: Node<'_>| match outer.syntax() {
        Syntax::Expr(Expr::Repeat(repeat)) => range(&*repeat.len).contains(&node.range().start),
        _ => false,
    };
    if node.ancestors().any(is_length) {
        return None;
    }
    let mut is_in_function = false;
    for node in std::iter::once(node).chain(node.ancestors()) {
        let is_passed_on = covered == Covered::AlsoInMacros && is_in_function && is_call(node);
        if !is_passed_on && !is_run(node) {
            return None;
        }
        is_in_function |= signature(node).is_some();
    }
    (covered != Covered::Bodies || site.function.is_some()).then_some(site)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::enumerate::enumerate_hinted;
    use crate::rule::reduction::apply;
    use crate::syntax::source::Source;

    /// What a run reports that reaches the sites with these numbers.
    fn reported(coverage: &Coverage<'_>, reached: impl Iterator<Item = usize>) -> String {
        let sites = reached.map(|number| &coverage.sites[number]);
        sites.map(|site| format!("{}\n", name_of_block(&site.inside, site.is_bare))).collect()
    }

    /// Checks the result for `text` if the sites with these numbers are not reached.
    #[track_caller]
    fn check(text: &str, not_reached: &[usize], expected: &str, tokens: usize) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let coverage = Coverage::of(&tree, Covered::Blocks);
        let told = (0..coverage.sites.len()).filter(|site| !not_reached.contains(site));
        let reached = coverage.read(&reported(&coverage, told)).expect("it was run");
        assert_eq!(reached.tokens, tokens, "{text}");
        let transform = crate::named("empty-what-is-not-reached")[0];
        let names = crate::Analysis::of(&tree);
        let reductions = enumerate_hinted(&names, transform, &reached.hints);
        assert_eq!(apply(text, &reductions), expected);
    }

    #[test]
    fn what_is_not_reached_is_emptied() {
        let text = "fn main() { f(1); } fn f(a: u8) -> u8 { if a > 1 { g(); 2 } else { 3 } } fn g() { f(2); f(3); }";
        let expected = "fn main() { f(1); } fn f(a: u8) -> u8 { if a > 1 {loop {}} else { 3 } } fn g() {}";
        check(text, &[2, 4], expected, 32);
        check(text, &[], text, 53);
    }

    #[test]
    fn arms_are_blocks() {
        let text = "fn main() { match 1 { 1 => f(1, 2, 3), _ => { f(4, 5, 6); } } } fn f(a: u8, b: u8, c: u8) {}";
        let expected = "fn main() { match 1 { 1 => loop {}, _ => {loop {}} } } fn f(a: u8, b: u8, c: u8) {}";
        check(text, &[1, 2], expected, 34);
    }

    #[test]
    fn functions_in_macro_calls_are_covered_if_asked() {
        let text = "all! { fn f() { g(1); } fn h() -> u8 { g(1, 2); 2 } } macro_rules! all { () => { fn r() { g(2); } } } fn main() { p!({ 3 }); }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let count = |covered| Coverage::of(&tree, covered).sites.len();
        assert_eq!((count(Covered::Blocks), count(Covered::AlsoInMacros)), (1, 3));
        let coverage = Coverage::of(&tree, Covered::AlsoInMacros);
        let reached = coverage.read(&reported(&coverage, [2].into_iter())).expect("it was run");
        let names = crate::Analysis::of(&tree);
        let reductions = enumerate_hinted(&names, crate::named("empty-what-is-not-reached")[0], &reached.hints);
        let expected = "all! { fn f() {} fn h() -> u8 {loop {}} } macro_rules! all { () => { fn r() { g(2); } } } fn main() { p!({ 3 }); }";
        assert_eq!(apply(text, &reductions), expected);
    }

    #[test]
    fn what_the_compiler_computes_is_not_told() {
        let text = "const fn f() -> u8 { 1 } const A: u8 = { 2 }; fn main() { [0; { 3 }]; }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        assert_eq!(Coverage::of(&tree, Covered::Blocks).sites.len(), 1);
        assert!(Coverage::of(&tree, Covered::Blocks).read("").is_none());
    }
}
