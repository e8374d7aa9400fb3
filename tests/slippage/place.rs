//! A folder in which mcve reduces a program with the real rustc, and a shell with a clean environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with one program; temporary files go to a folder inside.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    /// A folder with the program of this name.
    #[track_caller]
    pub(crate) fn with(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder can be made");
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slippage/programs");
        std::fs::copy(programs.join(name), folder.path().join(name)).expect("the program is there");
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The words behind each of the headers `//@ name:` of a file.
    fn headers(&self, file: &str, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path(file)).expect("it is there");
        let start = format!("//@ {name}: ");
        let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
        lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
    }

    /// A command in the folder, in the environment of somebody who has just opened a shell.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).env_clear();
        let kept = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME", "USER"];
        command.envs(kept.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        command
    }

    /// What plain rustc says of the program as its headers ask for, with these `--cfg`, in this form of the diagnostics.
    pub(crate) fn rustc(&self, file: &str, without: &[&str], form: &str) -> String {
        let mut command = self.command("rustc");
        command.args(self.headers(file, "edition").iter().map(|edition| format!("--edition={edition}")));
        command.args(self.headers(file, "compile-flags")).args(without.iter().map(|name| format!("--cfg={name}")));
        command.args(["--out-dir", "tmp", form, file]).env("RUSTC_ICE", "0").env("RUST_BACKTRACE", "0");
        for variable in self.headers(file, "rustc-env") {
            let (name, value) = variable.split_once('=').expect("the header sets a variable");
            command.env(name, value);
        }
        let output = command.output().expect("rustc runs");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// What a shell says on standard error when a line is pasted into it.
    pub(crate) fn paste(&self, line: &str) -> String {
        let output = self.command("sh").args(["-c", line]).output().expect("there is a shell");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// The exit code and the events of a reduction of the program, with these options of mcve's and arguments of rustc's.
    pub(crate) fn mcve(&self, file: &str, options: &[&str], rest: &[&str]) -> (Option<i32>, Vec<Value>) {
        let mut command = self.command(env!("CARGO_BIN_EXE_mcve"));
        command.args([file, "-j1", "--message-format", "json", "-o", "small.rs"]).args(options);
        command.arg("--").args(rest).env("TMPDIR", self.path("tmp"));
        let output = command.output().expect("the binary runs");
        let stdout = String::from_utf8(output.stdout).expect("events are text");
        let events = stdout.lines().map(|line| serde_json::from_str(line).expect("an event is a line of JSON"));
        (output.status.code(), events.collect())
    }
}

/// What the event of this name says under `key`.
#[track_caller]
pub(crate) fn said<'a>(events: &'a [Value], name: &str, key: &str) -> &'a str {
    let event = events.iter().find(|event| event["event"] == name).expect("there is such an event");
    event[key].as_str().expect("it is a text")
}
