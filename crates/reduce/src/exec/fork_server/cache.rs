//! The compiled libraries in the user's cache folder. They are loaded into rustc, so only files that mcve itself wrote count:
//! the user owns the file, no other user can write it, and the code at its end signs its name and content with the user's key.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::user_key::{UserKey, only_user_writes, open};

/// The most bytes that are read.
const LARGEST: u64 = 64 << 20;

/// The suffix of the files in the cache.
const SIGNED: &str = ".signed";

/// The length of a code in bytes.
const CODE: usize = 64;

/// The purpose in the signature of files, followed by their names.
const PURPOSE: &str = "mcve: compiled for the fork server: ";

/// The path of a file of this name in a cache folder.
pub(super) fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{SIGNED}"))
}

/// A cache folder that no other user can write.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    key: UserKey,
}

impl Cache {
    /// The cache of the user with this key, in a folder that is made if it is missing. None if it belongs to another user, or
    /// cannot be made.
    pub(super) fn open(folder: &Path, key: UserKey) -> Option<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder).ok()?;
        let about = fs::metadata(folder).ok()?;
        if about.is_dir() && !only_user_writes(&about) {
            // A umask of 002 makes it group-writable. Only its owner can change that.
            let _ = fs::set_permissions(folder, Permissions::from_mode(about.mode() & 0o755));
        }
        let is_safe = fs::metadata(folder).is_ok_and(|about| about.is_dir() && only_user_writes(&about));
        is_safe.then(|| Self { folder: folder.to_owned(), key })
    }

    /// The path of a file of this name.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        path(&self.folder, name)
    }

    /// The content written under this name; none if it is missing, or another user may have written it.
    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut file = open(&self.path(name)).ok()?;
        let about = file.metadata().ok()?;
        if !about.is_file() || !only_user_writes(&about) || about.len() > LARGEST {
            return None;
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let code = bytes.split_off(bytes.len().checked_sub(CODE)?);
        let code = std::str::from_utf8(&code).ok()?;
        self.key.has_signed(&purpose(name), &bytes, code).then_some(bytes)
    }

    /// Writes a file for later runs, atomically.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.folder)?;
        file.write_all(bytes)?;
        file.write_all(self.key.sign(&purpose(name), bytes).as_bytes())?;
        file.persist(self.path(name))?;
        Ok(())
    }
}

fn purpose(name: &str) -> String {
    format!("{PURPOSE}{name}")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{chown, symlink};

    use tempfile::TempDir;

    use super::*;

    /// A cache, and the folder that holds it and the key.
    fn place() -> (TempDir, Cache) {
        let place = tempfile::tempdir().expect("a folder can be made");
        let key = UserKey::load_from(&place.path().join("config")).expect("it can be made");
        let cache = Cache::open(&place.path().join("a/cache"), key).expect("it can be made");
        (place, cache)
    }

    /// Checks that a file of the cache is not read after a change, and is read again once it was rewritten.
    #[track_caller]
    fn check_refused(change: impl Fn(&Cache, &Path)) {
        let (_place, cache) = place();
        cache.write("a", b"content").expect("it can be written");
        assert_eq!(cache.read("a").as_deref(), Some(&b"content"[..]));
        change(&cache, &cache.path("a"));
        assert_eq!(cache.read("a"), None);
        cache.write("a", b"content").expect("it can be written");
        assert_eq!(cache.read("a").as_deref(), Some(&b"content"[..]));
    }

    #[test]
    fn what_was_changed_is_not_read() {
        let whole = |path: &Path| fs::read(path).expect("it is there");
        check_refused(|_, path| fs::remove_file(path).expect("it is there"));
        for change in [
            |bytes: &mut Vec<u8>| bytes.clear(),
            |bytes: &mut Vec<u8>| bytes.truncate(CODE),
            |bytes: &mut Vec<u8>| bytes.truncate(CODE - 1),
            |bytes: &mut Vec<u8>| bytes[0] ^= 1,
            |bytes: &mut Vec<u8>| bytes.insert(0, 0),
            |bytes: &mut Vec<u8>| bytes.push(b'0'),
            |bytes: &mut Vec<u8>| *bytes.last_mut().expect("there are some") = b'\xff',
        ] {
            check_refused(|_, path| {
                let mut bytes = whole(path);
                change(&mut bytes);
                fs::write(path, bytes).expect("it is ours");
            });
        }
    }

    #[test]
    fn another_file_is_not_read_in_its_place() {
        check_refused(|cache, path| {
            cache.write("b", b"content").expect("it can be written");
            fs::rename(cache.path("b"), path).expect("it is ours");
        });
        check_refused(|_, path| {
            fs::rename(path, path.with_extension("real")).expect("it is ours");
            symlink(path.with_extension("real"), path).expect("it can be made");
        });
    }

    #[test]
    fn what_others_can_write_is_not_read() {
        for mode in [0o620, 0o602, 0o666] {
            check_refused(|_, path| fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours"));
        }
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped in part: only root can give a file away");
            return;
        }
        check_refused(|_, path| chown(path, Some(12345), None).expect("root can"));
    }

    #[test]
    fn a_folder_of_somebody_else_is_no_cache_and_an_own_one_is_closed_to_others() {
        let (place, cache) = place();
        fs::set_permissions(&cache.folder, Permissions::from_mode(0o777)).expect("it is ours");
        let open = || Cache::open(&place.path().join("a/cache"), cache.key.clone());
        assert!(open().is_some());
        assert_eq!(fs::metadata(&cache.folder).expect("it is there").mode() & 0o777, 0o755);
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped in part: only root can give a folder away");
            return;
        }
        chown(&cache.folder, Some(12345), None).expect("root can");
        assert!(open().is_none());
    }

    #[test]
    fn what_another_key_signed_is_not_read() {
        let (place, cache) = place();
        cache.write("a", b"content").expect("it can be written");
        let key = UserKey::load_from(&place.path().join("other")).expect("it can be made");
        let other = Cache::open(&cache.folder, key).expect("it is there");
        assert_eq!(other.read("a"), None);
    }
}
