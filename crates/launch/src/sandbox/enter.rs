//! Puts a process into a sandbox.

use std::io;

use super::{Held, Sandbox, calls, files, mounts, network, rights};

impl Sandbox {
    /// Puts this single-threaded process and its future descendants into the sandbox. Mechanisms that the kernel does
    /// not support are skipped, and namespaces if `by_namespaces` is false.
    ///
    /// # Errors
    /// When a supported mechanism fails halfway.
    pub(crate) fn enter(&self, by_namespaces: bool) -> io::Result<Held> {
        let is_separate = by_namespaces && network::separate()?;
        let has_mounts = is_separate && mounts::protect(&self.writable, &self.hidden).is_ok();
        rights::drop();
        let to_hide = if has_mounts { &[][..] } else { &self.hidden };
        let has_landlock = files::confine(&self.writable, to_hide, !is_separate)?;
        let has_filter = calls::forbid(is_separate)?;
        // Without the filter, UNIX sockets of the system can still be connected to.
        Ok(Held { files: has_mounts || has_landlock, network: has_filter, modes: has_mounts })
    }
}
