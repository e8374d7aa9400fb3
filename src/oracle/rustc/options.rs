//! More options for a way of running rustc.

use std::ffi::OsString;
use std::path::Path;

use super::{Rustc, rustc_args};

impl Rustc {
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
