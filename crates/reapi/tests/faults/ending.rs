//! Jobs that nobody wants any more.

use std::time::Duration;

use serde_json::json;

use crate::client::Client;
use crate::job::Job;
use crate::script::{Deed, Script, Wait};
use crate::service::{Service, Setup};

fn cancel(id: u64) -> String {
    json!({ "cancel": id }).to_string()
}

/// A job whose files are not known, by whose answer is seen that the lines before it were read.
fn probe(client: &mut Client, id: u64) {
    assert_eq!(client.ask(&Job::new(id).line_with(id, |_| false)), json!({ "missing": id }));
}

#[test]
fn a_cancelled_job_is_cancelled_by_its_name_and_not_answered() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    service.plan(Script::executes([Deed::Waits, Deed::Waits]));
    for id in [5, 6] {
        client.send(&Job::new(id).line(id));
        service.until("a job", |seen| seen.names.len() == usize::try_from(id).expect("it is small") - 3);
    }
    client.send(&cancel(6));
    service.until("the request to cancel", |seen| !seen.cancels.is_empty());
    // The other one goes on, and has its answer.
    service.open();
    assert_eq!(client.next(), Job::new(5).done(5));
    // One that has ended, or that never was, is not cancelled.
    client.send(&cancel(5));
    client.send(&cancel(77));
    assert_eq!(client.ask(&Job::new(7).line(7)), Job::new(7).done(7));
    client.end();
    assert_eq!(service.seen().cancels, ["operations/2"]);
    assert_eq!(service.seen().flags(), [false, false, false]);
}

#[test]
fn an_operation_that_has_no_name_yet_is_cancelled_as_soon_as_it_has_one() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    service.plan(Script::executes([Deed::NamesLate]));
    client.send(&Job::new(5).line(5));
    service.until("a job", |seen| seen.executes.len() == 1);
    client.send(&cancel(5));
    probe(&mut client, 9);
    service.open();
    service.until("the request to cancel", |seen| seen.cancels == ["operations/1"]);
    client.end();
    assert_eq!(service.seen().flags(), [false]);
}

#[test]
fn an_operation_that_is_waited_for_is_cancelled() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    // The stream breaks and the wait as well, so there is a second operation.
    let script = Script::executes([Deed::Breaks, Deed::Waits]);
    service.plan(Script { waits: [Wait::Breaks].into(), ..script });
    client.send(&Job::new(5).line(5));
    service.until("the second operation", |seen| seen.names.len() == 3);
    client.send(&cancel(5));
    service.until("the request to cancel", |seen| seen.cancels == ["operations/2"]);
    client.end();
    assert_eq!(service.seen().waits, ["operations/1"]);
}

#[test]
fn at_the_end_of_the_input_all_that_runs_is_cancelled() {
    let services = [Service::start(Setup::default()), Service::start(Setup::default())];
    let mut client = Client::start(&[&services[0], &services[1]], &[]);
    for service in &services {
        service.plan(Script::always(Deed::Waits));
    }
    for id in 0..6 {
        client.send(&Job::new(id).line(id));
        let count = usize::try_from(id).expect("it is small");
        services[count % 2].until("a job", |seen| seen.executes.len() == count / 2 + 1);
    }
    client.end();
    let names = services.iter().flat_map(|service| {
        let mut cancels = service.seen().cancels;
        cancels.sort();
        assert_eq!(cancels, service.seen().names[1..]);
        cancels
    });
    assert_eq!(names.count(), 6);
}

#[test]
fn it_ends_without_jobs_and_with_lines_that_mean_nothing() {
    let service = Service::start(Setup::default());
    Client::start(&[&service], &[]).end();
    let mut client = Client::start(&[&service], &[]);
    for line in ["", "hello", "{}", "{\"run\":{}}", "{\"cancel\":0}", "{\"hello\":{}}", "[7]", "{\"run\":{\"id\":1}}"] {
        client.send(line);
    }
    assert_eq!(client.ask(&Job::new(1).line(1)), Job::new(1).done(1));
    client.end();
    assert_eq!(service.seen().executes.len(), 1);
}

#[test]
fn an_action_has_time_beyond_that_of_its_job() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    for (id, timeout_ms, expected) in [
        (0, 0, Duration::from_secs(30)),
        (1, 1, Duration::from_millis(30_001)),
        (2, 5999, Duration::from_millis(35_999)),
        (3, u64::MAX, Duration::from_millis(u64::MAX) + Duration::from_secs(30)),
    ] {
        let job = Job::new(id).timeout_ms(timeout_ms);
        assert_eq!(client.ask(&job.line(id)), job.done(id));
        let (digest, _) = service.seen().executes.pop().expect("it was executed");
        let timeout = service.input(&digest).action.timeout.expect("it has one");
        let seconds = i64::try_from(expected.as_secs()).expect("it is that small");
        assert_eq!((timeout.seconds, timeout.nanos.unsigned_abs()), (seconds, expected.subsec_nanos()));
    }
    client.end();
}
