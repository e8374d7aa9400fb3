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
        let (target, stdin) = (self.target.clone(), self.stdin.clone());
        Runner {
            rustc,
            target,
            stdin,
            is_traced: false,
            is_dynamic: true,
            is_exact: false,
            skipped: Vec::new(),
            seconds: SECONDS,
            processor: None,
        }
    }
}
