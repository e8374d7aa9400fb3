//! What a result names that only this machine has: files of the package and of its build.

use std::collections::BTreeSet;
use std::path::Path;

/// The characters that end a path in a program.
const ENDS: [char; 8] = ['"', '\'', '\\', ',', ';', ')', '>', ' '];

/// The paths in these folders that a text names.
pub(super) fn named(text: &str, folders: &[&Path]) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for folder in folders.iter().filter(|folder| folder.is_absolute()).filter_map(|folder| folder.to_str()) {
        for (at, _) in text.match_indices(folder) {
            let path = text[at..].split(ENDS).next().unwrap_or_default();
            if matches!(path[folder.len()..].chars().next(), None | Some('/')) {
                named.insert(path.to_owned());
            }
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_literals_and_variables_are_found() {
        let text = "const A: &str = \"/p/data.txt\"; const B: &str = \"/pp/x\"; const C: &str = \"/p\";";
        let named =
            named(&format!("{text}\nmcve::environment!(\"EXE=/p/target/exe\");"), &[Path::new("/p"), Path::new("")]);
        assert_eq!(named.into_iter().collect::<Vec<_>>(), ["/p", "/p/data.txt", "/p/target/exe"]);
    }
}
