//! Files: what is sent and what is not, and faults of the store.

use serde_json::json;
use tonic::Code;

use crate::client::Client;
use crate::job::{Job, bytes, failed, hash};
use crate::script::{Batch, Deed, Script, Write};
use crate::service::{Service, Setup};

/// The most bytes of a part of a large blob.
const PART: usize = 1 << 20;

#[test]
fn a_job_has_its_answer_and_the_same_one_again_sends_nothing() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    let job = Job::new(1);
    let (greeted, _) = (service.seen(), assert_eq!(client.ask(&job.line(3)), job.done(3)));
    let first = service.seen();
    assert_eq!((greeted.greetings.len(), greeted.executes.len(), first.executes.len()), (1, 0, 1));
    // The lines, the file, three folders with them, and the action.
    assert_eq!((greeted.batches.len(), first.batches.len(), first.batches[1].len()), (1, 2, 6));
    let mut all = first.uploads();
    all.dedup();
    assert_eq!(all, first.uploads(), "nothing was sent twice");
    let mut needed = service.input(&first.executes[0].0).hashes;
    needed.retain(|hash| !first.uploads().contains(hash));
    assert!(needed.is_empty());

    assert_eq!(client.ask(&job.line(4)), job.done(4));
    let second = service.seen();
    assert_eq!(second.flags(), [false, false]);
    assert_eq!(second.executes[0], second.executes[1]);
    assert_eq!((second.runs, second.uploads()), (1, first.uploads()), "the cache has answered");
    assert!(second.finds.is_empty() && second.writes.is_empty() && second.cancels.is_empty());
    client.end();
}

#[test]
fn what_was_evicted_is_sent_again() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    let large = bytes(7, 100_000);
    let job = |seed| Job::new(seed).file("large.rs", large.clone());
    assert_eq!(client.ask(&job(1).line(1)), job(1).done(1));
    service.evict();
    assert_eq!(client.ask(&job(2).line_with(2, |path| path != "large.rs")), job(2).done(2));
    let seen = service.seen();
    assert_eq!(seen.flags(), [false, false, true]);
    // What was new came at once, the rest after the fault: all that the action needs, the large file among it.
    let after: Vec<String> = seen.batches[3..].iter().flatten().map(|(hash, _)| hash.clone()).collect();
    let mut needed = service.input(&seen.executes[2].0).hashes;
    needed.sort();
    needed.dedup();
    let mut came = after.clone();
    came.sort();
    assert_eq!(came, needed);
    assert!(after.contains(&hash(&large)));
    assert_eq!(seen.finds, [vec![hash(&large)], vec![hash(&large)]]);

    // Again and again: each time all is sent, and at last it is a fault.
    service.plan(Script::always(Deed::Evicts));
    let why = client.ask(&job(3).line(3))["failed"]["why"].as_str().unwrap_or_default().to_owned();
    assert!(why.starts_with("FailedPrecondition: ") && why.ends_with(" is not there"), "{why}");
    let later = service.seen();
    assert_eq!(later.flags()[3..], [false, true, true]);
    let sizes: Vec<usize> = later.batches[seen.batches.len()..].iter().map(Vec::len).collect();
    assert_eq!(sizes[1..], [needed.len(), needed.len()]);
    client.end();
}

#[test]
fn a_large_blob_goes_whole_in_parts() {
    let service = Service::start(Setup { instance: "main", ..Setup::default() });
    let mut client = Client::start(&[&service], &["--instance", "main"]);
    let job = Job::new(1).file("large.rs", bytes(1, 9 << 20));
    assert_eq!(client.ask(&job.line(1)), job.done(1));
    let seen = service.seen();
    assert_eq!((seen.writes.len(), seen.writes[0].1.clone()), (1, vec![PART; 9]));
    assert_eq!(seen.finds, [vec![hash(&bytes(1, 9 << 20))]]);

    // The last part is what is left. The next upload has another name.
    let job = Job::new(2).file("large.rs", bytes(2, (9 << 20) + 1));
    assert_eq!(client.ask(&job.line(2)), job.done(2));
    let seen = service.seen();
    assert_eq!(seen.writes[1].1, [vec![PART; 9], vec![1]].concat());
    let name = |index: usize| seen.writes[index].0.split('/').nth(2).map(str::to_owned);
    assert!(name(0) != name(1) && name(0).is_some());

    // One that is there is not sent.
    let job = Job::new(3).file("large.rs", bytes(2, (9 << 20) + 1));
    assert_eq!(client.ask(&job.line(3)), job.done(3));
    assert_eq!(service.seen().writes.len(), 2);
    client.end();
    let mut client = Client::start(&[&service], &["--instance", "main"]);
    assert_eq!(client.ask(&job.line(4)), job.done(4));
    assert_eq!(service.seen().writes.len(), 2, "the service was asked first");
    client.end();
}

#[test]
fn faults_of_the_store_are_survived() {
    let large = bytes(1, 5 << 20);
    let writes = |write: Write| Script { writes: [write].into(), ..Script::default() };
    let batches = |batch: Batch| Script { batches: [batch].into(), ..Script::default() };
    let passing = [Code::Unavailable, Code::ResourceExhausted, Code::Internal, Code::Unknown, Code::NotFound];
    // How many large blobs come whole, and whether it is asked again.
    let mut rows = vec![
        (Script::default(), 1, false),
        (writes(Write::Shortens), 2, true),
        (writes(Write::Has(large.clone())), 1, false),
        (Script { finds: [Code::Unavailable].into(), ..Script::default() }, 1, true),
    ];
    rows.extend(passing.map(|code| (writes(Write::Rejects(code)), 1, true)));
    rows.extend(passing.map(|code| (batches(Batch::Rejects(code)), 1, true)));
    rows.extend(passing.map(|code| (batches(Batch::Spoils(code)), 1, true)));
    for (row, (script, count, is_again)) in rows.into_iter().enumerate() {
        let service = Service::start(Setup::default());
        let mut client = Client::start(&[&service], &[]);
        service.plan(script);
        let job = Job::new(1).file("large.rs", large.clone());
        assert_eq!(client.ask(&job.line(9)), job.done(9), "row {row}");
        let seen = service.seen();
        assert_eq!((seen.flags(), seen.runs, seen.writes.len()), (vec![is_again], 1, count), "row {row}");
        client.end();
    }
}

#[test]
fn a_store_that_does_not_work_is_a_fault_and_nothing_is_executed() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    let job = |seed| Job::new(seed).file("large.rs", bytes(1, 5 << 20));
    let unavailable = "Unavailable: so it was planned";
    for (id, (script, why)) in (0..).zip([
        (Script { writes: vec![Write::Shortens; 3].into(), ..Script::default() }, "a blob was not written whole"),
        (Script { batches: [Batch::Spoils(Code::Unavailable); 3].into(), ..Script::default() }, unavailable),
        (Script { finds: [Code::Unavailable; 3].into(), ..Script::default() }, unavailable),
        (
            Script { batches: [Batch::Spoils(Code::PermissionDenied)].into(), ..Script::default() },
            "PermissionDenied: so it was planned",
        ),
    ]) {
        service.plan(script);
        assert_eq!(client.ask(&job(id).line(id)), failed(id, why));
        assert!(service.seen().executes.is_empty());
    }
    client.end();
}

#[test]
fn no_message_has_more_than_the_service_takes() {
    let sizes = [100, 3000, 20_000, 60_000, 65_536, 65_537, 200_000, 300_000, 500_000, 900_000, 1_000_000, 1_048_576];
    for batch in [0, -1, 1000, 4096, 100_000, 1 << 20, 4 << 20, 64 << 20] {
        let service = Service::start(Setup { batch, ..Setup::default() });
        let mut client = Client::start(&[&service], &[]);
        let add = |job: Job, (index, size): (u64, usize)| job.file(&format!("{index}.rs"), bytes(index, size));
        let job = (0..).zip(sizes).fold(Job::new(1), add);
        assert_eq!(client.ask(&job.line(1)), job.done(1), "{batch}");
        let seen = service.seen();
        let total = |batch: &Vec<(String, usize)>| batch.iter().map(|(_, size)| size).sum::<usize>();
        let most = seen.batches.iter().map(total).max().unwrap_or_default();
        let limit = usize::try_from(batch).ok().filter(|batch| *batch > 0).unwrap_or(4 << 20).min(4 << 20);
        assert!(most <= limit, "{batch}: {most}");
        let mut all = seen.uploads();
        all.dedup();
        assert_eq!(all, seen.uploads(), "{batch}: nothing was sent twice");
        client.end();
    }
}

#[test]
fn large_files_and_those_from_outside_are_sent_once() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    // In Base64 the first one has 65,536 characters, and the second one fewer.
    let job = |seed| {
        let job = Job::new(seed).file("large.rs", bytes(1, 49_152)).file("small.rs", bytes(2, 49_149));
        job.outside("/home/deps/liba.rlib", bytes(3, 10)).outside("/home/deps/libb.rlib", bytes(4, 10))
    };
    let is_kept = |path: &str| path == "large.rs" || path.starts_with("/home");
    let missing = |id: u64| json!({ "missing": id });
    assert_eq!(client.ask(&job(1).line_with(1, |path| !is_kept(path))), missing(1));
    assert_eq!(client.ask(&job(1).line(2)), job(1).done(2));
    assert_eq!(client.ask(&job(2).line_with(3, |path| !is_kept(path))), job(2).done(3));
    assert_eq!(client.ask(&job(3).line_with(4, |path| path != "small.rs")), missing(4));
    assert_eq!(client.ask(&job(3).line_with(5, |path| path != "a.rs")), missing(5));
    // With its bytes once more it runs.
    assert_eq!(client.ask(&job(3).line(6)), job(3).done(6));
    assert_eq!(client.ask(&job(3).line(7).replace("\"blobs\":{", "\"blobs\":{\"0\":\"?\",")), missing(7));
    assert_eq!(service.seen().runs, 3);
    client.end();
}
