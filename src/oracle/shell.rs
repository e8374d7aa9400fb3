//! Command lines as a shell reads them, for people to copy.

use std::ffi::OsStr;

/// The words of a command as one line.
pub(super) fn line<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// A word, in quotes where the shell would otherwise read something else.
pub(crate) fn quote(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |character: char| character.is_alphanumeric() || "-_=+,./:@%^".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], expected: &str) {
        assert_eq!(line(words.iter().map(OsStr::new)), expected);
    }

    #[test]
    fn only_what_needs_quotes_gets_them() {
        check(
            &["rustc", "--edition=2024", "-Cdebuginfo=0", "/tmp/ä.rs"],
            "rustc --edition=2024 -Cdebuginfo=0 /tmp/ä.rs",
        );
        check(&["a b", "", "$x", "*"], "'a b' '' '$x' '*'");
        check(&["it's"], r"'it'\''s'");
        check(&["--cfg", "feature=\"x\""], "--cfg 'feature=\"x\"'");
    }
}
