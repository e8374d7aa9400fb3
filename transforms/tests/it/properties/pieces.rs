//! The pieces of a file that can be parsed alone, so that a reduction of a large file is checked in the time that its
//! surroundings take.
//!
//! A piece is an element of a list (an item, a statement, an arm, ..), what a pair of delimiters holds, or a node inside of
//! a macro call. What stands around it was parsed before anything of it was seen, and goes on where it ends. So if its
//! changed text parses alone by the same rule, between neighbours of which the parser sees that they are its neighbours and
//! not a part of it, then so does the file. The other way round does not hold: a statement may only parse because it is
//! the last one. So where a piece does not parse the next larger one is asked, and the whole file in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mcve_transforms::{Edit, Measure, Node, Reduction, Syntax, Tree, apply, range};
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Block, Expr, Item};

/// How a piece is parsed.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Between delimiters, with what has to stand before them.
    Delimited(&'static str),
    /// Braces with statements.
    Block,
    /// The arguments of a macro call, with their delimiters.
    Group,
    /// Inside of a macro call: any tokens whose delimiters match.
    Tokens,
    /// An element of a list; the last one has no neighbour behind it.
    Element(List, PositionInList),
}

/// Lists whose elements end where the next one begins.
#[derive(Clone, Copy, Debug)]
enum List {
    Items,
    ImplItems,
    TraitItems,
    ForeignItems,
    Variants,
    Stmts,
    Arms,
    Exprs,
}

/// Where in a list an element is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PositionInList {
    Inner,
    Last,
}

/// A piece of a file.
#[derive(Debug)]
struct Piece {
    /// Its bytes; those of an element reach to the next one, so that they hold what separates the two.
    range: Range<usize>,
    /// Where edits may be.
    inside: Range<usize>,
    rule: Rule,
    /// The next larger piece; none: the file.
    parent: Option<usize>,
}

/// The pieces of a file, the outer ones before what they hold.
pub(crate) struct Pieces(Vec<Piece>);

impl Pieces {
    pub(crate) fn of(tree: &Tree<'_>) -> Self {
        let mut found: Vec<(Range<usize>, Range<usize>, Rule)> = Vec::new();
        let mut opaque = 0..0;
        for node in tree.nodes() {
            if node.range().end <= opaque.end {
                if node.range().start >= opaque.start {
                    found.push((node.range(), node.range(), Rule::Tokens));
                }
                continue;
            }
            let delimited = match node.syntax() {
                Syntax::Macro(call) => Some((*call.delimiter.span(), Rule::Group)),
                Syntax::Block(block) => Some((block.brace_token.span, Rule::Block)),
                Syntax::Expr(Expr::Array(expr)) => Some((expr.bracket_token.span, Rule::Delimited(""))),
                Syntax::Expr(Expr::Paren(expr)) => Some((expr.paren_token.span, Rule::Delimited(""))),
                Syntax::Expr(Expr::Tuple(expr)) => Some((expr.paren_token.span, Rule::Delimited(""))),
                Syntax::Expr(Expr::Call(expr)) => Some((expr.paren_token.span, Rule::Delimited("a"))),
                Syntax::Expr(Expr::MethodCall(expr)) => Some((expr.paren_token.span, Rule::Delimited("a"))),
                _ => None,
            };
            if let Some((span, rule)) = delimited {
                let range = span.join().byte_range();
                found.push((range.clone(), range.start + 1..range.end - 1, rule));
                if let Rule::Group = rule {
                    opaque = range;
                }
            }
            let list = match node.syntax() {
                Syntax::File(_) | Syntax::Item(Item::Mod(_)) => List::Items,
                Syntax::Item(Item::Impl(_)) => List::ImplItems,
                Syntax::Item(Item::Trait(_)) => List::TraitItems,
                Syntax::Item(Item::ForeignMod(_)) => List::ForeignItems,
                Syntax::Item(Item::Enum(_)) => List::Variants,
                Syntax::Block(_) => List::Stmts,
                Syntax::Expr(Expr::Match(_)) => List::Arms,
                Syntax::Expr(Expr::Array(_)) => List::Exprs,
                _ => continue,
            };
            let elements: Vec<Range<usize>> =
                node.children().filter(|child| list.holds(child.syntax())).map(|child| child.range()).collect();
            for (index, element) in elements.iter().enumerate() {
                let (end, place) = match elements.get(index + 1) {
                    Some(next) => (next.start, PositionInList::Inner),
                    None => (list_end(node).unwrap_or(element.end), PositionInList::Last),
                };
                found.push((element.start..end, element.start..end, Rule::Element(list, place)));
            }
        }
        found.sort_by_key(|(range, ..)| (range.start, std::cmp::Reverse(range.end)));
        let mut pieces: Vec<Piece> = Vec::new();
        for (range, inside, rule) in found {
            let mut parent = pieces.len().checked_sub(1);
            while let Some(index) = parent.filter(|&index| pieces[index].inside.end < range.end) {
                parent = pieces[index].parent;
            }
            pieces.push(Piece { range, inside, rule, parent });
        }
        Self(pieces)
    }

    /// Whether pieces tell that `text` with `reduction` parses and, if it `shrinks`, is smaller. If not, it may all the same.
    pub(crate) fn tell(&self, text: &str, reduction: &Reduction, shrinks: bool) -> bool {
        let Some(smallest) = reduction.edits.iter().map(|edit| self.around(&edit.range)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        let mut places: BTreeSet<usize> = smallest.iter().copied().collect();
        let mut measures = BTreeMap::new();
        let mut pending: Vec<usize> = places.iter().copied().collect();
        while let Some(place) = pending.pop() {
            if self.is_part(place, &places) {
                continue;
            }
            let piece = &self.0[place];
            let before = &text[piece.range.clone()];
            let here = reduction.edits.iter().zip(&smallest).filter(|&(_, &inner)| self.holds(place, inner));
            let after = apply(before, [&shifted(reduction, here.map(|(edit, _)| edit), &piece.range)]);
            if piece.rule.parses(&after) {
                measures.insert(place, (Measure::of(before), Measure::of(&after)));
            } else {
                let Some(parent) = piece.parent else { return false };
                places.remove(&place);
                if places.insert(parent) {
                    pending.push(parent);
                }
            }
        }
        measures.retain(|place, _| !self.is_part(*place, &places));
        let total = |measures: &mut dyn Iterator<Item = Measure>| {
            measures.fold((0, 0), |(tokens, bytes), measure| (tokens + measure.tokens, bytes + measure.bytes))
        };
        !shrinks
            || total(&mut measures.values().map(|(_, after)| *after))
                < total(&mut measures.values().map(|(before, _)| *before))
    }

    /// The smallest piece that holds `range`.
    fn around(&self, range: &Range<usize>) -> Option<usize> {
        let mut piece = self.0.partition_point(|piece| piece.range.start <= range.start).checked_sub(1);
        while let Some(index) = piece {
            let inside = &self.0[index].inside;
            if inside.start <= range.start && range.end <= inside.end {
                return piece;
            }
            piece = self.0[index].parent;
        }
        None
    }

    /// Whether `piece` is a part of one of `places`.
    fn is_part(&self, piece: usize, places: &BTreeSet<usize>) -> bool {
        std::iter::successors(self.0[piece].parent, |&index| self.0[index].parent).any(|index| places.contains(&index))
    }

    /// Whether `inner` is `outer` or a part of it.
    fn holds(&self, outer: usize, inner: usize) -> bool {
        std::iter::successors(Some(inner), |&index| self.0[index].parent).any(|index| index == outer)
    }
}

/// Where the elements of a list end, if a separator can stand behind the last one.
fn list_end(list: Node<'_>) -> Option<usize> {
    let span = match list.syntax() {
        Syntax::Item(Item::Enum(item)) => item.brace_token.span,
        Syntax::Expr(Expr::Array(expr)) => expr.bracket_token.span,
        _ => return None,
    };
    Some(span.close().byte_range().start)
}

/// `reduction` with `edits` only, told from the beginning of `range`.
fn shifted<'e>(reduction: &Reduction, edits: impl Iterator<Item = &'e Edit>, range: &Range<usize>) -> Reduction {
    let edit = |edit: &Edit| Edit::replace(edit.range.start - range.start..edit.range.end - range.start, &*edit.text);
    Reduction { site: 0..range.len(), edits: edits.map(edit).collect(), ..*reduction }
}

impl Rule {
    fn parses(self, text: &str) -> bool {
        // No source lives while candidates are checked.
        proc_macro2::extra::invalidate_current_thread_spans();
        match self {
            Self::Delimited(before) => {
                is_group(text) && stream(&format!("{before}{text}")).is_some_and(|it| syn::parse2::<Expr>(it).is_ok())
            }
            Self::Group => is_group(text),
            Self::Block => stream(text).is_some_and(|it| syn::parse2::<Block>(it).is_ok()),
            // What is behind it must be seen: the text may end in a comment.
            Self::Tokens => stream(&format!("{text} ;")).and_then(|it| it.into_iter().last()).is_some_and(
                |last| matches!(last, TokenTree::Punct(it) if it.span().byte_range().start == text.len() + 1),
            ),
            Self::Element(list, place) => list.parses(text, place),
        }
    }
}

/// The tokens of `text`, if its delimiters match.
fn stream(text: &str) -> Option<TokenStream> {
    text.parse().ok()
}

/// Whether all of `text` is one pair of delimiters.
fn is_group(text: &str) -> bool {
    let Some(tokens) = stream(text) else { return false };
    let mut tokens = tokens.into_iter();
    matches!((tokens.next(), tokens.next()), (Some(TokenTree::Group(_)), None))
}

impl List {
    fn holds(self, child: Syntax<'_>) -> bool {
        match self {
            Self::Items => matches!(child, Syntax::Item(_)),
            Self::ImplItems => matches!(child, Syntax::ImplItem(_)),
            Self::TraitItems => matches!(child, Syntax::TraitItem(_)),
            Self::ForeignItems => matches!(child, Syntax::ForeignItem(_)),
            Self::Variants => matches!(child, Syntax::Variant(_)),
            Self::Stmts => matches!(child, Syntax::Stmt(_)),
            Self::Arms => matches!(child, Syntax::Arm(_)),
            Self::Exprs => matches!(child, Syntax::Expr(_)),
        }
    }

    /// Whether `text` parses as elements of such a list, behind a neighbour and, unless it is the last, before one.
    fn parses(self, text: &str, place: PositionInList) -> bool {
        let (open, neighbour, close) = match self {
            Self::Items => ("mod a {", "struct A;", "}"),
            Self::ImplItems => ("impl A {", "type A = A;", "}"),
            Self::TraitItems => ("trait A {", "type A;", "}"),
            Self::ForeignItems => ("extern {", "type A;", "}"),
            // The tree does not hold their visibility, which would go by as a part of the neighbour.
            Self::Variants => ("enum A {", "pub A,", "}"),
            Self::Stmts => ("{", "struct A;", "}"),
            Self::Arms => ("match A {", "A => A,", "}"),
            Self::Exprs => ("[", "A,", "]"),
        };
        let before = format!("{open}{neighbour} ");
        // What closes the list must be seen, too: the text may end in a comment.
        let behind = if place == PositionInList::Inner { neighbour } else { "" };
        let Some(tokens) = stream(&format!("{before}{text} {behind}{close}")) else { return false };
        let parts = match self {
            Self::Items => {
                syn::parse2(tokens).map(|item: syn::ItemMod| ends(item.content.iter().flat_map(|(_, items)| items)))
            }
            Self::ImplItems => syn::parse2(tokens).map(|item: syn::ItemImpl| ends(&item.items)),
            Self::TraitItems => syn::parse2(tokens).map(|item: syn::ItemTrait| ends(&item.items)),
            Self::ForeignItems => syn::parse2(tokens).map(|item: syn::ItemForeignMod| ends(&item.items)),
            Self::Variants => syn::parse2(tokens).map(|item: syn::ItemEnum| ends(&item.variants)),
            Self::Stmts => syn::parse2(tokens).map(|block: Block| ends(&block.stmts)),
            Self::Arms => syn::parse2(tokens).map(|expr: syn::ExprMatch| ends(&expr.arms)),
            Self::Exprs => syn::parse2(tokens).map(|expr: syn::ExprArray| ends(&expr.elems)),
        };
        // The neighbours are elements of their own.
        parts.is_ok_and(|parts| {
            parts.is_some_and(|(first, last)| {
                first.end <= before.len() && (behind.is_empty() || last.start > before.len() + text.len())
            })
        })
    }
}

/// Where the first and the last of `elements` are.
fn ends<'e, T: Spanned + 'e>(elements: impl IntoIterator<Item = &'e T>) -> Option<(Range<usize>, Range<usize>)> {
    let mut elements = elements.into_iter();
    let first = elements.next()?;
    Some((range(first), range(elements.last().unwrap_or(first))))
}
