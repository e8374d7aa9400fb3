//! Files that mcve keeps between runs. It uses them only if nobody but the user can write them.

use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// The permissions of other users to write.
const OTHERS_WRITE: u32 = 0o022;

/// The folder `mcve` in that of the variable `name`, or else in `usual` in the home folder. None if neither is known.
pub(crate) fn user_folder(name: &str, usual: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(name).or_else(|| Some(absolute("HOME")?.join(usual)));
    Some(folder?.join("mcve"))
}

/// Makes a folder, and takes the right to write there from other users. Fails if it is a link, or somebody else's.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let about = folder.symlink_metadata()?;
    if about.is_dir() && is_own(&about) && !only_user_writes(&about) {
        // A umask of 002 makes it group-writable.
        fs::set_permissions(folder, Permissions::from_mode(about.mode() & 0o755))?;
    }
    if folder.symlink_metadata().is_ok_and(|about| about.is_dir() && only_user_writes(&about)) {
        return Ok(());
    }
    let why = format!("{} is a link, or belongs to another user", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
}

/// Opens a file for reading that is not a link, without waiting for the writer of a pipe.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Whether a file or folder belongs to the user that this process runs as, and no other user can write it.
pub(crate) fn only_user_writes(about: &Metadata) -> bool {
    is_own(about) && about.mode() & OTHERS_WRITE == 0
}

fn is_own(about: &Metadata) -> bool {
    about.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{chown, symlink};

    use super::*;

    #[test]
    fn a_folder_is_made_and_closed_to_others() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let folder = place.path().join("a/b");
        let mode = || fs::metadata(&folder).expect("it is there").mode() & 0o777;
        make_folder(&folder).expect("it can be made");
        assert_eq!(mode(), 0o700);
        fs::set_permissions(&folder, Permissions::from_mode(0o777)).expect("it is ours");
        make_folder(&folder).expect("it is ours");
        assert_eq!(mode(), 0o755);
    }

    #[test]
    fn a_link_a_file_and_a_folder_of_somebody_else_are_refused() {
        let place = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("real")).expect("it can be made");
        symlink("real", path("link")).expect("it can be made");
        fs::write(path("file"), "").expect("it can be written");
        make_folder(&path("link")).expect_err("it is a link");
        make_folder(&path("file")).expect_err("it is a file");
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped in part: only root can give a folder away");
            return;
        }
        chown(path("real"), Some(12345), None).expect("root can");
        make_folder(&path("real")).expect_err("it is somebody else's");
    }
}
