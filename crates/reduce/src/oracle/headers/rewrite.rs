//! Rewrites headers to the arguments that are left.

use std::ffi::{OsStr, OsString};

use mcve_transforms::{Kind, tokens};

use super::line::{lines, words};
use crate::oracle::rustc_args;
use crate::oracle::shell;

/// `text` with headers that ask for this edition, if they ask for one, and only for flags that are among `arguments`. Headers
/// behind the first token, such as those of what was another file, go, and so do those that ask for other crates, unless
/// `has_crates`.
pub(crate) fn rewrite(text: &str, edition: Option<&str>, arguments: &[String], has_crates: bool) -> String {
    let first =
        tokens(text).iter().find(|token| token.kind == Kind::Code).map_or(text.len(), |token| token.range.start);
    let (mut new, mut start) = (String::with_capacity(text.len()), 0);
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        // What a revision asks for is not what the arguments say: they are those of one of them.
        let Some(header) = lines(line).next().filter(|header| header.revisions.is_none() && !header.value.is_empty())
        else {
            new.push_str(line);
            continue;
        };
        let with_value = |value: &str| {
            let (before, after) = line.rsplit_once(header.value).unwrap_or((line, ""));
            format!("{before}{value}{after}")
        };
        match header.name {
            "aux-build" | "aux-crate" | "proc-macro" if has_crates && at < first => new.push_str(line),
            "edition" | "compile-flags" | "aux-build" | "aux-crate" | "proc-macro" if at >= first => {}
            "aux-build" | "aux-crate" | "proc-macro" => {}
            "edition" => edition.into_iter().for_each(|edition| new.push_str(&with_value(edition))),
            "compile-flags" => {
                let flags = words(header.value);
                let (own, others) = rustc_args::split(&flags);
                let left: Vec<OsString> = own.iter().flat_map(|flag| left(flag, arguments)).collect();
                if left.iter().eq(own.iter().map(OsStr::new)) {
                    new.push_str(line);
                } else if !left.is_empty() || !others.is_empty() {
                    let flags = shell::line(left.iter().chain(&others));
                    new.push_str(&with_value(&flags));
                }
            }
            _ => new.push_str(line),
        }
    }
    new
}

/// What is left of a flag: itself, or with another value. A level of MIR optimisation may have become passes.
fn left(flag: &str, arguments: &[String]) -> Vec<OsString> {
    let name = |word: &str| word.rsplit_once('=').map_or(word.to_owned(), |(name, _)| name.to_owned());
    let same = arguments.iter().find(|argument| *argument == flag);
    let same = same.or_else(|| arguments.iter().find(|argument| name(argument) == name(flag)));
    let is_level = name(flag) == "-Zmir-opt-level";
    let passes = arguments.iter().filter(|argument| is_level && name(argument) == "-Zmir-enable-passes");
    same.into_iter().chain(passes).map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_what_is_left() {
        let text = "//@ edition: 2018\n//@ compile-flags: -O --cfg a\n//@ compile-flags: -g\n//@ aux-build: a.rs\n//@ known-bug: #1\nfn f() {}\n//@ edition: 2015\n";
        assert_eq!(
            rewrite(text, Some("2024"), &["--cfg=a".to_owned()], false),
            "//@ edition: 2024\n//@ compile-flags: --cfg=a\n//@ known-bug: #1\nfn f() {}\n"
        );
        let same = "//@ edition: 2018\n//@ compile-flags: -O\nfn f() {}";
        assert_eq!(rewrite(same, Some("2018"), &["-O".to_owned()], false), same);
        assert_eq!(rewrite(same, None, &[], false), "fn f() {}");
        let level = "//@ compile-flags: -O -Zmir-opt-level=4\nfn f() {}";
        let passes = ["-Zmir-enable-passes=+A,+B".to_owned()];
        assert_eq!(rewrite(level, None, &passes, false), "//@ compile-flags: -Zmir-enable-passes=+A,+B\nfn f() {}");
        let others = "//@[e2021] edition:2021\n//@ edition:\n//@[a] compile-flags: -g\nfn f() {}";
        assert_eq!(rewrite(others, Some("2024"), &[], false), others);
    }
}
