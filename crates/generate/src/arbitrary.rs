//! Reduction of a fuzzer's bytes through the crate `arbitrary`: the feature `arbitrary`.
//!
//! An artefact of cargo-fuzz, whose target takes an `Input`, and its least value that still has a long name:
//!
//! ```
//! use arbitrary::Arbitrary;
//! use mcve_generate::arbitrary::reduce;
//!
//! #[derive(Arbitrary, Debug, PartialEq)]
//! struct Input {
//!     names: Vec<String>,
//!     is_loud: bool,
//! }
//!
//! let artefact: Vec<u8> = (0..200u32).map(|at| (at * at % 91 + 33) as u8).collect();
//! let fails = |input: &Input| input.names.iter().any(|name| name.len() > 2);
//! let (bytes, input) = reduce(artefact, |bytes| Input::arbitrary_take_rest(bytes), fails).expect("it fails");
//! assert_eq!(input, Input { names: vec!["\0\0\0".to_owned()], is_loud: false });
//! assert_eq!(bytes.len(), 6);
//! ```

use ::arbitrary::{Result, Unstructured};

use super::bytes::reduce_value;

/// The smallest bytes whose value fails, as far as [`bytes::reduce`](super::bytes::reduce) finds them, and that value. None if
/// the value of the unreduced bytes does not fail.
///
/// `decode` makes the value: for `fuzz_target!` of cargo-fuzz that is `arbitrary_take_rest`. Bytes that it refuses do not fail.
pub fn reduce<T>(
    bytes: Vec<u8>,
    decode: impl for<'a> Fn(Unstructured<'a>) -> Result<T>,
    fails: impl FnMut(&T) -> bool,
) -> Option<(Vec<u8>, T)> {
    reduce_value(bytes, |bytes| decode(Unstructured::new(bytes)).ok(), fails)
}
