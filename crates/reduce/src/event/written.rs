//! How values of events are written as JSON.

use std::path::{Path, PathBuf};

use mcve_dd::outcome::Outcome;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::program::Program;

pub(super) fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

pub(super) fn lossy_if_any<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

pub(super) fn text<S: Serializer>(program: &Program, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&program.text)
}

pub(super) fn change<S: Serializer>(passing: &Option<(Program, String)>, serializer: S) -> Result<S::Ok, S::Error> {
    passing.as_ref().map(|(program, _)| program.shown()).serialize(serializer)
}

/// The outcome of a test.
#[derive(JsonSchema, Serialize)]
#[serde(remote = "Outcome", rename_all = "lowercase")]
#[schemars(rename = "Outcome")]
pub(super) enum OutcomeName {
    /// The failure is there.
    Fail,
    /// The failure is not there.
    Pass,
    /// The check cannot tell.
    Unresolved,
}
