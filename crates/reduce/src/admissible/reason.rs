//! Reductions that would give a run another reason to fail: they make up what it computes, or what unsafe code relies on.

use std::ops::Range;

use mcve_transforms::{Reduction, Syntax, Tree, covers, range, tokens};
use syn::ForeignItem;

/// Transforms that replace a computation by a value.
const OF_VALUES: &str = "\
    decide-condition parameter-to-value replace-by-observed-value replace-by-value replace-calls return-value";

/// Words that look like variable names but are not.
const NO_VARIABLES: [&str; 5] = ["as", "false", "mut", "true", "ref"];

/// Whether a reduction of `text` puts a value in the place of a computation from variables or by calls, or of another literal.
pub(super) fn makes_up_value(text: &str, reduction: &Reduction) -> bool {
    replaces_computation(text, reduction) || writes_literal(text, reduction)
}

fn replaces_computation(text: &str, reduction: &Reduction) -> bool {
    if !OF_VALUES.split(' ').any(|name| name == reduction.transform.name) || reduction.is_endless() {
        return false;
    }
    let site = &text[reduction.site.clone()];
    let is_computed =
        |word: &str| word.starts_with(|c: char| c.is_lowercase() || c == '_') && !NO_VARIABLES.contains(&word);
    words(site).any(is_computed)
}

fn writes_literal(text: &str, reduction: &Reduction) -> bool {
    let is_char = |word: &str| word.starts_with('\'') && word.ends_with('\'');
    let is_literal = |word: &str| word.starts_with(|c: char| c == '"' || c.is_ascii_digit()) || is_char(word);
    reduction.edits.iter().any(|edit| {
        let removed = &text[edit.range.clone()];
        let is_new = |word: &str| is_literal(word) && words(removed).all(|other| other != word);
        words(removed).any(is_literal) && words(&edit.text).any(is_new)
    })
}

/// The tokens of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).into_iter().map(|token| &text[token.range])
}

/// What unsafe code relies on and the compiler does not check: the signatures of foreign functions, and the layout of types.
#[derive(Default)]
pub(super) struct Abi(Vec<Range<usize>>);

impl Abi {
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        if !["unsafe", "extern"].iter().any(|word| tree.source().text().contains(word)) {
            return Self::default();
        }
        let abi = tree.nodes().filter_map(|node| match node.syntax() {
            Syntax::ForeignItem(ForeignItem::Fn(function)) => Some(range(&function.sig)),
            Syntax::Attribute(attribute) if attribute.path().is_ident("repr") => Some(node.range()),
            _ => None,
        });
        Self(abi.collect())
    }

    /// Whether a reduction changes a part of it, and does not take it away with all around it.
    pub(super) fn is_changed_by(&self, reduction: &Reduction) -> bool {
        let is_changed = |edit: &Range<usize>, abi: &Range<usize>| {
            let is_around = edit.start < abi.start || abi.end < edit.end;
            edit.start < abi.end && abi.start < edit.end && !(is_around && covers(edit, abi))
        };
        reduction.edits.iter().any(|edit| self.0.iter().any(|abi| is_changed(&edit.range, abi)))
    }
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Analysis, Source, enumerate, named};

    use super::*;

    #[test]
    fn what_unsafe_code_relies_on_stays_or_goes() {
        let text = "extern \"C\" { fn f(a: u8, b: u8); fn g(); } #[repr(C)] #[derive(Debug)] struct S { a: u8 }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let abi = Abi::of(&tree);
        let proposed = ["delete-parameter", "delete-item", "delete-attribute"].into_iter().flat_map(named);
        let left = proposed.flat_map(|transform| enumerate(&names, transform)).filter(|one| !abi.is_changed_by(one));
        let left: Vec<String> = left.map(|reduction| text[reduction.site].to_owned()).collect();
        assert!(!left.iter().any(|site| site.contains("repr") && !site.contains("struct")), "{left:?}");
        assert!(!left.contains(&"b: u8".to_owned()) && left.iter().any(|site| site.contains("fn g")), "{left:?}");
        assert!(left.contains(&"#[derive(Debug)]".to_owned()), "{left:?}");
    }
}
