//! Mutants: small changes of a program, each of which may be the repair of a wrong value, all in one program.
//!
//! A *mutant schema* (Untch, Offutt and Harrold, *Mutation Analysis Using Mutant Schemata*, 1993) holds all of them and is
//! compiled once; a variable selects the active ones in a run. A mutant that passes where the program fails shows how the
//! fault can be repaired (Debroy and Wong, *Using Mutation to Automatically Suggest Fixes for Faulty Programs*, 2010).

mod forgotten;
mod operators;
pub(crate) mod schema;

use std::ops::Range;

use self::operators::{Kind, alternatives, may_be_left_out};
use super::runtime::{is_const_fn, is_run};
use crate::rule::{Reduction, Rule, Transform};
use crate::syntax::attributes::marks_test;
use crate::syntax::surroundings::signature;
use crate::syntax::{Filler, Node, Place, Syntax, Tree, Understanding};
use crate::text::lex::tokens;
use crate::text::{Edit, covers};

/// The environment variable with the numbers of the active mutants: `3,7-9`.
pub const MUTANT: &str = "MCVE_MUTANT";

/// The name of the transform that a mutant is a reduction of.
pub const MUTATION: &str = "mutation";

/// The maximum number of mutants: later ones in the file are left out.
const MOST: usize = 4000;

/// The value of that variable for these mutants, sorted.
pub fn active_mutants(numbers: &[usize]) -> String {
    let ranges = numbers.chunk_by(|one, next| one + 1 == *next);
    let texts = ranges.map(|range| match range {
        [first, .., last] => format!("{first}-{last}"),
        _ => range[0].to_string(),
    });
    texts.collect::<Vec<_>>().join(",")
}

/// The transform that proposes mutants. It is not used in a reduction, as a mutant is not smaller.
static TRANSFORM: Transform = Transform {
    name: MUTATION,
    doc: "Change one operator, operand or call.",
    passes: &[],
    rank: u8::MAX,
    rule: Rule::Covered(|_, _| ()),
};

/// The code that mutants change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutable {
    /// All that runs, except tests and `main`, which say what is right.
    Code,
    /// The literals of `main`, which are its input.
    Input,
    /// Both.
    CodeAndInput,
}

struct Mutant {
    /// Its number, from 1.
    number: usize,
    /// The replacement for the node.
    text: String,
}

impl Mutant {
    /// Whether it replaces a variable with another one.
    fn is_variable(&self) -> bool {
        let is_word = self.text.chars().all(|char| char.is_alphanumeric() || char == '_');
        is_word && self.text.starts_with(|char: char| !char.is_numeric())
    }
}

/// A node that has mutants.
struct Site<'t> {
    node: Node<'t>,
    range: Range<usize>,
    kind: Kind,
    /// Whether it is in a `const fn`.
    is_const: bool,
    mutants: Vec<Mutant>,
}

impl Site<'_> {
    /// The bytes that its mutants replace.
    fn replaced(&self) -> Range<usize> {
        match &self.kind {
            Kind::Arm(arm) => arm.pattern.clone(),
            Kind::Expression | Kind::Statement => self.range.clone(),
        }
    }
}

/// The mutants of a program.
pub struct Mutants<'t> {
    tree: &'t Tree<'t>,
    /// Sorted, outer ones before inner ones.
    sites: Vec<Site<'t>>,
}

impl<'t> Mutants<'t> {
    /// The mutants of the code of `tree` that runs and is `mutable`, if `is_reached` accepts the bytes of a node. Empty
    /// if the program is not understood.
    pub fn of(tree: &'t Tree<'t>, mutable: Mutable, is_reached: &dyn Fn(&Range<usize>) -> bool) -> Self {
        let (mut sites, mut count): (Vec<Site<'t>>, usize) = (Vec::new(), 0);
        let is_understood = tree.source().understanding() == Understanding::Full;
        for node in tree.nodes().filter(|_| is_understood) {
            let range = node.range();
            let texts = || alternatives(node).filter(|_| is_reached(&range) && is_mutable(node, mutable));
            if let Some((kind, texts)) = texts()
                && count < MOST
                && sites.last().is_none_or(|last| last.range != range)
            {
                let own = texts.len();
                let numbered = texts.into_iter().enumerate();
                let mutants = numbered.map(|(index, text)| Mutant { number: count + index + 1, text }).collect();
                count += own;
                sites.push(Site { node, range, kind, is_const: node.ancestors().any(is_const_fn), mutants });
            }
        }
        sites.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end)));
        Self { tree, sites }
    }

    /// The deletions of single statements of the code of `tree` that runs, including tests and `main`. Empty if the program is
    /// not understood.
    pub fn deletions(tree: &'t Tree<'t>) -> Self {
        let is_understood = tree.source().understanding() == Understanding::Full;
        let removable = tree.nodes().filter(|node| is_understood && is_switchable(*node)).take(MOST);
        let mutant = |index: usize| Mutant { number: index + 1, text: String::new() };
        let site = |(index, node): (usize, Node<'t>)| Site {
            node,
            range: node.range(),
            kind: Kind::Statement,
            is_const: false,
            mutants: vec![mutant(index)],
        };
        let mut sites: Vec<Site<'_>> = removable.enumerate().map(site).collect();
        sites.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end)));
        Self { tree, sites }
    }

    /// The bytes that a mutant changes; `None` if no mutant has this number.
    pub fn site(&self, number: usize) -> Option<Range<usize>> {
        let is_meant = |site: &&Site<'_>| site.mutants.iter().any(|mutant| mutant.number == number);
        self.sites.iter().find(is_meant).map(Site::replaced)
    }

    /// The numbers of all mutants.
    pub fn numbers(&self) -> Vec<usize> {
        self.sites.iter().flat_map(|site| &site.mutants).map(|mutant| mutant.number).collect()
    }

    /// The mutant with this number as a change of the program; `None` if there is none.
    pub fn change(&self, number: usize) -> Option<Reduction> {
        let site = self.sites.iter().find(|site| site.mutants.iter().any(|mutant| mutant.number == number))?;
        let mutant = site.mutants.iter().find(|mutant| mutant.number == number)?;
        let replaced = site.replaced();
        // In the schema it stands in a block of its own.
        let node = Some(site.node).filter(|node| matches!(node.syntax(), Syntax::Expr(_)));
        let placed = node.and_then(Place::of).zip(syn::parse_str(&mutant.text).ok());
        let fitted = placed.and_then(|(place, expr)| place.filled(Filler::Expr(&expr), &mutant.text));
        let edit = fitted.unwrap_or_else(|| Edit::replace(replaced.clone(), mutant.text.clone()));
        let edits = vec![narrowed(self.tree.source().text(), edit)];
        Some(Reduction { transform: &TRANSFORM, site: replaced, rank: number, edits, gain: 0 })
    }
}

/// `edit` without the tokens at its ends that stay.
fn narrowed(text: &str, edit: Edit) -> Edit {
    let words = |text: &str| tokens(text).into_iter().map(|token| token.range).collect::<Vec<_>>();
    let (own, new) = (&text[edit.range.clone()], &*edit.text);
    let (old_words, new_words) = (words(own), words(new));
    let is_same = |(one, other): &(&Range<usize>, &Range<usize>)| own[(*one).clone()] == new[(*other).clone()];
    let first = old_words.iter().zip(&new_words).take_while(is_same).count();
    let rest = [&old_words[first..], &new_words[first..]];
    let last = rest[0].iter().rev().zip(rest[1].iter().rev()).take_while(is_same).count();
    let inside = |words: &[Range<usize>], len: usize| {
        let start = first.checked_sub(1).map_or(0, |index| words[index].end);
        let end = words.len().checked_sub(last).and_then(|index| words.get(index)).map_or(len, |word| word.start);
        start..end
    };
    let (gone, come) = (inside(&old_words, own.len()), inside(&new_words, new.len()));
    let start = edit.range.start;
    Edit::replace(start + gone.start..start + gone.end, &new[come])
}

/// The bytes of the innermost function that these bytes are in, or the bytes themselves if they are in none.
pub fn function(tree: &Tree<'_>, bytes: &Range<usize>) -> Range<usize> {
    let functions = tree.nodes().filter(|node| signature(*node).is_some()).map(Node::range);
    let around = functions.filter(|function| covers(function, bytes));
    around.min_by_key(ExactSizeIterator::len).unwrap_or_else(|| bytes.clone())
}

/// Whether `node` is a statement that can be switched off when the program is run.
fn is_switchable(node: Node<'_>) -> bool {
    let Syntax::Stmt(statement) = node.syntax() else { return false };
    may_be_left_out(node, statement) && node.ancestors().all(|outer| is_run(outer) && !is_length(outer))
}

/// Whether it is an expression in which there are no statements of the program, or none that are run.
fn is_length(outer: Node<'_>) -> bool {
    matches!(outer.syntax(), Syntax::Expr(syn::Expr::Repeat(_) | syn::Expr::Macro(_)))
}

/// Whether the code in `node` can be changed: it runs and is not in a test or in `main`, which define correct behaviour.
fn is_mutable(node: Node<'_>, mutable: Mutable) -> bool {
    let is_main =
        |outer: Node<'_>| matches!(outer.syntax(), Syntax::Item(syn::Item::Fn(item)) if item.sig.ident == "main");
    let is_input = mutable != Mutable::Code && matches!(node.syntax(), Syntax::Expr(syn::Expr::Lit(_)));
    let is_test = |outer: Node<'_>| {
        let is_main = is_main(outer);
        let is_marked = |child: Node<'_>| matches!(child.syntax(), Syntax::Attribute(own) if marks_test(own));
        is_main && !is_input || outer.children().any(is_marked)
    };
    let is_in_main = || node.ancestors().any(is_main);
    let is_in_macro = |outer: Node<'_>| matches!(outer.syntax(), Syntax::Expr(syn::Expr::Macro(_)));
    let is_out = |outer: Node<'_>| is_length(outer) && !(is_in_macro(outer) && mutable != Mutable::Code);
    let is_meant = mutable != Mutable::Input || is_input && is_in_main();
    // The code of a `const fn` may run when the program does.
    let may_run = |outer: Node<'_>| is_run(outer) || is_const_fn(outer);
    is_meant && node.ancestors().all(|outer| may_run(outer) && !is_test(outer) && !is_out(outer))
}

#[cfg(test)]
mod tests;
