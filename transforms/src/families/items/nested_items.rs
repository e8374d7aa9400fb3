//! Items inside functions and constants, which are lifted out of them.

use std::ops::Range;

use syn::{Item, Stmt};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::{child_block, leaves_macro, signature};
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "nested-items", "Lifts items out of functions and constants.", in Coupled at 10;

    /// Replace a function or constant that nobody speaks of by the items inside it.
    ///
    /// One that is used stays behind them. The program is then no smaller, so this is a trial.
    LIFT_ITEMS = "lift-items", Rule::Node(lift_items),
        "fn f() { g(); struct S; impl S {} h(); }" => "struct S; impl S {}";
}

fn lift_items(node: Node<'_>, out: &mut Proposals<'_>) {
    let (name, body) = match (node.syntax(), signature(node), child_block(node)) {
        (Syntax::Item(Item::Const(item)), ..) => (&item.ident, node),
        (Syntax::Item(Item::Static(item)), ..) => (&item.ident, node),
        (_, Some(signature), Some(body)) => (&signature.ident, body),
        _ => return,
    };
    // Among foreign items others have no place.
    if node.ancestors().any(|around| matches!(around.syntax(), Syntax::ForeignItem(_))) {
        return;
    }
    let items = items(body);
    let outer = if matches!(node.syntax(), Syntax::Item(_)) { Some(node) } else { node.parent() };
    let Some(outer) = outer.filter(|_| !items.is_empty()).map(Node::range) else { return };
    let own = node.range();
    let is_used = node.mentions_elsewhere(&name.to_string()).next().is_some();
    let texts: Vec<&str> = items.iter().map(|item| node.text_at(item.clone())).collect();
    let lifted = Edit::replace(outer.start..outer.start, format!("{}\n", texts.join("\n")));
    if !is_used {
        let edits = match outer == own {
            true => around(own, &items),
            false => vec![lifted.clone(), Edit::delete(own)],
        };
        out.edit(range(name), edits);
    }
    let gone = items.into_iter().map(Edit::delete);
    out.trial(range(name), std::iter::once(lifted).chain(gone).collect());
}

/// The items in `body`, but for those inside others, and for imports, which mean something where they are only.
fn items(body: Node<'_>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    for node in body.descendants() {
        if node.range().start < end {
            continue;
        }
        if let Syntax::Stmt(Stmt::Item(item)) = node.syntax() {
            end = node.range().end;
            if !matches!(item, Item::Use(_)) && !leaves_macro(node, body) {
                found.push(node.range());
            }
        }
    }
    found
}

/// The edits that reduce `whole` to `kept`, which are in order.
fn around(whole: Range<usize>, kept: &[Range<usize>]) -> Vec<Edit> {
    let starts = std::iter::once(whole.start).chain(kept.iter().map(|kept| kept.end));
    let ends = kept.iter().map(|kept| kept.start).chain([whole.end]);
    starts.zip(ends).map(|(start, end)| Edit::delete(start..end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::check, testing::check_trials};

    #[test]
    fn the_items_stand_in_place_of_the_function() {
        check(
            &LIFT_ITEMS,
            "#[a] fn f() { use b; if c { struct S; } loop { fn g() { fn h() {} } } }",
            &["struct S; fn g() { fn h() {} }", "#[a] fn f() { use b; if c { struct S; } loop { fn h() {} } }"],
        );
        check(
            &LIFT_ITEMS,
            "const A: u8 = 1; impl S { fn f() { struct T; } fn g() {} }",
            &["const A: u8 = 1; struct T; impl S { fn g() {} }"],
        );
    }

    #[test]
    fn the_items_stand_in_place_of_a_constant() {
        check(&LIFT_ITEMS, "const _: fn() = || { fn f() {} f() };", &["fn f() {}"]);
        check(&LIFT_ITEMS, "static A: u8 = { struct S; 0 }; fn f() { A }", &[]);
    }

    #[test]
    fn what_is_called_stays_after_them() {
        check(&LIFT_ITEMS, "fn f() { struct S; a } fn g() { f() }", &[]);
        check_trials(
            &LIFT_ITEMS,
            "fn f() { struct S; a; const B: u8 = 1; } fn g() { f() }",
            &["struct S; const B: u8 = 1; fn f() { a; } fn g() { f() }"],
        );
        check_trials(&LIFT_ITEMS, "trait T { fn f() { struct S; } }", &["struct S; trait T { fn f() { } }"]);
    }

    #[test]
    fn functions_without_items_stay() {
        let text = "fn f() { use a; let b = || {}; } trait T { fn g(); } mod m { struct S; }";
        check(&LIFT_ITEMS, text, &[]);
        check_trials(&LIFT_ITEMS, text, &[]);
    }

    #[test]
    fn metavariables_stay_in_their_macro() {
        check(&LIFT_ITEMS, "fn f() { quote! { struct $a; } }", &[]);
    }
}
