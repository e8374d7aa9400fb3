//! Starts processes, and ends them with all that they started.
//!
//! On Linux three kinds of processes stand behind a [`Launcher`]:
//!
//! ```text
//! mcve --- keeper -+- warden --- the process of a check --- whatever that starts
//!                  +- warden --- the process of a check --- ..
//! ```
//!
//! - The *keeper* is forked once, while mcve is small, and forks a warden for each process that is wanted.
//! - A *warden* starts one process, waits for it, and ends all that is left of it. It is the subreaper of its descendants
//!   (`PR_SET_CHILD_SUBREAPER`): one whose parent has died becomes the warden's child, whatever group or session it is in.
//!   So to end all of them is to kill the warden's children until there are none.
//! - A warden does so when its process has ended, when it is asked to ([`Stop::stop`]), and when mcve has ended, which it
//!   sees by the end of their socket, also after `kill -9`.
//! - Where a warden is killed, its process is killed with it (`PR_SET_PDEATHSIG`), and the keeper, which is a subreaper as
//!   well, ends what is left. Where the keeper is killed, wardens go on, and the next launch forks a new keeper.
//!
//! Elsewhere a process leads a group, and the group is killed.

mod ended;
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
