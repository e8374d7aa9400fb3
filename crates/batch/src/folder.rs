//! The output folder: the failures of inputs, the groups that are under way, and the finished groups.
//!
//! ```text
//! OUT/index.html, index.json      all groups
//! OUT/GROUP/group.json, ..        a finished group
//! OUT/.mcve/invocation.json       the parts of the command line that all inputs share
//! OUT/.mcve/recognised/OWNER      the failures of inputs, a line each; a file for each process
//! OUT/.mcve/claims/               which process works on what
//! OUT/.mcve/work/GROUP/           a group that is under way
//! OUT/.mcve/state/                the journals of its runs
//! OUT/.mcve/costs/OWNER           the costs of runs
//! ```

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::claim::Disk;
use crate::files::{entries, json, write};
use crate::group::{Group, Recognised};
use crate::invocation::Invocation;

/// The cost of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Cost {
    /// The group.
    pub group: String,
    /// How long it took, times the number of its workers, in seconds.
    pub worker_seconds: f64,
    /// The processor time of its processes in seconds, if it was measured.
    pub processor_seconds: Option<f64>,
    /// How many candidates were checked.
    pub checks: u64,
}

/// The result of a group.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Done {
    /// The form of this file.
    pub form: u32,
    /// The failure.
    pub failure: String,
    /// The failure in a form that two runs can compare, if there is one.
    pub fingerprint: Option<String>,
    /// The input that was reduced.
    pub input: String,
    /// The result, in the folder; none if no input could be reduced.
    pub program: Option<String>,
    /// Its text, if it is one file.
    pub text: Option<String>,
    /// The command that shows the failure.
    pub command: String,
    /// The tokens before and after.
    pub tokens: [u64; 2],
    /// Whether the search came to its end.
    pub is_complete: bool,
    /// The change with which it passes, as lines of a diff, and how it then passes.
    pub change: Option<[String; 2]>,
    /// The labels for the tracker.
    pub labels: Vec<String>,
    /// A search for the failure on the tracker.
    pub search: Option<String>,
    /// Whether another input ends as the same program; none if none was reduced.
    pub other: Option<Other>,
    /// Inputs that could not be reduced, and why.
    pub refused: Vec<[String; 2]>,
}

/// How another input of the group ends.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Other {
    /// The input.
    pub input: String,
    /// Whether it ends as the same program.
    pub is_same: bool,
    /// Its result in the folder, if it is another program.
    pub program: Option<String>,
}

/// The failures of inputs that this process knows.
#[derive(Debug, Default)]
pub struct Known {
    /// By key.
    pub found: HashMap<String, Recognised>,
    /// How much was read of each file.
    read: HashMap<PathBuf, u64>,
}

/// The file that says that a group is finished.
const DONE: &str = "group.json";

/// The version of that file.
pub const FORM: u32 = 1;

/// An output folder, as one process uses it.
#[derive(Debug)]
pub struct Folder {
    out: PathBuf,
    own: PathBuf,
    /// A name that no other process has.
    owner: String,
    /// Keeps two threads from writing in one line.
    writing: Mutex<()>,
}

impl Folder {
    /// Opens the output folder of a batch, or makes it.
    ///
    /// # Errors
    /// When it cannot be used, has other files, or was begun with another invocation.
    pub fn open(out: &Path, invocation: &Invocation) -> anyhow::Result<Self> {
        let folder = Self::at(out);
        let shown = out.display();
        let names = entries(out).with_context(|| format!("cannot read {shown}"))?;
        // Another process may just begin the same batch: its own folder comes first.
        if !names.is_empty() && !names.contains(&folder.own) {
            bail!("{shown} has files and is not the output of a batch: name another folder");
        }
        fs::create_dir_all(&folder.own).with_context(|| format!("cannot make {shown}"))?;
        match folder.invocation()? {
            None => write(&folder.own.join(INVOCATION), &json(invocation))
                .with_context(|| format!("cannot write in {shown}"))?,
            Some(before) if before != *invocation => {
                bail!(
                    "{shown} was begun with {}: name another folder, or ask the same",
                    difference(&before, invocation)
                )
            }
            Some(_) => {}
        }
        Ok(folder)
    }

    /// Opens the output folder of an earlier batch.
    ///
    /// # Errors
    /// When it is not one.
    pub fn of_earlier(out: &Path) -> anyhow::Result<Self> {
        let folder = Self::at(out);
        folder.invocation()?.with_context(|| format!("{} is not the output of a batch", out.display()))?;
        Ok(folder)
    }

    fn at(out: &Path) -> Self {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let owner = format!("{host}-{}", std::process::id());
        Self { out: out.to_owned(), own: out.join(".mcve"), owner, writing: Mutex::new(()) }
    }

    fn invocation(&self) -> anyhow::Result<Option<Invocation>> {
        let path = self.own.join(INVOCATION);
        match fs::read(&path) {
            Ok(bytes) => {
                Ok(Some(serde_json::from_slice(&bytes).with_context(|| format!("cannot use {}", path.display()))?))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.out
    }

    /// Where runs keep their state.
    pub fn state(&self) -> PathBuf {
        self.own.join("state")
    }

    /// The claims of its processes.
    ///
    /// # Errors
    /// When their folder cannot be made.
    pub fn claims(&self) -> io::Result<Disk> {
        Disk::new(self.own.join("claims"), &self.owner)
    }

    /// A folder to work in, which is made if it is not there: the same for the same name.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn work(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.own.join("work").join(name);
        fs::create_dir_all(&path)?;
        path.canonicalize()
    }

    /// Adds the failures of inputs that all processes have found to the known ones.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_recognised(&self, known: &mut Known) -> io::Result<()> {
        for found in self.lines::<Recognised>("recognised", &mut known.read)? {
            known.found.insert(found.key.clone(), found);
        }
        Ok(())
    }

    /// Keeps the failure of an input.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_recognised(&self, found: &Recognised) -> io::Result<()> {
        self.append("recognised", found)
    }

    /// The costs of all runs.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn costs(&self) -> io::Result<Vec<Cost>> {
        self.lines("costs", &mut HashMap::new())
    }

    /// Keeps the cost of a run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_cost(&self, cost: &Cost) -> io::Result<()> {
        self.append("costs", cost)
    }

    /// The result of a group; none if it is not finished.
    pub fn done(&self, group: &str) -> Option<Done> {
        let bytes = fs::read(self.out.join(group).join(DONE)).ok()?;
        serde_json::from_slice(&bytes).ok().filter(|done: &Done| done.form == FORM)
    }

    /// Whether nothing is left to do for a group.
    pub fn is_complete(&self, group: &Group) -> bool {
        self.done(&group.name).is_some_and(|done| done.is_complete)
    }

    /// Puts a finished group in its place, by one rename. What another process has finished in the meantime stays.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn publish(&self, group: &str, made: &Path, done: &Done) -> io::Result<()> {
        write(&made.join(DONE), &json(done))?;
        let place = self.out.join(group);
        if self.done(group).is_none_or(|done| done.is_complete) {
            return match fs::rename(made, &place) {
                Err(_) if self.done(group).is_some() => fs::remove_dir_all(made),
                other => other,
            };
        }
        // The result of an earlier run whose time was over.
        let aside = made.with_file_name("before");
        fs::rename(&place, &aside)?;
        fs::rename(made, &place)?;
        fs::remove_dir_all(&aside)
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        write(&self.out.join(name), text)
    }

    /// The values in the files of a folder, a line each, behind what was read before. Lines that are cut off are skipped.
    fn lines<T: DeserializeOwned>(&self, folder: &str, read: &mut HashMap<PathBuf, u64>) -> io::Result<Vec<T>> {
        let mut found = Vec::new();
        for path in entries(&self.own.join(folder))? {
            let (mut file, mut bytes) = (File::open(&path)?, Vec::new());
            let start = read.entry(path).or_default();
            file.seek(SeekFrom::Start(*start))?;
            file.read_to_end(&mut bytes)?;
            // The rest is read when it is whole.
            bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
            *start += bytes.len() as u64;
            found.extend(bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()));
        }
        Ok(found)
    }

    /// Adds a line to the file of this process. It is opened anew each time, so that other machines see the line.
    fn append(&self, folder: &str, value: &impl Serialize) -> io::Result<()> {
        // A line that a killed process has cut off must not become the beginning of this one.
        let line = format!("\n{}\n", serde_json::to_string(value)?);
        let _writing = self.writing.lock().expect("nobody panics with it");
        fs::create_dir_all(self.own.join(folder))?;
        let path = self.own.join(folder).join(&self.owner);
        OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
    }
}

/// The file with the parts of the command line that all inputs share.
const INVOCATION: &str = "invocation.json";

/// The difference between two invocations, as it was before.
fn difference(before: &Invocation, now: &Invocation) -> String {
    if before.version != now.version {
        before.compiler().to_owned()
    } else if before.options != now.options || before.args != now.args {
        format!("the options `{}`", [&before.options[..], &before.args].concat().join(" "))
    } else {
        format!("mcve {}", before.mcve)
    }
}
