//! The files that a file takes along: those of its modules, those that it includes, and the crates that its headers name.
//!
//! They are found by syntax: `mod x;` with the rules of [`ModulePlace`](mcve_transforms::ModulePlace), `include!`, `include_str!`
//! and `include_bytes!` of a literal. A file that is out of `Bounds` stays where it is, and the program names it by its whole path.
//! Files whose names a macro makes are added once the compiler has asked for them (`failure/any.rs`).

mod find;
mod write;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use find::{FileSearch, RustFile};
use write::Names;

use super::folder::read_folder;
use crate::output::{backup, program_name};
use crate::program::Program;

/// The program whose root file is at `path` and holds `text`; none where it names no other file that there is.
pub fn gather(path: &Path, text: &str) -> Option<Program> {
    let (mut search, root) = FileSearch::of_root(path, text)?;
    let crates = search.crates(&root).unwrap_or_default();
    let others = search.others;
    let rust = std::iter::once(&root).chain(crates.iter().map(|needed| &needed.root));
    let mut paths: Vec<PathBuf> = rust.flat_map(RustFile::paths).collect();
    paths.extend(others.iter().cloned());
    let base = common_folder(&paths)?;
    let mut names = Names { base: &base, inside: "", used: BTreeSet::new() };
    if paths.len() > 1 {
        return names.program(&root, &crates, &others);
    }
    root.names_foreign().then(|| Program::new(program_name(&root.path), names.text(&root, &base)))
}

/// The files that a program names by their whole paths, and that checks read where they are.
pub fn outside(program: &Program) -> BTreeSet<PathBuf> {
    find::absolute(&program.text)
}

/// The program `user` with a crate that it uses, whose root file is at `path` and holds `text`: the crate is called `name`, and
/// compiled with these arguments before the crates that `user` has already. None where its files cannot be read as Rust, or the
/// program has files of these names.
pub fn with_dependency(user: &Program, path: &Path, text: &str, name: &str, arguments: &[String]) -> Option<Program> {
    let (search, root) = FileSearch::of_root(path, text)?;
    let mut paths = root.paths();
    paths.extend(search.others.iter().cloned());
    let base = common_folder(&paths)?;
    let folder = base.components().next_back()?.as_os_str().to_str()?;
    // Names of its own, also where two crates have files of the same names. The executable of a test has the name of its root file.
    let is_executable = user.name.file_stem().is_some_and(|stem| stem == name);
    let inside = &format!("{name}{}/{folder}", if is_executable { "-crate" } else { "" });
    let text = Names { base: &base, inside, used: BTreeSet::new() }.dependency(&root, name, arguments)?;
    let mut program = user.with_crate(&text)?;
    for other in &search.others {
        let name = Path::new(inside).join(other.strip_prefix(&base).ok()?);
        program = program.with_file(name.to_str()?, write::taken(other)?)?;
    }
    Some(program)
}

/// The program that a folder of any files is, each of which can be reduced; none if one has a path that is no text. What
/// [`read_folder`] leaves out is left out, and the backups of files that are there where `without_backups`.
pub fn gather_folder(folder: &Path, without_backups: bool) -> std::io::Result<Option<Program>> {
    let mut files = read_folder(folder)?;
    if without_backups {
        let backups: Vec<PathBuf> = files.files.keys().map(|path| backup(path)).collect();
        backups.iter().for_each(|backup| _ = files.files.remove(backup));
    }
    Ok(write::folder(&files))
}

fn common_folder(paths: &[PathBuf]) -> Option<PathBuf> {
    let mut folder = paths.first()?.parent()?.to_owned();
    for path in paths {
        while !path.starts_with(&folder) {
            folder.pop();
        }
    }
    Some(folder)
}
