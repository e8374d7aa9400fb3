//! The tests of all transforms, in one binary: a module for each subject.

mod growth;
mod properties;
mod registry;
