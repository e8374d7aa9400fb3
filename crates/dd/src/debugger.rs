//! Delta debugging of sequences with a closure as the test: the `DeltaDebugger` of *The Debugging Book* (chapter *Reducing
//! Failure-Inducing Inputs*), which runs, caches and counts tests, and reduces several arguments in turn.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::rc::Rc;

use super::arguments::{Arguments, Input, Shown, containing};
use super::difference::{Arrangement, Difference};
use super::general::{Mode, dd};
use super::isolating::{IsolatingAlgorithm, isolate};
use super::keep_list::KeepList;
use super::log::{Event, call};
use super::outcome::{Outcome, Report};
use super::precondition::Precondition;
use super::tester::{Step, Tester};

/// A test that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test<A> {
    /// The tested input.
    pub input: A,
    /// Its outcome.
    pub outcome: Outcome,
    /// The message of its failure, if the test has [reported](Report) one.
    pub message: Option<String>,
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
/// Equal texts are tested once, and so is each selection of other elements; [`log`](Self::log) has the tests in order. Use
/// [`same_panic`](super::same_failure::same_panic) to test a function that panics, and
/// [`same_error`](super::same_failure::same_error) to test one that returns an error.
///
/// The test should be deterministic. If it is not, the first outcome of an input counts: what happened to pass is never
/// tried again, so the result is larger than necessary, and what happened to fail is kept, so the result may fail rarely.
/// Run a flaky test several times in the closure, and return `Fail` if one run fails.
///
/// Lines, by a chosen algorithm:
///
/// ```
/// use mcve_dd::{Debugger, Outcome, ddmin};
///
/// let lines: Vec<&str> = "use a;\nuse b;\na();\nb();\n".split_inclusive('\n').collect();
/// let fails = |lines: &Vec<&str>| Outcome::fail_if(lines.contains(&"b();\n"));
/// let mut debugger = Debugger::new(lines, fails);
/// assert_eq!(debugger.minimise_with(ddmin)?, ["b();\n"]);
/// assert_eq!(debugger.tests(), 6);
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
///
/// Two arguments, in turn:
///
/// ```
/// # use mcve_dd::{Debugger, Outcome};
/// let fails = |(haystack, needles): &(String, Vec<char>)| {
///     Outcome::fail_if(haystack.chars().any(|it| needles.contains(&it)))
/// };
/// let mut debugger = Debugger::new(("haystack".to_owned(), vec!['x', 'y', 'z']), fails);
/// assert_eq!(debugger.minimise()?, ("y".to_owned(), vec!['y']));
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
///
/// At most eight tests:
///
/// ```
/// # use mcve_dd::{Debugger, Outcome};
/// let fails = |numbers: &Vec<u32>| Outcome::fail_if(numbers.contains(&70));
/// let mut debugger = Debugger::new(Vec::from_iter(0..100), fails).at_most(8);
/// let smallest = debugger.minimise()?;
/// assert_eq!(smallest.len(), 12);
/// assert_eq!(debugger.smallest_failing(), Some(&smallest));
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
pub struct Debugger<A, T> {
    input: A,
    test: T,
    arrangement: Rc<Arrangement<'static>>,
    outcomes: HashMap<Key, Outcome>,
    log: Vec<Test<A>>,
    most_tests: usize,
    observer: Box<Observer<A>>,
}

type Observer<A> = dyn FnMut(&Event<'_, A>);

/// What tells inputs apart: their texts, where equal texts are equal inputs, or else the kept positions.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Texts(Vec<String>),
    Positions(Vec<Vec<usize>>),
}

impl<A: Arguments, T: FnMut(&A) -> R, R: Into<Report>> Debugger<A, T> {
    /// Creates a debugger that tests parts of `input`. The test takes a reference: `&String` (not `&str`) for a text,
    /// `&Vec<T>` for a list or slice, and a reference to the tuple for several arguments. It returns an [`Outcome`] or a
    /// [`Report`].
    pub fn new(input: impl Input<Arguments = A>, test: T) -> Self {
        Self {
            input: input.into_arguments(),
            test,
            arrangement: Rc::new(Difference::elements),
            outcomes: HashMap::new(),
            log: Vec::new(),
            most_tests: usize::MAX,
            observer: Box::new(|_| {}),
        }
    }

    /// Calls `observer` for each [event](Event): to show progress, or to [log](super::log::log_to).
    #[must_use]
    pub fn observed_by(self, observer: impl FnMut(&Event<'_, A>) + 'static) -> Self {
        Self { observer: Box::new(observer), ..self }
    }

    /// The minimal failing [`call`] of `function`, such as `mystery(inp="()")`, as the book prints a debugger.
    ///
    /// # Errors
    /// As [`minimise`](Self::minimise).
    pub fn minimal_call(&mut self, function: &str) -> Result<String, Precondition>
    where
        A: Shown,
    {
        Ok(call(function, &self.minimise()?))
    }

    /// Limits the number of tests. After that many, all inputs that were not tested yet count as unresolved, so each method
    /// ends soon with what it has found: `minimise` with the smallest input that failed, `isolate` with the smallest
    /// difference. With too few tests to begin with, they return [`Unresolved`](Precondition::Unresolved) or
    /// [`NotPassing`](Precondition::NotPassing).
    ///
    /// For a limit of time, return `Unresolved` from the test when the time is over.
    #[must_use]
    pub fn at_most(self, tests: usize) -> Self {
        Self { most_tests: tests, ..self }
    }

    /// Makes [`minimise`](Self::minimise), [`maximise`](Self::maximise) and [`isolate`](Self::isolate) cut the elements into
    /// parts in another order, for related elements that are not neighbours. The arrangement gets a difference and returns
    /// all of its [elements](Difference::elements) in the order wanted; if it omits or adds some, these methods panic.
    #[must_use]
    pub fn arranged_by(self, arrangement: impl Fn(&Difference) -> Vec<usize> + 'static) -> Self {
        Self { arrangement: Rc::new(arrangement), ..self }
    }

    /// Arguments that still fail and from which no element can be removed: 1-minimal, by [`dd`] with [`Mode::Minimise`].
    /// [`minimise_with`](Self::minimise_with)`(`[`ddmin`](super::ddmin::ddmin)`)` usually takes fewer tests, but its
    /// result need not be 1-minimal.
    ///
    /// Tests: those of `dd`, once for each argument and again for each that became shorter meanwhile.
    ///
    /// # Errors
    /// [`NotFailing`](Precondition::NotFailing) or [`Unresolved`](Precondition::Unresolved) when the input passes
    /// or is unresolved.
    pub fn minimise(&mut self) -> Result<A, Precondition> {
        let arrangement = Rc::clone(&self.arrangement);
        self.minimise_by(|keep, tester| Ok(dd(Difference::below(keep), Mode::Minimise, &*arrangement, tester)?.failing))
    }

    /// Like [`minimise`](Self::minimise), but by another algorithm, such as [`ddmin`](super::ddmin::ddmin) or a closure
    /// that calls several. It gets a list of all elements of an argument and a tester that never returns an error.
    ///
    /// # Errors
    /// As [`minimise`](Self::minimise).
    pub fn minimise_with(
        &mut self,
        mut algorithm: impl FnMut(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Infallible>,
    ) -> Result<A, Precondition> {
        self.minimise_by(|keep, tester| {
            let Ok(keep) = algorithm(keep, tester);
            Ok(keep)
        })
    }

    fn minimise_by(
        &mut self,
        algorithm: impl FnMut(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Precondition>,
    ) -> Result<A, Precondition> {
        self.check()?;
        let kept = self.in_turn(true, algorithm)?;
        Ok(self.input.keeping(&kept))
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
        let maximal = self.in_turn(false, |passing, tester| {
            let start = Difference { failing: KeepList::full(passing.universe()), passing };
            Ok(dd(start, Mode::Maximise, &*arrangement, tester)?.passing)
        })?;
        let passes = self.outcome(&self.input.keeping(&maximal), &maximal) == Outcome::Pass;
        if passes { Ok(self.input.keeping(&maximal)) } else { Err(Precondition::NotPassing) }
    }

    /// Passing arguments, failing arguments, and their difference, of which no element can be moved to either side: by
    /// [`isolate`] in the first argument that cannot be empty. The arguments before that are empty.
    ///
    /// It begins with empty arguments, which should pass, and all of the input. [`isolate_from`](Self::isolate_from)
    /// begins with other passing arguments.
    ///
    /// Tests: those of [`isolate`], and one for each argument before.
    ///
    /// # Errors
    /// As [`minimise`](Self::minimise), and [`NotPassing`](Precondition::NotPassing) when empty arguments fail or no passing
    /// arguments were found.
    pub fn isolate(&mut self) -> Result<Isolated<A>, Precondition> {
        self.isolate_with(isolate)
    }

    /// Like [`isolate`](Self::isolate), but by another algorithm, such as [`dd`] as in *The Debugging Book*:
    ///
    /// ```
    /// use mcve_dd::{Debugger, Mode, Outcome, dd};
    ///
    /// let mut debugger = Debugger::new("1 + (2".to_owned(), |text: &String| Outcome::fail_if(text.contains('(')));
    /// let isolated =
    ///     debugger.isolate_with(|start, arrangement, tester| dd(start, Mode::Isolate, arrangement, tester))?;
    /// assert_eq!(isolated.difference, "(");
    /// # Ok::<(), mcve_dd::Precondition>(())
    /// ```
    ///
    /// # Errors
    /// As [`isolate`](Self::isolate).
    pub fn isolate_with(&mut self, algorithm: IsolatingAlgorithm<Infallible>) -> Result<Isolated<A>, Precondition> {
        let passing: Vec<KeepList> = self.input.lengths().into_iter().map(KeepList::empty).collect();
        self.isolate_between(&passing, algorithm)
    }

    /// Like [`isolate`](Self::isolate), but begins with `passing`, a part of the input that passes, in place of empty
    /// arguments. For two versions of which neither is a part of the other, see [`difference`](super::difference).
    ///
    /// ```
    /// use mcve_dd::{Debugger, Outcome};
    ///
    /// // Only words that begin with `let` are a statement.
    /// let test = |words: &Vec<&str>| match words[..] {
    ///     ["let", ..] => Outcome::fail_if(words.contains(&"unsafe")),
    ///     _ => Outcome::Unresolved,
    /// };
    /// let mut debugger = Debugger::new(vec!["let", "x", "=", "unsafe", "{", "1", "}"], test);
    /// let isolated = debugger.isolate_from(&vec!["let", "x", "=", "1"])?;
    /// assert_eq!(isolated.difference, ["unsafe"]);
    /// # Ok::<(), mcve_dd::Precondition>(())
    /// ```
    ///
    /// # Errors
    /// As [`isolate`](Self::isolate), and [`NotContained`](Precondition::NotContained) when the input does not have all
    /// elements of `passing` in this order.
    pub fn isolate_from(&mut self, passing: &A) -> Result<Isolated<A>, Precondition>
    where
        A: PartialEq,
    {
        let passing = containing(&self.input, passing).ok_or(Precondition::NotContained)?;
        self.isolate_between(&passing, isolate)
    }

    fn isolate_between(
        &mut self,
        passing: &[KeepList],
        algorithm: IsolatingAlgorithm<Infallible>,
    ) -> Result<Isolated<A>, Precondition> {
        self.check()?;
        let arrangement = Rc::clone(&self.arrangement);
        let lengths = self.input.lengths();
        let mut context: Vec<KeepList> = lengths.iter().copied().map(KeepList::full).collect();
        for argument in (0..context.len()).filter(|&argument| lengths[argument] > 0) {
            (self.observer)(&Event::Argument(argument));
            let start = Difference { passing: passing[argument].clone(), failing: context[argument].clone() };
            let mut turn = Turn { debugger: self, context: &context, argument };
            if turn.ask(&start.passing) == Outcome::Fail {
                context[argument] = start.passing;
                self.hear_found(Some(argument), &context, false);
                continue;
            }
            let found = algorithm(start.clone(), &*arrangement, &mut turn)?;
            if turn.ask(&found.passing) == Outcome::Pass {
                let ends = [(true, &start.passing, &found.passing), (false, &start.failing, &found.failing)];
                let moved = ends.into_iter().filter(|(_, from, to)| from != to);
                let moved: Vec<_> = moved.map(|(passes, _, to)| (passes, turn.all(to))).collect();
                for argument in [Some(argument), None] {
                    moved.iter().for_each(|(passes, kept)| turn.debugger.hear_found(argument, kept, *passes));
                }
                let [passing, failing] = [&found.passing, &found.failing].map(|keep| turn.arguments(keep));
                let mut only: Vec<KeepList> = context.iter().map(|keep| KeepList::empty(keep.universe())).collect();
                only[argument] = KeepList::of(found.failing.universe(), found.elements());
                return Ok(Isolated { passing, failing, difference: self.input.keeping(&only) });
            }
        }
        Err(Precondition::NotPassing)
    }

    /// The failing arguments with the fewest elements of all that were tested, the first of several. A method that ended
    /// early or with an error may have left smaller ones here.
    pub fn smallest_failing(&self) -> Option<&A> {
        let failing = self.log.iter().filter(|test| test.outcome == Outcome::Fail).map(|test| &test.input);
        failing.min_by_key(|input| input.lengths().iter().sum::<usize>())
    }

    /// The number of tests that were run by all methods together. An outcome that was known is not counted.
    pub fn tests(&self) -> usize {
        self.log.len()
    }

    /// The tests that were run, in order.
    pub fn log(&self) -> &[Test<A>] {
        &self.log
    }

    /// Checks that the input fails.
    fn check(&mut self) -> Result<(), Precondition> {
        let whole: Vec<KeepList> = self.input.lengths().into_iter().map(KeepList::full).collect();
        match self.outcome(&self.input.clone(), &whole) {
            Outcome::Fail => Ok(()),
            Outcome::Pass => Err(Precondition::NotFailing),
            Outcome::Unresolved => Err(Precondition::Unresolved),
        }
    }

    /// The outcome for these arguments, from the cache or a test. Without texts they are told apart by what they keep of the
    /// input.
    pub(super) fn outcome(&mut self, input: &A, kept: &[KeepList]) -> Outcome {
        let key = match input.texts() {
            Some(texts) => Key::Texts(texts.into_iter().map(str::to_owned).collect()),
            None => Key::Positions(kept.iter().map(|keep| keep.kept().to_vec()).collect()),
        };
        if let Some(&known) = self.outcomes.get(&key) {
            return known;
        }
        if self.log.len() >= self.most_tests {
            return Outcome::Unresolved;
        }
        let report: Report = (self.test)(input).into();
        (self.observer)(&Event::Test { number: self.log.len() + 1, input, report: &report });
        self.outcomes.insert(key, report.outcome);
        self.log.push(Test { input: input.clone(), outcome: report.outcome, message: report.message });
        report.outcome
    }

    /// Applies `step` to one argument after the other, with the kept parts of the others as context, until none changes. It begins
    /// with all of them if it minimises, else with nothing. Returns what is kept of each.
    fn in_turn(
        &mut self,
        minimises: bool,
        mut step: impl FnMut(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Precondition>,
    ) -> Result<Vec<KeepList>, Precondition> {
        let start = if minimises { KeepList::full } else { KeepList::empty };
        let mut context: Vec<KeepList> = self.input.lengths().into_iter().map(start).collect();
        let (mut waiting, mut is_changed): (BTreeSet<usize>, _) = ((0..context.len()).collect(), false);
        while let Some(argument) = waiting.pop_first() {
            let keep = &context[argument];
            if keep.universe() == 0 || minimises && keep.is_empty() {
                continue;
            }
            (self.observer)(&Event::Argument(argument));
            let mut turn = Turn { debugger: self, context: &context, argument };
            let kept = step(keep.clone(), &mut turn)?;
            if kept != context[argument] {
                context[argument] = kept;
                self.hear_found(Some(argument), &context, !minimises);
                is_changed = true;
                waiting = (0..context.len()).filter(|&other| other != argument).collect();
            }
        }
        if is_changed {
            self.hear_found(None, &context, !minimises);
        }
        Ok(context)
    }

    fn hear_found(&mut self, argument: Option<usize>, kept: &[KeepList], passes: bool) {
        (self.observer)(&Event::Found { argument, arguments: &self.input.keeping(kept), passes });
    }
}

/// Tests one argument with the others unchanged.
struct Turn<'a, A, T> {
    debugger: &'a mut Debugger<A, T>,
    context: &'a [KeepList],
    argument: usize,
}

impl<A: Arguments, T: FnMut(&A) -> R, R: Into<Report>> Turn<'_, A, T> {
    /// What is kept of all arguments.
    fn all(&self, keep: &KeepList) -> Vec<KeepList> {
        let mut kept = self.context.to_vec();
        kept[self.argument] = keep.clone();
        kept
    }

    fn arguments(&self, keep: &KeepList) -> A {
        self.debugger.input.keeping(&self.all(keep))
    }

    fn ask(&mut self, keep: &KeepList) -> Outcome {
        let kept = self.all(keep);
        self.debugger.outcome(&self.debugger.input.keeping(&kept), &kept)
    }
}

impl<A: Arguments, T: FnMut(&A) -> R, R: Into<Report>> Tester<Infallible> for Turn<'_, A, T> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        Ok(self.ask(keep))
    }

    fn hear_round(&mut self, difference: &Difference, granularity: usize) {
        let [passing, failing] = [&difference.passing, &difference.failing].map(|keep| self.arguments(keep));
        (self.debugger.observer)(&Event::Round { passing: &passing, failing: &failing, granularity });
    }

    fn hear_step(&mut self, step: Step) {
        (self.debugger.observer)(&Event::Step(step));
    }
}
