//! What is left of root's rights: those over files and over itself, as other mechanisms hold files.

use rustix::io::Errno;
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};

/// What programs started by root may have.
const LEFT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SYS_CHROOT);

/// Takes all other rights from the programs that this process and its descendants will become. Who has none keeps none.
pub(super) fn drop() {
    for number in 0..u64::BITS {
        let right = CapabilitySet::from_bits_retain(1 << number);
        if LEFT.contains(right) {
            continue;
        }
        // The numbers end where the kernel knows none. Who may not take rights has none that could be given.
        if let Err(Errno::INVAL | Errno::PERM) = remove_capability_from_bounding_set(right) {
            return;
        }
    }
}
