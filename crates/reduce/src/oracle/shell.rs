//! Command lines as a shell reads them, for people to copy.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::program::Program;
use crate::visible::is_hidden;

/// The words of a command as one line.
pub fn line(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// Sets variables for the command that follows.
pub(crate) fn assignments(variables: &[(OsString, OsString)]) -> String {
    variables.iter().map(|(name, value)| format!("{}={} ", name.display(), quote(value))).collect()
}

/// The words behind `env` that set and unset variables.
pub(crate) fn env_words(env: &[(OsString, Option<OsString>)]) -> Vec<OsString> {
    let words = env.iter().map(|(name, value)| match value {
        Some(value) => vec![[name, OsStr::new("="), value].into_iter().collect()],
        None => vec!["-u".into(), name.clone()],
    });
    words.flatten().collect()
}

/// A command that runs in a copy of `program`, which is at `path`. Its last argument is the path of the copied root file.
pub(crate) fn in_copy(program: &Program, path: &Path, command: &str) -> String {
    let name = quote(&program.name);
    let folder = quote(program.folder_at(path));
    let copy = if program.is_lone() {
        format!("cp {} \"$d\"/{name}", quote(path))
    } else if path.is_file() {
        // Around the files of the user there may be many others.
        let files = program.files();
        let files = line(files.iter().map(|(path, _)| path.as_os_str()));
        format!("(cd {folder} && tar cf - -- {files}) | tar xf - -C \"$d\"")
    } else {
        format!("cp -r {folder}/. \"$d\"")
    };
    format!("(d=$(mktemp -d) && {copy} && cd \"$d\" && {command} \"$d\"/{name})")
}

/// `line`, which compiles the lone file `program` at `path`, for the edited file: `sed '1s/.*/b/' a.rs | rustc -`.
pub(crate) fn edited(program: &Program, changed: &Program, path: &Path, line: &str) -> String {
    let file = quote(path);
    let Some((compile, rest)) = line.rsplit_once(&format!(" {file}")) else { return String::new() };
    let (old, new) = (program.root(), changed.root());
    // Whole lines.
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&old), lines(&new));
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let start = start.min(old.len().saturating_sub(1));
    let behind = old[start + 1..].iter().rev().zip(new[start..].iter().rev());
    let behind = behind.take_while(|(old, new)| old == new).count();
    let (first, last, new) = (start + 1, old.len() - behind, new[start..new.len() - behind].concat());
    let escape = |c: char| if "\\/&\n".contains(c) { format!("\\{c}") } else { c.to_string() };
    let new: String = new.trim_end_matches('\n').chars().map(escape).collect();
    let script = match new.is_empty() {
        true => format!("{first},{last}d"),
        false if last > first => format!("{first}s/.*/{new}/;{},{last}d", first + 1),
        false => format!("{first}s/.*/{new}/"),
    };
    format!("sed {} {file} | {compile} -{rest}", quote(script))
}

/// A word, in quotes where the shell would otherwise read something else, and without what a terminal would obey or hide.
pub fn quote(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref();
    let Some(word) = word.to_str().filter(|word| !word.contains(is_hidden)) else { return printed(word) };
    let plain = |character: char| character.is_alphanumeric() || "-_=+,./:@%^".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A word as a call of `printf` that prints its bytes. The shell takes ends of lines away from the end: they follow.
fn printed(word: &OsStr) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._".contains(&byte);
    let octal = |byte: &u8| if is_plain(*byte) { char::from(*byte).into() } else { format!("\\{byte:03o}") };
    let bytes = word.as_bytes();
    let end = bytes.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 1);
    let printed: String = bytes[..end].iter().map(octal).collect();
    format!("\"$(printf '{printed}'){}\"", "\n".repeat(bytes.len() - end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], expected: &str) {
        assert_eq!(line(words.iter().map(OsStr::new)), expected);
    }

    #[track_caller]
    fn check_edit(old: &str, new: &str, script: &str) {
        let (old, new) = (Program::new("a.rs", old), Program::new("a.rs", new));
        let line = edited(&old, &new, Path::new("b.rs"), "rustc --edition=2024 b.rs -o c");
        assert_eq!(line, format!("sed {script} b.rs | rustc --edition=2024 - -o c"));
        let place = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(place.path().join("b.rs"), &*old.text).expect("it can be written");
        let sed = format!("sed {script} b.rs");
        let made = std::process::Command::new("sh")
            .args(["-c", &sed])
            .current_dir(place.path())
            .output()
            .expect("there is a shell");
        assert_eq!(String::from_utf8_lossy(&made.stdout), *new.text);
    }

    #[test]
    fn a_shell_edits_a_file_as_a_suggestion_does() {
        check_edit("fn f() {\n    let mut a = 1;\n}\n", "fn f() {\n    let a = 1;\n}\n", "'2s/.*/    let a = 1;/'");
        check_edit("for x in { a / b }\n", "for x in a / b & c\n", "'1s/.*/for x in a \\/ b \\& c/'");
        check_edit("a\nb\nc\nd\n", "a\nx\ny\nz\nd\n", "'2s/.*/x\\\ny\\\nz/;3,3d'");
        check_edit("a\nb\n", "a\nx\nb\n", "'2s/.*/x\\\nb/'");
        check_edit("a\nb\nc\n", "a\nc\n", "2,2d");
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
        check(&["/a/\u{1b}[2J-\u{202e}.rs\n\n"], "\"$(printf '/a/\\033\\1332J\\055\\342\\200\\256.rs')\n\n\"");
        check(&["--cfg", "feature=\"x\""], "--cfg 'feature=\"x\"'");
    }
}
