//! Where a program begins: its `main`, or a `main` that calls one of its tests.

use std::ops::Range;
use std::path::{Path, PathBuf};

use mcve_transforms::{Kind, tokens};

/// The name by which `main` finds the test, which may be private and in any module.
const SYMBOL: &str = "mcve_test";

/// A text in which the test has another name, so that several such texts fit into one program. No byte moves.
pub(crate) fn numbered(text: &str, number: usize) -> String {
    text.replace(SYMBOL, &format!("mcve_t{number:03}"))
}

/// The attribute that says that a function is a test.
const ATTRIBUTE: [&str; 4] = ["#", "[", "test", "]"];

/// The attribute of a program whose `main` is not called.
const UNFIT: &str = "no_main";

/// Lints that must not be denied: code that only the other tests use is unused.
const UNUSED: [&str; 3] = ["warnings", "dead_code", "unused"];

/// Whether a text has a function `main`, which comments may have as well.
pub(crate) fn has_main(text: &str) -> bool {
    let code: Vec<&str> =
        tokens(text).into_iter().filter(|token| token.kind == Kind::Code).map(|token| &text[token.range]).collect();
    code.windows(3).any(|words| words == ["fn", "main", "("])
}

/// A text with `deny` for `forbid`, so that added code may use `unsafe`. No byte moves.
pub(crate) fn without_forbid(text: &str) -> String {
    let mut changed = text.to_owned();
    if !text.contains("forbid") {
        return changed;
    }
    for token in tokens(text).into_iter().filter(|token| token.kind == Kind::Code) {
        if &text[token.range.clone()] == "forbid" {
            changed.replace_range(token.range, "deny  ");
        }
    }
    changed
}

/// The test `name` without the harness, which takes a third of a small check: rustc loads the crate `test`, writes a table of
/// tests and links all of it. The `main` that is written here prints what the harness prints, so results are read alike.
///
/// `root` with a `main` that runs the test `name`, and the file that the test is in, which may be `root` as well; all other
/// files stay as they are. Nothing where that cannot be done by a change of some lines.
pub(crate) fn call_directly<'f>(
    name: &str,
    root: &Path,
    files: impl IntoIterator<Item = (&'f Path, &'f str)>,
    edition: Option<&str>,
) -> Option<Vec<(PathBuf, String)>> {
    let is_new = edition == Some("2024");
    let attribute = if is_new { "unsafe(export_name" } else { "export_name" };
    let (close, extern_word) = if is_new { (")", "unsafe extern") } else { ("", "extern") };
    let mut changed = Vec::new();
    let mut found = 0;
    for (path, text) in files {
        let mut text = without_forbid(text);
        let places = places(name, &text)?;
        found += places.len();
        for place in places.iter().rev() {
            text.replace_range(place.clone(), &format!("#[allow(unsafe_code)] #[{attribute} = \"{SYMBOL}\"{close}]"));
        }
        if path == root {
            if has_main(&text) {
                return None;
            }
            text.push_str(&format!(
                "\n#[allow(warnings, unsafe_code, clippy::all)] fn main() {{ {extern_word} \"Rust\" {{ fn {SYMBOL}(); }} \
                 extern crate std as mcve_std; mcve_std::println!(\"test {name} ... \"); \
                 if mcve_std::panic::catch_unwind(|| unsafe {{ {SYMBOL}() }}).is_err() {{ \
                 mcve_std::print!(\"\\nfailures:\\n    {name}\\n\"); mcve_std::process::exit(101) }} }}\n"
            ));
        }
        if path == root || !places.is_empty() {
            changed.push((path.to_owned(), text));
        }
    }
    (found == 1).then_some(changed)
}

/// Where the attributes of the tests of this name are in a text. Nothing where the text is unfit.
fn places(name: &str, text: &str) -> Option<Vec<Range<usize>>> {
    let code: Vec<_> = tokens(text).into_iter().filter(|token| token.kind == Kind::Code).collect();
    let word = |index: usize| code.get(index).map_or("", |token| &text[token.range.clone()]);
    let denies_unused = |from: usize| {
        let mut denied = (from..).map(word).take_while(|word| !["", ")"].contains(word));
        word(from) == "deny" && denied.any(|word| UNUSED.iter().any(|unused| word.starts_with(unused)))
    };
    if (0..code.len()).any(|index| word(index) == UNFIT || denies_unused(index)) {
        return None;
    }
    let mut places = Vec::new();
    for start in 0..code.len() {
        let is_attribute = ATTRIBUTE.iter().enumerate().all(|(offset, expected)| word(start + offset) == *expected);
        if !is_attribute {
            continue;
        }
        let function = (start + ATTRIBUTE.len()..).find(|&index| word(index) != "pub")?;
        let head = ["fn", name, "(", ")", "{"];
        if word(function + 1) != name {
            continue;
        }
        let range = code[start].range.start..code[start + ATTRIBUTE.len() - 1].range.end;
        // What follows on its line would move, and with it the places that the program reports.
        let is_alone = text[range.end..].lines().next().is_none_or(|rest| rest.trim().is_empty());
        let has_other = start > 0 && word(start - 1) == "]";
        if !is_alone
            || has_other
            || head.iter().enumerate().any(|(offset, expected)| word(function + offset) != *expected)
        {
            return None;
        }
        places.push(range);
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn f() {}\nmod m {\n    #[test]\n    fn a() { super::f() }\n    #[test]\n    fn b() {}\n}\n";

    fn direct_of(text: &str, edition: Option<&str>) -> Option<String> {
        let mut changed = call_directly("a", Path::new("r.rs"), [(Path::new("r.rs"), text)], edition)?;
        assert_eq!(changed.len(), 1);
        changed.pop().map(|(_, text)| text)
    }

    #[test]
    fn main_is_a_function_and_no_comment() {
        assert!(has_main("use a;\npub async fn main () {}"));
        assert!(!has_main("/// fn main() {}\n// fn main()\nfn f() { \"fn main()\"; }"));
    }

    #[test]
    fn the_test_gets_a_name_for_main_and_no_line_moves() {
        let text = direct_of(TEXT, Some("2021")).expect("it can be done");
        let [before, after] = [TEXT, &text].map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
        let differs: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
        assert_eq!(
            differs,
            [(&"    #[test]".to_owned(), &"    #[allow(unsafe_code)] #[export_name = \"mcve_test\"]".to_owned())]
        );
        assert!(after.last().is_some_and(|line| line.contains(" fn main() { extern \"Rust\"")), "{after:?}");
        let allowed = direct_of(&format!("#![forbid(unsafe_code)]\n{TEXT}"), None).expect("it can be done");
        assert!(allowed.starts_with("#![deny  (unsafe_code)]\n"), "{allowed}");
        assert!(direct_of(&format!("#![deny(missing_docs)]\n#![allow(dead_code)]\n{TEXT}"), None).is_some());
        let text = direct_of(TEXT, Some("2024")).expect("it can be done");
        assert!(text.contains("#[unsafe(export_name = \"mcve_test\")]\n") && text.contains("unsafe extern \"Rust\""));
    }

    #[test]
    fn the_test_may_be_in_another_file() {
        let files = [("r.rs", "mod m;\n"), ("m.rs", "#[test]\nfn a() {}\n"), ("n.rs", "#[test]\nfn b() {}\n")];
        let files = files.map(|(path, text)| (Path::new(path), text));
        let changed = call_directly("a", Path::new("r.rs"), files, None).expect("it can be done");
        assert_eq!(changed.iter().map(|(path, _)| &**path).collect::<Vec<_>>(), [Path::new("r.rs"), Path::new("m.rs")]);
        assert_eq!(changed[1].1, "#[allow(unsafe_code)] #[export_name = \"mcve_test\"]\nfn a() {}\n");
    }

    #[test]
    fn what_another_main_would_not_do_is_left_to_the_harness() {
        for text in [
            "fn a() {}\n",
            "#[test] fn a() {}\n",
            "#[test]\nfn a() -> Result<(), u8> { Ok(()) }\n",
            "#[test]\n#[should_panic]\nfn a() {}\n",
            "#[cfg(unix)]\n#[test]\nfn a() {}\n",
            "mod m {\n#[test]\nfn a() {}\n}\n#[test]\nfn a() {}\n",
            "#![deny(missing_docs, warnings)]\n#[test]\nfn a() {}\n",
            "#[test]\nfn a() {}\n#[deny(unused_mut)]\nfn b() {}\n",
            "#[test]\nfn a() {}\nfn main() {}\n",
        ] {
            assert_eq!(direct_of(text, None), None, "{text}");
        }
    }
}
