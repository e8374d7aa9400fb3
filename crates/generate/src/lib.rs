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
//! use std::convert::Infallible;
//!
//! use mcve_generate::choices::{Choices, Halt};
//! use mcve_generate::generator::{Execution, Generator, run};
//! use mcve_generate::reduction::{TraceTester, Settings, reduce};
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
//! struct HasC;
//!
//! impl TraceTester<Infallible> for HasC {
//!     fn first(
//!         &mut self,
//!         runs: &mut dyn Iterator<Item = Option<Execution>>,
//!     ) -> Result<Option<(usize, Execution)>, Infallible> {
//!         let mut runs = runs.enumerate().filter_map(|(position, run)| Some((position, run?)));
//!         Ok(runs.find(|(_, run)| run.output.contains('c')))
//!     }
//! }
//!
//! # fn main() -> Result<(), Halt> {
//! let execution = run(&Password, 889_624, 1000)?;
//! assert_eq!(execution.output, "abc\nabc\n");
//! let Ok(least) = reduce(&Password, execution, Settings::default(), &mut HasC);
//! assert_eq!(least.output, "c\nc\n");
//! # Ok(())
//! # }
//! ```

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
pub mod python;
pub mod question;
pub mod reduction;
pub mod replay;
mod shrink;
mod structure;
mod tester;
pub mod trace;
