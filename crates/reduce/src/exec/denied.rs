//! Lines by which a process tells that the sandbox denied it something.

/// What a program prints that the sandbox does not let write.
const NOT_WRITABLE: [&str; 3] = ["Read-only file system", "Permission denied", "Operation not permitted"];

/// What it prints if it may not use the network.
const NO_NETWORK: [&str; 3] = ["Connection refused", "Network is unreachable", "Temporary failure in name resolution"];

/// The first line of `printed` that tells of something that was denied.
#[must_use]
pub fn denied(printed: &str) -> Option<&str> {
    let words = [NOT_WRITABLE, NO_NETWORK].concat();
    printed.lines().find(|line| words.iter().any(|words| line.contains(words)))
}
