//! The side that runs jobs.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use data_encoding::BASE64;

use super::file::{SentFile, is_inside};
use super::outside::{Places, sysroot};
use super::protocol::{FORM, LARGE, Reply, Request};
use super::sent::{SentJob, SentResult};
use crate::exec::cancel::Cancel;
use crate::exec::fingerprint;
use crate::exec::job::{Executor, JobResult};
use crate::exec::process::Processes;
use crate::exec::programs;
use crate::locked::lock;
use crate::program::ContentHash;

/// The most bytes of large files that are kept for later jobs.
const KEPT: usize = 256 << 20;

/// What a program prints that could not write its files: then its exit code says nothing of the job.
const FULL: &str = "No space left on device";

/// The bytes of files by their hashes.
type Blobs = HashMap<String, Arc<[u8]>>;

/// What a worker has.
struct Server<'p, W> {
    processes: &'p Processes,
    output: Mutex<W>,
    /// Large files that came with earlier jobs.
    blobs: Mutex<Blobs>,
    /// The folder of the files that jobs name by the paths of the client.
    outside: PathBuf,
    /// The folder that already has files by their hashes, if there is one.
    given: Option<PathBuf>,
    running: Mutex<HashMap<u64, Cancel>>,
}

/// Runs jobs that come as lines of `input`, so many at once, until it ends.
///
/// # Errors
/// When a line cannot be read or written.
pub fn serve(processes: &Processes, slots: usize, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let outside = processes.folder().join("outside");
    let (blobs, running) = Default::default();
    let server = Server { processes, output: Mutex::new(output), blobs, outside, given: None, running };
    server.serve(slots, input)
}

/// Runs the jobs of a folder: the lines of its file `lines`, with the files in `blobs` by their hashes, and in `outside` by the paths
/// of the client. Waits for all of them.
///
/// # Errors
/// When the lines cannot be read, or an answer not written.
pub fn serve_folder(processes: &Processes, folder: &Path, output: impl Write + Send) -> io::Result<()> {
    let folder = fs::canonicalize(folder)?;
    let input = BufReader::new(fs::File::open(folder.join("lines"))?);
    let (outside, given) = (folder.join("outside"), Some(folder.join("blobs")));
    let (blobs, running) = Default::default();
    Server { processes, output: Mutex::new(output), blobs, outside, given, running }.serve(1, input)
}

impl<W: Write + Send> Server<'_, W> {
    fn serve(&self, slots: usize, input: impl BufRead) -> io::Result<()> {
        let mut lines = input.lines();
        let toolchain = match lines.next().transpose()?.map(|line| serde_json::from_str(&line)) {
            Some(Ok(Request::Hello { form: FORM, compiler, version })) => match find(Path::new(&compiler), &version) {
                Some(own) => {
                    let root = |path: &Path| sysroot(path).unwrap_or(path).to_string_lossy().into_owned();
                    [root(Path::new(&compiler)), root(&own)]
                }
                None => {
                    let first = version.lines().next().unwrap_or_default();
                    return self.say(&Reply::Refused(format!("it has no {first}")));
                }
            },
            Some(_) => return self.say(&Reply::Refused("it is of another version of mcve".to_owned())),
            None => return Ok(()),
        };
        self.say(&Reply::Ready { slots })?;
        std::thread::scope(|scope| {
            for line in lines {
                match serde_json::from_str(&line?) {
                    Ok(Request::Run { id, token, mut job, blobs, timeout_ms }) => {
                        let cancel = Cancel::default();
                        lock(&self.running).insert(id, cancel.clone());
                        let outside = std::mem::take(&mut job.outside);
                        // Before the next line, as a later job may need the same files.
                        let blobs = self.receive(&outside, &blobs);
                        let (toolchain, timeout) = (&toolchain, Duration::from_millis(timeout_ms));
                        scope.spawn(move || {
                            let places = Places { toolchain, folder: &self.outside, files: &outside };
                            let run = |blobs: &Blobs| self.run(*job, &places, blobs, timeout, &cancel);
                            let reply = match blobs.and_then(|blobs| blobs.as_ref().map(run).transpose()) {
                                Ok(Some(Some(result))) => {
                                    let result = SentResult::new(&result, &places);
                                    Reply::Done { id, sum: result.sum(&token), token, result }
                                }
                                Ok(_) => Reply::Missing(id),
                                Err(error) => Reply::Failed { id, why: error.to_string() },
                            };
                            lock(&self.running).remove(&id);
                            // Who does not listen any more has ended.
                            let _ = self.say(&reply);
                        });
                    }
                    Ok(Request::Cancel(id)) => _ = lock(&self.running).get(&id).inspect(|cancel| cancel.cancel()),
                    Ok(Request::Hello { .. }) | Err(_) => {}
                }
            }
            if self.given.is_none() {
                // Nobody wants what still runs.
                lock(&self.running).values().for_each(Cancel::cancel);
            }
            Ok(())
        })
    }

    /// Runs a job. None if a file is missing.
    fn run(
        &self,
        job: SentJob,
        places: &Places<'_>,
        blobs: &Blobs,
        timeout: Duration,
        cancel: &Cancel,
    ) -> io::Result<Option<JobResult>> {
        let Some(job) = job.job(places, |hash| self.blob(blobs, hash)) else { return Ok(None) };
        let ran = self.processes.run(&job, timeout, cancel);
        let result = ran.map_err(|error| io::Error::other(format!("{error}: {}", error.source)))?;
        if String::from_utf8_lossy(&result.stderr).contains(FULL) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(Some(result))
    }

    /// Takes the files that come with a job: those that it names by the paths of the client go where they are looked for. None if
    /// one of them is missing.
    fn receive(&self, outside: &[SentFile], sent: &BTreeMap<String, String>) -> io::Result<Option<Blobs>> {
        let blob = |(hash, text): (&String, &String)| {
            let bytes: Arc<[u8]> = BASE64.decode(text.as_bytes()).ok()?.into();
            (String::from(ContentHash::of(&bytes)) == *hash).then(|| (hash.clone(), bytes))
        };
        let blobs: Blobs = sent.iter().filter_map(blob).collect();
        let places = Places { toolchain: &Default::default(), folder: &self.outside, files: outside };
        for file in outside {
            let Some(path) = places.path(file) else { return Ok(None) };
            if path.exists() {
                continue;
            }
            let Some(bytes) = self.blob(&blobs, &file.hash) else { return Ok(None) };
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            fs::write(path, bytes)?;
        }
        let is_kept = |(hash, bytes): &(&String, &Arc<[u8]>)| {
            bytes.len() >= LARGE && outside.iter().all(|file| file.hash != **hash)
        };
        let mut kept = lock(&self.blobs);
        kept.extend(blobs.iter().filter(is_kept).map(|(hash, bytes)| (hash.clone(), Arc::clone(bytes))));
        if kept.values().map(|bytes| bytes.len()).sum::<usize>() > KEPT {
            kept.clear();
        }
        Ok(Some(blobs))
    }

    /// The bytes of a file that came with this job, with an earlier one, or was given.
    fn blob(&self, blobs: &Blobs, hash: &str) -> Option<Arc<[u8]>> {
        let kept = || lock(&self.blobs).get(hash).cloned();
        let given = || {
            let path = self.given.as_ref().filter(|_| is_inside(Path::new(hash)))?.join(hash);
            fs::read(path).ok().filter(|bytes| String::from(ContentHash::of(bytes)) == hash).map(Arc::from)
        };
        blobs.get(hash).cloned().or_else(kept).or_else(given)
    }

    fn say(&self, reply: &Reply) -> io::Result<()> {
        let line = serde_json::to_string(reply)? + "\n";
        let mut output = lock(&self.output);
        output.write_all(line.as_bytes())?;
        output.flush()
    }
}

/// The compiler that says this of itself: at the same path, in a toolchain of rustup of the same name, or the usual one.
fn find(compiler: &Path, version: &str) -> Option<PathBuf> {
    let name = sysroot(compiler).and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let named = name.map(|name| programs::rustc(None, Some(&name)));
    let usual = || programs::rustc(None, None);
    let places = [Some(Ok(compiler.to_owned())), named, Some(usual())].into_iter().flatten().flatten();
    places.into_iter().find(|path| path.is_file() && fingerprint::released(path) == version)
}
