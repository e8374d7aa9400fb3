//! Short values of types that are made of others, and of those that the file defines.

use std::collections::HashMap;

use syn::{GenericArgument, PathArguments, Type, TypePath};

use crate::names::Analysis;
use crate::placeholders::values;

/// Foreign types whose function `new` takes their contents.
const HOLDERS: [&str; 8] = ["Arc", "Box", "Cell", "Mutex", "Pin", "Rc", "RefCell", "RwLock"];

/// The types of the file that have a value without fields.
pub(crate) struct Constructors<'t> {
    values: HashMap<&'t str, String>,
}

impl<'t> Constructors<'t> {
    /// Reads the types of `tree`.
    pub(crate) fn of(names: &Analysis<'t>) -> Self {
        let all = names.types().iter().map(|definition| (definition.name(), definition.value()));
        Self { values: all.filter(|(_, value)| !value.ends_with('}')).collect() }
    }

    /// A short value of `ty`, where `own` is the type that `Self` stands for; `None` if it is unknown.
    pub(crate) fn value(&self, ty: &Type, own: &str) -> Option<String> {
        if let Some(value) = values::of_type(ty).first() {
            return Some((*value).to_owned());
        }
        match ty {
            Type::Paren(ty) => self.value(&ty.elem, own),
            Type::Path(ty) if ty.qself.is_none() => self.of_path(ty, own),
            Type::Reference(ty) => {
                let sigil = if ty.mutability.is_some() { "&mut " } else { "&" };
                Some(format!("{sigil}{}", self.value(&ty.elem, own)?))
            }
            Type::Tuple(ty) => {
                let values: Option<Vec<String>> = ty.elems.iter().map(|ty| self.value(ty, own)).collect();
                let comma = if ty.elems.len() == 1 { "," } else { "" };
                Some(format!("({}{comma})", values?.join(", ")))
            }
            _ => None,
        }
    }

    fn of_path(&self, ty: &TypePath, own: &str) -> Option<String> {
        let segment = ty.path.segments.last()?;
        let name = segment.ident.to_string();
        if let Some(value) = self.values.get(if name == "Self" { own } else { &name }) {
            return Some(value.clone());
        }
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
        let held = arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        let held = self.value(held.filter(|_| HOLDERS.contains(&name.as_str()))?, own)?;
        let path: Vec<String> = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        Some(format!("{}::new({held})", path.join("::")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, Tree};

    /// Checks the value of `ty` beside a struct `S`, an enum `E` and a struct `T` with a field, in an impl of `S`.
    #[track_caller]
    fn check(ty: &str, expected: Option<&str>) {
        let source = Source::parse("struct S; enum E { A(u8), B } struct T(u8);");
        let tree = Tree::new(&source);
        let ty = syn::parse_str(ty).expect("the tests hold types");
        assert_eq!(Constructors::of(&Analysis::of(&tree)).value(&ty, "S").as_deref(), expected);
    }

    #[test]
    fn types_of_the_file_have_values() {
        check("S", Some("S"));
        check("m::E", Some("E::B"));
        check("Self", Some("S"));
    }

    #[test]
    fn values_are_made_of_others() {
        check("Box<u8>", Some("Box::new(0)"));
        check("std::rc::Rc<(S, bool)>", Some("std::rc::Rc::new((S, true))"));
        check("&'a mut E", Some("&mut E::B"));
        check("(S,)", Some("(S,)"));
    }

    #[test]
    fn what_needs_fields_has_none() {
        for ty in ["T", "Box<T>", "(S, T)", "A<S>", "fn()", "<S as A>::B"] {
            check(ty, None);
        }
    }
}
