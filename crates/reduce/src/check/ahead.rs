//! Runs jobs that most likely come next while another one runs.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::limits::POLL;
use super::pool::{Pool, Task};
use crate::exec::cancel::Cancel;
use crate::exec::job::{End, ExecError, Executor, Job, JobResult, Trust};
use crate::locked::lock;

/// An executor that also begins the expected jobs when it has to run one. Dropping it cancels those that nobody asked for.
pub(crate) struct Ahead {
    pool: Pool,
    expected: Mutex<Vec<Expected>>,
}

struct Expected {
    job: Job,
    /// The ticket of the job, if it was begun.
    ticket: Option<u64>,
}

impl Ahead {
    /// An executor that runs `jobs` at once.
    pub(crate) fn new(executor: &Arc<dyn Executor>, jobs: usize) -> io::Result<Self> {
        Ok(Self { pool: Pool::new(jobs, executor)?, expected: Mutex::default() })
    }

    /// The ticket of a job. If it was not begun before, it is begun, and then the expected ones, as far as there are threads.
    fn ticket(&self, job: &Job, limit: Duration) -> u64 {
        let task = |job: &Job| Task { job: job.clone(), trust: Trust::Certain, limit };
        let mut expected = lock(&self.expected);
        let ticket = take(&mut expected, job).unwrap_or_else(|| self.pool.submit(task(job)));
        // With one thread they would keep the next job waiting.
        if self.pool.board.count > 1 {
            for next in expected.iter_mut() {
                next.ticket.get_or_insert_with(|| self.pool.submit_last(task(&next.job)));
            }
        }
        ticket
    }
}

impl Executor for Ahead {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        let ticket = self.ticket(job, timeout);
        loop {
            if let Some(result) = self.pool.wait(ticket, POLL) {
                return result;
            }
            if cancel.is_cancelled() {
                self.pool.cancel(ticket);
                return Ok(JobResult::ended(End::Cancelled));
            }
        }
    }

    fn expect(&self, jobs: Vec<Job>) {
        let mut expected = lock(&self.expected);
        let next = jobs.into_iter().map(|job| Expected { ticket: take(&mut expected, &job), job }).collect();
        let others = std::mem::replace(&mut *expected, next);
        others.iter().filter_map(|other| other.ticket).for_each(|ticket| self.pool.cancel(ticket));
    }
}

/// Takes a job from those that are expected; its ticket if it was begun.
fn take(expected: &mut Vec<Expected>, job: &Job) -> Option<u64> {
    let index = expected.iter().position(|expected| is_same(&expected.job, job))?;
    expected.remove(index).ticket
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
    use std::sync::Condvar;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::exec::job::Word;

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
            let Some(Word::Text(name)) = job.argv.first() else { unreachable!("a job has a name") };
            while name == "endless" && !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            Ok(JobResult { stdout: name.as_encoded_bytes().to_vec(), ..JobResult::ended(End::Exited(0)) })
        }
    }

    fn job(name: &str) -> Job {
        Job { argv: vec![Word::Text(OsString::from(name))], ..Job::default() }
    }

    fn meeting(awaited: usize, jobs: usize) -> (Arc<Meeting>, Ahead) {
        let (came, change, runs) = Default::default();
        let meeting = Arc::new(Meeting { awaited, came, change, runs });
        let executor: Arc<dyn Executor> = Arc::clone(&meeting) as _;
        (meeting, Ahead::new(&executor, jobs).expect("there are threads"))
    }

    fn run(ahead: &Ahead, name: &str) -> String {
        let result = ahead.run(&job(name), Duration::MAX, &Cancel::default()).expect("it runs");
        String::from_utf8(result.stdout).expect("it is a name")
    }

    #[test]
    fn expected_jobs_run_at_the_same_time_and_once() {
        let (meeting, ahead) = meeting(2, 2);
        ahead.expect(vec![job("b"), job("c")]);
        // Alone it would wait for ever.
        assert_eq!(["a", "b", "c"].map(|name| run(&ahead, name)), ["a", "b", "c"]);
        assert_eq!(meeting.runs.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn nothing_is_started_where_one_job_may_run() {
        let (meeting, ahead) = meeting(1, 1);
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
        let (meeting, ahead) = meeting(2, 2);
        ahead.expect(vec![job("endless")]);
        run(&ahead, "a");
        // It waits for its threads.
        drop(ahead);
        assert_eq!(meeting.runs.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_job_that_is_cancelled_ends() {
        let (cancel, (_, ahead)) = (Cancel::default(), meeting(1, 1));
        cancel.cancel();
        assert_eq!(ahead.run(&job("endless"), Duration::MAX, &cancel).expect("it ends").end, End::Cancelled);
    }
}
