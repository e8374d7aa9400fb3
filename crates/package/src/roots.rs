//! Root files whose modules a macro declares: `macro_rules! crate_root { () => { pub mod de; } } crate_root!();`

use std::ops::Range;
use std::path::Path;

use mcve_transforms::{Source, Syntax, Tree, range};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Attribute, Item};

use mcve_reduce::program::edited;
use mcve_reduce::project::bounds::Bounds;

/// The text of a root file in `folder` where each macro call without arguments is replaced by the body of the macro, if
/// that has one rule and declares modules.
pub(super) fn with_modules(text: &str, folder: &Path) -> String {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let all = items(text);
    for (item, range) in &all {
        let Item::Macro(call) = item else { continue };
        let Some(name) = call.mac.path.get_ident().filter(|_| call.ident.is_none() && call.mac.tokens.is_empty())
        else {
            continue;
        };
        let name = name.to_string();
        if let Some(body) = body(text, &all, &name, folder) {
            edits.push((range.clone(), body));
        }
    }
    edited(text, edits)
}

fn items(text: &str) -> Vec<(Item, Range<usize>)> {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let file = tree.nodes().find_map(|node| if let Syntax::File(file) = node.syntax() { Some(file) } else { None });
    file.into_iter().flat_map(|file| &file.items).map(|item| (item.clone(), range(item))).collect()
}

/// The body of a macro's only rule, if it declares modules. The macro is one of these items, or in a module with
/// `#[macro_use]`.
fn body(text: &str, items: &[(Item, Range<usize>)], name: &str, folder: &Path) -> Option<String> {
    items.iter().find_map(|(item, _)| match item {
        Item::Macro(item) if item.ident.as_ref().is_some_and(|ident| ident == name) => {
            rule(text, item.mac.tokens.clone())
        }
        Item::Mod(item) if item.content.is_none() && item.attrs.iter().any(uses_macros) => {
            let paths = [format!("{}.rs", item.ident), format!("{}/mod.rs", item.ident)].map(|path| folder.join(path));
            let bounds = Bounds::of_folder(folder);
            let mut own = paths.iter().filter(|path| path.is_file() && bounds.has(path));
            let text = own.find_map(|path| std::fs::read_to_string(path).ok())?;
            body(&text, &self::items(&text), name, folder)
        }
        _ => None,
    })
}

fn uses_macros(attribute: &Attribute) -> bool {
    attribute.path().is_ident("macro_use")
}

/// The body of the rule `() => { .. }`, if it declares a module.
fn rule(text: &str, tokens: TokenStream) -> Option<String> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let [TokenTree::Group(pattern), TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Group(body), end @ ..] =
        &trees[..]
    else {
        return None;
    };
    let declares = || {
        let words: Vec<String> = body.stream().into_iter().map(|tree| tree.to_string()).collect();
        words.windows(3).any(|words| words[0] == "mod" && words[2] == ";")
    };
    let is_only = end.iter().all(|tree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ';'));
    let is_plain = pattern.stream().is_empty() && body.delimiter() == Delimiter::Brace;
    let inside = body.span_open().byte_range().end..body.span_close().byte_range().start;
    (is_only && is_plain && declares()).then(|| text[inside].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_macro_declares_is_declared_by_the_file() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let write = |text: &str| std::fs::write(folder.path().join("root.rs"), text).expect("it can be written");
        write("macro_rules! all { () => { pub mod de; fn f() {} }; } macro_rules! none { () => { fn g() {} } }");
        let text = "//! A.\n#[macro_use] mod root; all!(); none!();";
        let expected = "//! A.\n#[macro_use] mod root;  pub mod de; fn f() {}  none!();";
        assert_eq!(with_modules(text, folder.path()), expected);
        assert_eq!(with_modules("all!();", folder.path()), "all!();");
    }
}
