//! Writes a result of several files over the files that it was made of.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::backup::{back_up, backup, permissions, put_aside_message};
use super::destination::Output;
use super::result_file::ResultFile;
use crate::program::{ContentHash, File, FileKind, Program, read_regular};

/// Copies each file of `program`, whose root file is at `input`, to `FILE.orig`, but no links. Fails if that differs.
pub(crate) fn back_up_all(input: &Path, program: &Program) -> io::Result<()> {
    for (path, file) in without_links(program) {
        let path = place(input, program, &path);
        // Several are as they were until the end.
        let own = if program.is_lone() { file.bytes.to_vec() } else { fs::read(&path)? };
        back_up(&path, &own)?;
    }
    Ok(())
}

/// Writes the files of `result` over those of `program`, whose root file is at `input`, and removes those that are gone. What
/// somebody has changed since `back_up_all` is put aside first. Links stay. Returns the messages about files that were put aside.
///
/// # Errors
/// When one cannot be written, removed or put aside.
pub fn put(input: &Path, program: &Program, result: &Program) -> io::Result<Vec<String>> {
    let mut messages = Vec::new();
    let kept = without_links(result);
    for (path, file) in &kept {
        let path = place(input, program, path);
        if let Some(target) = backed_up(&path)? {
            let aside = target.replace(&file.bytes, permissions(&path))?;
            messages.extend(aside.map(|aside| put_aside_message(&path, &aside)));
        }
    }
    for (path, _) in without_links(program) {
        if kept.iter().any(|(name, _)| *name == path) {
            continue;
        }
        let path = place(input, program, &path);
        if let Some(target) = backed_up(&path)? {
            let aside = target.remove()?;
            messages.extend(aside.map(|aside| put_aside_message(&path, &aside)));
        }
    }
    Ok(messages)
}

/// The files of a program but for its links: a file that is too large to be copied is one of these.
fn without_links(program: &Program) -> Vec<(PathBuf, File)> {
    program.files().into_iter().filter(|(_, file)| file.kind != FileKind::Link).collect()
}

/// The path of a file of `program`, whose root file is at `input`.
fn place(input: &Path, program: &Program, path: &Path) -> PathBuf {
    if path == program.name { input.to_owned() } else { program.folder_at(input).join(path) }
}

/// The file at `path`, which knows what [`back_up_all`] copied of it.
fn backed_up(path: &Path) -> io::Result<Option<ResultFile>> {
    let Output::File(file) = Output::at(path)? else { return Ok(None) };
    match read_regular(&backup(path)) {
        Ok(bytes) => file.record_written(ContentHash::of(&bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::program::Files;

    fn program(files: &[(&str, File)]) -> Program {
        let files: BTreeMap<PathBuf, File> =
            files.iter().map(|(path, file)| (PathBuf::from(path), file.clone())).collect();
        Program::of_files("", &Files { files })
    }

    fn read(folder: &Path, name: &str) -> Option<String> {
        fs::read_to_string(folder.join(name)).ok()
    }

    #[test]
    fn links_stay_whatever_the_result_has() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::write(folder.path().join("a"), "one").expect("it can be written");
        symlink("a", folder.path().join("l")).expect("it can be made");
        let link = File { kind: FileKind::Link, bytes: b"a"[..].into() };
        let given = program(&[("a", "one".into()), ("l", link)]);
        back_up_all(folder.path(), &given).expect("it can be written");
        put(folder.path(), &given, &program(&[("a", "o".into())])).expect("it can be written");
        assert_eq!(read(folder.path(), "l").as_deref(), Some("o"));
        assert!(!folder.path().join("l.orig").exists());
    }

    #[test]
    fn what_was_changed_since_the_backup_is_put_aside() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("it can be written");
        let names = ["kept", "gone", "left", "lost"];
        names.iter().for_each(|name| write(name, name));
        let given = program(&names.map(|name| (name, name.into())));
        back_up_all(folder.path(), &given).expect("it can be written");
        write("kept", "mine");
        write("gone", "mine too");
        let result = program(&[("kept", "k".into()), ("left", "l".into())]);
        let messages = put(folder.path(), &given, &result).expect("it can be written");
        assert_eq!(messages.len(), 2, "{messages:?}");
        let texts = |names: &[&str]| names.iter().map(|name| read(folder.path(), name)).collect::<Vec<_>>();
        let some = |texts: &[&str]| texts.iter().map(|text| Some((*text).to_owned())).collect::<Vec<_>>();
        assert_eq!(texts(&["kept", "kept.orig", "kept.orig.1"]), some(&["k", "kept", "mine"]));
        assert_eq!(texts(&["gone", "lost", "lost.orig.1", "left.orig.1"]), [const { None }; 4]);
        assert_eq!(texts(&["gone.orig", "gone.orig.1"]), some(&["gone", "mine too"]));
        assert_eq!(texts(&["left", "left.orig", "lost.orig"]), some(&["l", "left", "lost"]));
    }
}
