//! Short values of types that are written out.

use quote::ToTokens;
use syn::{GenericArgument, PathArguments, ReturnType, Signature, Type, TypePath};

pub(crate) fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(ty) if ty.elems.is_empty())
}

/// The type that a function returns, if it is not `()`.
pub(crate) fn output(signature: &Signature) -> Option<&Type> {
    match &signature.output {
        ReturnType::Type(_, ty) if !is_unit(ty) => Some(ty),
        _ => None,
    }
}

/// The shortest values of the type `ty`, the likeliest first; empty if the written type does not show them.
pub(crate) fn of_type(ty: &Type) -> &'static [&'static str] {
    match ty {
        Type::Tuple(_) if is_unit(ty) => &["()"],
        Type::Reference(ty) if is_named(&ty.elem, "str") => &["\"\""],
        Type::Reference(ty) if matches!(*ty.elem, Type::Slice(_)) && ty.mutability.is_some() => &["&mut []"],
        Type::Reference(ty) if matches!(*ty.elem, Type::Slice(_)) => &["&[]"],
        Type::Paren(ty) => of_type(&ty.elem),
        Type::Path(ty) => of_path(ty),
        _ => &[],
    }
}

fn of_path(ty: &TypePath) -> &'static [&'static str] {
    let Some(segment) = ty.path.segments.last().filter(|_| ty.qself.is_none()) else { return &[] };
    match segment.ident.to_string().as_str() {
        "bool" => &["true", "false"],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => &["0"],
        "f32" | "f64" => &["0."],
        "char" => &["' '"],
        "Option" => &["None"],
        "String" => &["String::new()"],
        "Vec" => &["vec![]"],
        "Result" => match &segment.arguments {
            PathArguments::AngleBracketed(arguments) if matches!(arguments.args.first(), Some(GenericArgument::Type(ty)) if is_unit(ty)) => {
                &["Ok(())"]
            }
            _ => &[],
        },
        _ => &[],
    }
}

/// The default value of `ty` as a literal; with `typed`, numbers show their types. `_` stands for whatever has a default.
pub(crate) fn default_of(ty: &Type, typed: bool) -> Option<String> {
    match ty {
        Type::Infer(_) => Some("Default::default()".to_owned()),
        Type::Paren(ty) => default_of(&ty.elem, typed),
        Type::Tuple(ty) => {
            let elems = ty.elems.iter().map(|elem| default_of(elem, typed)).collect::<Option<Vec<String>>>()?;
            Some(format!("({}{})", elems.join(", "), if elems.len() == 1 { "," } else { "" }))
        }
        Type::Array(ty) => Some(format!("[{}; {}]", default_of(&ty.elem, typed)?, ty.len.to_token_stream())),
        _ => match of_type(ty) {
            ["0" | "0."] if typed => Some(format!("0{}", ty.to_token_stream())),
            ["true", value] | [value @ ("0" | "0." | "\"\"" | "None")] => Some((*value).to_owned()),
            _ => None,
        },
    }
}

pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(ty) if ty.path.is_ident(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ty: &str, expected: &[&str]) {
        assert_eq!(of_type(&syn::parse_str(ty).expect("the tests hold types")), expected);
    }

    #[test]
    fn written_types_have_values() {
        check("usize", &["0"]);
        check("(bool)", &["true", "false"]);
        check("std::option::Option<A>", &["None"]);
        check("&'a str", &["\"\""]);
        check("&mut [u8]", &["&mut []"]);
        check("io::Result<()>", &["Ok(())"]);
    }

    #[test]
    fn unknown_types_have_none() {
        for ty in ["A", "&u8", "[u8; 2]", "Result<u8>", "<A as B>::bool", "(u8, u8)", "fn()", "!"] {
            check(ty, &[]);
        }
    }
}
