//! The texts of a sweep.

use std::path::{Path, PathBuf};

use super::shapes::{SHAPES, Shape};

/// What is swept.
pub(crate) enum Input {
    Files(Vec<PathBuf>),
    Generated { bytes: usize },
}

impl Input {
    /// The Rust files below `folder`, the largest ones first, so that no thread ends with one; `folder` itself, if it is one.
    pub(crate) fn below(folder: &Path) -> Self {
        let mut found = Vec::new();
        let mut pending = vec![folder.to_owned()];
        while let Some(path) = pending.pop() {
            match std::fs::read_dir(&path) {
                Ok(entries) => pending.extend(entries.flatten().map(|entry| entry.path())),
                Err(_) if path.extension().is_some_and(|extension| extension == "rs") && path.is_file() => {
                    found.push((path.metadata().map_or(0, |data| data.len()), path));
                }
                Err(_) => {}
            }
        }
        found.sort_by(|left, right| right.cmp(left));
        Self::Files(found.into_iter().map(|(_, path)| path).collect())
    }

    /// Worst cases of about so many bytes.
    pub(crate) fn generated(bytes: usize) -> Self {
        Self::Generated { bytes }
    }

    /// How many texts there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Files(files) => files.len(),
            Self::Generated { .. } => SHAPES.len(),
        }
    }

    /// The name of the text at `index`, and the text; none where it is no UTF-8.
    pub(crate) fn get(&self, index: usize) -> Option<(String, Option<String>)> {
        match self {
            Self::Files(files) => {
                let path = files.get(index)?;
                Some((path.display().to_string(), std::fs::read_to_string(path).ok()))
            }
            Self::Generated { bytes } => {
                let shape = SHAPES.get(index)?;
                Some((shape.name.to_owned(), Some(text_of_size(shape, *bytes))))
            }
        }
    }
}

/// The program of this shape that has about so many bytes.
fn text_of_size(shape: &Shape, bytes: usize) -> String {
    let sample = 64;
    let each = (shape.text(2 * sample).len() - shape.text(sample).len()) / sample;
    shape.text(bytes / (each + 1))
}
