//! Names made from the name of a file. A name that would be too long for the system is cut, and made unique by a hash.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

/// The longest name of a file, in bytes, nearly everywhere.
const LONGEST: usize = 255;

/// The longest stem of a default result: rustc makes names of it, such as `libSTEM.rmeta`.
const LONGEST_STEM: usize = 200;

const LONGEST_END: usize = 40;

/// The file that `mcve FILE.rs` writes: `FILE_mcve.rs`, with `_` for what cannot stand in the name of a crate.
pub fn default_path(input: &Path) -> PathBuf {
    let stem = input.file_stem().unwrap_or_default();
    let stem = match input.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => crate_name(&stem.to_string_lossy()).into(),
        _ => stem.to_owned(),
    };
    let mut name = cut(&stem, LONGEST_STEM);
    name.push("_mcve");
    if let Some(extension) = input.extension() {
        name.push(".");
        name.push(cut(extension, LONGEST_END));
    }
    input.with_file_name(name)
}

/// The name under which checks have the program of `input`. rustc cannot use one that is as long as names can be.
pub fn program_name(input: &Path) -> PathBuf {
    let stem = input.file_stem().unwrap_or_default();
    // rustc takes no name that is not text.
    let stem = if stem.to_str().is_some() { stem.to_owned() } else { crate_name(&stem.to_string_lossy()).into() };
    let mut name = PathBuf::from(cut(&stem, LONGEST_STEM));
    if let Some(extension) = input.extension() {
        name.as_mut_os_string().push(".");
        name.as_mut_os_string().push(cut(extension, LONGEST_END));
    }
    name
}

/// `stem` as a name that rustc takes for a crate. A hyphen may stay: rustc itself makes it `_`.
fn crate_name(stem: &str) -> String {
    stem.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

/// `name` with `end` behind it, no longer than a name can be.
pub(crate) fn with_end(name: &OsStr, end: &str) -> OsString {
    let mut name = cut(name, LONGEST - end.len());
    name.push(end);
    name
}

/// `name` if it has at most `longest` bytes, else the beginning of it with a hash of all of it.
fn cut(name: &OsStr, longest: usize) -> OsString {
    if name.len() <= longest {
        return name.to_owned();
    }
    let hash = format!("-{:016x}", xxh3_64(name.as_bytes()));
    let mut end = longest - hash.len();
    // Not in the middle of a character.
    while end > 0 && name.as_bytes()[end] & 0xc0 == 0x80 {
        end -= 1;
    }
    let mut short = OsStr::from_bytes(&name.as_bytes()[..end]).to_owned();
    short.push(hash);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_output_stands_beside_the_input() {
        assert_eq!(default_path(Path::new("a/b.rs")), Path::new("a/b_mcve.rs"));
        assert_eq!(default_path(Path::new("b")), Path::new("b_mcve"));
        assert_eq!(default_path(Path::new("b.d/c.toml")), Path::new("b.d/c_mcve.toml"));
    }

    #[test]
    fn the_default_output_is_named_as_a_crate_can_be() {
        assert_eq!(default_path(Path::new("a b.c-d.rs")), Path::new("a_b_c-d_mcve.rs"));
    }

    #[test]
    fn a_name_that_would_be_too_long_is_cut_between_characters() {
        let (one, other) = ("ä".repeat(126), format!("{}ö", "ä".repeat(125)));
        let ends = [one, other].map(|name| with_end(OsStr::new(&name), ".journal"));
        for name in &ends {
            assert!(name.len() > 250 && name.len() <= LONGEST, "{name:?}");
            assert!(name.to_str().is_some_and(|name| name.ends_with(".journal")), "{name:?}");
        }
        assert_ne!(ends[0], ends[1]);
        assert_eq!(with_end(OsStr::new("a.rs"), ".orig"), "a.rs.orig");
        let result = default_path(Path::new(&format!("{}.rs", "x".repeat(252))));
        assert_eq!(program_name(Path::new("/t/a b.c.rs")), Path::new("a b.c.rs"));
        assert_eq!(program_name(Path::new("/t/a")), Path::new("a"));
        assert!(result.as_os_str().len() < 220 && result.extension() == Some(OsStr::new("rs")), "{result:?}");
    }
}
