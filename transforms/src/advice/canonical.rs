//! Programs of equal size in one form: the same failure out of different crates should end as the same text, so that equal files
//! are duplicates. The canonical forms of test-case reduction by T-Rec (Xu, Tian, Zhang, Zhang, Liu and Sun, 2025) order tokens;
//! here it is names, parts of one kind and items.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Expr, Item, Lit};

use super::naming::Roles;
use crate::names::Analysis;
use crate::syntax::types::is_length;
use crate::syntax::{List, Node, Syntax, Tree, precedence, range};
use crate::text::lex::plain;
use crate::text::splice::splice;
use crate::text::{Edit, edited, outermost};

/// Types of one token that may take each other's place, and the first of them.
const TYPES: &str = "u8 bool char f32 f64 i8 i16 i32 i64 i128 isize u16 u32 u64 u128 usize";

/// The text after these edits, which do not overlap.
pub fn with(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.range.start);
    edits.dedup();
    splice(text, &edits)
}

/// Changes to single parts that do not change the size: a primitive type to `u8`, a number to 0, a length to 1, an operator to the
/// first of its kind, `core` to `std`.
pub fn plain_parts(tree: &Tree<'_>) -> Vec<Edit> {
    tree.nodes().filter_map(plain_part).collect()
}

fn plain_part(node: Node<'_>) -> Option<Edit> {
    let other =
        |range: Range<usize>, text: &str| (node.text_at(range.clone()) != text).then(|| Edit::replace(range, text));
    match node.syntax() {
        Syntax::Type(_) if TYPES.split(' ').any(|name| name == node.text()) => other(node.range(), "u8"),
        Syntax::Path(path)
            if path.segments.len() > 1 && ["core", "alloc"].iter().any(|it| path.segments[0].ident == it) =>
        {
            other(range(&path.segments[0].ident), "std")
        }
        Syntax::Lit(Lit::Int(lit)) if lit.suffix().is_empty() => match is_length(node) {
            true if node.text() == "0" => None,
            true => other(node.range(), "1"),
            false => other(node.range(), "0"),
        },
        Syntax::Expr(Expr::Binary(binary)) => other(range(&binary.op), precedence::alike(&binary.op).first()?),
        _ => None,
    }
}

/// The text with its items ordered by kind, then by length and text without the names that the file chooses. Items keep their
/// side of a macro definition, which holds for what follows it. None if they are in this order.
pub fn ordered(analysis: &Analysis<'_>) -> Option<String> {
    let tree = analysis.tree();
    let text = tree.source().text();
    let names: HashSet<&str> = analysis.chosen_names().map(|(name, _)| name).collect();
    let items: Vec<(u8, Range<usize>)> = tree.nodes().filter_map(top_level_item).collect();
    let mut edits = Vec::new();
    for run in items.split(|(rank, _)| *rank == MACRO) {
        let mut sorted: Vec<_> = run.iter().map(|(rank, range)| (*rank, blanked(tree, range, &names), range)).collect();
        sorted.sort_by(|a, b| (a.0, a.1.len(), &a.1).cmp(&(b.0, b.1.len(), &b.1)));
        let moved = run.iter().zip(sorted).filter(|((_, place), (.., item))| place != *item);
        edits.extend(moved.map(|((_, place), (.., item))| Edit::replace(place.clone(), &text[item.clone()])));
    }
    (!edits.is_empty()).then(|| with(text, &edits))
}

/// An edit a list, which orders parameters, fields, variants or predicates by length and text without the names that the file chooses. A
/// receiver stays the first.
pub fn ordered_parts(analysis: &Analysis<'_>) -> Vec<Edit> {
    let tree = analysis.tree();
    let names: HashSet<&str> = analysis.chosen_names().map(|(name, _)| name).collect();
    let text = tree.source().text();
    let edit = |places: Vec<Range<usize>>| {
        let mut sorted: Vec<_> = places.iter().map(|place| (blanked(tree, place, &names), place)).collect();
        sorted.sort_by(|a, b| (a.0.len(), &a.0).cmp(&(b.0.len(), &b.0)));
        let moved = places.iter().zip(sorted).filter(|(place, (_, part))| place != part);
        let edits: Vec<Edit> =
            moved.map(|(place, (_, part))| Edit::replace(place.clone(), &text[part.clone()])).collect();
        let whole = places.first()?.start..places.last()?.end;
        (!edits.is_empty()).then(|| Edit::replace(whole.clone(), edited(text, whole, &edits)))
    };
    outermost(tree.nodes().filter_map(ordered_list).filter_map(edit).collect())
}

/// The places of a list whose order says nothing.
fn ordered_list(node: Node<'_>) -> Option<Vec<Range<usize>>> {
    let from = match node.syntax() {
        Syntax::Signature(signature) => usize::from(signature.receiver().is_some()),
        Syntax::FieldsNamed(_) | Syntax::WhereClause(_) | Syntax::Item(Item::Enum(_)) => 0,
        _ => return None,
    };
    Some(List::of(node)?.elements[from..].to_vec())
}

const MACRO: u8 = u8::MAX;

/// The rank of the kind of an item of the file, and its bytes.
fn top_level_item(node: Node<'_>) -> Option<(u8, Range<usize>)> {
    let Syntax::Item(item) = node.syntax() else { return None };
    if !matches!(node.parent()?.syntax(), Syntax::File(_)) {
        return None;
    }
    let rank = match item {
        Item::ExternCrate(_) => 0,
        Item::Use(_) => 1,
        Item::Const(_) => 2,
        Item::Static(_) => 3,
        Item::Type(_) => 4,
        Item::Struct(_) => 5,
        Item::Enum(_) => 6,
        Item::Union(_) => 7,
        Item::Trait(_) | Item::TraitAlias(_) => 8,
        Item::Impl(_) => 9,
        Item::Fn(item) if item.sig.ident != "main" => 10,
        Item::Mod(_) | Item::ForeignMod(_) => 11,
        Item::Fn(_) => 12,
        _ => MACRO,
    };
    Some((rank, node.range()))
}

/// The tokens of a range with each chosen name as a blank.
fn blanked(tree: &Tree<'_>, range: &Range<usize>, names: &HashSet<&str>) -> String {
    let source = tree.source();
    let tokens =
        source.tokens().iter().filter(|token| range.start <= token.range.start && token.range.end <= range.end);
    let words = tokens.map(|token| &source.text()[token.range.clone()]);
    words.map(|word| if names.contains(plain(word)) { "_ " } else { word }).collect()
}

/// Edits that put the attributes of each node in the order of the alphabet.
pub fn sorted_attributes(tree: &Tree<'_>) -> Vec<Edit> {
    let sorted = |node: Node<'_>| {
        let attributes = node.children().filter(|child| matches!(child.syntax(), Syntax::Attribute(_)));
        let (mut places, mut texts): (Vec<_>, Vec<_>) =
            attributes.map(|attribute| (attribute.range(), attribute.text())).unzip();
        // Inner ones begin with `#!`, and stand behind the outer ones.
        places.sort_by_key(|place| place.start);
        texts.sort_by_key(|text| (text.starts_with("#!"), *text));
        places.into_iter().zip(texts).map(|(place, text)| Edit::replace(place, text)).collect::<Vec<_>>()
    };
    tree.nodes().flat_map(sorted).filter(|edit| tree.source().text()[edit.range.clone()] != edit.text).collect()
}

/// The text with the short names that the file chooses in order, as people choose them: `f` is the first function, `x` the first
/// variable, `a` the first field, `m` the first module or macro, `A` the first type, `T` the first type parameter, `N` the first
/// constant, `'a` the first lifetime. None if they are so.
pub fn renamed(analysis: &Analysis<'_>) -> Option<String> {
    let source = analysis.tree().source();
    let roles = Roles::of(analysis);
    // As those are that mcve gives.
    let is_short = |name: &str| name.trim_start_matches('\'').chars().count() == 1;
    let chosen: Vec<(&str, Range<usize>)> = analysis.chosen_names().filter(|(name, _)| is_short(name)).collect();
    let free: HashSet<&str> = chosen.iter().map(|(name, _)| *name).collect();
    let mut taken: HashSet<String> =
        source.tokens().iter().map(|token| plain(&source.text()[token.range.clone()]).to_owned()).collect();
    taken.retain(|name| !free.contains(&**name));
    let mut edits = Vec::new();
    for (name, range) in &chosen {
        let new = roles.at(range.start).letters().find(|name| !taken.contains(name))?;
        if new != *name {
            let uses = analysis.own_names().uses(name, analysis.definitions(), analysis.captured());
            edits.extend(uses.into_iter().map(|range| Edit::replace(range, &new[..])));
        }
        taken.insert(new);
    }
    (!edits.is_empty()).then(|| with(source.text(), &edits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;

    fn by(text: &str, change: impl Fn(&Analysis<'_>) -> Option<String>) -> String {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        change(&Analysis::of(&tree)).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn names_are_in_alphabetical_order() {
        assert_eq!(by("fn d<'b>(e: C, c: &'b u8) { d(c, e) }", renamed), "fn f<'a>(x: C, y: &'a u8) { f(y, x) }");
        assert_eq!(by("struct B; struct A(B); fn a(_: A) {}", renamed), "struct A; struct B(A); fn f(_: B) {}");
        assert_eq!(by("fn b<A: B>() {} trait B {}", renamed), "fn f<T: A>() {} trait A {}");
        assert_eq!(by("fn b() { long(f) }", renamed), "fn g() { long(f) }");
        assert_eq!(by("fn b() { println!(\"{c}\", c = 1) }", renamed), "fn f() { println!(\"{c}\", c = 1) }");
    }

    #[test]
    fn names_are_the_letters_of_their_kind() {
        assert_eq!(
            by(
                "const A: u8 = 0; struct B { c: u8 } mod d {} fn e<const F: u8>(a: u8, b: u8, h: u8, g: u8) {}",
                renamed
            ),
            "const N: u8 = 0; struct A { a: u8 } mod m {} fn f<const O: u8>(x: u8, y: u8, z: u8, w: u8) {}"
        );
    }

    #[test]
    fn items_are_ordered_by_kind_and_size() {
        let text = "fn main() {}\nfn b() { c() }\nimpl A {}\nfn c() {}\nstruct A;\nuse std::fmt;\n";
        let expected = "use std::fmt;\nstruct A;\nimpl A {}\nfn c() {}\nfn b() { c() }\nfn main() {}\n";
        assert_eq!(by(text, ordered), expected);
        assert_eq!(by(expected, ordered), expected);
        let text = "fn b() { m!() }\nmacro_rules! m { () => {} }\nstruct A;\n";
        assert_eq!(by(text, ordered), text);
    }

    #[test]
    fn parameters_fields_and_predicates_are_ordered() {
        let check = |text: &str, expected: &str| {
            let source = Source::parse(text);
            let tree = Tree::new(&source);
            assert_eq!(with(text, &ordered_parts(&Analysis::of(&tree))), expected);
        };
        check("fn a(self, b: &u8, c: u8, d: ()) {}", "fn a(self, d: (), c: u8, b: &u8) {}");
        check("struct A { b: Vec<A>, a: u8 }", "struct A { a: u8, b: Vec<A> }");
        check("fn a<T>() where Vec<T>: B, T: B {}", "fn a<T>() where T: B, Vec<T>: B {}");
        check("enum A { B(u8), C }", "enum A { C, B(u8) }");
        check("fn a(b: &dyn Fn(&u8, u8), c: u8) {}", "fn a(c: u8, b: &dyn Fn(&u8, u8)) {}");
    }

    #[test]
    fn parts_are_the_first_of_their_kind() {
        let text = "static A: u64 = 3 - core::B % 2u8; fn f() -> bool { 1 >= 0 }";
        let source = Source::parse(text);
        let edits = plain_parts(&Tree::new(&source));
        assert_eq!(with(text, &edits), "static A: u8 = 0 + std::B + 2u8; fn f() -> u8 { 0 == 0 }");
        let text = "static A: ([u8; 3], [u8; 0], B<4>) = [5; 6];";
        let edits = plain_parts(&Tree::new(&Source::parse(text)));
        assert_eq!(with(text, &edits), "static A: ([u8; 1], [u8; 0], B<1>) = [0; 1];");
    }
}
