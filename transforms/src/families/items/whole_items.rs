//! Whole items: of a file or module, nested in blocks, of impls, traits and foreign modules.

use crate::rule::{family, parts};
use crate::syntax::Syntax;

family! {
    "items", "Deletes whole items, and modules before what they hold.", in Focus, Slices, Items, SingleItems;

    /// Delete an item of a file, module or block.
    DELETE_ITEM = "delete-item", parts!(node, Syntax::Item(_) => node.range()),
        "fn helper() {}\n\
         fn main() {}"
        => "fn main() {}";

    /// Delete an item of an impl, a trait or a foreign module.
    DELETE_ASSOCIATED_ITEM = "delete-associated-item", parts!(node,
            Syntax::ImplItem(_) | Syntax::TraitItem(_) | Syntax::ForeignItem(_) => node.range()),
        "impl S { fn a() {} fn b() {} }" => "impl S { fn b() {} }";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn every_kind_of_item_goes_whole() {
        check(&DELETE_ITEM, "#[a] pub fn f() {} struct S;", &["struct S;", "#[a] pub fn f() {}"]);
        check(&DELETE_ITEM, "mod m { use a::b; }", &["", "mod m { }"]);
        check(&DELETE_ITEM, "macro_rules! m { () => {} }", &[""]);
    }

    #[test]
    fn items_nested_in_blocks_are_items() {
        check(&DELETE_ITEM, "fn f() { fn g() {} }", &["", "fn f() { }"]);
    }

    #[test]
    fn statements_and_expressions_are_no_items() {
        check(&DELETE_ITEM, "fn f() { g(); m!(); }", &[""]);
        check(&DELETE_ITEM, "", &[]);
    }

    #[test]
    fn associated_items_go_one_by_one() {
        check(&DELETE_ASSOCIATED_ITEM, "trait T { type A; fn f(); }", &["trait T { fn f(); }", "trait T { type A; }"]);
        check(&DELETE_ASSOCIATED_ITEM, "extern \"C\" { fn f(); }", &["extern \"C\" { }"]);
        check(&DELETE_ASSOCIATED_ITEM, "impl S { const A: u8 = 1; }", &["impl S { }"]);
    }

    #[test]
    fn items_that_belong_to_no_impl_are_left_alone() {
        check(&DELETE_ASSOCIATED_ITEM, "fn f() {} mod m { struct S; }", &[]);
        check(&DELETE_ASSOCIATED_ITEM, "impl S { }", &[]);
        check(&DELETE_ASSOCIATED_ITEM, "extern \"C\" { }", &[]);
    }
}
