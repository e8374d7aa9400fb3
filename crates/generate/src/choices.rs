//! The source of a generator's decisions: random, or from a trace.

use std::collections::HashSet;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub use super::halt::Halt;
use super::plan::Plan;
use super::question::{Question, Times, Value};
use super::replay::{Alignment, Replay};
use super::trace::{Kind, Recorder, Trace};
use mcve_dd::random::Random;

/// The default limit for the number of nodes in a trace.
pub const LIMIT: usize = 1_000_000;

/// The choices of a generator. Each decision is recorded with its place and nesting.
///
/// A *place* is a word that names a place in the generator. A reduced trace is matched with the generator by places,
/// so decisions of different meaning need different places.
///
/// If the trace does not answer (a re-aligned run at a place that the trace does not have), the answer is the simplest
/// one: the first option, the number nearest to 0, no, the fewest turns. So a generator that lists its simplest option
/// first terminates and shrinks.
pub struct Choices {
    source: Source,
    recorder: Recorder,
    limit: usize,
    unused: i64,
    ranks: Vec<u64>,
    fallback: Option<Fallback>,
}

/// Answers where the trace has none, for a generator whose simplest answers may make it go on for ever.
struct Fallback {
    random: Random,
    /// The places where the simplest answer has been given.
    given: HashSet<String>,
}

impl Fallback {
    fn answer(&mut self, place: &str, question: &Question) -> Value {
        if self.given.insert(place.to_owned()) { question.simplest() } else { question.draw(&mut self.random) }
    }
}

enum Source {
    Random(Random),
    Trace(Replay),
}

/// The turns of a loop: for each, its part of the trace, if the trace has it.
pub(super) type Turns = Vec<Option<usize>>;

impl Choices {
    /// Random choices, determined by the seed. At most `limit` nodes are recorded.
    pub fn random(seed: u64, limit: usize) -> Self {
        Self::of(Source::Random(Random::new(seed)), 0, limit)
    }

    /// The choices of `trace` as changed by `plan`.
    pub(super) fn replay(trace: &Arc<Trace>, plan: Plan, alignment: Alignment, limit: usize) -> Self {
        Self::of(Source::Trace(Replay::new(Arc::clone(trace), plan, alignment)), trace.unused(), limit)
    }

    fn of(source: Source, unused: i64, limit: usize) -> Self {
        Self { source, recorder: Recorder::default(), limit, unused, ranks: Vec::new(), fallback: None }
    }

    /// Says that the options of this generator are in no order, and that the simplest answers may make it go on for ever,
    /// as of one that was not written to be reduced. What the trace does not answer is then the simplest answer once at
    /// each place, and random ones later; and a group that the trace lacks does what the smallest one of the same name did.
    /// The name of a group is its place up to `@`.
    pub fn unordered(&mut self) {
        self.fallback = Some(Fallback { random: Random::new(0), given: HashSet::new() });
        if let Source::Trace(replay) = &mut self.source {
            replay.borrow_calls();
        }
    }

    /// Chooses one of several options. The trace records its displayed name, which identifies it among other options, too.
    ///
    /// # Errors
    /// When the run has to end; then all later calls fail as well.
    ///
    /// # Panics
    /// When there are no options.
    pub fn choose<'o, T: Display>(&mut self, place: &str, options: &'o [T]) -> Result<&'o T, Halt> {
        self.option(place, options, options.iter().map(|option| (1, option.to_string())).collect())
    }

    /// Chooses one of several options by weight. An option of weight 0 is never drawn, but can be the simplest.
    ///
    /// # Panics
    /// When there are no options.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn weighted<'o, T: Display>(&mut self, place: &str, options: &'o [(u32, T)]) -> Result<&'o T, Halt> {
        let names = options.iter().map(|(weight, option)| (*weight, option.to_string())).collect();
        self.option(place, options, names).map(|(_, option)| option)
    }

    fn option<'o, T>(&mut self, place: &str, options: &'o [T], names: Vec<(u32, String)>) -> Result<&'o T, Halt> {
        assert!(!options.is_empty(), "there is something to choose from at `{place}`");
        let question = Question::Options(names);
        let value = self.decide(place, &question)?;
        let Question::Options(names) = question else { unreachable!("it was made of options") };
        let position = names.iter().position(|(_, name)| value == Value::Name(name.clone()));
        Ok(&options[position.expect("the answer is one of the options")])
    }

    /// Chooses a number of the range.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn range(&mut self, place: &str, range: RangeInclusive<i64>) -> Result<i64, Halt> {
        match self.decide(place, &Question::Range(range))? {
            Value::Number(number) => Ok(number),
            Value::Name(_) => unreachable!("a range has numbers"),
        }
    }

    /// Yes with a chance of `percent` in a hundred. For code that runs only after yes, prefer
    /// [`optional`](Self::optional), which can be reduced.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn flip(&mut self, place: &str, percent: u8) -> Result<bool, Halt> {
        Ok(self.decide(place, &Question::Flip(percent))? == Value::Number(1))
    }

    fn decide(&mut self, place: &str, question: &Question) -> Result<Value, Halt> {
        let node = self.find(place, &Kind::Decision(Value::Number(0)))?;
        let answer = match (&self.source, node) {
            (Source::Trace(replay), Some(node)) => replay.answer(node),
            _ => None,
        };
        let known = answer.as_ref().and_then(|answer| question.value(answer));
        if let (Some(_), None, Source::Trace(replay)) = (&answer, &known, &mut self.source) {
            replay.infeasible(place)?;
        }
        let value = match (known, &mut self.source, &mut self.fallback) {
            (Some(value), ..) => value,
            (None, Source::Random(random), _) => question.draw(random),
            (None, Source::Trace(_), Some(fallback)) => fallback.answer(place, question),
            (None, Source::Trace(_), None) => question.simplest(),
        };
        self.record(place, Kind::Decision(value.clone()))?;
        self.ranks.push(question.rank(&value));
        Ok(value)
    }

    /// A number that no other call in this run returns. It stays the same in reduced traces, so names made of it
    /// stay when others are removed.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn fresh(&mut self, place: &str) -> Result<i64, Halt> {
        let node = self.find(place, &Kind::Fresh(0))?;
        let known = match (&self.source, node) {
            (Source::Trace(replay), Some(node)) => replay.fresh(node),
            _ => None,
        };
        let number = known.unwrap_or_else(|| {
            self.unused += 1;
            self.unused - 1
        });
        self.record(place, Kind::Fresh(number))?;
        Ok(number)
    }

    /// A loop whose turns a reduction can remove. Returns the results of the turns.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn repeat<T>(
        &mut self,
        place: &str,
        times: impl Into<Times>,
        mut turn: impl FnMut(&mut Self) -> Result<T, Halt>,
    ) -> Result<Vec<T>, Halt> {
        let turns = self.begin_loop(place, &times.into())?;
        let mut returned = Vec::with_capacity(turns.len());
        for part in turns {
            self.begin_part(part)?;
            returned.push(turn(self)?);
            self.end()?;
        }
        self.end()?;
        Ok(returned)
    }

    /// Runs `block` with a chance of `percent` in a hundred; a reduction can remove it. Returns its result, if it
    /// ran.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn optional<T>(
        &mut self,
        place: &str,
        percent: u8,
        block: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<Option<T>, Halt> {
        let part = self.begin_selection(place, percent)?;
        let returned = match part {
            Some(part) => {
                self.begin_part(part)?;
                let returned = block(self)?;
                self.end()?;
                Some(returned)
            }
            None => None,
        };
        self.end()?;
        Ok(returned)
    }

    /// A part of the generator that is called from several places or recursively. It keeps a re-aligned run in step: a
    /// mismatch inside does not affect later decisions.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn group<T>(&mut self, place: &str, call: impl FnOnce(&mut Self) -> Result<T, Halt>) -> Result<T, Halt> {
        self.begin_group(place)?;
        let returned = call(self)?;
        self.end()?;
        Ok(returned)
    }

    /// Begins a loop and returns its turns. Each turn needs [`Self::begin_part`] and [`Self::end`]; [`Self::end`] then
    /// ends the loop.
    pub(super) fn begin_loop(&mut self, place: &str, times: &Times) -> Result<Turns, Halt> {
        let node = self.find(place, &Kind::Loop)?;
        let turns = match &mut self.source {
            Source::Random(random) => vec![None; times.draw(random)],
            Source::Trace(replay) => {
                let parts = node.map(|node| replay.parts(node)).unwrap_or_default();
                let count = parts.len().clamp(times.least, times.most());
                if count != parts.len() && node.is_some() {
                    replay.infeasible(place)?;
                }
                parts.into_iter().map(Some).chain(std::iter::repeat(None)).take(count).collect()
            }
        };
        self.open(place, Kind::Loop)?;
        Ok(turns)
    }

    /// Begins a selection. Returns none if it is not selected, else its part of the trace, if the trace has it. The
    /// caller begins and ends the part if it is selected, and then ends the selection.
    pub(super) fn begin_selection(&mut self, place: &str, percent: u8) -> Result<Option<Option<usize>>, Halt> {
        let node = self.find(place, &Kind::Selection)?;
        let part = match &mut self.source {
            Source::Random(random) => (random.below(100) < u64::from(percent)).then_some(None),
            Source::Trace(replay) => node.and_then(|node| replay.parts(node).first().copied()).map(Some),
        };
        self.open(place, Kind::Selection)?;
        Ok(part)
    }

    /// Begins a part of the open loop or selection.
    pub(super) fn begin_part(&mut self, part: Option<usize>) -> Result<(), Halt> {
        if let Source::Trace(replay) = &mut self.source {
            replay.enter(part);
        }
        self.open("", Kind::Part)
    }

    pub(super) fn begin_group(&mut self, place: &str) -> Result<(), Halt> {
        let node = self.find(place, &Kind::Group)?;
        if let Source::Trace(replay) = &mut self.source {
            replay.enter_group(place, node);
        }
        self.open(place, Kind::Group)
    }

    /// Ends the innermost open node.
    pub(super) fn end(&mut self) -> Result<(), Halt> {
        if let (Source::Trace(replay), Some(Kind::Part | Kind::Group)) = (&mut self.source, self.recorder.innermost()) {
            replay.leave()?;
        }
        if self.recorder.close() { Ok(()) } else { Err(Halt::Broken("there is nothing to end".to_owned())) }
    }

    /// The recorded trace, and the rank of each of its decisions, at the end of the run.
    pub(super) fn finish(mut self) -> Result<(Trace, Vec<u64>), Halt> {
        if let Source::Trace(replay) = &mut self.source {
            replay.leave()?;
        }
        let trace = self.recorder.finish();
        let trace = trace.ok_or_else(|| Halt::Broken("the run ended inside of a part or group".to_owned()))?;
        Ok((trace, self.ranks))
    }

    /// The node of the trace for the next event, if the trace has it.
    fn find(&mut self, place: &str, kind: &Kind) -> Result<Option<usize>, Halt> {
        match &mut self.source {
            Source::Random(_) => Ok(None),
            Source::Trace(replay) => replay.seek(place, kind),
        }
    }

    fn open(&mut self, place: &str, kind: Kind) -> Result<(), Halt> {
        self.check_room()?;
        self.recorder.open(place, kind);
        Ok(())
    }

    fn record(&mut self, place: &str, kind: Kind) -> Result<(), Halt> {
        self.check_room()?;
        self.recorder.add(place, kind);
        Ok(())
    }

    fn check_room(&self) -> Result<(), Halt> {
        if self.recorder.len() < self.limit { Ok(()) } else { Err(Halt::Endless(self.limit)) }
    }
}
