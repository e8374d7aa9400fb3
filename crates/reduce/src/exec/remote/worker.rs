//! The side that runs jobs.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use data_encoding::BASE64;

use super::protocol::{FORM, LARGE, Reply, Request, SentJob, SentResult, sysroot};
use crate::exec::cancel::Cancel;
use crate::exec::fingerprint;
use crate::exec::job::Executor;
use crate::exec::process::Processes;
use crate::exec::programs;
use crate::locked::lock;

/// The most bytes of large files that are kept for later jobs.
const KEPT: usize = 256 << 20;

/// What a worker has.
struct Server<'p, W> {
    processes: &'p Processes,
    output: Mutex<W>,
    blobs: Mutex<HashMap<String, Arc<[u8]>>>,
    running: Mutex<HashMap<u64, Cancel>>,
}

/// Runs jobs that come as lines of `input`, so many at once, until it ends.
///
/// # Errors
/// When a line cannot be read or written.
pub fn serve<W: Write + Send>(processes: &Processes, slots: usize, input: impl BufRead, output: W) -> io::Result<()> {
    let (blobs, running) = Default::default();
    let server = Server { processes, output: Mutex::new(output), blobs, running };
    let mut lines = input.lines();
    let moved = match lines.next().transpose()?.map(|line| serde_json::from_str(&line)) {
        Some(Ok(Request::Hello { form: FORM, compiler, version })) => match find(Path::new(&compiler), &version) {
            Some(own) => {
                let root = |path: &Path| sysroot(path).unwrap_or(path).to_string_lossy().into_owned();
                [root(Path::new(&compiler)), root(&own)]
            }
            None => {
                let first = version.lines().next().unwrap_or_default();
                return server.say(&Reply::Refused(format!("it has no {first}")));
            }
        },
        Some(_) => return server.say(&Reply::Refused("it is of another version of mcve".to_owned())),
        None => return Ok(()),
    };
    server.say(&Reply::Ready { slots })?;
    std::thread::scope(|scope| {
        for line in lines {
            let Ok(request) = serde_json::from_str::<Request>(&line?) else { continue };
            match request {
                Request::Run { id, token, job, timeout_ms } => {
                    let cancel = Cancel::default();
                    lock(&server.running).insert(id, cancel.clone());
                    let (server, moved) = (&server, &moved);
                    scope.spawn(move || {
                        let reply = server.run(id, token, *job, moved, Duration::from_millis(timeout_ms), &cancel);
                        lock(&server.running).remove(&id);
                        // Who does not listen any more has ended.
                        let _ = server.say(&reply);
                    });
                }
                Request::Cancel(id) => {
                    lock(&server.running).get(&id).inspect(|cancel| cancel.cancel());
                }
                Request::Hello { .. } => {}
            }
        }
        // Nobody wants what still runs.
        lock(&server.running).values().for_each(Cancel::cancel);
        Ok(())
    })
}

impl<W: Write> Server<'_, W> {
    fn run(
        &self,
        id: u64,
        token: String,
        job: SentJob,
        moved: &[String; 2],
        timeout: Duration,
        cancel: &Cancel,
    ) -> Reply {
        self.keep(&job);
        let Some(job) = job.job(moved, |hash| lock(&self.blobs).get(hash).cloned()) else { return Reply::Missing(id) };
        match self.processes.run(&job, timeout, cancel) {
            Ok(result) => {
                let result = SentResult::new(&result);
                let sum = result.sum(&token);
                Reply::Done { id, token, result, sum }
            }
            Err(error) => Reply::Failed { id, why: format!("{error}: {}", error.source) },
        }
    }

    /// Keeps the large files of a job.
    fn keep(&self, job: &SentJob) {
        let mut blobs = lock(&self.blobs);
        for file in &job.files {
            let Some(bytes) = file.bytes.as_ref().filter(|bytes| bytes.len() > LARGE) else { continue };
            if let Ok(bytes) = BASE64.decode(bytes.as_bytes()) {
                blobs.insert(file.hash.clone(), bytes.into());
            }
        }
        if blobs.values().map(|bytes| bytes.len()).sum::<usize>() > KEPT {
            blobs.clear();
        }
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
