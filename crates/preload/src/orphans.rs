//! Ends what a process that was served has left: as a subreaper, the server becomes its parent.

use crate::system::{self, Waited};
use crate::text::Text;

/// The numbers of the children of this thread.
const CHILDREN: Text<'static> = Text::literal("/proc/thread-self/children\0");

/// The most that is read of them at once.
const PAGE: usize = 1 << 12;

/// Kills and reaps all children, and theirs. To be called when nothing is served.
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

/// Kills the children that are there; whether that was one at least.
fn kill_all() -> bool {
    let mut page = [0; PAGE];
    let length = system::read_file(CHILDREN, &mut page).unwrap_or(0);
    let mut killed = false;
    numbers(page.get(..length).unwrap_or(&[]), |pid| killed |= pid > 1 && system::kill(pid));
    killed
}

/// Passes on the numbers of a list in which each has a space behind it, so that one that is cut off is left for the next time.
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
