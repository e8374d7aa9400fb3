//! Calls off jobs that run outside of the search's workers as soon as the run is to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle, park_timeout};

use super::limits::{Limits, POLL};
use crate::exec::process::Cancel;

/// A thread that looks at the limits of a run and calls off what was given its [`Cancel`]. It ends when this is dropped.
pub(crate) struct Watch {
    /// Cancels the jobs.
    pub(crate) cancel: Cancel,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(crate) fn begin(limits: &Limits) -> io::Result<Self> {
        let (cancel, is_over) = (Cancel::default(), Arc::new(AtomicBool::new(false)));
        let (to_cancel, seen, limits) = (cancel.clone(), Arc::clone(&is_over), limits.clone());
        let watch = move || {
            while !seen.load(Ordering::Relaxed) {
                if limits.proceed().is_err() {
                    to_cancel.cancel();
                    return;
                }
                park_timeout(POLL);
            }
        };
        let thread = Builder::new().name("watch".to_owned()).spawn(watch)?;
        Ok(Self { cancel, is_over, thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A panic there was already printed to standard error.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::exec::job::{End, Executor, Job, Word};
    use crate::exec::limits::Memory;
    use crate::exec::process::Processes;

    /// How a job ends that would run for ever, under these limits.
    fn end(limits: &Limits) -> End {
        let argv = ["sleep", "1000"].map(|word| Word::Text(word.into())).to_vec();
        let job = Job { argv, ..Job::default() };
        let watch = Watch::begin(limits).expect("there are threads");
        let processes = Processes::new(Memory::default()).expect("a folder can be made");
        processes.run(&job, Duration::from_secs(900), &watch.cancel).expect("there is such a program").end
    }

    #[test]
    fn an_interrupt_calls_off_what_runs() {
        let limits = Limits::default();
        limits.interrupt.store(true, Ordering::Relaxed);
        assert_eq!(end(&limits), End::Cancelled);
    }

    #[test]
    fn a_deadline_calls_off_what_runs() {
        let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(100)), ..Limits::default() };
        assert_eq!(end(&limits), End::Cancelled);
    }

    #[test]
    fn nothing_is_called_off_without_a_reason() {
        let watch = Watch::begin(&Limits::default()).expect("there are threads");
        let cancel = watch.cancel.clone();
        drop(watch);
        assert!(!cancel.is_cancelled());
    }
}
