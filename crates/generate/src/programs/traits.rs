//! Traits and their impls.

use super::expressions::DEPTH;
use super::scope::{Body, LocalKind};
use super::types::{INTEGERS, Type};
use super::world::{Impl, Param, Signature, Trait};
use super::writer::{BOUNDS, Writer, pick};
use crate::choices::{Choices, Halt};

/// The maximum cost of a method call. No method can afford it, so methods do not call each other.
pub(super) const METHOD_COST: u64 = 100;

impl Writer {
    /// A trait, at first without impls.
    pub(super) fn trait_item(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let place = self.place(c, "R")?;
        let constant = c.optional("constant", 25, |c| {
            let name = self.name(c, "K")?;
            Ok((name, pick(c, "constant-type", INTEGERS.map(|name| (1, name.to_owned(), Type::Int(name))).into())?))
        })?;
        let associated = c.optional("associated", 25, |c| Ok((self.name(c, "A")?, self.name(c, "m")?)))?;
        let methods = c.repeat("methods", 1..=3, |c| {
            let name = self.name(c, "m")?;
            self.body = Body::new(METHOD_COST);
            let params = self.params(c)?;
            let returns = self.some_type(c, 2)?;
            self.body.returns = Some(returns.clone());
            let body = c.optional("default", 30, |c| self.function_body(c, &returns))?;
            Ok((Signature { name, params, returns }, body))
        })?;
        let mut words = Vec::new();
        words.extend(constant.iter().map(|(name, ty)| format!("const {name}: {};", self.ty(ty))));
        words.extend(
            associated
                .iter()
                .map(|(name, method)| format!("type {name}: {BOUNDS}; fn {method}(&self) -> Self::{name};")),
        );
        for (method, body) in &methods {
            let end = body.clone().unwrap_or_else(|| ";".to_owned());
            words.push(format!("{}{end}", self.method_head(method)));
        }
        let text = format!("pub trait {} {{ {} }}", place.name, words.join(" "));
        let provided = methods.iter().map(|(_, body)| body.is_some()).collect();
        let mut methods: Vec<Signature> = methods.into_iter().map(|(method, _)| method).collect();
        methods.extend(associated.iter().map(|(name, method)| Signature {
            name: method.clone(),
            params: Vec::new(),
            returns: Type::Param(format!("Self::{name}")),
        }));
        self.world.traits.push(Trait { place, methods, provided, constant, associated });
        Ok(text)
    }

    fn method_head(&self, method: &Signature) -> String {
        let written: Vec<String> =
            std::iter::once("&self".to_owned()).chain(self.written(&method.params, "")).collect();
        format!("fn {}({}) -> {} ", method.name, written.join(", "), self.ty(&method.returns))
    }

    /// An impl of a trait for a type that does not implement it yet.
    pub(super) fn trait_impl(&mut self, c: &mut Choices) -> Result<String, Halt> {
        self.body = Body::new(METHOD_COST);
        let traits = self.world.traits.iter().enumerate();
        let traits: Vec<(u32, String, usize)> = traits.map(|(number, of)| (1, of.place.name.clone(), number)).collect();
        if traits.is_empty() {
            return Ok(String::new());
        }
        let of = pick(c, "trait", traits)?;
        let plain = [Type::Int("i32"), Type::Bool, Type::Char, Type::Tuple(vec![Type::Bool, Type::Bool])];
        let data = (0..self.world.data.len()).map(|number| Type::Data(number, Vec::new()));
        let targets: Vec<(u32, String, Type)> = plain
            .into_iter()
            .chain(data)
            .filter(|ty| self.world.implementation(of, ty).is_none())
            .map(|ty| match &ty {
                Type::Data(number, _) => (4, self.world.data[*number].place.name.clone(), ty),
                _ => (1, self.ty(&ty), ty),
            })
            .collect();
        if targets.is_empty() {
            return Ok(String::new());
        }
        let target = pick(c, "target", targets)?;
        let path = self.path(&self.world.traits[of].place);
        let (head, target) = match target {
            Type::Data(number, _) => self.impl_head(number, Some(&path)),
            plain => (format!("impl {path} for {}", self.ty(&plain)), plain),
        };
        let known = self.world.traits[of].clone();
        let mut words = Vec::new();
        if let Some((name, ty)) = &known.constant {
            let value = c.group(&format!("constant-{name}"), |c| {
                let generics = self.body.generics.clone();
                self.body = Body::new(METHOD_COST);
                self.body.is_const = true;
                let value = self.expression(c, ty, DEPTH - 1);
                self.body = Body { generics, ..Body::new(METHOD_COST) };
                value
            })?;
            words.push(format!("const {name}: {} = {};", self.ty(ty), value.text()));
        }
        let mut associated = None;
        let generics = self.body.generics.clone();
        if let Some((name, method)) = &known.associated {
            // It must not depend on the arguments of the target.
            self.body.generics.clear();
            let ty = c.group(&format!("associated-{name}"), |c| self.some_type(c, 2))?;
            self.body.generics.clone_from(&generics);
            let maker = Signature { name: method.clone(), params: Vec::new(), returns: ty.clone() };
            words.push(format!("type {name} = {};", self.ty(&ty)));
            words.push(self.implemented(c, &maker, &target, &generics)?);
            associated = Some(ty);
        }
        for (method, is_provided) in known.methods.iter().zip(&known.provided) {
            let place = format!("method-{}", method.name);
            let text = if *is_provided {
                c.optional(&place, 50, |c| self.implemented(c, method, &target, &generics))?
            } else {
                Some(c.group(&place, |c| self.implemented(c, method, &target, &generics))?)
            };
            words.extend(text);
        }
        self.world.impls.push(Impl { of, target, associated });
        Ok(format!("{head} {{ {} }}", words.join(" ")))
    }

    fn implemented(
        &mut self,
        c: &mut Choices,
        method: &Signature,
        target: &Type,
        generics: &[(String, Option<usize>)],
    ) -> Result<String, Halt> {
        self.body = Body { generics: generics.to_vec(), ..Body::new(METHOD_COST) };
        self.body.add("self", target, LocalKind::Reference);
        for Param { name, ty, is_reference } in &method.params {
            self.body.add(name, ty, if *is_reference { LocalKind::Reference } else { LocalKind::Value });
        }
        self.body.returns = Some(method.returns.clone());
        let body = self.function_body(c, &method.returns)?;
        Ok(format!("{}{body}", self.method_head(method)))
    }
}
