//! Instruments a program so that its functions report their calls as Rust, for [`wrong_calls`](super::carved::wrong_calls).

use std::ops::Range;

use quote::ToTokens;
use syn::{Fields, FnArg, GenericParam, Generics, Item, Pat, ReceiverKind, ReturnType, Type};

use super::runtime::{add_reports, add_runtime, permitted};
use crate::names::Analysis;
use crate::names::functions::{Function, Home};
use crate::syntax::attributes::is_entry;
use crate::syntax::surroundings::body;
use crate::syntax::{Node, Syntax, Tree, range};

/// The module that reports calls; it is added to the program.
const CALLS: &str = include_str!("runtime/calls.rs");

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

impl<'t> Carving<'t> {
    /// The program of these names with a report in each function, but not in its `main` and its tests.
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
    let path = path(function)?;
    let inner = if *home == Home::Module { format!("mcve_{name}") } else { format!("Self::mcve_{name}") };
    let arguments: Option<Vec<String>> = signature.inputs.iter().map(argument).collect();
    let arguments = arguments?;
    let of_argument = |name: &String| value(&format!("&{name}"));
    let values: Vec<String> = arguments.iter().map(of_argument).collect();
    let is_left = |(input, _): &(&FnArg, &String)| is_changed(input) && returns_no_borrow(&signature.output);
    let left = signature.inputs.iter().zip(&arguments).filter(is_left).map(|(_, name)| of_argument(name));
    let returned: Vec<String> = std::iter::once(value("&mcve_value")).chain(left).collect();
    let whole = range(signature);
    let ident = range(&signature.ident);
    let text = node.source_text();
    let renamed = format!("{}mcve_{}", &text[whole.start..ident.start], &text[ident.start..whole.end]);
    let report = format!(
        "{{ {TRAITS} let mcve_call = crate::mcve_calls::call({path:?}, &[{}]); let mcve_value = {inner}({}); \
         crate::mcve_calls::returned(mcve_call, &[{}]); mcve_value }} {renamed} ",
        values.join(", "),
        arguments.join(", "),
        returned.join(", "),
    );
    Some((range(body).start, report))
}

/// How a function is called in its own module; none for one of a trait.
pub(super) fn path(function: &Function<'_>) -> Option<String> {
    let name = &function.signature.ident;
    match &function.home {
        Home::Module => Some(name.to_string()),
        Home::Type(ty) => Some(format!("{ty}::{name}")),
        Home::Trait(_) => None,
    }
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

/// Whether the caller sees what a call leaves in this argument.
fn is_changed(input: &FnArg) -> bool {
    match input {
        FnArg::Receiver(receiver) => matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_))),
        FnArg::Typed(input) => matches!(&*input.ty, Type::Reference(ty) if ty.mutability.is_some()),
    }
}

/// Whether a result borrows from no argument.
fn returns_no_borrow(output: &ReturnType) -> bool {
    let text = output.to_token_stream().to_string();
    !text.contains(['&', '\'']) && !text.contains("impl ")
}

/// Code that writes what is borrowed by `borrow`.
fn value(borrow: &str) -> String {
    format!("(&crate::mcve_calls::Value({borrow})).written()")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Source;

    #[test]
    fn functions_report_their_calls_and_types_are_written() {
        let text = "struct S<'a>(&'a str); impl<'a> S<'a> { fn f(&self, mut n: u8) -> u8 { n } } enum E { A, B { c: u8 } } fn g(m: &mut E) {} fn main() {}";
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
            "returned(mcve_call, &[(&crate::mcve_calls::Value(&mcve_value)).written(), (&crate::mcve_calls::Value(&m)).written()])",
            "impl<'a> crate::mcve_calls::Literal for S<'a>",
            "Self::B { c: mcve_0 } =>",
        ] {
            assert!(program.contains(part), "{part}: {program}");
        }
        let error = program.find("Self::mcve_f").expect("it is there");
        assert!(carving.remove(std::slice::from_ref(&(error..error + 1))) && !carving.program().contains("fn mcve_f"));
        syn::parse_file(&carving.program()).expect("it is Rust");
    }
}
