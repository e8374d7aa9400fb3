//! Keeps other failures that were met on the way: one program of each in a folder, the smallest, and what they are in `finds.json`.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use mcve_reduce::event::{Attempts, Event, Find, Finds, Observer};
use mcve_reduce::output::{Output, put_aside_message};
use mcve_reduce::program::{ContentHash, read_regular};

/// The file that says what each find is.
const INDEX: &str = "finds.json";

/// Keeps what is found before it is passed on.
pub(crate) struct KeepFinds {
    /// Receives all events.
    inner: Box<dyn Observer>,
    folder: PathBuf,
    /// Where it is written what they are.
    index: Output,
    kept: Vec<Kept>,
}

/// A find in the folder.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
struct Kept {
    /// Tells it from others.
    fingerprint: String,
    failure: String,
    /// The file in the folder, or the folder of several files.
    file: PathBuf,
    /// The size of the program.
    tokens: usize,
    /// The command that shows it.
    command: String,
}

impl KeepFinds {
    /// Keeps finds in `folder`, which is made if it is not there, with those that an earlier run kept.
    /// Fails when the folder cannot be made, or its index is not what mcve writes.
    pub(crate) fn begin(folder: &Path, inner: Box<dyn Observer>) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let written = match read_regular(&folder.join(INDEX)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
            Ok(bytes) => Some(bytes),
        };
        let kept = written.as_deref().map(serde_json::from_slice).transpose()?.unwrap_or_default();
        let index = Output::at_default(&folder.join(INDEX))?;
        // It is one that mcve wrote, as it can be read.
        if let (Some(bytes), Some(file)) = (written, index.file()) {
            file.record_written(ContentHash::of(&bytes));
        }
        Ok(Self { inner, folder: folder.to_owned(), index, kept })
    }

    /// Writes the program and the index. Returns what was put aside for that.
    fn keep(&mut self, find: &Find) -> io::Result<Option<PathBuf>> {
        let (tokens, file) = (find.tokens, find.path.file_name().unwrap_or_default().into());
        let known = self.kept.iter().position(|kept| kept.fingerprint == find.fingerprint);
        let is_smaller = |kept: &Kept| tokens < kept.tokens || !self.folder.join(&kept.file).exists();
        if known.is_some_and(|at| !is_smaller(&self.kept[at])) {
            return Ok(None);
        }
        let (fingerprint, failure, command) = (find.fingerprint.clone(), find.failure.clone(), find.command.clone());
        let kept = Kept { fingerprint, failure, file, tokens, command };
        // That of several files goes where one of a lone file would have its name without `.rs`.
        let place = if find.program.is_lone() { find.path.clone() } else { with_rs(&find.path) };
        let aside = Output::at_default(&place)?.keep(&find.program, &place)?;
        match known {
            Some(at) => self.kept[at] = kept,
            None => self.kept.push(kept),
        }
        let index = serde_json::to_string_pretty(&self.kept)? + "\n";
        let replaced = self.index.write(index.as_bytes())?;
        Ok(aside.or(replaced))
    }
}

/// The path with `.rs` behind it.
fn with_rs(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    path.as_mut_os_string().push(".rs");
    path
}

impl Observer for KeepFinds {
    fn event(&mut self, event: &Event) {
        let trouble = match event {
            Event::Found(find) => match self.keep(find) {
                Ok(aside) => aside.map(|aside| put_aside_message(&find.path, &aside)),
                Err(error) => Some(format!("cannot keep a find as {}: {error}", find.path.display())),
            },
            Event::Finished(summary) => {
                let mut summary = summary.clone();
                summary.finds = Some(Finds { count: self.kept.len(), folder: self.folder.clone() });
                self.inner.event(&Event::Finished(summary));
                return;
            }
            _ => None,
        };
        self.inner.event(event);
        if let Some(message) = trouble {
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
    use mcve_reduce::program::Program;

    fn found(folder: &Path, name: &str, text: &str) -> Event {
        Event::Found(Box::new(Find {
            fingerprint: name.to_owned(),
            failure: "a crash".to_owned(),
            tokens: Program::new("a.rs", text).measure().tokens,
            program: Program::new("a.rs", text),
            path: folder.join(name).with_extension("rs"),
            command: "rustc".to_owned(),
        }))
    }

    #[test]
    fn the_smallest_program_of_each_failure_is_kept_also_by_a_later_run() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let run = |finds: &[(&str, &str)]| {
            let mut keeper = KeepFinds::begin(folder.path(), Box::new(Nobody)).expect("it can be read");
            finds.iter().for_each(|(name, text)| keeper.event(&found(folder.path(), name, text)));
            keeper.kept.len()
        };
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it is there");
        assert_eq!(run(&[("one", "fn f() {}"), ("two", "fn g() {}"), ("one", "f")]), 2);
        assert_eq!((&*read("one.rs"), &*read("two.rs")), ("f", "fn g() {}"));
        assert_eq!(run(&[("two", "fn h() { 1 }"), ("three", "x")]), 3);
        assert_eq!((&*read("two.rs"), &*read("three.rs")), ("fn g() {}", "x"));
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 4, "and the index");
    }

    #[test]
    fn what_somebody_wrote_is_no_index() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join(INDEX), "mine").expect("it can be written");
        assert!(KeepFinds::begin(folder.path(), Box::new(Nobody)).is_err());
    }
}
