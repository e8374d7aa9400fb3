//! Keeps each step of a reduction in a folder: the program, the patch from the step before, and a line that says what was done.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::begun::Begun;
use super::diff::patch_of_programs;
use mcve_reduce::event::{Attempts, Event, Observer};
use mcve_reduce::program::{Program, read_regular};

/// The file with the command line.
const COMMAND: &str = "command.json";

/// The file with a line for each step.
const LINES: &str = "history.txt";

/// How the run with the history in `folder` was begun, without its history.
pub(crate) fn begun(folder: &Path) -> io::Result<Begun> {
    Ok(serde_json::from_slice(&read_regular(&folder.join(COMMAND))?)?)
}

/// The words of a command line without its history.
fn without_history(words: Vec<String>) -> Vec<String> {
    let (mut kept, mut words) = (Vec::new(), words.into_iter());
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word);
            kept.extend(words);
            break;
        }
        if word == "--history" {
            words.next();
        } else if !word.starts_with("--history=") {
            kept.push(word);
        }
    }
    kept
}

/// Keeps the steps before they are passed on.
pub(crate) struct History {
    /// Receives all events.
    inner: Box<dyn Observer>,
    folder: PathBuf,
    begun: Instant,
    lines: String,
    count: usize,
    last: Option<Program>,
    has_warned: bool,
}

impl History {
    /// Keeps the steps of a run in `folder`, which is made if it is not there.
    /// Fails when the folder cannot be written, or has anything but the history of the same run.
    pub(crate) fn begin(folder: &Path, begun: Begun, inner: Box<dyn Observer>) -> io::Result<Self> {
        let begun = Begun { words: without_history(begun.words), ..begun };
        std::fs::create_dir_all(folder)?;
        match self::begun(folder) {
            Ok(other) if other == begun => {}
            Ok(_) => return Err(io::Error::other("it has the history of another run")),
            Err(_) if std::fs::read_dir(folder)?.next().is_some() => {
                return Err(io::Error::other("it has files that are no history of mcve"));
            }
            Err(_) => {}
        }
        let (lines, begin) = (String::new(), Instant::now());
        let history =
            Self { inner, folder: folder.to_owned(), begun: begin, lines, count: 0, last: None, has_warned: false };
        history.write(Path::new(COMMAND), (serde_json::to_string_pretty(&begun)? + "\n").as_bytes())?;
        Ok(history)
    }

    /// Keeps a program as the next step, and what was done.
    fn keep(&mut self, program: &Program, what: &str) -> io::Result<()> {
        let name = format!("{:04}", self.count);
        if program.is_lone() {
            let end = program.name.extension().map(|end| format!(".{}", end.display())).unwrap_or_default();
            let text = program.files().into_iter().next().map(|(_, file)| file.bytes.to_vec()).unwrap_or_default();
            self.write(Path::new(&(name.clone() + &end)), &text)?;
        } else {
            for (path, file) in program.files() {
                self.write(&Path::new(&name).join(path), &file.bytes)?;
            }
        }
        if let Some(last) = &self.last {
            let patch = patch_of_programs(&program.name, last, program);
            self.write(Path::new(&(name.clone() + ".patch")), patch.as_bytes())?;
        }
        self.lines += &format!("{name}  {:.1} s  {what}\n", self.begun.elapsed().as_secs_f64());
        self.write(Path::new(LINES), self.lines.as_bytes())?;
        (self.last, self.count) = (Some(program.clone()), self.count + 1);
        Ok(())
    }

    /// Writes a file of the folder; whatever stands in its place is replaced and not followed.
    fn write(&self, name: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path).map(drop).map_err(|error| error.error)
    }
}

impl Observer for History {
    fn event(&mut self, event: &Event) {
        let kept = match event {
            Event::Baseline { program, size, unit, .. } if self.last.is_none() => {
                self.keep(program, &format!("{} {unit}  the input", size.tokens))
            }
            Event::Gained { steps, size, checks, program } => {
                let what = format!("{} tokens  {checks} checks  {}", size.tokens, steps.join(", "));
                self.keep(program, &what)
            }
            _ => Ok(()),
        };
        self.inner.event(event);
        if let Err(error) = kept
            && !std::mem::replace(&mut self.has_warned, true)
        {
            let message = format!("cannot keep the history in {}: {error}", self.folder.display());
            self.inner.event(&Event::Warning { message });
        }
    }

    fn attempts(&self) -> Attempts {
        self.inner.attempts()
    }

    fn close(&mut self) -> io::Result<()> {
        self.inner.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcve_reduce::event::Nobody;

    #[test]
    fn the_history_is_left_out() {
        let check = |line: &str, left: &str| {
            assert_eq!(without_history(line.split(' ').map(str::to_owned).collect()).join(" "), left)
        };
        check("mcve a.rs --history h -o b.rs -- --history", "mcve a.rs -o b.rs -- --history");
        check("mcve --history=h a.rs", "mcve a.rs");
    }

    fn run_of(word: &str) -> Begun {
        Begun { words: vec!["mcve".to_owned(), word.to_owned()], folder: PathBuf::from("/") }
    }

    #[test]
    fn each_step_has_its_program_its_patch_and_its_line() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let place = folder.path().join("history");
        let program = |text: &str| Program::new("a.rs", text);
        let run = || {
            let mut history = History::begin(&place, run_of("a.rs"), Box::new(Nobody)).expect("it is there");
            history.keep(&program("fn f() {}\nfn g() {}\n"), "the input").expect("it can be written");
            let (text, steps) = (program("fn g() {}\n"), vec!["1:1: delete-item".to_owned()]);
            let size = text.size();
            history.event(&Event::Gained { steps, size, checks: 7, program: text });
            let read = |name: &str| std::fs::read_to_string(place.join(name)).expect("it is there");
            assert_eq!((&*read("0000.rs"), &*read("0001.rs")), ("fn f() {}\nfn g() {}\n", "fn g() {}\n"));
            assert_eq!(read("0001.patch"), "--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1 @@\n-fn f() {}\n fn g() {}\n");
            let lines = read("history.txt");
            assert!(lines.lines().count() == 2 && lines.ends_with("7 checks  1:1: delete-item\n"), "{lines}");
        };
        run();
        run();
        assert!(History::begin(&place, run_of("b.rs"), Box::new(Nobody)).is_err(), "it is of another run");
        assert!(History::begin(folder.path(), run_of("a.rs"), Box::new(Nobody)).is_err(), "it is not empty");
        assert!(begun(&place).is_ok_and(|read| read == run_of("a.rs")));
    }
}
