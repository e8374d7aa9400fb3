//! Which files are found, and what becomes of them.

use std::fs;
use std::os::unix::fs::symlink;

use mcve::cli::exit::Exit;
use mcve_testing::brief;

use super::place::{FILES, checks, place, reduce};

#[test]
fn a_program_of_several_files_ends_as_one() {
    let whole = place(&FILES);
    let said = reduce(&whole, &["src/lib.rs"], "E0277");
    let result = whole.read("src/lib_mcve.rs");
    assert!(!result.contains("mcve::") && !result.contains("include"), "{result}");
    assert!(!whole.path("src/lib_mcve").exists(), "one file needs no folder");
    // The same program as one file takes about as many checks, and ends the same.
    let flat = flat();
    let alone = place(&[("lib.rs", &flat), FILES[7], FILES[8]]);
    let other = reduce(&alone, &["lib.rs"], "E0277");
    assert_eq!(result, alone.read("lib_mcve.rs"));
    let (several, alone) = (checks(&said), checks(&other));
    assert!(several * 5 <= alone * 6, "{several} checks of several files, {alone} of one");
    // Nothing of the input was touched.
    for (path, text) in FILES {
        assert_eq!(whole.read(path), text);
    }
}

/// The files of the program as one.
fn flat() -> String {
    let text = |path: &str| FILES.iter().find(|(name, _)| *name == path).expect("it is there").1;
    let step = text("src/walk/step.rs");
    let walk = text("src/walk.rs").replace("mod step;", &format!("mod step {{\n{step}}}"));
    let more = text("src/tools/more/mod.rs").replace("../../../", "");
    let tools = text("src/tools.rs").replace("pub mod more;", &format!("pub mod more {{\n{more}}}"));
    let inner = text("src/shape/inner.rs").replace("../../", "");
    text("src/lib.rs")
        .replace("mod walk;", &format!("mod walk {{\n{walk}}}"))
        .replace("pub mod tools;", &format!("pub mod tools {{\n{tools}}}"))
        .replace("#[path = \"odd/place.rs\"]\nmod place;", &format!("mod place {{\n{}}}", text("src/odd/place.rs")))
        .replace("pub mod inner;", &format!("pub mod inner {{\n{inner}}}"))
        .replace("../data", "data")
}

#[test]
fn steps_are_named_by_their_files() {
    let place = place(&FILES);
    let said = place.run(&[&["src/lib.rs", "-v", "--skip", "inline-file"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("src/shape/inner.rs:1:"), "{}", said.stderr);
}

#[test]
fn what_cannot_be_one_file_is_a_folder() {
    let place = place(&FILES);
    let test = "grep -q needs src/walk/step.rs && grep -q name data/name.txt && grep -q mod src/lib.rs";
    let said = place.run(&["src/lib.rs", "--test", test], Exit::Done);
    assert_eq!(mcve_testing::names(&place.path("src/lib_mcve")), ["data", "src"]);
    assert!(!place.path("src/lib_mcve.rs").exists());
    assert_eq!(place.read("src/lib_mcve/data/name.txt").trim(), "name");
    assert!(place.read("src/lib_mcve/src/walk/step.rs").contains("needs"));
    assert!(place.read("src/lib_mcve/src/lib.rs").contains("mod "));
    assert!(said.stderr.contains("src/lib_mcve\n"), "{}", said.stderr);
    let line = said.see_it().expect("a command is told");
    let by_hand = mcve_testing::Said::by(place.command("sh").args(["-c", line]));
    assert!(by_hand.is_success(), "{line}: {}", by_hand.all());
}

#[test]
fn a_folder_that_somebody_made_is_kept() {
    let place = place(&FILES);
    place.write("src/lib_mcve/mine", "mine");
    let test = "grep -q needs src/walk/step.rs";
    let said = place.run(&["src/lib.rs", "--test", test], Exit::Done);
    assert!(said.stderr.contains("src/lib_mcve.orig"), "{}", said.stderr);
    assert_eq!(place.read("src/lib_mcve.orig/mine"), "mine");
    assert!(!place.path("src/lib_mcve/mine").exists());
}

#[test]
fn odd_files_are_taken_as_they_are() {
    let place = place(&[
        (
            "lib.rs",
            "mod twice_a { #[path = \"../twice.rs\"] pub mod t; }\nmod twice_b { #[path = \"../twice.rs\"] pub mod t; }\nmod round;\nmod linked;\nstatic B: &[u8] = include_bytes!(\"latin.bin\");\nfn f() -> u8 { twice_a::t::g() + twice_b::t::g(); linked::h(); \"\" }\n",
        ),
        ("twice.rs", "pub fn g() -> u8 { 1 }\n"),
        ("twice_a/x", ""),
        ("twice_b/x", ""),
        ("round.rs", "#[cfg(any())] #[path = \"lib.rs\"] mod again;\n"),
        ("elsewhere/linked.rs", "pub fn h() {}\n"),
    ]);
    place.write("latin.bin", b"caf\xe9\n");
    symlink(place.path("elsewhere/linked.rs"), place.path("linked.rs")).expect("it can be made");
    reduce(&place, &["lib.rs"], "E0308");
    assert!(place.read("lib_mcve.rs").lines().count() < 5, "{}", place.read("lib_mcve.rs"));
    assert!(place.path("linked.rs").is_symlink());
}

#[test]
fn a_module_that_is_no_text_stays_a_file() {
    let place = place(&[("lib.rs", "mod bad;\nfn f() -> u8 { \"\" }\n")]);
    fs::write(place.path("bad.rs"), b"// caf\xe9\n").expect("it can be written");
    let said = place.run(&["lib.rs"], Exit::Input);
    assert!(said.stderr.contains("`bad.rs`"), "{}", said.stderr);
    place.run(&["lib.rs", "--test", "[ -s bad.rs ] && grep -q bad lib.rs"], Exit::Done);
    assert_eq!(fs::read(place.path("lib_mcve/bad.rs")).expect("it is there"), b"// caf\xe9\n");
}

#[test]
fn a_large_file_is_read_where_it_is() {
    let place = place(&[("lib.rs", "static B: &[u8] = include_bytes!(\"large.bin\");\nfn f() -> u8 { \"\" }\n")]);
    place.write("large.bin", vec![b'x'; 3 << 20]);
    let said = reduce(&place, &["lib.rs"], "E0308");
    assert!(said.stderr.contains("large.bin is large: checks read it where it is"), "{}", said.stderr);
}

#[test]
fn data_is_reduced_by_lines_and_halves() {
    let place = place(&[
        ("lib.rs", "static D: &str = include_str!(\"d.txt\");\nfn main() {}\n"),
        ("d.txt", "one two\nthree needle four\nfive\n"),
    ]);
    let test = "grep -q needle d.txt && grep -q d.txt lib.rs";
    place.run(&["lib.rs", "--test", test], Exit::Done);
    let data = place.read("lib_mcve/d.txt");
    assert!(data.contains("needle") && data.len() < 12, "{data:?}");
}

#[test]
fn a_repair_is_a_patch_of_the_files() {
    let place = place(&FILES);
    let said = place.run(&["repair", "src/lib.rs", "-o", "repaired.rs"], Exit::Done);
    let patch = said.stdout.lines().skip_while(|line| !line.starts_with("---")).collect::<Vec<_>>().join("\n") + "\n";
    assert!(!patch.contains("mcve::") && patch.contains("+++ b/src/"), "{patch}");
    place.write("p.patch", &patch);
    let applied = mcve_testing::Said::by(place.command("git").args(["apply", "p.patch"]));
    assert!(applied.is_success(), "{}: {patch}", applied.all());
    let mut compiler = place.command("rustc");
    compiler.args(["--edition=2021", "--crate-type=lib", "--emit=metadata", "src/lib.rs"]);
    assert!(mcve_testing::Said::by(&mut compiler).is_success());
    assert!(place.path("repaired").is_dir());
}

#[test]
fn a_file_above_the_folder_is_taken_along() {
    let place = place(&[
        ("a/src/lib.rs", "static X: &str = include_str!(\"../../b/x.txt\");\nfn f() -> u8 { \"\" }\n"),
        ("b/x.txt", "x\n"),
    ]);
    let mut command = place.mcve(&["src/lib.rs"]);
    let said = mcve_testing::Said::by(command.current_dir(place.path("a"))).exits(Exit::Done);
    let folder = place.root().canonicalize().expect("it is there");
    assert!(
        said.stderr.contains(&format!("program: 2 files in {}; outside of a/src: b/x.txt\n", folder.display())),
        "{}",
        said.stderr
    );
    assert!(!place.read("a/src/lib_mcve.rs").contains("static"));
}

#[test]
fn files_whose_names_a_macro_makes_are_found_by_what_rustc_lacks() {
    let place = place(&[
        (
            "lib.rs",
            "include!(concat!(\"gen\", \"/made.rs\"));\nstatic X: &str = include_str!(concat!(\"t\", \".txt\"));\nfn f() -> u8 { g(); \"\" }\n",
        ),
        ("gen/made.rs", "fn g() -> u8 { 1 }\nfn unused() {}\n"),
        ("t.txt", "x\n"),
    ]);
    let said = reduce(&place, &[&["lib.rs"], brief()].concat(), "E0308");
    assert!(said.stderr.contains("program: 3 files"), "{}", said.stderr);
    assert!(!place.path("lib_mcve").exists());
    place.write("lib.rs", "include!(concat!(\"no\", \"where.rs\"));\nfn f() -> u8 { \"\" }\n");
    let said = place.run(&["lib.rs"], Exit::Input);
    assert!(said.stderr.contains("nowhere.rs"), "{}", said.stderr);
}

#[test]
fn the_versions_of_an_isolated_difference_are_folders() {
    let place = place(&FILES);
    let said = place.run(&["isolate", "src/lib.rs", "-o", "parts"], Exit::Done);
    assert!(said.stdout.contains("--- a/pass/src/") && !said.stdout.contains("mcve::"), "{}", said.stdout);
    for version in ["parts/pass", "parts/fail"] {
        assert!(place.path(version).join("src/lib.rs").is_file(), "{version}");
    }
}
