//! The fields of a struct.

use proc_macro::{Delimiter, TokenTree};

/// The names of the fields in a group of braces; none for other tokens.
pub fn of(tree: TokenTree) -> Option<Vec<String>> {
    let TokenTree::Group(group) = tree else { return None };
    if group.delimiter() != Delimiter::Brace {
        return None;
    }
    let (mut names, mut last) = (Vec::new(), None);
    for tree in group.stream() {
        match tree {
            TokenTree::Ident(word) => last = Some(word.to_string()),
            TokenTree::Punct(mark) if mark.as_char() == ':' => names.extend(last.take()),
            _ => {}
        }
    }
    Some(names)
}
