//! What else is done with the failure of a package: its difference to one that passes, and the command that shows it.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

use super::vendor::{run as run_with, vendor};
use super::{package, run};

/// The files of a package whose test fails by its library.
fn wrong() -> TestFolder {
    let library = "mod sum;\npub use sum::twice;\npub fn other() -> u8 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        assert_eq!(super::twice(2), 4);\n    }\n}\n";
    package(&[("src/lib.rs", library), ("src/sum.rs", "pub fn twice(n: u8) -> u8 {\n    n * n * 2\n}\n")])
}

#[test]
fn a_failing_test_is_isolated_and_repaired() {
    let place = wrong();
    let said = run(&place, &["isolate", "test", "doubles", "-o", "target/out"], Exit::Done);
    said.clone().says(&["the test `tests::doubles` fails", "differ "]);
    assert!(said.stdout.contains("this is what makes it fail: "), "{}", said.all());
    assert!(place.path("target/out/difference.patch").is_file());
    let said = run(&place, &["repair", "test"], Exit::Done);
    assert!(
        said.stdout.contains("it does not fail without: ") && said.stdout.contains("+++ b/src/sum.rs"),
        "{}",
        said.all()
    );
    place.write("fix.patch", &said.stdout[said.stdout.find("---").expect("there is a patch")..]);
    let patched = Said::by(place.command("patch").args(["-p1", "-s", "-i", "fix.patch"]));
    assert!(patched.is_success(), "{}", patched.all());
    run(&place, &["test"], Exit::NotFailing).says(&["there is no failure to keep"]);
}

#[test]
fn the_error_of_a_crate_is_isolated_and_generalised() {
    let place = package(&[("src/lib.rs", "pub fn f(n: u8) -> u8 {\n    n\n}\npub fn g() -> u8 {\n    f(\"x\")\n}\n")]);
    let said = run(&place, &["isolate", "check"], Exit::Done);
    assert!(said.stdout.contains("this is what makes it fail: "), "{}", said.all());
    let said = run(&place, &["generalise", "check", "--budget", "60s"], Exit::Done);
    assert!(
        said.stdout.contains("pub fn g() -> u8 {") && said.stderr.contains("may be any of their kind"),
        "{}",
        said.all()
    );
    run(&place, &["repair", "clippy", "--keep", "no"], Exit::Done).says(&["E0308"]);
}

#[test]
fn a_file_is_still_one_of_mcve() {
    let place = package(&[("src/lib.rs", ""), ("a.rs", "fn main() {\n    let a: u8 = \"x\";\n    drop(a);\n}\n")]);
    let said = run(&place, &["isolate", "a.rs"], Exit::Done);
    assert!(said.stdout.contains("this is what makes it fail: "), "{}", said.all());
}

#[test]
fn the_command_of_a_package_has_the_profile_that_shows_it() {
    let main = "fn helper() { println!(\"x\"); }\nfn main() { helper(); assert!(part::add(200, 100) > 200); }\n";
    let place = package(&[("src/main.rs", main)]);
    vendor(
        &place,
        &[("part", "1.0.0", "pub fn add(a: u8, b: u8) -> u8 { std::hint::black_box(a) + b }\npub fn other() {}\n")],
    );
    place.write("Cargo.toml", format!("{}[dependencies]\npart = \"1\"\n", place.read("Cargo.toml")));
    for (args, command) in [
        (&["--release"][..], "cd walk_mcve && cargo run --release"),
        (&["--profile", "ship"], "cd walk_mcve && cargo run --profile=ship"),
    ] {
        if args[0] == "--profile" {
            place.write("Cargo.toml", format!("{}[profile.ship]\ninherits = \"release\"\n", place.read("Cargo.toml")));
        }
        let said = run_with(&place, &[&["run", "--keep-package", "--runs", "1"], args].concat(), Exit::Done);
        assert_eq!(said.see_it(), Some(command), "{}", said.stderr);
        let mut shell = place.command("sh");
        let seen = Said::by(shell.args(["-c", command]).env("CARGO_HOME", place.path("home")));
        assert!(seen.stderr.contains("assertion failed"), "{}", seen.all());
        std::fs::remove_dir_all(place.path("walk_mcve")).expect("it is there");
    }
}

#[test]
fn the_command_of_a_result_of_any_name_works() {
    let place = package(&[("src/lib.rs", "pub fn other() {}\npub fn f() -> u8 { \"\" }\n")]);
    let said = place.run(&[&["mcve", "check", "-o", "other.out.rs"], brief()].concat(), Exit::Done);
    let command = said.see_it().expect("it is shown").to_owned();
    let seen = Said::by(place.command("sh").args(["-c", &command]));
    assert!(seen.stderr.contains("E0308") && !seen.stderr.contains("crate name"), "{command}\n{}", seen.all());
}

#[test]
fn a_test_that_is_named_in_another_way_is_told() {
    let place = wrong();
    for args in [&["doubles"][..], &["--test", "doubles"]] {
        let exit = if args.len() == 1 { Exit::Usage } else { Exit::NotFailing };
        run(&place, args, exit).says(&["cargo mcve test "]);
    }
}
