//! Starts processes, and kills them with all their descendants.
//!
//! On Linux, a [`Launcher`] uses three kinds of processes:
//!
//! ```text
//! mcve --- keeper -+- warden --- the process of a check --- whatever that starts
//!                  +- warden --- the process of a check --- ..
//! ```
//!
//! - The *keeper* is forked once, while mcve is small, and forks a warden for each launch.
//! - A *warden* starts one process, waits for it, and kills its remaining descendants. It is their subreaper
//!   (`PR_SET_CHILD_SUBREAPER`): a process whose parent has died becomes the warden's child, in any group or session.
//!   So the warden kills its children until there are none left.
//! - A warden does so when its process has ended, when it is asked to ([`Stop::stop`]), and when mcve has ended, which closes
//!   their socket, even after `kill -9`.
//! - If a warden is killed, its process is killed with it (`PR_SET_PDEATHSIG`), and the keeper, which is a subreaper as
//!   well, kills the rest. So is mcve: if the keeper is killed, mcve kills the rest, and calls that wait return an error.
//! - In a sandbox, each process has a layer of Landlock of its own, and so cannot read the memory of the keeper and of wardens
//!   (they are forks of mcve, which knows secrets), nor signal them (from Linux 6.12).
//!
//! On other systems, a process leads a group, and the group is killed.

mod ended;
#[cfg(target_os = "linux")]
mod idle;
#[cfg(target_os = "linux")]
mod keeper;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(not(target_os = "linux"))]
#[path = "launcher_of_groups.rs"]
mod launcher;
#[cfg(target_os = "linux")]
mod message;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod request;
mod sandbox;
#[cfg(target_os = "linux")]
mod system;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod warden;

pub use ended::{Ended, Launch, Usage};
pub use launcher::{Launcher, Running, Stop};
pub use sandbox::{Held, Sandbox};
