//! More options for a configuration of rustc.

use std::ffi::OsString;
use std::path::Path;

use super::Rustc;
use super::rustc_args;

/// With this argument rustc only looks for errors in names.
const NAMES: &str = "--emit=dep-info";

impl Rustc {
    /// A copy that looks for errors in types as well.
    pub(crate) fn checking_types(&self) -> Self {
        let mut rustc = self.clone();
        rustc.args.iter_mut().filter(|arg| **arg == NAMES).for_each(|arg| *arg = "--emit=metadata".into());
        rustc
    }

    /// A copy with more options of a user in `folder`. A new edition replaces another.
    pub(crate) fn with_options(&self, options: &[OsString], folder: &Path) -> Self {
        let mut rustc = self.clone();
        for name in ["--edition", "--crate-name"] {
            if rustc_args::has(options, name) {
                // It is in one word, as `adapt` leaves it.
                rustc.args.retain(|arg| !rustc_args::has(std::slice::from_ref(arg), name));
            }
        }
        rustc.args.extend(rustc_args::adapt(options, folder));
        rustc
    }
}
