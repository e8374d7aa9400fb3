//! Parts of a program with other parts of their kind, to find out which of them matter: abstract failure-inducing inputs of
//! Gopinath, Kampmann, Havrikov, Soremekun and Zeller, *Abstracting Failure-Inducing Inputs* (2020). They generate parts from a
//! grammar; here a kind has samples that are as different as possible.

use std::ops::Range;

use syn::{Expr, Lit, Pat, Stmt, Type, UnOp};

use crate::placeholders::values::of_type;
use crate::syntax::surroundings::signature;
use crate::syntax::{Node, Syntax, Tree, precedence, range};

/// A part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it may be one of, the most general first.
    pub choices: Vec<Choice>,
}

/// The parts that may stand in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Their kind in words, such as `type` or ``expression of type `u8` ``.
    pub kind: String,
    /// Some of them, without the one that is there.
    pub samples: Vec<String>,
}

const TYPES: &[&str] = &[
    "()", "bool", "char", "u8", "i128", "f64", "&'static str", "String", "Vec<u8>", "(u8, bool)", "[u8; 3]", "fn()",
    "*const u8", "Option<u8>", "Box<dyn Fn()>",
];
const INTEGERS: &[&str] = &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
const NUMBERS: &[&str] = &["f32", "f64", "u8", "u64", "i16", "i128", "usize"];
const REFERENCES: &[&str] = &["&'static u8", "&'static str", "&'static [u8]", "&'static ()", "&'static String"];

/// Traits without parameters.
const TRAITS: &[&str] = &[
    "Clone", "Copy", "Send", "Sync", "Sized", "Unpin", "Eq", "Ord", "Default", "std::fmt::Debug", "std::fmt::Display",
];

/// Expressions of any type.
const DIVERGING: &[&str] =
    &["loop {}", "todo!()", "panic!()", "unreachable!()", "std::process::abort()", "{ todo!() }"];

/// Bodies that return nothing or never.
const BODIES: &[&str] =
    &["{ loop {} }", "{ todo!() }", "{ panic!(\"no\") }", "{ unreachable!() }", "{ std::process::abort() }"];

/// All parts of the program of which there are samples, a part before those inside of it.
pub fn parts(tree: &Tree<'_>) -> Vec<Part> {
    let part = |node: Node<'_>| {
        let mut choices = choices(node);
        for choice in &mut choices {
            choice.samples.retain(|sample| sample != node.text());
        }
        choices.retain(|choice| choice.samples.len() > 1);
        (!choices.is_empty() && !node.range().is_empty()).then(|| Part { range: node.range(), choices })
    };
    let mut parts: Vec<Part> = tree.nodes().filter_map(part).collect();
    // A literal is an expression and a literal.
    parts.dedup_by(|next, part| next.range == part.range);
    parts
}

fn choice(kind: impl Into<String>, samples: &[&str]) -> Choice {
    Choice { kind: kind.into(), samples: samples.iter().map(ToString::to_string).collect() }
}

fn choices(node: Node<'_>) -> Vec<Choice> {
    match node.syntax() {
        Syntax::Type(ty) => of_types(node, ty),
        Syntax::Expr(expr) => of_expressions(node, expr),
        Syntax::Lit(lit) => of_literals(lit).into_iter().collect(),
        Syntax::Pat(pat) if !matches!(pat, Pat::Lit(_)) => {
            vec![choice("pattern", &["_", "other", "mut other", "ref other", "other @ _"])]
        }
        Syntax::Block(_) if node.parent().and_then(signature).is_some() => vec![choice("body", BODIES)],
        Syntax::TypeParamBound(syn::TypeParamBound::Trait(_)) => vec![choice("trait", TRAITS)],
        _ => Vec::new(),
    }
}

fn of_types(node: Node<'_>, ty: &Type) -> Vec<Choice> {
    let mut choices = vec![choice("type", TYPES)];
    if INTEGERS.contains(&node.text()) {
        choices.extend([choice("number type", NUMBERS), choice("integer type", INTEGERS)]);
    }
    if matches!(ty, Type::Reference(_)) {
        choices.push(choice("reference type", REFERENCES));
    }
    choices
}

fn of_literals(lit: &Lit) -> Option<Choice> {
    let suffixed = |kind: &str, suffix: &str, values: &[&str]| Choice {
        kind: kind.to_owned(),
        samples: values.iter().map(|value| format!("{value}{suffix}")).collect(),
    };
    Some(match lit {
        Lit::Int(lit) => suffixed("integer", lit.suffix(), &["0", "1", "2", "7", "10", "100", "127"]),
        Lit::Float(lit) => suffixed("float", lit.suffix(), &["0.0", "1.5", "0.001", "1000000.25"]),
        Lit::Str(_) => choice("string", &["\"\"", "\"a\"", "\"some words\"", "\"é\\n\""]),
        Lit::ByteStr(_) => choice("byte string", &["b\"\"", "b\"a\"", "b\"some words\""]),
        Lit::Char(_) => choice("character", &["'a'", "' '", "'é'", "'\\n'"]),
        _ => return None,
    })
}

fn of_expressions(node: Node<'_>, expr: &Expr) -> Vec<Choice> {
    let mut choices = Vec::new();
    // What is assigned to, and a block that belongs to something else, are no values.
    if is_value(node) {
        let written = written_type(node);
        let values = written.map(of_type).unwrap_or_default();
        let kind = match written {
            Some(ty) if !values.is_empty() => format!("expression of type `{}`", node.text_at(range(ty))),
            _ => "expression of its type".to_owned(),
        };
        choices.push(choice(kind, &[values, DIVERGING].concat()));
    }
    match expr {
        Expr::Lit(lit) => choices.extend(of_literals(&lit.lit)),
        Expr::Binary(binary) => {
            let [left, right] = [&binary.left, &binary.right].map(|side| node.text_at(range(&**side)));
            let samples =
                precedence::alike(&binary.op).iter().map(|operator| format!("{left} {operator} {right}")).collect();
            choices.push(Choice { kind: "operation of these operands".to_owned(), samples });
        }
        Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => {
            let operand = node.text_at(range(&*unary.expr));
            let samples = ["!", "-"].iter().map(|operator| format!("{operator}{operand}")).collect();
            choices.push(Choice { kind: "operation of this operand".to_owned(), samples });
        }
        _ => {}
    }
    choices
}

/// Whether an expression stands where another of its type can stand.
fn is_value(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let at = node.range();
    match parent.syntax() {
        // In a macro call, a repeat count or a discriminant a diverging expression is none.
        Syntax::Expr(Expr::Assign(assign)) => range(&*assign.left) != at,
        Syntax::Expr(Expr::Reference(_) | Expr::Repeat(_) | Expr::Macro(_)) | Syntax::Macro(_) | Syntax::Variant(_) => {
            false
        }
        Syntax::Expr(Expr::Call(call)) => range(&*call.func) != at,
        Syntax::Type(_) | Syntax::Pat(_) | Syntax::GenericArgument(_) | Syntax::GenericParam(_) => false,
        Syntax::Stmt(Stmt::Macro(_)) => false,
        _ => true,
    }
}

/// The type that is written for the place of an expression.
fn written_type<'t>(node: Node<'t>) -> Option<&'t Type> {
    let parent = node.parent()?;
    match parent.syntax() {
        Syntax::Local(local) => match &local.pat {
            Pat::Type(pat) => Some(&pat.ty),
            _ => None,
        },
        Syntax::Item(syn::Item::Const(item)) => Some(&item.ty),
        Syntax::Item(syn::Item::Static(item)) => Some(&item.ty),
        Syntax::ImplItem(syn::ImplItem::Const(item)) => Some(&item.ty),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;

    /// The texts of the parts, each with its kinds.
    fn found(text: &str) -> Vec<(String, Vec<String>)> {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let kinds = |part: &Part| part.choices.iter().map(|choice| choice.kind.clone()).collect();
        parts(&tree).iter().map(|part| (text[part.range.clone()].to_owned(), kinds(part))).collect()
    }

    #[track_caller]
    fn check(text: &str, part: &str, kinds: &[&str]) {
        let all = found(text);
        let of_part = all.iter().find(|(text, _)| text == part);
        assert_eq!(
            of_part.map(|(_, kinds)| &kinds[..]),
            Some(&kinds.iter().map(ToString::to_string).collect::<Vec<_>>()[..]),
            "{all:?}"
        );
    }

    #[test]
    fn parts_have_the_kinds_of_their_places() {
        check("fn f() { let a: u8 = g(1); }", "u8", &["type", "number type", "integer type"]);
        check("fn f() { let a: u8 = g(1); }", "g(1)", &["expression of type `u8`"]);
        check("fn f() { let a: u8 = g(1); }", "1", &["expression of its type", "integer"]);
        check("fn f() { let a = g(1u8); }", "a", &["pattern"]);
        check("fn f() { g() }", "{ g() }", &["body"]);
        check("fn f<T: A>() {}", "A", &["trait"]);
        check("fn f(a: &A) {}", "&A", &["type", "reference type"]);
        check("fn f() { a + b }", "a + b", &["expression of its type", "operation of these operands"]);
    }

    #[test]
    fn samples_are_others() {
        let text = "const A: u8 = 7u8;";
        let source = Source::parse(text);
        let parts = parts(&Tree::new(&source));
        let samples: Vec<_> = parts.iter().flat_map(|part| &part.choices).collect();
        assert!(samples.iter().all(|choice| choice.samples.iter().all(|it| it != "u8" && it != "7u8")), "{samples:?}");
        assert!(samples.iter().any(|choice| choice.kind == "integer" && choice.samples.contains(&"100u8".to_owned())));
    }

    #[test]
    fn what_is_no_value_has_no_samples_of_expressions() {
        for text in ["fn f() { a = 1 }", "fn f() { a(1) }", "fn f() { [0; a] }"] {
            assert!(!found(text).iter().any(|(part, _)| part == "a"), "{text}");
        }
    }
}
