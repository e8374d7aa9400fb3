//! A folder in which mcve runs with the real rustc, and a shell into which its commands are pasted.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use mcve::cli::exit::Exit;
use tempfile::TempDir;

/// A folder with files; temporary files go to a folder inside, so that leftovers show.
pub(crate) struct Place {
    folder: TempDir,
}

/// What a run said.
pub(crate) struct Said {
    /// The exit code.
    pub(crate) code: Option<i32>,
    /// Standard error.
    pub(crate) stderr: String,
    /// The command that shows the failure, if there is a result.
    pub(crate) see_it: Option<String>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for name in ["tmp", "shell"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder can be made");
        }
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<std::path::Path>, text: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it can be made");
        std::fs::write(path, text).expect("it can be written");
    }

    /// Writes a script that can be run.
    pub(crate) fn script(&self, name: &str, text: &str) {
        self.write(name, text);
        std::fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).expect("it is ours");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    /// A command in the folder, in the environment of somebody who has just opened a shell.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).env_clear();
        let kept = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME", "USER"];
        command.envs(kept.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        command
    }

    /// Runs mcve with these variables.
    pub(crate) fn mcve(&self, args: &[&str], env: &[(&str, &str)]) -> Said {
        let mut command = self.command(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).env("TMPDIR", self.path("tmp")).envs(env.iter().copied());
        let output = command.output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{stderr}");
        let left: Vec<_> = std::fs::read_dir(self.path("tmp")).expect("it is there").collect();
        assert!(left.is_empty(), "left in the temporary folder: {left:?}");
        let see_it = stderr.lines().find_map(|line| line.strip_prefix("  see it   ")).map(str::to_owned);
        Said { code: output.status.code(), stderr, see_it }
    }

    /// What a shell says when a line is pasted into it: standard error and output, and the exit code.
    pub(crate) fn paste(&self, line: &str) -> (String, Option<i32>) {
        // The command of a script makes a folder that stays.
        let mut shell = self.command("sh");
        let output = shell.args(["-c", line]).env("TMPDIR", self.path("shell")).output().expect("there is a shell");
        let text = [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy).concat();
        (text, output.status.code())
    }

    /// Checks that mcve reduces, that its command shows `failure` in a shell, and that the result has all of `words`.
    #[track_caller]
    pub(crate) fn reduces(&self, args: &[&str], env: &[(&str, &str)], failure: &str, result: &str) -> Said {
        let said = self.mcve(args, env);
        assert_eq!(said.code, Some(Exit::Done.code().into()), "{}", said.stderr);
        let line = said.see_it.as_ref().expect("there is a result");
        let (shown, _) = self.paste(line);
        assert!(shown.contains(failure), "{line}\n{shown}");
        let text = self.read(result);
        assert!(!text.trim().is_empty());
        said
    }

    /// Checks that mcve refuses with `exit` and says all of `words`, and leaves no result.
    #[track_caller]
    pub(crate) fn refuses(&self, args: &[&str], exit: Exit, words: &[&str]) {
        let said = self.mcve(args, &[]);
        assert_eq!(said.code, Some(exit.code().into()), "{}", said.stderr);
        for word in words {
            assert!(said.stderr.contains(word), "no `{word}` in: {}", said.stderr);
        }
        let results = std::fs::read_dir(self.folder.path()).expect("it is there");
        let names = results.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned());
        assert_eq!(names.filter(|name| name.contains("_mcve")).count(), 0);
    }
}
