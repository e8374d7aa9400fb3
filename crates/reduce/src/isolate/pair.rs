//! The two programs, as reductions of one, and the one place where they change.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use mcve_transforms::{Analysis, Measure, Reduction, Rule, Source, Transform, Tree, enumerate, named, tokens};

use super::compiles::CompilerErrors;
use crate::admissible::Admissible;
use crate::check::checks::Checks;
use crate::check::limits::Stop;
use crate::check::mutants::failing_tests;
use crate::event::{Event, Observer};
use crate::program::{Language, Program};
use mcve_dd::general::Mode;
use mcve_dd::outcome::Outcome;

/// A program that fails and, once there is one, a program that passes.
pub(crate) struct IsolationPair<'a> {
    pub checks: Checks,
    pub observer: &'a mut dyn Observer,
    pub(super) mode: Mode,
    pub(super) base: Program,
    pub(super) source: Rc<Source>,
    pub(super) enabled: Vec<&'static Transform>,
    /// Which reductions keep the failure meaningful.
    admissible: Admissible,
    compiler_errors: CompilerErrors,
    /// The attempts inside of reductions: site, transform, rank, kind, and how many were shared.
    pub(super) tried: HashSet<(Range<usize>, &'static str, usize, usize, usize)>,
    /// Applied to both programs.
    pub(super) shared: Vec<Reduction>,
    /// Applied to the passing one only.
    pub(super) difference: Vec<Reduction>,
    /// Other small changes with which the program of the user passes.
    pub(super) others: Vec<Reduction>,
    /// The tests of the program of the user that fail, once they are known.
    failing_tests: Option<Vec<String>>,
}

impl<'a> IsolationPair<'a> {
    /// A pair that begins at `base`, which fails. In the mode [`Mode::Maximise`] the failing program stays `base`.
    pub(crate) fn new(
        base: Program,
        mode: Mode,
        enabled: Vec<&'static Transform>,
        checks: Checks,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let source = Rc::new(Source::parse(&*base.text));
        let admissible = Admissible::of(&**checks.oracle(), &base);
        let compiler_errors = CompilerErrors::beyond(base.clone());
        let (tried, shared, difference, others) = (HashSet::new(), Vec::new(), Vec::new(), Vec::new());
        Self {
            checks,
            observer,
            mode,
            base,
            source,
            enabled,
            admissible,
            compiler_errors,
            tried,
            shared,
            difference,
            others,
            failing_tests: None,
        }
    }

    /// Whether there is a program that passes.
    pub(crate) fn is_paired(&self) -> bool {
        !self.difference.is_empty()
    }

    pub(crate) fn failing(&self) -> Program {
        self.with(&self.shared)
    }

    /// The program that passes, or the failing one if there is none.
    pub(crate) fn passing(&self) -> Program {
        self.with(self.shared.iter().chain(&self.difference))
    }

    /// The size of the difference in tokens and bytes: what only one of the two has; a replacement counts all it replaces.
    pub(crate) fn distance(&self) -> Measure {
        distance(&self.failing(), &self.passing(), &self.difference)
    }

    /// The program of the user with `reductions` applied.
    pub(super) fn with<'r>(&self, reductions: impl IntoIterator<Item = &'r Reduction>) -> Program {
        self.base.reduced_by(reductions)
    }

    /// The reductions that the enabled transforms among `names` propose for the program of the user, in source order.
    pub(super) fn proposals(&self, names: &[&str]) -> Result<Vec<Reduction>, Stop> {
        let mut transforms: Vec<&'static Transform> = names.iter().flat_map(|name| named(name)).collect();
        transforms.retain(|transform| {
            self.enabled.contains(transform)
                && !matches!(transform.rule, Rule::Hinted(_) | Rule::Observed(_) | Rule::Covered(_))
        });
        self.checks.clock.in_time(|| {
            let tree = Tree::new(&self.source);
            let names = Analysis::of(&tree);
            let proposed = transforms.into_iter().flat_map(|transform| enumerate(&names, transform));
            let mut reductions = self.admissible.apply(&tree, proposed, &mut |_, _| {});
            reductions.sort_by_key(|reduction| (reduction.site.start, std::cmp::Reverse(reduction.site.end)));
            reductions
        })
    }

    /// The outcome of `program`; unresolved where it passes and does not compile.
    pub(super) fn outcome(&mut self, program: &Program) -> Result<Outcome, Stop> {
        let outcome = self.checks.outcome(program, self.observer)?;
        let is_doubtful = outcome == Outcome::Pass && program.language == Language::Rust;
        if is_doubtful && !self.compiler_errors.are_none_in(program, &mut self.checks)? {
            return Ok(Outcome::Unresolved);
        }
        Ok(outcome)
    }

    /// The tests that fail in `program` and not in that of the user.
    pub(crate) fn broken_tests(&mut self, program: &Program) -> Result<Vec<String>, Stop> {
        if self.failing_tests.is_none() {
            self.failing_tests = Some(failing_tests(&mut self.checks, &self.base)?);
        }
        let known = self.failing_tests.iter().flatten().cloned().collect::<HashSet<_>>();
        let failing = failing_tests(&mut self.checks, program)?;
        Ok(failing.into_iter().filter(|test| !known.contains(test)).collect())
    }

    /// Replaces the two programs if the new ones fail and pass, and differ by less or by fewer reductions. Returns whether it did.
    pub(super) fn adopt(&mut self, shared: Vec<Reduction>, mut difference: Vec<Reduction>) -> Result<bool, Stop> {
        difference.retain(|reduction| !shared.iter().any(|other| is_same(other, reduction)));
        let (failing, passing) = (self.with(&shared), self.with(shared.iter().chain(&difference)));
        let distance = distance(&failing, &passing, &difference);
        // A reduction that changes nothing beside the others is one too many.
        let is_worse = || self.is_paired() && (distance, difference.len()) >= (self.distance(), self.difference.len());
        if difference.is_empty() || self.mode == Mode::Maximise && !shared.is_empty() || is_worse() {
            return Ok(false);
        }
        if self.outcome(&failing)? != Outcome::Fail || self.outcome(&passing)? != Outcome::Pass {
            return Ok(false);
        }
        let is_news = !self.is_paired() || distance.tokens < self.distance().tokens;
        (self.shared, self.difference) = (shared, difference);
        if is_news {
            self.observer.event(&Event::Narrowed { tokens: distance.tokens, checks: self.checks() });
        }
        Ok(true)
    }

    /// The number of candidates that were run, including those that were only compiled.
    pub(crate) fn checks(&self) -> usize {
        self.checks.tally.checks + self.checks.tally.outputs
    }
}

/// The size of the difference of two programs, of which `passing` is `failing` with `difference` applied.
fn distance(failing: &Program, passing: &Program, difference: &[Reduction]) -> Measure {
    let added = || difference.iter().flat_map(|reduction| &reduction.edits).map(|edit| edit.text.as_str());
    let (before, after) = (failing.measure(), passing.measure());
    let tokens = before.tokens + 2 * added().map(|text| tokens(text).len()).sum::<usize>();
    let bytes = before.bytes + 2 * added().map(str::len).sum::<usize>();
    Measure { tokens: tokens.saturating_sub(after.tokens), bytes: bytes.saturating_sub(after.bytes) }
}

pub(super) fn is_same(a: &Reduction, b: &Reduction) -> bool {
    a.site == b.site && a.edits == b.edits
}
