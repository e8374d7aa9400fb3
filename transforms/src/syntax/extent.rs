//! The bytes of a node, from those of its parts.
//!
//! Computing a span with syn walks all tokens of a node. For every node, that takes time quadratic in the depth, for
//! `a + b + c + ..` and for chains of `else if`. So the bytes are computed from the parts, delimiters and keywords of the
//! node where possible.

use std::ops::Range;

use proc_macro2::Span;
use syn::{
    AttrStyle, Attribute, Expr, FieldValue, Item, Member, Pat, PathArguments, ReturnType, Stmt, Type, UseTree,
    Visibility,
};

use super::kind::{Syntax, range};

/// The bytes of `syntax`, whose first part begins at `first` and whose last part ends at `last`. `None` if only syn can
/// compute them.
pub(crate) fn extent(syntax: Syntax<'_>, first: Option<usize>, last: usize) -> Option<Range<usize>> {
    let ends = Ends { first, last };
    match syntax {
        Syntax::Ident(ident) => Some(ident.span().byte_range()),
        Syntax::Lifetime(lifetime) => Some(lifetime.span().byte_range()),
        Syntax::Lit(lit) => Some(lit.span().byte_range()),
        Syntax::Block(block) => Some(block.brace_token.span.join().byte_range()),
        Syntax::Macro(call) if call.path.leading_colon.is_none() => ends.to(call.delimiter.span().close()),
        Syntax::FnArg(_) | Syntax::PathSegment(_) => ends.parts(),
        Syntax::Path(path) if path.leading_colon.is_none() => ends.parts(),
        Syntax::PathArguments(PathArguments::AngleBracketed(arguments)) => {
            let start = arguments.colon2_token.map_or(arguments.lt_token.span, |colons| colons.spans[0]);
            Some(start.byte_range().start..arguments.gt_token.span.byte_range().end)
        }
        Syntax::GenericArgument(syn::GenericArgument::Type(_) | syn::GenericArgument::Lifetime(_)) => ends.parts(),
        Syntax::ReturnType(ReturnType::Type(arrow, _)) => ends.from(arrow.spans[0]),
        Syntax::FieldValue(FieldValue { member: Member::Named(_), .. }) => ends.parts(),
        Syntax::UseTree(UseTree::Path(_) | UseTree::Name(_) | UseTree::Rename(_)) => ends.parts(),
        Syntax::UseTree(UseTree::Group(group)) => Some(group.brace_token.span.join().byte_range()),
        Syntax::Arm(arm) => match &arm.comma {
            Some(comma) => ends.to(comma.span),
            None => ends.parts(),
        },
        Syntax::Local(local) if local.attrs.is_empty() => {
            Some(local.let_token.span.byte_range().start..local.semi_token.span.byte_range().end)
        }
        Syntax::Stmt(Stmt::Expr(_, None) | Stmt::Item(_) | Stmt::Local(_)) => ends.parts(),
        Syntax::Stmt(Stmt::Expr(_, Some(semi))) => ends.to(semi.span),
        Syntax::Item(item) => ends.item(item),
        Syntax::Type(ty) => ends.ty(ty),
        Syntax::Pat(pat) => ends.pat(pat),
        Syntax::Expr(expr) => ends.expr(expr),
        _ => None,
    }
}

/// The bytes of `ty`, if possible without a walk through its parts.
pub(crate) fn type_range(ty: &Type) -> Range<usize> {
    match ty {
        Type::Path(path) if path.qself.is_none() && path.path.leading_colon.is_none() => {
            let (first, last) = (path.path.segments.first(), path.path.segments.last());
            let end = last.map(|last| match &last.arguments {
                PathArguments::None => Some(last.ident.span()),
                PathArguments::AngleBracketed(arguments) => Some(arguments.gt_token.span),
                PathArguments::Parenthesized(_) => None,
            });
            match (first, end.flatten()) {
                (Some(first), Some(end)) => first.ident.span().byte_range().start..end.byte_range().end,
                _ => range(ty),
            }
        }
        _ => range(ty),
    }
}

/// Where the first part of a node begins and the last one ends.
#[derive(Clone, Copy)]
struct Ends {
    first: Option<usize>,
    last: usize,
}

impl Ends {
    /// From the first part to the last one.
    fn parts(self) -> Option<Range<usize>> {
        Some(self.first?..self.last)
    }

    /// From the token at `span` to the last part.
    fn from(self, span: Span) -> Option<Range<usize>> {
        Some(span.byte_range().start..self.last)
    }

    /// From the first part to the token at `span`.
    fn to(self, span: Span) -> Option<Range<usize>> {
        Some(self.first?..span.byte_range().end)
    }

    fn item(self, item: &Item) -> Option<Range<usize>> {
        // Inner attributes come first among the parts, but not in the text.
        let is_outer = |attrs: &[Attribute]| attrs.iter().all(|attr| matches!(attr.style, AttrStyle::Outer));
        match item {
            // It begins with its attributes, its visibility or its signature, and ends with its block.
            Item::Fn(item) if is_outer(&item.attrs) => self.parts(),
            Item::Mod(item) if is_outer(&item.attrs) && item.unsafety.is_none() => {
                let (braces, _) = item.content.as_ref()?;
                let is_bare = item.attrs.is_empty() && matches!(item.vis, Visibility::Inherited);
                let start = if is_bare { item.mod_token.span.byte_range().start } else { self.first? };
                Some(start..braces.span.close().byte_range().end)
            }
            _ => None,
        }
    }

    fn ty(self, ty: &Type) -> Option<Range<usize>> {
        match ty {
            Type::Path(ty) if ty.qself.is_none() && ty.path.leading_colon.is_none() => self.parts(),
            Type::Reference(ty) => self.from(ty.and_token.span),
            Type::Ptr(ty) => self.from(ty.star_token.span),
            Type::Array(ty) => Some(ty.bracket_token.span.join().byte_range()),
            Type::Paren(ty) => Some(ty.paren_token.span.join().byte_range()),
            Type::Slice(ty) => Some(ty.bracket_token.span.join().byte_range()),
            Type::Tuple(ty) => Some(ty.paren_token.span.join().byte_range()),
            _ => None,
        }
    }

    fn pat(self, pat: &Pat) -> Option<Range<usize>> {
        match pat {
            Pat::Paren(pat) if pat.attrs.is_empty() => Some(pat.paren_token.span.join().byte_range()),
            Pat::Reference(pat) if pat.attrs.is_empty() => self.from(pat.and_token.span),
            Pat::Slice(pat) if pat.attrs.is_empty() => Some(pat.bracket_token.span.join().byte_range()),
            Pat::Tuple(pat) if pat.attrs.is_empty() => Some(pat.paren_token.span.join().byte_range()),
            Pat::TupleStruct(pat) if pat.qself.is_none() && pat.path.leading_colon.is_none() => {
                self.to(pat.paren_token.span.close())
            }
            _ => None,
        }
    }

    /// Expressions that begin with attributes have them among their parts, but so have those with inner attributes.
    fn expr(self, expr: &Expr) -> Option<Range<usize>> {
        match expr {
            Expr::Path(expr) if expr.qself.is_none() && expr.path.leading_colon.is_none() => self.parts(),
            Expr::Assign(_) | Expr::Binary(_) | Expr::Cast(_) | Expr::Lit(_) => self.parts(),
            Expr::Await(expr) => self.to(expr.await_token.span),
            Expr::Call(expr) => self.to(expr.paren_token.span.close()),
            Expr::Field(expr) => Some(self.first?..range(&expr.member).end),
            Expr::Index(expr) => self.to(expr.bracket_token.span.close()),
            Expr::MethodCall(expr) => self.to(expr.paren_token.span.close()),
            Expr::Try(expr) => self.to(expr.question_token.span),
            Expr::Array(expr) if expr.attrs.is_empty() => Some(expr.bracket_token.span.join().byte_range()),
            Expr::Paren(expr) if expr.attrs.is_empty() => Some(expr.paren_token.span.join().byte_range()),
            Expr::Repeat(expr) if expr.attrs.is_empty() => Some(expr.bracket_token.span.join().byte_range()),
            Expr::Tuple(expr) if expr.attrs.is_empty() => Some(expr.paren_token.span.join().byte_range()),
            Expr::Reference(expr) if expr.attrs.is_empty() => self.from(expr.and_token.span),
            Expr::Unary(expr) if expr.attrs.is_empty() => Some(range(&expr.op).start..self.last),
            Expr::Let(expr) if expr.attrs.is_empty() => self.from(expr.let_token.span),
            Expr::Block(expr) if expr.attrs.is_empty() => self.parts(),
            Expr::If(expr) if expr.attrs.is_empty() => self.from(expr.if_token.span),
            Expr::Unsafe(expr) if expr.attrs.is_empty() => self.from(expr.unsafe_token.span),
            Expr::ForLoop(expr) if expr.attrs.is_empty() => self.labelled(expr.label.is_some(), expr.for_token.span),
            Expr::Loop(expr) if expr.attrs.is_empty() => self.labelled(expr.label.is_some(), expr.loop_token.span),
            Expr::While(expr) if expr.attrs.is_empty() => self.labelled(expr.label.is_some(), expr.while_token.span),
            Expr::Match(expr) if expr.attrs.is_empty() => {
                Some(expr.match_token.span.byte_range().start..expr.brace_token.span.close().byte_range().end)
            }
            Expr::Struct(expr)
                if expr.attrs.is_empty() && expr.qself.is_none() && expr.path.leading_colon.is_none() =>
            {
                self.to(expr.brace_token.span.close())
            }
            Expr::Closure(expr) if expr.attrs.is_empty() && expr.lifetimes.is_none() => {
                let is_bare = expr.constness.is_none() && expr.asyncness.is_none();
                let start = expr.capture.map_or(expr.inputs_begin.span, |capture| capture.span);
                if is_bare { self.from(start) } else { None }
            }
            Expr::Macro(expr) if expr.attrs.is_empty() => self.parts(),
            _ => None,
        }
    }

    /// A loop, which begins with its label if it has one.
    fn labelled(self, is_labelled: bool, keyword: Span) -> Option<Range<usize>> {
        if is_labelled { self.parts() } else { self.from(keyword) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::{Source, Understanding};
    use crate::syntax::tree::Tree;

    #[test]
    fn bytes_of_types_are_the_bytes_of_the_span() {
        for text in ["a", "a::b<c<d>>", "::a::b", "<a as b>::c", "&a<b>", "dyn a + b"] {
            let ty: Type = syn::parse_str(text).expect("it is a type");
            assert_eq!(type_range(&ty), range(&ty), "{text}");
        }
    }

    /// Every node's bytes are those that syn's spans give, in a text that has every kind of node that is put together.
    #[test]
    fn bytes_from_parts_are_the_bytes_of_the_span() {
        let text = "
            fn f<'a, T>(x: &'a Vec<T>, #[a] y: u8) -> u8 { #[b] x.y.0 + a::b::<T>(1)[2]?.await as u8; self.m(c).n; x = y; (&mut x, -(&&y)) }
            use a; use b::{c as d, e::*, f::{g}}; struct S(pub u8, T);
            #[a] mod m { mod n { #![b] fn f() { #![c] } } pub mod p { #![d] } pub mod o {} }
            /// doc
            pub fn g() -> Option<*const [(u8, [&mut (u8); 3])]> {
                let (a, [b, ..], &c) = (d, [e], [f; 4]);
                #[a] let x = 1;
                if let A(B((c)), _) = d && e {} else if f { g } else { h }
                'a: loop { break 'a } loop {} 'b: while a {} while b {} 'c: for x in y {} for x in y { #![a] }
                match a { #[b] C => d, E { f, .. } if g => { h } I => unsafe { j } _ => #[k] {} }
                S { a: 1, 0: 2, ..S { b } }; ::a::b!(c); m![d => e].f(g!()); { h } ; |a: u8| -> u8 { b }; move |a| b; async |a| || b;
            }
        ";
        let source = Source::parse(text);
        assert_eq!(source.understanding(), Understanding::Full);
        let tree = Tree::new(&source);
        assert!(tree.nodes().count() > 250);
        for node in tree.nodes() {
            let span = match node.syntax() {
                Syntax::Arm(arm) => range(arm),
                Syntax::Block(block) => range(block),
                Syntax::Expr(expr) => range(expr),
                Syntax::FieldValue(field) => range(field),
                Syntax::FnArg(arg) => range(arg),
                Syntax::GenericArgument(argument) => range(argument),
                Syntax::Item(item) => range(item),
                Syntax::Local(local) => range(local),
                Syntax::Macro(call) => range(call),
                Syntax::Pat(pat) => range(pat),
                Syntax::Path(path) => range(path),
                Syntax::PathArguments(arguments) => range(arguments),
                Syntax::PathSegment(segment) => range(segment),
                Syntax::ReturnType(output) => range(output),
                Syntax::Stmt(stmt) => range(stmt),
                Syntax::Type(ty) => range(ty),
                Syntax::UseTree(tree) => range(tree),
                _ => continue,
            };
            assert_eq!(node.range(), span, "{}", node.text());
        }
    }
}
