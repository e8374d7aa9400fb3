//! The places for results. A file on disk always shows the failure: it is written beside its place, synced and renamed. A device or a
//! pipe is written to once, at the end. A file that mcve did not write is kept under another name before a result replaces it.

mod backup;
mod destination;
mod in_place;
mod names;
mod replace;
mod result_file;
mod target;
mod tree;

pub use backup::{backup, put_aside_message};
pub use destination::Output;
pub(crate) use in_place::back_up_all;
pub use in_place::put;
pub(crate) use names::with_end;
pub use names::{default_path, program_name};
pub(crate) use replace::sync_folder;
pub use result_file::{ResultFile, tokens};
pub use target::real_path;
pub use target::{folder, same_file};
