//! What the code of a package cannot do while cargo runs it, and what mcve does not follow. Each attempt is a line for the shell that ends
//! with 0 where it succeeds; a build script makes all of them, and names those that succeed.
#![cfg(target_os = "linux")]

use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Place, Said};

use crate::package;

/// Fails for a reason of its own, once the build script has ended.
const LIBRARY: &str = "pub fn name() -> String { let unused = 1; missing(unused) }\n";

/// A build script that makes these attempts.
fn build(attempts: &[&str]) -> String {
    format!(
        "fn main() {{\n    for attempt in {attempts:?} {{\n        let done = std::process::Command::new(\"bash\").args([\"-c\", attempt]).output().expect(\"there is a shell\");\n        assert!(!done.status.success(), \"it succeeds: {{attempt}}\");\n    }}\n}}\n"
    )
}

/// A place with a package, and beside it what is not to be touched.
fn place(files: &[(&str, &str)]) -> Place {
    let place = package(files);
    place.write("outside/victim", "as it was");
    place.write("home/.ssh/id", "a secret");
    place
}

/// `cargo mcve` with the variables that attempts name.
fn command(place: &Place) -> Command {
    let home = std::env::home_dir().expect("there is one");
    let mut command = place.command(crate::BINARY);
    for (name, usual) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        command.env(name, std::env::var_os(name).unwrap_or_else(|| home.join(usual).into()));
    }
    command.args(["mcve", "check", "--runs", "1", "--offline"]);
    command.env("OUT", place.path("outside")).env("HOME", place.path("home"));
    command.env("CARGO_REGISTRY_TOKEN", "hunter2").env("CARGO_REGISTRIES_OWN_TOKEN", "hunter2");
    command
}

/// Runs it, and checks that it ends with its result and that nothing outside has changed.
#[track_caller]
fn withstands(place: &Place, mut command: Command) -> Said {
    let said = Said::by(&mut command);
    assert_eq!(said.code(), Some(i32::from(Exit::Done.code())), "{}", said.stderr);
    assert_eq!(place.read("outside/victim"), "as it was");
    assert_eq!(mcve_testing::names(&place.path("outside")), ["victim"]);
    assert!(place.read("walk_mcve.rs").contains("missing"), "{}", said.stderr);
    said
}

#[track_caller]
fn check(attempts: &[&str]) -> (Place, Said) {
    let place = place(&[("src/lib.rs", LIBRARY), ("build.rs", &build(attempts))]);
    let said = withstands(&place, command(&place));
    (place, said)
}

#[test]
fn nothing_is_written_outside() {
    check(&[
        "echo x > $OUT/victim",
        "echo x >> $OUT/new",
        "rm -rf $OUT",
        "mv $OUT/victim .",
        "ln $OUT/victim $OUT_DIR/l && echo x > $OUT_DIR/l",
        "ln -s $OUT $OUT_DIR/l && echo x > $OUT_DIR/l/new",
        "echo x > build.rs",
        "echo x > ../new",
        "touch $CARGO_HOME/registry/new",
        "touch $CARGO_HOME/new",
        "[ \"$(dirname $TMPDIR)\" != / ] && touch $(dirname $TMPDIR)/new",
    ]);
}

/// What mcve writes lies where the package cannot write.
#[test]
fn what_mcve_writes_is_out_of_reach() {
    check(&[
        "ln -sf $OUT/victim $PLACE/target/mcve/walk_mcve.rs",
        "ln -sf $OUT $PLACE/target/mcve/state",
        "mkdir $PLACE/target/mcve/state",
        "rm -rf $PLACE/target/mcve/calls && [ ! -e $PLACE/target/mcve/calls ]",
        "mv $PLACE/target/mcve/build $PLACE/target/mcve/other",
        "echo x > $PLACE/target/mcve/new",
    ]);
}

#[test]
fn secrets_are_out_of_reach() {
    let (place, said) = check(&[
        "[ -n \"$CARGO_REGISTRY_TOKEN\" ]",
        "[ -n \"$CARGO_REGISTRIES_OWN_TOKEN\" ]",
        "grep -q hunt''er2 /proc/$PPID/environ",
        "env | grep -q hunt''er2",
    ]);
    assert!(!said.stderr.contains("hunter2") && !said.stdout.contains("hunter2"));
    let found =
        Command::new("grep").args(["-rl", "hunter2"]).arg(place.path("target")).output().expect("there is a grep");
    assert!(found.stdout.is_empty(), "{}", String::from_utf8_lossy(&found.stdout));
}

/// Needs mounts of its own, which not every system allows: Landlock does not hold these.
#[test]
fn modes_times_and_files_with_secrets_are_out_of_reach() {
    if !Command::new("unshare").args(["--user", "--mount", "true"]).status().is_ok_and(|status| status.success()) {
        return eprintln!("skipped: there are no namespaces here");
    }
    check(&[
        "chmod 0 $OUT/victim",
        "touch -d @0 $OUT/victim",
        "chown 1 $OUT/victim",
        "setfattr -n user.x -v y $OUT/victim",
        "grep -q . $HOME/.ssh/id",
        "ls $HOME/.ssh | grep -q .",
        "grep -q . $XDG_CONFIG_HOME/mcve/key",
    ]);
}

#[test]
fn nothing_is_connected_to() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a network");
    let port = listener.local_addr().expect("it has one").port();
    check(&[
        &format!("exec 3<>/dev/tcp/127.0.0.1/{port}"),
        "exec 3<>/dev/tcp/1.1.1.1/53",
        "exec 3<>/dev/udp/1.1.1.1/53 && echo x >&3",
        &format!("kill -0 {}", std::process::id()),
    ]);
}

/// A package can write to the folder of records. mcve skips what is not a plain file.
#[test]
fn records_that_are_none_do_not_stop_a_run() {
    let lines = [
        "mkfifo $PLACE/target/mcve/calls/a.json; ln -s /dev/zero $PLACE/target/mcve/calls/b.json; mkdir $PLACE/target/mcve/calls/c.json; false",
    ];
    let (place, _) = check(&lines);
    let found = mcve_testing::names(&place.path("target/mcve/calls"));
    assert!(["a.json", "b.json", "c.json"].iter().all(|name| found.contains(&(*name).to_owned())), "{found:?}");
}

/// Programs that the configuration of a package names run in the sandbox only.
#[test]
fn programs_of_the_configuration_run_in_the_sandbox() {
    let evil = "#!/bin/sh\necho x > \"$PLACE/target/mcve/build/ran\"\necho x > \"$OUT/victim\"\necho x > \"$OUT/new\"\nexec \"$@\"\n";
    let linker = "#!/bin/sh\necho x > \"$OUT/victim\"\nexec cc \"$@\"\n";
    let config = "[build]\nrustc-wrapper = \"./evil\"\nrustc-workspace-wrapper = \"./evil\"\n[target.'cfg(all())']\nlinker = \"./linker\"\nrunner = \"./evil\"\n[env]\nLD_PRELOAD = \"/nowhere/x.so\"\n";
    let place = place(&[("src/lib.rs", LIBRARY), ("build.rs", "fn main() {}"), (".cargo/config.toml", config)]);
    for (name, text) in [("evil", evil), ("linker", linker)] {
        let path = place.write(name, text);
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    }
    withstands(&place, command(&place));
    assert!(place.path("target/mcve/build/ran").exists(), "a program of the configuration ran");
}

#[test]
fn links_that_come_with_a_package_are_not_followed() {
    for name in ["target", "target/mcve", "target/mcve/build", "target/mcve/calls", "target/mcve/state"] {
        let place = place(&[("src/lib.rs", LIBRARY)]);
        let link = place.path(name);
        std::fs::create_dir_all(link.parent().expect("it has one")).expect("it can be made");
        symlink(place.path("outside"), link).expect("it can be made");
        let said = Said::by(&mut command(&place));
        assert_eq!(said.code(), Some(i32::from(Exit::Output.code())), "{name}: {}", said.stderr);
        assert!(said.stderr.contains("is a link, which mcve does not follow"), "{name}: {}", said.stderr);
        assert_eq!(mcve_testing::names(&place.path("outside")), ["victim"]);
    }
}

/// A target folder that the user names may be a link.
#[test]
fn a_link_of_the_user_is_followed() {
    let place = place(&[("src/lib.rs", LIBRARY), ("disk/kept", "")]);
    symlink(place.path("disk"), place.path("link")).expect("it can be made");
    let mut command = command(&place);
    command.env("CARGO_TARGET_DIR", place.path("link"));
    withstands(&place, command);
    assert!(place.path("disk/mcve/build").is_dir());
}

/// The configuration of a package names the folder of the user's key.
#[test]
fn a_target_folder_of_the_configuration_is_not_used() {
    let config = "[build]\ntarget-dir = \"outside\"\n";
    let place = place(&[("src/lib.rs", LIBRARY), (".cargo/config.toml", config)]);
    withstands(&place, command(&place));
}

#[test]
fn a_toolchain_of_a_path_is_refused() {
    if !Command::new("rustup").arg("--version").output().is_ok_and(|said| said.status.success()) {
        return eprintln!("skipped: rustup is not there, which would run it");
    }
    let place = place(&[("src/lib.rs", LIBRARY), ("rust-toolchain.toml", "[toolchain]\npath = \"/nowhere\"\n")]);
    let mut command = command(&place);
    let said = Said::by(command.env_remove("RUSTUP_TOOLCHAIN"));
    assert_eq!(said.code(), Some(i32::from(Exit::Check.code())), "{}", said.stderr);
    assert!(said.stderr.contains("names a toolchain by its path"), "{}", said.stderr);
}
