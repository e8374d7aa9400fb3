//! The source text of this crate, for compiling it to an object.

/// The rustc options for the object.
pub const OPTIONS: &[&str] = &[
    "--crate-name=mcve_preload",
    "--crate-type=cdylib",
    "--edition=2021",
    "--cfg=mcve_preload_object",
    "--cap-lints=allow",
    "-Copt-level=3",
    "-Cpanic=abort",
    "-Cstrip=symbols",
];

/// The root file for rustc.
pub const ROOT: &str = "lib.rs";

/// All source files of the object, by their names in one folder.
pub const SOURCES: &[(&str, &str)] = &[
    (ROOT, include_str!("lib.rs")),
    ("orphans.rs", include_str!("orphans.rs")),
    ("protocol.rs", include_str!("protocol.rs")),
    ("receive.rs", include_str!("receive.rs")),
    ("server.rs", include_str!("server.rs")),
    ("start.rs", include_str!("start.rs")),
    ("system.rs", include_str!("system.rs")),
    ("text.rs", include_str!("text.rs")),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::string::String;

    use super::*;

    #[test]
    fn no_file_is_missing() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files = std::fs::read_dir(folder).expect("it is there");
        let names = files.map(|file| file.expect("it can be read").file_name().into_string().expect("it is text"));
        let mut named: BTreeSet<String> = SOURCES.iter().map(|(name, _)| String::from(*name)).collect();
        named.insert("sources.rs".into());
        assert_eq!(names.collect::<BTreeSet<_>>(), named);
    }
}
