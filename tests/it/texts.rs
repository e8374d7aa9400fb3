//! Texts that are not Rust: minimal by characters, and nothing is added.

use std::fs;
use std::path::PathBuf;

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

/// Checks what is left of a file with these bytes, by a script for the shell in which `$1` is the file.
#[track_caller]
fn check(name: &str, bytes: &[u8], script: &str, expected: &[u8]) {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    fs::write(place.path(name), bytes).expect("the folder is there");
    let said = place.run_cleanly(&[name, "--test", script], Exit::Done);
    said.says(&["1-minimal"]);
    let left = fs::read(place.path(result(name))).expect("it is written");
    assert_eq!(String::from_utf8_lossy(&left), String::from_utf8_lossy(expected));
    assert_eq!(left, expected);
}

/// The name of the result, which has the extension of the input.
fn result(name: &str) -> PathBuf {
    let (stem, extension) = name.split_once('.').expect("it has an extension");
    format!("{stem}_mcve.{extension}").into()
}

#[test]
fn brackets_are_characters() {
    // The mystery of the Debugging Book.
    check("a.txt", b"V\"/+!aF-(V4EOz*+s/Q,7)2@0_", "grep -q '(.*)' \"$1\"", b"()");
}

#[test]
fn nothing_is_added() {
    check("a.html", b"<td><SELECT NAME=\"p\" MULTIPLE SIZE=7>\n", "grep -q '<SELECT[^<]*>' \"$1\"", b"<SELECT>");
    check("a.txt", b"3/0 + (1 + 2)\n", "grep -q '[0-9]/0' \"$1\"", b"3/0");
    let word = "pneumonoultramicroscopicsilicovolcanoconiosis";
    check("a.txt", word.as_bytes(), &format!("grep -q {word} \"$1\""), word.as_bytes());
}

#[test]
fn blocks_go_and_what_they_hold_takes_their_place() {
    let text = "def dead(x):\n    for y in x:\n        if y:\n            return y\n\ndef f(x):\n    if x:\n        return 1 / 0\n    return 2\n\nf(3)\n";
    check(
        "a.py",
        text.as_bytes(),
        "grep -q '^return 1 / 0$' \"$1\" || grep -q '^ *return 1 / 0$' \"$1\"",
        b"return 1 / 0",
    );
}

#[test]
fn equal_words_become_shorter_together() {
    let script = "grep -oE '^[a-z]+' $1 | sort | uniq -d | grep -q .";
    check("names.ini", b"first = 1\nserver = 2\nserver = 3\n", script, b"s\ns");
}

#[test]
fn a_word_takes_the_place_of_one_that_goes() {
    // The rules of the targets are a circle.
    let script = "make -n -f $1 all 2>&1 | grep -q Circular";
    check(
        "rules.mk",
        b"all: lib.a\n\nlib.a: gen.h\n\tar lib.a\n\ngen.h: lib.a\n\ttouch gen.h\n",
        script,
        b"all:l\nl:l",
    );
}

#[test]
fn bytes_that_are_no_text_are_reduced() {
    let mut bytes: Vec<u8> = (0..=255).collect();
    bytes.extend(b"\x89PNG\0\xff\xd8");
    check("a.bin", &bytes, "LC_ALL=C grep -qaP '\\x89.*\\xd8' \"$1\"", b"\x89\xd8");
}

/// Checks the difference that a mode finds in a file with this text, by a script, and the version that passes.
#[track_caller]
fn check_pair(mode: &[&str], text: &str, script: &str, difference: &str, passing: &str) {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.txt", text);
    let said = place.run_cleanly(&[mode, &["a.txt", "--test", script]].concat(), Exit::Done);
    assert!(said.stdout.contains(&format!("the text `{difference}`, line 1")), "{}", said.stdout);
    said.says(&["differ   1 characters (1-minimal)"]);
    assert_eq!(place.read("pass.txt"), passing);
}

#[test]
fn one_character_is_the_difference() {
    let (mystery, mysterious) = ("V\"/+!aF-(V4EOz*+s/Q,7)2@0_", "grep -q '(.*)' \"$1\"");
    check_pair(&["isolate", "-o", "."], mystery, mysterious, "(", "z*+s/Q,7)2@0_");
    check_pair(&["repair", "-o", "pass.txt"], mystery, mysterious, "(", "V\"/+!aF-V4EOz*+s/Q,7)2@0_");
    let (sum, by_zero) = ("3/0 + (1 + 2)\n", "grep -q '[0-9]/0' \"$1\"");
    check_pair(&["repair", "-o", "pass.txt"], sum, by_zero, "3", "/0 + (1 + 2)\n");
}

#[test]
fn what_is_named_as_rust_or_is_rust_is_reduced_as_rust() {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.txt", "fn other() {}\nfn needle() {}\n");
    place.run_cleanly(&["a.txt", "--test", "grep -q needle a.txt"], Exit::Done).says(&["tokens"]);
    place.write("b.txt", "a needle (in a haystack\n");
    place.run_cleanly(&["b.txt", "--test", "grep -q needle b.txt"], Exit::Done).says(&["-> 6 characters (25.0 %)"]);
    for option in ["--only=lines", "--skip=lines", "--keep=needle"] {
        let said = place.run(&["b.txt", option, "--test", "grep -q needle b.txt"], Exit::Input);
        let option = option.split('=').next().expect("it has a name");
        said.says(&[&format!("b.txt is not Rust, and {option} is for Rust only")]);
    }
}
