//! Mutants: small changes of a program, each of which may be the repair of a wrong value, all in one program.
//!
//! A *mutant schema* (Untch, Offutt and Harrold, *Mutation Analysis Using Mutant Schemata*, 1993) holds all of them and is
//! compiled once; a variable selects the active ones in a run. A mutant that passes where the program fails shows how the
//! fault can be repaired (Debroy and Wong, *Using Mutation to Automatically Suggest Fixes for Faulty Programs*, 2010).

mod forgotten;
mod operators;

use std::collections::HashSet;
use std::ops::Range;

use self::operators::{alternatives, may_be_left_out};
use super::observed::{is_run, permitted};
use crate::rule::reduction::Reduction;
use crate::rule::transform::{Rule, Transform};
use crate::syntax::attributes::marks_test;
use crate::syntax::placement::{Filler, Place};
use crate::syntax::source::Understanding;
use crate::syntax::surroundings::signature;
use crate::syntax::tree::{Node, Syntax, Tree};
use crate::text::edit::{Edit, covers};
use crate::text::lex::tokens;

/// The environment variable with the numbers of the active mutants: `3,7-9`.
pub const MUTANT: &str = "MCVE_MUTANT";

/// The name of the transform that a mutant is a reduction of.
pub const MUTATION: &str = "mutation";

/// The module that reads the variable; it is added to the program.
const RUNTIME: &str = include_str!("mutants/runtime.rs");

/// The maximum number of mutants: later ones in the file are left out.
const MOST: usize = 4000;

/// The value of that variable for these mutants, sorted.
#[must_use]
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

/// A change.
struct Mutant {
    /// Its number, from 1.
    number: usize,
    /// The replacement for the node.
    text: String,
}

impl Mutant {
    /// Whether it replaces a variable with another one.
    fn is_variable(&self) -> bool {
        self.text.chars().all(|char| char.is_alphanumeric() || char == '_') && !self.text.starts_with(char::is_numeric)
    }
}

/// A node that has mutants.
struct Site {
    range: Range<usize>,
    /// Whether it is a statement, whose only mutant is its deletion.
    is_statement: bool,
    mutants: Vec<Mutant>,
}

/// The mutants of a program.
pub struct Mutants<'t> {
    tree: &'t Tree<'t>,
    /// Sorted, outer ones before inner ones.
    sites: Vec<Site>,
}

/// A program with all mutants.
pub struct Schema {
    /// Its text.
    pub text: String,
    parts: Vec<Part>,
    is_assigned: bool,
}

/// The part of a schema that belongs to a mutant.
struct Part {
    bytes: Range<usize>,
    /// The number of the mutant; 0 for the rest of the site.
    number: usize,
    /// The bytes of the site in the program.
    site: Range<usize>,
}

impl Schema {
    /// Assigns the text from the byte `begin` on to a mutant of `site`.
    fn add(&mut self, begin: usize, number: usize, site: &Site) {
        self.parts.push(Part { bytes: begin..self.text.len(), number, site: site.range.clone() });
    }
}

impl<'t> Mutants<'t> {
    /// The mutants of the code of `tree` that runs and is `mutable`, if `is_reached` accepts the bytes of a node. Empty
    /// if the program is not understood.
    #[must_use]
    pub fn of(tree: &'t Tree<'t>, mutable: Mutable, is_reached: &dyn Fn(&Range<usize>) -> bool) -> Self {
        let (mut sites, mut count): (Vec<Site>, usize) = (Vec::new(), 0);
        let is_understood = tree.source().understanding() == Understanding::Full;
        for node in tree.nodes().filter(|_| is_understood) {
            let range = node.range();
            let texts = || alternatives(node).filter(|_| is_reached(&range) && is_mutable(node, mutable));
            if let Some((is_statement, texts)) = texts()
                && count < MOST
                && sites.last().is_none_or(|last| last.range != range)
            {
                let own = texts.len();
                let numbered = texts.into_iter().enumerate();
                let mutants = numbered.map(|(index, text)| Mutant { number: count + index + 1, text }).collect();
                count += own;
                sites.push(Site { range, is_statement, mutants });
            }
        }
        sites.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end)));
        Self { tree, sites }
    }

    /// The deletions of single statements of the code of `tree` that runs, including tests and `main`. Empty if the program is
    /// not understood.
    #[must_use]
    pub fn deletions(tree: &'t Tree<'t>) -> Self {
        let is_understood = tree.source().understanding() == Understanding::Full;
        let removable = tree.nodes().filter(|node| is_understood && is_switchable(*node)).take(MOST);
        let mutant = |index: usize| Mutant { number: index + 1, text: String::new() };
        let site = |(index, node): (usize, Node<'_>)| Site {
            range: node.range(),
            is_statement: true,
            mutants: vec![mutant(index)],
        };
        let mut sites: Vec<Site> = removable.enumerate().map(site).collect();
        sites.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end)));
        Self { tree, sites }
    }

    /// The bytes that a mutant changes; `None` if no mutant has this number.
    #[must_use]
    pub fn site(&self, number: usize) -> Option<Range<usize>> {
        let is_meant = |site: &&Site| site.mutants.iter().any(|mutant| mutant.number == number);
        self.sites.iter().find(is_meant).map(|site| site.range.clone())
    }

    /// The numbers of all mutants.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        self.sites.iter().flat_map(|site| &site.mutants).map(|mutant| mutant.number).collect()
    }

    /// The program with all mutants. If it `is_assigned`, each value is assigned to a variable, so that the compiler reports
    /// all of a wrong type at once: it only reports the first arm of a `match`. But temporaries then end too early.
    #[must_use]
    pub fn schema(&self, is_assigned: bool) -> Schema {
        let text = permitted(self.tree);
        let mut schema = Schema { text: String::with_capacity(text.len() * 4), parts: Vec::new(), is_assigned };
        let mut next = 0;
        self.write(&text, 0..text.len(), &mut next, &mut schema);
        schema.text += "\n#[allow(warnings, unsafe_code, clippy::all)]\nmod mcve_mutants {\n";
        schema.text += RUNTIME;
        schema.text += "}\n";
        schema
    }

    /// Writes these bytes of the program, from the site of the number `next` on.
    fn write(&self, text: &str, bytes: Range<usize>, next: &mut usize, schema: &mut Schema) {
        let mut at = bytes.start;
        while let Some(site) = self.sites.get(*next).filter(|site| site.range.end <= bytes.end) {
            *next += 1;
            schema.text.push_str(&text[at..site.range.start]);
            at = site.range.end;
            if site.mutants.is_empty() {
                self.write(text, site.range.clone(), next, schema);
                continue;
            }
            let begin = schema.text.len();
            if site.is_statement {
                let number = site.mutants[0].number;
                schema.text += &format!("if !crate::mcve_mutants::is_active({number}usize) {{ ");
                self.write(text, site.range.clone(), next, schema);
                schema.text += " }";
                schema.add(begin, number, site);
                continue;
            }
            // The original comes first, as the first arm decides the type of the others.
            let (first, last) = (site.mutants[0].number, site.mutants[site.mutants.len() - 1].number);
            let [open, assign, close] =
                if schema.is_assigned { ["{ let mcve;", "mcve = ", " mcve }"] } else { [""; 3] };
            schema.text += &format!(
                "({open}match crate::mcve_mutants::active() {{ ..{first}usize | {}usize.. => {assign}",
                last + 1
            );
            self.write(text, site.range.clone(), next, schema);
            schema.text += ", ";
            for mutant in &site.mutants {
                let begin = schema.text.len();
                schema.text += &format!("{}usize => {assign}{{ {} }}, ", mutant.number, mutant.text);
                schema.add(begin, mutant.number, site);
            }
            schema.text += &format!("_ => crate::mcve_mutants::none(), }}{close})");
            schema.add(begin, 0, site);
        }
        schema.text.push_str(&text[at..bytes.end]);
    }

    /// Removes the mutants that cause the compiler's errors at these bytes of a schema: the one that an error is in, or all of
    /// a site if it is in the rest of that. If no error is in one, all that are in an error go, else those of its function:
    /// first variables, whose types may follow from their use; then statements, as the code after one that returns may not be
    /// valid without it. Returns whether any were removed.
    pub fn remove(&mut self, schema: &Schema, errors: &[Range<usize>]) -> bool {
        let before = self.numbers().len();
        for error in errors {
            let holds = |part: &&Part| covers(&part.bytes, error);
            if let Some(part) = schema.parts.iter().filter(holds).min_by_key(|part| part.bytes.len()) {
                let is_meant = |number: usize| part.number == 0 || number == part.number;
                self.drop(|site, mutant| site.range == part.site && is_meant(mutant.number));
            }
        }
        let is_known = self.numbers().len() < before;
        is_known || errors.iter().any(|error| self.remove_around(schema, error))
    }

    /// Removes mutants around an error whose cause is elsewhere. Returns whether any were removed.
    fn remove_around(&mut self, schema: &Schema, error: &Range<usize>) -> bool {
        let is_in = |part: &&Part| covers(error, &part.bytes);
        let inside: HashSet<&Range<usize>> = schema.parts.iter().filter(is_in).map(|part| &part.site).collect();
        let last = schema.parts.iter().filter(|part| part.bytes.end <= error.start).max_by_key(|part| part.bytes.end);
        let next = schema.parts.iter().filter(|part| error.end <= part.bytes.start).min_by_key(|part| part.bytes.start);
        let functions: Vec<_> = last.into_iter().chain(next).map(|part| function(self.tree, &part.site)).collect();
        let is_there = |site: &Site, function: &Range<usize>| covers(function, &site.range);
        self.drop(|site, _| inside.contains(&site.range))
            || functions.iter().any(|function| {
                self.drop(|site, mutant| mutant.is_variable() && is_there(site, function))
                    || self.drop(|site, _| site.is_statement && is_there(site, function))
                    || self.drop(|site, _| is_there(site, function))
            })
    }

    /// Removes mutants; returns whether any were removed.
    fn drop(&mut self, is_meant: impl Fn(&Site, &Mutant) -> bool) -> bool {
        let before = self.numbers().len();
        for site in &mut self.sites {
            let mutants = std::mem::take(&mut site.mutants);
            site.mutants = mutants.into_iter().filter(|mutant| !is_meant(site, mutant)).collect();
        }
        self.numbers().len() < before
    }

    /// The text of the mutant with this number.
    #[cfg(test)]
    fn text(&self, number: usize) -> Option<String> {
        let mut mutants = self.sites.iter().flat_map(|site| &site.mutants);
        mutants.find(|mutant| mutant.number == number).map(|mutant| mutant.text.clone())
    }

    /// The mutant with this number as a change of the program; `None` if there is none.
    #[must_use]
    pub fn change(&self, number: usize) -> Option<Reduction> {
        let site = self.sites.iter().find(|site| site.mutants.iter().any(|mutant| mutant.number == number))?;
        let mutant = site.mutants.iter().find(|mutant| mutant.number == number)?;
        // In the schema it stands in a block of its own.
        let node =
            self.tree.nodes().find(|node| node.range() == site.range && matches!(node.syntax(), Syntax::Expr(_)));
        let placed = node.and_then(Place::of).zip(syn::parse_str(&mutant.text).ok());
        let fitted = placed.and_then(|(place, expr)| place.filled(Filler::Expr(&expr), &mutant.text));
        let edit = fitted.unwrap_or_else(|| Edit::replace(site.range.clone(), mutant.text.clone()));
        let edits = vec![narrowed(self.tree.source().text(), edit)];
        Some(Reduction { transform: &TRANSFORM, site: site.range.clone(), rank: number, edits, gain: 0 })
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
#[must_use]
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
    is_meant && node.ancestors().all(|outer| is_run(outer) && !is_test(outer) && !is_out(outer))
}

#[cfg(test)]
mod tests;
