//! `mcve batch`: many failing inputs become groups, and one of each group is reduced. By the real rustc.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;
use nix::sys::signal::Signal::SIGKILL;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use serde_json::Value;

/// Two errors of one kind, two of another, and a file without one.
const FILES: [(&str, &str); 5] = [
    ("a.rs", "pub fn noise() -> u8 {\n    3\n}\npub fn wrong() -> u8 {\n    let words = \"a\";\n    words\n}\n"),
    (
        "b.rs",
        "pub struct Other(u16);\npub struct More(Other);\npub fn size(own: usize) -> u8 {\n    let _ = own;\n    \"no\"\n}\npub fn rest() {}\n",
    ),
    ("c.rs", "pub fn first() {}\npub fn call() {\n    missing();\n}\n"),
    (
        "deep/d.rs",
        "pub fn more(own: u8) -> u8 {\n    own + 1\n}\npub fn other() {\n    let _ = more(2);\n    absent();\n}\n",
    ),
    ("right.rs", "pub fn right() {}\n"),
];

/// These files in a folder.
pub(crate) fn place(folder: &str) -> TestFolder {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    FILES.iter().for_each(|(name, text)| _ = place.write(Path::new(folder).join(name), text));
    place
}

/// The files of an output that all machines make alike.
pub(crate) fn made(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(&path).expect("it is a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.extend((!path.ends_with(".mcve")).then_some(path));
            } else {
                let name = path.strip_prefix(folder).expect("it is in it").display().to_string();
                all.insert(name, fs::read_to_string(&path).expect("it is text"));
            }
        }
    }
    all
}

fn index(place: &TestFolder, out: &str) -> Value {
    serde_json::from_str(&place.read(format!("{out}/index.json"))).expect("it is JSON")
}

/// How many reductions there were.
fn reductions(place: &TestFolder, out: &str) -> usize {
    let costs = place.path(format!("{out}/.mcve/costs"));
    let texts = fs::read_dir(costs).expect("there were some").flatten().map(|entry| fs::read_to_string(entry.path()));
    texts.map(|text| text.expect("it is text").lines().filter(|line| !line.is_empty()).count()).sum()
}

#[test]
fn inputs_of_one_failure_become_a_group_and_new_ones_cost_only_themselves() {
    let place = place("in");
    let said = place.run(&["batch", "in", "-o", "out"], Exit::Done);
    assert!(said.stderr.starts_with("4 failing inputs in 2 groups; 1 shows no failure\n"), "{}", said.stderr);
    let first = index(&place, "out");
    for (group, inputs, rest) in [(0, ["in/a.rs", "in/b.rs"], "noise"), (1, ["in/c.rs", "in/deep/d.rs"], "first")] {
        let group = &first["groups"][group];
        assert_eq!(group["inputs"], serde_json::json!(inputs));
        let (name, done) = (group["name"].as_str().expect("it has a name"), &group["done"]);
        let program = place.read(format!("out/{name}/program.rs"));
        assert_eq!(done["text"], program.as_str());
        assert!(!program.contains(rest) && done["is_complete"] == true, "{program}");
        assert!(place.read(format!("out/{name}/report.md")).contains(program.trim_end()));
        assert_eq!(done["other"]["input"], inputs[1]);
        assert!(place.read("out/index.html").contains(name));
    }
    let why = &first["without_failure"][0];
    assert!(why[0] == "in/right.rs" && why[1].as_str().is_some_and(|why| why.starts_with("in/right.rs")), "{why}");
    for (name, text) in made(&place.path("out")) {
        assert!(!text.contains(&*place.root().to_string_lossy()), "{name} names a folder of this machine");
    }
    assert_eq!(reductions(&place, "out"), 4);
    let before = made(&place.path("out"));

    place.run(&["batch", "in", "-o", "out", "-q"], Exit::Done);
    assert_eq!((reductions(&place, "out"), made(&place.path("out"))), (4, before));
    // One more input of a failure that is known, and a package with a new one.
    place.write("in/e.rs", "pub fn last() {\n    gone();\n}\n");
    place.write("in/p/Cargo.toml", "[package]\nname = \"p\"\nedition = \"2024\"\n");
    place.write("in/p/src/lib.rs", "mod own;\npub fn noise() {}\n");
    place.write("in/p/src/own.rs", "pub fn moved(text: String) -> String {\n    drop(text);\n    text\n}\n");
    let said = place.run(&["batch", "in", "-o", "out", "--known", "in/c.rs", "--cost"], Exit::Done);
    assert!(said.stderr.starts_with("6 failing inputs in 3 groups"), "{}", said.stderr);
    assert!(
        said.stdout.contains("out: 3 of 3 groups are reduced\n") && said.stdout.contains(" checks\n"),
        "{}",
        said.stdout
    );
    assert_eq!(reductions(&place, "out"), 5);
    let groups = index(&place, "out")["groups"].as_array().expect("they are a list").clone();
    let known: Vec<&Value> = groups.iter().map(|group| &group["known"]).collect();
    assert_eq!(known, [&Value::Null, &Value::Null, &Value::from("in/c.rs")]);
    assert!(
        groups
            .iter()
            .any(|group| group["inputs"] == serde_json::json!(["in/p"]) && group["done"]["program"] == "program.rs")
    );
}

#[test]
fn shards_processes_and_kills_change_no_byte() {
    let place = place("in");
    place.run(&["batch", "in", "-o", "whole", "-q"], Exit::Done);
    let expected = made(&place.path("whole"));

    place.run(&["batch", "plan", "in", "-o", "plan", "-q"], Exit::Done);
    assert_eq!(place.read("plan/plan.json"), place.read("whole/plan.json"));
    place.run(&["batch", "--plan", "plan/plan.json", "-o", "s1", "--shard", "1/2", "-q"], Exit::Done);
    let said = place.run(&["batch", "status", "s1", "--shards", "2"], Exit::OutOfTime);
    assert!(said.stdout.contains("--array=2, with --shard auto/2\n"), "{}", said.stdout);
    let mut second = place.mcve(&["batch", "in", "-o", "s2", "--shard", "auto", "-q"]);
    second.envs([("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_MIN", "0"), ("SLURM_ARRAY_TASK_COUNT", "2")]);
    mcve_testing::Said::by(&mut second).exits(Exit::Done);
    place.run(&["batch", "merge", "s1", "s2", "-o", "merged"], Exit::Done);
    assert_eq!(made(&place.path("merged")), expected);

    // Of two processes one is killed as soon as something is under way.
    let start = || place.mcve(&["batch", "in", "-o", "both", "-q", "--lease", "1s", "-j1"]).spawn().expect("it starts");
    let mut killed = start();
    let claims = place.path("both/.mcve/claims");
    while !claims.is_dir() || mcve_testing::names(&claims).len() < 2 {
        std::thread::yield_now();
    }
    let mut other = start();
    kill(Pid::from_raw(killed.id().cast_signed()), SIGKILL).expect("it runs");
    killed.wait().expect("it was killed");
    assert!(other.wait().expect("it ends").success());
    assert_eq!(made(&place.path("both")), expected);
}

#[test]
fn an_output_is_of_one_question() {
    let place = place("in");
    place.run(&["batch", "plan", "in/right.rs", "-o", "out", "-q"], Exit::NotFailing);
    let said = place.run(&["batch", "in", "-o", "out", "--", "-O"], Exit::Input);
    assert!(said.stderr.contains("out was begun with the options ``: name another folder"), "{}", said.stderr);
    let said = place.run(&["batch", "in", "-o", "in"], Exit::Input);
    assert!(said.stderr.contains("in has files and is not the output of a batch"), "{}", said.stderr);
    let said = place.run(&["batch", "missing", "-o", "new"], Exit::Input);
    assert!(said.stderr.contains("cannot read missing"), "{}", said.stderr);
    place.run(&["batch", "in"], Exit::Usage);
    place.run(&["batch", "in", "-o", "new", "--shard", "3/2"], Exit::Usage);
    place.run(&["batch", "status", "in"], Exit::Input);
}

#[test]
fn a_text_is_an_input_as_well() {
    let place = place("in");
    place.write("list", "issue.log\nin/c.rs\n");
    place.write("issue.log", "```rust\nfn noise() {}\nfn main() {\n    lost();\n}\n```\n```\nerror[E0425]: cannot find function `lost`\n```\n");
    place.run(&["batch", "list", "-o", "out", "-q"], Exit::Done);
    assert_eq!(index(&place, "out")["groups"][0]["inputs"], serde_json::json!(["in/c.rs", "issue.log"]));
    assert!(!place.names().iter().any(|name| name.contains("issue.rs")), "{:?}", place.names());
}
