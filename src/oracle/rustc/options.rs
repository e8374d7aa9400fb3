//! More options for a way of running rustc.

use std::ffi::OsString;
use std::path::Path;

use super::{Rustc, rustc_args};

/// With this word rustc looks for no errors but those in names.
const NAMES: &str = "--emit=dep-info";

impl Rustc {
    /// The same, where it looks for errors in types as well.
    #[must_use]
    pub fn checking_types(&self) -> Self {
        let mut way = self.clone();
        way.args.iter_mut().filter(|arg| **arg == NAMES).for_each(|arg| *arg = "--emit=metadata".into());
        way
    }

    /// The same with more options, which a user gives who stands in `folder`; an edition takes the place of another.
    #[must_use]
    pub fn with_options(&self, options: &[OsString], folder: &Path) -> Self {
        let mut way = self.clone();
        for name in ["--edition", "--crate-name"] {
            if rustc_args::has(options, name) {
                // It is in one word, as `adapt` leaves it.
                way.args.retain(|arg| !rustc_args::has(std::slice::from_ref(arg), name));
            }
        }
        way.args.extend(rustc_args::adapt(options, folder));
        way
    }
}
