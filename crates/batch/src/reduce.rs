//! Reduces a group: one of its inputs, and a second one, to see whether both end as the same program.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde_json::Value;

use crate::files::{content, copy};
use crate::folder::{Cost, Done, FORM, Folder, Other};
use crate::group::Group;
use crate::input::Input;
use crate::invocation::{Invocation, PROGRAM};
use crate::workers::Calls;

/// The most inputs of a group that are tried.
const TRIES: usize = 3;

/// The exit code of a run whose time was over before there was a result.
const OUT_OF_TIME: i32 = 8;

const REPORT: &str = "report.md";

const TESTS: &str = "test";

/// The reduction of a group.
pub(crate) struct Reduction<'a> {
    pub(crate) folder: &'a Folder,
    pub(crate) invocation: &'a Invocation,
    pub(crate) calls: &'a Calls<'a>,
    pub(crate) group: &'a Group,
    /// The number of checks at once.
    pub(crate) jobs: usize,
    /// The most time for each input.
    pub(crate) budget: Option<Duration>,
}

/// The result of a run.
struct Reduced<'a> {
    input: &'a Input,
    /// The last event of the run.
    end: Value,
    /// The name of the program in the folder of the run.
    program: String,
}

/// The outcome of a run.
enum Outcome<'a> {
    Reduced(Reduced<'a>),
    /// No result, for this reason.
    Refused(String),
    Stopped,
}

impl Reduction<'_> {
    /// Reduces the group and puts its folder in place. False if it was stopped.
    pub(crate) fn run(&self) -> anyhow::Result<bool> {
        let work = self.folder.work(&self.group.name)?;
        let [first, second, made] = ["first", "second", "made"].map(|name| work.join(name));
        let (mut inputs, mut refused) = (self.group.distinct().take(TRIES), Vec::new());
        let mut next = |folder: &Path| -> anyhow::Result<Option<Outcome<'_>>> {
            for input in inputs.by_ref() {
                match self.reduce(input, folder)? {
                    Outcome::Refused(why) => {
                        refused.push([input.name.clone(), why]);
                        fs::remove_dir_all(folder)?;
                    }
                    outcome => return Ok(Some(outcome)),
                }
            }
            Ok(None)
        };
        let mut results = Vec::new();
        for folder in [&first, &second] {
            match next(folder)? {
                Some(Outcome::Stopped) => return Ok(false),
                Some(Outcome::Reduced(result)) => results.push(result),
                _ => break,
            }
        }
        let _ = fs::remove_dir_all(&made);
        fs::create_dir_all(&made)?;
        let mut results = results.into_iter();
        let mut done = match results.next() {
            Some(result) => match self.describe(&result, &first, &made)? {
                Some(done) => done,
                None => return Ok(false),
            },
            None => self.done(&self.group.members[0]),
        };
        done.refused = refused;
        if let (Some(result), Some(program)) = (results.next(), &done.program) {
            let theirs = second.join(&result.program);
            let is_same = is_same(&first.join(program), &theirs)?;
            let program = (!is_same).then(|| format!("other-{}", result.program));
            program.iter().try_for_each(|name| copy(&theirs, &made.join(name)))?;
            done.is_complete &= is_complete(&result.end);
            done.other = Some(Other { input: result.input.name.clone(), is_same, program });
        }
        self.folder.publish(&self.group.name, &made, &done)?;
        fs::remove_dir_all(&work)?;
        Ok(true)
    }

    /// Reduces an input in a folder.
    fn reduce<'i>(&self, input: &'i Input, folder: &Path) -> anyhow::Result<Outcome<'i>> {
        fs::create_dir_all(folder)?;
        let words = self.invocation.reduce(input, self.jobs, self.budget);
        let Some(answer) = self.calls.run(&words, folder)? else { return Ok(Outcome::Stopped) };
        let end = answer.events("finished").last();
        self.folder.keep_cost(&Cost {
            group: self.group.name.clone(),
            worker_seconds: answer.wall.as_secs_f64() * self.jobs as f64,
            processor_seconds: answer.processor.map(|time| time.as_secs_f64()),
            checks: end.as_ref().and_then(|end| end["checks"].as_u64()).unwrap_or_default(),
        })?;
        Ok(match end {
            Some(end) => {
                let name = end["output"].as_str().map_or(PROGRAM.as_ref(), Path::new).file_name().unwrap_or_default();
                let program = name.to_string_lossy().into_owned();
                Outcome::Reduced(Reduced { input, end, program })
            }
            None if answer.code == Some(OUT_OF_TIME) => Outcome::Stopped,
            None => Outcome::Refused(input.named_in(&answer.error())),
        })
    }

    /// Copies a result with its report and its test, and describes it. None if it was stopped.
    fn describe(&self, result: &Reduced<'_>, from: &Path, to: &Path) -> anyhow::Result<Option<Done>> {
        let Reduced { input, end, program } = result;
        let path = from.join(program);
        copy(&path, &to.join(program))?;
        let call = |words: &[&str]| {
            let words: Vec<OsString> = ["mcve"].iter().chain(words).map(Into::into).collect();
            self.calls.run(&words, from)
        };
        let Some(report) = call(&["report", program, "--json"])? else { return Ok(None) };
        // A result that fails only sometimes may have no report.
        let facts: Value = if report.code == Some(0) {
            serde_json::from_str(&report.text).context("the report of mcve is not JSON")?
        } else {
            Value::Null
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        if let Some(text) = facts["text"].as_str() {
            fs::write(to.join(REPORT), text)?;
        }
        fs::create_dir_all(from.join(TESTS))?;
        let Some(_) = call(&["test-file", program, "-o", TESTS])? else { return Ok(None) };
        // The suite has no tests for some failures.
        if fs::read_dir(from.join(TESTS))?.next().is_some() {
            fs::rename(from.join(TESTS), to.join(TESTS))?;
        }
        Ok(Some(Done {
            program: Some(program.clone()),
            text: if path.is_file() { Some(String::from_utf8_lossy(&fs::read(&path)?).into_owned()) } else { None },
            command: text(&end["command"]).unwrap_or_default(),
            tokens: ["before", "after"].map(|side| end[side]["tokens"].as_u64().unwrap_or_default()),
            is_complete: is_complete(end),
            change: text(&facts["change"][0]).zip(text(&facts["change"][1])).map(|(change, how)| [change, how]),
            labels: facts["labels"].as_array().into_iter().flatten().filter_map(text).collect(),
            search: text(&facts["search"]),
            ..self.done(input)
        }))
    }

    /// A finished group without a result.
    fn done(&self, input: &Input) -> Done {
        Done {
            form: FORM,
            failure: self.group.failure.words.clone(),
            fingerprint: self.group.failure.fingerprint.clone(),
            input: input.name.clone(),
            is_complete: true,
            ..Done::default()
        }
    }
}

fn is_complete(end: &Value) -> bool {
    end["ending"] == "complete"
}

/// Whether two results are the same: files, or folders.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    match (one.is_dir(), other.is_dir()) {
        (true, true) => Ok(content(one)?.0 == content(other)?.0),
        (false, false) => Ok(fs::read(one)? == fs::read(other)?),
        _ => Ok(false),
    }
}
