//! The programs that mutants are made of.

use mcve_dd::random::Random;
use mcve_transforms::{Source, Tree, prefix};

use super::generalize::generalize;
use super::splice::{Splice, delete, duplicate, exchange, splice};
use super::tokens;

/// The most mutations of one mutant.
const MUTATIONS: usize = 6;

/// How often another mutation is drawn where one did not apply.
const ATTEMPTS: usize = 20;

/// The longest mutant, in bytes.
const LONGEST: usize = 16_384;

/// Programs, and what mutation makes of them.
#[derive(Clone, Debug, Default)]
pub struct Population {
    programs: Vec<String>,
}

impl Population {
    /// Adds a program, unless it is too long for mutants.
    pub fn add(&mut self, program: &str) {
        if program.len() <= LONGEST {
            self.programs.push(program.to_owned());
        }
    }

    /// How many programs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.programs.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// The mutant of this number: one of the programs after one or a few mutations, half of them with a part of another program. The
    /// same population makes the same mutant of the same number.
    ///
    /// To be called on a thread with [`mcve_transforms::STACK`] bytes of stack.
    ///
    /// # Panics
    /// When the population is empty.
    #[must_use]
    pub fn mutant(&self, number: u64) -> String {
        let mut random = Random::new(number);
        let mut text = self.any(&mut random).to_owned();
        let (mut mutations, mut wanted) = (0, 1);
        while wanted < MUTATIONS && random.below(2) == 0 {
            wanted += 1;
        }
        for _ in 0..ATTEMPTS {
            if mutations == wanted {
                break;
            }
            if let Some(mutated) = self.mutate(&text, &mut random).filter(|mutated| mutated.len() <= LONGEST) {
                text = mutated;
                mutations += 1;
            }
        }
        text
    }

    fn any(&self, random: &mut Random) -> &str {
        &self.programs[random.index(self.programs.len())]
    }

    /// Applies one mutation; none if it does not fit.
    fn mutate(&self, text: &str, random: &mut Random) -> Option<String> {
        let kind = random.below(100);
        // A part of the same program has names that mean something.
        let other = if random.below(4) == 0 { text } else { self.any(random) };
        if kind < 8 {
            return tokens::mutate(text, other, random);
        }
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let how = match kind {
            8..40 => Splice::Replace,
            40..60 => Splice::Wrap,
            60..75 => Splice::Insert,
            75..80 => return duplicate(&tree, random),
            80..88 => return exchange(&tree, random),
            88..93 => return delete(&tree, random),
            _ => return generalize(&tree, random),
        };
        let other_source = Source::parse(other);
        let mutated = splice(how, &tree, &Tree::new(&other_source), random)?;
        Some(with_features(mutated, other))
    }
}

/// The text with the features that `other` turns on and it does not.
fn with_features(mut text: String, other: &str) -> String {
    let lacking: Vec<&str> = other
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("#![feature(") && line.ends_with(")]") && !text.contains(line))
        .collect();
    let start = prefix(&text);
    lacking.iter().for_each(|line| text.insert_str(start, &format!("{line}\n")));
    text
}
