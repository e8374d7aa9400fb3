//! A seccomp filter: forbids sockets to other programs, the user's keys, and changes of other processes and of the
//! system itself.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

/// System calls that no check needs. Most of them need privileges that only root has. `io_uring` would bypass
/// this filter.
const FORBIDDEN: [libc::c_long; 29] = [
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kexec_file_load,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_perf_event_open,
    libc::SYS_pivot_root,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
];

/// System calls for memory, semaphores and messages that all processes of the user share, and that outlive them.
const SHARED: [libc::c_long; 13] = [
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_msgctl,
    libc::SYS_msgget,
    libc::SYS_msgrcv,
    libc::SYS_msgsnd,
    libc::SYS_semctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmget,
];

/// System calls that set how a process is scheduled, and the index of the argument that is 0 for the calling one.
const SCHEDULING: [(libc::c_long, u8); 6] = [
    (libc::SYS_ioprio_set, 1),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_setpriority, 1),
];

/// System calls that give access to I/O ports.
#[cfg(target_arch = "x86_64")]
const PORTS: [libc::c_long; 2] = [libc::SYS_ioperm, libc::SYS_iopl];
#[cfg(not(target_arch = "x86_64"))]
const PORTS: [libc::c_long; 0] = [];

/// Installs the filter; returns whether the system supports it. A process that is separate from others may use its own network
/// and shared memory. Fails when the filter is supported but cannot be built.
pub(super) fn forbid(is_separate: bool) -> io::Result<bool> {
    let Ok(target) = TargetArch::try_from(std::env::consts::ARCH) else { return Ok(false) };
    let filter = program(is_separate, target).map_err(io::Error::other)?;
    match apply_filter(&filter) {
        Ok(()) => Ok(true),
        // The kernel does not support it.
        Err(Error::Prctl(_) | Error::Seccomp(_)) => Ok(false),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn program(is_separate: bool, target: TargetArch) -> Result<BpfProgram, seccompiler::BackendError> {
    let shared = if is_separate { &[][..] } else { &SHARED };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        FORBIDDEN.iter().chain(&PORTS).chain(shared).map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_socket, sockets(is_separate)?);
    // The resource limits of another process.
    let other = vec![argument(0, Compare::Ne, 0)?, pointer(2, Compare::Ne, 0)?];
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(other)?]);
    for (call, index) in SCHEDULING {
        rules.insert(call, vec![SeccompRule::new(vec![argument(index, Compare::Ne, 0)?])?]);
    }
    let forbidden = SeccompAction::Errno(libc::EPERM as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, forbidden, target)?.try_into()
}

/// The rules for forbidden sockets: all except for those in a separate network. (`socketpair` is another call.)
fn sockets(is_separate: bool) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    if !is_separate {
        return Ok(Vec::new());
    }
    let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
    let others = families.map(|family| argument(0, Compare::Ne, family)).into_iter().collect::<Result<_, _>>()?;
    Ok(vec![SeccompRule::new(others)?])
}

fn argument(index: u8, compare: Compare, value: libc::c_int) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(index, Length::Dword, compare, value as u64)
}

fn pointer(index: u8, compare: Compare, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(index, Length::Qword, compare, value)
}
