//! The side that has jobs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use rustix::process::{Pid, Signal, kill_process_group};

use super::outside::Outside;
use super::protocol::{FORM, LARGE, Reply, Request};
use super::sent::SentJob;
use crate::exec::cancel::Cancel;
use crate::exec::environment::VARIABLES;
use crate::exec::fingerprint;
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::exec::process::Processes;
use crate::exec::shortcut::Shortcut;
use crate::locked::lock;

/// The time in which a worker has to say that it is ready.
const GREETING: Duration = Duration::from_secs(60);

/// The time that an answer may take longer than its job.
const GRACE: Duration = Duration::from_secs(30);

/// The steps of the load of a worker, which is the number of its jobs for each of its slots.
const LOADS: usize = 1 << 10;

/// The time in which a worker may end by itself.
const FAREWELL: Duration = Duration::from_secs(2);

/// The time between two looks at whether a job is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// A worker gets a job with a known result before its first job, and again after this many jobs.
const PROBED: u64 = 50;

/// Workers that run jobs as a shortcut; what must be certain runs on this machine.
pub struct Workers {
    workers: Vec<Worker>,
    here: Arc<Processes>,
    shortcut: Shortcut,
    next: AtomicU64,
    outside: Outside,
    /// The last job that ended by itself on this machine, and how.
    probe: Mutex<Option<(Job, End)>>,
    /// The variables that matter to a compiler, as they are here.
    env: Vec<(std::ffi::OsString, Option<std::ffi::OsString>)>,
}

/// A program that runs jobs.
struct Worker {
    line: String,
    child: Mutex<Child>,
    /// None once it was asked to end.
    input: Mutex<Option<ChildStdin>>,
    waiting: Arc<Waiting>,
    /// How many jobs it runs at once.
    slots: usize,
    outstanding: AtomicUsize,
    /// How many jobs it was given.
    given: AtomicU64,
    /// The large files that were sent.
    sent: Mutex<HashSet<String>>,
}

/// Who waits for answers of a worker.
#[derive(Default)]
struct Waiting {
    by_id: Mutex<HashMap<u64, Sender<Reply>>>,
    has_ended: AtomicBool,
}

impl Workers {
    /// Starts workers, by lines for a shell, that have the same compiler as this machine.
    ///
    /// # Errors
    /// When one cannot be started, does not answer, or refuses.
    pub fn start(lines: &[String], compiler: &Path, here: Arc<Processes>) -> io::Result<Self> {
        let version = fingerprint::released(compiler);
        let workers = lines.iter().map(|line| {
            let worker = Worker::start(line, compiler, &version);
            worker
                .map_err(|error| io::Error::new(error.kind(), format!("the executor `{line}` cannot be used: {error}")))
        });
        let env = VARIABLES.map(|name| (name.into(), std::env::var_os(name))).into();
        Ok(Self {
            workers: workers.collect::<io::Result<_>>()?,
            here,
            shortcut: Shortcut::default(),
            next: AtomicU64::new(0),
            outside: Outside::of(compiler),
            probe: Mutex::default(),
            env,
        })
    }

    /// Runs a job by a worker; none if no worker can run it.
    fn run_there(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Option<JobResult> {
        let quick = job.likely();
        let (own, sent) = self.sent(quick.as_ref().unwrap_or(job))?;
        let (mut fault, mut is_complete) = (None, false);
        while self.shortcut.is_open() {
            let alive = self.workers.iter().filter(|worker| !worker.waiting.has_ended.load(Ordering::Relaxed));
            let load = |worker: &&Worker| worker.outstanding.load(Ordering::Relaxed) * LOADS / worker.slots;
            let Some(worker) = alive.min_by_key(load) else {
                self.shortcut.close(fault.unwrap_or_else(|| "no executor is left".to_owned()));
                break;
            };
            worker.outstanding.fetch_add(1, Ordering::Relaxed);
            let is_probed = worker.given.fetch_add(1, Ordering::Relaxed).is_multiple_of(PROBED);
            let is_honest = !is_probed || self.probe(worker, timeout, cancel);
            let came = is_honest.then(|| self.run_by(worker, &own, &sent, timeout, cancel));
            worker.outstanding.fetch_sub(1, Ordering::Relaxed);
            match came {
                Some(Came::Result(result)) => return Some(JobResult { subject: job.subject.clone(), ..*result }),
                Some(Came::Missing) if !is_complete => {
                    lock(&worker.sent).clear();
                    is_complete = true;
                }
                Some(Came::Missing) => {
                    worker.end();
                    fault = Some(format!("`{}` lacks files that it was sent", worker.line));
                }
                Some(Came::Fault(why)) => {
                    worker.end();
                    fault = Some(why);
                }
                None => worker.end(),
            }
        }
        None
    }

    /// Whether a worker says of a job with a known result what this machine says. If not, no worker is used any more: what they said
    /// until now may be wrong.
    fn probe(&self, worker: &Worker, timeout: Duration, cancel: &Cancel) -> bool {
        let Some((job, expected)) = lock(&self.probe).clone() else { return true };
        let Some((own, sent)) = self.sent(&job) else { return true };
        let Came::Result(result) = self.run_by(worker, &own, &sent, timeout, cancel) else { return true };
        let end = result.end;
        if end == expected || matches!(end, End::Cancelled | End::TimedOut) {
            return true;
        }
        // A program that ends in several ways proves nothing.
        let is_sure = (0..2).all(|_| self.here.run(&job, timeout, cancel).is_ok_and(|again| again.end == expected));
        if is_sure {
            let said = String::from_utf8_lossy(&result.stderr).lines().next().unwrap_or_default().to_owned();
            let Worker { line, .. } = worker;
            self.shortcut.close(format!(
                "a check ended with {expected} on this machine, and with {end} by the executor `{line}`, which says: {said}"
            ));
        }
        !is_sure
    }

    /// A job with the variables of this machine, and how it is sent; none if it cannot be.
    fn sent(&self, job: &Job) -> Option<(Job, SentJob)> {
        let mut own = job.clone();
        own.env.splice(0..0, self.env.iter().cloned());
        let outside = self.outside.files(&own).ok()?;
        let sent = SentJob::new(&own, outside)?;
        Some((own, sent))
    }

    fn run_by(&self, worker: &Worker, job: &Job, sent: &SentJob, timeout: Duration, cancel: &Cancel) -> Came {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        worker.run(id, job, sent, timeout, cancel)
    }
}

/// What a worker made of a job.
enum Came {
    Result(Box<JobResult>),
    /// It lacks files.
    Missing,
    /// Nothing that can be used, for this reason.
    Fault(String),
}

impl Worker {
    fn start(line: &str, compiler: &Path, version: &str) -> io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", line]).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn()?;
        let (input, output) = (child.stdin.take().expect("it is piped"), child.stdout.take().expect("it is piped"));
        let (sender, ready) = channel();
        let waiting = Arc::<Waiting>::default();
        let theirs = Arc::clone(&waiting);
        std::thread::Builder::new().name("executor".to_owned()).spawn(move || theirs.listen(output, &sender))?;
        let (outstanding, given, sent) = Default::default();
        let (line, child, input) = (line.to_owned(), Mutex::new(child), Mutex::new(Some(input)));
        let mut worker = Self { line, child, input, waiting, slots: 1, outstanding, given, sent };
        let compiler = compiler.to_string_lossy().into_owned();
        // One that does not listen has ended, or says why.
        let _ = worker.say(&Request::Hello { form: FORM, compiler, version: version.to_owned() });
        match ready.recv_timeout(GREETING) {
            Ok(Reply::Ready { slots }) => {
                worker.slots = slots.max(1);
                Ok(worker)
            }
            Ok(Reply::Refused(why)) => Err(io::Error::other(why)),
            Ok(_) => Err(io::Error::other("it does not say that it is ready")),
            Err(RecvTimeoutError::Timeout) => Err(io::ErrorKind::TimedOut.into()),
            Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("it has ended")),
        }
    }

    fn run(&self, id: u64, job: &Job, sent: &SentJob, timeout: Duration, cancel: &Cancel) -> Came {
        let Some(blobs) = self.blobs(job, sent) else {
            return Came::Fault("a file cannot be read any more".to_owned());
        };
        let (sender, answer) = channel();
        lock(&self.waiting.by_id).insert(id, sender);
        let token = sent.token();
        let timeout_ms = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
        let is_large = |(hash, text): (&String, &String)| (text.len() >= LARGE).then(|| hash.clone());
        let large: Vec<String> = blobs.iter().filter_map(is_large).collect();
        let run = Request::Run { id, token: token.clone(), job: Box::new(sent.clone()), blobs, timeout_ms };
        if let Err(error) = self.say(&run) {
            return Came::Fault(format!("`{}` takes no jobs: {error}", self.line));
        }
        lock(&self.sent).extend(large.into_iter().chain(sent.outside.iter().map(|file| file.hash.clone())));
        let came = self.wait(id, &token, &answer, Instant::now().checked_add(timeout + GRACE), cancel);
        lock(&self.waiting.by_id).remove(&id);
        came
    }

    /// The files that are sent with a job: those that the worker has not. None if one cannot be read.
    fn blobs(&self, job: &Job, sent: &SentJob) -> Option<BTreeMap<String, String>> {
        let there = lock(&self.sent);
        let mut blobs = BTreeMap::new();
        for ((_, file), hash) in job.files.iter().zip(sent.hashes()) {
            if !there.contains(hash) {
                blobs.insert(hash.to_owned(), BASE64.encode(&file.bytes));
            }
        }
        for file in sent.outside.iter().filter(|file| !there.contains(&file.hash)) {
            blobs.insert(file.hash.clone(), BASE64.encode(&fs::read(&file.path).ok()?));
        }
        Some(blobs)
    }

    fn wait(&self, id: u64, token: &str, answer: &Receiver<Reply>, end: Option<Instant>, cancel: &Cancel) -> Came {
        loop {
            match answer.recv_timeout(LOOK) {
                Ok(Reply::Done { token: own, result, sum, .. }) if own == token && sum == result.sum(token) => {
                    let garbled =
                        || Came::Fault(format!("`{}` answered with an output that cannot be read", self.line));
                    return result.result().map_or_else(garbled, |result| Came::Result(Box::new(result)));
                }
                Ok(Reply::Missing(_)) => return Came::Missing,
                Ok(Reply::Failed { why, .. }) => return Came::Fault(format!("`{}`: {why}", self.line)),
                Ok(_) => return Came::Fault(format!("`{}` answered with something that is not whole", self.line)),
                Err(RecvTimeoutError::Disconnected) => return Came::Fault(format!("`{}` has ended", self.line)),
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    let _ = self.say(&Request::Cancel(id));
                    return Came::Result(Box::new(JobResult::ended(End::Cancelled)));
                }
                Err(RecvTimeoutError::Timeout) if end.is_some_and(|end| Instant::now() > end) => {
                    return Came::Fault(format!("`{}` did not answer in time", self.line));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn say(&self, request: &Request) -> io::Result<()> {
        let line = serde_json::to_string(request)? + "\n";
        let mut input = lock(&self.input);
        let input = input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(line.as_bytes())?;
        input.flush()
    }

    /// Ends the worker. Who waits for it asks another one.
    fn end(&self) {
        self.waiting.end();
        // The end of its input asks it to end and to clean up.
        drop(lock(&self.input).take());
        let (mut child, end) = (lock(&self.child), Instant::now() + FAREWELL);
        while Instant::now() < end && matches!(child.try_wait(), Ok(None)) {
            std::thread::sleep(LOOK);
        }
        // Whatever is left of it.
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        let _ = child.wait();
    }
}

impl Waiting {
    /// Hands answers to who waits for them, until the worker ends.
    fn listen(&self, output: ChildStdout, ready: &Sender<Reply>) {
        for line in BufReader::new(output).lines() {
            let Ok(line) = line else { break };
            match serde_json::from_str(&line) {
                Ok(reply @ (Reply::Ready { .. } | Reply::Refused(_))) => _ = ready.send(reply),
                Ok(reply) => {
                    let (Reply::Done { id, .. } | Reply::Missing(id) | Reply::Failed { id, .. }) = &reply else {
                        continue;
                    };
                    // Nobody waits for what was cancelled.
                    if let Some(waits) = lock(&self.by_id).remove(id) {
                        let _ = waits.send(reply);
                    }
                }
                // A shell may greet before the worker speaks.
                Err(_) => {}
            }
        }
        self.end();
    }

    fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
        lock(&self.by_id).clear();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

impl Executor for Workers {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        let ran = self.here.run(job, timeout, cancel);
        if let Ok(JobResult { end: end @ (End::Exited(_) | End::Signalled(_)), .. }) = ran {
            *lock(&self.probe) = Some((job.clone(), end));
        }
        ran
    }

    fn run_quickly(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        match self.run_there(job, timeout, cancel) {
            Some(result) => {
                self.shortcut.mark_served();
                Ok(result)
            }
            None => self.here.run(job, timeout, cancel),
        }
    }

    fn shortcut(&self) -> Option<&Shortcut> {
        Some(&self.shortcut)
    }

    fn slots_elsewhere(&self) -> usize {
        self.workers.iter().map(|worker| worker.slots).sum()
    }
}
