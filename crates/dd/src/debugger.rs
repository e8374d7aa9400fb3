//! Delta debugging of sequences with a closure as the test: the `DeltaDebugger` of *The Debugging Book* (chapter *Reducing
//! Failure-Inducing Inputs*), which runs, caches and counts tests, and reduces several arguments in turn.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::rc::Rc;

use super::arguments::Arguments;
use super::difference::{Arrangement, Difference};
use super::general::{Mode, dd};
use super::keep_list::KeepList;
use super::outcome::Outcome;
use super::precondition::Precondition;
use super::tester::Tester;

/// A test that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test<A> {
    /// The tested input.
    pub input: A,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The difference between a passing and a failing input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isolated<A> {
    /// The arguments that pass.
    pub passing: A,
    /// The arguments that fail.
    pub failing: A,
    /// The elements that only the failing arguments have: they are in a single argument, the others are empty.
    pub difference: A,
}

/// Minimises, maximises and isolates the cause of a failing test.
///
/// Equal inputs are tested once, and [`log`](Self::log) has the tests in order. The test has to
/// be deterministic. Use [`same_panic`](super::same_panic::same_panic) to test
/// a function that panics.
///
/// Characters:
///
/// ```
/// use mcve_dd::debugger::Debugger;
/// use mcve_dd::outcome::Outcome;
///
/// let fails = |text: &String| match (text.find('('), text.find(')')) {
///     (Some(open), Some(close)) if open < close => Outcome::Fail,
///     _ => Outcome::Pass,
/// };
/// let mut debugger = Debugger::new("1 + (2 * 3)".to_owned(), fails);
/// assert_eq!(debugger.minimise()?, "()");
/// assert_eq!(debugger.maximise()?, "1 + 2 * 3)");
/// let isolated = debugger.isolate()?;
/// assert_eq!(isolated.difference, "(");
/// assert_eq!((isolated.passing.as_str(), isolated.failing.as_str()), (" * 3)", "( * 3)"));
/// # Ok::<(), mcve_dd::precondition::Precondition>(())
/// ```
///
/// Lines, by a chosen algorithm:
///
/// ```
/// # use mcve_dd::debugger::Debugger;
/// # use mcve_dd::outcome::Outcome;
/// use mcve_dd::with_context::with_context;
///
/// let lines: Vec<&str> = "use a;\nuse b;\na();\nb();\n".split_inclusive('\n').collect();
/// let fails = |lines: &Vec<&str>| if lines.contains(&"b();\n") { Outcome::Fail } else { Outcome::Pass };
/// let mut debugger = Debugger::new(lines, fails);
/// assert_eq!(debugger.minimise_with(with_context)?, ["b();\n"]);
/// assert_eq!(debugger.tests(), 5);
/// # Ok::<(), mcve_dd::precondition::Precondition>(())
/// ```
///
/// Two arguments, in turn:
///
/// ```
/// # use mcve_dd::debugger::Debugger;
/// # use mcve_dd::outcome::Outcome;
/// let fails = |(haystack, needles): &(String, Vec<char>)| {
///     if haystack.chars().any(|it| needles.contains(&it)) { Outcome::Fail } else { Outcome::Pass }
/// };
/// let mut debugger = Debugger::new(("haystack".to_owned(), vec!['x', 'y', 'z']), fails);
/// assert_eq!(debugger.minimise()?, ("y".to_owned(), vec!['y']));
/// # Ok::<(), mcve_dd::precondition::Precondition>(())
/// ```
pub struct Debugger<A, T> {
    input: A,
    test: T,
    arrangement: Rc<Arrangement<'static>>,
    outcomes: HashMap<A, Outcome>,
    log: Vec<Test<A>>,
}

impl<A: Arguments, T: FnMut(&A) -> Outcome> Debugger<A, T> {
    /// Creates a debugger that tests parts of `input`.
    pub fn new(input: A, test: T) -> Self {
        let arrangement = Rc::new(Difference::elements);
        Self { input, test, arrangement, outcomes: HashMap::new(), log: Vec::new() }
    }

    /// Makes [`dd`] cut the elements into parts in another order, for related elements that are not
    /// neighbours. The arrangement has to contain all elements of each difference.
    #[must_use]
    pub fn arranged_by(self, arrangement: impl Fn(&Difference) -> Vec<usize> + 'static) -> Self {
        Self { arrangement: Rc::new(arrangement), ..self }
    }

    /// Arguments that still fail and from which no element can be removed: 1-minimal, by [`dd`] with [`Mode::Minimise`].
    ///
    /// Tests: those of `dd`, once for each argument and again for each that became shorter meanwhile.
    ///
    /// # Errors
    /// [`NotFailing`](Precondition::NotFailing) or [`NotReproduced`](Precondition::NotReproduced) when the input passes
    /// or is unresolved.
    pub fn minimise(&mut self) -> Result<A, Precondition> {
        let arrangement = Rc::clone(&self.arrangement);
        self.minimise_by(|keep, tester| Ok(dd(Difference::below(keep), Mode::Minimise, &*arrangement, tester)?.failing))
    }

    /// Like [`minimise`](Self::minimise), but by another algorithm of [`dd`](super). Their error type is generic, and
    /// no error can occur here.
    ///
    /// # Errors
    /// As [`minimise`](Self::minimise).
    pub fn minimise_with(
        &mut self,
        mut algorithm: impl FnMut(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Infallible>,
    ) -> Result<A, Precondition> {
        self.minimise_by(|keep, tester| match algorithm(keep, tester) {
            Ok(keep) => Ok(keep),
            Err(never) => match never {},
        })
    }

    fn minimise_by(
        &mut self,
        mut algorithm: impl FnMut(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Precondition>,
    ) -> Result<A, Precondition> {
        self.check()?;
        self.in_turn(KeepList::full, |keep, tester| if keep.is_empty() { Ok(keep) } else { algorithm(keep, tester) })
    }

    /// Arguments that pass and to which no element of the input can be added: 1-maximal, by [`dd`] with
    /// [`Mode::Maximise`]. It begins with empty arguments and fills the first ones first.
    ///
    /// Tests: those of `dd`, once for each argument and again for each when another became longer meanwhile.
    ///
    /// # Errors
    /// As [`minimise`](Self::minimise), and [`NotPassing`](Precondition::NotPassing) when empty arguments fail or no passing
    /// arguments were found.
    pub fn maximise(&mut self) -> Result<A, Precondition> {
        self.check()?;
        let arrangement = Rc::clone(&self.arrangement);
        let maximal = self.in_turn(KeepList::empty, |passing, tester| {
            let start = Difference { failing: KeepList::full(passing.universe()), passing };
            Ok(dd(start, Mode::Maximise, &*arrangement, tester)?.passing)
        })?;
        if self.outcome(&maximal) == Outcome::Pass { Ok(maximal) } else { Err(Precondition::NotPassing) }
    }

    /// Passing arguments, failing arguments, and their minimal difference: by [`dd`] with
    /// [`Mode::Isolate`] in the first argument that cannot be empty. The arguments before that are empty.
    ///
    /// Tests: those of `dd`, and one for each argument before.
    ///
    /// # Errors
    /// As [`minimise`](Self::minimise), and [`NotPassing`](Precondition::NotPassing) when empty arguments fail or no passing
    /// arguments were found.
    pub fn isolate(&mut self) -> Result<Isolated<A>, Precondition> {
        self.check()?;
        let arrangement = Rc::clone(&self.arrangement);
        let mut context: Vec<KeepList> = self.input.lengths().into_iter().map(KeepList::full).collect();
        for argument in 0..context.len() {
            let start = Difference::below(context[argument].clone());
            let mut turn = Turn { debugger: self, context: &context, argument };
            if turn.ask(&start.passing) == Outcome::Fail {
                context[argument] = start.passing;
                continue;
            }
            let found = dd(start, Mode::Isolate, &*arrangement, &mut turn)?;
            if turn.ask(&found.passing) == Outcome::Pass {
                let [passing, failing] = [&found.passing, &found.failing].map(|keep| turn.arguments(keep));
                let mut only: Vec<KeepList> = context.iter().map(|keep| KeepList::empty(keep.universe())).collect();
                only[argument] = KeepList::of(found.failing.universe(), found.elements());
                return Ok(Isolated { passing, failing, difference: self.input.keeping(&only) });
            }
        }
        Err(Precondition::NotPassing)
    }

    /// The number of tests that were run.
    #[must_use]
    pub fn tests(&self) -> usize {
        self.log.len()
    }

    /// The tests that were run, in order.
    #[must_use]
    pub fn log(&self) -> &[Test<A>] {
        &self.log
    }

    /// Checks that the input fails.
    fn check(&mut self) -> Result<(), Precondition> {
        match self.outcome(&self.input.clone()) {
            Outcome::Fail => Ok(()),
            Outcome::Pass => Err(Precondition::NotFailing),
            Outcome::Unresolved => Err(Precondition::NotReproduced),
        }
    }

    /// The outcome for these arguments, from the cache or a test.
    pub(super) fn outcome(&mut self, input: &A) -> Outcome {
        if let Some(&known) = self.outcomes.get(input) {
            return known;
        }
        let outcome = (self.test)(input);
        self.outcomes.insert(input.clone(), outcome);
        self.log.push(Test { input: input.clone(), outcome });
        outcome
    }

    /// Applies `step` to one argument after the other, with the kept parts of the others as context, until
    /// none changes.
    fn in_turn(
        &mut self,
        start: fn(usize) -> KeepList,
        mut step: impl FnMut(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Precondition>,
    ) -> Result<A, Precondition> {
        let mut context: Vec<KeepList> = self.input.lengths().into_iter().map(start).collect();
        let mut waiting: BTreeSet<usize> = (0..context.len()).collect();
        while let Some(argument) = waiting.pop_first() {
            let mut turn = Turn { debugger: self, context: &context, argument };
            let kept = step(context[argument].clone(), &mut turn)?;
            if kept != context[argument] {
                context[argument] = kept;
                waiting = (0..context.len()).filter(|&other| other != argument).collect();
            }
        }
        Ok(self.input.keeping(&context))
    }
}

/// Tests one argument with the others unchanged.
struct Turn<'a, A, T> {
    debugger: &'a mut Debugger<A, T>,
    context: &'a [KeepList],
    argument: usize,
}

impl<A: Arguments, T: FnMut(&A) -> Outcome> Turn<'_, A, T> {
    fn arguments(&self, keep: &KeepList) -> A {
        let mut kept = self.context.to_vec();
        kept[self.argument] = keep.clone();
        self.debugger.input.keeping(&kept)
    }

    fn ask(&mut self, keep: &KeepList) -> Outcome {
        let arguments = self.arguments(keep);
        self.debugger.outcome(&arguments)
    }
}

impl<A: Arguments, T: FnMut(&A) -> Outcome> Tester<Infallible> for Turn<'_, A, T> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        Ok(self.ask(keep))
    }
}
