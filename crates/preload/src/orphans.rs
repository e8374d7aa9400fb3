//! Ends the orphans of a check's process: as a subreaper, the server becomes their parent.

use crate::system::{self, Waited};
use crate::text::Text;

/// The file with the pids of the children of this thread.
const CHILDREN: Text<'static> = Text::literal("/proc/thread-self/children\0");

/// The number of bytes of it that are read at once.
const PAGE: usize = 1 << 12;

/// Kills and reaps all children and their orphans. To be called when no check runs.
pub(crate) fn end() {
    loop {
        match system::wait_for_any(false) {
            Waited::Reaped => continue,
            Waited::NoChild => return,
            Waited::Running => {}
        }
        if !kill_all() {
            return;
        }
        system::wait_for_any(true);
    }
}

/// Kills the current children; returns whether there was at least one.
fn kill_all() -> bool {
    let mut page = [0; PAGE];
    let length = system::read_file(CHILDREN, &mut page).unwrap_or(0);
    let mut killed = false;
    numbers(page.get(..length).unwrap_or(&[]), |pid| killed |= pid > 1 && system::kill(pid));
    killed
}

/// Passes on the numbers of a list. A space must follow each, so a truncated number is left for the next time.
fn numbers(list: &[u8], mut take: impl FnMut(i32)) {
    let mut number = 0_i32;
    for &byte in list {
        if byte.is_ascii_digit() {
            number = number.wrapping_mul(10).wrapping_add(i32::from(byte - b'0'));
        } else {
            take(number);
            number = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn numbers_are_those_with_a_space_behind_them() {
        for (list, expected) in [(&b""[..], &[][..]), (b"12 345 ", &[12, 345]), (b"12 34", &[12])] {
            let mut taken = Vec::new();
            numbers(list, |number| taken.push(number));
            assert_eq!(taken, expected);
        }
    }
}
