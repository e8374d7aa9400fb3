//! A separate network, in which programs can only connect to themselves.

use std::fs;
use std::io;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use rustix::process::{getegid, geteuid};

use crate::system;

/// Separates this process from the network, the mounts and the shared memory of others; returns false without a change
/// if that is not allowed.
///
/// An unprivileged process becomes the owner of a user namespace that contains only this user.
/// Fails when it succeeds only in part.
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
    // Without it, a program cannot connect to itself, which few programs need.
    let _ = system::start_loopback();
    Ok(true)
}
