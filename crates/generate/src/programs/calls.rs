//! Calls: of functions, of methods, of closures, through trait objects; and constants of traits.

use super::callees::Callee;
use super::code::Code;
use super::expressions::DEPTH;
use super::scope::LocalKind;
use super::traits::METHOD_COST;
use super::types::Type;
use super::world::Param;
use super::writer::{Writer, pick};
use crate::choices::{Choices, Halt};

impl Writer {
    /// A call that returns a `ty`.
    pub(super) fn call(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        let callee = pick(c, "callee", self.callees(ty))?;
        self.call_callee(c, callee, ty, depth)
    }

    fn call_callee(&mut self, c: &mut Choices, callee: Callee, ty: &Type, depth: usize) -> Result<Code, Halt> {
        match callee {
            Callee::Nothing => self.literal(c, ty),
            Callee::Function(function, found) => self.call_function(c, function, found, depth),
            Callee::Closure(name, params, cost) => {
                self.body.spend(cost);
                let mut texts = Vec::new();
                for (number, ty) in params.iter().enumerate() {
                    let argument = c.group(&format!("argument-{number}"), |c| self.expression(c, ty, depth))?;
                    texts.push(argument.text().to_owned());
                }
                Ok(Code::atomic(format!("{name}({})", texts.join(", "))))
            }
            Callee::TraitMethod(of, method, receiver) => {
                self.body.spend(METHOD_COST);
                let path = self.path(&self.world.traits[of].place);
                let held = self.body.hold(&receiver);
                let arguments = self.arguments(c, &method.params, &[], depth)?;
                self.body.release(held);
                let words: Vec<String> = std::iter::once(receiver).chain(arguments).collect();
                Ok(Code::atomic(format!("{path}::{}({})", method.name, words.join(", "))))
            }
            Callee::Dyn(of, method, made_of) => {
                self.body.spend(METHOD_COST);
                let path = self.path(&self.world.traits[of].place);
                let value = self.expression(c, &made_of, depth.min(1))?;
                let arguments = self.arguments(c, &method.params, &[], depth)?;
                let object = format!("&*(Box::new({}) as Box<dyn {path}>)", value.text());
                let words: Vec<String> = std::iter::once(object).chain(arguments).collect();
                Ok(Code::atomic(format!("{path}::{}({})", method.name, words.join(", "))))
            }
            Callee::Method(method, receiver) => {
                self.body.spend(METHOD_COST);
                let held = self.body.hold(&receiver);
                let arguments = self.arguments(c, &method.params, &[], depth)?;
                self.body.release(held);
                Ok(Code::atomic(format!("{receiver}.{}({})", method.name, arguments.join(", "))))
            }
            Callee::Constant(of, target) => {
                let of = &self.world.traits[of];
                let name = of.constant.as_ref().map_or("", |(name, _)| name);
                Ok(Code::atomic(format!("<{} as {}>::{name}", self.ty(&target), self.path(&of.place))))
            }
        }
    }

    /// The arguments for parameters, with the types of type parameters in `found`.
    fn arguments(
        &mut self,
        c: &mut Choices,
        params: &[Param],
        found: &[(String, Type)],
        depth: usize,
    ) -> Result<Vec<String>, Halt> {
        let (mut texts, mut held) = (Vec::new(), Vec::new());
        for param in params {
            let ty = param.ty.with(found);
            let value = c.group(&format!("argument-{}", param.name), |c| self.expression(c, &ty, depth))?;
            if param.is_reference {
                // Later arguments are evaluated while it is borrowed.
                held.push(self.body.hold(value.text()));
            }
            texts.push(if param.is_reference { format!("&{}", value.operand()) } else { value.text().to_owned() });
        }
        held.into_iter().rev().for_each(|held| self.body.release(held));
        Ok(texts)
    }

    /// A call of a function. `found` has the types of type parameters that are fixed.
    pub(super) fn call_function(
        &mut self,
        c: &mut Choices,
        number: usize,
        mut found: Vec<(String, Type)>,
        depth: usize,
    ) -> Result<Code, Halt> {
        let function = self.world.functions[number].clone();
        self.body.spend(function.cost);
        let mut generics = Vec::new();
        for generic in &function.generics {
            if !found.iter().any(|(name, _)| *name == generic.name) {
                let types = self.bounded(generic.bound).into_iter().map(|ty| (1, self.ty(&ty), ty)).collect();
                let ty = pick(c, &format!("type-{}", generic.name), types)?;
                found.push((generic.name.clone(), ty));
            }
            generics.extend(found.iter().find(|(name, _)| *name == generic.name).map(|(_, ty)| self.ty(ty)));
        }
        if let Some(constant) = &function.constant {
            generics.push(c.group(&format!("const-{constant}"), |c| c.range("number", 0..=9))?.to_string());
        }
        let generics = if generics.is_empty() { String::new() } else { format!("::<{}>", generics.join(", ")) };
        let arguments = self.arguments(c, &function.signature.params, &found, depth)?.join(", ");
        let call = format!("{}{generics}({arguments})", self.path(&function.place));
        Ok(match (function.is_async, self.body.is_async) {
            (true, true) => Code::atomic(format!("{call}.await")),
            (true, false) => self.run_future(&call),
            (false, _) if function.returns_reference => Code::atomic(format!("{call}.clone()")),
            (false, _) => Code::atomic(call),
        })
    }

    /// A call of a method of a trait object.
    pub(super) fn call_object(&mut self, c: &mut Choices, depth: usize) -> Result<Code, Halt> {
        let nothing = (0, "nothing".to_owned(), Callee::Nothing);
        let callees = std::iter::once(nothing).chain(self.objects()).collect();
        let callee = pick(c, "object", callees)?;
        self.call_callee(c, callee, &Type::Unit, depth)
    }

    /// A closure expression with parameters of these names and types. It is called this many times.
    pub(super) fn closure(
        &mut self,
        c: &mut Choices,
        params: &[(&str, &Type)],
        returns: &Type,
        depth: usize,
        calls: u64,
    ) -> Result<String, Halt> {
        c.group("closure", |c| {
            let takes = c.flip("move", 30)?;
            let inner = self.body.inner(returns.clone(), |local| {
                let is_closure = matches!(local.kind, LocalKind::Closure(..));
                !takes || !is_closure && self.world.is_copy(&local.ty) || matches!(local.kind, LocalKind::Reference)
            });
            let outer = std::mem::replace(&mut self.body, inner);
            let left = outer.limit.saturating_sub(outer.cost) / outer.times;
            self.body.limit = left / (2 * calls.max(1));
            let mut texts = Vec::new();
            for (prefix, ty) in params {
                let name = self.name(c, prefix)?;
                texts.push(format!("{name}: {}", self.ty(ty)));
                self.body.add(&name, ty, LocalKind::Value);
            }
            let block = self.block(c, returns, depth.min(DEPTH))?;
            let cost = self.body.cost + 1;
            self.body = outer;
            self.body.spend(cost * calls);
            let takes = if takes { "move " } else { "" };
            Ok(format!("{takes}|{}| -> {} {block}", texts.join(", "), self.ty(returns)))
        })
    }

    /// A closure that is called in place.
    pub(super) fn called_closure(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        let of = self.some_type(c, 1)?;
        let argument = self.expression(c, &of, depth)?;
        let closure = self.closure(c, &[("a", &of)], ty, depth, 1)?;
        Ok(Code::atomic(format!("({closure})({})", argument.text())))
    }
}
