//! The compiled libraries in the user's cache folder. They are loaded into rustc, so only files count that belong to the user, in
//! a folder of the user, and that no other user can write. A hash at the end of each file shows damage.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_128;

use crate::own_files::{make_folder, only_user_writes, open};

/// The most bytes that are read.
const LARGEST: u64 = 64 << 20;

/// The length of a hash in bytes.
const SUM: usize = 16;

/// A cache folder that no other user can write.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache in a folder that is made if it is missing. None if it belongs to another user, or cannot be made.
    pub(super) fn open(folder: &Path) -> Option<Self> {
        make_folder(folder).ok()?;
        Some(Self { folder: folder.to_owned() })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
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
        let sum = bytes.split_off(bytes.len().checked_sub(SUM)?);
        (sum == hash(&bytes)).then_some(bytes)
    }

    /// Writes a file for later runs, atomically.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.folder)?;
        file.write_all(bytes)?;
        file.write_all(&hash(bytes))?;
        file.persist(self.path(name))?;
        Ok(())
    }
}

fn hash(bytes: &[u8]) -> [u8; SUM] {
    xxh3_128(bytes).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    use tempfile::TempDir;

    use super::*;

    /// A cache, and the folder that holds it.
    fn place() -> (TempDir, Cache) {
        let place = tempfile::tempdir().expect("a folder can be made");
        let cache = Cache::open(&place.path().join("a/cache")).expect("it can be made");
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
    fn a_damaged_file_is_not_read() {
        for change in [
            |bytes: &mut Vec<u8>| bytes.clear(),
            |bytes: &mut Vec<u8>| bytes.truncate(SUM),
            |bytes: &mut Vec<u8>| bytes.truncate(SUM - 1),
            |bytes: &mut Vec<u8>| bytes[0] ^= 1,
            |bytes: &mut Vec<u8>| bytes.insert(0, 0),
            |bytes: &mut Vec<u8>| bytes.push(b'0'),
        ] {
            check_refused(|_, path| {
                let mut bytes = fs::read(path).expect("it is there");
                change(&mut bytes);
                fs::write(path, bytes).expect("it is ours");
            });
        }
    }

    #[test]
    fn a_link_and_a_missing_file_are_not_read() {
        check_refused(|_, path| fs::remove_file(path).expect("it is there"));
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
}
