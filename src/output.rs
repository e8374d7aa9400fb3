//! Where the result goes. A file on disk always shows the failure: it is written beside its place, synced and renamed.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::program::Program;

/// Where the best program is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Nowhere until the end, then standard output.
    Stdout,
    /// A file, replaced after each gain.
    File(PathBuf),
}

/// The file that `mcve FILE.rs` writes: `FILE.mcve.rs`.
#[must_use]
pub fn default_path(input: &Path) -> PathBuf {
    let extension = input.extension().map_or_else(|| "mcve".into(), |old| Path::new("mcve").with_extension(old));
    input.with_extension(extension)
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
        let Self::File(path) = self else { return Ok(()) };
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new().prefix(".mcve-").tempfile_in(folder)?;
        file.write_all(program.text.as_bytes())?;
        file.as_file().set_permissions(std::fs::metadata(input)?.permissions())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
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

/// Copies `input` to `FILE.rs.orig` before it is reduced in place. One that is there already with the same text is left
/// alone, so that a second run works.
///
/// # Errors
/// When it cannot be written, or when it is there with another text: that is somebody's only copy.
pub fn back_up(input: &Path) -> std::io::Result<PathBuf> {
    let mut name = input.as_os_str().to_owned();
    name.push(".orig");
    let backup = PathBuf::from(name);
    if backup.exists() {
        if std::fs::read(&backup)? == std::fs::read(input)? {
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
        assert_eq!(default_path(Path::new("a/b.rs")), Path::new("a/b.mcve.rs"));
        assert_eq!(default_path(Path::new("b")), Path::new("b.mcve"));
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
    fn a_backup_with_another_text_is_never_overwritten() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let input = folder.path().join("a.rs");
        std::fs::write(&input, "one").expect("it can be written");
        let backup = back_up(&input).expect("there is none yet");
        back_up(&input).expect("the same text is fine");
        std::fs::write(&input, "two").expect("it can be written");
        assert!(back_up(&input).is_err());
        assert_eq!(std::fs::read_to_string(backup).expect("it is there"), "one");
    }
}
