//! What a program has, counted: for a reader who wants to know what went.

use syn::{ForeignItem, ImplItem, Item, Stmt, TraitItem};

use super::source::Source;
use super::tree::{Syntax, Tree};

/// What is counted. The last one is no item.
const KINDS: [&str; 12] = [
    "module", "function", "struct", "enum", "union", "trait", "impl", "macro", "constant", "type", "import",
    "statement",
];

/// How many items of each kind a program has, and how many statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inventory([usize; KINDS.len()]);

impl Inventory {
    /// Counts what is in a text, also of several files, as far as it is understood.
    pub fn of(text: &str) -> Self {
        let mut counts = [0; KINDS.len()];
        for node in Tree::new(&Source::parse(text)).nodes() {
            if let Some(kind) = kind(node.syntax()) {
                counts[kind] += 1;
            }
        }
        Self(counts)
    }

    /// What `after` has less of: the items of most importance, or else statements. Empty if it has less of nothing.
    pub fn lost(&self, after: &Self) -> String {
        let less = KINDS.iter().zip(self.0.iter().zip(&after.0)).filter(|(_, (before, after))| before > after);
        let words = less.map(|(kind, (before, after))| match before - after {
            1 => format!("1 {kind}"),
            count => format!("{count} {kind}s"),
        });
        let words: Vec<String> = words.collect();
        let items = words.len() - usize::from(words.len() > 1 && self.0.last() > after.0.last());
        words[..items.min(NAMED)].join(", ")
    }
}

/// So many kinds are named.
const NAMED: usize = 3;

/// The place of a syntax among the kinds.
fn kind(syntax: Syntax<'_>) -> Option<usize> {
    Some(match syntax {
        Syntax::Item(Item::Mod(_)) => 0,
        Syntax::Item(Item::Fn(_))
        | Syntax::ImplItem(ImplItem::Fn(_))
        | Syntax::TraitItem(TraitItem::Fn(_))
        | Syntax::ForeignItem(ForeignItem::Fn(_)) => 1,
        Syntax::Item(Item::Struct(_)) => 2,
        Syntax::Item(Item::Enum(_)) => 3,
        Syntax::Item(Item::Union(_)) => 4,
        Syntax::Item(Item::Trait(_) | Item::TraitAlias(_)) => 5,
        Syntax::Item(Item::Impl(_)) => 6,
        Syntax::Item(Item::Macro(_)) => 7,
        Syntax::Item(Item::Const(_) | Item::Static(_)) => 8,
        Syntax::Item(Item::Type(_)) => 9,
        Syntax::Item(Item::Use(_) | Item::ExternCrate(_)) => 10,
        Syntax::Stmt(Stmt::Local(_) | Stmt::Expr(..) | Stmt::Macro(_)) => 11,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &str) {
        assert_eq!(Inventory::of(before).lost(&Inventory::of(after)), expected, "{before} -> {after}");
    }

    #[test]
    fn items_are_named_before_statements_and_methods_are_functions() {
        let before = "mod m { fn f() { g(); h(); } } struct S; impl S { fn m(&self) {} } trait T { fn t(); } use a::b;";
        check(before, "", "1 module, 3 functions, 1 struct");
        check(before, "mod m { fn f() { g(); } } struct S; impl S {} trait T {}", "2 functions, 1 import");
        check("fn f() { g(); let x = 1; m!(); }", "fn f() { g(); }", "2 statements");
        check("fn f() { g(1, 2) }", "fn f() { g(1) }", "");
        check("fn f() {}", "fn f() {} fn g() {}", "");
    }
}
