//! The paths at which the compiler looks for the file of a module.
//!
//! The rules are those of the Rust Reference, "Modules", on module source filenames and the `path` attribute.

/// The place of a module's declaration: a file, and the inline modules in it that are around the declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModulePlace {
    /// The folder of the file; empty for the folder that all paths are relative to.
    folder: String,
    /// The folder with the files of the modules that are declared here.
    modules: String,
    /// Whether an inline module is around it.
    pub(super) is_inline: bool,
}

impl ModulePlace {
    /// Directly in the file at `path`; `is_root` means that it is the root of a crate, or named by a `path` attribute.
    pub fn of_file(path: &str, is_root: bool) -> Self {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let owns_folder = is_root || name == "mod.rs";
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        let modules = if owns_folder { folder.to_owned() } else { joined(folder, stem) };
        Self { folder: folder.to_owned(), modules, is_inline: false }
    }

    /// In the inline module `name` that is declared here.
    pub fn inside(&self, name: &str) -> Self {
        Self { folder: self.folder.clone(), modules: joined(&self.modules, name), is_inline: true }
    }

    /// The possible paths of the file of the module `name`.
    pub fn candidates(&self, name: &str) -> [String; 2] {
        [joined(&self.modules, &format!("{name}.rs")), joined(&self.modules, &format!("{name}/mod.rs"))]
    }

    /// The path of the file of a module with the attribute `path`.
    pub fn named(&self, path: &str) -> String {
        normal(&joined(self.base(), path))
    }

    /// The value of the `path` attribute for the file at `path`.
    pub fn path_to(&self, path: &str) -> String {
        let base: Vec<&str> = self.base().split('/').filter(|part| !part.is_empty()).collect();
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let shared = base.iter().zip(&parts).take_while(|(one, other)| one == other).count();
        let up = std::iter::repeat_n("..", base.len() - shared);
        up.chain(parts[shared..].iter().copied()).collect::<Vec<_>>().join("/")
    }

    fn base(&self) -> &str {
        if self.is_inline { &self.modules } else { &self.folder }
    }
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() || name.starts_with('/') { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A path without `.` and, where possible, without `..`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != ".." && !last.is_empty()) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_where_the_compiler_looks() {
        let root = ModulePlace::of_file("src/lib.rs", true);
        assert_eq!(root.candidates("a"), ["src/a.rs", "src/a/mod.rs"]);
        assert_eq!(root.inside("m").candidates("a"), ["src/m/a.rs", "src/m/a/mod.rs"]);
        assert_eq!(ModulePlace::of_file("src/a.rs", false).candidates("b"), ["src/a/b.rs", "src/a/b/mod.rs"]);
        assert_eq!(ModulePlace::of_file("src/a/mod.rs", false).candidates("b"), ["src/a/b.rs", "src/a/b/mod.rs"]);
        assert_eq!(ModulePlace::of_file("a.rs", true).candidates("b"), ["b.rs", "b/mod.rs"]);
    }

    #[test]
    fn a_path_attribute_counts_from_the_folder_of_the_file_or_of_the_inline_module() {
        let file = ModulePlace::of_file("src/a.rs", false);
        assert_eq!(file.named("x.rs"), "src/x.rs");
        assert_eq!(file.named("../x.rs"), "x.rs");
        assert_eq!(file.inside("m").named("x.rs"), "src/a/m/x.rs");
        assert_eq!(file.path_to("src/b/x.rs"), "b/x.rs");
        assert_eq!(file.path_to("y/x.rs"), "../y/x.rs");
        assert_eq!(file.named(&file.path_to("y/x.rs")), "y/x.rs");
        assert_eq!(file.named("/abs/x.rs"), "/abs/x.rs");
    }
}
