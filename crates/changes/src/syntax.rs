//! Syntax differences of a Rust file.
//!
//! A node is a row of parts: nodes and the tokens between them. Equal parts of the old and the new row stay; parts
//! that replace each other are compared recursively, down to the smallest changed nodes and tokens.
//! All differing bytes are in some piece: text between parts, such as comments, is compared as well.

use std::ops::Range;

use mcve_transforms::{Node, Source, Syntax, Tree};

use super::piece::Piece;
use super::row::{Element, Step, parts, steps};

/// The pieces by nodes; none if a text does not parse.
pub(super) fn nodes(old: &str, new: &str) -> Option<Vec<Piece>> {
    if !Source::is_valid(old) || !Source::is_valid(new) {
        return None;
    }
    let (old, new) = (Source::parse(old), Source::parse(new));
    let (old_tree, new_tree) = (Tree::new(&old), Tree::new(&new));
    let mut comparison = Comparison { texts: [old.text(), new.text()], pieces: Vec::new() };
    // An empty file is a node without tokens.
    let whole = |source: &Source| 0..source.text().len();
    let rows = [parts(old_tree.nodes().next(), &old, whole(&old)), parts(new_tree.nodes().next(), &new, whole(&new))];
    comparison.rows(&rows, whole(&old), whole(&new));
    Some(comparison.pieces)
}

struct Comparison<'t> {
    /// The old and the new text.
    texts: [&'t str; 2],
    pieces: Vec<Piece>,
}

impl<'t> Comparison<'t> {
    /// Compares two rows with these byte ranges.
    fn rows(&mut self, rows: &[Vec<Element<'t>>; 2], old: Range<usize>, new: Range<usize>) {
        let (mut at_old, mut at_new) = (old.start, new.start);
        for step in steps(rows) {
            match step {
                Step::Both(from, to) => {
                    let (from, to) = (&rows[0][from], &rows[1][to]);
                    self.between(at_old..from.range.start, at_new..to.range.start);
                    self.parts(from, to);
                    (at_old, at_new) = (from.range.end, to.range.end);
                }
                Step::Goes(gone) => {
                    let end = rows[0][gone.end - 1].range.end;
                    self.pieces.push(Piece::top(at_old..end, at_new..at_new));
                    at_old = end;
                }
                Step::Comes(come) => {
                    let end = rows[1][come.end - 1].range.end;
                    self.come(&rows[1][come], at_old, at_new..end);
                    at_new = end;
                }
            }
        }
        self.between(at_old..old.end, at_new..new.end);
    }

    /// Compares the text between parts. White space belongs to the piece before it.
    fn between(&mut self, old: Range<usize>, new: Range<usize>) {
        let texts = [&self.texts[0][old.clone()], &self.texts[1][new.clone()]];
        if texts[0] == texts[1] {
            return;
        }
        let is_space = texts.iter().all(|text| text.trim().is_empty());
        match self.pieces.last_mut() {
            Some(Piece { old: gone, new: come, inside: None })
                if is_space && gone.end == old.start && come.end == new.start =>
            {
                (gone.end, come.end) = (old.end, new.end);
            }
            _ => self.pieces.push(Piece::top(old, new)),
        }
    }

    /// Compares parts that may replace each other.
    fn parts(&mut self, old: &Element<'t>, new: &Element<'t>) {
        if old.text == new.text {
            return;
        }
        if self.around(old, new) {
            return;
        }
        let rows = [old, new].map(|part| match part.node {
            Some(node) => parts(Some(node), node.tree().source(), part.range.clone()),
            None => Vec::new(),
        });
        // If nothing stays and nothing is compared further, it is one change.
        let is_apart =
            rows.iter().any(Vec::is_empty) || steps(&rows).iter().all(|step| !matches!(step, Step::Both(..)));
        if is_apart || old.kind() != new.kind() {
            self.pieces.push(Piece::top(old.range.clone(), new.range.clone()));
        } else {
            self.rows(&rows, old.range.clone(), new.range.clone());
        }
    }

    /// If one part contains the other unchanged, only the surrounding text is added or removed. Returns whether that is so.
    fn around(&mut self, old: &Element<'t>, new: &Element<'t>) -> bool {
        let inside = |outer: &Element<'t>, text: &str| {
            let mut nodes = outer.node.into_iter().flat_map(Node::descendants);
            nodes.find(|node| node.text() == text).map(|node| node.range())
        };
        let (Range { start, end }, nothing) = (old.range.clone(), new.range.start..new.range.start);
        if let Some(kept) = inside(new, old.text) {
            self.come(std::slice::from_ref(new), start, new.range.start..kept.start);
            self.come(std::slice::from_ref(new), end, kept.end..new.range.end);
        } else if let Some(kept) = inside(old, new.text) {
            let gone = [start..kept.start, kept.end..end].into_iter().filter(|gone| !gone.is_empty());
            self.pieces.extend(gone.map(|gone| Piece::top(gone, nothing.clone())));
        } else {
            return false;
        }
        true
    }

    /// Adds parts at byte `at` of the old text, and the nodes in them that are optional.
    fn come(&mut self, parts: &[Element<'t>], at: usize, new: Range<usize>) {
        let top = self.pieces.len();
        if new.is_empty() {
            return;
        }
        self.pieces.push(Piece::top(at..at, new.clone()));
        // The pieces around the current node, outermost first.
        let mut around = vec![(top, new.clone())];
        let inner = parts.iter().filter_map(|part| part.node).flat_map(Node::descendants);
        let is_new = |range: &Range<usize>| new.start <= range.start && range.end <= new.end;
        for node in inner.filter(|node| can_go(node.syntax()) && is_new(&node.range())) {
            let range = node.range();
            while around.last().is_some_and(|(_, outer)| outer.end <= range.start) {
                around.pop();
            }
            let (outer, whole) = around.last().expect("all are in the first").clone();
            // A statement may be the same as its item, and the first part may be the whole addition.
            if range.end == whole.end && self.texts[1][whole.start..range.start].trim().is_empty() {
                continue;
            }
            // Includes the space before it, so that no empty line is left.
            let before = &self.texts[1][whole.start..range.start];
            let start = whole.start + before.trim_end().len();
            // Excludes the space that a sibling includes.
            let start = self.pieces[top..]
                .iter()
                .filter(|piece| piece.inside == Some(outer))
                .fold(start, |start, piece| start.max(piece.new.end));
            around.push((self.pieces.len(), start..range.end));
            self.pieces.push(Piece { old: 0..0, new: start..range.end, inside: Some(outer) });
        }
    }
}

/// Whether the surrounding text usually parses without it.
fn can_go(syntax: Syntax<'_>) -> bool {
    matches!(
        syntax,
        Syntax::Arm(_)
            | Syntax::ImplItem(_)
            | Syntax::Item(_)
            | Syntax::Stmt(_)
            | Syntax::TraitItem(_)
            | Syntax::ForeignItem(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the removed and added text of each piece; pieces inside other pieces are marked.
    #[track_caller]
    fn check(old: &str, new: &str, expected: &[(&str, &str)]) {
        let pieces = nodes(old, new).expect("both parse");
        let texts: Vec<_> = pieces.iter().map(|piece| (&old[piece.old.clone()], &new[piece.new.clone()])).collect();
        assert_eq!(texts, expected);
        let mut at = 0;
        for piece in pieces.iter().filter(|piece| piece.inside.is_none()) {
            assert!(piece.old.start >= at, "they are in order");
            at = piece.old.end;
        }
    }

    #[test]
    fn an_expression_changes_inside_of_its_function() {
        let old = "fn f(x: u8) -> u8 {\n    let y = x + 1;\n    g(y, 2)\n}\n";
        let new = "fn f(x: u8) -> u8 {\n    let y = x - 1;\n    g(y, 3)\n}\n";
        check(old, new, &[("+", "-"), ("2", "3")]);
    }

    #[test]
    fn statements_and_items_come_and_go_each_by_itself() {
        let old = "fn f() {\n    a();\n    d();\n}\n\nfn g() {}\n";
        let new = "fn f() {\n    a();\n    b();\n    c();\n    d();\n}\n";
        check(old, new, &[("", "\n    b();"), ("", "\n    c();"), ("\n\nfn g() {}", "")]);
    }

    #[test]
    fn elements_of_lists_come_with_their_separators() {
        check("fn f(a: u8, c: u8) {}", "fn f(a: u8, b: u8, c: u8) {}", &[("", " b: u8,")]);
        check("enum E { A, B }", "enum E { A, B, C, D }", &[("", ","), ("", " C,"), ("", " D")]);
    }

    #[test]
    fn what_comes_around_something_leaves_it_as_it_is() {
        let (old, new) = ("fn f() { g(x) }", "fn f() { if a { b(); } else { g(x) } }");
        check(old, new, &[("", "{ if a { b(); } else "), ("", " b();"), ("", " }")]);
        check(new, old, &[("{ if a { b(); } else ", ""), (" }", "")]);
    }

    #[test]
    fn what_is_in_a_new_function_need_not_come_along() {
        let new = "fn f() {\n    a();\n    if b() {\n        c();\n    }\n}\n";
        let expected = [
            ("", "fn f() {\n    a();\n    if b() {\n        c();\n    }\n}"),
            ("", "\n    a();"),
            ("", "\n    if b() {\n        c();\n    }"),
            ("", "\n        c();"),
            ("", "\n"),
        ];
        check("", new, &expected);
    }

    #[test]
    fn a_changed_item_is_told_by_its_name() {
        let old = "fn f() { a() }\nfn g() { b() }\n";
        let new = "fn f() { a() }\nfn h() { c() }\nfn g() { d() }\n";
        check(old, new, &[("", "\nfn h() { c() }"), ("", " c()"), ("b", "d")]);
    }

    #[test]
    fn comments_and_space_are_pieces_too() {
        check("fn f() {} // a\nfn g() {}", "fn f() {} // b\nfn g() {}", &[(" // a\n", " // b\n")]);
        check("fn f() {}", "fn f()  {}", &[(" ", "  ")]);
        check("/// a\nfn f() {}", "/// b\nfn f() {}", &[("/// a", "/// b")]);
    }

    #[test]
    fn what_does_not_parse_has_no_nodes() {
        assert_eq!(nodes("fn f() {}", "fn f() {"), None);
        assert_eq!(nodes("fn", "fn f() {}"), None);
    }

    #[test]
    fn all_pieces_make_the_new_text_of_any_two_files() {
        let texts = ["", include_str!("pair.rs"), include_str!("set.rs"), include_str!("history.rs")];
        for (old, new) in texts.iter().flat_map(|old| texts.iter().map(move |new| (old, new))) {
            let (mut text, mut at) = (String::new(), 0);
            for piece in nodes(old, new).expect("both parse").iter().filter(|piece| piece.inside.is_none()) {
                text.push_str(&old[at..piece.old.start]);
                text.push_str(&new[piece.new.clone()]);
                at = piece.old.end;
            }
            assert_eq!(text + &old[at..], **new);
        }
    }
}
