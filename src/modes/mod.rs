//! What a user asks for.

pub mod changes;
pub mod contrast;
pub mod isolate;
pub mod recognise;
pub mod reduce;
pub mod repair;
