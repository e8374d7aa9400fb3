//! Markers: comments such as `// mcve: keep` that say what of the source stays.

use std::ops::Range;

use mcve_transforms::{Kind, Node, Source, Syntax, Token, Tree, item_name, range, tokens};
use syn::Item;

use super::kept::{Kept, KeptItem};
use crate::program::{Language, Program};

/// The words after `// mcve:`.
const MARKERS: [&str; 4] = ["keep", "keep-start", "keep-end", "focus"];

/// What the markers of a program say.
#[derive(Debug, Default)]
pub struct Marked {
    /// What stays.
    pub kept: Kept,
    /// Warnings about unknown markers and markers that mark nothing, each with its place.
    pub warnings: Vec<String>,
}

impl Marked {
    /// Reads the markers of all Rust files of a program.
    ///
    /// # Errors
    /// With the place of a `keep-start` without a `keep-end`, or of a `keep-end` without a `keep-start`.
    pub fn of(program: &Program) -> Result<Self, String> {
        let mut marked = Self::default();
        if program.language != Language::Rust || !program.text.contains("mcve:") {
            return Ok(marked);
        }
        let mut parts = Vec::new();
        for (path, file) in program.files() {
            let text = String::from_utf8_lossy(&file.bytes);
            if path.extension().is_some_and(|end| end == "rs") && text.contains("mcve:") {
                marked.read(&path.display().to_string(), &text, &mut parts)?;
            }
        }
        marked.kept = Kept::words(parts);
        Ok(marked)
    }

    /// Reads the markers of a file.
    fn read(&mut self, path: &str, text: &str, parts: &mut Vec<KeptItem>) -> Result<(), String> {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let (comments, code): (Vec<Token>, Vec<Token>) =
            tokens(text).into_iter().filter(|token| token.kind != Kind::Doc).partition(|it| it.kind == Kind::Comment);
        let place = |at: usize| format!("{path}:{}", text[..at].matches('\n').count() + 1);
        let mut open: Option<Range<usize>> = None;
        for comment in comments.into_iter().map(|comment| comment.range) {
            let Some(marker) = marker(&text[comment.clone()]) else { continue };
            let shown = place(comment.start);
            match marker {
                "keep-start" => {
                    if open.replace(comment).is_some() {
                        return Err(format!("{shown}: `// mcve: keep-start` before the `keep-end` of another"));
                    }
                }
                "keep-end" => {
                    let start =
                        open.take().ok_or_else(|| format!("{shown}: `// mcve: keep-end` has no `keep-start`"))?;
                    parts.push(KeptItem::of_words(&text[start.end..comment.start]));
                }
                "keep" | "focus" => {
                    let is_focus = marker == "focus";
                    let node = marked_node(&tree, text, &code, &comment, is_focus);
                    let part = node.and_then(|node| if is_focus { head(node) } else { Some(node.range()) });
                    match part {
                        Some(part) => parts.push(KeptItem::of_words(&text[part])),
                        None => self.warnings.push(format!("{shown}: `// mcve: {marker}` marks nothing")),
                    }
                }
                other => {
                    let known = MARKERS.join("`, `");
                    self.warnings.push(format!("{shown}: unknown marker `{other}`; the markers are `{known}`"));
                }
            }
        }
        open.map_or(Ok(()), |start| {
            Err(format!("{}: `// mcve: keep-start` has no `// mcve: keep-end`", place(start.start)))
        })
    }
}

/// The word of a marker, if a comment is one.
fn marker(comment: &str) -> Option<&str> {
    comment.strip_prefix("//")?.trim_start().strip_prefix("mcve:").map(str::trim)
}

/// The outermost node at a marker: below a comment that has the line for itself, or else on its line.
fn marked_node<'t>(
    tree: &'t Tree<'_>,
    text: &str,
    code: &[Token],
    comment: &Range<usize>,
    is_item: bool,
) -> Option<Node<'t>> {
    let line = text[..comment.start].rfind('\n').map_or(0, |end| end + 1);
    let behind = code.partition_point(|token| token.range.start < comment.start);
    let is_marked = |node: &Node<'_>| match node.syntax() {
        Syntax::Item(_) | Syntax::ImplItem(_) | Syntax::TraitItem(_) | Syntax::ForeignItem(_) => true,
        Syntax::Stmt(_) | Syntax::Variant(_) => !is_item,
        _ => false,
    };
    let find = |is_it: &dyn Fn(Range<usize>) -> bool| {
        tree.nodes().filter(is_marked).find(|node| !node.range().is_empty() && is_it(node.range()))
    };
    if text[line..comment.start].trim().is_empty() {
        let first = code.get(behind)?.range.start;
        return find(&|range| (comment.end..=first).contains(&range.start));
    }
    let (first, last) = (code.iter().find(|token| token.range.start >= line)?, code.get(behind.checked_sub(1)?)?);
    find(&|range| range.start == first.range.start).or_else(|| find(&|range| range.end == last.range.end))
}

/// What makes an item the one that it is: its keyword and its name, or all before the body of an `impl`.
fn head(node: Node<'_>) -> Option<Range<usize>> {
    let text = node.text_at(node.range());
    let at = |token: &Token| token.range.start + node.range().start..token.range.end + node.range().start;
    let own: Vec<Token> = tokens(text).into_iter().filter(|token| token.kind == Kind::Code).collect();
    if let Syntax::Item(Item::Impl(item)) = node.syntax() {
        let body = range(&item.brace_token.span.open()).start;
        let start = own.iter().map(at).find(|token| *token == range(&item.impl_token))?.start;
        return Some(start..body);
    }
    let name = range(item_name(node)?);
    let index = own.iter().map(at).position(|token| token == name)?;
    Some(at(&own[index.saturating_sub(1)]).start..name.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::filters::Kept;

    const TEXT: &str = "\
// mcve: focus
fn f() {
    a(); // mcve: keep
    b();
    // mcve: keep
    let c = g(
        1,
    );
    // mcve: keep-start
    d();
    if e { h() }
    // mcve: keep-end
    b();
}
// mcve: focus
impl S { fn s() {} }
";

    fn kept(text: &str) -> Kept {
        let marked = Marked::of(&Program::new("a.rs", text)).expect("all are closed");
        assert_eq!(marked.warnings, Vec::<String>::new());
        marked.kept
    }

    #[test]
    fn what_is_marked_stays_and_else_may_go() {
        let kept = kept(TEXT);
        let whole = "fn f() { a(); let c = g(1,); d(); if e { h() } } impl S {}";
        assert!(kept.are_in(&Program::new("a.rs", whole)));
        for part in ["fn f", "a();", "let c", "1", "d();", "h()", "impl S {}"] {
            let without = whole.replacen(part, "", 1);
            assert!(!kept.are_in(&Program::new("a.rs", without.as_str())), "{part}");
        }
        assert!(!kept.are_in(&Program::new("a.rs", whole.replace("a();", "aa();"))));
    }

    #[test]
    fn of_equal_parts_as_many_stay_as_are_marked() {
        let kept = kept("fn f() {\n    a(); // mcve: keep\n    a(); // mcve: keep\n    a();\n}\n");
        assert!(kept.are_in(&Program::new("a.rs", "fn f() { a(); a(); }")));
        assert!(!kept.are_in(&Program::new("a.rs", "fn f() { a(); }")));
    }

    #[test]
    fn what_is_open_is_an_error_and_what_is_unknown_a_warning() {
        let read = |text: &str| Marked::of(&Program::new("a.rs", text)).map(|marked| marked.warnings);
        assert!(read("fn f() {}\n// mcve: keep-start\n").is_err_and(|why| why.starts_with("a.rs:2: ")));
        assert!(read("// mcve: keep-end\n").is_err() && read("// mcve: keep-start\n// mcve: keep-start\n").is_err());
        let warnings =
            ["a.rs:1: unknown marker `kep`; the markers are `keep`, `keep-start`, `keep-end`, `focus`".to_owned()];
        assert_eq!(read("// mcve: kep\nfn f() {}").as_deref(), Ok(&warnings[..]));
        assert!(read("fn f() {}\n// mcve: keep").is_ok_and(|warnings| warnings[0].ends_with("marks nothing")));
        assert_eq!(read("const A: &str = \"// mcve: kep\";"), Ok(Vec::new()));
    }
}
