//! Carving: finds the innermost call that goes wrong, and writes a test that makes just this call.
//!
//! A program whose functions report their calls is run twice: as it fails, and with a change with which it passes. The first call
//! that returns something else for the same arguments is what is wrong (after Elbaum et al., *Carving differential unit test cases from
//! system test cases*, 2006).

use std::collections::HashMap;
use std::ops::Range;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMacro, Fields, FnArg, GenericParam, Generics, Item, Pat, ReturnType, Token};

use super::runs::permitted;
use super::runtime::{add_reports, add_runtime};
use crate::names::Analysis;
use crate::names::functions::{Function, Home};
use crate::syntax::{Node, Syntax, Tree, range};

/// The module that reports calls; it is added to the program.
const CALLS: &str = include_str!("runtime/calls.rs");

/// So many calls are proposed at most.
const MOST: usize = 6;

/// A value of more bytes is compared by the part in which it differs.
const LONG: usize = 40;

/// The traits that write a value where its type is known to have literals.
const TRAITS: &str = "use crate::mcve_calls::{Unwritten as _, Written as _};";

/// A program whose functions report their calls.
pub struct Carving<'t> {
    tree: &'t Tree<'t>,
    pieces: Vec<Piece>,
}

/// What is added to the program.
struct Piece {
    at: usize,
    text: String,
    /// Its bytes in the program with all pieces.
    range: Range<usize>,
}

/// A call of a function of the program, as Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The call itself.
    pub text: String,
    /// What it returns; none if it does not return. Empty where it cannot be written.
    pub returned: Option<String>,
}

impl<'t> Carving<'t> {
    /// The program of these names with a report in each function, but not in its `main` and its tests.
    #[must_use]
    pub fn of(names: &'t Analysis<'t>) -> Self {
        let functions = names.functions().iter().filter_map(reported);
        let types = names.tree().nodes().filter_map(|node| match node.syntax() {
            Syntax::Item(item) => Some((node.range().end, written(item)?)),
            _ => None,
        });
        let mut pieces: Vec<Piece> = functions.chain(types).map(|(at, text)| Piece { at, text, range: 0..0 }).collect();
        pieces.sort_by_key(|piece| piece.at);
        Self { tree: names.tree(), pieces }
    }

    /// The program that reports.
    #[must_use]
    pub fn program(&mut self) -> String {
        let text = permitted(self.tree);
        let (mut out, mut at) = (String::with_capacity(text.len() * 2), 0);
        for piece in &mut self.pieces {
            out.push_str(&text[at..piece.at]);
            at = piece.at;
            piece.range = out.len()..out.len() + piece.text.len();
            out.push_str(&piece.text);
        }
        out.push_str(&text[at..]);
        let moved = add_reports(&mut out, 1);
        self.pieces.iter_mut().for_each(|piece| piece.range = moved.range(&piece.range));
        let moved = add_runtime(&mut out, "mcve_calls", CALLS);
        self.pieces.iter_mut().for_each(|piece| piece.range = moved.range(&piece.range));
        out
    }

    /// Removes the pieces that the compiler's errors at `errors` are in, bytes of the program that reports. Returns whether there are
    /// any.
    pub fn remove(&mut self, errors: &[Range<usize>]) -> bool {
        let before = self.pieces.len();
        let is_wrong = |piece: &Piece| {
            errors
                .iter()
                .any(|error| error.start < piece.range.end && piece.range.start < error.end.max(error.start + 1))
        };
        self.pieces.retain(|piece| !is_wrong(piece));
        self.pieces.len() < before
    }
}

/// A report of the calls of a function: at its body a wrapper around the function, which gets another name.
fn reported(function: &Function<'_>) -> Option<(usize, String)> {
    let Function { node, signature, home } = function;
    let is_plain = signature.constness.is_none()
        && signature.asyncness.is_none()
        && !node.text_at(range(*signature)).contains("unsafe ");
    let is_inside = |node: Node<'_>| matches!(node.syntax(), Syntax::Stmt(_) | Syntax::Expr(_));
    if !is_plain || signature.abi.is_some() || node.ancestors().any(is_inside) || is_entry(*node) {
        return None;
    }
    let body = body(*node)?;
    let name = signature.ident.to_string();
    let (path, inner) = match home {
        Home::Module => (name.clone(), format!("mcve_{name}")),
        Home::Type(ty) => (format!("{ty}::{name}"), format!("Self::mcve_{name}")),
        Home::Trait(_) => return None,
    };
    let arguments: Option<Vec<String>> = signature.inputs.iter().map(argument).collect();
    let arguments = arguments?;
    let values: Vec<String> = arguments.iter().map(|name| value(&format!("&{name}"))).collect();
    let whole = range(signature);
    let ident = range(&signature.ident);
    let text = node.source_text();
    let renamed = format!("{}mcve_{}", &text[whole.start..ident.start], &text[ident.start..whole.end]);
    let report = format!(
        "{{ {TRAITS} let mcve_call = crate::mcve_calls::call({path:?}, &[{}]); let mcve_value = {inner}({}); \
         crate::mcve_calls::returned(mcve_call, {}); mcve_value }} {renamed} ",
        values.join(", "),
        arguments.join(", "),
        value("&mcve_value"),
    );
    Some((body.start, report))
}

/// The name of a parameter; none for a pattern.
fn argument(input: &FnArg) -> Option<String> {
    match input {
        FnArg::Receiver(_) => Some("self".to_owned()),
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.to_string()),
            _ => None,
        },
    }
}

/// Code that writes what is borrowed by `borrow`.
fn value(borrow: &str) -> String {
    format!("(&crate::mcve_calls::Value({borrow})).written()")
}

/// Whether it is the `main` of a program, or a test.
fn is_entry(node: Node<'_>) -> bool {
    let Syntax::Item(Item::Fn(function)) = node.syntax() else { return false };
    function.sig.ident == "main"
        || function
            .attrs
            .iter()
            .any(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "test"))
}

/// The bytes of the body of a function.
fn body(node: Node<'_>) -> Option<Range<usize>> {
    match node.syntax() {
        Syntax::Item(Item::Fn(function)) => Some(range(&*function.block)),
        Syntax::ImplItem(syn::ImplItem::Fn(function)) => Some(range(&function.block)),
        _ => None,
    }
}

/// An impl by which values of a type are written.
fn written(item: &Item) -> Option<String> {
    let (name, generics, arms) = match item {
        Item::Struct(item) => (&item.ident, &item.generics, arm(&item.ident.to_string(), "Self", &item.fields)),
        Item::Enum(item) => {
            let arms = item.variants.iter().map(|variant| {
                arm(&format!("{}::{}", item.ident, variant.ident), &format!("Self::{}", variant.ident), &variant.fields)
            });
            (&item.ident, &item.generics, arms.collect())
        }
        _ => return None,
    };
    let lifetimes = lifetimes(generics)?;
    Some(format!(
        " impl{lifetimes} crate::mcve_calls::Literal for {name}{lifetimes} {{ \
         fn literal(&self) -> ::std::option::Option<::std::string::String> {{ {TRAITS} match self {{ {arms} }} }} }}"
    ))
}

/// The lifetimes of a type in brackets, where it has no other parameters.
fn lifetimes(generics: &Generics) -> Option<String> {
    let name = |param: &GenericParam| match param {
        GenericParam::Lifetime(param) => Some(param.lifetime.to_string()),
        _ => None,
    };
    let names: Option<Vec<String>> = generics.params.iter().map(name).collect();
    let names = names?;
    Some(if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) })
}

/// The arm that writes a struct or a variant whose name is `name`.
fn arm(name: &str, pattern: &str, fields: &Fields) -> String {
    let bound: Vec<String> = (0..fields.len()).map(|index| format!("mcve_{index}")).collect();
    let values: Vec<String> = bound.iter().map(|name| format!("{}?", value(name))).collect();
    let (pattern, form) = match fields {
        Fields::Unit => {
            return format!("{pattern} => ::std::option::Option::Some(::std::string::String::from({name:?})), ");
        }
        Fields::Unnamed(_) => {
            let holes = vec!["{}"; fields.len()].join(", ");
            (format!("{pattern}({})", bound.join(", ")), format!("{name}({holes})"))
        }
        Fields::Named(_) => {
            let names: Vec<String> =
                fields.iter().filter_map(|field| Some(field.ident.as_ref()?.to_string())).collect();
            let patterns: Vec<String> =
                names.iter().zip(&bound).map(|(name, bound)| format!("{name}: {bound}")).collect();
            let forms: Vec<String> = names.iter().map(|name| format!("{name}: {{}}")).collect();
            (format!("{pattern} {{ {} }}", patterns.join(", ")), format!("{name} {{{{ {} }}}}", forms.join(", ")))
        }
    };
    format!("{pattern} => ::std::option::Option::Some(::std::format!({form:?}, {})), ", values.join(", "))
}

/// The calls that return something else in the failing run than in the passing one, for the same arguments, or that do not return;
/// each with the call of the passing run. The innermost comes first.
#[must_use]
pub fn wrong_calls(failing: &str, passing: &str) -> Vec<(Call, Call)> {
    let mut known: HashMap<String, Call> = HashMap::new();
    for call in calls(passing).into_iter().filter(|call| call.returned.is_some()) {
        known.entry(call.text.clone()).or_insert(call);
    }
    let mut wrong: Vec<(Call, Call)> = Vec::new();
    for call in calls(failing) {
        let Some(right) = known.get(&call.text) else { continue };
        let is_written =
            call.returned.as_deref() != Some("") && (call.returned.is_none() || right.returned.as_deref() != Some(""));
        let is_new = wrong.iter().all(|(other, _)| *other != call);
        if is_written && call.returned != right.returned && is_new {
            wrong.push((call, right.clone()));
        }
    }
    wrong.truncate(MOST);
    wrong
}

/// The calls that a run reports, in the order in which they return. Those that do not come last, the innermost of them first.
fn calls(reported: &str) -> Vec<Call> {
    let (mut open, mut done): (Vec<(&str, String)>, Vec<Call>) = (Vec::new(), Vec::new());
    for line in reported.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["call", number, function, ref arguments @ ..] => {
                open.push((number, format!("{function}({})", arguments.join(", "))));
            }
            ["return", number, value] => {
                if let Some(index) = open.iter().rposition(|(own, _)| *own == number) {
                    done.push(Call { text: open.remove(index).1, returned: Some(value.to_owned()) });
                }
            }
            _ => {}
        }
    }
    done.extend(open.into_iter().rev().map(|(_, text)| Call { text, returned: None }));
    done
}

/// The programs whose `main`, or whose test of this name, makes just the call that is `wrong`, and asserts what it returns where it is
/// `right`: the shortest first. Not each of them compiles.
#[must_use]
pub fn carved(tree: &Tree<'_>, test: Option<&str>, wrong: &Call, right: &Call) -> Vec<String> {
    let is_meant = |node: &Node<'_>| match node.syntax() {
        Syntax::Item(Item::Fn(function)) => is_entry(*node) && function.sig.ident == test.unwrap_or("main"),
        _ => false,
    };
    let Some(entry) = tree.nodes().find(is_meant) else { return Vec::new() };
    let Syntax::Item(Item::Fn(function)) = entry.syntax() else { return Vec::new() };
    let text = &wrong.text;
    let statements = match (&wrong.returned, &right.returned) {
        (Some(wrong), Some(right)) => {
            let whole = format!("assert_eq!({text}, {right});");
            let part = different_part(wrong, right).map(|(part, value)| format!("assert_eq!({text}{part}, {value});"));
            // Not each type can be compared.
            let mut both: Vec<String> = [whole].into_iter().chain(part).collect();
            if right.len() > LONG {
                both.reverse();
            }
            both
        }
        _ => vec![format!("{text};")],
    };
    // It returns nothing.
    let begin = match &function.sig.output {
        ReturnType::Default => range(&*function.block).start,
        output @ ReturnType::Type(..) => range(output).start,
    };
    let with = |statement: String| {
        let mut program = tree.source().text().to_owned();
        program.replace_range(begin..range(&*function.block).end, &format!("{{ {statement} }}"));
        program
    };
    statements.into_iter().map(with).collect()
}

/// The innermost part in which two values differ, as what stands behind the value, and that part of the other one.
fn different_part(wrong: &str, right: &str) -> Option<(String, String)> {
    let [wrong, right] = [wrong, right].map(syn::parse_str::<Expr>);
    let (mut wrong, mut right) = (wrong.ok()?, right.ok()?);
    let mut part = String::new();
    while let Some((access, one, other)) = different_child(&wrong, &right) {
        part += &access;
        (wrong, right) = (one, other);
    }
    (!part.is_empty()).then(|| (part, right.to_token_stream().to_string()))
}

/// The first child in which two values of the same form differ, and how it is accessed.
fn different_child(wrong: &Expr, right: &Expr) -> Option<(String, Expr, Expr)> {
    let indexed = |one: Vec<Expr>, other: Vec<Expr>, access: &dyn Fn(usize) -> String| {
        if one.len() != other.len() {
            return None;
        }
        let index = one.iter().zip(&other).position(|(one, other)| one != other)?;
        Some((access(index), one[index].clone(), other[index].clone()))
    };
    let all = |list: &Punctuated<Expr, Token![,]>| list.iter().cloned().collect::<Vec<_>>();
    match (wrong, right) {
        (Expr::Struct(one), Expr::Struct(other)) if one.path == other.path && one.path.segments.len() == 1 => {
            let (one, other) = (one.fields.iter(), other.fields.iter());
            let (one, other) = one.zip(other).find(|(one, other)| one.expr != other.expr)?;
            Some((format!(".{}", one.member.to_token_stream()), one.expr.clone(), other.expr.clone()))
        }
        (Expr::Call(one), Expr::Call(other)) if one.func == other.func => {
            let access = match &*one.func.to_token_stream().to_string() {
                "Some" | "Ok" => ".unwrap()",
                "Err" => ".unwrap_err()",
                path if path.contains("::") => return None,
                _ => "",
            };
            let access = |index: usize| if access.is_empty() { format!(".{index}") } else { access.to_owned() };
            indexed(all(&one.args), all(&other.args), &access)
        }
        (Expr::Macro(one), Expr::Macro(other)) => {
            let elements = |expr: &ExprMacro| expr.mac.parse_body_with(Punctuated::parse_terminated).ok();
            indexed(all(&elements(one)?), all(&elements(other)?), &|index| format!("[{index}]"))
        }
        (Expr::Array(one), Expr::Array(other)) => {
            indexed(all(&one.elems), all(&other.elems), &|index| format!("[{index}]"))
        }
        (Expr::Tuple(one), Expr::Tuple(other)) => {
            indexed(all(&one.elems), all(&other.elems), &|index| format!(".{index}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Source;

    #[test]
    fn functions_report_their_calls_and_types_are_written() {
        let text = "struct S<'a>(&'a str); impl<'a> S<'a> { fn f(&self, mut n: u8) -> u8 { n } } enum E { A, B { c: u8 } } fn main() {}";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let mut carving = Carving::of(&names);
        let program = carving.program();
        for part in [
            "(&self, mut n: u8) -> u8 { use",
            "call(\"S::f\", &[(&crate::mcve_calls::Value(&self)).written(), (&crate::mcve_calls::Value(&n)).written()])",
            "Self::mcve_f(self, n)",
            "fn mcve_f(&self, mut n: u8) -> u8 { n }",
            "impl<'a> crate::mcve_calls::Literal for S<'a>",
            "Self::B { c: mcve_0 } =>",
        ] {
            assert!(program.contains(part), "{part}: {program}");
        }
        let error = program.find("Self::mcve_f").expect("it is there");
        assert!(carving.remove(std::slice::from_ref(&(error..error + 1))) && !carving.program().contains("fn mcve_f"));
        syn::parse_file(&carving.program()).expect("it is Rust");
    }

    #[test]
    fn the_innermost_call_that_returns_something_else_is_wrong() {
        let failing = "@1\ncall\t0\tf\t1\ncall\t1\tg\t\"a\"\t2\nreturn\t1\t5\nreturn\t0\t6\ncall\t2\th\t\n";
        let passing = failing.replace("return\t1\t5", "return\t1\t4").replace("return\t0\t6", "return\t0\t7");
        let call =
            |text: &str, returned: Option<&str>| Call { text: text.to_owned(), returned: returned.map(str::to_owned) };
        assert_eq!(
            wrong_calls(failing, &format!("{passing}return\t2\t()\n")),
            [
                (call("g(\"a\", 2)", Some("5")), call("g(\"a\", 2)", Some("4"))),
                (call("f(1)", Some("6")), call("f(1)", Some("7"))),
                (call("h()", None), call("h()", Some("()"))),
            ]
        );
    }

    #[test]
    fn the_test_makes_just_the_call() {
        let source = Source::parse("fn f() -> Result<u8, E> { g() } #[test] fn t() -> X { a(); b()? }");
        let tree = Tree::new(&source);
        let call = |returned: &str| Call { text: "f()".to_owned(), returned: Some(returned.to_owned()) };
        let made = carved(&tree, Some("t"), &call("Ok(1)"), &call("Ok(2)"));
        let begin = "fn f() -> Result<u8, E> { g() } #[test] fn t() ";
        let of = |statement: &str| format!("{begin}{{ {statement} }}");
        assert_eq!(made, ["assert_eq!(f(), Ok(2));", "assert_eq!(f().unwrap(), 2);"].map(of));
    }

    #[test]
    fn values_differ_in_a_part() {
        for (wrong, right, part, value) in [
            ("A { b: 1, c: vec![(2, 3)] }", "A { b: 1, c: vec![(2, 4)] }", ".c[0].1", "4"),
            ("Some(Q([1]))", "Some(Q([2]))", ".unwrap().0[0]", "2"),
            ("Err(1)", "Err(2)", ".unwrap_err()", "2"),
        ] {
            assert_eq!(different_part(wrong, right), Some((part.to_owned(), value.to_owned())), "{wrong}");
        }
        for (wrong, right) in [("1", "2"), ("E::A(1)", "E::A(2)"), ("Some(1)", "None"), ("[1]", "[1, 2]")] {
            assert_eq!(different_part(wrong, right), None, "{wrong}");
        }
    }
}
