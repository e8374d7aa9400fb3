//! Where a path given as output leads: to standard output, to something that is written to once, or to a file.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// How many links one path may lead through, as for Linux.
const LINKS: usize = 40;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Standard output, by one of its paths.
    Stdout,
    /// A device, a pipe or an open file: what is written there cannot be taken back.
    Stream,
    /// A file that is there or can be made: its real path, without links.
    File(PathBuf),
}

/// Follows `path` to what can be written: no directory, no disk, no missing folder, no long name, nothing forbidden.
pub(super) fn target(path: &Path) -> io::Result<Target> {
    let shown = path.display();
    let failed = |error: io::Error| io::Error::new(error.kind(), format!("cannot write {shown}: {error}"));
    let refused = |kind, why: &str| Err(io::Error::new(kind, format!("{shown} {why}")));
    let real = follow(path).map_err(failed)?;
    let is_directory = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let kind = match fs::metadata(&real) {
        Ok(metadata) => Some(metadata.file_type()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    if is_directory || kind.is_some_and(|kind| kind.is_dir()) || real.file_name().is_none() {
        return refused(ErrorKind::IsADirectory, "is a directory; name the file to write");
    }
    if kind.is_some_and(|kind| kind.is_block_device()) {
        return refused(ErrorKind::InvalidInput, "is a disk: the result would destroy what is on it");
    }
    if kind.is_some_and(|kind| kind.is_socket()) {
        return refused(ErrorKind::InvalidInput, "is a socket, which cannot be written to as a file");
    }
    if let Some(folder) = descriptors(&real) {
        let own = format!("/proc/{}/fd", std::process::id());
        let is_own = folder == Path::new(&own) || folder == Path::new("/dev/fd");
        let is_stdout = is_own && real.file_name().is_some_and(|name| name == "1");
        return Ok(if is_stdout { Target::Stdout } else { Target::Stream });
    }
    if kind.is_some_and(|kind| !kind.is_file()) {
        rustix::fs::access(&real, rustix::fs::Access::WRITE_OK).map_err(|error| failed(error.into()))?;
        return Ok(Target::Stream);
    }
    let folder = folder(&real);
    if !folder.is_dir() {
        let why = format!("cannot write {shown}: there is no folder {}", folder.display());
        return Err(io::Error::new(ErrorKind::NotFound, why));
    }
    // A file is replaced by renaming another one, so that it is the folder that has to allow it.
    let needed = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    rustix::fs::access(folder, needed).map_err(|error| {
        let error = io::Error::from(error);
        io::Error::new(error.kind(), format!("cannot write to the folder {}: {error}", folder.display()))
    })?;
    real_path(&real).map(Target::File).map_err(failed)
}

/// The absolute path behind all links, of a file that may be missing. Fails without its folder, or with too many links.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let path = follow(path)?;
    Ok(folder(&path).canonicalize()?.join(path.file_name().unwrap_or_default()))
}

/// The path behind all links, whether something is there or not. The name of an open file is not followed.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let is_link = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata.is_symlink(),
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        if !is_link || descriptors(&path).is_some() {
            return Ok(path);
        }
        path = folder(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("it leads through too many links"))
}

/// The folder of open files that `path` is in, if it is in one, as the system names it.
fn descriptors(path: &Path) -> Option<PathBuf> {
    let folder = folder(path).canonicalize().ok()?;
    ["/proc", "/dev/fd"].iter().any(|place| folder.starts_with(place)).then_some(folder)
}

/// The folder that a path is in.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether two paths lead to the same file, which is there.
pub fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_a_file_that_may_be_missing() {
        let temporary = tempfile::tempdir().expect("a folder can be made");
        let folder = temporary.path().canonicalize().expect("it is there");
        fs::create_dir(folder.join("deep")).expect("it can be made");
        symlink("deep/b.rs", folder.join("a.rs")).expect("it can be made");
        symlink("../c.rs", folder.join("deep/b.rs")).expect("it can be made");
        for _ in 0..2 {
            let found = target(&folder.join("deep/../a.rs")).expect("it can be written");
            assert_eq!(found, Target::File(folder.join("c.rs")));
            fs::write(folder.join("c.rs"), "").expect("it can be written");
        }
        symlink("loop.rs", folder.join("loop.rs")).expect("it can be made");
        assert!(target(&folder.join("loop.rs")).is_err());
    }

    #[test]
    fn an_open_file_is_written_to_once() {
        let temporary = tempfile::tempdir().expect("a folder can be made");
        let link = temporary.path().join("out");
        symlink("/dev/fd/1", &link).expect("it can be made");
        assert_eq!(target(&link).expect("it is open"), Target::Stdout);
        symlink("/dev/fd/2", temporary.path().join("err")).expect("it can be made");
        assert_eq!(target(&temporary.path().join("err")).expect("it is open"), Target::Stream);
    }

    #[test]
    fn what_cannot_be_written_is_told() {
        let temporary = tempfile::tempdir().expect("a folder can be made");
        let check = |name: &str, why: &str| {
            let error = target(&temporary.path().join(name)).expect_err("it cannot be written").to_string();
            assert!(error.contains(why), "{error}");
        };
        check("", "is a directory; name the file to write");
        check("new/", "is a directory; name the file to write");
        check("no/a.rs", "there is no folder");
        check(&"x".repeat(256), "File name too long");
        let _socket = std::os::unix::net::UnixListener::bind(temporary.path().join("s")).expect("it can be made");
        check("s", "is a socket");
    }
}
