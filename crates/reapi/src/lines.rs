//! The lines of the protocol of executors, as far as they matter here. What a job is stays between mcve and its worker.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fault::Fault;

/// What a client sends.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request {
    Hello(IgnoredAny),
    Run(Job),
    Cancel(u64),
}

/// A job.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Job {
    pub(crate) id: u64,
    /// A hash of the job: all clients that send this job send this token.
    pub(crate) token: String,
    pub(crate) job: Value,
    /// The bytes of its files in Base64, by their hashes, without those that came before.
    pub(crate) blobs: BTreeMap<String, String>,
    pub(crate) timeout_ms: u64,
}

/// A file that a job names.
#[derive(Debug, Deserialize)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) hash: String,
}

impl Job {
    /// The files of its field of this name; none if they are not as they should be.
    pub(crate) fn files(&self, field: &str) -> Option<Vec<File>> {
        Vec::deserialize(self.job.get(field)?).ok()
    }

    /// The line of the job for a worker that has its files, the same whoever sends it.
    pub(crate) fn line(mut self) -> String {
        (self.id, self.blobs) = Default::default();
        serde_json::json!({ "run": self }).to_string()
    }
}

/// What a worker sends.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    Ready { slots: usize },
    Refused(String),
    Done(Value),
    Missing(u64),
    Failed { id: u64, why: String },
}

/// The answer of a worker to the job with a token, as one to the job `id`.
pub(crate) fn answer(output: &[u8], token: &str, id: u64) -> Result<Value, Fault> {
    for mut line in values(output) {
        let Some(done) = line.get_mut("done").filter(|done| done["token"] == token) else { continue };
        done["id"] = id.into();
        return Ok(done.take());
    }
    Err(complaint(output))
}

/// Whether a worker was ready.
pub(crate) fn ready(output: &[u8]) -> Result<(), Fault> {
    if values(output).any(|line| line.get("ready").is_some()) { Ok(()) } else { Err(complaint(output)) }
}

fn values(output: &[u8]) -> impl Iterator<Item = Value> {
    output.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

/// Why an output has no answer.
fn complaint(output: &[u8]) -> Fault {
    let said = |line: Value| {
        let why = line.get("refused").or(line.get("failed").and_then(|failed| failed.get("why")))?;
        why.as_str().map(str::to_owned)
    };
    match values(output).find_map(said) {
        // The cache, or another machine of the service, may say otherwise.
        Some(why) => Fault::passing(why),
        None => Fault::passing("the action did not end with an answer of `mcve worker`"),
    }
}
