//! Which variables a header may set: those by which no program runs, loads or writes anything.

/// Variables of rustc that change its words, its limits and nothing else, and those of cargo that only programs read.
const NAMES: &str = "\
    CARGO_BIN_NAME CARGO_CRATE_NAME MACOSX_DEPLOYMENT_TARGET RUSTC_FORCE_RUSTC_VERSION RUSTC_LOG RUSTC_LOG_BACKTRACE \
    RUSTC_LOG_COLOR RUSTC_OVERRIDE_VERSION_STRING RUST_BACKTRACE RUST_LIB_BACKTRACE RUST_MIN_STACK";

/// How variables begin that only programs read, by `env!`.
const PREFIXES: [&str; 4] = ["CARGO_PKG_", "COMPILETEST_", "EXAMPLE_", "MY_"];

/// How the features are named by which attributes pass arguments to the linker, and so run any program.
const LINK_ARGUMENTS: &str = "link_arg";

/// Whether a header of the program `text` may set the variable `name` to `value`, or unset it where there is no value.
pub(super) fn is_allowed(name: &str, value: Option<&str>, text: &str) -> bool {
    let name = name.trim_end();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match name {
        // It may be a path for the report of a crash.
        "RUSTC_ICE" => value.is_none_or(|value| value == "0"),
        // With it a stable compiler has all features.
        "RUSTC_BOOTSTRAP" => value.is_none() || !text.contains(LINK_ARGUMENTS),
        _ if !name.chars().all(is_name) => false,
        _ => NAMES.split(' ').any(|known| name == known) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_programs_read_is_set() {
        for name in
            ["RUST_BACKTRACE", "RUSTC_LOG", "CARGO_PKG_VERSION_MAJOR", "CARGO_CRATE_NAME", "EXAMPLE_ENV", "MY_X "]
        {
            assert!(is_allowed(name, Some("/x"), "") && is_allowed(name, None, ""), "{name}");
        }
        for name in [
            "",
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "DYLD_INSERT_LIBRARIES",
            "PATH",
            "RUSTC",
            "RUSTC_WRAPPER",
            "RUSTC_LOG_OUTPUT_TARGET",
            "RUSTUP_TOOLCHAIN",
            "RUST_TARGET_PATH",
            "RUST_DEP_GRAPH",
            "CARGO_BUILD_RUSTC_WRAPPER",
            "CARGO",
            "CARGO_HOME",
            "HOME",
            "TMPDIR",
            "GCC_EXEC_PREFIX",
            "COMPILER_PATH",
            "SDKROOT",
            "BASH_ENV",
            "ENV",
            "MY_X=A",
            "MY_\u{e4}",
        ] {
            assert!(!is_allowed(name, Some("x"), "") && !is_allowed(name, None, ""), "{name}");
        }
    }

    #[test]
    fn some_may_be_unset_or_have_one_value() {
        let bootstraps = |value, text| is_allowed("RUSTC_BOOTSTRAP", value, text);
        assert!(bootstraps(Some("1"), "#![feature(rustc_attrs)]"));
        assert!(!bootstraps(Some("1"), "#![feature(link_arg_attribute)]"));
        assert!(bootstraps(None, "#![feature(link_arg_attribute)]"));
        assert!(is_allowed("RUSTC_ICE", Some("0"), "") && !is_allowed("RUSTC_ICE", Some("/home/x"), ""));
    }
}
