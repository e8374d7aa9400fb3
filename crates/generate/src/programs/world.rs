//! The items of a program so far, and their properties.

use super::types::Type;

/// A name and its modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) modules: Vec<String>,
    pub(super) name: String,
}

/// A field: its name or its tuple index, and its type.
pub(super) type Field = (String, Type);

/// A struct, or a variant of an enum.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) fields: Vec<Field>,
    /// Whether the fields have names.
    pub(super) is_named: bool,
}

/// A struct or enum.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub(super) place: Place,
    /// Its type parameter, if it has one.
    pub(super) param: Option<String>,
    pub(super) kind: DataKind,
    pub(super) is_copy: bool,
    /// Its inherent functions that take `&self`.
    pub(super) methods: Vec<Signature>,
}

/// The definition of a type.
#[derive(Clone, Debug)]
pub(super) enum DataKind {
    Struct(Record),
    /// Variants by name. The first one has no fields and is the default.
    Enum(Vec<(String, Record)>),
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) is_reference: bool,
}

/// The signature of a function.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    pub(super) returns: Type,
}

/// A type parameter and its trait bound, as a position in the world.
#[derive(Clone, Debug)]
pub(super) struct Generic {
    pub(super) name: String,
    pub(super) bound: Option<usize>,
}

/// A free function.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) place: Place,
    pub(super) generics: Vec<Generic>,
    /// A const parameter, if it has one.
    pub(super) constant: Option<String>,
    pub(super) signature: Signature,
    /// Whether it returns a reference to one of its parameters.
    pub(super) returns_reference: bool,
    pub(super) is_async: bool,
    pub(super) is_const: bool,
    /// The maximum cost of a call.
    pub(super) cost: u64,
}

impl Function {
    /// One without parameters in angle brackets, neither `async` nor `const`.
    pub(super) fn plain(place: Place, params: Vec<Param>, returns: Type, cost: u64) -> Self {
        let signature = Signature { name: place.name.clone(), params, returns };
        let (generics, constant) = (Vec::new(), None);
        Self { place, generics, constant, signature, returns_reference: false, is_async: false, is_const: false, cost }
    }
}

/// A trait.
#[derive(Clone, Debug)]
pub(super) struct Trait {
    pub(super) place: Place,
    pub(super) methods: Vec<Signature>,
    /// Whether each method has a default body.
    pub(super) provided: Vec<bool>,
    /// An associated constant of an integer type.
    pub(super) constant: Option<(String, Type)>,
    /// An associated type; the method of that name makes one.
    pub(super) associated: Option<(String, String)>,
}

impl Trait {
    /// Whether it has trait objects.
    pub(super) fn is_dyn_compatible(&self) -> bool {
        self.constant.is_none() && self.associated.is_none()
    }
}

/// An impl of a trait.
#[derive(Clone, Debug)]
pub(super) struct Impl {
    pub(super) of: usize,
    /// The implementing type; a struct or enum with a parameter stands for all its instances.
    pub(super) target: Type,
    /// The value of the associated type.
    pub(super) associated: Option<Type>,
}

/// A constant or static.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) place: Place,
    pub(super) ty: Type,
    pub(super) is_static: bool,
}

/// All items so far.
#[derive(Clone, Debug, Default)]
pub(super) struct World {
    pub(super) data: Vec<Data>,
    pub(super) traits: Vec<Trait>,
    pub(super) impls: Vec<Impl>,
    pub(super) functions: Vec<Function>,
    pub(super) constants: Vec<Constant>,
    /// Whether the program runs a future.
    pub(super) needs_block_on: bool,
}

impl World {
    /// Whether a type is `Copy`.
    pub(super) fn is_copy(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(_) | Type::Bool | Type::Char | Type::Unit => true,
            Type::String | Type::Vec(_) | Type::Param(_) => false,
            Type::Tuple(types) => types.iter().all(|ty| self.is_copy(ty)),
            Type::Array(ty, _) | Type::Option(ty) => self.is_copy(ty),
            Type::Data(data, _) => self.data[*data].is_copy,
        }
    }

    /// The parameters of a struct or enum, with their arguments.
    pub(super) fn arguments(&self, data: usize, arguments: &[Type]) -> Vec<(String, Type)> {
        self.data[data].param.iter().cloned().zip(arguments.iter().cloned()).collect()
    }

    /// The impl of a trait for a type.
    pub(super) fn implementation(&self, of: usize, ty: &Type) -> Option<&Impl> {
        self.impls.iter().find(|implementation| {
            implementation.of == of
                && match (&implementation.target, ty) {
                    (Type::Data(target, _), Type::Data(data, _)) => target == data,
                    (target, ty) => target == ty,
                }
        })
    }
}
