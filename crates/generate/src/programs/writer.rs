//! Functions that all parts of the generator share: names, paths, types, and choices among named options.

use super::features::{Feature, Settings};
use super::scope::Body;
use super::types::{I32, INTEGERS, Type};
use super::world::{Place, World};
use crate::choices::{Choices, Halt};

/// The bounds of every type parameter.
pub(super) const BOUNDS: &str = "Clone + std::fmt::Debug + Default + PartialEq";

/// The lengths of arrays.
const LENGTHS: [usize; 3] = [1, 2, 3];

/// Writes a program.
pub(super) struct Writer {
    pub(super) settings: Settings,
    pub(super) world: World,
    /// The modules around the current code.
    pub(super) modules: Vec<String>,
    /// The current body.
    pub(super) body: Body,
}

/// Chooses one of several named options; the first is the simplest. An option of weight 0 is never drawn.
pub(super) fn pick<T>(c: &mut Choices, place: &str, options: Vec<(u32, String, T)>) -> Result<T, Halt> {
    let names: Vec<(u32, &String)> = options.iter().map(|(weight, name, _)| (*weight, name)).collect();
    let chosen = (*c.weighted(place, &names)?).clone();
    let found = options.into_iter().find(|(_, name, _)| *name == chosen);
    Ok(found.expect("it is one of the names").2)
}

impl Writer {
    /// Whether programs may have `feature` in them.
    pub(super) fn has(&self, feature: Feature) -> bool {
        self.settings.has(feature)
    }

    /// A unique name.
    pub(super) fn name(&self, c: &mut Choices, prefix: &str) -> Result<String, Halt> {
        Ok(format!("{prefix}{}", c.fresh("name")?))
    }

    /// The place of a new item in the current module.
    pub(super) fn place(&self, c: &mut Choices, prefix: &str) -> Result<Place, Halt> {
        Ok(Place { modules: self.modules.clone(), name: self.name(c, prefix)? })
    }

    /// The path of an item from here.
    pub(super) fn path(&self, place: &Place) -> String {
        if place.modules == self.modules {
            return place.name.clone();
        }
        let words: Vec<&str> = place.modules.iter().chain([&place.name]).map(String::as_str).collect();
        format!("crate::{}", words.join("::"))
    }

    /// The source text of a type here.
    pub(super) fn ty(&self, ty: &Type) -> String {
        let all = |types: &[Type]| types.iter().map(|ty| self.ty(ty)).collect::<Vec<_>>().join(", ");
        match ty {
            Type::Int(name) => (*name).to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Char => "char".to_owned(),
            Type::String => "String".to_owned(),
            Type::Unit => "()".to_owned(),
            Type::Tuple(types) => format!("({})", all(types)),
            Type::Array(ty, length) => format!("[{}; {length}]", self.ty(ty)),
            Type::Vec(ty) => format!("Vec<{}>", self.ty(ty)),
            Type::Option(ty) => format!("Option<{}>", self.ty(ty)),
            Type::Data(data, types) if types.is_empty() => self.path(&self.world.data[*data].place),
            Type::Data(data, types) => format!("{}<{}>", self.path(&self.world.data[*data].place), all(types)),
            Type::Param(text) => text.clone(),
        }
    }

    /// The source text of a type in an expression, where its arguments need colons.
    pub(super) fn ty_in_expression(&self, ty: &Type) -> String {
        match ty {
            Type::Data(data, types) if !types.is_empty() => {
                let types: Vec<String> = types.iter().map(|ty| self.ty(ty)).collect();
                format!("{}::<{}>", self.path(&self.world.data[*data].place), types.join(", "))
            }
            Type::Data(..) | Type::Param(_) | Type::String | Type::Int(_) | Type::Bool | Type::Char => self.ty(ty),
            _ => format!("<{}>", self.ty(ty)),
        }
    }

    /// A type without components.
    fn plain_types(&self) -> Vec<(u32, String, Type)> {
        let mut types: Vec<(u32, String, Type)> = INTEGERS
            .iter()
            .map(|&name| (if name == "i32" { 6 } else { 1 }, name.to_owned(), Type::Int(name)))
            .collect();
        types.extend([(3, "bool".to_owned(), Type::Bool), (1, "char".to_owned(), Type::Char)]);
        if self.has(Feature::Strings) {
            types.push((2, "String".to_owned(), Type::String));
        }
        let params = self.body.generics.iter().map(|(name, _)| (8, name.clone(), Type::Param(name.clone())));
        types.extend(params);
        // In a signature, they could not be distinguished from the types that a call infers.
        if self.body.returns.is_some() {
            for (param, bound) in &self.body.generics {
                let Some(bound) = bound.map(|bound| &self.world.traits[bound]) else { continue };
                let Some((name, _)) = &bound.associated else { continue };
                let text = format!("<{param} as {}>::{name}", self.path(&bound.place));
                types.push((4, text.clone(), Type::Param(text)));
            }
        }
        types
    }

    /// A random type that can be used here, nested at most `depth` deep.
    pub(super) fn some_type(&self, c: &mut Choices, depth: usize) -> Result<Type, Halt> {
        c.group("type", |c| {
            let plain = pick(c, "plain-type", self.plain_types())?;
            if depth == 0 {
                return Ok(plain);
            }
            let compound = c.optional("compound-type", 35, |c| self.compound_type(c, depth - 1))?;
            Ok(compound.unwrap_or(plain))
        })
    }

    fn compound_type(&self, c: &mut Choices, depth: usize) -> Result<Type, Halt> {
        let mut options =
            vec![(0, "i32".to_owned(), None), (2, "tuple".to_owned(), None), (2, "option".to_owned(), None)];
        if self.has(Feature::Collections) {
            options.extend([(2, "array".to_owned(), None), (2, "vec".to_owned(), None)]);
        }
        options.extend(
            self.world.data.iter().enumerate().map(|(number, data)| (4, data.place.name.clone(), Some(number))),
        );
        let names: Vec<(u32, String, (String, Option<usize>))> =
            options.into_iter().map(|(weight, name, data)| (weight, name.clone(), (name, data))).collect();
        let (form, data) = pick(c, "type-form", names)?;
        if let Some(data) = data {
            return self.data_type(c, data, depth);
        }
        Ok(match &*form {
            "tuple" => {
                let first = self.some_type(c, depth)?;
                let mut types = vec![first, self.some_type(c, depth)?];
                types.extend(c.optional("third", 25, |c| self.some_type(c, depth))?);
                Type::Tuple(types)
            }
            "option" => Type::Option(Box::new(self.some_type(c, depth)?)),
            "array" => Type::Array(Box::new(self.some_type(c, depth)?), *c.choose("length", &LENGTHS)?),
            "vec" => Type::Vec(Box::new(self.some_type(c, depth)?)),
            _ => I32,
        })
    }

    /// A struct or enum with arguments.
    pub(super) fn data_type(&self, c: &mut Choices, data: usize, depth: usize) -> Result<Type, Halt> {
        let mut arguments = Vec::new();
        if self.world.data[data].param.is_some() {
            arguments.push(self.some_type(c, depth.min(1))?);
        }
        Ok(Type::Data(data, arguments))
    }
}
