//! Reads the files of a folder.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use crate::exec::incremental::CACHE_TAG;
use crate::program::{File, Files};
use crate::secrets::is_secret;

/// Reads a folder, without what is in `.git` and in caches, such as cargo's `target`.
///
/// # Errors
/// When something in it cannot be read. Sockets and the like are passed over.
pub fn read_folder(folder: &Path) -> io::Result<Files> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside)? {
            let path = entry?.path();
            let about = fs::symlink_metadata(&path)?;
            if about.is_dir() {
                if !path.ends_with(".git") && !path.join(CACHE_TAG).exists() {
                    folders.push(path);
                }
            } else if let Some(file) = read_file(&path)? {
                // What a worktree or submodule has in the place of the folder `.git`.
                if !path.ends_with(".git") {
                    files.insert(path.strip_prefix(folder).unwrap_or(&path).to_owned(), file);
                }
            }
        }
    }
    Ok(Files { files })
}

/// Reads a file, or a link as such; none if it is neither, or a secret of the user.
pub fn read_file(path: &Path) -> io::Result<Option<File>> {
    if is_secret(path) && !path.is_symlink() { Ok(None) } else { File::read(path) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::program::FileKind;

    #[test]
    fn a_folder_is_read_without_git_and_caches() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        for name in ["a", "d/e/b", ".git/HEAD", "target/CACHEDIR.TAG", "target/c", "sub/.git"] {
            fs::create_dir_all(path(name).parent().expect("it is below")).expect("it can be made");
            fs::write(path(name), name).expect("it can be written");
        }
        fs::set_permissions(path("a"), fs::Permissions::from_mode(0o755)).expect("it is ours");
        std::os::unix::fs::symlink("no/where", path("l")).expect("it can be made");
        let read = read_folder(folder.path()).expect("it can be read");
        let kinds: Vec<_> = read.files.iter().map(|(path, file)| (path.to_str(), file.kind)).collect();
        let expected = [("a", FileKind::Executable), ("d/e/b", FileKind::Plain), ("l", FileKind::Link)];
        assert_eq!(kinds, expected.map(|(path, kind)| (Some(path), kind)));
        assert_eq!(*read.files[Path::new("l")].bytes, *b"no/where");
    }
}
