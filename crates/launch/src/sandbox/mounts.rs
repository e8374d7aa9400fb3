//! Read-only mounts in a mount namespace.

use std::io;
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};

use crate::system::{Access, set_access};

/// Makes everything read-only except for these paths, and hides files.
/// Fails when this process lacks the permission. A partial failure does not remove permissions that should be allowed.
pub(super) fn protect(writable: &[PathBuf], hidden: &[PathBuf]) -> io::Result<()> {
    let nothing: Option<&str> = None;
    // Other namespaces must not see these mounts.
    mount(nothing, "/", nothing, MsFlags::MS_REC | MsFlags::MS_PRIVATE, nothing)?;
    for path in writable.iter().filter(|path| path.exists()) {
        mount(Some(&**path), &**path, nothing, MsFlags::MS_BIND | MsFlags::MS_REC, nothing)?;
    }
    for path in hidden {
        if path.is_file() {
            mount(Some("/dev/null"), &**path, nothing, MsFlags::MS_BIND, nothing)?;
        } else if path.is_dir() {
            mount(Some("none"), &**path, Some("tmpfs"), MsFlags::empty(), Some("size=4k,mode=0500"))?;
        }
    }
    set_access(Path::new("/"), Access::ReadOnly)?;
    let allowed = writable.iter().filter(|path| path.exists()).try_for_each(|path| set_access(path, Access::ReadWrite));
    if allowed.is_err() {
        // Better no restriction than one that is too strict.
        set_access(Path::new("/"), Access::ReadWrite)?;
    }
    allowed
}
