//! What a generator may ask of its choices, and the values that answer it.

use std::ops::RangeInclusive;

use mcve_dd::random::Random;

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// One of several options, by its name.
    Name(String),
    /// A number; of a flip, 0 or 1.
    Number(i64),
}

/// What is to be decided.
pub(super) enum Question {
    /// One of these, with the weight of each.
    Options(Vec<(u32, String)>),
    /// A number of this range.
    Range(RangeInclusive<i64>),
    /// 1 with this chance in a hundred, else 0.
    Flip(u8),
}

impl Question {
    /// Whether `value` can be the answer.
    pub(super) fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Options(options), Value::Name(name)) => options.iter().any(|(_, option)| option == name),
            (Self::Range(range), Value::Number(number)) => range.contains(number),
            (Self::Flip(_), Value::Number(number)) => (0..=1).contains(number),
            _ => false,
        }
    }

    /// A random answer.
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

    /// The answer where nothing says which: the first option, the number nearest to 0, no.
    pub(super) fn simplest(&self) -> Value {
        match self {
            Self::Options(options) => Value::Name(options.first().expect("there are options").1.clone()),
            Self::Range(range) => Value::Number(0.clamp(*range.start(), *range.end())),
            Self::Flip(_) => Value::Number(0),
        }
    }
}

/// How often a loop of a generator runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// A reduction leaves no fewer.
    pub least: usize,
    /// So many are drawn.
    pub drawn: RangeInclusive<usize>,
}

impl Times {
    /// The same, of which a reduction leaves `least` or more.
    #[must_use]
    pub fn at_least(self, least: usize) -> Self {
        Self { least, ..self }
    }

    /// A random number.
    pub(super) fn draw(&self, random: &mut Random) -> usize {
        let span = self.drawn.end().saturating_sub(*self.drawn.start());
        let step = random.below(u64::try_from(span).unwrap_or(u64::MAX).saturating_add(1));
        self.drawn.start() + usize::try_from(step).expect("it is no more than the span")
    }

    /// The most that are possible.
    pub(super) fn most(&self) -> usize {
        *self.drawn.end().max(&self.least)
    }
}

/// So many are drawn, and a reduction may leave none.
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
