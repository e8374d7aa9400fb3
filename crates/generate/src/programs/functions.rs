//! Functions and constants.

use super::expressions::DEPTH;
use super::features::Feature;
use super::scope::{Body, LocalKind};
use super::types::{INTEGERS, Type, USIZE};
use super::world::{Constant, Function, Generic, Param};
use super::writer::{BOUNDS, Writer, pick};
use crate::choices::{Choices, Halt};

/// The maximum cost of a function call.
const COST: u64 = 2_000;

impl Writer {
    /// Parameters, which are added to the locals.
    pub(super) fn params(&mut self, c: &mut Choices) -> Result<Vec<Param>, Halt> {
        c.repeat("params", 0..=3, |c| {
            let name = self.name(c, "x")?;
            let ty = self.some_type(c, 2)?;
            let is_reference = self.has(Feature::References) && c.optional("reference", 30, |_| Ok(()))?.is_some();
            let kind = if is_reference { LocalKind::Reference } else { LocalKind::Value };
            self.body.add(&name, &ty, kind);
            Ok(Param { name, ty, is_reference })
        })
    }

    /// The source text of parameters.
    pub(super) fn written(&self, params: &[Param], lifetime: &str) -> Vec<String> {
        let reference = |param: &Param| if param.is_reference { format!("&{lifetime}") } else { String::new() };
        params.iter().map(|param| format!("{}: {}{}", param.name, reference(param), self.ty(&param.ty))).collect()
    }

    /// A free function.
    pub(super) fn function(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let place = self.place(c, "f")?;
        self.body = Body::new(COST);
        let generics = if self.has(Feature::Generics) { self.generics(c)? } else { Vec::new() };
        let constant =
            if self.has(Feature::Generics) { c.optional("const-param", 12, |c| self.name(c, "N"))? } else { None };
        if let Some(constant) = &constant {
            self.body.add(constant, &USIZE, LocalKind::Constant);
        }
        let params = self.params(c)?;
        let returns = self.some_type(c, 2)?;
        let is_async = self.has(Feature::Async) && c.optional("async", 20, |_| Ok(()))?.is_some();
        self.body.is_async = is_async;
        self.body.returns = Some(returns.clone());
        let body = self.function_body(c, &returns)?;
        let cost = self.body.cost + 1;
        let mut words: Vec<String> = generics.iter().map(|generic| self.bounded_param(generic)).collect();
        words.extend(constant.iter().map(|name| format!("const {name}: usize")));
        let words = if words.is_empty() { String::new() } else { format!("<{}>", words.join(", ")) };
        let written = self.written(&params, "").join(", ");
        let keyword = if is_async { "async " } else { "" };
        let text = format!("pub {keyword}fn {}{words}({written}) -> {} {body}", place.name, self.ty(&returns));
        let plain = Function::plain(place, params, returns, cost);
        self.world.functions.push(Function { generics, constant, is_async, ..plain });
        Ok(text)
    }

    /// `{ statements; value }`.
    pub(super) fn function_body(&mut self, c: &mut Choices, returns: &Type) -> Result<String, Halt> {
        c.group("body", |c| {
            let statements = self.statements(c, 0..=4, DEPTH - 1)?;
            let tail = self.expression(c, returns, DEPTH)?;
            Ok(format!("{{ {statements} {} }}", tail.text()))
        })
    }

    /// Type parameters, which are added to the body.
    fn generics(&mut self, c: &mut Choices) -> Result<Vec<Generic>, Halt> {
        let bounds: Vec<(u32, String, usize)> =
            self.world.traits.iter().enumerate().map(|(number, known)| (1, known.place.name.clone(), number)).collect();
        let generics = c.repeat("generics", 0..=1, |c| {
            let name = self.name(c, "T")?;
            let bound = match bounds.is_empty() {
                true => None,
                false => c.optional("bound", 70, |c| pick(c, "bound", bounds.clone()))?,
            };
            Ok(Generic { name, bound })
        })?;
        self.body.generics.extend(generics.iter().map(|generic| (generic.name.clone(), generic.bound)));
        Ok(generics)
    }

    /// A type parameter with its bounds.
    fn bounded_param(&self, generic: &Generic) -> String {
        let bound = generic.bound.map(|bound| format!(" + {}", self.path(&self.world.traits[bound].place)));
        format!("{}: {BOUNDS}{}", generic.name, bound.unwrap_or_default())
    }

    /// A function that returns one of its reference parameters.
    pub(super) fn borrowing_function(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let place = self.place(c, "f")?;
        self.body = Body::new(COST);
        let returns = self.some_type(c, 2)?;
        let mut params = Vec::new();
        for side in ["left", "right"] {
            let name = c.group(side, |c| self.name(c, "x"))?;
            self.body.add(&name, &returns, LocalKind::Reference);
            params.push(Param { name, ty: returns.clone(), is_reference: true });
        }
        let condition = self.expression(c, &Type::Bool, DEPTH)?;
        let (cost, ty) = (self.body.cost + 1, self.ty(&returns));
        let written = self.written(&params, "'a ").join(", ");
        let branches = format!("{{ {} }} else {{ {} }}", params[0].name, params[1].name);
        let text = format!("pub fn {}<'a>({written}) -> &'a {ty} {{ if {} {branches} }}", place.name, condition.head());
        let plain = Function::plain(place, params, returns, cost);
        self.world.functions.push(Function { returns_reference: true, ..plain });
        Ok(text)
    }

    pub(super) fn const_function(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let place = self.place(c, "f")?;
        self.body = Body::new(COST);
        self.body.is_const = true;
        let params = c.repeat("params", 0..=3, |c| {
            let (name, ty) = (self.name(c, "x")?, self.constant_type(c)?);
            self.body.add(&name, &ty, LocalKind::Value);
            Ok(Param { name, ty, is_reference: false })
        })?;
        let returns = self.constant_type(c)?;
        self.body.returns = Some(returns.clone());
        let body = self.function_body(c, &returns)?;
        let cost = self.body.cost + 1;
        let written = self.written(&params, "").join(", ");
        let text = format!("pub const fn {}({written}) -> {} {body}", place.name, self.ty(&returns));
        let plain = Function::plain(place, params, returns, cost);
        self.world.functions.push(Function { is_const: true, ..plain });
        Ok(text)
    }

    /// A constant or static.
    pub(super) fn constant(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let place = self.place(c, "C")?;
        self.body = Body::new(COST);
        self.body.is_const = true;
        let ty = self.constant_type(c)?;
        let is_static = c.optional("static", 30, |_| Ok(()))?.is_some();
        let value = self.expression(c, &ty, DEPTH)?;
        let keyword = if is_static { "static" } else { "const" };
        let text = format!("pub {keyword} {}: {} = {};", place.name, self.ty(&ty), value.text());
        self.world.constants.push(Constant { place, ty, is_static });
        Ok(text)
    }

    pub(super) fn constant_type(&self, c: &mut Choices) -> Result<Type, Halt> {
        c.group("type", |c| {
            let mut options: Vec<(u32, String, Type)> =
                INTEGERS.iter().map(|&name| (2, name.to_owned(), Type::Int(name))).collect();
            options.push((3, "bool".to_owned(), Type::Bool));
            let plain = pick(c, "plain-type", options)?;
            let compound = c.optional("compound-type", 20, |c| {
                Ok(match *c.choose("type-form", &["tuple", "option", "array"])? {
                    "tuple" => Type::Tuple(vec![plain.clone(), Type::Bool]),
                    "option" => Type::Option(Box::new(plain.clone())),
                    _ => Type::Array(Box::new(plain.clone()), 2),
                })
            })?;
            Ok(compound.unwrap_or(plain))
        })
    }
}
