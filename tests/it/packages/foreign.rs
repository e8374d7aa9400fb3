//! What comes with a package and leads out of it: mcve does not follow it, or refuses it by name.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, symlink};
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

use super::confined::{LIBRARY, build, command, place, withstands};

/// A link in a place, and the folders that it is in.
fn link(place: &TestFolder, target: &str, name: &str) {
    let path = place.path(name);
    std::fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
    symlink(place.path(target), path).expect("it can be made");
}

/// Runs it, and checks that it refuses with these words and that nothing outside has changed.
#[track_caller]
fn refuses(place: &TestFolder, mut command: Command, exit: Exit, words: &str) {
    let said = Said::by(&mut command);
    assert_eq!(said.code(), Some(i32::from(exit.code())), "{}", said.stderr);
    assert!(said.stderr.contains(words), "{}", said.stderr);
    assert_eq!(place.read("outside/victim"), "as it was");
    assert_eq!(mcve_testing::names(&place.path("outside")), ["victim"]);
}

#[test]
fn links_that_come_with_a_package_are_not_followed() {
    for name in ["target", "target/mcve", "target/mcve/build", "target/mcve/calls"] {
        let place = place(&[("src/lib.rs", LIBRARY)]);
        link(&place, "outside", name);
        refuses(&place, command(&place), Exit::Output, "is a link, which mcve does not follow");
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

#[test]
fn a_target_folder_of_the_configuration_is_not_used() {
    let config = "[build]\ntarget-dir = \"outside\"\n";
    let place = place(&[("src/lib.rs", LIBRARY), (".cargo/config.toml", config)]);
    withstands(&place, command(&place));
}

/// Runs mcve in a package with a toolchain of its own, which `file` or the variable of rustup names by a path in which ROOT stands
/// for the folder of the package; checks that none of its programs has run.
#[track_caller]
fn refuses_toolchain(file: (&str, &str), variable: Option<&str>) {
    let place = place(&[("src/lib.rs", LIBRARY), ("src/a.rs", "fn f() -> u8 { \"\" }\n")]);
    for program in ["rustc", "cargo"] {
        place.write_script(format!("own/bin/{program}"), "#!/bin/sh\necho x > \"$OUT/new\"\n");
    }
    symlink(place.path("own"), place.path("link")).expect("it can be made");
    let root = place.root().display().to_string();
    place.write(file.0, file.1.replace("ROOT", &root));
    let file_of = |mut command: Command| {
        command.args(["src/a.rs", "--budget", "10s"]);
        command
    };
    for command in [command(&place), file_of(place.command(env!("CARGO_BIN_EXE_mcve")))] {
        let mut command = command;
        command.env_remove("RUSTUP_TOOLCHAIN").env("OUT", place.path("outside"));
        command.envs(variable.map(|path| ("RUSTUP_TOOLCHAIN", path.replace("ROOT", &root))));
        refuses(&place, command, Exit::Check, "is named by its path");
    }
}

/// rustup would run the compiler of such a toolchain, and cargo, outside of the sandbox.
#[test]
fn a_toolchain_of_a_path_is_refused() {
    if !Command::new("rustup").arg("--version").output().is_ok_and(|said| said.status.success()) {
        return eprintln!("skipped: rustup is not there, which would run it");
    }
    for path in ["/proc/self/cwd/own", "/proc/thread-self/cwd/link", "ROOT/own", "ROOT/./src/../own"] {
        refuses_toolchain(("rust-toolchain", &format!("{path}\n")), None);
        refuses_toolchain(("rust-toolchain", &format!("[toolchain]\npath = {path:?}\n")), None);
        refuses_toolchain(("rust-toolchain.toml", &format!("[toolchain]\npath = {path:?}\n")), None);
        refuses_toolchain(("other", ""), Some(path));
    }
}

/// Then the variable counts, and the file is not followed to find out what a person would type.
#[test]
fn a_toolchain_that_the_user_names_counts() {
    let Some(name) = rustup_default() else { return eprintln!("skipped: rustup is not there") };
    let place = place(&[("src/lib.rs", LIBRARY), ("rust-toolchain", "/proc/self/cwd/own\n")]);
    for program in ["rustc", "cargo"] {
        place.write_script(format!("own/bin/{program}"), "#!/bin/sh\necho x > \"$OUT/new\"\n");
    }
    let mut command = command(&place);
    command.env("RUSTUP_TOOLCHAIN", name);
    withstands(&place, command);
}

/// The name of the toolchain that rustup runs where no file names one.
fn rustup_default() -> Option<String> {
    let mut rustup = Command::new("rustup");
    rustup.args(["show", "active-toolchain"]).current_dir("/").env_remove("RUSTUP_TOOLCHAIN");
    let said = rustup.output().ok().filter(|said| said.status.success())?;
    Some(String::from_utf8_lossy(&said.stdout).split_whitespace().next()?.to_owned())
}

/// The names that mcve gives its results may be links already.
#[test]
fn links_in_the_place_of_a_result_are_not_followed() {
    for name in ["walk_mcve.rs", "target/mcve/walk_mcve.rs"] {
        for target in ["outside/victim", "outside/new"] {
            let place = place(&[("src/lib.rs", LIBRARY)]);
            link(&place, target, name);
            refuses(&place, command(&place), Exit::Output, "is a link, which mcve follows only if you name it");
            let mut named = command(&place);
            named.args(["-o", "other.rs"]);
            if name == "walk_mcve.rs" {
                assert_eq!(Said::by(&mut named).code(), Some(0), "another name is another file");
            }
        }
    }
}

#[test]
fn a_lock_file_that_is_a_link_is_not_written() {
    for target in ["outside/new", "outside/victim"] {
        let place = place(&[("src/lib.rs", LIBRARY)]);
        link(&place, target, "Cargo.lock");
        let said = Said::by(&mut command(&place));
        assert!(said.stderr.contains("Cargo.lock"), "{}", said.stderr);
        assert_eq!(place.read("outside/victim"), "as it was");
        assert_eq!(mcve_testing::names(&place.path("outside")), ["victim"]);
    }
}

/// The compiler may read them, a result has no copy.
#[test]
fn files_outside_are_not_copied() {
    let library = "#[path = \"../../outer/a.rs\"] mod a;\nmod b;\n#[cfg(any())] #[path = \"../../outer/c.rs\"] mod c;\nconst T: &str = include_str!(\"../../outer/t\");\nconst U: &str = include_str!(\"linked\");\npub fn name() -> u8 { missing(a::a(), b::b(), T, U) }\n";
    let files = [
        ("p/Cargo.toml", "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n"),
        ("p/src/lib.rs", library),
        ("outer/a.rs", "pub fn a() -> u8 { 0xa5ec2e7 as u8 }\n"),
        ("outer/b.rs", "pub fn b() -> u8 { 0xa5ec2e7 as u8 }\n"),
        ("outer/c.rs", "pub fn c() -> u8 { 0xa5ec2e7 as u8 }\n"),
        ("outer/t", "0xa5ec2e7"),
    ];
    let place = place(&files);
    link(&place, "outer/b.rs", "p/src/b.rs");
    link(&place, "outer/t", "p/src/linked");
    let mut command = command(&place);
    let said = Said::by(command.current_dir(place.path("p")));
    assert_eq!(said.code(), Some(0), "{}", said.stderr);
    let result = place.read("p/walk_mcve.rs");
    assert!(result.contains("missing") && !result.contains("0xa5ec2e7"), "{result}");
    let copies = Command::new("grep").args(["-rlF", "0xa5ec2e7"]).arg(place.path("p/target")).output();
    assert_eq!(String::from_utf8_lossy(&copies.expect("there is a grep").stdout), "");
}

/// A test names a folder of data, which is a link to a folder of the user.
#[test]
fn data_outside_is_not_copied() {
    let library = "#[test]\nfn reads() {\n    let text = std::fs::read_to_string(\"data/id\").unwrap_or_default();\n    assert_eq!(text.len(), 1234, \"data\");\n}\n";
    let place = place(&[("src/lib.rs", library)]);
    link(&place, "home/.ssh", "data");
    let mut command = command(&place);
    let said = Said::by(command.arg("test").env("HOME", place.path("home")));
    assert!(said.code().is_some(), "{}", said.stderr);
    let copies = Command::new("grep").args(["-rlF", "a secret", "--exclude-dir=home"]).arg(place.root()).output();
    let copies = String::from_utf8_lossy(&copies.expect("there is a grep").stdout).into_owned();
    assert!(copies.lines().all(|line| line.ends_with("/data/id")), "{copies}");
}

/// A registry of the package wants a password, and its configuration names the program that knows it.
#[test]
fn a_credential_provider_of_the_package_does_not_run() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a network");
    let port = listener.local_addr().expect("it has one").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let _ = (&stream).write_all(
                b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Cargo login_url=\"http://127.0.0.1/\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
        }
    });
    let config =
        format!("[registries.own]\nindex = \"sparse+http://127.0.0.1:{port}/\"\ncredential-provider = [\"./evil\"]\n");
    let manifest = "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nx = { version = \"1\", registry = \"own\" }\n[workspace]\n";
    let place = place(&[("src/lib.rs", LIBRARY), ("Cargo.toml", manifest), (".cargo/config.toml", &config)]);
    place.write_script(".cargo/evil", "#!/bin/sh\necho x > \"$OUT/new\"\n");
    place.write_script("evil", "#!/bin/sh\necho x > \"$OUT/new\"\n");
    let own = command(&place);
    let variables = || own.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let cargo = |args: &[&str]| {
        let mut command = place.command("cargo");
        command
            .args(args)
            .envs(variables())
            .env_remove("CARGO_REGISTRIES_OWN_TOKEN")
            .env("CARGO_HOME", place.path("cargo"));
        command
    };
    let plain = cargo(&["fetch"]).output().expect("there is a cargo");
    assert!(place.path("outside/new").exists(), "{}", String::from_utf8_lossy(&plain.stderr));
    std::fs::remove_file(place.path("outside/new")).expect("it is there");
    let mut mcve = place.command(super::BINARY);
    mcve.args(["mcve", "check"]).envs(variables()).env_remove("CARGO_REGISTRIES_OWN_TOKEN");
    mcve.env("CARGO_HOME", place.path("cargo"));
    refuses(&place, mcve, Exit::NotFailing, "own");
}

/// Dependencies from repositories are unpacked in cargo's home, where their own code cannot change them.
#[test]
fn a_dependency_from_a_repository_is_in_the_sandbox() {
    let attempts = [
        "echo x > $CARGO_MANIFEST_DIR/src/lib.rs",
        "touch $CARGO_HOME/git/new",
        "find $CARGO_HOME/git/db -type f | head -1 | xargs rm && false || echo x >> $CARGO_HOME/git/db/new",
        "grep -q . $CARGO_HOME/credentials.toml",
        "echo x > $OUT/victim",
    ];
    let library = "pub fn taken(unused: u8) -> u8 { unused }\n";
    let manifest = "[package]\nname = \"taken\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let place = place(&[
        ("taken/Cargo.toml", manifest),
        ("taken/src/lib.rs", library),
        ("taken/build.rs", &build(&attempts)),
        ("cargo/credentials.toml", "[registry]\ntoken = \"hunter2\"\n"),
        ("src/lib.rs", "pub fn name() -> String { let unused = 1; missing(taken::taken(unused)) }\n"),
    ]);
    let git = |args: &[&str]| {
        let mut command = place.command("git");
        command.current_dir(place.path("taken")).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args);
        assert!(command.status().expect("there is a git").success());
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "a"]);
    let manifest = format!(
        "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\ntaken = {{ git = \"file://{}\" }}\n[workspace]\n",
        place.path("taken").display()
    );
    place.write("Cargo.toml", manifest);
    let own = command(&place);
    let mut mcve = place.command(super::BINARY);
    mcve.args(["mcve", "check", "--runs", "1"]).envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
    mcve.env("CARGO_HOME", place.path("cargo"));
    withstands(&place, mcve);
    let checkout = Command::new("find").arg(place.path("cargo/git/checkouts")).args(["-name", "lib.rs"]).output();
    let checkout = String::from_utf8(checkout.expect("there is a find").stdout).expect("it is text");
    assert_eq!(std::fs::read_to_string(checkout.trim()).expect("it is there"), library);
}

/// git can run any program for such an address.
#[test]
fn an_address_that_names_a_program_is_refused() {
    let manifest = "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nx = { git = \"ext::sh -c touch% $OUT/new\" }\n[workspace]\n";
    let place = place(&[("src/lib.rs", LIBRARY), ("Cargo.toml", manifest)]);
    let config = "[net]\ngit-fetch-with-cli = true\n";
    place.write(".cargo/config.toml", config);
    let said = Said::by(&mut command(&place));
    assert_ne!(said.code(), Some(0), "{}", said.stderr);
    assert_eq!(mcve_testing::names(&place.path("outside")), ["victim"]);
}

#[test]
fn what_a_killed_run_left_goes_with_the_next_one_and_what_the_user_made_stays() {
    let wait = "fn main() { while std::fs::exists(\"hold\").unwrap() { std::thread::yield_now() } }\n";
    let place = super::package(&[("src/lib.rs", "pub fn f() -> u8 { \"\" }\n"), ("build.rs", wait)]);
    for is_of_user in [false, true] {
        place.write("hold", "");
        let mut running = place.start(&["mcve", "--message-format", "json"]);
        // cargo has made the lock file, and builds.
        running.wait_for("note", 2);
        let changed = |path| {
            let about = std::fs::metadata(place.path(path)).expect("it is there");
            (about.ctime(), about.ctime_nsec())
        };
        while changed("target/mcve/Cargo.lock.before") <= changed("Cargo.lock") {
            std::thread::yield_now();
        }
        running.signal(rustix::process::Signal::KILL);
        running.end();
        let lock = place.read("Cargo.lock");
        assert!(!mcve_testing::names(&place.path("tmp")).is_empty());
        if is_of_user {
            place.write("Cargo.lock", lock + "# mine\n");
        }
        std::fs::remove_file(place.path("hold")).expect("it is there");
        place.run(&[&["mcve"], mcve_testing::brief()].concat(), Exit::Done);
        place.assert_clean();
        assert_eq!(place.path("Cargo.lock").exists(), is_of_user);
    }
    assert!(place.read("Cargo.lock").ends_with("# mine\n"));
}
