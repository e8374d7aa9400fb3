//! Differences of two texts: as a patch, and in colours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};

use super::terminal::Shown;
use mcve_reduce::program::{File, Program};

/// A unified diff from `before` to `after`, both of them versions of the file at `path`, which is relative: `patch -p1` and
/// `git apply` take it in the folder from which that leads to the file. Empty where nothing differs.
pub(crate) fn patch(path: &str, before: &str, after: &str) -> String {
    let (old, new) = (format!("a/{path}"), format!("b/{path}"));
    TextDiff::from_lines(before, after).unified_diff().header(&old, &new).to_string()
}

/// A unified diff of two programs, both of which are at `path`: a file, or one of several files. Files that are not text are
/// left out.
pub(crate) fn patch_of_programs(path: &Path, before: &Program, after: &Program) -> String {
    let folder = path.ancestors().nth(before.name.components().count()).unwrap_or(Path::new(""));
    let texts = |program: &Program| -> BTreeMap<PathBuf, String> {
        let text = |(path, file): (PathBuf, File)| Some((path, String::from_utf8(file.bytes.to_vec()).ok()?));
        program.files().into_iter().filter_map(text).collect()
    };
    let (before, after, root) = (texts(before), texts(after), &before.name);
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let text = |texts: &BTreeMap<PathBuf, String>, path| texts.get(path).cloned().unwrap_or_default();
    let patches = paths.into_iter().map(|own| {
        let shown = if own == root { path.to_owned() } else { folder.join(own) };
        patch(&shown.display().to_string(), &text(&before, own), &text(&after, own))
    });
    patches.collect()
}

/// The lines in which files of one program differ from those of another.
pub(super) fn changed_files(one: &Program, other: &Program) -> Vec<String> {
    let files = one.files();
    let changed = |(path, file): (PathBuf, File)| {
        let text = |file: &File| String::from_utf8_lossy(&file.bytes).into_owned();
        let (_, before) = files.iter().find(|(own, _)| *own == path)?;
        Some(changed_lines(&text(before), &text(&file)))
    };
    other.files().into_iter().filter_map(changed).flatten().collect()
}

/// The lines that differ, each behind a `-` or a `+`.
fn changed_lines(before: &str, after: &str) -> Vec<String> {
    let diff = TextDiff::from_lines(before, after);
    let is_shown = |tag: ChangeTag, line: &str| tag != ChangeTag::Equal && !line.trim().is_empty();
    let changes = diff.iter_all_changes().filter(|change| is_shown(change.tag(), change.value()));
    changes.map(|change| format!("{}{}", change.tag(), change.value().trim_end())).collect()
}

/// A unified diff with its lines in colours, for a stream that takes them away where nobody sees them.
pub(crate) fn painted(patch: &str) -> Shown {
    let line = |line: &str| {
        let (text, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        Shown::styled(line_style(line), text).and(Shown::plain(end))
    };
    patch.split_inclusive('\n').map(line).fold(Shown::default(), Shown::and)
}

/// The style of a line of a difference.
pub(super) fn line_style(line: &str) -> Style {
    match line.as_bytes() {
        [b'-', b'-', b'-', ..] | [b'+', b'+', b'+', ..] => Style::new().bold(),
        [b'-', ..] => AnsiColor::Red.on_default(),
        [b'+', ..] => AnsiColor::Green.on_default(),
        [b'@', ..] => AnsiColor::Cyan.on_default(),
        _ => Style::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_the_file_and_shows_what_is_around() {
        let before = "a\nb\nc\nd\ne\nf\n";
        let expected = "--- a/x/y.rs\n+++ b/x/y.rs\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f\n";
        assert_eq!(patch("x/y.rs", before, &before.replace('e', "E")), expected);
        assert_eq!(patch("x/y.rs", before, before), "");
    }

    #[test]
    fn a_last_line_that_does_not_end_is_told() {
        assert!(patch("a", "x\ny", "x\n").contains("\\ No newline at end of file"));
    }

    #[test]
    fn colours_add_nothing_else() {
        let patch = patch("a", "x\ny", "x\nz\n");
        let lines = patch.lines().map(|line| Shown::styled(line_style(line), line).and(Shown::plain("\n")));
        assert_eq!(painted(&patch), lines.fold(Shown::default(), Shown::and));
        assert_eq!(line_style("+z"), AnsiColor::Green.on_default());
    }
}
