//! Services that cannot be used are refused before the first job.

use std::fs;

use bazel_remote_apis::build::bazel::remote::execution::v2::digest_function::Value as Function;
use serde_json::json;
use tonic::Code;

use crate::client::Client;
use crate::job::Job;
use crate::script::Deed;
use crate::service::{Service, Setup};

/// Starts the program for this service, which must be refused for this reason, with its URL.
fn refuses(service: &Service, options: &[&str], why: &str) {
    let (client, first) = Client::greets(&[&service.url], options);
    assert_eq!(first, json!({ "refused": format!("{}: {why}", service.url) }));
    client.end();
    assert!(service.seen().executes.is_empty());
}

#[test]
fn a_service_that_cannot_be_used_is_refused_with_the_reason() {
    let silent = "the action did not end with an answer of `mcve worker`";
    let greets = |deed| Setup { greeting: deed, ..Setup::default() };
    let prints = |code, text: &str| greets(Deed::Prints(code, text.to_owned()));
    for (setup, why) in [
        (Setup { executes: false, ..Setup::default() }, "it executes no actions"),
        (
            Setup { functions: vec![Function::Md5, Function::Blake3], ..Setup::default() },
            "it does not address blobs by SHA-256",
        ),
        (Setup { token: Some("secret"), ..Setup::default() }, "Unauthenticated: who are you"),
        (prints(0, "{\"refused\":\"it has no rustc 1.95\"}\n"), "it has no rustc 1.95"),
        (prints(1, "bwrap: execvp ./mcve: No such file or directory\n"), silent),
        (prints(0, ""), silent),
        (greets(Deed::Rejects(Code::PermissionDenied)), "PermissionDenied: so it was planned"),
        (greets(Deed::Ends(Code::InvalidArgument)), "InvalidArgument: so it was planned"),
    ] {
        refuses(&Service::start(setup), &[], why);
    }
}

#[test]
fn one_of_several_services_that_cannot_be_used_is_named() {
    let able = Service::start(Setup::default());
    let unable = Service::start(Setup { executes: false, ..Setup::default() });
    for urls in [[&*able.url, &*unable.url], [&*unable.url, &*able.url]] {
        let (client, first) = Client::greets(&urls, &[]);
        assert_eq!(first, json!({ "refused": format!("{}: it executes no actions", unable.url) }));
        client.end();
    }
}

#[test]
fn a_service_that_says_nothing_of_digests_or_more_than_one_is_used() {
    for functions in [vec![], vec![Function::Sha256], vec![Function::Blake3, Function::Sha256]] {
        let service = Service::start(Setup { functions, ..Setup::default() });
        let mut client = Client::start(&[&service], &[]);
        assert_eq!(client.ask(&Job::new(1).line(1)), Job::new(1).done(1));
        client.end();
    }
}

#[test]
fn what_is_no_service_is_refused() {
    // Nothing listens at this port, which none of the others can have.
    for (url, why) in [
        ("http://127.0.0.1:1", "http://127.0.0.1:1: Unavailable: tcp connect error"),
        ("no url", "no url: invalid URI: invalid uri character"),
    ] {
        let (client, first) = Client::greets(&[url], &[]);
        let refused = first["refused"].as_str().expect("it is refused");
        assert!(refused.starts_with(why), "{refused}");
        client.end();
    }
}

#[test]
fn the_token_comes_out_of_a_file() {
    let service = Service::start(Setup { token: Some("secret"), ..Setup::default() });
    let folder = tempfile::tempdir().expect("there is a place for it");
    let path = folder.path().join("token");
    let path = path.to_str().expect("it is UTF-8");
    refuses(
        &service,
        &["--token", path],
        &format!("cannot use the token: cannot read {path}: No such file or directory (os error 2)"),
    );
    for (text, why) in [("other\n", "Unauthenticated: who are you"), ("", "Unauthenticated: who are you")] {
        fs::write(path, text).expect("it is written");
        refuses(&service, &["--token", path], why);
    }
    for text in ["secret", "secret\n"] {
        fs::write(path, text).expect("it is written");
        let mut client = Client::start(&[&service], &["--token", path]);
        assert_eq!(client.ask(&Job::new(1).line(1)), Job::new(1).done(1));
        client.end();
    }
    // The one that nobody asked for goes along as well: it is one for all services.
    refuses(&Service::start(Setup::default()), &["--token", path], "Unauthenticated: who are you");
}

#[test]
fn the_worker_that_only_greets_is_no_job_and_comes_from_no_cache() {
    let service = Service::start(Setup::default());
    for _ in 0..2 {
        Client::start(&[&service], &[]).end();
    }
    let seen = service.seen();
    assert_eq!(seen.greetings.iter().map(|(_, is_fresh)| *is_fresh).collect::<Vec<_>>(), [true, true]);
    assert_eq!(seen.greetings[0], seen.greetings[1]);
    assert!(seen.executes.is_empty());
}
