//! Replaces procedural macros by their expansions, taken from the compiler's expanded program. All other code stays as it was
//! written.

use std::ops::Range;

use mcve_reduce::program::edited;
use mcve_transforms::{Source, Syntax, Tree, range};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, Item, Path, Token};

/// Traits that the compiler derives itself.
const DERIVED: [&str; 9] = ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// The marker trait that the compiler implements when it derives `PartialEq`.
const STRUCTURAL: &str = "StructuralPartialEq";

/// Attributes of items that the compiler generates for the test harness.
const HARNESS: [&str; 2] = ["rustc_main", "rustc_test_marker"];

/// Built-in attributes of items, fields and variants.
const KNOWN: &str = "\
    allow automatically_derived cfg cfg_attr cold default deny deprecated derive doc expect export_name forbid \
    global_allocator ignore inline link_section macro_export macro_use must_use no_link no_mangle non_exhaustive path \
    proc_macro recursion_limit repr rustfmt should_panic target_feature test warn";

/// The `program` with the procedural macros on its items replaced by their expansions in `expanded`; none if there are
/// none, or the two programs cannot be matched.
pub fn without_macros(program: &str, expanded: &str) -> Option<String> {
    let [written, shown] = [program, expanded].map(Source::parse);
    let [written, shown] = [&written, &shown].map(Tree::new);
    let items = |tree: &Tree<'_>| {
        tree.nodes()
            .find_map(|node| if let Syntax::File(file) = node.syntax() { Some(file.items.clone()) } else { None })
    };
    let mut edits = Vec::new();
    compare(&items(&written)?, &items(&shown)?, expanded, &mut edits);
    (!edits.is_empty()).then(|| edited(program, edits))
}

/// Collects the edits for the `written` items, which the compiler expanded to `shown`.
fn compare(written: &[Item], shown: &[Item], expanded: &str, edits: &mut Vec<(Range<usize>, String)>) {
    let matches = matches(written, shown);
    for (index, item) in written.iter().enumerate() {
        let Some(own) = matches[index] else { continue };
        let end = matches[index + 1..].iter().flatten().next().copied().unwrap_or(shown.len());
        if let (Item::Mod(item), Item::Mod(other)) = (item, &shown[own])
            && let (Some((_, inner)), Some((_, other))) = (&item.content, &other.content)
        {
            compare(inner, other, expanded, edits);
        }
        let text = |items: &[Item]| text(items, expanded);
        let mut unknown = Unknown::default();
        if matches!(item, Item::Enum(_) | Item::Struct(_) | Item::Union(_)) {
            unknown.visit_item(item);
        }
        if attributes(item).iter().any(is_macro) && unknown.derives.is_empty() {
            // An attribute macro may change the whole item.
            let is_test = own.checked_sub(1).is_some_and(|before| is_of_harness(&shown[before]));
            let test = if is_test { "#[test]\n" } else { "" };
            edits.push((range(item), format!("{test}{}", text(&shown[own..end]))));
        } else if !unknown.derives.is_empty() {
            edits.extend(
                unknown.derives.into_iter().chain(unknown.attributes.into_iter().map(|range| (range, String::new()))),
            );
            let behind = range(item).end;
            edits.push((behind..behind, format!("\n{}", text(&shown[own + 1..end]))));
        }
    }
}

/// The text of items that macros made. What the compiler derived for a type is the `derive` again, as the code of it is unstable.
fn text(items: &[Item], expanded: &str) -> String {
    let own = items.iter().filter(|item| !is_of_harness(item) && derived(item).is_none());
    let text = own.map(|item| {
        let name = self::name(item);
        let derived = items.iter().filter_map(derived).filter(|(of, _)| *of == name);
        let derived: Vec<String> =
            derived.map(|(_, derived)| derived).filter(|derived| derived != STRUCTURAL).collect();
        let derives = if derived.is_empty() { String::new() } else { format!("#[derive({})]\n", derived.join(", ")) };
        derives + &expanded[range(item)]
    });
    text.collect::<Vec<_>>().join("\n")
}

/// Finds the index among the `shown` items of each of the `written` ones.
fn matches(written: &[Item], shown: &[Item]) -> Vec<Option<usize>> {
    let mut next = 0;
    let found = written.iter().map(|item| {
        let name = name(item);
        let at = shown[next..].iter().position(|other| self::name(other) == name).map(|at| next + at)?;
        next = at + 1;
        Some(at)
    });
    found.collect()
}

/// A key that identifies an item within its module.
fn name(item: &Item) -> String {
    let named = |kind: &str, name: &dyn ToTokens| format!("{kind} {}", name.to_token_stream());
    match item {
        Item::Const(item) => named("const", &item.ident),
        Item::Enum(item) => named("type", &item.ident),
        Item::Fn(item) => named("fn", &item.sig.ident),
        Item::Impl(item) => {
            let of = item.trait_.as_ref().map(|(path, _)| path.to_token_stream().to_string()).unwrap_or_default();
            named(&format!("impl {of} for"), &item.self_ty)
        }
        Item::Macro(item) => named("macro", &item.mac.path),
        Item::Mod(item) => named("mod", &item.ident),
        Item::Static(item) => named("static", &item.ident),
        Item::Struct(item) => named("type", &item.ident),
        Item::Trait(item) => named("trait", &item.ident),
        Item::Type(item) => named("alias", &item.ident),
        Item::Union(item) => named("type", &item.ident),
        Item::Use(item) => named("use", &item.tree),
        item => named("item", item),
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an attribute is not built in.
fn is_macro(attribute: &Attribute) -> bool {
    let path = attribute.path();
    let is_tool = path
        .segments
        .first()
        .is_some_and(|first| matches!(&*first.ident.to_string(), "clippy" | "rustfmt" | "diagnostic"));
    !is_tool && path.get_ident().is_none_or(|name| !KNOWN.split(' ').any(|known| name == known))
}

/// Whether the compiler generated an item for the test harness.
fn is_of_harness(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(item) => &item.attrs,
        Item::ExternCrate(item) if item.ident == "test" => return true,
        Item::Fn(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| HARNESS.iter().any(|name| attribute.path().is_ident(name)))
}

/// The key of the type and the trait, if the compiler generated this `impl` for a `derive`.
fn derived(item: &Item) -> Option<(String, String)> {
    let Item::Impl(item) = item else { return None };
    let (path, _) = item.trait_.as_ref()?;
    let is_core = path.leading_colon.is_some() && path.segments.first().is_some_and(|first| first.ident == "core");
    let last = path.segments.last()?.ident.to_string();
    let syn::Type::Path(of) = &*item.self_ty else { return None };
    let of = format!("type {}", of.path.segments.last()?.ident);
    (is_core && (DERIVED.contains(&&*last) || last == STRUCTURAL)).then_some((of, last))
}

/// The parts of an item that procedural macros read.
#[derive(Default)]
struct Unknown {
    /// The `derive` attributes with traits that the compiler does not derive, and the rest of each.
    derives: Vec<(Range<usize>, String)>,
    /// The helper attributes of these macros.
    attributes: Vec<Range<usize>>,
}

impl<'ast> Visit<'ast> for Unknown {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if attribute.path().is_ident("derive") {
            let parser = Punctuated::<Path, Token![,]>::parse_terminated;
            let Ok(paths) = attribute.parse_args_with(parser) else { return };
            let is_known =
                |path: &&Path| path.segments.last().is_some_and(|last| DERIVED.contains(&&*last.ident.to_string()));
            let known: Vec<String> =
                paths.iter().filter(is_known).map(|path| path.to_token_stream().to_string()).collect();
            if known.len() < paths.len() {
                let left = if known.is_empty() { String::new() } else { format!("#[derive({})]", known.join(", ")) };
                self.derives.push((range(attribute), left));
            }
        } else if is_macro(attribute) {
            self.attributes.push(range(attribute));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_macros_make_takes_their_place() {
        let written = "use a::*; #[derive(Debug, Make)] struct S { #[make(skip)] a: u8, #[doc = \"b\"] b: u8 }\n#[a::main] fn main() { f!() }\nmod m { #[derive(Make)] enum E {} fn g() { h!() } }";
        let shown = "extern crate std; use a::*; struct S { a: u8, b: u8 } #[automatically_derived] impl ::core::fmt::Debug for S {} impl Make for S {} fn main() { run(\"\") } mod m { enum E {} const _: () = (); fn g() { 1 } }";
        assert_eq!(
            without_macros(written, shown).as_deref(),
            Some(
                "use a::*; #[derive(Debug)] struct S {  a: u8, #[doc = \"b\"] b: u8 }\nimpl Make for S {}\nfn main() { run(\"\") }\nmod m {  enum E {}\nconst _: () = (); fn g() { h!() } }"
            )
        );
        assert_eq!(without_macros("#[derive(Debug)] struct S;", "struct S;"), None);
        let shown =
            "struct S; struct T; #[automatically_derived] impl ::core::default::Default for T { } impl Make for S { }";
        let expanded = without_macros("#[derive(Make)] struct S;", shown);
        let expected = " struct S;\n#[derive(Default)]\nstruct T;\nimpl Make for S { }";
        assert_eq!(expanded.as_deref(), Some(expected));
        let shown =
            "#[rustc_test_marker = \"t\"] pub const t: u8 = 1; fn t() { block_on() } #[rustc_main] fn main() {}";
        let expanded = without_macros("#[a::test] async fn t() {}", shown);
        assert_eq!(expanded.as_deref(), Some("#[test]\nfn t() { block_on() }"));
    }
}
