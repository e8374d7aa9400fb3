//! What a user asks for.

pub mod fuzz;
pub mod probe;
pub mod recognise;
pub mod reduce;
