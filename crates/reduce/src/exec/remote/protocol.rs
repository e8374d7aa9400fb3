//! The lines between a client and a worker.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::sent::{SentJob, SentResult};

/// The form of these lines.
pub(super) const FORM: u32 = 2;

/// Files from this size on are sent to a worker once.
pub(super) const LARGE: usize = 1 << 16;

/// What a client sends.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    Hello {
        form: u32,
        compiler: String,
        version: String,
    },
    Run {
        id: u64,
        token: String,
        job: Box<SentJob>,
        /// The bytes of its files in Base64, by their hashes, without those that the worker has.
        blobs: BTreeMap<String, String>,
        timeout_ms: u64,
    },
    Cancel(u64),
}

/// What a worker sends.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    /// It takes jobs, so many at once.
    Ready {
        slots: usize,
    },
    /// It takes none, for this reason.
    Refused(String),
    Done {
        id: u64,
        token: String,
        result: SentResult,
        sum: u64,
    },
    /// It has not all files of a job any more.
    Missing(u64),
    /// The job could not be run.
    Failed {
        id: u64,
        why: String,
    },
}
