//! The remaining privileges of root: those over files, which other mechanisms restrict, and over itself.

use rustix::io::Errno;
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};

/// The capabilities that programs started by root may have.
const LEFT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SYS_CHROOT);

/// Drops all other capabilities from future programs of this process and its descendants. Unprivileged processes stay so.
pub(super) fn drop() {
    for number in 0..u64::BITS {
        let right = CapabilitySet::from_bits_retain(1 << number);
        if LEFT.contains(right) {
            continue;
        }
        // The kernel rejects the first unknown number. A process that may not drop capabilities cannot grant any either.
        if let Err(Errno::INVAL | Errno::PERM) = remove_capability_from_bounding_set(right) {
            return;
        }
    }
}
