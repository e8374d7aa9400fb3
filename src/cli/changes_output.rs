//! What `mcve changes` writes and prints: the patches, and the versions that they are between.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::print;
use super::output::{check_place, output_at, warn_put_aside};
use super::pair::{PATCH, files};
use super::run_args::{MessageFormat, OutputArgs};
use crate::report::diff::painted;
use mcve_changes::find::{Cause, Isolated};
use mcve_reduce::event::{Changed, Event, Lines, Observer, OtherCause};
use mcve_reduce::output::Output;
use mcve_reduce::program::write_files;
use mcve_reduce::visible::visible_line;

/// Where the result goes.
pub(super) enum ChangesOutput {
    /// The patches, to standard output.
    Stdout,
    /// The patches, to a file.
    File(Output),
    /// The patches and the versions, to a folder.
    Folder(PathBuf),
}

impl ChangesOutput {
    /// At `path`, as far as that can be checked before the work.
    pub(super) fn new(path: Option<&Path>, args: &OutputArgs) -> Result<Self, Failed> {
        let Some(path) = path else { return Ok(Self::Stdout) };
        if path == Path::new("-") {
            return Output::stdout().or_exit(Exit::Output).map(|_| Self::Stdout);
        }
        if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            let is_empty = |path: &Path| std::fs::read_dir(path).map(|mut entries| entries.next().is_none());
            if path.is_dir() && !is_empty(path).or_exit(Exit::Output)? {
                return Err(failed!(Output, "the folder {} is not empty: name a new one", path.display()));
            }
            return check_place(path).map(|()| Self::Folder(path.to_owned()));
        }
        output_at(path, args).map(Self::File)
    }

    /// The path of the patch; none for standard output.
    pub(super) fn place(&self) -> Option<PathBuf> {
        match self {
            Self::Stdout => None,
            Self::File(output) => output.file().map(|file| file.real().to_owned()),
            Self::Folder(folder) => std::path::absolute(folder).ok().map(|folder| folder.join(PATCH)),
        }
    }

    /// Writes the patches and says what they are. A patch that cannot be written is printed. `bad` is the path of the bad
    /// version, if it has one.
    pub(super) fn report(
        &self,
        args: &OutputArgs,
        bad: Option<&Path>,
        isolated: &Isolated,
        observer: &mut dyn Observer,
    ) -> Result<(), Failed> {
        let is_json = args.message_format == MessageFormat::Json;
        let patches = text(isolated);
        let (written, path) = match self {
            Self::Stdout => (Ok(None), None),
            Self::File(output) => (output.write(&patches), output.path().map(Path::to_owned)),
            Self::Folder(folder) => (write_all(folder, bad, isolated).map(|()| None), Some(folder.join(PATCH))),
        };
        let is_written = path.is_some() && written.is_ok();
        let [first, others @ ..] = &isolated.causes[..] else { unreachable!("there is a cause") };
        let lines = |(added, removed)| Lines { added, removed };
        let patch = |cause: &Cause| String::from_utf8_lossy(&cause.patch).into_owned();
        observer.event(&Event::Changes(Changed::Found {
            failure: isolated.failure.clone(),
            before: lines(isolated.before),
            after: lines(first.lines),
            applies: first.applies.clone(),
            ending: isolated.ending,
            checks: isolated.checks,
            cache_hits: isolated.known,
            seconds: isolated.wall.as_secs_f64(),
            patch: is_json.then(|| patch(first)),
            output: path.clone(),
            others: others.iter().map(|it| OtherCause { applies: it.applies.clone(), patch: patch(it) }).collect(),
        }));
        let aside = written.context("cannot write the patch").or_exit(Exit::Output);
        if let Ok(Some(aside)) = &aside {
            warn_put_aside(path.as_deref(), aside);
        }
        if !is_json && !is_written {
            // At the end, where it is seen.
            print(&patches, painted).context("cannot write the patch").or_exit(Exit::Output)?;
        }
        aside.map(drop)
    }
}

/// All patches, each after comments, which `git apply` passes over.
fn text(isolated: &Isolated) -> Vec<u8> {
    let count = isolated.causes.len();
    let about = |at: usize, cause: &Cause| {
        let number = if count > 1 { format!("Cause {} of {count}. ", at + 1) } else { String::new() };
        let commit = isolated.commit.iter().map(|commit| format!("# First bad commit: {}\n", visible_line(commit)));
        let [what, applies] = [&isolated.failure, &cause.applies].map(|words| visible_line(words));
        format!("# {number}What changed here makes this fail: {what}\n# Applies {applies}\n")
            + &commit.collect::<String>()
    };
    let each = isolated.causes.iter().enumerate();
    each.flat_map(|(at, cause)| [about(at, cause).as_bytes(), &cause.patch].concat()).collect()
}

/// Writes each cause: its patch, and the versions between which it is. Those after the first have folders of their own.
fn write_all(folder: &Path, bad: Option<&Path>, isolated: &Isolated) -> io::Result<()> {
    let name = bad.unwrap_or(Path::new(""));
    for (at, cause) in isolated.causes.iter().enumerate() {
        let folder = if at == 0 { folder.to_owned() } else { folder.join(format!("cause-{}", at + 1)) };
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(PATCH), &cause.patch)?;
        for (version, (file, whole)) in cause.versions.iter().zip(files(name).iter().zip(["pass", "fail"])) {
            match version.files.values().next() {
                Some(only) if name.is_file() => std::fs::write(folder.join(file), &only.bytes)?,
                _ => {
                    let folder = folder.join(whole);
                    std::fs::create_dir(&folder)?;
                    write_files(&folder, &version.list())?;
                }
            }
        }
    }
    Ok(())
}
