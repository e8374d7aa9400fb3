//! A folder with files, in which the command runs.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcve::cli::exit::Exit;
use mcve_reduce::exec::inherited::reset_signals;
use rustix::process::Signal;
use tempfile::TempDir;

use crate::{Running, Said, shell};

/// The folders of a place besides the test's files: for temporary files, so that leftovers are found, and for journals.
const OWN: [&str; 2] = ["tmp", "state"];

/// A folder with files, in which the command runs.
#[derive(Debug)]
pub struct TestFolder {
    folder: TempDir,
    binary: PathBuf,
    is_fresh: bool,
}

impl TestFolder {
    /// An empty folder for commands with this binary.
    ///
    /// # Panics
    ///
    /// When the folder cannot be created. All test utilities panic when the system fails.
    #[must_use]
    pub fn new(binary: &str) -> Self {
        // Some tests send signals, which the parent of this process may have ignored.
        reset_signals();
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::create_dir(folder.path().join("tmp")).expect("a folder can be made");
        Self { folder, binary: binary.into(), is_fresh: false }
    }

    /// Like [`TestFolder::new`], but all commands have the environment of a newly opened shell.
    #[must_use]
    pub fn in_fresh_shell(binary: &str) -> Self {
        Self { is_fresh: true, ..Self::new(binary) }
    }

    /// The path of the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file, and returns its path.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is below")).expect("a folder can be made");
        fs::write(&path, bytes).expect("it can be written");
        path
    }

    /// Writes an executable file.
    pub fn write_script(&self, name: impl AsRef<Path>, text: &str) -> PathBuf {
        let path = self.write(name, text);
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("it is ours");
        path
    }

    /// A value of `PATH` that puts the programs in `bin` of this folder before all others.
    ///
    /// # Panics
    ///
    /// When `PATH` is not set.
    #[must_use]
    pub fn path_with_bin(&self) -> OsString {
        let others = std::env::var_os("PATH").expect("there are programs");
        let folders = [self.path("bin")].into_iter().chain(std::env::split_paths(&others));
        std::env::join_paths(folders).expect("no name has a colon")
    }

    /// Makes a named pipe.
    pub fn make_pipe(&self, name: &str) -> PathBuf {
        let made = self.command("mkfifo").arg(name).status();
        assert!(made.expect("there is a mkfifo").success());
        self.path(name)
    }

    /// The content of a file.
    #[track_caller]
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The names in the folder, except for those in every place.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = names(self.root());
        names.retain(|name| !OWN.contains(&&**name));
        names
    }

    /// The journals and locks that runs have left, without their logs, by their names without the hash.
    #[must_use]
    pub fn kept(&self) -> Vec<String> {
        let kept = if self.path("state/mcve").exists() { names(&self.path("state/mcve")) } else { Vec::new() };
        let shown = |name: String| match (name.rsplit_once('-'), name.rsplit_once('.')) {
            (Some((stem, _)), Some((_, end))) => format!("{stem}.{end}"),
            _ => name,
        };
        // Each run keeps a log for its result.
        kept.into_iter().map(shown).filter(|name| !name.ends_with(".log")).collect()
    }

    /// Runs a command that starts mcve, kills mcve after so many events of this kind, and does so until a journal is left: a
    /// busy machine may let the run end before it is killed.
    #[track_caller]
    pub fn kill(&self, event: &str, count: usize, command: impl Fn() -> Command) {
        for _ in 0..20 {
            let mut running = Running::start(&mut command());
            running.wait_for(event, count);
            running.signal(Signal::KILL);
            running.end();
            if self.kept().iter().any(|name| name.ends_with(".journal")) {
                return;
            }
        }
        panic!("no run was killed in time");
    }

    /// The path of the only journal, relative to the folder.
    ///
    /// # Panics
    ///
    /// When there is no journal, or more than one.
    #[must_use]
    pub fn journal(&self) -> String {
        let mut kept = names(&self.path("state/mcve"));
        kept.retain(|name| name.ends_with(".journal"));
        assert_eq!(kept.len(), 1, "{kept:?}");
        format!("state/mcve/{}", kept[0])
    }

    /// A command that runs in the folder.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = if self.is_fresh { shell::fresh(program) } else { Command::new(program) };
        command.current_dir(self.root()).stdin(Stdio::null()).env("TMPDIR", self.path("tmp"));
        command.env("XDG_STATE_HOME", self.path("state")).env("PLACE", self.root());
        // cargo sets it for tests, and mcve checks whether a failure needs it.
        command.env_remove("LD_LIBRARY_PATH");
        // Packages of the same name would share a build folder.
        command.env_remove("CARGO_TARGET_DIR");
        command
    }

    /// An mcve command with these arguments.
    #[must_use]
    pub fn mcve(&self, args: &[&str]) -> Command {
        let mut command = self.command(&self.binary);
        command.args(args);
        command
    }

    /// An mcve command, run by a shell that executes `before` first.
    #[must_use]
    pub fn mcve_after(&self, before: &str, args: &[&str]) -> Command {
        let mut command = self.command("sh");
        command.args(["-c", &format!("{before}\nexec \"$@\""), "sh"]).arg(&self.binary).args(args);
        command
    }

    /// Runs mcve and checks that it exits with `exit`.
    #[track_caller]
    pub fn run(&self, args: &[&str], exit: Exit) -> Said {
        Said::by(&mut self.mcve(args)).exits(exit)
    }

    /// Runs mcve and checks that it exits with `exit` and leaves no temporary files.
    #[track_caller]
    pub fn run_cleanly(&self, args: &[&str], exit: Exit) -> Said {
        let said = self.run(args, exit);
        self.assert_clean();
        said
    }

    /// Runs mcve with an option that takes a time, which doubles until it is enough for the check of the input on this machine.
    #[track_caller]
    pub fn run_in_time(&self, option: &str, args: &[&str]) -> Said {
        let mut times = (0..12).map(|power| (0.3 * f64::from(1 << power)).to_string());
        let run = |time: String| Said::by(self.mcve(args).args([option, &time]));
        let said = times.find_map(|time| Some(run(time)).filter(Said::is_success));
        said.expect("some time is enough").exits(Exit::Done)
    }

    /// Starts a run that reports JSON events.
    #[track_caller]
    pub fn start(&self, args: &[&str]) -> Running {
        Running::start(&mut self.mcve(args))
    }

    /// Checks that no temporary files are left.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert_eq!(names(&self.path("tmp")), [""; 0], "left in the temporary folder");
    }
}

/// The names in a folder, sorted.
///
/// # Panics
///
/// When it cannot be read, or a name is not UTF-8.
#[must_use]
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there");
    let names = entries.map(|entry| entry.expect("it can be read").file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().expect("names are text")).collect();
    names.sort();
    names
}
