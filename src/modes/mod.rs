//! What a user asks for.

pub mod recognise;
pub mod reduce;
