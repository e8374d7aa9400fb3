//! Reduction of a strategy's value through the random source of the crate `proptest`: the feature `proptest`.
//!
//! A strategy makes its value of random bytes. Fewer and lower bytes make a smaller one, also behind `prop_flat_map`, where
//! proptest makes the inner value anew for each outer one. A number that an earlier one bounds is lowered before that one,
//! which can leave a larger value than proptest does. Strategies that split their random source (`prop_shuffle`,
//! `prop_perturb`) get the same numbers each time.
//!
//! ```
//! use mcve_generate::proptest::{find, reduce};
//! use proptest::prelude::*;
//!
//! let table = (1..20usize, 1..20usize)
//!     .prop_flat_map(|(rows, columns)| prop::collection::vec(prop::collection::vec(0..100u8, columns), rows));
//! let fails = |table: &Vec<Vec<u8>>| table.iter().flatten().any(|&cell| cell > 90);
//! let bytes = find(&table, 0..100, fails).expect("one of a hundred has such a cell");
//! assert_eq!(reduce(&table, bytes, fails).expect("it fails").1, [[91]]);
//! ```

use std::ops::Range;

use ::proptest::strategy::{Strategy, ValueTree};
use ::proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use mcve_dd::random::Random;

use super::bytes::reduce_value;

/// How many random bytes a value is made of at first.
const BYTES: usize = 1 << 14;

/// How many bytes a strategy can take at least. Proptest hands out zeros when they are used up, of which a range of numbers
/// asks for others, for ever.
const ROOM: usize = 1 << 18;

/// What stands behind the bytes: low numbers of ranges, but none that a range refuses.
const BEHIND: u8 = 1;

/// The value that a strategy makes of bytes, and of low ones behind them. None if it rejects what it makes.
pub fn value<S: Strategy>(strategy: &S, bytes: &[u8]) -> Option<S::Value> {
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len() + ROOM, BEHIND);
    let source = TestRng::from_seed(RngAlgorithm::PassThrough, &bytes);
    let tree = strategy.new_tree(&mut TestRunner::new_with_rng(Config::default(), source));
    tree.ok().map(|tree| tree.current())
}

/// Random bytes whose value fails, by the first of these seeds that makes some.
pub fn find<S: Strategy>(strategy: &S, seeds: Range<u64>, mut fails: impl FnMut(&S::Value) -> bool) -> Option<Vec<u8>> {
    let mut made = seeds.map(|seed| {
        let mut random = Random::new(seed);
        (0..BYTES / 8).flat_map(|_| random.number().to_le_bytes()).collect::<Vec<u8>>()
    });
    made.find(|bytes| value(strategy, bytes).is_some_and(|value| fails(&value)))
}

/// The bytes that a strategy takes by a seed of proptest: the 32 bytes in hexadecimal digits behind `cc` in a file of
/// `proptest-regressions`.
pub fn record<S: Strategy>(strategy: &S, seed: [u8; 32]) -> Vec<u8> {
    let source = TestRng::from_seed(RngAlgorithm::Recorder, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), source);
    // If it rejects the value, no bytes fail.
    let _ = strategy.new_tree(&mut runner);
    runner.bytes_used()
}

/// The smallest bytes whose value fails, as far as [`bytes::reduce`](super::bytes::reduce) finds them, and that value. None if
/// the value of the unreduced bytes does not fail.
pub fn reduce<S: Strategy>(
    strategy: &S,
    bytes: Vec<u8>,
    fails: impl FnMut(&S::Value) -> bool,
) -> Option<(Vec<u8>, S::Value)> {
    reduce_value(bytes, |bytes| value(strategy, bytes), fails)
}
