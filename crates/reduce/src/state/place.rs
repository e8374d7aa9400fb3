//! The paths of journals, and the search for the journal of a run.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::output::{FOLDER, default_path, with_end};

/// The file extension of a journal.
const EXTENSION: &str = "journal";

/// The name of a result that goes to standard output.
const STDOUT: &str = "stdout";

/// Why no single journal was found at a path.
#[derive(Debug, PartialEq, Eq)]
pub enum NotFound {
    /// There is none.
    None,
    /// There are several.
    Several(Vec<PathBuf>),
}

/// The path of the journal of a run with the result at `output`, in the folder `state` if one was given. Without `state`, a
/// run that writes to standard output has no journal.
#[must_use]
pub fn journal(output: Option<&Path>, state: Option<&Path>) -> Option<PathBuf> {
    let folder = match (state, output) {
        (Some(state), _) => state.to_owned(),
        (None, Some(output)) => output.with_file_name(FOLDER),
        (None, None) => return None,
    };
    let name = output.and_then(Path::file_name).unwrap_or(OsStr::new(STDOUT));
    Some(folder.join(with_end(name, &format!(".{EXTENSION}"))))
}

/// Makes the folder of journals, if it is missing.
///
/// # Errors
/// When it cannot be made, or the path is a link: it may have come with another user's files.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && !is_folder(folder) => {
            Err(io::Error::other(format!("{} is not a folder, or is a link", folder.display())))
        }
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Whether it is a folder, not a link to one.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// The journal that `place` refers to: the journal itself, the result of its run, the input if its result is next to it,
/// the folder of that, or a folder of journals.
///
/// # Errors
/// When there is none, or more than one.
pub fn find(place: &Path) -> Result<PathBuf, NotFound> {
    // A run that was killed before it wrote its first line has no journal to resume.
    let has_begun = |path: &Path| path.symlink_metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    let is_journal = |path: &Path| path.extension() == Some(OsStr::new(EXTENSION)) && has_begun(path);
    if place.is_dir() {
        let journals = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).into_iter().flatten();
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_journal(path)).collect()
        };
        let mut found = journals(place);
        found.extend(
            Some(place.join(FOLDER)).filter(|inside| is_folder(inside)).iter().flat_map(|inside| journals(inside)),
        );
        found.sort();
        return match found.len() {
            0 => Err(NotFound::None),
            1 => Ok(found.remove(0)),
            _ => Err(NotFound::Several(found)),
        };
    }
    let beside = |output: &Path| journal(Some(output), None).filter(|path| path.parent().is_some_and(is_folder));
    let candidates = [Some(place.to_owned()), beside(place), beside(&default_path(place))];
    candidates.into_iter().flatten().find(|path| is_journal(path)).ok_or(NotFound::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journals_stand_beside_the_result_or_where_the_user_says() {
        let check = |output: Option<&str>, state: Option<&str>, expected: Option<&str>| {
            assert_eq!(journal(output.map(Path::new), state.map(Path::new)), expected.map(PathBuf::from));
        };
        check(Some("a_mcve.rs"), None, Some(".mcve/a_mcve.rs.journal"));
        check(Some("/t/a.rs"), None, Some("/t/.mcve/a.rs.journal"));
        check(Some("/t/a.rs"), Some("s"), Some("s/a.rs.journal"));
        check(None, Some("s"), Some("s/stdout.journal"));
        check(None, None, None);
    }

    #[test]
    fn a_journal_is_found_by_all_that_belongs_to_it() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        assert_eq!(find(folder.path()), Err(NotFound::None));
        assert_eq!(find(&path("a.rs")), Err(NotFound::None));
        std::fs::create_dir(path(FOLDER)).expect("it can be made");
        let journal = path(".mcve/a_mcve.rs.journal");
        std::fs::write(&journal, "").expect("it can be written");
        assert_eq!(find(&path("a.rs")), Err(NotFound::None));
        std::fs::write(&journal, "{}\n").expect("it can be written");
        for place in ["", "a.rs", "a_mcve.rs", ".mcve", ".mcve/a_mcve.rs.journal"] {
            assert_eq!(find(&path(place)).as_deref(), Ok(&*journal), "{place}");
        }
        assert_eq!(find(&path("b.rs")), Err(NotFound::None));
        let other = path(".mcve/b_mcve.rs.journal");
        std::fs::write(&other, "{}\n").expect("it can be written");
        assert_eq!(find(folder.path()), Err(NotFound::Several(vec![journal, other.clone()])));
        assert_eq!(find(&path("b.rs")), Ok(other));
    }
}
