//! Items, modules, and the `main` that uses them.

use super::features::Feature;
use super::scope::Body;
use super::types::Type;
use super::writer::{Writer, pick};
use crate::choices::{Choices, Halt};

/// The maximum nesting of modules.
const NESTING: usize = 2;

/// The maximum number of items in a module.
const INSIDE: usize = 5;

/// The maximum cost of `main`.
const COST: u64 = 100_000;

/// An executor for a future that never waits.
const BLOCK_ON: &str = "pub fn block_on<F: std::future::Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}";

impl Writer {
    /// A whole program.
    pub(super) fn program(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let size = self.settings.size;
        let items = c.repeat("items", size.div_ceil(2)..=size, |c| self.item(c, 0))?.join("\n");
        let main = self.main(c)?;
        let block_on = if self.world.needs_block_on { BLOCK_ON } else { "" };
        Ok(format!(
            "#![allow(unused, irrefutable_let_patterns, overlapping_range_endpoints)]\n{items}\n{block_on}\n{main}"
        ))
    }

    fn item(&mut self, c: &mut Choices, nesting: usize) -> Result<String, Halt> {
        let mut kinds = vec![(0, "nothing"), (6, "function")];
        if self.has(Feature::Structs) {
            kinds.push((3, "struct"));
        }
        if self.has(Feature::Enums) {
            kinds.push((3, "enum"));
        }
        if (self.has(Feature::Structs) || self.has(Feature::Enums)) && !self.world.data.is_empty() {
            kinds.push((3, "impl"));
        }
        if self.has(Feature::Traits) {
            kinds.push((2, "trait"));
            if !self.world.traits.is_empty() {
                kinds.push((9, "trait-impl"));
            }
        }
        if self.has(Feature::Consts) {
            kinds.extend([(2, "constant"), (1, "const-function")]);
        }
        if self.has(Feature::References) {
            kinds.push((1, "borrowing-function"));
        }
        if self.has(Feature::Modules) && nesting < NESTING {
            kinds.push((2, "module"));
        }
        let kinds = kinds.into_iter().map(|(weight, name)| (weight, name.to_owned(), name)).collect();
        match pick(c, "item", kinds)? {
            "function" => self.function(c),
            "struct" => self.structure(c),
            "enum" => self.enumeration(c),
            "impl" => self.inherent_impl(c),
            "trait" => self.trait_item(c),
            "trait-impl" => self.trait_impl(c),
            "constant" => self.constant(c),
            "const-function" => self.const_function(c),
            "borrowing-function" => self.borrowing_function(c),
            "module" => {
                let name = self.name(c, "q")?;
                self.modules.push(name.clone());
                let items = c.repeat("items", 1..=INSIDE, |c| self.item(c, nesting + 1));
                self.modules.pop();
                Ok(format!("pub mod {name} {{ {} }}", items?.join("\n")))
            }
            _ => Ok(String::new()),
        }
    }

    /// Statements, followed by a call of each function that can be called from here.
    fn main(&mut self, c: &mut Choices) -> Result<String, Halt> {
        self.body = Body::new(COST);
        let statements = self.statements(c, 1..=4, 2)?;
        let mut calls = Vec::new();
        for number in 0..self.world.functions.len() {
            let function = &self.world.functions[number];
            let is_callable = function.generics.iter().all(|generic| !self.bounded(generic.bound).is_empty());
            let name = function.place.name.clone();
            if !is_callable || !self.body.affords(function.cost) {
                continue;
            }
            calls.extend(c.optional(&format!("show-{name}"), 70, |c| {
                let call = self.call_function(c, number, Vec::new(), 1)?;
                Ok(format!("println!(\"{name} {{:?}}\", {});", call.text()))
            })?);
        }
        let shown = c.optional("shown", 90, |c| self.expression(c, &Type::Bool, 2))?;
        calls.extend(shown.map(|shown| format!("println!(\"end {{:?}}\", {});", shown.text())));
        Ok(format!("fn main() {{ {statements} {} }}", calls.concat()))
    }
}
