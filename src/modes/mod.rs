//! What a user asks for.

pub mod changes;
pub mod recognise;
pub mod reduce;
