//! A guess how a program is compiled.

use std::path::{Path, PathBuf};

use super::{Rustc, rustc_args};
use crate::oracle::headers::Headers;
use crate::program::Program;

/// The edition of a program that names none: most are of this one, or of an earlier one with the same lints.
const EDITION: &str = "--edition=2021";

impl Rustc {
    /// How rustc most likely compiles `program`, which has these headers, where only a script or command is given.
    #[must_use]
    pub fn guess(compiler: PathBuf, program: &Program, headers: &Headers, folder: &Path) -> Self {
        let mut rustc = Self::new(compiler, headers, &[], folder).naming(program);
        let (text, args) = (program.root(), &mut rustc.args);
        if !rustc_args::has(args, "--edition") {
            args.push(EDITION.into());
        }
        // Without its roots all of a program is dead.
        let is_set = rustc_args::has(args, "--crate-type") || rustc_args::has(args, "--test");
        if !is_set && text.contains("#[test]") {
            args.push("--test".into());
        } else if !is_set && !text.contains("fn main") {
            args.push("--crate-type=lib".into());
        }
        rustc
    }
}
