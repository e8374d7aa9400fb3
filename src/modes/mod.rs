//! What a user asks for.

pub mod reduce;
