//! A network of their own, in which programs can talk to themselves only.

use std::fs;
use std::io;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use rustix::process::{getegid, geteuid};

use crate::system;

/// Separates this process from the network, from the mounts and from the shared memory of others; false where that is not
/// allowed, and nothing has changed.
///
/// Who has no right to do so becomes the owner of a user namespace, in which there is nobody but this user.
///
/// # Errors
/// When it succeeds in part only.
pub(super) fn separate() -> io::Result<bool> {
    let spaces = CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWIPC;
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    match unshare(spaces) {
        Ok(()) => {}
        Err(Errno::EPERM) => {
            if unshare(spaces | CloneFlags::CLONE_NEWUSER).is_err() {
                return Ok(false);
            }
            fs::write("/proc/self/setgroups", "deny")?;
            fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
            fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        }
        Err(_) => return Ok(false),
    }
    // Without it a program cannot talk to itself, which few need.
    let _ = system::start_loopback();
    Ok(true)
}
