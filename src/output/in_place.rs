//! Puts a result of several files in the place of the files that it was made of.

use std::fs;
use std::io;
use std::path::Path;

use super::backup::{back_up, permissions};
use super::{Output, ResultFile};
use crate::program::{FileKind, Program};

/// Copies each file of `program`, whose root file is at `input`, to `FILE.orig`.
///
/// # Errors
/// When one cannot be written, or is there with another text.
pub fn back_up_all(input: &Path, program: &Program) -> io::Result<()> {
    let folder = program.folder_at(input);
    for (path, file) in program.files().into_iter().filter(|(_, file)| file.kind != FileKind::Link) {
        let path = if path == program.name { input.to_owned() } else { folder.join(path) };
        // Several are as they were until the end.
        let own = if program.is_lone() { file.bytes.to_vec() } else { fs::read(&path)? };
        back_up(&path, &own)?;
    }
    Ok(())
}

/// Writes the files of `result` over those of `program`, whose root file is at `input`, and removes those that are gone. All of
/// them were backed up.
///
/// # Errors
/// When one cannot be written or removed.
pub fn put(input: &Path, program: &Program, result: &Program) -> io::Result<()> {
    let folder = program.folder_at(input);
    let place = |path: &Path| if path == program.name { input.to_owned() } else { folder.join(path) };
    let files = result.files();
    for (path, file) in files.iter().filter(|(_, file)| file.kind != FileKind::Link) {
        let path = place(path);
        if let Output::File(target) = Output::at(&path)? {
            ResultFile::replace_backed_up(&target, &file.bytes, permissions(&path))?;
        }
    }
    for (path, _) in program.files() {
        if !files.iter().any(|(kept, _)| *kept == path) {
            fs::remove_file(place(&path))?;
        }
    }
    Ok(())
}
