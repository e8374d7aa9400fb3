//! The types in programs.

/// A type. All of them implement `Clone`, `PartialEq`, `Debug` and `Default`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// An integer type, by its name.
    Int(&'static str),
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `String`.
    String,
    /// `()`.
    Unit,
    /// A tuple of two or more types.
    Tuple(Vec<Self>),
    /// `[T; n]`.
    Array(Box<Self>, usize),
    /// `Vec<T>`.
    Vec(Box<Self>),
    /// `Option<T>`.
    Option(Box<Self>),
    /// A struct or enum of the program, by its position in the world, and its arguments.
    Data(usize, Vec<Self>),
    /// A type parameter or another opaque type, as source text.
    Param(String),
}

/// The names of the integer types.
pub(super) const INTEGERS: [&str; 6] = ["i32", "u8", "u32", "i64", "u64", "usize"];

/// `i32`, the default type.
pub(super) const I32: Type = Type::Int("i32");

pub(super) const USIZE: Type = Type::Int("usize");

impl Type {
    /// The type with parameters replaced by `arguments`.
    pub(super) fn with(&self, arguments: &[(String, Self)]) -> Self {
        let all = |types: &[Self]| types.iter().map(|ty| ty.with(arguments)).collect();
        match self {
            Self::Param(name) => {
                let found = arguments.iter().find(|(param, _)| param == name);
                found.map_or_else(|| self.clone(), |(_, ty)| ty.clone())
            }
            Self::Tuple(types) => Self::Tuple(all(types)),
            Self::Array(ty, length) => Self::Array(Box::new(ty.with(arguments)), *length),
            Self::Vec(ty) => Self::Vec(Box::new(ty.with(arguments))),
            Self::Option(ty) => Self::Option(Box::new(ty.with(arguments))),
            Self::Data(data, types) => Self::Data(*data, all(types)),
            Self::Int(_) | Self::Bool | Self::Char | Self::String | Self::Unit => self.clone(),
        }
    }

    /// Finds the types of the parameters in `params` that make this type equal to `other`; false if there are none.
    pub(super) fn unify(&self, other: &Self, params: &[String], found: &mut Vec<(String, Self)>) -> bool {
        let mut all = |some: &[Self], others: &[Self]| {
            some.len() == others.len() && some.iter().zip(others).all(|(ty, other)| ty.unify(other, params, found))
        };
        match (self, other) {
            (Self::Param(name), _) if params.contains(name) => match found.iter().find(|(param, _)| param == name) {
                Some((_, ty)) => ty == other,
                None => {
                    found.push((name.clone(), other.clone()));
                    true
                }
            },
            (Self::Tuple(some), Self::Tuple(others)) => all(some, others),
            (Self::Data(data, some), Self::Data(other, others)) => data == other && all(some, others),
            (Self::Array(ty, length), Self::Array(other, others)) => length == others && ty.unify(other, params, found),
            (Self::Vec(ty), Self::Vec(other)) | (Self::Option(ty), Self::Option(other)) => {
                ty.unify(other, params, found)
            }
            _ => self == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unification_finds_what_with_puts_in() {
        let params = ["T".to_owned(), "U".to_owned()];
        let param = |name: &str| Type::Param(name.to_owned());
        let general = Type::Tuple(vec![param("T"), Type::Vec(Box::new(param("U"))), param("T")]);
        let arguments = vec![("T".to_owned(), Type::Bool), ("U".to_owned(), I32)];
        let special = general.with(&arguments);
        let mut found = Vec::new();
        assert!(general.unify(&special, &params, &mut found));
        assert_eq!(found, arguments);
        let other = Type::Tuple(vec![Type::Bool, Type::Vec(Box::new(I32)), Type::Char]);
        assert!(!general.unify(&other, &params, &mut Vec::new()));
        assert!(!Type::Option(Box::new(I32)).unify(&Type::Vec(Box::new(I32)), &params, &mut Vec::new()));
    }
}
