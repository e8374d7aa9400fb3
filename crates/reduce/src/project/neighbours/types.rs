//! Files of Rust and the files that they name.

use std::ops::Range;
use std::path::PathBuf;

use crate::oracle::headers::Auxiliary;

/// A file of Rust with those of its modules.
pub(super) struct RustFile {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) modules: Vec<Module>,
    pub(super) included: Vec<Included>,
}

/// A module in a file of its own.
pub(super) struct Module {
    pub(super) item: Range<usize>,
    /// The attributes that say where the file is.
    pub(super) attributes: Vec<Range<usize>>,
    pub(super) file: Named<RustFile>,
}

pub(super) struct Included {
    /// The literal that names it.
    pub(super) literal: Range<usize>,
    pub(super) path: Named<PathBuf>,
}

/// A file that a program names.
pub(super) enum Named<T> {
    Own(T),
    /// It is out of bounds, at this path.
    Foreign(PathBuf),
}

impl<T> Named<T> {
    pub(super) fn own(&self) -> Option<&T> {
        match self {
            Self::Own(own) => Some(own),
            Self::Foreign(_) => None,
        }
    }
}

/// A crate that the root file needs.
pub(super) struct Needed {
    pub(super) auxiliary: Auxiliary,
    /// The arguments that its own headers ask for.
    pub(super) arguments: Vec<String>,
    pub(super) root: RustFile,
}

impl RustFile {
    /// Its path and those of its modules.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let modules = self.modules.iter().filter_map(|module| module.file.own()).flat_map(Self::paths);
        std::iter::once(self.path.clone()).chain(modules).collect()
    }

    /// Whether it names a file that is out of bounds, by itself.
    pub(super) fn names_foreign(&self) -> bool {
        self.modules.iter().any(|module| module.file.own().is_none())
            || self.included.iter().any(|included| included.path.own().is_none())
    }
}
