//! Files and folders: hashes, copies, JSON.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mcve_reduce::program::ContentHash;
use serde::Serialize;
use walkdir::{DirEntry, WalkDir};

/// The hash and the size of the files of a folder, without hidden ones and `target`.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn content(folder: &Path) -> io::Result<(String, u64)> {
    let is_part = |entry: &DirEntry| {
        let name = entry.file_name();
        entry.depth() == 0 || !(name.as_encoded_bytes().starts_with(b".") || entry.depth() == 1 && name == "target")
    };
    let (mut all, mut size) = (Vec::new(), 0);
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_part) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let bytes = fs::read(entry.path())?;
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            all.extend_from_slice(format!("{}\0{}\0", name.display(), hash(&bytes)).as_bytes());
            size += bytes.len() as u64;
        }
    }
    Ok((hash(&all), size))
}

/// The hash of bytes, as it is written.
pub(crate) fn hash(bytes: &[u8]) -> String {
    String::from(ContentHash::of(bytes))
}

/// The paths in a folder, in order; none if it is not there.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Copies a file, or a folder with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in WalkDir::new(from) {
        let entry = entry?;
        // Joining an empty path would add a slash.
        let place = match entry.path().strip_prefix(from) {
            Ok(path) if entry.depth() > 0 => to.join(path),
            _ => to.to_owned(),
        };
        if entry.file_type().is_dir() { fs::create_dir_all(place)? } else { _ = fs::copy(entry.path(), place)? }
    }
    Ok(())
}

/// A value as indented JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("all is text and numbers") + "\n"
}

/// Writes a file so that it is there as a whole or not at all.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    fs::write(&part, text)?;
    fs::rename(part, path)
}
