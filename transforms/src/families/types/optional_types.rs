//! Parts of types and paths that may be left out.

use syn::{Expr, Type};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{in_attribute_or_visibility, qself};
use crate::syntax::surroundings::without_return_type;
use crate::syntax::{Node, Syntax, range};

family! {
    "optional-types", "Drops parts of types and paths that may be left out.", in Optional;

    /// Drop a return type, and make the last expression a statement.
    DROP_RETURN_TYPE = "drop-return-type", Rule::Node(drop_return_type), "fn f() -> u8 { g() }" => "fn f() { g(); }";

    /// Drop the angle brackets around a self type, and the trait or the type with them.
    DROP_SELF_TYPE = "drop-self-type", Rule::Node(drop_self_type),
        "type A = <T as Iterator>::Item;" => "type A = T::Item;";

    /// Drop all segments of a path but the last.
    ///
    /// A path of two is left to `delete-segment`.
    DROP_PATH_PREFIX = "drop-path-prefix", Rule::Node(drop_path_prefix),
        "type A = std::fmt::Error;" => "type A = Error;";
}

fn drop_return_type(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::ReturnType(_) = node.syntax() else { return };
    let edits = without_return_type(node);
    let [arrow, ..] = &edits[..] else { return };
    let arrow = vec![arrow.clone()];
    out.edit(node.range(), edits);
    out.edit(node.range(), arrow);
}

fn drop_self_type(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(qself) = qself(node.syntax()) else { return };
    let (open, close) = (range(&qself.lt_token), range(&qself.gt_token));
    let ty = range(&*qself.ty);
    // In expressions, the brackets of arguments need a `::` before them.
    let is_type = matches!(node.syntax(), Syntax::Type(_));
    let stands_alone = |text: &str| !text.contains('(') && (is_type || !text.contains('<'));
    let site = open.start..close.end;
    if matches!(&*qself.ty, Type::Path(_)) && stands_alone(node.text_at(ty.clone())) {
        out.keep(site.clone(), ty);
    } else if let Some(as_token) = &qself.as_token {
        out.delete_in(site.clone(), range(as_token).start..close.start);
    }
    if let Some(as_token) = &qself.as_token
        && let Syntax::Expr(Expr::Path(_)) = node.syntax()
        && stands_alone(node.text_at(range(as_token).end..close.start))
    {
        out.keep(site, range(as_token).end..close.start);
    }
}

fn drop_path_prefix(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Path(path) = node.syntax()
        && path.segments.len() > 2
        && node.parent().and_then(|parent| qself(parent.syntax())).is_none()
        && !in_attribute_or_visibility(node)
    {
        out.keep(node.range(), range(&path.segments[path.segments.len() - 1]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_return_type_goes_and_the_tail_becomes_a_statement() {
        check(
            &DROP_RETURN_TYPE,
            "fn f() -> A { b; if c { d } else { e } }",
            &["fn f() { b; if c { d } else { e }; }", "fn f() { b; if c { d } else { e } }"],
        );
        check(
            &DROP_RETURN_TYPE,
            "impl A { fn f(self) -> B { c!() } }",
            &["impl A { fn f(self) { c!(); } }", "impl A { fn f(self) { c!() } }"],
        );
        check(&DROP_RETURN_TYPE, "fn f() { || -> A { b } }", &["fn f() { || { b; } }", "fn f() { || { b } }"]);
    }

    #[test]
    fn a_return_type_goes_alone_where_nothing_is_returned() {
        check(&DROP_RETURN_TYPE, "fn f() -> A { loop {} }", &["fn f() { loop {} }"]);
        check(&DROP_RETURN_TYPE, "fn f() -> A { todo!() }", &["fn f() { todo!() }"]);
        check(&DROP_RETURN_TYPE, "trait A { fn f() -> B; }", &["trait A { fn f(); }"]);
        check(
            &DROP_RETURN_TYPE,
            "type A = fn() -> Box<dyn Fn() -> B>;",
            &["type A = fn();", "type A = fn() -> Box<dyn Fn()>;"],
        );
        check(&DROP_RETURN_TYPE, "fn f() { || a; match b { c => d } }", &[]);
    }

    #[test]
    fn self_types_lose_their_brackets() {
        check(&DROP_SELF_TYPE, "type A = <B<C> as D>::E;", &["type A = B<C>::E;"]);
        check(&DROP_SELF_TYPE, "type A = <[B] as D>::E;", &["type A = <[B]>::E;"]);
        check(&DROP_SELF_TYPE, "fn f() { <A as B>::c(); }", &["fn f() { A::c(); }", "fn f() { B::c(); }"]);
        check(&DROP_SELF_TYPE, "fn f() { <A<B>>::c(); <D>::e(); }", &["fn f() { <A<B>>::c(); D::e(); }"]);
        check(&DROP_SELF_TYPE, "fn f() { <A<B> as C>::d(); }", &["fn f() { <A<B>>::d(); }", "fn f() { C::d(); }"]);
    }

    #[test]
    fn paths_and_slices_without_a_trait_stay() {
        check(&DROP_SELF_TYPE, "fn f() { <[A]>::b(); C::<D>::e(); }", &[]);
    }

    #[test]
    fn long_paths_shrink_to_their_last_segment() {
        check(&DROP_PATH_PREFIX, "type A = ::b::c<d>::e<f>;", &["type A = e<f>;"]);
        check(&DROP_PATH_PREFIX, "fn f() { a::b::c!(); }", &["fn f() { c!(); }"]);
        check(&DROP_PATH_PREFIX, "#[a::b::c] use a::b::c; pub(in a::b::c) type D = e::f;", &[]);
        check(&DROP_PATH_PREFIX, "type A = <B as c::d>::E;", &[]);
    }
}
