//! The edition that the nearest `Cargo.toml` gives a file.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

const MANIFEST: &str = "Cargo.toml";

/// The edition of packages whose manifest does not name one.
const OLDEST: &str = "2015";

/// The edition of the package that the file at `path` stands in, and the manifest that says so. A package can take it from its
/// workspace. None if there is no package, or its manifest cannot be read.
pub fn edition(path: &Path) -> Option<(String, PathBuf)> {
    let path = path.canonicalize().ok()?;
    let (folder, manifest) = path.ancestors().skip(1).find_map(|folder| {
        let manifest = folder.join(MANIFEST);
        manifest.is_file().then_some((folder, manifest))
    })?;
    let table = read(&manifest)?;
    let Some(package) = table.get("package").and_then(Value::as_table) else {
        // The root of a workspace that is no package.
        return of_workspace(&table).map(|edition| (edition, manifest));
    };
    match package.get("edition") {
        Some(Value::String(edition)) => Some((edition.clone(), manifest)),
        Some(Value::Table(from)) if from.get("workspace").and_then(Value::as_bool) == Some(true) => {
            let roots = folder.ancestors().map(|folder| folder.join(MANIFEST));
            roots.filter(|root| root.is_file()).find_map(|root| Some((of_workspace(&read(&root)?)?, root)))
        }
        Some(_) => None,
        None => Some((OLDEST.to_owned(), manifest)),
    }
}

fn read(manifest: &Path) -> Option<Table> {
    std::fs::read_to_string(manifest).ok()?.parse().ok()
}

/// The edition that packages take from a workspace.
fn of_workspace(table: &Table) -> Option<String> {
    Some(table.get("workspace")?.get("package")?.get("edition")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edition of `src/a.rs` in a package with this manifest, in a workspace with that one.
    fn edition_of(package: &str, workspace: &str) -> Option<String> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it can be made");
            std::fs::write(path, text).expect("it can be written");
        };
        write("Cargo.toml", workspace);
        write("p/Cargo.toml", package);
        write("p/src/a.rs", "");
        edition(&folder.path().join("p/src/a.rs")).map(|(edition, _)| edition)
    }

    #[test]
    fn the_nearest_manifest_says_it() {
        let workspace = "[workspace.package]\nedition = \"2018\"";
        assert_eq!(edition_of("[package]\nedition = \"2021\"", workspace).as_deref(), Some("2021"));
        assert_eq!(edition_of("[package]\nname = \"p\"", workspace).as_deref(), Some("2015"));
        assert_eq!(edition_of("[package]\nedition.workspace = true", workspace).as_deref(), Some("2018"));
        assert_eq!(edition_of("[workspace.package]\nedition = \"2024\"", workspace).as_deref(), Some("2024"));
    }

    #[test]
    fn a_manifest_that_says_nothing_usable_says_nothing() {
        assert_eq!(edition_of("[package", ""), None);
        assert_eq!(edition_of("[package]\nedition.workspace = true", ""), None);
        assert_eq!(edition_of("[package]\nedition = 2021", ""), None);
        assert_eq!(edition(Path::new("/no/such/file.rs")), None);
    }
}
