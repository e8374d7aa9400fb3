//! Several services: which one gets a job, and what becomes of one that does not work.

use std::time::Instant;

use tonic::Code;

use crate::client::Client;
use crate::job::{Job, failed};
use crate::script::{Deed, Script};
use crate::service::{Service, Setup};

fn two() -> (Service, Service) {
    (Service::start(Setup::default()), Service::start(Setup::default()))
}

#[test]
fn services_that_are_slow_get_the_same_number_of_jobs() {
    let (one, two) = two();
    let mut client = Client::start(&[&one, &two], &[]);
    one.plan(Script::always(Deed::Waits));
    two.plan(Script::always(Deed::Waits));
    for id in 0..20 {
        client.send(&Job::new(id).line(id));
        // The next one is sent when this one has come to one of them.
        let count = usize::try_from(id).expect("it is small");
        let (service, own) = if count % 2 == 0 { (&one, count / 2) } else { (&two, count / 2) };
        service.until("a job", |seen| seen.executes.len() == own + 1);
    }
    assert_eq!((one.seen().executes.len(), two.seen().executes.len()), (10, 10));
    one.open();
    two.open();
    let mut answers: Vec<_> = (0..20).map(|_| client.next()).collect();
    answers.sort_by_key(|answer| answer["done"]["id"].as_u64());
    assert_eq!(answers, (0..20).map(|id| Job::new(id).done(id)).collect::<Vec<_>>());
    client.end();
}

#[test]
fn a_slow_service_gets_no_jobs_that_a_free_one_can_do() {
    let (one, two) = two();
    let mut client = Client::start(&[&one, &two], &[]);
    one.plan(Script::always(Deed::Waits));
    client.send(&Job::new(0).line(0));
    one.until("a job", |seen| seen.executes.len() == 1);
    for id in 1..10 {
        assert_eq!(client.ask(&Job::new(id).line(id)), Job::new(id).done(id));
    }
    assert_eq!((one.seen().executes.len(), two.seen().executes.len()), (1, 9));
    one.open();
    assert_eq!(client.next(), Job::new(0).done(0));
    client.end();
}

#[test]
fn after_a_fault_another_service_is_asked() {
    let unavailable = || Deed::Rejects(Code::Unavailable);
    let times = |count| Script::executes(vec![unavailable(); count]);
    for (first, second, flags) in [
        (times(0), times(0), [&[false][..], &[]]),
        (times(1), times(0), [&[false], &[true]]),
        (times(3), times(0), [&[false], &[true]]),
        (times(1), times(1), [&[false, true], &[true]]),
        (times(3), times(2), [&[false, true, true], &[true, true, true]]),
        // What one service does not want, another one may.
        (Script::always(Deed::Rejects(Code::PermissionDenied)), times(2), [&[false], &[true, true, true]]),
        (times(2), Script::always(Deed::Rejects(Code::Unauthenticated)), [&[false, true, true], &[true]]),
        (Script::always(Deed::Prints(1, String::new())), times(0), [&[false], &[true]]),
    ] {
        let what = format!("{first:?}, {second:?}");
        let (one, two) = two();
        let mut client = Client::start(&[&one, &two], &[]);
        one.plan(first);
        two.plan(second);
        assert_eq!(client.ask(&Job::new(1).line(8)), Job::new(1).done(8), "{what}");
        assert_eq!([one.seen().flags(), two.seen().flags()], flags, "{what}");
        client.end();
    }
}

#[test]
fn a_job_that_no_service_can_do_fails_after_three_tries_each() {
    let (one, two) = two();
    let mut client = Client::start(&[&one, &two], &[]);
    one.plan(Script::always(Deed::Rejects(Code::Unavailable)));
    two.plan(Script::always(Deed::Rejects(Code::Unavailable)));
    assert_eq!(client.ask(&Job::new(1).line(8)), failed(8, "Unavailable: so it was planned"));
    assert_eq!([one.seen().flags(), two.seen().flags()], [[false, true, true], [true, true, true]]);
    // Both rest now, and are asked all the same.
    one.plan(Script::default());
    two.plan(Script::default());
    assert_eq!(client.ask(&Job::new(2).line(9)), Job::new(2).done(9));
    client.end();
}

#[test]
fn a_service_with_repeated_faults_rests() {
    let (one, two) = two();
    let mut client = Client::start(&[&one, &two], &[]);
    one.plan(Script::always(Deed::Rejects(Code::Unavailable)));
    let start = Instant::now();
    for id in 0..40 {
        assert_eq!(client.ask(&Job::new(id).line(id)), Job::new(id).done(id));
    }
    // It rests half a second after the second fault, and twice as long after each further one. So it is asked twice, and once more
    // after 0.5, 1.5, 3.5, .. seconds.
    let halves = start.elapsed().as_millis() / 500;
    let most = 2 + (halves + 1).ilog2() as usize;
    let count = one.seen().executes.len();
    assert!((2..=most).contains(&count), "{count} of {most} in {halves} half seconds");
    assert_eq!(two.seen().runs, 40);

    // Who rests is asked if nobody else is left.
    one.plan(Script::default());
    two.plan(Script::always(Deed::Ends(Code::Internal)));
    let before = one.seen().executes.len();
    assert_eq!(client.ask(&Job::new(200).line(200)), Job::new(200).done(200));
    assert_eq!(one.seen().executes.len(), before + 1);
    client.end();
}

#[test]
fn a_service_that_ends_in_the_middle_of_a_job_is_replaced() {
    let (mut one, two) = two();
    let mut client = Client::start(&[&one, &two], &[]);
    one.plan(Script::always(Deed::Waits));
    two.plan(Script::always(Deed::Waits));
    for id in 0..4 {
        client.send(&Job::new(id).line(id));
        let count = |service: &Service| service.seen().executes.len();
        let (service, own) = if id % 2 == 0 { (&one, count(&one)) } else { (&two, count(&two)) };
        service.until("a job", |seen| seen.executes.len() > own);
    }
    one.kill();
    // Those of the first one come to the second one.
    two.until("all jobs", |seen| seen.executes.len() == 4);
    two.open();
    let mut answers: Vec<_> = (0..4).map(|_| client.next()).collect();
    answers.sort_by_key(|answer| answer["done"]["id"].as_u64());
    assert_eq!(answers, (0..4).map(|id| Job::new(id).done(id)).collect::<Vec<_>>());
    let mut flags = two.seen().flags();
    flags.sort_unstable();
    assert_eq!((one.seen().executes.len(), flags), (2, vec![false, false, true, true]));
    // All later ones, too.
    for id in 10..15 {
        assert_eq!(client.ask(&Job::new(id).line(id)), Job::new(id).done(id));
    }
    client.end();
}

#[test]
fn a_job_fails_if_its_only_service_has_ended() {
    let mut service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    service.plan(Script::always(Deed::Waits));
    client.send(&Job::new(1).line(1));
    service.until("a job", |seen| seen.executes.len() == 1);
    service.kill();
    let said = client.next();
    assert_eq!(said["failed"]["id"], 1, "{said}");
    client.end();
}
