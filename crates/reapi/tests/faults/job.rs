//! Jobs as mcve sends them, and the answers that they have.

use data_encoding::{BASE64, HEXLOWER};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The first line of a client.
pub(crate) const HELLO: &str =
    r#"{"hello":{"form":2,"compiler":"/tools/bin/rustc","version":"rustc 1.95.0 (59807616e 2026-04-14)"}}"#;

/// The SHA-256 of bytes.
pub(crate) fn hash(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// So many bytes, which are others for another seed.
pub(crate) fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// A job.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    seed: u64,
    files: Vec<(String, Vec<u8>)>,
    outside: Vec<(String, Vec<u8>)>,
    timeout_ms: u64,
}

impl Job {
    /// A job with one small file. It is another one for another seed.
    pub(crate) fn new(seed: u64) -> Self {
        let file = ("a.rs".to_owned(), format!("fn main() {{ {seed} }}").into_bytes());
        Self { seed, files: vec![file], outside: Vec::new(), timeout_ms: 5000 }
    }

    pub(crate) fn file(mut self, path: &str, bytes: Vec<u8>) -> Self {
        self.files.push((path.to_owned(), bytes));
        self
    }

    pub(crate) fn outside(mut self, path: &str, bytes: Vec<u8>) -> Self {
        self.outside.push((path.to_owned(), bytes));
        self
    }

    pub(crate) fn timeout_ms(mut self, timeout_ms: u64) -> Self {
        self.timeout_ms = timeout_ms;
        self
    }

    /// What the token is made of.
    fn job(&self) -> Value {
        let file =
            |(path, bytes): &(String, Vec<u8>)| json!({ "path": path, "kind": "plain", "hash": hash(bytes).as_str() });
        let files: Vec<Value> = self.files.iter().map(file).collect();
        let outside: Vec<Value> = self.outside.iter().map(file).collect();
        json!({ "files": files, "outside": outside, "argv": [{ "text": "rustc" }], "env": [], "seed": self.seed })
    }

    pub(crate) fn token(&self) -> String {
        hash(self.job().to_string().as_bytes())
    }

    /// The line with all files.
    pub(crate) fn line(&self, id: u64) -> String {
        self.line_with(id, |_| true)
    }

    /// The line with the bytes of those files whose paths are wanted.
    pub(crate) fn line_with(&self, id: u64, is_wanted: impl Fn(&str) -> bool) -> String {
        let wanted = self.files.iter().chain(&self.outside).filter(|(path, _)| is_wanted(path));
        let blobs: serde_json::Map<_, _> =
            wanted.map(|(_, bytes)| (hash(bytes), BASE64.encode(bytes).into())).collect();
        let (token, job, timeout_ms) = (self.token(), self.job(), self.timeout_ms);
        json!({ "run": { "id": id, "token": token, "job": job, "blobs": blobs, "timeout_ms": timeout_ms } }).to_string()
    }

    /// The answer to the job with this id.
    pub(crate) fn done(&self, id: u64) -> Value {
        let size: usize = self.files.iter().chain(&self.outside).map(|(_, bytes)| bytes.len()).sum();
        done(id, &self.token(), self.seed + u64::try_from(size).expect("it is small"))
    }
}

/// The answer of a worker that has counted the bytes of the files of a job.
pub(crate) fn done(id: u64, token: &str, n: u64) -> Value {
    json!({ "done": { "id": id, "token": token, "result": { "end": { "Exited": 1 }, "n": n }, "sum": 7 } })
}

/// What is said of a job that could not be run.
pub(crate) fn failed(id: u64, why: &str) -> Value {
    json!({ "failed": { "id": id, "why": why } })
}
