//! A candidate has to be smaller than the best program, and something else than before.

use super::filter::Filter;
use super::proposal::Proposal;

/// Admits programs that are smaller than the best one, as reductions that exclude each other can make a larger set remove less,
/// but for the program before a transaction: nothing would be won.
pub(crate) struct Smaller;

impl Filter for Smaller {
    fn name(&self) -> &'static str {
        "smaller"
    }

    fn admits(&mut self, proposal: &Proposal<'_>) -> bool {
        let program = proposal.program();
        program.measure() < proposal.best.measure() && proposal.before.is_none_or(|before| before.text != program.text)
    }

    fn fork(&self) -> Box<dyn Filter> {
        Box::new(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use mcve_dd::keep_list::KeepList;

    /// Whether the base itself is admitted, where another program is the best, and another one was before.
    #[track_caller]
    fn check(base: &str, best: &str, before: Option<&str>, expected: bool) {
        let [base, best] = [base, best].map(|text| Program::new("a.rs", text));
        let before = before.map(|text| Program::new("a.rs", text));
        let none = KeepList::full(0);
        let proposal = Proposal { before: before.as_ref(), ..Proposal::new(&base, &best, &[], [&none, &none]) };
        assert_eq!(Smaller.admits(&proposal), expected);
    }

    #[test]
    fn only_what_is_smaller_than_the_best_is_admitted() {
        check("a", "a b", None, true);
        check("a b", "a b", None, false);
        check("a b c", "a b", None, false);
    }

    #[test]
    fn what_was_before_a_transaction_is_not_admitted() {
        check("a", "a b", Some("a"), false);
        check("a", "a b", Some("b"), true);
        check("a", "a b", None, true);
    }
}
