//! Faults of actions: what is answered in spite of them, and what is asked again.

use serde_json::json;
use tonic::Code;

use crate::client::Client;
use crate::job::{Job, failed};
use crate::script::{Deed, Read, Script, Wait};
use crate::service::{Service, Setup};

/// What is said of an output without an answer.
const SILENT: &str = "the action did not end with an answer of `mcve worker`";

/// What a sandbox prints that cannot start the worker.
const SANDBOX: &str = "bwrap: execvp ./mcve: No such file or directory\n";

/// All codes of what may pass.
const PASSING: [Code; 9] = [
    Code::Unavailable,
    Code::ResourceExhausted,
    Code::Internal,
    Code::DeadlineExceeded,
    Code::Aborted,
    Code::Cancelled,
    Code::Unknown,
    Code::DataLoss,
    Code::OutOfRange,
];

/// The codes of what a service does not want.
const REFUSING: [Code; 4] = [Code::InvalidArgument, Code::PermissionDenied, Code::Unauthenticated, Code::Unimplemented];

/// What a worker prints that has no place for its files.
fn full() -> String {
    json!({ "ready": { "slots": 1 } }).to_string() + "\n" + &failed(0, "no storage space").to_string() + "\n"
}

/// Faults after each of which a second request has the answer.
fn faults() -> Vec<Deed> {
    let greets = json!({ "ready": { "slots": 1 } }).to_string() + "\n";
    let other = Job::new(99).done(0).to_string() + "\n";
    let mut deeds: Vec<Deed> = Vec::new();
    deeds.extend(PASSING.map(Deed::Rejects));
    deeds.extend(PASSING.map(Deed::Ends));
    deeds.extend(PASSING.map(Deed::Errs));
    deeds.extend([Code::NotFound, Code::FailedPrecondition].map(Deed::Rejects));
    deeds.extend([Code::NotFound, Code::FailedPrecondition].map(Deed::Ends));
    deeds.extend([Deed::Lacks, Deed::Garbles, Deed::BreaksUnnamed, Deed::Evicts, Deed::Misleads]);
    deeds.extend([0, 30, 60, 90, 99].map(Deed::Cuts));
    for text in [SANDBOX, "", "\n", "null\n", "[1]\n", "{\"done\":7}\n", "{\"missing\":0}\n", &greets, &other, &full()]
    {
        deeds.extend([0, 1, 127].map(|code| Deed::Prints(code, text.to_owned())));
        deeds.push(Deed::Cached(0, text.to_owned()));
    }
    deeds.push(Deed::Cached(1, SANDBOX.to_owned()));
    deeds.push(Deed::Prints(0, "{\"refused\":\"it has no rustc 1.95\"}\n".to_owned()));
    deeds
}

#[test]
fn after_a_fault_the_job_is_asked_for_again_without_the_cache() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    for (id, deed) in (1000..).zip(faults()) {
        let before = service.seen().executes.len();
        service.plan(Script::executes([deed.clone()]));
        let job = Job::new(id);
        assert_eq!(client.ask(&job.line(id)), job.done(id), "{deed:?}");
        assert_eq!(service.seen().flags()[before..], [false, true], "{deed:?}");
    }
    assert!(service.seen().waits.is_empty());
    client.end();
}

#[test]
fn any_two_faults_one_after_the_other_are_survived() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    let (all, mut id) = (faults(), 1000);
    for first in &all {
        // All of them come second after some other one.
        for second in all.iter().skip(usize::try_from(id % 7).expect("it is small")).step_by(7) {
            let before = service.seen().executes.len();
            service.plan(Script::executes([first.clone(), second.clone()]));
            let job = Job::new(id);
            assert_eq!(client.ask(&job.line(id)), job.done(id), "{first:?}, {second:?}");
            let flags = service.seen().flags()[before..].to_vec();
            // What the cache had is not looked at after a fault.
            let expected = if matches!(second, Deed::Cached(..)) { &[false, true][..] } else { &[false, true, true] };
            assert_eq!(flags, expected, "{first:?}, {second:?}");
            id += 1;
        }
    }
    client.end();
}

#[test]
fn a_fault_that_lasts_is_said_after_three_tries_and_never_becomes_an_answer() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    let prints = |code, text: &str| Deed::Prints(code, text.to_owned());
    for (id, (deed, why, tries)) in (0..).zip([
        (Deed::Rejects(Code::Unavailable), "Unavailable: so it was planned", 3),
        (Deed::Ends(Code::ResourceExhausted), "ResourceExhausted: so it was planned", 3),
        (Deed::Ends(Code::FailedPrecondition), "FailedPrecondition: so it was planned", 3),
        (Deed::Errs(Code::Internal), "Internal: so it was planned", 3),
        (Deed::Lacks, "the answer has no result", 3),
        (Deed::BreaksUnnamed, "the stream ended before the action", 3),
        (Deed::Misleads, SILENT, 3),
        (Deed::Cuts(99), SILENT, 3),
        (prints(1, SANDBOX), SILENT, 3),
        (prints(0, ""), SILENT, 3),
        (prints(0, &full()), "no storage space", 3),
        (prints(0, "{\"refused\":\"it has no rustc 1.95\"}\n"), "it has no rustc 1.95", 3),
        (Deed::Rejects(Code::PermissionDenied), "PermissionDenied: so it was planned", 1),
        (Deed::Ends(Code::InvalidArgument), "InvalidArgument: so it was planned", 1),
    ]) {
        let before = service.seen().executes.len();
        service.plan(Script::always(deed.clone()));
        assert_eq!(client.ask(&Job::new(id).line(id)), failed(id, why), "{deed:?}");
        let expected: Vec<bool> = (0..tries).map(|index| index > 0).collect();
        assert_eq!(service.seen().flags()[before..], expected, "{deed:?}");
    }
    // Nothing of it is remembered.
    service.plan(Script::default());
    assert_eq!(client.ask(&Job::new(77).line(77)), Job::new(77).done(77));
    client.end();
}

#[test]
fn what_a_service_does_not_want_is_asked_once() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    for (id, code) in (0..).zip(REFUSING) {
        let before = service.seen().executes.len();
        service.plan(Script::executes([Deed::Rejects(code)]));
        assert_eq!(client.ask(&Job::new(id).line(id)), failed(id, &format!("{code:?}: so it was planned")));
        assert_eq!(service.seen().flags()[before..], [false]);
    }
    client.end();
}

#[test]
fn an_operation_whose_stream_broke_is_waited_for() {
    let rejects = |code| vec![Wait::Rejects(code)];
    for (deed, waits, flags) in [
        (Deed::Breaks, vec![], &[false][..]),
        (Deed::BreaksBy(Code::Unavailable), vec![], &[false]),
        (Deed::BreaksBy(Code::Internal), vec![], &[false]),
        (Deed::BreaksBy(Code::Cancelled), vec![], &[false]),
        (Deed::Breaks, vec![Wait::Breaks], &[false, true]),
        (Deed::Breaks, rejects(Code::Unavailable), &[false, true]),
        (Deed::Breaks, rejects(Code::NotFound), &[false, true]),
        // It does not know how to wait: that is no reason not to ask again.
        (Deed::Breaks, rejects(Code::Unimplemented), &[false, true]),
        (Deed::BreaksBy(Code::Unavailable), rejects(Code::Unimplemented), &[false, true]),
        (Deed::BreaksBy(Code::Unavailable), rejects(Code::PermissionDenied), &[false, true]),
    ] {
        let what = format!("{deed:?}, {waits:?}");
        let service = Service::start(Setup::default());
        let mut client = Client::start(&[&service], &[]);
        service.plan(Script { waits: waits.into(), ..Script::executes([deed]) });
        assert_eq!(client.ask(&Job::new(1).line(5)), Job::new(1).done(5), "{what}");
        let seen = service.seen();
        assert_eq!(seen.flags(), flags, "{what}");
        // The first one is that of the greeting.
        assert_eq!((&*seen.waits, seen.runs), (&["operations/1".to_owned()][..], flags.len()), "{what}");
        // Nothing was lost, so nothing is sent again.
        assert_eq!(seen.batches.len(), 2, "{what}");
        client.end();
    }
}

#[test]
fn an_output_in_the_store_is_read_and_checked() {
    for (reads, flags) in [
        (vec![], &[false][..]),
        (vec![Read::Corrupts], &[false, true]),
        (vec![Read::Shortens], &[false, true]),
        (vec![Read::Rejects(Code::NotFound)], &[false, true]),
        (vec![Read::Rejects(Code::Unavailable)], &[false, true]),
        (vec![Read::Corrupts, Read::Rejects(Code::NotFound)], &[false, true, true]),
    ] {
        let what = format!("{reads:?}");
        let service = Service::start(Setup { instance: "a/b", ..Setup::default() });
        let mut client = Client::start(&[&service], &["--instance", "a/b"]);
        service.plan(Script { reads: reads.into(), ..Script::always(Deed::Stores) });
        assert_eq!(client.ask(&Job::new(1).line(5)), Job::new(1).done(5), "{what}");
        let seen = service.seen();
        assert_eq!((seen.flags(), seen.reads.len()), (flags.to_vec(), flags.len()), "{what}");
        client.end();
    }
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    let script = || Script { reads: [Read::Corrupts; 3].into(), ..Script::always(Deed::Stores) };
    service.plan(script());
    assert_eq!(client.ask(&Job::new(1).line(5)), failed(5, "a blob has other bytes"));
    client.end();
}
