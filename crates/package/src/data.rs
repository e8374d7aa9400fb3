//! The files that a test or a program of a package reads: those that its text names, within the [`Bounds`] of the package.

use std::path::{Component, Path, PathBuf};

use mcve_transforms::{Kind, tokens};

use mcve_reduce::program::{File, Program};
use mcve_reduce::project::bounds::Bounds;

/// The maximum number of files that are added.
const MOST: usize = 64;

/// Files with more bytes than this are not added.
const LARGEST: u64 = 1 << 20;

/// The program with the files in `folder` that its text names, alone or by their folder; none if it names none.
pub fn taken_along(program: &Program, folder: &Path) -> Option<Program> {
    let text = &program.text[..program.lists()];
    let literals = tokens(text).into_iter().filter(|token| token.kind == Kind::Code);
    let literals = literals.filter_map(|token| syn::parse_str::<syn::LitStr>(&text[token.range]).ok());
    let bounds = Bounds::of_folder(folder);
    let mut paths: Vec<PathBuf> = Vec::new();
    for named in literals.map(|literal| PathBuf::from(literal.value().trim_start_matches('/'))) {
        let is_inside = named.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if is_inside && !named.as_os_str().is_empty() {
            add(&mut paths, &folder.join(named));
        }
    }
    // The name of a folder is a common word, and a file of the program would be there twice.
    let own: Vec<PathBuf> = program.files().into_iter().map(|(path, _)| path).collect();
    paths.retain(|path| bounds.has(path) && !own.iter().any(|own| path.ends_with(own)));
    let mut taken: Option<Program> = None;
    for path in paths {
        let name = path.strip_prefix(folder).ok()?.to_str()?;
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let file = File::plain(bytes);
        taken = taken.as_ref().unwrap_or(program).with_file(name, file).or(taken);
    }
    taken
}

/// Adds the file at `path`, or the files in the folder there.
fn add(paths: &mut Vec<PathBuf>, path: &Path) {
    let Ok(metadata) = path.metadata() else { return };
    if metadata.is_dir() {
        let Ok(entries) = path.read_dir() else { return };
        let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        inside.sort();
        inside.iter().filter(|path| path.is_file()).for_each(|path| add(paths, path));
    } else if metadata.is_file()
        && metadata.len() <= LARGEST
        && paths.len() < MOST
        && !paths.iter().any(|known| known == path)
    {
        paths.push(path.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_taken_along_by_their_name_and_by_that_of_their_folder() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::create_dir_all(folder.path().join("tests/data")).expect("it can be made");
        for name in ["a.txt", "tests/data/b.txt", "c.txt"] {
            std::fs::write(folder.path().join(name), "1\n").expect("it can be written");
        }
        std::fs::write(folder.path().join("tests/data/it.rs"), "").expect("it can be written");
        let program = Program::new("it.rs", "fn f() { g(\"a.txt\"); g(\"tests/data\"); g(\"../c.txt\"); g(\"\"); }");
        let taken = taken_along(&program, folder.path()).expect("it names files");
        let names: Vec<_> = taken.files().into_iter().map(|(path, _)| path).collect();
        assert_eq!(names, ["it.rs", "a.txt", "tests/data/b.txt"].map(PathBuf::from));
        assert_eq!(taken_along(&Program::new("it.rs", "fn f() { g(\"d.txt\") }"), folder.path()), None);
    }
}
