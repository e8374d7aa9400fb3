//! What a request is made of, for those who write it and those who read it.
//!
//! With it come two descriptors, for standard output and standard error. It begins by
//! the number of words and that of variables. Then there are texts, each with a zero behind it: the folder, the words, the
//! variables (`NAME=VALUE` to set, `NAME` to unset).

/// The longest request; the same in `protocol.rs`.
pub const LONGEST: usize = 1 << 16;
/// The most words and the most variables of a request; the same in `protocol.rs`.
pub const MOST: usize = 1 << 10;
/// What stands before the texts.
pub const HEAD: usize = 8;
/// The size of a control message without its descriptors.
pub const CONTROL: usize = 16;
