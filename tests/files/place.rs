//! A folder with a program, in which the command runs.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use tempfile::TempDir;

pub(super) const INPUT: &str =
    "mod m {\n    pub fn needle(x: u8) -> u8 {\n        x + 1\n    }\n}\n\nfn main() {\n    println!();\n}\n";

pub(super) const RESULT: &str = "fn needle() {}\n";

/// What somebody wrote.
pub(super) const MINE: &str = "fn my_work() {}\n";

pub(super) const TEST: &str = "grep -q needle $1";

/// A folder with a program `a.rs`, in which the command runs.
pub(super) struct Place {
    pub(super) folder: TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a folder can be made") };
        fs::create_dir(place.path("tmp")).expect("a folder can be made");
        place.write("a.rs", INPUT);
        place
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("it can be written");
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it is there")
    }

    pub(super) fn link(&self, name: &str, to: &str) {
        symlink(to, self.path(name)).expect("it can be made");
    }

    pub(super) fn is_link(&self, name: &str) -> bool {
        self.path(name).is_symlink()
    }

    pub(super) fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).expect("it is there").permissions().mode() & 0o777
    }

    pub(super) fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), PermissionsExt::from_mode(mode)).expect("it is ours");
    }

    pub(super) fn pipe(&self, name: &str) {
        assert!(self.runs("mkfifo", &[name]));
    }

    /// Makes a device of the test's own. Nobody but root can: then there is none, and the test has nothing to say.
    pub(super) fn device(&self, name: &str, minor: &str) -> bool {
        let made = self.runs("mknod", &[name, "c", "1", minor]);
        if !made {
            eprintln!("only root can make devices: nothing is tested");
        }
        made
    }

    pub(super) fn runs(&self, program: &str, args: &[&str]) -> bool {
        let output = Command::new(program).args(args).current_dir(self.folder.path()).output();
        output.is_ok_and(|output| output.status.success())
    }

    /// The names in the folder, but for the temporary folder.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("it is there");
        let names = entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name != "tmp").collect();
        names.sort();
        names
    }

    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).stdin(Stdio::null());
        command
    }

    #[track_caller]
    pub(super) fn run(&self, args: &[&str], exit: Exit) -> Output {
        ended(self.command(args).output().expect("the binary runs"), exit)
    }

    /// Reduces with the test of the needle.
    #[track_caller]
    pub(super) fn reduce(&self, args: &[&str]) -> Output {
        self.run(&[args, &["--test", TEST]].concat(), Exit::Done)
    }

    /// Checks that a run is refused, what is said then, and that nothing was run or written.
    #[track_caller]
    pub(super) fn refused(&self, args: &[&str], exit: Exit, why: &str) {
        let before = self.names();
        let args =
            if args.contains(&"--test") { args.to_vec() } else { [args, &["--test", "touch $PLACE/ran"]].concat() };
        let output = self.command(&args).env("PLACE", self.path("")).output().expect("the binary runs");
        let stderr = said(&ended(output, exit));
        assert!(stderr.contains(why), "{stderr}");
        assert_eq!(self.names(), before);
    }
}

#[track_caller]
pub(super) fn ended(output: Output, exit: Exit) -> Output {
    assert_eq!(output.status.code(), Some(exit.code().into()), "{}", said(&output));
    assert!(!said(&output).contains("panicked"), "{}", said(&output));
    output
}

pub(super) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
