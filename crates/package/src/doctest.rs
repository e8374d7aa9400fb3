//! Turns a documentation test into a program of its own.

use std::path::PathBuf;

/// The fence that opens and closes a code block.
const FENCE: &str = "```";

/// The location of a documentation test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocTest {
    /// Its file, relative to the folder of the package or the workspace.
    pub file: PathBuf,
    /// The line that opens its block, counted from 1.
    line: usize,
}

impl DocTest {
    /// Parses rustdoc's name of a test, such as `src/lib.rs - Map::get (line 12)`; none if it is the name of another
    /// kind of test.
    pub fn of(name: &str) -> Option<Self> {
        let (file, rest) = name.split_once(" - ")?;
        let line = rest.rsplit_once("(line ")?.1.split(')').next()?.parse().ok()?;
        Some(Self { file: file.into(), line })
    }

    /// The same test in the files that `text`, which holds none on its line, includes as documentation. rustdoc counts their lines from
    /// the line that includes them on.
    pub fn included(&self, text: &str) -> Vec<Self> {
        let lines = text.lines().enumerate().take(self.line);
        let named = lines.filter(|(_, line)| line.contains("doc")).filter_map(|(before, line)| {
            let path = line.split_once("include_str!(\"")?.1.split('"').next()?;
            Some(Self { file: path.into(), line: self.line - before })
        });
        named.collect()
    }

    /// The program that rustdoc makes of it (*The rustdoc book*, "Documentation tests"), where the file holds `text`;
    /// none if no block opens on its line.
    pub fn program(&self, text: &str) -> Option<String> {
        let is_plain = self.file.extension().is_some_and(|end| end == "md");
        let mut lines =
            text.lines().skip(self.line.checked_sub(1)?).map(|line| if is_plain { line } else { comment(line) });
        lines.next().filter(|line| line.trim_start().starts_with(FENCE))?;
        let code: Vec<&str> =
            lines.take_while(|line| !line.trim_start().starts_with(FENCE)).map(shown_or_not).collect();
        if code.iter().any(|line| line.trim_start().starts_with("fn main()")) {
            return Some(code.join("\n"));
        }
        let (outer, body): (Vec<&str>, Vec<&str>) = code.into_iter().partition(|line| line.starts_with("#!["));
        let (outer, body) = (outer.join("\n"), body.join("\n"));
        Some(if body.trim_end().ends_with("(())") {
            format!(
                "{outer}\nfn main() {{\nfn inner() -> Result<(), impl std::fmt::Debug> {{\n{body}\n}}\ninner().unwrap()\n}}\n"
            )
        } else {
            format!("{outer}\nfn main() {{\n{body}\n}}\n")
        })
    }
}

/// The content of a comment line.
fn comment(line: &str) -> &str {
    let line = line.trim_start();
    let said = ["///", "//!", "*"].iter().find_map(|sign| line.strip_prefix(sign)).unwrap_or(line);
    said.strip_prefix(' ').unwrap_or(said)
}

/// A line of a block without the `#` that hides it from readers.
fn shown_or_not(line: &str) -> &str {
    let code = line.trim_start();
    match code.strip_prefix('#') {
        Some("") => "",
        Some(rest) if rest.starts_with('#') => rest,
        Some(rest) => rest.strip_prefix(' ').unwrap_or(line),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the program of the block that opens on line 2.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let test = DocTest::of("src/lib.rs - f (line 2)").expect("it is a name of rustdoc's");
        assert_eq!(test.program(text).as_deref(), Some(expected));
    }

    #[test]
    fn a_block_becomes_a_program() {
        check("/// F.\n/// ```\n/// # use a::f;\n/// f();\n/// ```\nfn f() {}", "\nfn main() {\nuse a::f;\nf();\n}\n");
        check(
            "//! F.\n//! ```rust\n//! #![allow(unused)]\n//! f()?;\n//! # Ok::<(), E>(())\n//! ```",
            "#![allow(unused)]\nfn main() {\nfn inner() -> Result<(), impl std::fmt::Debug> {\nf()?;\nOk::<(), E>(())\n}\ninner().unwrap()\n}\n",
        );
        check("/**\n * ```\n * fn main() { f() }\n * ```\n */", "fn main() { f() }");
    }

    #[test]
    fn a_block_in_a_file_that_is_included_is_found() {
        let test = DocTest::of("src/lib.rs - (line 4)").expect("it is a name of rustdoc's");
        let included = test
            .included("//! F.\n#![doc = include_str!(\"../README.md\")]\nfn f() {}\n\n#[doc = include_str!(\"b.md\")]");
        assert_eq!(included, [DocTest { file: "../README.md".into(), line: 3 }]);
        assert_eq!(included[0].program("# A\n\n```rust\nf();\n```").as_deref(), Some("\nfn main() {\nf();\n}\n"));
    }

    #[test]
    fn other_names_are_no_doc_tests() {
        assert_eq!(DocTest::of("tests::adds"), None);
        assert_eq!(DocTest { file: "a.rs".into(), line: 1 }.program("fn f() {}"), None);
    }
}
