//! The crates that a test of rustc's suite needs.

/// A crate that a file needs: `aux-build`, `aux-crate`, `proc-macro`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auxiliary {
    /// Its file, in the folder `auxiliary` beside the file that needs it.
    pub file: String,
    /// The name by which it is given to the compiler, if it is.
    pub name: Option<String>,
    /// Whether it is one of procedural macros.
    pub is_proc_macro: bool,
}

impl Auxiliary {
    pub(crate) fn of(header: &str, value: &str) -> Option<Self> {
        let value = value.split_whitespace().next()?;
        let stem = |file: &str| file.rsplit('/').next().unwrap_or(file).trim_end_matches(".rs").replace('-', "_");
        let (file, name) = match header {
            "aux-build" => (value, None),
            "proc-macro" => (value, Some(stem(value))),
            "aux-crate" => {
                let (name, file) = value.split_once('=')?;
                (file, Some(name.rsplit(':').next().unwrap_or(name).to_owned()))
            }
            _ => return None,
        };
        Some(Self { file: file.to_owned(), name, is_proc_macro: header == "proc-macro" })
    }
}
