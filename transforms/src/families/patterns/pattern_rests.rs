//! Elements of patterns replaced by `..`.

use syn::punctuated::Punctuated;
use syn::{Pat, PatSlice, PatTuple, Token};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::list::List;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

family! {
    "pattern-rests", "Replaces elements of patterns by `..`.", in PatternRests;

    /// Replace all elements of a pattern, or neighbours that match everything, by `..`.
    ///
    /// ```text
    /// fn f() { let S { a, b: (c, _, _) } = d; }
    /// =>
    /// fn f() { let S { .. } = d; }
    /// ```
    ///
    /// A field of a struct goes alone, with `..` at the end if there is none yet.
    COLLAPSE_PATTERN = "collapse-pattern", Rule::Node(collapse_pattern);
}

fn collapse_pattern(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Pat(pat) = node.syntax() else { return };
    match pat {
        Pat::Slice(PatSlice { elems, .. }) | Pat::Tuple(PatTuple { elems, .. }) => collapse_elements(node, elems, out),
        Pat::TupleStruct(pat) => collapse_elements(node, &pat.elems, out),
        Pat::Struct(pat) => {
            let list = List::delimited(node, &pat.fields, pat.brace_token.span);
            let (Some(first), Some(last)) = (list.elements.first(), list.elements.last()) else { return };
            if let Some(rest) = &pat.rest {
                // A field alone is left to `delete-field-pattern`.
                if list.len() > 1 {
                    out.delete_in(node.range(), first.start..range(rest).start);
                }
                return;
            }
            let end = list.trailing().map_or(last.end, |comma| comma.end);
            // With the brace, so that what a field alone puts at the end is inside.
            out.edit(node.range(), vec![Edit::replace(first.start..node.range().end, "..}")]);
            let dots = if list.trailing().is_some() { ".." } else { ", .." };
            for (index, field) in list.elements.iter().enumerate().take(list.len() - 1) {
                let mut edits = list.without(index);
                edits.push(Edit::replace(end..end, dots));
                out.edit(field.clone(), edits);
            }
        }
        _ => {}
    }
}

fn collapse_elements(node: Node<'_>, elems: &Punctuated<Pat, Token![,]>, out: &mut Proposals<'_>) {
    let Some(list) = List::of(node) else { return };
    let (Some(first), Some(last)) = (list.elements.first(), list.elements.last()) else { return };
    let site = first.start..last.end;
    let is_rest = |pat: &Pat| match pat {
        Pat::Rest(_) => true,
        Pat::Ident(pat) => pat.subpat.as_ref().is_some_and(|(_, pat)| matches!(**pat, Pat::Rest(_))),
        _ => false,
    };
    out.edit(site.clone(), vec![Edit::replace(site.clone(), "..")]);
    let dots = elems.iter().position(is_rest);
    let plain = |pat: &&Pat| matches!(pat, Pat::Wild(_)) || matches!(pat, Pat::Rest(_));
    let tail = elems.iter().rev().take_while(plain).count();
    let head = elems.iter().take_while(plain).count();
    // There can be only one `..`.
    if tail > 1 && dots.is_none_or(|dots| dots >= elems.len() - tail) {
        out.edit(site.clone(), vec![Edit::replace(list.elements[elems.len() - tail].start..last.end, "..")]);
    }
    if head > 1 && dots.is_none_or(|dots| dots < head) {
        out.edit(site, vec![Edit::replace(first.start..list.elements[head - 1].end, "..")]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn elements_become_dots() {
        check(&COLLAPSE_PATTERN, "fn f((a, b): A) { let T(c,) = d; }", &["fn f((..): A) { let T(c,) = d; }"]);
        check(
            &COLLAPSE_PATTERN,
            "fn f([_, _, a, _, _, _]: A) {}",
            &["fn f([..]: A) {}", "fn f([_, _, a, ..]: A) {}", "fn f([.., a, _, _, _]: A) {}"],
        );
        check(&COLLAPSE_PATTERN, "fn f([_, .., a, _, _]: A) {}", &["fn f([..]: A) {}", "fn f([.., a, _, _]: A) {}"]);
        check(&COLLAPSE_PATTERN, "fn f([_, _, a @ ..]: A) {}", &["fn f([..]: A) {}"]);
    }

    #[test]
    fn fields_become_dots() {
        check(
            &COLLAPSE_PATTERN,
            "fn f(S { a, b: _, c }: S) {}",
            &["fn f(S { .. }: S) {}", "fn f(S { a, c, .. }: S) {}"],
        );
        check(&COLLAPSE_PATTERN, "fn f(S { a: _, b, }: S) {}", &["fn f(S { .. }: S) {}", "fn f(S { b, .. }: S) {}"]);
        check(&COLLAPSE_PATTERN, "fn f(S { a, b, .. }: S) {}", &["fn f(S { .. }: S) {}"]);
    }

    #[test]
    fn what_is_not_longer_than_dots_stays() {
        check(
            &COLLAPSE_PATTERN,
            "fn f(S { .. }: S, (..): A, S {}: S, T(a): T) { let (b, c); }",
            &["fn f(S { .. }: S, (..): A, S {}: S, T(a): T) { let (..); }"],
        );
    }
}
