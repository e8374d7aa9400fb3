//! SplitMix64: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators* (2014). A seed gives the same numbers
//! on every machine and in every version.

/// A random number generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, with 64 random bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A nearly uniform number below `bound`. The bias, `bound` in 2⁶⁴, does not matter here.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        u64::try_from((u128::from(self.number()) * u128::from(bound)) >> 64).expect("it is below the bound")
    }

    /// A nearly uniform position in a list of this length.
    ///
    /// # Panics
    /// When `length` is 0.
    pub fn index(&mut self, length: usize) -> usize {
        (self.number() % length as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference() {
        let mut random = Random::new(1_234_567);
        let numbers = [(); 3].map(|()| random.number());
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn all_numbers_below_a_bound_are_drawn() {
        let mut random = Random::new(0);
        let mut seen = [0; 5];
        (0..1000).for_each(|_| seen[usize::try_from(random.below(5)).expect("it is small")] += 1);
        assert!(seen.iter().all(|&times| (150..250).contains(&times)), "{seen:?}");
    }
}
