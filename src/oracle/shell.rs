//! Command lines as a shell reads them, for people to copy.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// The words of a command as one line.
pub(super) fn line<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// What sets variables for the command that follows.
pub(super) fn assignments(variables: &[(OsString, OsString)]) -> String {
    variables.iter().map(|(name, value)| format!("{}={} ", name.display(), quote(value))).collect()
}

/// A word, in quotes where the shell would otherwise read something else.
pub(crate) fn quote(word: &OsStr) -> String {
    let Some(word) = word.to_str() else { return printed(word) };
    let plain = |character: char| character.is_alphanumeric() || "-_=+,./:@%^".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A word that is no text, as what `printf` makes of its bytes.
fn printed(word: &OsStr) -> String {
    let octal =
        |byte: &u8| if byte.is_ascii_alphanumeric() { char::from(*byte).into() } else { format!("\\{byte:03o}") };
    format!("\"$(printf '{}')\"", word.as_bytes().iter().map(octal).collect::<String>())
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
        assert_eq!(quote(OsStr::from_bytes(b"a %\xff")), "\"$(printf 'a\\040\\045\\377')\"");
        check(&["--cfg", "feature=\"x\""], "--cfg 'feature=\"x\"'");
    }
}
