//! The files of a sweep.

use std::path::{Path, PathBuf};

/// The Rust files below `folder`, the largest ones first, so that no thread ends with one; `folder` itself, if it is one.
pub(crate) fn below(folder: &Path) -> Vec<PathBuf> {
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
    found.into_iter().map(|(_, path)| path).collect()
}
