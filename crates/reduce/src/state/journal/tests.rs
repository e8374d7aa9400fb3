//! Journals, and whole searches that are cut short and resumed.

use std::path::PathBuf;
use std::time::Duration;

use mcve_transforms::{Source, transforms};
use tempfile::TempDir;

use super::*;
use crate::check::baseline::{Runs, baseline};
use crate::check::limits::Limits;
use crate::check::testing::{Events, checker};
use crate::oracle::Verdict;
use crate::program::Program;
use crate::search::engine::Search;
use crate::search::passes::schedule::COARSE_TO_FINE;
use crate::search::passes::{minimality, runner};

const INPUT: &str = "
mod a { pub fn f(x: u8) -> u8 { if x > 1 { x * 2 } else { 0 } } pub struct S { a: u8 } }
fn needle(a: u8) -> u8 { a::f(a) }
fn main() { match needle(3) { 0 => {}, _ => panic!() } }
";

fn hash(text: &str) -> ContentHash {
    Program::new("a.rs", text).hash()
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("a.journal");
    (folder, path)
}

fn question() -> Invocation {
    Invocation::new(&["mcve".into(), "a.rs".into()], "/".into(), "/a_mcve.rs".into(), hash(INPUT))
}

fn begun(path: &Path, identity: Option<&str>) -> Journal {
    let journal = Journal::begin(path, question(), &|_| false).expect("it can be made");
    journal.set_basis(identity.map(str::to_owned), vec![Fact::new("rustc", "1.95")]).expect("it is a new run");
    journal
}

fn resumed(path: &Path) -> Journal {
    let (journal, asked) = Journal::resume(path).expect("it is there");
    assert_eq!(asked, Some(question()));
    journal
}

fn ended(end: End) -> JobResult {
    JobResult { stderr: b"why".to_vec(), wall: Duration::from_millis(1), ..JobResult::ended(end) }
}

fn record(journal: &Journal, text: &str, verdict: &Verdict, end: End) {
    let result = ended(end);
    journal.record_verdict(Judged::new(hash(text), verdict, &result), &result);
}

fn calls_needle(text: &str) -> Outcome {
    match (Source::is_valid(text), text.contains("needle(3")) {
        (false, _) => Outcome::Unresolved,
        (true, true) => Outcome::Fail,
        (true, false) => Outcome::Pass,
    }
}

/// The result of a search with a journal, all that was written on the way, and the number of checks.
fn search(journal: &Journal, jobs: usize) -> (String, Vec<String>, usize) {
    let mut checks = checker(jobs, Limits::default(), calls_needle).with_journal(journal.clone());
    let (mut events, mut written) = (Events::default(), Vec::new());
    let program = Program::new("a.rs", INPUT);
    baseline(&mut checks, &program, Runs::default(), None, &mut events).expect("it fails");
    if journal.record_best(program.hash(), 1) {
        written.push(program.text.to_string());
    }
    let mut keep = |program: &Program| {
        written.push(program.text.to_string());
        Ok(())
    };
    let mut search = Search::new(program, transforms().collect(), checks, &mut events, &mut keep);
    runner::run(&mut search, COARSE_TO_FINE.into());
    search.run_steps().expect("nothing stops it");
    minimality::prove(&mut search, COARSE_TO_FINE.into());
    search.run_steps().expect("nothing stops it");
    let (text, count) = (search.best().text.to_string(), search.checks.tally.checks);
    drop(search);
    (text, written, count)
}

#[test]
fn a_search_that_is_cut_short_anywhere_goes_on_from_there() {
    let (_folder, path) = place();
    let (result, written, checks) = search(&begun(&path, None), 1);
    let lines = std::fs::read_to_string(&path).expect("it is there");
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    for cut in (2..lines.len()).step_by(7).chain([lines.len()]) {
        let told = |name: &str| lines[..cut].iter().filter(|line| line.contains(&format!(r#"{{"{name}":"#))).count();
        let (known, kept) = (told("checked") + told("baseline"), told("kept"));
        for jobs in [1, 3] {
            let torn = lines.get(cut).map_or("", |line| &line[..line.len() / 2]);
            std::fs::write(&path, format!("{}{torn}", lines[..cut].concat())).expect("it can be written");
            let journal = resumed(&path);
            if kept > 0 {
                assert!(journal.expect_result(hash(&written[kept - 1]), 1));
            }
            let (text, rest, more) = search(&journal, jobs);
            assert_eq!(text, result);
            assert!(journal.standing().is_none());
            assert_eq!(rest, written[kept..], "only what was not written is");
            if jobs == 1 {
                assert_eq!(known + more, checks, "nothing is asked twice");
            }
        }
    }
}

#[test]
fn a_search_that_ends_elsewhere_than_its_result_is_told() {
    let (_folder, path) = place();
    let journal = begun(&path, None);
    assert!(journal.record_best(hash("one"), 1) && journal.record_best(hash("two"), 1));
    drop(journal);
    let journal = resumed(&path);
    assert!(!journal.expect_result(hash("what somebody else wrote"), 1) && journal.has_written());
    assert!(journal.expect_result(hash("two"), 1));
    assert!(!journal.record_best(hash("one"), 1) && journal.standing().is_some());
    assert!(!journal.record_best(hash("two"), 1) && journal.standing().is_none());
    assert!(journal.record_best(hash("three"), 1));
}

#[test]
fn another_run_takes_over_verdicts_of_the_same_judge_only() {
    for (identity, known) in [(Some("one"), true), (Some("two"), false), (None, false)] {
        let (_folder, path) = place();
        let verdict = Verdict::pass("it compiles");
        let journal = begun(&path, Some("one"));
        journal.record_baseline(Judged::new(hash(INPUT), &verdict, &ended(End::Exited(0))));
        record(&journal, "a", &verdict, End::Exited(0));
        journal.record_output(Query::Lints, hash("a"), &ended(End::Exited(0)));
        journal.record_run(&ended(End::Exited(1)));
        assert!(journal.record_best(hash("a"), 1));
        drop(journal);
        let journal = begun(&path, identity);
        assert_eq!(journal.verdict(hash("a"), Trust::Certain).is_some(), known);
        assert_eq!(journal.output(Query::Lints, hash("a")).is_some(), known);
        assert!(
            journal.take_baseline(hash(INPUT)).is_none()
                && journal.take_run().is_none()
                && !journal.expect_result(hash("a"), 1)
        );
    }
}

#[test]
fn a_run_resumes_only_if_it_goes_by_the_same() {
    let (_folder, path) = place();
    begun(&path, None).record_run(&ended(End::Exited(1)));
    let facts = |rustc: &str| vec![Fact::new("rustc", rustc)];
    let change = resumed(&path).set_basis(None, facts("1.96")).expect_err("it is another rustc");
    assert_eq!(change.to_string(), "rustc has changed: it was 1.95, and is 1.96");
    let journal = resumed(&path);
    journal.set_basis(None, facts("1.95")).expect("nothing has changed");
    assert_eq!(journal.take_run().map(|result| (result.end, result.stderr)), Some((End::Exited(1), b"why".to_vec())));
    assert!(journal.take_run().is_none());
}

#[test]
fn a_check_that_was_ended_from_outside_is_made_again() {
    let (_folder, path) = place();
    let unresolved = Verdict::unresolved("");
    let journal = begun(&path, None);
    for (text, end) in [("killed", End::Signalled(9)), ("crashed", End::Signalled(6)), ("hung", End::TimedOut)] {
        record(&journal, text, &unresolved, end);
    }
    drop(journal);
    let journal = resumed(&path);
    assert!(journal.verdict(hash("killed"), Trust::Certain).is_none());
    assert!(
        journal.verdict(hash("crashed"), Trust::Certain).is_some()
            && journal.verdict(hash("hung"), Trust::Certain).is_some()
    );
}

#[test]
fn what_another_version_wrote_is_not_used() {
    let (_folder, path) = place();
    let verdict = Verdict::pass("");
    let mut other = question();
    other.version = "0.0.0".to_owned();
    let journal = Journal::begin(&path, other, &|_| false).expect("it can be made");
    journal.set_basis(Some("one".to_owned()), vec![Fact::new("rustc", "1.95")]).expect("it is a new run");
    record(&journal, "a", &verdict, End::Exited(0));
    drop(journal);
    assert!(begun(&path, Some("one")).verdict(hash("a"), Trust::Certain).is_none());
    std::fs::write(&path, b"\xff no journal\n").expect("it can be written");
    assert_eq!(Journal::resume(&path).expect("it can be read").1, None);
    drop(begun(&path, Some("one")));
    resumed(&path);
}

#[test]
fn a_journal_goes_when_there_is_nothing_to_resume() {
    let (_folder, path) = place();
    begun(&path, None).end(false);
    assert!(!path.exists(), "nothing was checked");
    let journal = begun(&path, None);
    record(&journal, "a", &Verdict::pass(""), End::Exited(0));
    journal.end(false);
    assert!(path.exists());
    journal.end(true);
    assert!(!path.exists());
}
