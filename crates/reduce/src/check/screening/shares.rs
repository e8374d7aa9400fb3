//! Decides whether a batch of candidates pays, by how many of the latest candidates failed or were refused.

use crate::check::request::Reply;
use mcve_dd::outcome::Outcome;

/// The assumed shares of candidates that fail and that a compiler refuses, before anything is known.
const SHARES: [f64; 2] = [0.25, 0.5];

/// The weight of each new candidate.
const WEIGHT: f64 = 0.125;

/// A batch has at most so many candidates.
pub(super) const CANDIDATES: usize = 24;

/// A batch has at most so many bytes.
pub(super) const BYTES: usize = 256 * 1024;

/// The cost of a batch, where one check costs 1. Measured is 0.9 on programs of about 1,000 tokens; it has to pay by a third.
const BATCH: f64 = 1.2;

/// The additional cost of each candidate of a batch. Measured is 0.1.
const EACH: f64 = 0.15;

/// After so many useless batches in a row there are no more.
pub(super) const TRIES: usize = 3;

/// How many of the latest candidates failed or were refused.
#[derive(Clone, Copy, Debug)]
pub(in crate::check) struct Shares {
    /// The share of candidates that fail.
    pub(super) failing: f64,
    /// The share that a compiler refuses.
    pub(super) refused: f64,
    /// How many batches in a row showed an error in the original, or took too long.
    pub(super) not_compiled: usize,
    /// How many in a row did not run as the original does.
    pub(super) not_run: usize,
}

impl Default for Shares {
    fn default() -> Self {
        let [failing, refused] = SHARES;
        Self { failing, refused, not_compiled: 0, not_run: 0 }
    }
}

impl Shares {
    /// Learns from an answer that was new.
    pub(in crate::check) fn observe(&mut self, reply: &Reply) {
        let Some(result) = &reply.result else { return };
        let learn = |share: &mut f64, is_one: bool| *share += (if is_one { 1.0 } else { 0.0 } - *share) * WEIGHT;
        learn(&mut self.failing, reply.outcome() == Outcome::Fail);
        learn(&mut self.refused, result.failed_step.is_some());
    }

    /// The number of candidates of so many bytes for the next batch: about as many as come before one fails, as then all that is
    /// known of the others is of no use. 0 where a batch does not pay.
    pub(super) fn size(self, bytes: usize) -> usize {
        let most = CANDIDATES.min(BYTES / bytes.max(1));
        let size = most.min((1.0 / self.failing.max(0.01)) as usize);
        if self.not_compiled < TRIES && self.should_compile(size) { size } else { 0 }
    }

    pub(super) fn should_compile(self, count: usize) -> bool {
        pays(count, self.failing, self.refused)
    }

    /// Whether to run so many candidates that a compiler accepts as one program.
    pub(super) fn should_run(self, count: usize) -> bool {
        let failing = (self.failing / (1.0 - self.refused).max(0.01)).min(1.0);
        self.not_run < TRIES && pays(count, failing, 1.0 - failing)
    }
}

/// Whether a batch of `count` candidates saves more checks than it takes, where this share of the candidates fail, of which the first ends
/// the use of the batch, and this share of them need no check of their own.
fn pays(count: usize, failing: f64, saved: f64) -> bool {
    let count = count as f64;
    // 1 - (1 - failing)^count, also of a share so small that 1 is as much without it.
    let ended = -f64::exp_m1(count * f64::ln_1p(-failing));
    let used = if failing > 0.0 { ended / failing } else { count };
    used * saved > BATCH + EACH * count
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::check::request::Source;
    use crate::exec::job::{End, JobResult, Trust};
    use crate::oracle::Verdict;

    #[test]
    fn the_fewer_fail_the_more_are_in_a_batch_and_fewer_that_do_not_pay_are_in_none() {
        let mut shares = Shares::default();
        let observe = |shares: &mut Shares, outcome, failed_step| {
            let result = JobResult { failed_step, ..JobResult::ended(End::Exited(1)) };
            let (verdict, wall) = (Some(Verdict::new(outcome, "")), result.wall);
            let (result, trust, source) = (Some(Arc::new(result)), Trust::Likely, Source::Run);
            shares.observe(&Reply { verdict, result, trust, wall, source });
        };
        assert_eq!((shares.size(1), shares.should_run(24)), (0, false));
        (0..40).for_each(|_| observe(&mut shares, Outcome::Unresolved, Some(0)));
        assert_eq!(shares.size(1), CANDIDATES);
        (0..800).for_each(|_| observe(&mut shares, Outcome::Unresolved, Some(0)));
        assert_eq!([1, BYTES / 10, BYTES / 2].map(|bytes| shares.size(bytes)), [CANDIDATES, 10, 2]);
        assert_eq!([1, 2].map(|count| shares.should_run(count)), [false, true]);
        (0..40).for_each(|_| observe(&mut shares, Outcome::Unresolved, None));
        assert_eq!([shares.size(1), shares.size(BYTES / 10)], [0, 0]);
        (0..4).for_each(|_| observe(&mut shares, Outcome::Fail, None));
        assert!(!shares.should_run(3) && shares.failing > 0.3);
        assert!(!Shares { not_run: TRIES, ..shares }.should_run(24));
    }
}
