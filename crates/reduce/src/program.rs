//! The program that is reduced: files, and the arguments of the compiler.

mod arguments;
mod change;
mod content;
mod file;
pub(crate) mod files;
mod hash;
mod language;
mod layout;
mod origin;
mod places;
mod size;

pub use arguments::Crate;
pub use change::Change;
pub use content::Program;
pub(crate) use file::files_hash;
pub use file::{File, FileKind, read_regular, write_files};
pub use files::{Files, collides, is_text, path_of};
pub use hash::ContentHash;
pub use language::Language;
pub(crate) use language::looks_like_rust;
pub use layout::{Layout, listed};
pub use places::{changed, edited};
pub use size::Size;
