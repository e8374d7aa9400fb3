//! The decisions that a generator can ask for, and their values.

use std::ops::RangeInclusive;

use mcve_dd::random::Random;

/// The value of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// One of several options, by its name.
    Name(String),
    /// A number; 0 or 1 for a flip.
    Number(i64),
}

/// The answer to a question, instead of the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Value(Value),
    /// This number, which may be the name of an option.
    Number(i64),
    /// The value with this rank: 0 is the simplest one. Too large a rank is the largest one.
    Rank(u64),
}

/// A decision to make.
pub(super) enum Question {
    /// One of these, with the weight of each.
    Options(Vec<(u32, String)>),
    Range(RangeInclusive<i64>),
    /// 1 with this chance in a hundred, else 0.
    Flip(u8),
}

impl Question {
    pub(super) fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Options(options), Value::Name(name)) => options.iter().any(|(_, option)| option == name),
            (Self::Range(range), Value::Number(number)) => range.contains(number),
            (Self::Flip(_), Value::Number(number)) => (0..=1).contains(number),
            _ => false,
        }
    }

    /// The value that an answer stands for, if it is allowed.
    pub(super) fn value(&self, answer: &Answer) -> Option<Value> {
        match answer {
            Answer::Value(value) => self.allows(value).then(|| value.clone()),
            Answer::Number(number) => {
                let mut values = [Value::Number(*number), Value::Name(number.to_string())].into_iter();
                values.find(|value| self.allows(value))
            }
            Answer::Rank(rank) => Some(self.of_rank(*rank)),
        }
    }

    /// The place of a valid answer in the order from the simplest one on.
    pub(super) fn rank(&self, value: &Value) -> u64 {
        match (self, value) {
            (Self::Options(options), Value::Name(name)) => {
                options.iter().position(|(_, option)| option == name).map_or(0, |position| position as u64)
            }
            (Self::Range(range), Value::Number(number)) => {
                let simplest = 0.clamp(*range.start(), *range.end());
                let distance = number.abs_diff(simplest);
                match (simplest == *range.start() || simplest == *range.end(), *number > simplest) {
                    (true, _) => distance,
                    (false, true) => distance.saturating_mul(2).saturating_sub(1),
                    (false, false) => distance.saturating_mul(2),
                }
            }
            (Self::Flip(_), Value::Number(number)) => u64::from(*number != 0),
            _ => 0,
        }
    }

    fn of_rank(&self, rank: u64) -> Value {
        match self {
            Self::Options(options) => {
                let last = options.len().saturating_sub(1);
                Value::Name(options[usize::try_from(rank).unwrap_or(last).min(last)].1.clone())
            }
            Self::Range(range) => {
                let (start, end) = (*range.start(), *range.end());
                let simplest = 0.clamp(start, end);
                let number = if simplest == start {
                    start.saturating_add_unsigned(rank)
                } else if simplest == end {
                    end.saturating_sub_unsigned(rank)
                } else if rank % 2 == 1 {
                    simplest.saturating_add_unsigned(rank.div_ceil(2))
                } else {
                    simplest.saturating_sub_unsigned(rank / 2)
                };
                Value::Number(number.clamp(start, end))
            }
            Self::Flip(_) => Value::Number(i64::from(rank > 0)),
        }
    }

    pub(super) fn draw(&self, random: &mut Random) -> Value {
        match self {
            Self::Options(options) => {
                let total: u64 = options.iter().map(|(weight, _)| u64::from(*weight)).sum();
                let mut left = if total > 0 { random.below(total) } else { 0 };
                let chosen = options.iter().find(|(weight, _)| {
                    let is_it = left < u64::from(*weight);
                    left = left.saturating_sub(u64::from(*weight));
                    is_it
                });
                Value::Name(chosen.or(options.first()).map(|(_, name)| name.clone()).expect("there are options"))
            }
            Self::Range(range) => {
                let span = range.end().abs_diff(*range.start());
                let step = if span == u64::MAX { random.number() } else { random.below(span + 1) };
                Value::Number(range.start().wrapping_add_unsigned(step))
            }
            Self::Flip(percent) => Value::Number((random.below(100) < u64::from(*percent)).into()),
        }
    }

    /// The default answer: the first option, the number nearest to 0, no.
    pub(super) fn simplest(&self) -> Value {
        self.of_rank(0)
    }
}

/// The number of turns of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// The minimum that a reduction leaves.
    pub least: usize,
    /// The range of random numbers.
    pub drawn: RangeInclusive<usize>,
}

impl Times {
    /// Sets the minimum that a reduction leaves.
    #[must_use]
    pub fn at_least(self, least: usize) -> Self {
        Self { least, ..self }
    }

    pub(super) fn draw(&self, random: &mut Random) -> usize {
        let span = self.drawn.end().saturating_sub(*self.drawn.start());
        let step = random.below(u64::try_from(span).unwrap_or(u64::MAX).saturating_add(1));
        self.drawn.start() + usize::try_from(step).expect("it is no more than the span")
    }

    /// The maximum possible number.
    pub(super) fn most(&self) -> usize {
        *self.drawn.end().max(&self.least)
    }
}

/// Draws from this range; a reduction may leave no turns.
impl From<RangeInclusive<usize>> for Times {
    fn from(drawn: RangeInclusive<usize>) -> Self {
        Self { least: 0, drawn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(weights: &[u32]) -> Question {
        Question::Options(weights.iter().enumerate().map(|(name, &weight)| (weight, name.to_string())).collect())
    }

    #[test]
    fn options_are_drawn_by_weight() {
        let mut random = Random::new(1);
        let mut seen = [0; 3];
        for _ in 0..1000 {
            let Value::Name(name) = options(&[0, 3, 1]).draw(&mut random) else { unreachable!("options have names") };
            seen[name.parse::<usize>().expect("it is a number")] += 1;
        }
        assert_eq!(seen[0], 0);
        assert!((650..850).contains(&seen[1]), "{seen:?}");
        assert_eq!(options(&[0]).draw(&mut random), Value::Name("0".to_owned()));
    }

    #[test]
    fn what_is_drawn_is_allowed_and_so_is_the_simplest() {
        let mut random = Random::new(2);
        let questions = [
            options(&[1, 1]),
            Question::Range(-3..=5),
            Question::Range(2..=2),
            Question::Range(i64::MIN..=i64::MAX),
            Question::Flip(30),
        ];
        for question in questions {
            assert!(question.allows(&question.simplest()));
            assert!((0..100).all(|_| question.allows(&question.draw(&mut random))));
        }
        assert_eq!(Question::Range(3..=5).simplest(), Value::Number(3));
        assert_eq!(Question::Range(-3..=5).simplest(), Value::Number(0));
        assert!(!options(&[1]).allows(&Value::Name("1".to_owned())));
        assert!(!Question::Range(0..=1).allows(&Value::Number(2)));
    }

    #[test]
    fn ranks_count_from_the_simplest_answer() {
        for (range, number, rank) in
            [(0..=9, 4, 4), (3..=9, 4, 1), (-9..=-3, -4, 1), (-9..=9, 0, 0), (-9..=9, 4, 7), (-9..=9, -4, 8)]
        {
            let question = Question::Range(range);
            assert_eq!(question.rank(&Value::Number(number)), rank);
            assert_eq!(question.of_rank(rank), Value::Number(number));
        }
        assert_eq!(Question::Range(0..=9).of_rank(u64::MAX), Value::Number(9));
        assert_eq!(options(&[1, 1]).of_rank(7), Value::Name("1".to_owned()));
        assert_eq!(options(&[1, 1]).value(&Answer::Value(Value::Number(1))), None);
    }

    #[test]
    fn a_loop_runs_as_often_as_it_may() {
        let mut random = Random::new(3);
        let times = Times::from(2..=4);
        let mut seen: Vec<usize> = (0..50).map(|_| times.draw(&mut random)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [2, 3, 4]);
        assert_eq!((times.least, times.clone().at_least(1).least, times.most()), (0, 1, 4));
    }
}
