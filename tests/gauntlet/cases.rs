//! What is reduced.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mcve_testing::shell;
use tempfile::TempDir;

/// A program, and how it is judged.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    input: String,
    script: Option<&'static str>,
    args: &'static [&'static str],
    /// The result of a run that nobody disturbs.
    pub(crate) result: String,
    /// How long such a run takes.
    pub(crate) wall: Duration,
}

const PROGRAM: &str = "mod m {\n    pub struct S {\n        pub a: u8,\n        pub b: Vec<u8>,\n    }\n\n    \
    impl S {\n        pub fn f(&self) -> u8 {\n            if self.a > 1 { self.a + 1 } else { self.b.len() as u8 }\n        }\n    }\n\n    \
    pub fn needle(s: &S) -> u8 {\n        let x: u8 = s.f();\n        x + \"\"\n    }\n}\n\n\
    fn other(x: u8) -> u8 {\n    match x {\n        0 => 1,\n        _ => x * 2,\n    }\n}\n\n\
    fn main() {\n    let s = m::S { a: other(1), b: vec![1, 2] };\n    println!(\"{}\", m::needle(&s));\n}\n";

/// Crashes rustc 1.95 and others in the resolution of names.
const CRASH: &str = "#![allow(unused)]\nuse std::*;\n\n#[derive(Debug, Clone)]\nstruct fmt {\n    a: u8,\n    b: Vec<u8>,\n}\n\n\
    mod a {\n    use crate::*;\n    use fmt;\n\n    pub fn f(x: u8) -> u8 {\n        let y = x + 1;\n        y * 2\n    }\n}\n\n\
    fn main() {\n    println!(\"{}\", a::f(1));\n}\n";

/// Far more than a run takes that is not misled.
const BUDGET: &str = "100s";

/// Calls no compiler: checks take no time, and there are many.
const GREP: &str = "#!/bin/sh\ngrep -q needle $1 && grep -q '\"\"' $1\n";

/// Calls a compiler.
const COMPILES: &str = "#!/bin/sh\nrustc --edition=2021 --emit=metadata $1 2>&1 | grep -q E0277\n";

impl Case {
    /// All of them, each run once.
    pub(crate) fn all() -> Vec<Self> {
        let case = |name, input: &str, script, args| {
            let (input, result, wall) = (input.to_owned(), String::new(), Duration::ZERO);
            let mut case = Self { name, input, script, args, result, wall };
            let place = case.place();
            let begun = Instant::now();
            let output = place.command(&case.begin()).output().expect("the binary runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            case.wall = begun.elapsed();
            case.result = place.result().expect("there is a result");
            case
        };
        vec![
            case("script", PROGRAM, Some(GREP), &["--jobs", "1"]),
            case("rustc", PROGRAM, None, &["--jobs", "2"]),
            case("crash", CRASH, None, &["--jobs", "2"]),
            case("script that compiles", PROGRAM, Some(COMPILES), &["--jobs", "2"]),
        ]
    }

    /// A new place for a run.
    pub(crate) fn place(&self) -> TestFolder {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for disk in DISKS {
            fs::create_dir(folder.path().join(disk)).expect("it can be made");
        }
        let disks = DISKS.iter().filter(|disk| mount(&folder.path().join(disk))).copied().collect();
        let place = TestFolder { folder, disks };
        fs::write(place.path("w/a.rs"), &self.input).expect("it can be written");
        if let Some(script) = self.script {
            fs::write(place.path("w/test.sh"), script).expect("it can be written");
            fs::set_permissions(place.path("w/test.sh"), fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        place
    }

    pub(crate) fn is_script(&self) -> bool {
        self.script.is_some()
    }

    /// The words by which a run begins.
    pub(crate) fn begin(&self) -> Vec<&'static str> {
        // A script that is killed in the first runs makes them look flaky, and each check of such a failure has many runs.
        let judge: &[&str] =
            if self.script.is_some() { &["--test", "./test.sh", "--budget", BUDGET] } else { &["--quiet"] };
        [&["a.rs"], self.args, judge].concat()
    }
}

/// Where a run is.
pub(crate) struct TestFolder {
    folder: TempDir,
    /// Those of the disks that are small ones of their own.
    disks: Vec<&'static str>,
}

/// Where checks are, and where the result goes.
const DISKS: [&str; 2] = ["tmp", "w"];

/// All that is below a folder.
fn list(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        all.push(entry.path());
        list(&entry.path(), all);
    }
}

/// Mounts a small disk, which only root can.
fn mount(path: &Path) -> bool {
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=32m", "none"]).arg(path).stderr(Stdio::null()).status();
    mounted.is_ok_and(|status| status.success())
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        for disk in &self.disks {
            let _ = Command::new("umount").arg("--lazy").arg(self.path(disk)).status();
        }
    }
}

impl TestFolder {
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command of mcve. All its processes have the path of this place in their environment.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(words).current_dir(self.path("w")).env("TMPDIR", self.path("tmp")).stdin(Stdio::null());
        command.env("XDG_STATE_HOME", self.path("w/state")).env_remove("LD_LIBRARY_PATH").env_remove("RUSTC");
        command.env("GAUNTLET", self.folder.path());
        command
    }

    /// Whether there are small disks, which can be full.
    pub(crate) fn has_disks(&self) -> bool {
        self.disks.len() == DISKS.len()
    }

    /// Has a disk be full until `wait` returns; whether that can be done.
    pub(crate) fn fill(&self, disk: &str, wait: impl FnOnce()) -> bool {
        let path = self.path(disk).join("filler");
        let is_small = self.disks.contains(&disk);
        if is_small {
            let mut filler = fs::File::create(&path).expect("there is space for a name");
            while std::io::Write::write_all(&mut filler, &[0; 1 << 12]).is_ok() {}
            wait();
            fs::remove_file(path).expect("it is there");
        }
        is_small
    }

    /// What stands where the result goes.
    pub(crate) fn result(&self) -> Option<String> {
        fs::read_to_string(self.path("w/a_mcve.rs")).ok()
    }

    /// Whether there is a journal by which a run can go on.
    pub(crate) fn has_journal(&self) -> bool {
        // One without a line is of a run that was killed before it began.
        let entries = fs::read_dir(self.path("w/state/mcve")).into_iter().flatten().flatten();
        let has_begun = |file: &fs::DirEntry| file.metadata().is_ok_and(|file| file.len() > 0);
        entries.filter(|file| file.path().extension().is_some_and(|end| end == "journal")).any(|file| has_begun(&file))
    }

    /// Files that should not be there when a run is at its end.
    pub(crate) fn files_left(&self) -> Vec<String> {
        let known = ["a.rs", "a_mcve.rs", "test.sh", "state", "state/mcve"].map(|name| self.path("w").join(name));
        let mut left = Vec::new();
        list(&self.path("w"), &mut left);
        list(&self.path("tmp"), &mut left);
        // `mcve why` reads the log of the result.
        let is_log = |path: &Path| {
            path.extension().is_some_and(|end| end == "log") && path.starts_with(self.path("w/state/mcve"))
        };
        left.retain(|path| !known.contains(path) && !is_log(path));
        left.iter().map(|path| path.display().to_string()).collect()
    }

    /// Whether the compiler and the script say that a text shows the failure.
    pub(crate) fn shows(&self, case: &Case, text: &str) -> bool {
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::write(folder.path().join("a.rs"), text).expect("it can be written");
        let mut command = match case.script {
            Some(_) => Command::new(self.path("w/test.sh")),
            None => Command::new(shell::rustc()),
        };
        if case.script.is_none() {
            command.args(["--edition=2024", "--emit=metadata"]);
        }
        let output = command.arg("a.rs").current_dir(folder.path()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        match case.name {
            "rustc" => said.contains("E0277"),
            "crash" => said.contains("internal compiler error"),
            _ => output.status.success(),
        }
    }
}
