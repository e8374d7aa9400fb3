//! Two versions of a program as one text: what they do not share has a `#[cfg(..)]`, as deep inside as rustc takes one.

use std::collections::VecDeque;
use std::mem::discriminant;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::{Expr, Meta, Stmt};

use super::attributes::is_inner;
use super::generics::inside;
use super::source::{Source, Understanding};
use super::tree::{Node, Syntax, Tree};

/// How many leading tokens tell that two nodes are versions of each other: `pub fn name`.
const HEAD: usize = 3;

/// The most pairs of parts that are compared. Of more, only those at the ends are found to be equal.
const PAIRS: usize = 4_000_000;

/// A text of which rustc sees `first` with `--cfg` of the first name, and `second` with that of the second one. None if one of
/// them is not understood, or if they differ where no `cfg` can stand.
pub fn merged(first: &str, second: &str, names: [&str; 2]) -> Option<String> {
    let sources = [Source::parse(first), Source::parse(second)];
    if sources.iter().any(|source| source.understanding() != Understanding::Full) {
        return None;
    }
    let trees = [Tree::new(&sources[0]), Tree::new(&sources[1])];
    let [Some(old), Some(new)] = [&trees[0], &trees[1]].map(|tree| tree.nodes().next()) else { return None };
    merge([Row::of(old, 0..first.len()), Row::of(new, 0..second.len())], names)
}

/// The text of two nodes, from these bytes on, as one with what differs under these conditions. None as for [`merged`].
pub(crate) fn merged_nodes(nodes: [(Node<'_>, usize); 2], names: [&str; 2]) -> Option<String> {
    merge(nodes.map(|(node, start)| Row::of(node, start..node.range().end)), names)
}

/// The condition of a node that begins with `#[cfg(..)]`, and the byte where the rest of it begins.
pub(crate) fn condition<'t>(node: Node<'t>) -> Option<(&'t str, usize)> {
    let attribute = std::iter::once(node)
        .chain(node.descendants())
        .find(|inner| matches!(inner.syntax(), Syntax::Attribute(_)) && inner.range().start == node.range().start)?;
    let Syntax::Attribute(syn::Attribute { meta: Meta::List(list), .. }) = attribute.syntax() else { return None };
    let inside = inside(*list.delimiter.span());
    let end = attribute.range().end;
    let rest = node.tree().source().code(end..node.range().end).next()?.1.start;
    list.path.is_ident("cfg").then(|| (node.text_at(inside), rest))
}

/// Whether `node` is one that can have a `cfg`, and no part of one with the same bytes.
pub(crate) fn is_conditional(node: Node<'_>) -> bool {
    let can = |node: Node<'_>| node.syntax().is_item() || matches!(node.syntax(), Syntax::Stmt(_)) || is_element(node);
    can(node) && !node.parent().is_some_and(|parent| can(parent) && parent.range() == node.range())
}

/// Whether commas are around it.
fn is_element(node: Node<'_>) -> bool {
    matches!(
        node.syntax(),
        Syntax::Arm(_) | Syntax::Field(_) | Syntax::FnArg(_) | Syntax::GenericParam(_) | Syntax::Variant(_)
    )
}

/// A node as a row: what can have a `cfg`, with the comma behind it, and the tokens around.
struct Row<'t> {
    text: &'t str,
    range: Range<usize>,
    parts: Vec<Column<'t>>,
}

struct Column<'t> {
    /// Its bytes, without the comma.
    own: Range<usize>,
    /// The byte behind the comma, if there is one.
    end: usize,
    words: Vec<&'t str>,
    /// None for a token.
    node: Option<Node<'t>>,
}

impl<'t> Row<'t> {
    fn of(node: Node<'t>, range: Range<usize>) -> Self {
        let source = node.tree().source();
        let mut slots = Vec::new();
        collect(node, range.start, &mut slots);
        let mut slots = slots.into_iter().peekable();
        let mut parts: Vec<Column<'t>> = Vec::new();
        for (word, at) in source.code(range.clone()) {
            if let Some(node) = slots.next_if(|slot| slot.range().start <= at.start) {
                let own = node.range();
                let words = source.code(own.clone()).map(|(word, _)| word).collect();
                parts.push(Column { end: own.end, own, words, node: Some(node) });
            }
            match parts.last_mut() {
                Some(last) if last.node.is_some() && at.end <= last.own.end => {}
                Some(last) if word == "," && last.lacks_comma() => last.end = at.end,
                _ => parts.push(Column { end: at.end, own: at, words: vec![word], node: None }),
            }
        }
        Self { text: source.text(), range, parts }
    }
}

impl Column<'_> {
    /// Whether it needs a comma before another element.
    fn lacks_comma(&self) -> bool {
        self.node.is_some_and(is_element) && self.end == self.own.end
    }

    /// Whether both are most likely versions of one node.
    fn is_version_of(&self, other: &Self) -> bool {
        let [Some(one), Some(two)] = [self.node, other.node] else { return false };
        discriminant(&one.syntax()) == discriminant(&two.syntax())
            && self.words.iter().take(HEAD).eq(other.words.iter().take(HEAD))
    }
}

/// The outermost nodes inside `node`, from this byte on, that can have a `cfg`; none of macro calls.
fn collect<'t>(node: Node<'t>, start: usize, slots: &mut Vec<Node<'t>>) {
    let mut children: Vec<Node<'t>> = node.children().filter(|child| !child.range().is_empty()).collect();
    children.sort_by_key(|child| child.range().start);
    for child in children {
        match child.syntax() {
            _ if child.range().start < start && !child.range().contains(&start) => {}
            Syntax::Macro(_) | Syntax::Tokens(_) => {}
            Syntax::Attribute(attribute) if is_inner(attribute) && !matches!(attribute.meta, Meta::NameValue(_)) => {
                slots.push(child);
            }
            _ if child.range().start >= start && is_conditional(child) => slots.push(child),
            _ => collect(child, start, slots),
        }
    }
}

/// Both rows as one text; none where tokens differ.
fn merge([old, new]: [Row<'_>; 2], names: [&str; 2]) -> Option<String> {
    let mut out = Out { text: String::new(), lacks_comma: false };
    let (mut gone, mut read) = (0, new.range.start);
    let mut equal = common(&old.parts, &new.parts);
    equal.push((old.parts.len(), new.parts.len()));
    let mut next = 0;
    for (from, to) in equal {
        let mut left: VecDeque<&Column<'_>> = old.parts[gone..from].iter().collect();
        let are_as_many = left.len() == to - next;
        for part in &new.parts[next..to] {
            let is_version = |other: &&&Column<'_>| other.is_version_of(part);
            let pair =
                left.iter().position(|other| is_version(&other)).or((are_as_many && !left.is_empty()).then_some(0));
            let before: Vec<&Column<'_>> = left.drain(..pair.map_or(0, |pair| pair + 1)).collect();
            let inner = before.last().and_then(|other| {
                let (one, two) = (other.node?, part.node?);
                let is_same = discriminant(&one.syntax()) == discriminant(&two.syntax());
                is_same.then(|| merge([one, two].map(|node| Row::of(node, node.range())), names))?
            });
            let alone = before.len() - usize::from(inner.is_some());
            for other in &before[..alone] {
                out.add(" ", &conditional(other, &old, names[0])?, other.node, false);
            }
            let space = &new.text[read..part.own.start];
            match inner {
                Some(inner) => out.add(space, &inner, part.node, part.lacks_comma()),
                None => out.add(space, &conditional(part, &new, names[1])?, part.node, false),
            }
            read = part.end;
        }
        for other in left {
            out.add(" ", &conditional(other, &old, names[0])?, other.node, false);
        }
        if let Some(part) = new.parts.get(to) {
            out.add(&new.text[read..part.own.start], &new.text[part.own.clone()], part.node, part.lacks_comma());
            read = part.end;
        }
        (gone, next) = (from + 1, to + 1);
    }
    Some(out.text + &new.text[read..new.range.end])
}

struct Out {
    text: String,
    /// Whether it ends with an element of a list that needs a comma before the next one.
    lacks_comma: bool,
}

impl Out {
    /// Adds a part, with a comma if it is an element, unless it is the last one and `lacks_comma`.
    fn add(&mut self, space: &str, text: &str, node: Option<Node<'_>>, lacks_comma: bool) {
        let is_element = node.is_some_and(is_element);
        if self.lacks_comma && is_element {
            self.text.push(',');
        }
        self.text += space;
        self.text += text;
        if is_element && !lacks_comma {
            self.text.push(',');
        }
        self.lacks_comma = is_element && lacks_comma;
    }
}

/// A part of `row` under a condition; none for a token.
fn conditional(part: &Column<'_>, row: &Row<'_>, name: &str) -> Option<String> {
    let text = &row.text[part.own.clone()];
    Some(match part.node?.syntax() {
        Syntax::Attribute(attribute) => {
            let meta = attribute.meta.span().byte_range();
            format!("#![cfg_attr({name}, {})]", &row.text[meta])
        }
        // An attribute would belong to the first operand, or to an expression that can have none.
        Syntax::Stmt(Stmt::Expr(expr, end)) if !takes_attribute(expr, end.is_some()) => {
            format!("#[cfg({name})] {{ {text} }}")
        }
        _ => format!("#[cfg({name})] {text}"),
    })
}

fn takes_attribute(expr: &Expr, is_ended: bool) -> bool {
    match expr {
        Expr::Block(_) | Expr::Unsafe(_) => true,
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) => is_ended,
        _ => false,
    }
}

/// The longest common subsequence, as pairs of indices.
fn common(old: &[Column<'_>], new: &[Column<'_>]) -> Vec<(usize, usize)> {
    let is_same = |from: usize, to: usize| {
        let (one, two) = (&old[from], &new[to]);
        one.node.is_some() == two.node.is_some() && one.words == two.words
    };
    let most = old.len().min(new.len());
    let start = (0..most).take_while(|at| is_same(*at, *at)).count();
    let rest = most - start;
    let end = (1..=rest).take_while(|back| is_same(old.len() - back, new.len() - back)).count();
    let (rows, columns) = (old.len() - start - end, new.len() - start - end);
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    if rows * columns <= PAIRS {
        // The lengths for what is behind each pair.
        let mut lengths = vec![vec![0_usize; columns + 1]; rows + 1];
        for from in (0..rows).rev() {
            for to in (0..columns).rev() {
                lengths[from][to] = match is_same(start + from, start + to) {
                    true => lengths[from + 1][to + 1] + 1,
                    false => lengths[from + 1][to].max(lengths[from][to + 1]),
                };
            }
        }
        let (mut from, mut to) = (0, 0);
        while from < rows && to < columns {
            if is_same(start + from, start + to) {
                pairs.push((start + from, start + to));
                (from, to) = (from + 1, to + 1);
            } else if lengths[from + 1][to] >= lengths[from][to + 1] {
                from += 1;
            } else {
                to += 1;
            }
        }
    }
    pairs.extend((1..=end).rev().map(|back| (old.len() - back, new.len() - back)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::normal;

    /// Checks the merged text, layout aside, and that it is of both versions.
    #[track_caller]
    fn check(first: &str, second: &str, expected: Option<&str>) {
        let found = merged(first, second, ["a", "b"]);
        assert_eq!(found.as_deref().map(normal), expected.map(normal));
        assert!(found.is_none_or(|text| Source::is_valid(&text)));
    }

    #[test]
    fn only_what_differs_has_a_condition() {
        check("fn f() {} fn g() {}", "fn g() {} // c", Some("#[cfg(a)] fn f() {} fn g() {} // c"));
        check("fn f() {}", "fn f() {} struct S;", Some("fn f() {} #[cfg(b)] struct S;"));
        check(
            "mod m { impl S { fn f() { a(); b(1); } } }",
            "mod m { impl S { fn f() { a(); b(2); } } }",
            Some("mod m { impl S { fn f() { a(); #[cfg(a)] b(1); #[cfg(b)] b(2); } } }"),
        );
        check("fn f() {} fn g() {}", "fn g() {} fn f() {}", Some("#[cfg(a)] fn f() {} fn g() {} #[cfg(b)] fn f() {}"));
        check("fn f() {}", "fn f() { }", Some("fn f() { }"));
    }

    #[test]
    fn a_head_that_differs_makes_two_items() {
        check(
            "fn f() { x() }",
            "fn f() -> u8 { x() }",
            Some("#[cfg(a)] fn f() { x() } #[cfg(b)] fn f() -> u8 { x() }"),
        );
        check("#[x] fn f() {}", "fn f() {}", Some("#[cfg(a)] #[x] fn f() {} #[cfg(b)] fn f() {}"));
    }

    #[test]
    fn elements_of_lists_have_commas() {
        check("enum E { A, B }", "enum E { A, C, D }", Some("enum E { A, #[cfg(b)] C, #[cfg(b)] D, #[cfg(a)] B, }"));
        check("struct S(u8);", "struct S(u8, u16);", Some("struct S(u8, #[cfg(b)] u16,);"));
        check("fn f(a: u8, b: u8) {}", "fn f(a: u8) {}", Some("fn f(a: u8, #[cfg(a)] b: u8,) {}"));
        check("fn f<T>() {}", "fn f<T, U>() {}", Some("fn f<T, #[cfg(b)] U,>() {}"));
    }

    #[test]
    fn what_takes_no_attribute_stands_in_a_block() {
        check("fn f() -> u8 { 1 }", "fn f() -> u8 { 2 }", Some("fn f() -> u8 { #[cfg(a)] { 1 } #[cfg(b)] { 2 } }"));
        check("fn f() { x = 1; }", "fn f() { }", Some("fn f() { #[cfg(a)] { x = 1; } }"));
        check("fn f() { let x = 1; }", "fn f() { }", Some("fn f() { #[cfg(a)] let x = 1; }"));
    }

    #[test]
    fn an_attribute_of_the_crate_has_a_condition() {
        check(
            "#![a(b)] fn f() {}",
            "#![no_std] fn f() {}",
            Some("#![cfg_attr(a, a(b))] #![cfg_attr(b, no_std)] fn f() {}"),
        );
    }

    #[test]
    fn what_does_not_parse_is_not_merged() {
        check("fn f() {", "fn f() {}", None);
    }

    #[test]
    fn conditions_are_read() {
        let text = "#[cfg(x)] fn f() {} fn g() { #[cfg(any(y, z))] { 1 } }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let found: Vec<_> = tree.nodes().filter(|node| is_conditional(*node)).filter_map(condition).collect();
        let rest: Vec<_> = found.iter().map(|(name, at)| (*name, &text[*at..*at + 3])).collect();
        assert_eq!(rest, [("x", "fn "), ("any(y, z)", "{ 1")]);
    }
}
