//! Lines that a process prints when the sandbox denied it an access.

/// Texts that a program prints if the sandbox forbids a write.
const NOT_WRITABLE: [&str; 3] = ["Read-only file system", "Permission denied", "Operation not permitted"];

/// Texts that it prints if the sandbox forbids the network.
const NO_NETWORK: [&str; 3] = ["Connection refused", "Network is unreachable", "Temporary failure in name resolution"];

/// The first line of `printed` that reports a denied access.
pub fn denied(printed: &str) -> Option<&str> {
    let words = [NOT_WRITABLE, NO_NETWORK].concat();
    printed.lines().find(|line| words.iter().any(|words| line.contains(words)))
}
