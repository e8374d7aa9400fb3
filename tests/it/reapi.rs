//! `mcve-reapi` and a real service of the Bazel Remote Execution API: buildbox-casd with two nodes on this machine.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use mcve::cli::exit::Exit;
use mcve_testing::Said;

use crate::executors::{place, run};

/// What the nodes have beside the files of a job.
const FOLDERS: [&str; 5] = ["/usr", "/lib", "/lib64", "/bin", "/etc"];

/// The processes of a service. They end with it.
struct Service {
    store: Child,
    nodes: [Child; 2],
    urls: [String; 2],
}

impl Service {
    /// Starts a service whose state is in `folder`.
    fn start(folder: &Path, programs: &Path) -> Self {
        let [store_url, one, two] = [(); 3].map(|()| free());
        let casd = |name: &str, url: &str, words: &[String]| {
            let mut command = Command::new(programs.join("buildbox-casd"));
            command.arg(format!("--bind={}", url.trim_start_matches("http://"))).args(words).arg(folder.join(name));
            let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it can be started");
            wait_for(url);
            child
        };
        let toolchain = Said::by(Command::new("rustc").args(["--print", "sysroot"])).stdout.trim().to_owned();
        let mut words = vec![
            format!("--cas-remote={store_url}"),
            format!("--ac-remote={store_url}"),
            format!("--buildbox-run={}", programs.join("buildbox-run").display()),
            "--jobs=1".to_owned(),
        ];
        let folders = FOLDERS.into_iter().chain([toolchain.as_str()]).filter(|folder| Path::new(folder).exists());
        words.extend(folders.map(|folder| format!("--runner-arg=--bind-mount={folder}:{folder}")));
        let store = casd("store", &store_url, &[]);
        let nodes = [("one", &one), ("two", &two)].map(|(name, url)| casd(name, url, &words));
        Self { store, nodes, urls: [one, two] }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        for child in self.nodes.iter_mut().chain([&mut self.store]) {
            // One may have been killed by its test.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The address of a port that nothing uses.
fn free() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    format!("http://{}", listener.local_addr().expect("it has one"))
}

fn wait_for(url: &str) {
    let address = url.trim_start_matches("http://");
    while std::net::TcpStream::connect(address).is_err() {
        std::thread::yield_now();
    }
}

/// The folder with the programs of buildbox, and `mcve-reapi`. None, with the reason, if the test cannot run.
fn programs() -> Option<(PathBuf, PathBuf)> {
    let reapi = Path::new(env!("CARGO_BIN_EXE_mcve")).with_file_name("mcve-reapi");
    let Some(buildbox) = std::env::var_os("MCVE_BUILDBOX").map(PathBuf::from) else {
        println!("skipped: MCVE_BUILDBOX names no folder with buildbox-casd");
        return None;
    };
    if !reapi.exists() {
        println!("skipped: {} is not built: `cargo test --workspace` does", reapi.display());
        return None;
    }
    let sandbox = Command::new("bwrap").args(["--dev-bind", "/", "/", "--unshare-pid", "true"]).status();
    if !sandbox.is_ok_and(|status| status.success()) {
        println!("skipped: bubblewrap cannot make a sandbox here");
        return None;
    }
    Some((buildbox, reapi))
}

#[test]
fn two_nodes_make_the_result_of_one_machine_whatever_becomes_of_them() {
    let Some((buildbox, reapi)) = programs() else { return };
    let place = place();
    run(&place, &[], Exit::Done);
    let expected = place.read("small.rs");
    let mut service = Service::start(&place.path("service"), &buildbox);
    let [one, two] = service.urls.clone();
    // Without what only a debugger needs it is sent sooner.
    let program = place.path("sent-mcve");
    let stripped = Command::new("strip").arg("-o").arg(&program).arg(env!("CARGO_BIN_EXE_mcve")).status();
    assert!(stripped.expect("binutils are there").success());
    let client = format!("'{}' --jobs 2 --program '{}'", reapi.display(), program.display());
    let nowhere = free();
    let reduce = |line: &str, exit: Exit| {
        for name in ["small.rs", "sent", "back"] {
            let _ = std::fs::remove_file(place.path(name));
        }
        let _ = std::fs::remove_dir_all(place.path("state"));
        run(&place, &[line], exit).stderr
    };
    let count = |name: &str, word: &str| place.read(name).lines().filter(|line| line.contains(word)).count();

    let said = reduce(&format!("tee sent | {client} {one} {two} | tee back"), Exit::Done);
    assert_eq!(place.read("small.rs"), expected, "{said}");
    assert!(!said.contains("without forks or executors"), "{said}");
    assert!(count("sent", "{\"run\"") >= 20 && count("back", "{\"done\"") >= 20, "{}", place.read("back"));
    assert_eq!(count("back", "{\"failed\""), 0, "{}", place.read("back"));

    for (line, why) in [
        (format!("sed -u 's/rustc 1[.]/rustc 0./g' | {client} {one}"), "it has no rustc 0."),
        (format!("{client} {one} {nowhere}"), nowhere.as_str()),
        (
            format!("'{}' --installed /nowhere/mcve {one}", reapi.display()),
            "did not end with an answer of `mcve worker`",
        ),
        (format!("{client} --token /nowhere/token {one}"), "cannot read /nowhere/token"),
    ] {
        let said = reduce(&line, Exit::Check);
        assert!(said.contains(why), "{line}: {said}");
    }

    // A node that is killed after ten lines; a salt, so that nothing is in the cache.
    let kill = format!("sed -u '10e kill -9 {}'", service.nodes[1].id());
    let said = reduce(&format!("tee sent | {kill} | {client} --salt x {one} {two} | tee back"), Exit::Done);
    assert_eq!(place.read("small.rs"), expected, "{said}");
    assert!(count("back", "{\"done\"") >= 20, "{}", place.read("back"));
    service.nodes[1].wait().expect("it was killed");
}

#[test]
fn the_block_of_the_page_runs_by_a_service() {
    let Some((buildbox, _)) = programs() else { return };
    let place = crate::batch::place("crashes");
    let service = Service::start(&place.path("service"), &buildbox);
    let lines = crate::engines::block("### A Bazel Remote Execution service", "bash");
    let here = "mcve crashes/a.rs -o here.rs -q";
    crate::engines::put_programs(&place);
    let variables = [("SERVICES", service.urls.join(" "))];
    crate::engines::run(&place, &format!("{here}\n{lines}\ncmp here.rs there.rs"), &variables);
}
