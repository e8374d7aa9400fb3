//! Asks rustc for a reason that it does not give.
//!
//! Web frameworks take handlers whose future is `Send`. If a handler holds a guard across an await, rustc only says that it
//! does not implement the trait. A function that sends the future to another thread makes rustc say why that is impossible.

use std::sync::LazyLock;

use mcve_transforms::{Source, Syntax, Tree};
use regex::Regex;
use syn::{Item, ItemEnum, ItemFn, ItemStruct};

use crate::program::Program;

/// The end of the message by which rustc says that a future is not `Send`.
pub(crate) const NOT_SEND: &str = "cannot be sent between threads safely";

/// A function whose future lacks a trait, as rustc prints its type.
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"-> impl Future<.*\{(?:\w+::)*(\w+)\}: ").expect("the regex is valid"));

/// The program with an item more, to find out why it has `error`. Without a number, the item needs the future of the function
/// that the error names to be `Send`. With one, it implements a trait that a type in the error may lack; the number counts the
/// types and the traits. Returns none if no such function or type is found, or several functions have that name.
pub fn asked(program: &Program, error: &str, lacking: Option<usize>) -> Option<Program> {
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    if let Some(number) = lacking {
        return implemented(program, &tree, error, number);
    }
    let name = FUNCTION.captures(error)?.get(1)?.as_str();
    let mut functions = tree.nodes().filter_map(|node| match node.syntax() {
        Syntax::Item(Item::Fn(function)) if function.sig.ident == name => Some((function, node.range().end)),
        _ => None,
    });
    let (function, end) = functions.next()?;
    let mut text = program.text.to_string();
    text.insert_str(end, &sent(function));
    functions.next().is_none().then(|| program.with_text(text))
}

/// What a type `T` may lack without a word of rustc, where a macro made several implementations of the trait in the error.
pub(super) const LACKING: [(&str, &str); 4] = [
    ("no `Clone`", " impl ::core::clone::Clone for T { fn clone(&self) -> Self { loop {} } }"),
    ("no `Default`", " impl ::core::default::Default for T { fn default() -> Self { loop {} } }"),
    ("no `Send`", " unsafe impl ::core::marker::Send for T {}"),
    ("no `Sync`", " unsafe impl ::core::marker::Sync for T {}"),
];

/// The program in which a type that `error` names has what it may lack. None if there is no such type.
fn implemented(program: &Program, tree: &Tree<'_>, error: &str, number: usize) -> Option<Program> {
    let words = error.split_once("<_")?.0.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut types = words.filter_map(|word| {
        let is_it = |item: &Item| match item {
            Item::Struct(ItemStruct { ident, .. }) | Item::Enum(ItemEnum { ident, .. }) => ident == word,
            _ => false,
        };
        let item = tree.nodes().find(|node| matches!(node.syntax(), Syntax::Item(item) if is_it(item)))?;
        Some((word, item.range().end))
    });
    let (name, end) = types.nth(number / LACKING.len())?;
    let mut text = program.text.to_string();
    text.insert_str(end, &LACKING[number % LACKING.len()].1.replace('T', name));
    Some(program.with_text(text))
}

/// An item that sends the future of `function`.
fn sent(function: &ItemFn) -> String {
    let (name, count) = (&function.sig.ident, function.sig.inputs.len());
    let arguments = vec!["::core::todo!()"; count].join(", ");
    format!(
        " const _: () = {{ fn needs_send<T: ::core::marker::Send>(_: T) {{}} fn asks() {{ needs_send({name}({arguments})) }} }};"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, error: &str, expected: Option<&str>) {
        let asked = asked(&Program::new("a.rs", text), error, None).map(|asked| asked.text.to_string());
        let call = |asked: &String| {
            asked.split("needs_send(").last().and_then(|rest| rest.split(" }").next().map(str::to_owned))
        };
        assert_eq!(asked.as_ref().and_then(call).as_deref(), expected);
        assert!(asked.is_none_or(|asked| syn::parse_file(&asked).is_ok()));
    }

    #[test]
    fn the_future_of_the_function_that_an_error_names_is_sent() {
        let error =
            "the trait bound `fn(String, u8) -> impl Future<Output = ()> {api::make}: Handler<_, _>` is not satisfied";
        let text = "mod api { pub async fn make(a: String, b: u8) {} } fn main() {}";
        check(text, error, Some("make(::core::todo!(), ::core::todo!()))"));
        check("async fn other() {}", error, None);
        check("mod a { async fn make() {} } mod b { async fn make() {} }", error, None);
        check(text, "the trait bound `fn(String, u8) {api::make}: Handler<_, _>` is not satisfied", None);
        check(text, "the trait bound `A: Handler` is not satisfied", None);
    }

    #[test]
    fn a_type_that_an_error_names_gets_what_it_may_lack() {
        let text = "mod a { pub struct Body; } enum Size { S } fn save(a: a::Body, b: Size) {}";
        let error = "the trait bound `fn(Body, u8, Size) {save}: Handler<_, u8>` is not satisfied";
        let check = |error: &str, number: usize, after: &str, lacking: &str| {
            let asked = asked(&Program::new("a.rs", text), error, Some(number));
            let expected = text.replace(after, &format!("{after}{lacking}"));
            assert_eq!(asked.map_or(text.to_owned(), |asked| asked.text.to_string()), expected);
        };
        let clone = |name: &str| LACKING[0].1.replace('T', name);
        check(error, 0, "pub struct Body;", &clone("Body"));
        check(error, LACKING.len(), "enum Size { S }", &clone("Size"));
        check(error, LACKING.len() - 1, "pub struct Body;", " unsafe impl ::core::marker::Sync for Body {}");
        check(error, 2 * LACKING.len(), "mod", "");
        check("the trait bound `fn(Body): Handler` is not satisfied", 0, "mod", "");
    }
}
