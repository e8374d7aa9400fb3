//! `mcve-reapi` against services that do something wrong: what it says, and what the services see.
//!
//! The services run in this process, and check all that they get. Each test says what must come out. What does not answer is waited for
//! with a guard; nothing else depends on time.

mod beginning;
mod client;
mod content;
mod ending;
mod executing;
mod execution;
mod input;
mod job;
mod script;
mod sending;
mod service;
mod several;
mod store;
mod tls;
