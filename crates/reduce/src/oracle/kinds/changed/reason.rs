//! Asks rustc for a reason that it does not give.
//!
//! Web frameworks take handlers whose future is `Send`. If a handler holds a guard across an await, rustc only says that it
//! does not implement the trait. A function that sends the future to another thread makes rustc say why that is impossible.

use std::sync::LazyLock;

use mcve_transforms::{Source, Syntax, Tree};
use regex::Regex;
use syn::{Item, ItemFn};

use crate::oracle::output::diagnostics::Diagnostic;
use crate::program::Program;

/// The end of the message by which rustc says that a future is not `Send`.
const NOT_SEND: &str = "cannot be sent between threads safely";

/// A function whose future lacks a trait, as rustc prints its type.
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"-> impl Future<.*\{(?:\w+::)*(\w+)\}: ").expect("the regex is valid"));

/// The program with an item that needs the future of the function in `error` to be `Send`. None if the error is about no such
/// function, or the program has several of that name.
#[must_use]
pub fn asked(program: &Program, error: &str) -> Option<Program> {
    let name = FUNCTION.captures(error)?.get(1)?.as_str();
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let mut functions = tree.nodes().filter_map(|node| match node.syntax() {
        Syntax::Item(Item::Fn(function)) if function.sig.ident == name => Some((function, node.range().end)),
        _ => None,
    });
    let (function, end) = functions.next()?;
    let mut text = program.text.to_string();
    text.insert_str(end, &sent(function));
    functions.next().is_none().then(|| program.with_text(text))
}

/// Whether rustc says that something cannot be sent.
pub(crate) fn is_answer(said: &Diagnostic) -> bool {
    said.message.ends_with(NOT_SEND)
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
        let asked = asked(&Program::new("a.rs", text), error).map(|asked| asked.text.to_string());
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
}
