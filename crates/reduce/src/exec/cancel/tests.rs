//! A check ends with all its processes, however it is cancelled.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Command;

use rustix::process::{PidfdFlags, pidfd_open};

use super::*;

/// The signal that ends a process which leads a group of its own, or is in that of this process.
fn signal_after(is_leader: bool, end: impl FnOnce(&Cancel, End)) -> Option<i32> {
    let mut command = Command::new("sleep");
    command.arg("20");
    if is_leader {
        command.process_group(0);
    }
    let mut child = command.spawn().expect("there is a sleep");
    let pid = Pid::from_child(&child);
    let process = pidfd_open(pid, PidfdFlags::empty()).expect("it is there");
    end(&Cancel::default(), Box::new(move || end_forked(pid, &process)));
    child.wait().expect("it is there").signal()
}

#[test]
fn a_process_ends_in_its_group_and_outside_of_it() {
    for is_leader in [true, false] {
        let cancelled = signal_after(is_leader, |cancel, end| {
            cancel.register(end);
            cancel.cancel();
        });
        let forgotten = signal_after(is_leader, |cancel, end| cancel.end_and_forget(cancel.register(end)));
        let late = signal_after(is_leader, |cancel, end| {
            cancel.cancel();
            cancel.register(end);
        });
        assert_eq!([cancelled, forgotten, late], [Some(9); 3], "{is_leader}");
    }
}
