//! Reduction through the generator: Ren et al., *Validity-Preserving Delta Debugging via Generator* (2024).
//!
//! A generated program is reduced by reducing the decisions of its generator. The generator makes a program
//! of any remaining decisions, and generators make valid ones.
//!
//! | part of the paper | here |
//! | --- | --- |
//! | a generator | [`Generator`](generator::Generator), which draws from [`Choices`](choices::Choices) |
//! | trace instrumentation | [`run`](generator::run), by which choices record a [`Trace`](trace::Trace) |
//! | trace reduction | [`reduce`](reduction::reduce): keeps parts of loops and selections, as a sequence or as a tree |
//! | trace-aligned re-execution | [`rerun`](generator::rerun), with an [`Alignment`](replay::Alignment) |
//!
//! The generator of the paper's example, which prints a password twice, and the reduced output for a failure that needs a `c`:
//!
//! ```
//! use mcve_generate::choices::{Choices, Halt};
//! use mcve_generate::generator::{Generator, run};
//! use mcve_generate::reduction::{Settings, reduce_text};
//!
//! struct Password;
//!
//! impl Generator for Password {
//!     fn name(&self) -> &str {
//!         "password"
//!     }
//!
//!     fn version(&self) -> &str {
//!         "1"
//!     }
//!
//!     fn generate(&self, choices: &mut Choices) -> Result<String, Halt> {
//!         let letters: Vec<char> = ('a'..='z').collect();
//!         let word = choices.repeat("letters", 0..=19, |choices| choices.choose("letter", &letters).copied())?;
//!         let word: String = word.into_iter().collect();
//!         Ok(format!("{word}\n{word}\n"))
//!     }
//! }
//!
//! # fn main() -> Result<(), Halt> {
//! let execution = run(&Password, 889_624, 1000)?;
//! assert_eq!(execution.output, "abc\nabc\n");
//! let least = reduce_text(&Password, execution, Settings::default(), |text| text.contains('c'));
//! assert_eq!(least.output, "c\nc\n");
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
pub mod bytes;
pub mod choices;
mod conversation;
pub mod external;
pub mod file;
pub mod generator;
mod halt;
pub mod mutation;
mod plan;
pub mod programs;
#[cfg(feature = "proptest")]
pub mod proptest;
pub mod python;
pub mod question;
#[cfg(feature = "rand")]
pub mod rand;
pub mod reduction;
pub mod replay;
mod shrink;
mod structure;
pub mod trace;
