//! Processes that wait for something that none of them does: a deadlock uses no processor, and its end is not a matter of time.

use std::fs;
use std::time::{Duration, Instant};

use rustix::event::Timespec;

use crate::tree;

/// How often the processes are looked at in the time that they may wait.
const LOOKS: u32 = 4;

/// The shortest time between two looks, and between two signals.
const SHORTEST: Duration = Duration::from_millis(20);

/// So many signals are sent. A handler may want several.
const SIGNALS: u32 = 20;

/// How long the descendants of this process have waited.
pub(crate) struct IdleTimer {
    limit: Duration,
    /// The ticks of the processor that they have used, and since when.
    used: (u64, Instant),
    /// How many signals they got.
    pub(crate) signals: u32,
}

impl IdleTimer {
    pub(crate) fn new(limit: Duration) -> Self {
        Self { limit, used: (0, Instant::now()), signals: 0 }
    }

    /// The time until the next look; none after the last signal.
    pub(crate) fn pause(&self) -> Option<Timespec> {
        let pause = if self.signals > 0 { SHORTEST } else { (self.limit / LOOKS).max(SHORTEST) };
        (self.signals < SIGNALS)
            .then(|| Timespec { tv_sec: pause.as_secs().cast_signed(), tv_nsec: pause.subsec_nanos().into() })
    }

    /// Updates the timer by what the processes have done. Returns whether they have waited so long that a signal is due.
    pub(crate) fn update(&mut self) -> bool {
        if self.signals == 0 {
            match used_ticks() {
                Some(used) if used == self.used.0 => {}
                now => self.used = (now.unwrap_or(u64::MAX), Instant::now()),
            }
        }
        let is_over = self.signals > 0 || self.used.1.elapsed() >= self.limit;
        self.signals += u32::from(is_over);
        is_over
    }
}

/// The ticks of the processor that all descendants have used; none if one of them runs, or waits for a disk.
fn used_ticks() -> Option<u64> {
    let mut ticks = 0;
    for process in tree::descendants() {
        let folder = format!("/proc/{}", process.as_raw_pid());
        for thread in fs::read_dir(format!("{folder}/task")).into_iter().flatten().flatten() {
            let Ok(stat) = fs::read_to_string(thread.path().join("stat")) else { continue };
            // The name, in parentheses, may hold anything.
            let mut fields = stat.rsplit_once(") ")?.1.split(' ');
            let runs = matches!(fields.next(), Some("R" | "D"));
            let mut time = || fields.next().and_then(|ticks| ticks.parse::<u64>().ok());
            // The user and the system time are 10 fields behind the state.
            (0..10).for_each(|_| _ = time());
            ticks += time()? + time()?;
            if runs {
                return None;
            }
        }
    }
    Some(ticks)
}
