//! Places of a program: paths of its files on disk, positions in its text, and what differs there.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::content::Program;

impl Program {
    /// The path of the root file, if the program is at `path`: a lone file, a folder of several, or the root file itself.
    pub(crate) fn root_at(&self, path: &Path) -> PathBuf {
        if self.is_lone() || path.is_file() { path.to_owned() } else { path.join(&self.name) }
    }

    /// The folder of the files, if the program is at `path`.
    pub fn folder_at(&self, path: &Path) -> PathBuf {
        if !path.is_file() {
            return path.to_owned();
        }
        let depth = self.name.components().count();
        match path.ancestors().nth(depth) {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            Some(_) => PathBuf::from("."),
            // The folder is above the one that the path begins in.
            None => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                path.ancestors().nth(depth).map_or_else(|| PathBuf::from("."), Path::to_owned)
            }
        }
    }

    /// The position in the text of the byte `offset` of the file that the compiler calls `path`.
    pub fn byte(&self, path: &Path, offset: usize) -> Option<usize> {
        if self.layout.is_none() {
            return (path == self.name && offset <= self.text.len()).then_some(offset);
        }
        let path = if path == self.name { "" } else { path.to_str()? };
        self.document()?.file(path)?.byte(offset)
    }

    /// The range in the text of these bytes of the file that the compiler calls `path`.
    pub fn range(&self, path: &Path, bytes: Range<usize>) -> Option<Range<usize>> {
        let range = self.byte(path, bytes.start)?..self.byte(path, bytes.end)?;
        self.text.get(range.clone()).map(|_| range)
    }

    /// The file that holds a byte of the text, and the text of that file before it.
    pub fn place(&self, byte: usize) -> (PathBuf, String) {
        let document = self.document();
        match document.as_ref().and_then(|document| document.place(byte)) {
            Some((file, offset)) => {
                let path = if file.at.is_empty() { self.name.clone() } else { PathBuf::from(&file.at) };
                (path, file.text(&self.text)[..offset].to_owned())
            }
            None => (self.name.clone(), self.text[..byte].to_owned()),
        }
    }

    /// The range of `before` that differs, and the range of this program in its place, both of whole characters.
    pub(crate) fn changed_since(&self, before: &Self) -> (Range<usize>, Range<usize>) {
        changed(&before.text, &self.text)
    }
}

/// The range of `before` that differs, and the range of `after` in its place, both of whole characters.
pub fn changed(before: &str, after: &str) -> (Range<usize>, Range<usize>) {
    let (was, is) = (before.as_bytes(), after.as_bytes());
    let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let mut start = was.iter().zip(is).take_while(same).count();
    let most = was.len().min(is.len()) - start;
    let mut end = was.iter().rev().zip(is.iter().rev()).take(most).take_while(same).count();
    while !before.is_char_boundary(start) {
        start -= 1;
    }
    while !before.is_char_boundary(was.len() - end) {
        end -= 1;
    }
    (start..was.len() - end, start..is.len() - end)
}

/// The text with these replacements, of which none overlaps another. An insertion comes before what replaces a range.
pub fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = text.to_owned();
    for (range, new) in edits.into_iter().rev() {
        text.replace_range(range, &new);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_of_whole_characters() {
        assert_eq!(changed("abcd", "axd"), (1..3, 1..2));
        assert_eq!(changed("ab", "ab"), (2..2, 2..2));
        assert_eq!(changed("aa", "a"), (1..2, 1..1));
        assert_eq!(changed("é", "è"), (0..2, 0..2));
        assert_eq!(changed("", "x"), (0..0, 0..1));
    }
}
