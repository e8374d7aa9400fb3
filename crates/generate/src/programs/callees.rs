//! The callees that can be used at a place to return a type.

use super::features::Feature;
use super::scope::LocalKind;
use super::traits::METHOD_COST;
use super::types::Type;
use super::world::Signature;
use super::writer::Writer;

/// A possible callee.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    /// A literal in place of a call.
    Nothing,
    /// A function, and the types of its type parameters.
    Function(usize, Vec<(String, Type)>),
    /// A closure: its name, the types of its parameters, the cost of a call.
    Closure(String, Vec<Type>, u64),
    /// A method of a trait, called on a local: a reference to it.
    TraitMethod(usize, Signature, String),
    /// A method of a trait, through an object of a value of this type.
    Dyn(usize, Signature, Type),
    /// An inherent method of the local with this name.
    Method(Signature, String),
    /// A constant of a trait, of this type.
    Constant(usize, Type),
}

impl Writer {
    /// Whether there is a callee that returns a `ty`.
    pub(super) fn can_call(&self, ty: &Type) -> bool {
        self.callees(ty).len() > 1
    }

    /// The types that satisfy this bound.
    pub(super) fn bounded(&self, bound: Option<usize>) -> Vec<Type> {
        let Some(bound) = bound else {
            let plain = [super::types::I32, Type::Bool, Type::Unit, Type::Option(Box::new(super::types::I32))];
            let data = self.world.data.iter().enumerate().filter(|(_, data)| data.param.is_none());
            return plain.into_iter().chain(data.map(|(number, _)| Type::Data(number, Vec::new()))).collect();
        };
        let impls = self.world.impls.iter().filter(|implementation| implementation.of == bound);
        let concrete = impls.map(|implementation| match &implementation.target {
            Type::Data(data, arguments) if !arguments.is_empty() => Type::Data(*data, vec![super::types::I32]),
            target => target.clone(),
        });
        let params = self.body.generics.iter().filter(|(_, other)| *other == Some(bound));
        concrete.chain(params.map(|(name, _)| Type::Param(name.clone()))).collect()
    }

    /// Whether a type satisfies this bound.
    fn satisfies(&self, ty: &Type, bound: Option<usize>) -> bool {
        let Some(bound) = bound else { return true };
        match ty {
            Type::Param(name) => self.body.generics.iter().any(|(other, has)| other == name && *has == Some(bound)),
            ty => self.world.implementation(bound, ty).is_some(),
        }
    }

    pub(super) fn callees(&self, ty: &Type) -> Vec<(u32, String, Callee)> {
        let mut callees = vec![(0, "nothing".to_owned(), Callee::Nothing)];
        for (number, function) in self.world.functions.iter().enumerate() {
            if self.body.is_const && !function.is_const || !self.body.affords(function.cost) {
                continue;
            }
            let names: Vec<String> = function.generics.iter().map(|generic| generic.name.clone()).collect();
            let mut found = Vec::new();
            if !function.signature.returns.unify(ty, &names, &mut found) {
                continue;
            }
            let is_possible =
                function.generics.iter().all(|generic| match found.iter().find(|(name, _)| *name == generic.name) {
                    Some((_, ty)) => self.satisfies(ty, generic.bound),
                    None => !self.bounded(generic.bound).is_empty(),
                });
            if is_possible {
                callees.push((3, function.place.name.clone(), Callee::Function(number, found)));
            }
        }
        if !self.body.is_const {
            self.callees_of_locals(ty, &mut callees);
            self.callees_of_traits(ty, &mut callees);
        }
        callees
    }

    /// Local callees, and methods of locals.
    fn callees_of_locals(&self, ty: &Type, callees: &mut Vec<(u32, String, Callee)>) {
        for local in &self.body.locals {
            let name = &local.name;
            if let LocalKind::Closure(params, cost) = &local.kind {
                if local.ty == *ty && self.body.affords(*cost) {
                    callees.push((5, name.clone(), Callee::Closure(name.clone(), params.clone(), *cost)));
                }
                continue;
            }
            if !self.body.affords(METHOD_COST) {
                continue;
            }
            if let Type::Data(data, arguments) = &local.ty {
                let arguments = self.world.arguments(*data, arguments);
                let methods = &self.world.data[*data].methods;
                for method in methods.iter().filter(|method| method.returns.with(&arguments) == *ty) {
                    let mut method = method.clone();
                    method.params.iter_mut().for_each(|param| param.ty = param.ty.with(&arguments));
                    let label = format!("{name}.{}", method.name);
                    callees.push((4, label, Callee::Method(method, name.clone())));
                }
            }
            let Some(receiver) = Self::local_reference(local) else { continue };
            for (of, known) in self.world.traits.iter().enumerate() {
                if !self.satisfies(&local.ty, Some(of)) {
                    continue;
                }
                for method in known.methods.iter().filter(|method| self.returned(of, method, &local.ty) == *ty) {
                    let label = format!("{name}.{}", method.name);
                    callees.push((4, label, Callee::TraitMethod(of, method.clone(), receiver.clone())));
                }
            }
        }
    }

    /// The return type of a trait's method for a type that implements the trait.
    fn returned(&self, of: usize, method: &Signature, target: &Type) -> Type {
        let known = &self.world.traits[of];
        match (&known.associated, target) {
            (Some((name, maker)), target) if *maker == method.name => match target {
                Type::Param(param) => Type::Param(format!("<{param} as {}>::{name}", self.path(&known.place))),
                target => {
                    let found = self.world.implementation(of, target).and_then(|found| found.associated.clone());
                    found.unwrap_or(Type::Unit)
                }
            },
            _ => method.returns.clone(),
        }
    }

    /// Constants of traits, and methods of trait objects.
    fn callees_of_traits(&self, ty: &Type, callees: &mut Vec<(u32, String, Callee)>) {
        for (of, known) in self.world.traits.iter().enumerate() {
            let targets = self.bounded(Some(of));
            if let Some((name, _)) = known.constant.as_ref().filter(|(_, constant)| constant == ty) {
                for target in &targets {
                    let label = format!("{}::{name}", self.ty(target));
                    callees.push((2, label, Callee::Constant(of, target.clone())));
                }
            }
        }
        callees.extend(self.objects().into_iter().filter(|(_, _, callee)| match callee {
            Callee::Dyn(_, method, _) => method.returns == *ty,
            _ => false,
        }));
    }

    /// Methods of trait objects.
    pub(super) fn objects(&self) -> Vec<(u32, String, Callee)> {
        let mut callees = Vec::new();
        if !self.has(Feature::Dyn) || self.body.is_const || !self.body.affords(METHOD_COST) {
            return callees;
        }
        for (of, known) in self.world.traits.iter().enumerate().filter(|(_, known)| known.is_dyn_compatible()) {
            for method in &known.methods {
                // The type of a parameter may not live long enough for an object.
                for target in self.bounded(Some(of)).iter().filter(|target| !matches!(target, Type::Param(_))) {
                    let label = format!("dyn {}.{}", self.ty(target), method.name);
                    callees.push((5, label, Callee::Dyn(of, method.clone(), target.clone())));
                }
            }
        }
        callees
    }

    /// Whether there is a trait that has objects.
    pub(super) fn has_objects(&self) -> bool {
        !self.objects().is_empty()
    }
}
