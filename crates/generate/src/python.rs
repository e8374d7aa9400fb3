//! Generators in Python that know nothing of the protocol: [`ADAPTER`] runs them, and puts questions in the place of what
//! they take from `random`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The adapter, a Python script whose first argument is the generator. It needs nothing else.
pub const ADAPTER: &str = include_str!("../adapters/mcve_random.py");

/// The interpreter of a script that none is given for.
const PYTHON: &str = "python3";

/// The shell command that runs the Python script of the command `line` by the adapter; none if it does not run one:
/// `[python3] SCRIPT.py ARGUMENTS..`.
pub fn adapted(line: &OsStr) -> Option<OsString> {
    let line = line.to_str()?.trim();
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    let name = Path::new(first).file_name().and_then(OsStr::to_str);
    let is_python = name.is_some_and(|name| name.starts_with("python"));
    let (python, script) = if is_python { (first, rest.trim_start()) } else { (PYTHON, line) };
    let file = script.split(' ').next()?;
    let is_script = Path::new(file).extension() == Some(OsStr::new("py")) && Path::new(file).is_file();
    is_script.then(|| format!("exec {python} -c '{}' {script}", ADAPTER.replace('\'', r"'\''")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scripts_of_python_are_adapted() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/adapters/");
        let begins = |line: String, with: &str| {
            adapted(line.as_ref()).is_some_and(|line| line.to_string_lossy().starts_with(with))
        };
        assert!(begins(format!("{folder}mcve_random.py a b"), "exec python3 -c '"));
        assert!(begins(format!("python3.11 {folder}mcve_random.py"), "exec python3.11 -c '"));
        for line in ["", "./gen.sh", "python3", "missing.py", "python3 -m gen"] {
            assert_eq!(adapted(line.as_ref()), None, "{line}");
        }
    }
}
