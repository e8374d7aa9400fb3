//! Runs jobs that most likely come next while another one runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::cancel::Cancel;
use super::job::{ExecError, Executor, Job, JobResult};

/// An executor that also starts the expected jobs when it has to run one. Dropping it cancels those that nobody asked for.
pub(crate) struct Ahead {
    executor: Arc<dyn Executor>,
    /// How many jobs run at once.
    jobs: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    expected: Vec<Job>,
    started: Vec<Started>,
}

/// A job that runs before it was asked for.
struct Started {
    job: Job,
    cancel: Cancel,
    thread: JoinHandle<Result<JobResult, ExecError>>,
}

impl Ahead {
    pub(crate) fn new(executor: Arc<dyn Executor>, jobs: usize) -> Self {
        Self { executor, jobs, state: Mutex::default() }
    }

    /// Starts expected jobs until, together with the one that is asked for, as many run as may.
    fn start(&self, state: &mut State, timeout: Duration, cancel: &Cancel) {
        let running = state.started.iter().filter(|started| !started.thread.is_finished()).count();
        let free = self.jobs.saturating_sub(running + 1).min(state.expected.len());
        for job in state.expected.drain(..free) {
            let (executor, cancel, own) = (Arc::clone(&self.executor), cancel.child(), job.clone());
            let for_thread = cancel.clone();
            let thread = std::thread::spawn(move || executor.run(&own, timeout, &for_thread));
            state.started.push(Started { job, cancel, thread });
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Executor for Ahead {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        let started = {
            let mut state = self.state();
            state.expected.retain(|expected| !is_same(expected, job));
            let index = state.started.iter().position(|started| is_same(&started.job, job));
            let started = index.map(|index| state.started.remove(index));
            self.start(&mut state, timeout, cancel);
            started
        };
        match started {
            Some(started) => started.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => self.executor.run(job, timeout, cancel),
        }
    }

    fn expect(&self, jobs: Vec<Job>) {
        let mut state = self.state();
        state.expected = jobs;
        let State { expected, started } = &mut *state;
        expected.retain(|job| !started.iter().any(|started| is_same(&started.job, job)));
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        let started = std::mem::take(&mut self.state().started);
        started.iter().for_each(|started| started.cancel.cancel());
        // They use the folder of temporary files. What a panic says was printed.
        started.into_iter().for_each(|started| _ = started.thread.join());
    }
}

/// Whether two jobs run the same program on the same files, so that the result of one is that of the other.
fn is_same(one: &Job, other: &Job) -> bool {
    let is_run_alike = (&one.argv, &one.env, &one.steps) == (&other.argv, &other.env, &other.steps);
    let limits = |job: &Job| (job.processor, job.waiting, job.is_measured);
    is_run_alike && one.answer == other.answer && limits(one) == limits(other) && one.files == other.files
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Condvar, Mutex};

    use super::*;
    use crate::exec::job::{End, Word};

    /// Runs a job when as many have come as are awaited, and says its name.
    struct Meeting {
        awaited: usize,
        came: Mutex<usize>,
        change: Condvar,
        runs: AtomicUsize,
    }

    impl Executor for Meeting {
        fn run(&self, job: &Job, _: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
            self.runs.fetch_add(1, Ordering::SeqCst);
            *self.came.lock().expect("nobody panics") += 1;
            self.change.notify_all();
            let came = self.came.lock().expect("nobody panics");
            drop(self.change.wait_while(came, |came| *came < self.awaited).expect("nobody panics"));
            let end = if cancel.is_cancelled() { End::Cancelled } else { End::Exited(0) };
            let Some(Word::Text(name)) = job.argv.first() else { unreachable!("a job has a name") };
            Ok(JobResult { stdout: name.as_encoded_bytes().to_vec(), ..JobResult::ended(end) })
        }
    }

    fn job(name: &str) -> Job {
        Job { argv: vec![Word::Text(OsString::from(name))], ..Job::default() }
    }

    fn meeting(awaited: usize) -> Arc<Meeting> {
        Arc::new(Meeting { awaited, came: Mutex::default(), change: Condvar::new(), runs: AtomicUsize::new(0) })
    }

    fn run(ahead: &Ahead, name: &str) -> String {
        let result = ahead.run(&job(name), Duration::MAX, &Cancel::default()).expect("it runs");
        String::from_utf8(result.stdout).expect("it is a name")
    }

    #[test]
    fn expected_jobs_run_at_the_same_time_and_once() {
        let meeting = meeting(2);
        let ahead = Ahead::new(Arc::clone(&meeting) as Arc<dyn Executor>, 2);
        ahead.expect(vec![job("b"), job("c")]);
        // Alone it would wait for ever.
        assert_eq!(["a", "b", "c"].map(|name| run(&ahead, name)), ["a", "b", "c"]);
        assert_eq!(meeting.runs.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn nothing_is_started_where_one_job_may_run() {
        let meeting = meeting(1);
        let ahead = Ahead::new(Arc::clone(&meeting) as Arc<dyn Executor>, 1);
        ahead.expect(vec![job("b")]);
        assert_eq!(run(&ahead, "a"), "a");
        assert_eq!(meeting.runs.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_job_on_other_files_is_another() {
        let changed = Job { files: vec![("a.rs".into(), "fn f() {}".into())], ..job("a") };
        assert!(is_same(&changed, &changed.clone()) && !is_same(&job("a"), &changed));
    }

    #[test]
    fn what_nobody_asks_for_is_cancelled() {
        let meeting = meeting(2);
        let ahead = Ahead::new(Arc::clone(&meeting) as Arc<dyn Executor>, 2);
        ahead.expect(vec![job("b")]);
        run(&ahead, "a");
        let cancel = ahead.state().started[0].cancel.clone();
        drop(ahead);
        assert!(cancel.is_cancelled());
    }
}
