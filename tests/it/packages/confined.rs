//! What the code of a package cannot do while cargo runs it. Each attempt is a line for the shell that ends
//! with 0 where it succeeds; a build script makes all of them, and names those that succeed.
#![cfg(target_os = "linux")]

use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

use super::package;

/// Fails for a reason of its own, once the build script has ended.
pub(crate) const LIBRARY: &str = "pub fn name() -> String { let unused = 1; missing(unused) }\n";

/// A build script that makes these attempts.
pub(crate) fn build(attempts: &[&str]) -> String {
    format!(
        "fn main() {{\n    for attempt in {attempts:?} {{\n        let done = std::process::Command::new(\"bash\").args([\"-c\", attempt]).output().expect(\"there is a shell\");\n        assert!(!done.status.success(), \"it succeeds: {{attempt}}\");\n    }}\n}}\n"
    )
}

/// A place with a package, and beside it what is not to be touched.
pub(crate) fn place(files: &[(&str, &str)]) -> TestFolder {
    let place = package(files);
    place.write("outside/victim", "as it was");
    place.write("home/.ssh/id", "a secret");
    place
}

/// `cargo mcve` with the variables that attempts name.
pub(crate) fn command(place: &TestFolder) -> Command {
    let home = std::env::home_dir().expect("there is one");
    let mut command = place.command(super::BINARY);
    for (name, usual) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        command.env(name, std::env::var_os(name).unwrap_or_else(|| home.join(usual).into()));
    }
    command.args(["mcve", "check", "--runs", "1", "--offline"]);
    command.env("OUT", place.path("outside")).env("HOME", place.path("home"));
    command.env("CARGO_REGISTRY_TOKEN", "hunter2").env("CARGO_REGISTRIES_OWN_TOKEN", "hunter2");
    command
}

/// Has it reduce a little, and checks that it ends with its result and that nothing outside has changed.
#[track_caller]
pub(crate) fn withstands(place: &TestFolder, mut command: Command) -> Said {
    let said = Said::by(command.args(brief()));
    assert_eq!(said.code(), Some(i32::from(Exit::Done.code())), "{}", said.stderr);
    assert_eq!(place.read("outside/victim"), "as it was");
    assert_eq!(mcve_testing::names(&place.path("outside")), ["victim"]);
    assert!(place.read("walk_mcve.rs").contains("missing"), "{}", said.stderr);
    said
}

#[track_caller]
fn check(attempts: &[&str]) -> (TestFolder, Said) {
    let place = place(&[("src/lib.rs", LIBRARY), ("build.rs", &build(attempts))]);
    let said = withstands(&place, command(&place));
    (place, said)
}

/// Attempts to write, for all users.
const WRITES: [&str; 11] = [
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
];

#[test]
fn nothing_is_written_outside() {
    check(&WRITES);
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

/// Attempts to read what is secret, for all users.
const SECRETS: [&str; 8] = [
    "[ -n \"$CARGO_REGISTRY_TOKEN\" ]",
    "[ -n \"$CARGO_REGISTRIES_OWN_TOKEN\" ]",
    "grep -q hunt''er2 /proc/$PPID/environ",
    "env | grep -q hunt''er2",
    "grep -q . $HOME/.ssh/id",
    "cd $HOME && grep -q . .ssh/id",
    "for file in /proc/[0-9]*/environ /proc/[0-9]*/task/*/environ; do grep -q hunt''er2 $file && exit; done; false",
    // mcve and the processes that it forks to start others.
    "for process in /proc/[0-9]*; do grep -q cargo-mc''ve $process/cmdline && grep -q . $process/maps && exit; done; false",
];

#[test]
fn secrets_are_out_of_reach() {
    let (place, said) = check(&SECRETS);
    assert!(!said.stderr.contains("hunter2") && !said.stdout.contains("hunter2"));
    let found =
        Command::new("grep").args(["-rl", "hunter2"]).arg(place.path("target")).output().expect("there is a grep");
    assert!(found.stdout.is_empty(), "{}", String::from_utf8_lossy(&found.stdout));
    let all = Command::new("find").arg(place.path("target/mcve/calls")).args(["-perm", "/077"]).output();
    assert_eq!(
        String::from_utf8_lossy(&all.expect("there is a find").stdout),
        "",
        "nobody else can read what is recorded"
    );
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
        "ls $HOME/.ssh | grep -q .",
    ]);
}

/// An ordinary user, who may make namespaces or may not.
#[test]
fn nothing_is_reached_by_an_ordinary_user() {
    let user = ["--user", "--map-user=1000", "--map-group=1000"];
    let without = "for limit in /proc/sys/user/max_*_namespaces; do echo 0 > $limit; done; exec \"$@\"";
    let without = ["--user", "--map-root-user", "sh", "-c", without, "sh"];
    let kill = format!("kill -0 {}", std::process::id());
    // It would outlive the run, where it is not in a namespace of its own.
    let shared = "ipcmk -M 4096";
    for words in [&user[..], &without] {
        let shared = words.contains(&"sh").then_some(shared);
        let attempts: Vec<&str> =
            [&WRITES[..], &SECRETS, &PROCESSES, &[&kill]].concat().into_iter().chain(shared).collect();
        if !Command::new("unshare").args(words).arg("true").status().is_ok_and(|status| status.success()) {
            return eprintln!("skipped: there are no namespaces here");
        }
        let place = place(&[("src/lib.rs", LIBRARY), ("build.rs", &build(&attempts))]);
        let own = command(&place);
        let mut command = place.command("unshare");
        command.args(words).arg(own.get_program()).args(own.get_args());
        command.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let said = withstands(&place, command);
        let is_lacking = said.stderr.contains("does not keep cargo and what it runs from changing modes and times");
        assert_eq!(is_lacking, words.contains(&"sh"), "{}", said.stderr);
    }
}

#[test]
fn an_attempt_succeeds_without_a_sandbox() {
    for attempt in ["grep -q . $HOME/.ssh/id", "echo x > $OUT/new"] {
        let place = place(&[("src/lib.rs", LIBRARY), ("build.rs", &build(&[attempt]))]);
        let said = Said::by(command(&place).args(["--sandbox", "off"]));
        assert!(said.stderr.contains("it succeeds: "), "{attempt}: {}", said.stderr);
    }
}

/// A procedural macro makes the attempts where it is expanded, also in checks.
#[test]
fn procedural_macros_are_in_the_sandbox() {
    let manifest = "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nattempts = { path = \"attempts\" }\n[workspace]\n";
    let attempts = [&WRITES[..6], &SECRETS, &["exec 3<>/dev/tcp/1.1.1.1/53", "touch $CARGO_MANIFEST_DIR/new"]].concat();
    let main = build(&attempts).replace("fn main", "fn attempt").replace("$OUT_DIR", "$TMPDIR");
    let library = format!(
        "{main}#[proc_macro]\npub fn attempts(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {{ attempt(); tokens }}\n"
    );
    let place = place(&[
        ("Cargo.toml", manifest),
        ("src/lib.rs", &format!("attempts::attempts!();\n{LIBRARY}")),
        ("attempts/src/lib.rs", &library),
        (
            "attempts/Cargo.toml",
            "[package]\nname = \"attempts\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nproc-macro = true\n",
        ),
    ]);
    let said = withstands(&place, command(&place));
    assert!(!said.stderr.contains("it succeeds"), "{}", said.stderr);
}

/// What the build starts ends with it, before mcve reads what it left.
#[test]
fn links_are_not_raced_in() {
    let race = "while :; do ln -sfn $OUT $PLACE/target/mcve/state; ln -sf $OUT/victim $PLACE/target/mcve/walk_mcve.rs; \
        for own in $PLACE/target/mcve/calls/* $OUT_DIR/gen.rs; do ln -sf $HOME/.ssh/id $own; echo '[]' > $own; done; done";
    let daemon = format!("setsid nohup sh -c '{race}' marked-$(basename $PLACE) > /dev/null 2>&1 & sleep 0.2; false");
    let script = build(&[&*daemon]).replace(
        "fn main() {\n",
        "fn main() {\n    std::fs::write(std::env::var(\"OUT_DIR\").unwrap() + \"/gen.rs\", \"pub fn made() {}\").unwrap();\n",
    );
    let library = format!("include!(concat!(env!(\"OUT_DIR\"), \"/gen.rs\"));\n{LIBRARY}");
    let place = place(&[("src/lib.rs", &library), ("build.rs", &script)]);
    let said = Said::by(&mut command(&place));
    assert!([0, 1].contains(&said.code().expect("it ends by itself")), "{}", said.stderr);
    assert_eq!((place.read("outside/victim"), place.read("home/.ssh/id")), ("as it was".into(), "a secret".into()));
    assert_eq!(mcve_testing::names(&place.path("outside")), ["victim"]);
    let left = mcve_testing::names(&place.path("target/mcve"));
    assert!(["build", "calls"].iter().all(|name| left.contains(&(*name).to_owned())), "{left:?}");
    let secret = Command::new("grep").args(["-rlF", "a secret"]).arg(place.path("target")).output();
    assert!(secret.expect("there is a grep").stdout.is_empty());
    let name = place.root().file_name().expect("it has a name").to_string_lossy().into_owned();
    let is_left = |process: &Path| {
        std::fs::read(process.join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(&format!("marked-{name}")))
    };
    let processes = std::fs::read_dir("/proc").expect("it is there").flatten();
    assert!(!processes.map(|entry| entry.path()).any(|process| is_left(&process)), "a process outlives the run");
}

/// Attempts to reach other processes and the system, for all users.
const PROCESSES: [&str; 9] = [
    "echo x > /proc/self/root$OUT/new",
    "echo 1 > /proc/sys/kernel/sysrq",
    "mount -t tmpfs none $OUT",
    "unshare --user --map-root-user --mount sh -c 'mount -o remount,rw / && echo x > $OUT/new'",
    "for process in /proc/[0-9]*; do grep -q cargo-mc''ve $process/cmdline && kill -9 ${process#/proc/} && exit; done; false",
    "for process in /proc/[0-9]*; do grep -q cargo-mc''ve $process/cmdline && renice -n 5 -p ${process#/proc/} && exit; done; false",
    "grep -q . /proc/1/environ",
    "grep -q . /proc/1/root$HOME/.ssh/id",
    "hostname mcve-was-here",
];

#[test]
fn processes_and_the_system_are_out_of_reach() {
    check(&PROCESSES);
}

/// Sockets in files, and those that have a name only.
#[test]
fn sockets_of_others_are_out_of_reach() {
    let attempts = "fn main() {
    use std::os::{linux::net::SocketAddrExt, unix::net::{SocketAddr, UnixDatagram, UnixStream}};
    let variable = |name| std::env::var(name).unwrap();
    let path = variable(\"OUT\") + \"/../socket\";
    let name = SocketAddr::from_abstract_name(variable(\"NAME\")).unwrap();
    assert!(UnixStream::connect(&path).is_err() && UnixStream::connect_addr(&name).is_err());
    assert!(!UnixDatagram::unbound().is_ok_and(|socket| socket.send_to(b\"x\", &path).is_ok()));
    assert!(std::net::TcpStream::connect((\"127.0.0.1\", variable(\"PORT\").parse().unwrap())).is_err());
}
";
    let place = place(&[("src/lib.rs", LIBRARY), ("build.rs", attempts)]);
    let _file = UnixListener::bind(place.path("socket")).expect("it can be made");
    let name = place.root().to_string_lossy().into_owned();
    let address = SocketAddr::from_abstract_name(&name).expect("it can be a name");
    let _named = UnixListener::bind_addr(&address).expect("it can be made");
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a network");
    let mut command = command(&place);
    command.env("NAME", name).env("PORT", listener.local_addr().expect("it has one").port().to_string());
    withstands(&place, command);
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
    let config = "[build]\nrustc = \"./compiler\"\nrustc-wrapper = \"./evil\"\nrustc-workspace-wrapper = \"./evil\"\n[target.'cfg(all())']\nlinker = \"./linker\"\nrunner = \"./evil\"\n[env]\nLD_PRELOAD = \"/nowhere/x.so\"\n";
    let place = place(&[("src/lib.rs", LIBRARY), ("build.rs", "fn main() {}"), (".cargo/config.toml", config)]);
    let compiler = "#!/bin/sh\necho x > \"$OUT/victim\"\nexec rustc \"$@\"\n";
    for (name, text) in [("evil", evil), ("linker", linker), ("compiler", compiler)] {
        let path = place.write(name, text);
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    }
    withstands(&place, command(&place));
    assert!(place.path("target/mcve/build/ran").exists(), "a program of the configuration ran");
}
