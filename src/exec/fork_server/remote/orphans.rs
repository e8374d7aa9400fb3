//! Ends what a process that was served has left: as a subreaper, the server becomes its parent.

use crate::system::*;

/// The numbers of the children of this thread.
const CHILDREN: &[u8] = b"/proc/thread-self/children\0";

/// The most that is read of them at once.
const PAGE: usize = 1 << 12;

/// Has this process become the parent of whatever its children leave.
pub unsafe fn adopt() {
    prctl(PR_SET_CHILD_SUBREAPER, 1_usize, 0_usize, 0_usize, 0_usize);
}

/// Kills and reaps all children, and theirs. To be called when nothing is served.
pub unsafe fn end() {
    let mut status = 0;
    loop {
        match waitpid(-1, &mut status, WNOHANG) {
            0 => {}
            pid if pid > 0 => continue,
            _ => return,
        }
        if !kill_all() {
            return;
        }
        waitpid(-1, &mut status, 0);
    }
}

/// Kills the children that are there; whether that was one at least.
unsafe fn kill_all() -> bool {
    let mut page = [0_u8; PAGE];
    let length = match content(CHILDREN.as_ptr(), &mut page) {
        Some(length) => length,
        None => return false,
    };
    let mut killed = false;
    // Behind each number there is a space, so that one that is cut off is left for the next time.
    let mut number = 0_i32;
    for &byte in &page[..length] {
        if byte.is_ascii_digit() {
            number = number.wrapping_mul(10).wrapping_add(i32::from(byte - b'0'));
        } else {
            killed |= number > 1 && kill(number, SIGKILL) == 0;
            number = 0;
        }
    }
    killed
}

/// The length of what a file holds, as far as there is space for it.
unsafe fn content(path: *const u8, page: &mut [u8; PAGE]) -> Option<usize> {
    let file = open(path, O_RDONLY | O_CLOEXEC);
    if file < 0 {
        return None;
    }
    let mut length = 0;
    loop {
        let more = read(file, page.as_mut_ptr().add(length), PAGE - length);
        if more <= 0 {
            close(file);
            return if more < 0 { None } else { Some(length) };
        }
        length += more as usize;
    }
}
