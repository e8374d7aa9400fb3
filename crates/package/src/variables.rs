//! The variables that cargo sets for a crate, and those that a build script or cargo's configuration sets.

use xxhash_rust::xxh3::xxh3_64;

/// The name prefixes of variables that cargo always sets for a crate.
const OF_CRATE: &str = "\
    CARGO_BIN_ CARGO_CDYLIB_ CARGO_CRATE_NAME CARGO_MANIFEST_ CARGO_PKG_ CARGO_PRIMARY_PACKAGE CARGO_TARGET_TMPDIR \
    OUT_DIR";

/// The name prefixes of variables that cargo, rustup and mcve set for tools and not for the crate.
const OF_TOOLS: &str = "\
    CARGO_HOME CARGO_INCREMENTAL CARGO_MAKEFLAGS CARGO_TARGET_DIR CLIPPY_ DYLD_ LD_ MAKEFLAGS MCVE_ MFLAGS PATH PWD \
    RUSTC_ICE RUSTC_WORKSPACE_WRAPPER RUSTC_WRAPPER RUSTDOC RUSTUP_ RUST_RECURSION_COUNT TMPDIR __CARGO";

/// The variables of this process, which cargo inherits, each with a hash of its value.
pub(super) fn known() -> String {
    texts().map(|(name, value)| entry(&name, &value)).collect::<Vec<_>>().join(" ")
}

/// The variables of this process, a compiler that cargo calls, that are set for the crate. The user's other variables,
/// which cargo was started with, are not recorded.
pub(super) fn of_crate(known: String) -> impl Iterator<Item = (String, String)> {
    texts().filter(move |(name, value)| is_of_crate(name, value, &known))
}

/// The variables of this process that are UTF-8.
fn texts() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

fn is_of_crate(name: &str, value: &str, known: &str) -> bool {
    let begins = |beginnings: &str| beginnings.split(' ').any(|beginning| name.starts_with(beginning));
    let is_known = || known.split(' ').any(|known| known == entry(name, value));
    begins(OF_CRATE) || !begins(OF_TOOLS) && !is_known()
}

fn entry(name: &str, value: &str) -> String {
    format!("{name}={:x}", xxh3_64(value.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_has_set_is_of_no_crate() {
        let known = [entry("EDITOR", "vi"), entry("COMMIT", "a"), entry("CARGO_PKG_NAME", "p")].join(" ");
        let is = |name, value| is_of_crate(name, value, &known);
        assert!(!is("EDITOR", "vi") && !is("CARGO_HOME", "/h") && !is("RUSTC_WRAPPER", "/w"));
        // A build script may override a variable.
        assert!(is("COMMIT", "b") && is("GREETING", "hi") && is("CARGO_PKG_NAME", "p"));
    }
}
