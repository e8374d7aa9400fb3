//! Files that came from elsewhere with the program: links in the place of what mcve writes, and names that lead out of the folder.

use std::fs;

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

use super::checks::{MINE, RESULT, is_link, link, place, reduce, refuse};

/// What is in a file that mcve must not change, and that no result may have.
const SECRET: &str = "0xa5ec2e7";

/// A place with a file outside of the folder of the program.
fn with_secret() -> TestFolder {
    let place = place();
    place.write("outside/secret", SECRET);
    place
}

#[track_caller]
fn is_untouched(place: &TestFolder) {
    assert_eq!(mcve_testing::names(&place.path("outside")), ["secret"]);
    assert_eq!(place.read("outside/secret"), SECRET);
}

#[test]
fn a_link_in_the_place_of_the_result_is_followed_only_where_it_is_named() {
    for target in ["outside/secret", "outside/new"] {
        let place = with_secret();
        link(&place, "a_mcve.rs", target);
        refuse(&place, &["a.rs"], Exit::Output, "a_mcve.rs is a link, which mcve follows only if you name it");
        is_untouched(&place);
        reduce(&place, &["a.rs", "-o", "a_mcve.rs"]);
        assert!(is_link(&place, "a_mcve.rs"));
        assert_eq!(place.read(target), RESULT);
    }
}

#[test]
fn links_in_the_place_of_what_mcve_writes_besides_are_not_followed() {
    let names = ["state", "state/mcve", "a_mcve.rs.orig", "a_mcve"];
    for (name, target) in names.iter().flat_map(|name| ["secret", "new"].map(|target| (name, target))) {
        let place = with_secret();
        place.write("a_mcve.rs", MINE);
        let _ = fs::remove_dir_all(place.path("state"));
        if *name == "state/mcve" {
            fs::create_dir(place.path("state")).expect("it can be made");
        }
        link(&place, name, &place.path("outside").join(target).to_string_lossy());
        reduce(&place, &["a.rs"]);
        assert_eq!(place.read("a_mcve.rs"), RESULT, "{name}");
        is_untouched(&place);
    }
}

#[test]
fn a_link_in_the_place_of_a_backup_is_not_followed() {
    let place = with_secret();
    link(&place, "a.rs.orig", "outside/new");
    refuse(&place, &["a.rs", "--in-place", "--test", "true"], Exit::Output, "a.rs.orig");
    is_untouched(&place);
}

/// The compiler may read what leads out of the folder. A result has no copy of it, and in place it is not changed.
#[test]
fn files_outside_are_neither_copied_nor_written() {
    let program = "#[path = \"../outside/m.rs\"] mod m;\nmod linked;\n#[cfg(any())] #[path = \"../outside/secret\"] mod secret;\nconst T: &str = include_str!(\"../outside/secret\");\nfn unused() {}\nfn main() { let wrong: u8 = T; m::f(); linked::f(); }\n";
    for in_place in [false, true] {
        let place = place();
        place.write("p/main.rs", program);
        for name in ["outside/m.rs", "outside/linked.rs"] {
            place.write(name, format!("pub fn f() {{ let secret = {SECRET}; }}\n"));
        }
        place.write("outside/secret", SECRET);
        link(&place, "p/linked.rs", "../outside/linked.rs");
        let before = ["m.rs", "linked.rs", "secret"].map(|name| place.read(format!("outside/{name}")));
        let said = place.run(if in_place { &["p/main.rs", "--in-place"][..] } else { &["p/main.rs"] }, Exit::Done);
        for name in ["m.rs", "secret"] {
            let path = place.root().join("outside").join(name);
            let told = format!("{} is outside of the program: checks read it where it is", path.display());
            assert!(said.stderr.contains(&told), "{}", said.stderr);
        }
        assert_eq!(["m.rs", "linked.rs", "secret"].map(|name| place.read(format!("outside/{name}"))), before);
        assert_eq!(mcve_testing::names(&place.path("outside")), ["linked.rs", "m.rs", "secret"]);
        let result = place.read(if in_place { "p/main.rs" } else { "p/main_mcve.rs" });
        assert!(result.contains("u8") && !result.contains("unused") && !result.contains(SECRET), "{result}");
    }
}

#[test]
fn a_folder_that_becomes_a_link_during_a_run_is_not_followed() {
    let swap = "grep -q needle $1 || exit 1; grep -q main $1 || [ -e $PLACE/old ] || { mv $PLACE/out $PLACE/old; ln -s outside $PLACE/out; }";
    for (name, several) in [("out/b.rs", false), ("out/deep/b.rs", false), ("out/b.rs", true)] {
        let place = with_secret();
        fs::create_dir_all(place.path("out/deep")).expect("it can be made");
        fs::create_dir(place.path("outside/deep")).expect("it can be made");
        place.write("p/a.rs", "fn main() {}\nfn needle() {}\n");
        place.write("p/b.rs", "fn needle() {}\n");
        let test = if several { swap.replace("$1", "-r .") + "; [ -e a.rs ] && [ -e b.rs ]" } else { swap.to_owned() };
        let input = if several { "p" } else { "a.rs" };
        let args = [input, "-o", name, "--jobs", "1", "--writable", ".", "--test", &test];
        place.run(&args, Exit::Output).says(&["is another folder than when the run began"]);
        fs::remove_dir(place.path("outside/deep")).expect("nothing is in it");
        is_untouched(&place);
    }
}
