//! Mutations by nodes of one kind.

use mcve_dd::random::Random;
use mcve_transforms::{Edit, Node, Tree, edited};

use super::names::Names;
use super::parts::{Parts, outer, separator};

/// How a part of another program comes into a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Splice {
    /// In place of one of its kind.
    Replace,
    /// Around one of its kind, which takes the place of one inside of it: an operand becomes an operator's again.
    Wrap,
    /// As a neighbour of an element of a list.
    Insert,
}

/// The program of `tree` with a part of `other`; none if they have no parts that fit. Half of the time the names that the part
/// brings along become names of the program.
pub(super) fn splice<'t>(how: Splice, tree: &'t Tree<'t>, other: &'t Tree<'t>, random: &mut Random) -> Option<String> {
    let (own, others) = (Parts::of(tree), Parts::of(other));
    let others = match how {
        Splice::Replace => others,
        Splice::Wrap => others.nested(),
        Splice::Insert => others.only(|kind| separator(kind).is_some()),
    };
    let (kind, part) = own.shared_with(&others).pick(random)?;
    let donated = others.pick_of(kind, random)?;
    let around = if how == Splice::Wrap { outer(donated)? } else { donated };
    let hole = (how == Splice::Wrap).then(|| donated.range());
    let names = if random.below(2) == 0 { Names::adapt(tree, around, random) } else { Names::default() };
    let text = match hole {
        None => names.rename(around, around.range()),
        Some(hole) => {
            let whole = around.range();
            let before = names.rename(around, whole.start..hole.start);
            let behind = names.rename(around, hole.end..whole.end);
            format!("{before}{}{behind}", part.text())
        }
    };
    let text = match (how, separator(kind)) {
        (Splice::Insert, Some(separator)) if random.below(2) == 0 => format!("{text}{separator}{}", part.text()),
        (Splice::Insert, Some(separator)) => format!("{}{separator}{text}", part.text()),
        _ => text,
    };
    with(part, &text)
}

/// The program with an element of a list twice.
pub(super) fn duplicate<'t>(tree: &'t Tree<'t>, random: &mut Random) -> Option<String> {
    let (kind, part) = Parts::of(tree).only(|kind| separator(kind).is_some()).pick(random)?;
    with(part, &format!("{}{}{}", part.text(), separator(kind)?, part.text()))
}

/// The program without an element of a list.
pub(super) fn delete<'t>(tree: &'t Tree<'t>, random: &mut Random) -> Option<String> {
    let (kind, part) = Parts::of(tree).only(|kind| separator(kind).is_some()).pick(random)?;
    let (mut range, separator) = (part.range(), separator(kind)?.trim());
    let rest = &part.source_text()[range.end..];
    if !separator.is_empty() && rest.trim_start().starts_with(separator) {
        range.end += rest.len() - rest.trim_start().len() + separator.len();
    }
    let text = part.source_text();
    Some(edited(text, 0..text.len(), &[Edit::delete(range)]))
}

/// The program with two parts of one kind in each other's place.
pub(super) fn exchange<'t>(tree: &'t Tree<'t>, random: &mut Random) -> Option<String> {
    let parts = Parts::of(tree);
    let (kind, one) = parts.pick(random)?;
    let other = parts.pick_of(kind, random)?;
    let (first, second) = if one.range().start < other.range().start { (one, other) } else { (other, one) };
    let is_apart = first.range().end <= second.range().start;
    (is_apart && first.text() != second.text()).then(|| {
        let edits = [Edit::replace(first.range(), second.text()), Edit::replace(second.range(), first.text())];
        let text = tree.source().text();
        edited(text, 0..text.len(), &edits)
    })
}

/// The program with `text` in place of the part; none if that is what is there.
fn with(part: Node<'_>, text: &str) -> Option<String> {
    let (whole, edit) = (part.source_text(), Edit::replace(part.range(), text));
    (part.text() != text).then(|| edited(whole, 0..whole.len(), &[edit]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use mcve_transforms::Source;

    use super::*;

    /// The mutants that `mutate` makes with many seeds.
    fn all(
        one: &str,
        other: &str,
        mutate: impl Fn(&Tree<'_>, &Tree<'_>, &mut Random) -> Option<String>,
    ) -> BTreeSet<String> {
        let (one, other) = (Source::parse(one), Source::parse(other));
        (0..400).filter_map(|seed| mutate(&Tree::new(&one), &Tree::new(&other), &mut Random::new(seed))).collect()
    }

    #[track_caller]
    fn has(mutants: &BTreeSet<String>, expected: &[&str]) {
        for text in expected {
            assert!(mutants.contains(*text), "no {text} in {mutants:#?}");
        }
    }

    #[test]
    fn a_part_takes_the_place_of_one_of_its_kind() {
        let mutants = all("fn f(x: u8) {}", "fn g() { h::<Vec<i8>>(); }", |a, b, r| splice(Splice::Replace, a, b, r));
        has(
            &mutants,
            &["fn f(x: Vec<i8>) {}", "fn f(x: i8) {}", "fn f(x: u8) { h::<Vec<i8>>(); }", "fn g() { h::<Vec<i8>>(); }"],
        );
    }

    #[test]
    fn a_part_comes_around_one_of_its_kind() {
        let mutants =
            all("fn f(x: u8) { a; }", "fn g(y: Vec<i8>) { if b { c } }", |a, b, r| splice(Splice::Wrap, a, b, r));
        has(&mutants, &["fn f(x: Vec<u8>) { a; }", "fn f(x: u8) { if b { a }; }", "fn f(x: u8) { if a { c }; }"]);
    }

    #[test]
    fn an_element_becomes_a_neighbour() {
        let mutants = all("fn f(x: u8) {}", "fn g(y: i8) {} struct S;", |a, b, r| splice(Splice::Insert, a, b, r));
        has(&mutants, &["fn f(x: u8, y: i8) {}", "fn f(y: i8, x: u8) {}", "fn f(x: u8) {}\nstruct S;"]);
    }

    #[test]
    fn names_of_a_part_become_names_of_the_program() {
        let mutants = all("struct A;", "struct B; impl Clone for B {}", |a, b, r| splice(Splice::Insert, a, b, r));
        has(&mutants, &["struct A;\nimpl Clone for A {}", "struct A;\nimpl Clone for B {}"]);
    }

    #[test]
    fn elements_are_doubled_and_deleted() {
        let text = "fn f(x: u8, y: i8) {}";
        has(&all(text, "", |tree, _, random| duplicate(tree, random)), &["fn f(x: u8, x: u8, y: i8) {}"]);
        has(&all(text, "", |tree, _, random| delete(tree, random)), &["fn f(y: i8) {}", ""]);
    }

    #[test]
    fn parts_exchange_their_places() {
        let mutants = all("fn f(x: u8, y: &i8) {}", "", |tree, _, random| exchange(tree, random));
        has(
            &mutants,
            &["fn f(y: &i8, x: u8) {}", "fn f(x: &i8, y: u8) {}", "fn f(y: u8, x: &i8) {}", "fn x(f: u8, y: &i8) {}"],
        );
    }
}
