//! Reads events, and holds them to their schema.

use std::sync::LazyLock;

use jsonschema::Validator;
use mcve_reduce::event::schema;
use serde_json::Value;

/// Checks events.
static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| jsonschema::validator_for(&schema()).expect("it is a schema"));

/// The event of a line that `--message-format json` prints, which is as the schema says.
#[must_use]
#[track_caller]
pub fn event(line: &str) -> Value {
    let event = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
    if let Err(error) = VALIDATOR.validate(&event) {
        panic!("{error} in {line}");
    }
    event
}
