//! Derives `describe`.

mod fields;

use proc_macro::{TokenStream, TokenTree};

/// Gives a struct a method `describe`, which says its name and its fields.
#[proc_macro_derive(Describe)]
pub fn describe(input: TokenStream) -> TokenStream {
    let mut trees = input.into_iter();
    let is_struct = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word.to_string() == "struct");
    if !trees.by_ref().any(|tree| is_struct(&tree)) {
        return "compile_error!(\"only a struct can be described\");".parse().expect("it is an item");
    }
    let name = trees.next().map(|name| name.to_string()).unwrap_or_default();
    let fields = trees.find_map(fields::of).unwrap_or_default().join(", ");
    let text = format!(
        "impl {name} {{ /// Says what it is.\n pub fn describe(&self) -> String {{ String::from(\"{name} of {fields}\") }} }}"
    );
    text.parse().expect("it is an item")
}
