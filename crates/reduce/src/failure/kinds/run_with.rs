//! How a program is run.

use crate::oracle::run::{Runner, Stdin, Target};
use crate::oracle::rustc::Rustc;

/// The processor seconds allowed to a program that is not meant to hang.
pub(super) const SECONDS: u64 = 60;

#[derive(Clone, Debug)]
pub(in crate::failure) struct RunWith {
    pub(in crate::failure) target: Target,
    pub(in crate::failure) stdin: Option<Stdin>,
}

impl RunWith {
    pub(super) fn runner(&self, rustc: &Rustc) -> Runner {
        let is_test = matches!(self.target, Target::Test(_));
        let rustc = if is_test { rustc.as_tests() } else { rustc.clone() };
        Runner::new(rustc, self.target.clone(), self.stdin.clone(), SECONDS)
    }
}
