//! Reduction through the generator: Ren et al., *Validity-Preserving Delta Debugging via Generator* (2024).
//!
//! A program that a generator made is reduced by reducing what the generator decided. Whatever that leaves, the generator
//! makes a program of it, and generators make valid ones.
//!
//! | part of the paper | here |
//! | --- | --- |
//! | a generator | [`Generator`](generator::Generator), which draws from [`Choices`](choices::Choices) |
//! | trace instrumentation | [`run`](generator::run), by which choices record a [`Trace`](trace::Trace) |
//! | trace reduction | [`reduce`](reduction::reduce): which parts of loops and selections stay, as a sequence or as a tree |
//! | trace-aligned re-execution | [`rerun`](generator::rerun), with an [`Alignment`](replay::Alignment) |

pub mod choices;
pub mod external;
pub mod file;
pub mod generator;
pub mod programs;
pub mod question;
pub mod random;
pub mod reduction;
pub mod replay;
pub mod trace;
