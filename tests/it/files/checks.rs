//! A folder with a program, and what is checked of the files there.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

pub(crate) const INPUT: &str =
    "mod m {\n    pub fn needle(x: u8) -> u8 {\n        x + 1\n    }\n}\n\nfn main() {\n    println!();\n}\n";

pub(crate) const RESULT: &str = "fn needle() {}\n";

/// What somebody wrote.
pub(crate) const MINE: &str = "fn my_work() {}\n";

pub(crate) const TEST: &str = "grep -q needle $1";

/// A folder with a program `a.rs`.
pub(crate) fn place() -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", INPUT);
    place
}

pub(crate) fn link(place: &TestFolder, name: &str, to: &str) {
    symlink(to, place.path(name)).expect("it can be made");
}

pub(crate) fn is_link(place: &TestFolder, name: &str) -> bool {
    place.path(name).is_symlink()
}

pub(crate) fn mode(place: &TestFolder, name: &str) -> u32 {
    fs::metadata(place.path(name)).expect("it is there").permissions().mode() & 0o777
}

pub(crate) fn set_mode(place: &TestFolder, name: &str, mode: u32) {
    fs::set_permissions(place.path(name), PermissionsExt::from_mode(mode)).expect("it is ours");
}

/// Makes a device of the test's own. Nobody but root can: then there is none, and the test has nothing to say.
pub(crate) fn make_device(place: &TestFolder, name: &str, minor: &str) -> bool {
    let made = Said::by(place.command("mknod").args([name, "c", "1", minor])).is_success();
    if !made {
        eprintln!("only root can make devices: nothing is tested");
    }
    made
}

/// Reduces with the test of the needle.
#[track_caller]
pub(crate) fn reduce(place: &TestFolder, args: &[&str]) -> Said {
    place.run(&[args, &["--test", TEST]].concat(), Exit::Done)
}

/// Checks that a run is refused, what is said then, and that nothing was run or written.
#[track_caller]
pub(crate) fn refuse(place: &TestFolder, args: &[&str], exit: Exit, why: &str) {
    let before = place.names();
    let test: &[&str] = if args.contains(&"--test") { &[] } else { &["--test", "touch $PLACE/ran"] };
    place.run(&[args, test].concat(), exit).says(&[why]);
    assert_eq!(place.names(), before);
}
