//! Crates of a registry that are in a folder, as `cargo vendor` makes it.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

/// The folder for cargo's configuration, which says where the crates are.
const HOME: &str = "home";

/// Adds crates, each with a name, a version and its source.
pub(super) fn vendor(place: &TestFolder, crates: &[(&str, &str, &str)]) {
    let folder = place.path("vendor");
    let config = "[source.crates-io]\nreplace-with = \"vendor\"\n[source.vendor]\ndirectory = ";
    place.write(format!("{HOME}/config.toml"), format!("{config}{:?}\n", folder.display().to_string()));
    for (name, version, source) in crates {
        let folder = format!("vendor/{name}-{version}");
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n");
        place.write(format!("{folder}/Cargo.toml"), manifest);
        place.write(format!("{folder}/src/lib.rs"), source);
        place.write(format!("{folder}/.cargo-checksum.json"), "{\"files\":{}}");
    }
}

/// What `cargo mcve` says with these crates.
#[track_caller]
pub(super) fn run(place: &TestFolder, args: &[&str], exit: Exit) -> Said {
    let mut command = place.command(super::BINARY);
    Said::by(command.env("CARGO_HOME", place.path(HOME)).arg("mcve").args(args)).exits(exit)
}
