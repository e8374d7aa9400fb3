//! Where the result goes. A file on disk always shows the failure: it is written beside its place, synced and renamed.

use std::fs::Permissions;
use std::io::Write;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::program::Program;

/// What the names of files begin with that are about to become a result.
const COMING: &str = ".mcve-";

/// Where the best program is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Nowhere until the end, then standard output.
    Stdout,
    /// A file, replaced after each gain.
    File(PathBuf),
}

/// The file that `mcve FILE.rs` writes: `FILE_mcve.rs`, with `_` for what cannot stand in the name of a crate.
#[must_use]
pub fn default_path(input: &Path) -> PathBuf {
    let stem = input.file_stem().unwrap_or_default();
    let mut name = match input.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => crate_name(&stem.to_string_lossy()).into(),
        _ => stem.to_owned(),
    };
    name.push("_mcve");
    if let Some(extension) = input.extension() {
        name.push(".");
        name.push(extension);
    }
    input.with_file_name(name)
}

/// `stem` as a name that rustc takes for a crate. A hyphen may stay: rustc itself makes it `_`.
fn crate_name(stem: &str) -> String {
    stem.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

impl Output {
    /// The path, where there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path),
        }
    }

    /// Keeps `program`, the best so far, with the permissions of `input`.
    ///
    /// # Errors
    /// When the file cannot be written; what stood there before then still does.
    pub fn keep(&self, program: &Program, input: &Path) -> std::io::Result<()> {
        self.replace(&program.text, std::fs::metadata(input)?.permissions())
    }

    /// Writes a text that is not made of a file: whoever could read a new file there can read it.
    ///
    /// # Errors
    /// When the file cannot be written; what stood there before then still does.
    pub fn write(&self, text: &str) -> std::io::Result<()> {
        self.replace(text, std::os::unix::fs::PermissionsExt::from_mode(0o644))
    }

    fn replace(&self, text: &str, permissions: std::fs::Permissions) -> std::io::Result<()> {
        let Self::File(path) = self else { return Ok(()) };
        replace(path, text.as_bytes(), permissions)
    }

    /// Removes what a killed run left behind that was about to become this result. Nobody else may be writing it.
    pub fn clean(&self) {
        let Self::File(path) = self else { return };
        let end = coming(path);
        let is_left = |name: &str| name.starts_with(COMING) && name.ends_with(&end);
        for entry in std::fs::read_dir(folder(path)).into_iter().flatten().flatten() {
            if is_left(&entry.file_name().to_string_lossy()) {
                // It does no harm.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Ends the run: what is to be seen at the end only is written now.
    ///
    /// # Errors
    /// When standard output is closed.
    pub fn finish(&self, program: &Program) -> std::io::Result<()> {
        match self {
            Self::Stdout => std::io::stdout().write_all(program.text.as_bytes()),
            Self::File(_) => Ok(()),
        }
    }
}

/// Has the file at `path` hold `bytes`, with these permissions: at once, or else not at all.
///
/// # Errors
/// When it cannot be written; what stood there before then still does.
pub fn replace(path: &Path, bytes: &[u8], permissions: Permissions) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(COMING).suffix(&coming(path)).tempfile_in(folder(path))?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// The folder of a result.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What the names of files end with that are about to become the result at `path`, and no other one.
fn coming(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    format!("-{:016x}", xxh3_64(name.as_encoded_bytes()))
}

/// The file that keeps what `input` was before it was reduced in place: `FILE.rs.orig`.
#[must_use]
pub fn backup(input: &Path) -> PathBuf {
    let mut name = input.as_os_str().to_owned();
    name.push(".orig");
    name.into()
}

/// Copies `input`, which holds `program`, to `FILE.rs.orig` before it is reduced in place. One that is there already with the
/// same text is left alone, so that a second run works.
///
/// # Errors
/// When it cannot be written, or when it is there with another text: that is somebody's only copy.
pub fn back_up(input: &Path, program: &Program) -> std::io::Result<PathBuf> {
    let backup = backup(input);
    if backup.exists() {
        if std::fs::read(&backup)? == program.text.as_bytes() {
            return Ok(backup);
        }
        let message = format!("{} is there already and differs: move it away first", backup.display());
        return Err(std::io::Error::new(std::io::ErrorKind::AlreadyExists, message));
    }
    std::fs::copy(input, &backup)?;
    std::fs::File::open(&backup)?.sync_all()?;
    Ok(backup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_output_stands_beside_the_input() {
        assert_eq!(default_path(Path::new("a/b.rs")), Path::new("a/b_mcve.rs"));
        assert_eq!(default_path(Path::new("b")), Path::new("b_mcve"));
        assert_eq!(default_path(Path::new("b.d/c.toml")), Path::new("b.d/c_mcve.toml"));
    }

    #[test]
    fn the_default_output_is_named_as_a_crate_can_be() {
        assert_eq!(default_path(Path::new("a b.c-d.rs")), Path::new("a_b_c-d_mcve.rs"));
    }

    #[test]
    fn keep_replaces_the_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let input = folder.path().join("a.rs");
        std::fs::write(&input, "fn a() {}").expect("it can be written");
        let output = Output::File(folder.path().join("b.rs"));
        for text in ["one", "two"] {
            output.keep(&Program::new("a.rs", text), &input).expect("it can be written");
            assert_eq!(std::fs::read_to_string(folder.path().join("b.rs")).expect("it is there"), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 2);
    }

    #[test]
    fn what_was_about_to_become_this_result_goes_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        let left = format!(".mcve-abcdef{}", coming(Path::new("b.rs")));
        let other = format!(".mcve-abcdef{}", coming(Path::new("c.rs")));
        for name in [&left, &other, "b.rs", ".mcve-b.rs"] {
            std::fs::write(path(name), "").expect("it can be written");
        }
        Output::File(path("b.rs")).clean();
        assert!(!path(&left).exists());
        assert!([&other, "b.rs", ".mcve-b.rs"].iter().all(|name| path(name).exists()));
    }

    #[test]
    fn a_backup_with_another_text_is_never_overwritten() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let input = folder.path().join("a.rs");
        std::fs::write(&input, "one").expect("it can be written");
        let backup = back_up(&input, &Program::new("a.rs", "one")).expect("there is none yet");
        back_up(&input, &Program::new("a.rs", "one")).expect("the same text is fine");
        std::fs::write(&input, "two").expect("it can be written");
        assert!(back_up(&input, &Program::new("a.rs", "two")).is_err());
        assert_eq!(std::fs::read_to_string(backup).expect("it is there"), "one");
    }
}
