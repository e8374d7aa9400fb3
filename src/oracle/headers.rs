//! The headers of rustc's own test suite: `//@ compile-flags: ..` and its kin, comments that say how a file is compiled.

use std::ffi::OsString;

/// What a file's headers ask for. Those of one revision only are not heeded, and neither are other headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// Arguments of rustc.
    pub args: Vec<OsString>,
    /// Variables to set, or to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
}

impl Headers {
    /// Reads the headers of a file, which may stand on any line.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut headers = Self::default();
        for line in text.lines() {
            let Some(header) = line.trim_start().strip_prefix("//@") else { continue };
            let Some((name, value)) = header.split_once(':') else { continue };
            let value = value.trim();
            match name.trim() {
                "compile-flags" => headers.args.extend(words(value)),
                "edition" => headers.args.push(format!("--edition={}", edition(value)).into()),
                "rustc-env" => {
                    if let Some((name, value)) = value.split_once('=') {
                        headers.env.push((name.into(), Some(value.into())));
                    }
                }
                "unset-rustc-env" => headers.env.push((value.into(), None)),
                _ => {}
            }
        }
        headers
    }
}

/// The words of a line, in which single quotes keep spaces together.
#[must_use]
pub fn words(line: &str) -> Vec<OsString> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(OsString::from).collect(),
        _ => vec![OsString::from(part)],
    });
    words.collect()
}

/// An edition, or the first one of a range such as `2018..2024`.
fn edition(value: &str) -> &str {
    let value = value.split_whitespace().next().unwrap_or_default();
    match value.split_once("..") {
        Some(("", last)) => last.trim_start_matches('='),
        Some((first, _)) => first,
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, args: &[&str], env: &[(&str, Option<&str>)]) {
        let headers = Headers::parse(text);
        assert_eq!(headers.args, args);
        let env: Vec<_> = env.iter().map(|(name, value)| ((*name).into(), value.map(OsString::from))).collect();
        assert_eq!(headers.env, env);
    }

    #[test]
    fn flags_are_words() {
        check("//@ compile-flags: -O --cfg x\nfn main() {}\n//@compile-flags:-g", &["-O", "--cfg", "x", "-g"], &[]);
        check("//@ compile-flags: 'a b' -C", &["a b", "-C"], &[]);
        check("\t//@ compile-flags: -O\r\n", &["-O"], &[]);
    }

    #[test]
    fn an_edition_is_a_flag() {
        check("//@ edition: 2021", &["--edition=2021"], &[]);
        check("//@ edition:2021", &["--edition=2021"], &[]);
        check("//@ edition: 2018..2024", &["--edition=2018"], &[]);
        check("//@ edition: ..=2018", &["--edition=2018"], &[]);
    }

    #[test]
    fn variables_are_set_and_unset() {
        let env = [("A", Some("b=c")), ("D", Some("")), ("E", None)];
        check("//@ rustc-env:A=b=c\n//@ rustc-env: D=\n//@ unset-rustc-env: E", &[], &env);
    }

    #[test]
    fn other_lines_say_nothing() {
        for text in [
            "",
            "// compile-flags: -O",
            "//@ check-pass",
            "//@[a] compile-flags: -O",
            "//@ revisions: a b",
            "//@ rustc-env:A",
        ] {
            check(text, &[], &[]);
        }
    }
}
