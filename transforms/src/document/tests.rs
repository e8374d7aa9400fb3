//! Checks which files documents stand for.

use super::*;

/// The files of a document whose root file is at `src/lib.rs`: path, text, arguments of a crate.
fn files(text: &str) -> Option<Vec<(String, String)>> {
    let document = Document::read(text, "src/lib.rs")?;
    let rust = document.files.iter().map(|file| (file.at.clone(), file.text(text)));
    let lists = document.lists.iter().map(|list| {
        let elements = list.elements.iter().map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
        (format!("{:?}", list.kind), elements.collect::<Vec<_>>().join("|"))
    });
    Some(rust.chain(lists).collect())
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    assert_eq!(files(text), Some(expected));
}

#[test]
fn a_text_without_marks_is_its_own_root_file() {
    check("fn main() {}\n", &[("", "fn main() {}\n")]);
    check("", &[("", "")]);
}

#[test]
fn a_module_under_a_mark_is_a_file() {
    check(
        "#[mcve::file(\"src/a.rs\")] /// A.\n#[cfg(a)] pub(crate) mod a {\n//! B.\nfn f() {}\n}\nfn main() {}",
        &[("", "/// A.\n#[cfg(a)] pub(crate) mod a;\nfn main() {}"), ("src/a.rs", "//! B.\nfn f() {}")],
    );
}

#[test]
fn modules_of_modules_are_files_of_their_own() {
    check(
        "mod m { #[mcve::file(\"src/m/a.rs\")] mod a {\n#[mcve::file(\"src/m/a/b.rs\")] mod b {\nfn f() {}\n\n}\n} }",
        &[("", "mod m { mod a; }"), ("src/m/a.rs", "mod b;"), ("src/m/a/b.rs", "fn f() {}\n")],
    );
}

#[test]
fn a_file_that_is_elsewhere_has_its_path_told() {
    check(
        "#[mcve::file(\"src/x/a.rs\")] mod a {\n#[mcve::file(\"src/x/b.rs\")] mod b {\n\n}\n}",
        &[("", "#[path = \"x/a.rs\"] mod a;"), ("src/x/a.rs", "mod b;"), ("src/x/b.rs", "")],
    );
    // The former file of the module `a` is part of the root file.
    check("mod a { #[mcve::file(\"src/b.rs\")] mod b {\n1\n} }", &[("", "mod a { mod b; }"), ("src/a/b.rs", "1")]);
}

#[test]
fn lists_are_no_part_of_a_file() {
    check(
        "fn main() {}\n\nmcve::data!(\"t.txt\", \"1\\n\", \"2\");\nmcve::arguments!(\"-O\",);\nmcve::kept!(\"x\");",
        &[("", "fn main() {}\n"), ("Data(\"t.txt\")", "1\n|2"), ("Arguments", "-O"), ("Kept(\"x\")", "")],
    );
}

#[test]
fn a_crate_is_a_file_with_arguments() {
    let text =
        "fn main() {}\n#[mcve::krate(\"aux/a.rs\", \"--cfg=b\")] mod a {\n#[mcve::file(\"aux/c.rs\")] mod c {\n\n}\n}";
    check(text, &[("", "fn main() {}"), ("aux/a.rs", "mod c;"), ("aux/c.rs", "")]);
    let files: Vec<_> = Document::read(text, "a.rs").into_iter().flat_map(|read| read.files).collect();
    let arguments: Vec<_> = files.iter().map(|file| file.arguments.as_ref().map(Vec::len)).collect();
    assert_eq!(arguments, [None, Some(1), None]);
    let (range, word) = &files[1].arguments.as_ref().expect("it is a crate")[0];
    assert_eq!((&text[range.clone()], &**word), ("\"--cfg=b\"", "--cfg=b"));
}

#[test]
fn what_a_file_includes_is_found_from_its_folder() {
    let text = "#[mcve::file(\"src/a/b.rs\")] mod b {\ninclude_str!(\"../t.txt\"); include!(\"/x\")\n} include!(\"../t.txt\");";
    check(
        text,
        &[
            ("", "#[path = \"a/b.rs\"] mod b; include!(\"../t.txt\");"),
            ("src/a/b.rs", "include_str!(\"../../t.txt\"); include!(\"/x\")"),
        ],
    );
}

#[test]
fn what_is_on_something_else_is_no_mark() {
    for text in [
        "#[mcve::file(\"a.rs\")] fn f() {}",
        "#[mcve::file(\"a.rs\")] mod a;",
        "#[mcve::file(a)] mod a {}",
        "#[mcve::file(\"\")] mod a {}",
        "#[mcve::file] mod a {}",
        "#[mcve::fil(\"a\")] mod a {}",
        "#[mcve::file(\"a.rs\")] mod a {",
        "mcve::data!();",
        "mcve::data!(\"a\", 1);",
        "mcve::data!(\"a\")",
        "fn f() { mcve::data!(\"a\"); }",
        "mcve::other!(\"a\");",
        "mod a { #[mcve::krate(\"a.rs\")] mod a {} }",
        "}",
    ] {
        assert_eq!(files(text), None, "{text}");
    }
}

#[test]
fn bytes_are_told_both_ways() {
    let text = "#[mcve::file(\"src/x.rs\")] mod a {\nfn f() {}\n}\nfn main() {}";
    let document = Document::read(text, "src/lib.rs").expect("it is one");
    for (path, part) in [("", "main"), ("src/x.rs", "f()"), ("", "mod a")] {
        let byte = text.find(part).expect("it is there");
        let file = document.file(path).expect("it is there");
        let offset = file.text(text).find(part).expect("it is there");
        assert_eq!((file.offset(byte), file.byte(offset)), (Some(offset), Some(byte)), "{part}");
        assert_eq!(document.place(byte), Some((file, offset)));
    }
    assert_eq!(document.place(3), None, "the mark is in no file");
}
