//! The oracle of a reason that rustc does not say. Web frameworks ask for handlers whose future is `Send`. If a handler holds a guard
//! across an await, rustc only says that it does not implement the trait. This oracle adds a function that sends the future to another
//! thread, and rustc then says why that cannot be.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use mcve_transforms::{Source, Syntax, Tree};
use regex::Regex;
use syn::{Item, ItemFn};

use super::diagnostic::DiagnosticOracle;
use super::diagnostics::{Diagnostic, Stderr};
use super::fingerprint::FailureId;
use super::judge::{Advice, Oracle, Properties};
use super::rustc::Rustc;
use super::verdict::Verdict;
use crate::exec::job::{Job, JobResult};
use crate::program::Program;

/// How rustc begins to say that a future is not `Send`, and ends it.
const NOT_SEND: &str = "cannot be sent between threads safely";

/// A function whose future lacks a trait, as rustc prints its type.
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"-> impl Future<.*\{(?:\w+::)*(\w+)\}: ").expect("the regex is valid"));

/// Does rustc still say why the future of a function is not `Send`, once it is asked? It is a condition of the oracle of the error that
/// names the function.
#[derive(Clone, Debug)]
pub struct ReasonOracle {
    /// The error that names the function.
    pub error: DiagnosticOracle,
    /// What rustc says of the program in which the future is sent.
    pub reason: DiagnosticOracle,
}

impl ReasonOracle {
    /// The program that asks whether the future of the function that `error` is about is `Send`; none where the error is about no such
    /// function, or the program has several of its name.
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

    /// What rustc says of a program that asks, if it says that something cannot be sent.
    #[must_use]
    pub fn is_answer(said: &Diagnostic) -> bool {
        said.message.ends_with(NOT_SEND)
    }

    /// The same by another way of running rustc.
    #[must_use]
    pub fn by(self, rustc: Rustc) -> Self {
        Self {
            error: DiagnosticOracle { rustc: rustc.clone(), ..self.error },
            reason: DiagnosticOracle { rustc, ..self.reason },
        }
    }
}

/// An item that sends the future of `function`.
fn sent(function: &ItemFn) -> String {
    let (name, count) = (&function.sig.ident, function.sig.inputs.len());
    let arguments = vec!["::core::todo!()"; count].join(", ");
    format!(
        " const _: () = {{ fn needs_send<T: ::core::marker::Send>(_: T) {{}} fn asks() {{ needs_send({name}({arguments})) }} }};"
    )
}

impl Oracle for ReasonOracle {
    /// That of the error, which does not say why.
    fn job(&self, program: &Program) -> Job {
        self.error.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        self.reason.verdict(result)
    }

    fn failure(&self) -> FailureId {
        format!("the reason: {}", self.reason.failure().words).into()
    }

    /// The command that shows the error is enough.
    fn command(&self, _: &Program, _: &Path) -> String {
        String::new()
    }

    fn advice(&self) -> &dyn Advice {
        self
    }
}

impl Advice for ReasonOracle {
    fn properties(&self) -> Properties {
        Properties { runs_candidates: self.reason.has_proc_macros, ..Properties::default() }
    }

    fn job_after(&self, program: &Program, first: &JobResult) -> Option<Result<Job, String>> {
        let diagnostics = Stderr::read(&first.stderr).diagnostics;
        let asked =
            self.error.same(&diagnostics, program).into_iter().find_map(|said| Self::asked(program, &said.message));
        Some(asked.map(|asked| self.reason.job(&asked)).ok_or_else(|| "the error is about no future".to_owned()))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(self.clone().by(rustc)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, error: &str, expected: Option<&str>) {
        let asked = ReasonOracle::asked(&Program::new("a.rs", text), error).map(|asked| asked.text.to_string());
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
