//! How far the files of a program may be from its root file. What is farther away belongs to somebody else: the compiler reads it
//! where it is, if at all, and no result has a copy of it.

use std::path::{Path, PathBuf};

use crate::secrets::is_secret;

/// The folder whose files may be taken along.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Without links.
    folder: Option<PathBuf>,
}

impl Bounds {
    /// Those of `folder`: its repository, or the outermost package around it, or itself. The user's home is neither.
    pub fn of_folder(folder: &Path) -> Self {
        let Ok(folder) = folder.canonicalize() else { return Self { folder: None } };
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        let is_project = |above: &&Path| above.parent().is_some() && Some(*above) != home.as_deref();
        let around: Vec<&Path> = folder.ancestors().take_while(is_project).collect();
        let repository = around.iter().find(|above| above.join(".git").exists());
        let package = || around.iter().rfind(|above| above.join("Cargo.toml").exists());
        let found = repository.or_else(package).map(|found| found.to_path_buf());
        Self { folder: Some(found.unwrap_or(folder)) }
    }

    /// Those of the file at `path`.
    pub fn of_file(path: &Path) -> Self {
        Self::of_folder(path.parent().unwrap_or(path))
    }

    /// Whether what is at `path`, behind all links, is inside and no secret of the user.
    pub fn has(&self, path: &Path) -> bool {
        let Some((folder, path)) = self.folder.as_ref().zip(path.canonicalize().ok()) else { return false };
        path.starts_with(folder) && !is_secret(&path)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn place(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for name in names {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("it is below")).expect("it can be made");
            std::fs::write(path, "").expect("it can be written");
        }
        folder
    }

    #[test]
    fn a_repository_is_the_bound_or_a_workspace_or_the_folder() {
        let outside = ["x.rs", "a/b/c/d/lib.rs"];
        for (marks, bound) in [
            (&["a/Cargo.toml", "a/b/.git/HEAD", "a/b/c/Cargo.toml"][..], "a/b"),
            (&["a/Cargo.toml", "a/b/c/Cargo.toml"], "a"),
            (&[], "a/b/c/d"),
        ] {
            let names: Vec<&str> = ["a/y.rs", "a/b/y.rs", "a/b/c/d/y.rs"].into_iter().chain(outside).collect();
            let place = place(&[&names, marks].concat());
            let path = |name: &str| place.path().join(name);
            let bounds = Bounds::of_file(&path("a/b/c/d/lib.rs"));
            for name in ["a/y.rs", "a/b/y.rs", "a/b/c/d/y.rs", "x.rs"] {
                assert_eq!(bounds.has(&path(name)), path(name).starts_with(path(bound)), "{name} in {bound}");
            }
        }
    }

    #[test]
    fn a_link_is_where_it_leads() {
        let place = place(&["secret", "p/Cargo.toml", "p/lib.rs", "p/a"]);
        let path = |name: &str| place.path().join(name);
        for (target, name) in [("../secret", "p/out"), ("a", "p/in"), ("..", "p/folder"), ("nowhere", "p/none")] {
            symlink(target, path(name)).expect("it can be made");
        }
        let bounds = Bounds::of_file(&path("p/lib.rs"));
        let has = ["p/in", "p/out", "p/folder/secret", "p/folder/p/a", "p/none"].map(|name| bounds.has(&path(name)));
        assert_eq!(has, [true, false, false, true, false]);
    }
}
