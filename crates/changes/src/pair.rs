//! A file in both versions, and the changed pieces of it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lines::{characters_of, hunks, lines_of, tokens_of, units};
use super::piece::Piece;
use super::syntax;
use mcve_reduce::program::is_text;
use mcve_reduce::program::{File, FileKind};

/// The granularity of the pieces of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Runs of lines. A file that is added or removed is one piece.
    Hunks,
    /// Syntax nodes if both versions are valid Rust; else single lines.
    Fine,
    /// Single lines.
    Lines,
    /// Words, white space and punctuation.
    Tokens,
    /// Single characters.
    Characters,
}

/// The old and the new version of a file, either of which may be missing.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The old version.
    pub old: Option<(PathBuf, File)>,
    /// The new version.
    pub new: Option<(PathBuf, File)>,
    /// The changes of its content, in order.
    pub pieces: Vec<Piece>,
}

impl Pair {
    /// Compares two versions of a file.
    pub fn new(old: Option<(PathBuf, File)>, new: Option<(PathBuf, File)>, grain: Grain) -> Self {
        let pieces = pieces(old.as_ref(), new.as_ref(), grain);
        Self { old, new, pieces }
    }

    /// Whether the file was renamed.
    pub fn is_renamed(&self) -> bool {
        matches!((&self.old, &self.new), (Some((old, _)), Some((new, _))) if old != new)
    }

    /// Whether the executable bit of the file changed.
    pub fn changes_mode(&self) -> bool {
        let kinds = self.old.as_ref().zip(self.new.as_ref()).map(|((_, old), (_, new))| [old.kind, new.kind]);
        kinds.is_some_and(|kinds| kinds[0] != kinds[1] && !kinds.contains(&FileKind::Link))
    }

    /// The file with the name and the mode of one version and some pieces of the new one; none if it does not exist.
    ///
    /// An added file exists with its first piece, and a removed one disappears with its last.
    pub(super) fn mixed(&self, renamed: bool, moded: bool, on: &[bool]) -> Option<(&Path, File)> {
        let mut on = on.to_vec();
        for (at, piece) in self.pieces.iter().enumerate().rev() {
            if let Some(outer) = piece.inside {
                on[outer] |= on[at];
            }
        }
        let is_top = |at: &usize| self.pieces[*at].inside.is_none();
        let all = |wanted: bool| (0..on.len()).filter(is_top).all(|at| on[at] == wanted);
        let ((path, kind), only) = match (&self.old, &self.new) {
            (None, None) => return None,
            (None, Some(_)) if all(false) => return None,
            (Some(_), None) if all(true) => return None,
            (None, Some((path, file))) => ((path, file.kind), None),
            (Some((path, file)), None) => ((path, file.kind), all(false).then_some(file)),
            (Some((old_path, old)), Some((new_path, new))) => {
                let path = if renamed { new_path } else { old_path };
                if old.kind == FileKind::Link || new.kind == FileKind::Link {
                    let file = if all(true) { new } else { old };
                    ((path, file.kind), Some(file))
                } else {
                    let kind = if moded { new.kind } else { old.kind };
                    ((path, kind), all(false).then_some(old))
                }
            }
        };
        let bytes = match only {
            Some(file) => Arc::clone(&file.bytes),
            None => self.text(&on).into(),
        };
        Some((path, File { kind, bytes }))
    }

    fn text(&self, on: &[bool]) -> Vec<u8> {
        let old = self.old.as_ref().map_or(&[][..], |(_, file)| &file.bytes);
        let (mut text, mut at) = (Vec::new(), 0);
        for (index, piece) in self.pieces.iter().enumerate().filter(|(_, piece)| piece.inside.is_none()) {
            text.extend_from_slice(&old[at..piece.old.start]);
            at = piece.old.start;
            if on[index] {
                self.bring(index, on, &mut text);
                at = piece.old.end;
            }
        }
        text.extend_from_slice(&old[at..]);
        text
    }

    /// Adds the new text of a piece, with its inner pieces only if they are on.
    fn bring(&self, piece: usize, on: &[bool], text: &mut Vec<u8>) {
        let new = self.new.as_ref().map_or(&[][..], |(_, file)| &file.bytes);
        let Range { start: mut at, end } = self.pieces[piece].new;
        for (index, inner) in self.pieces.iter().enumerate().skip(piece + 1) {
            if inner.inside == Some(piece) {
                text.extend_from_slice(&new[at..inner.new.start]);
                if on[index] {
                    self.bring(index, on, text);
                }
                at = inner.new.end;
            }
        }
        text.extend_from_slice(&new[at..end]);
    }
}

fn pieces(old: Option<&(PathBuf, File)>, new: Option<&(PathBuf, File)>, grain: Grain) -> Vec<Piece> {
    let bytes =
        |file: Option<&(PathBuf, File)>| file.map_or_else(|| Arc::from(&[][..]), |(_, file)| file.bytes.clone());
    let (before, after) = (bytes(old), bytes(new));
    let whole = || vec![Piece::top(0..before.len(), 0..after.len())];
    let is_both = old.is_some() && new.is_some();
    let is_link = |file: &&(PathBuf, File)| file.1.kind == FileKind::Link;
    let kinds_differ = is_both && old.is_some_and(|old| is_link(&old)) != new.is_some_and(|new| is_link(&new));
    if is_both && before == after && !kinds_differ {
        return Vec::new();
    }
    let is_all_text = old.into_iter().chain(new).all(|(_, file)| is_text(file));
    let found = match grain {
        _ if !is_all_text => return whole(),
        Grain::Hunks if !is_both => return whole(),
        Grain::Hunks => hunks(&before, &after),
        Grain::Lines => units(&before, &after, lines_of),
        Grain::Tokens => units(&before, &after, tokens_of),
        Grain::Characters => units(&before, &after, characters_of),
        Grain::Fine => {
            let is_rust = old.into_iter().chain(new).all(|(path, _)| path.extension().is_some_and(|name| name == "rs"));
            let texts =
                is_rust.then(|| std::str::from_utf8(&before).ok().zip(std::str::from_utf8(&after).ok())).flatten();
            let nodes = texts.and_then(|(old, new)| syntax::nodes(old, new));
            nodes.unwrap_or_else(|| units(&before, &after, lines_of))
        }
    };
    // An empty file that is added or removed has no other pieces.
    if found.is_empty() { whole() } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, kind: FileKind, text: &str) -> Option<(PathBuf, File)> {
        Some((path.into(), File { kind, bytes: Arc::from(text.as_bytes()) }))
    }

    fn plain(path: &str, text: &str) -> Option<(PathBuf, File)> {
        file(path, FileKind::Plain, text)
    }

    /// The path, kind and text with the pieces `on`, and with the new name and mode if `all`.
    fn mixed(pair: &Pair, all: bool, on: &[usize]) -> Option<(String, FileKind, String)> {
        let (path, file) =
            pair.mixed(all, all, &(0..pair.pieces.len()).map(|piece| on.contains(&piece)).collect::<Vec<_>>())?;
        Some((path.display().to_string(), file.kind, String::from_utf8_lossy(&file.bytes).into_owned()))
    }

    fn expected(path: &str, kind: FileKind, text: &str) -> Option<(String, FileKind, String)> {
        Some((path.to_owned(), kind, text.to_owned()))
    }

    #[test]
    fn any_hunks_can_be_applied() {
        let pair = Pair::new(plain("a", "1\n2\n3\n4\n"), plain("b", "0\n1\n2\nx\ny\n4"), Grain::Hunks);
        assert_eq!(pair.pieces.len(), 2);
        let text = |on: &[usize]| mixed(&pair, false, on).expect("it is there").2;
        assert_eq!(text(&[]), "1\n2\n3\n4\n");
        assert_eq!(text(&[0]), "0\n1\n2\n3\n4\n");
        assert_eq!(text(&[1]), "1\n2\nx\ny\n4");
        assert_eq!(mixed(&pair, true, &[0, 1]), expected("b", FileKind::Plain, "0\n1\n2\nx\ny\n4"));
    }

    #[test]
    fn a_file_comes_with_its_first_piece_and_goes_with_its_last() {
        let added = Pair::new(None, file("a", FileKind::Executable, "1\n2\n"), Grain::Fine);
        assert_eq!(mixed(&added, false, &[]), None);
        assert_eq!(mixed(&added, false, &[1]), expected("a", FileKind::Executable, "2\n"));
        let removed = Pair::new(plain("a", "1\n2\n"), None, Grain::Fine);
        assert_eq!(mixed(&removed, false, &[0]), expected("a", FileKind::Plain, "2\n"));
        assert_eq!(mixed(&removed, false, &[0, 1]), None);
        let empty = Pair::new(None, plain("a", ""), Grain::Fine);
        assert_eq!((mixed(&empty, false, &[]), mixed(&empty, false, &[0])), (None, expected("a", FileKind::Plain, "")));
    }

    #[test]
    fn what_comes_inside_of_something_brings_that() {
        let pair = Pair::new(None, plain("a.rs", "fn f() {\n    a();\n    b();\n}\n"), Grain::Fine);
        assert_eq!(pair.pieces.len(), 4);
        let text = |on: &[usize]| mixed(&pair, false, on).map(|(_, _, text)| text);
        assert_eq!(text(&[]), None);
        assert_eq!(text(&[0]).as_deref(), Some("fn f() {\n}"));
        assert_eq!(text(&[2, 3]).as_deref(), Some("fn f() {\n    b();\n}\n"));
    }

    #[test]
    fn binary_files_and_links_change_as_a_whole() {
        let binary = Pair::new(plain("a", "1\n2\n\0"), plain("a", "1\n3\n\0\n4\n"), Grain::Fine);
        assert_eq!(binary.pieces.len(), 1);
        let link = Pair::new(plain("a", "1\n2\n"), file("a", FileKind::Link, "b"), Grain::Fine);
        assert_eq!(mixed(&link, true, &[]), expected("a", FileKind::Plain, "1\n2\n"));
        assert_eq!(mixed(&link, false, &[0]), expected("a", FileKind::Link, "b"));
        assert!(!link.changes_mode());
        let same = Pair::new(plain("a", "b"), file("a", FileKind::Link, "b"), Grain::Hunks);
        assert_eq!(same.pieces.len(), 1);
    }

    #[test]
    fn a_mode_is_a_change_of_its_own() {
        let pair = Pair::new(plain("a", "1\n"), file("a", FileKind::Executable, "1\n"), Grain::Hunks);
        assert!(pair.changes_mode() && pair.pieces.is_empty() && !pair.is_renamed());
        assert_eq!(mixed(&pair, true, &[]), expected("a", FileKind::Executable, "1\n"));
    }
}
