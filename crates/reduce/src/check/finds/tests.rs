//! A candidate that crashes in another way is told once for each size.

use std::sync::Arc;

use super::*;
use crate::check::checks::Checks;
use crate::check::limits::Limits;
use crate::check::testing::Events;
use crate::event::Event;
use crate::exec::cancel::Cancel;
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::exec::shortcut::Shortcut;
use crate::oracle::crash::RustcOracle;
use crate::oracle::failure::{Failure, Kind};
use crate::oracle::headers::Headers;
use crate::oracle::rustc::Rustc;
use crate::oracle::strictness::Strictness;

/// A compiler that crashes at another place for each letter that a text begins with; in its fork server for all of them.
struct Crashes {
    shortcut: Shortcut,
}

fn crash(letter: char) -> JobResult {
    let line = letter as u32;
    let stderr = format!("thread 'rustc' panicked at compiler/rustc_x/src/y.rs:{line}:1:\nit broke\n");
    JobResult { stderr: stderr.into(), ..JobResult::ended(End::Exited(101)) }
}

fn text(job: &Job) -> &str {
    std::str::from_utf8(&job.files[0].1.bytes).expect("programs are text")
}

impl Executor for Crashes {
    fn run(&self, job: &Job, _: std::time::Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let first = text(job).chars().next().unwrap_or(' ');
        Ok(if first == 's' { JobResult::ended(End::Exited(0)) } else { crash(first) })
    }

    fn run_quickly(&self, job: &Job, _: std::time::Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        Ok(crash(text(job).chars().next().unwrap_or(' ')))
    }

    fn shortcut(&self) -> Option<&Shortcut> {
        Some(&self.shortcut)
    }
}

fn checks(executor: Arc<dyn Executor>, folder: Option<&str>) -> Checks {
    let failure = Failure {
        kind: Kind::Ice,
        message: "it broke".to_owned(),
        said: "it broke".to_owned(),
        place: Some(format!("compiler/rustc_x/src/y.rs:{}:1", 'a' as u32)),
        query: None,
        recursion: std::iter::empty().collect(),
        codes: std::iter::empty().collect(),
    };
    let rustc = Rustc::new("rustc".into(), &Headers::default(), &[], std::path::Path::new("/"));
    let (strictness, shown) = (Strictness::default(), Vec::new());
    let oracle = RustcOracle {
        rustc,
        failure,
        shown,
        allow_errors: false,
        strictness,
        has_proc_macros: false,
        is_in_other_crate: false,
        ways_around: Vec::new(),
    };
    let checks = Checks::new(Arc::new(oracle), executor, 1, Limits::default()).expect("threads can be had");
    checks.with_finds(folder.map(PathBuf::from))
}

/// The texts that are told of when these are checked.
fn told(folder: Option<&str>, texts: &[&str]) -> Vec<(String, PathBuf)> {
    let mut checks = checks(Arc::new(Crashes { shortcut: Shortcut::default() }), folder);
    let mut events = Events::default();
    for text in texts {
        checks.outcome(&Program::new("a.rs", *text), &mut events).expect("it goes on");
    }
    let find = |event: &Event| match event {
        Event::Found(find) => Some((find.program.text.to_string(), find.path.clone())),
        _ => None,
    };
    events.0.iter().filter_map(find).collect()
}

#[test]
fn the_smallest_program_of_each_other_crash_is_told() {
    let finds = told(Some("finds"), &["a a", "b b b", "b b b b", "b b", "c"]);
    let texts: Vec<&str> = finds.iter().map(|(text, _)| &**text).collect();
    assert_eq!(texts, ["b b b", "b b", "c"]);
    assert_eq!(finds[0].1, finds[1].1);
    assert!(finds[0].1.to_string_lossy().starts_with("finds/ice-y-98-"), "{:?}", finds[0].1);
}

#[test]
fn a_crash_in_the_fork_server_alone_is_no_find() {
    assert_eq!(told(Some("finds"), &["s s", "b"]).len(), 1);
}

#[test]
fn where_nobody_wants_finds_none_is_told() {
    assert!(told(None, &["b"]).is_empty());
}
