//! What an action is made of.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::client::{Client, PATH, PROGRAM};
use crate::input::Input;
use crate::job::{HELLO, Job, bytes, hash};
use crate::service::{Service, Setup};

const OPTIONS: [&str; 16] = [
    "--env", "RUST_BACKTRACE=1", "--env", "A=b=c", "--platform", "OSFamily=linux", "--platform", "Arch=x86_64",
    "--salt", "mine", "--platform", "OSFamily=any", "--jobs", "8", "--instance", "main",
];

fn job() -> Job {
    let job = Job::new(1).file("src/b.rs", b"mod c;".to_vec());
    job.outside("/home/deps/liba.rlib", bytes(3, 70_000)).timeout_ms(4200)
}

/// The action of the last job of a service.
fn last(service: &Service) -> (String, Input) {
    let (digest, _) = service.seen().executes.pop().expect("there was a job");
    (digest.hash.clone(), service.input(&digest))
}

/// Runs the job by a fresh program.
fn action(service: &Service, options: &[&str], id: u64) -> (String, Input) {
    let mut client = Client::start(&[service], options);
    assert_eq!(client.ask(&job().line(id)), job().done(id));
    client.end();
    last(service)
}

#[test]
fn an_action_has_the_command_the_files_and_the_limits_of_its_job() {
    let service = Service::start(Setup { instance: "main", ..Setup::default() });
    let (_, input) = action(&service, &OPTIONS, 12);
    assert_eq!(input.command.arguments, ["./mcve", "worker", "--folder", "job"]);
    let variables: Vec<(&str, &str)> =
        input.command.environment_variables.iter().map(|pair| (&*pair.name, &*pair.value)).collect();
    assert_eq!(variables, [("A", "b=c"), ("PATH", PATH), ("RUST_BACKTRACE", "1")]);
    let platform = input.action.platform.expect("it has one");
    let properties: Vec<(&str, &str)> = platform.properties.iter().map(|pair| (&*pair.name, &*pair.value)).collect();
    assert_eq!(properties, [("Arch", "x86_64"), ("OSFamily", "any"), ("OSFamily", "linux")]);
    assert_eq!(&*input.action.salt, b"mine");
    let timeout = input.action.timeout.expect("it has one");
    assert_eq!((timeout.seconds, timeout.nanos), (34, 200_000_000));
    assert!(!input.action.do_not_cache);

    let line = job().line_with(0, |_| false);
    let expected: BTreeMap<String, (Vec<u8>, bool)> = [
        ("mcve".to_owned(), (PROGRAM.as_bytes().to_vec(), true)),
        ("job/lines".to_owned(), (input.files["job/lines"].0.clone(), false)),
        (format!("job/blobs/{}", hash(b"fn main() { 1 }")), (b"fn main() { 1 }".to_vec(), false)),
        (format!("job/blobs/{}", hash(b"mod c;")), (b"mod c;".to_vec(), false)),
        ("job/outside/home/deps/liba.rlib".to_owned(), (bytes(3, 70_000), false)),
    ]
    .into();
    assert_eq!(input.files, expected);
    let folders = ["job/blobs/", "job/outside/home/deps/", "job/outside/home/", "job/outside/", "job/", "tmp/"];
    assert_eq!(input.folders, folders);
    let lines = String::from_utf8(input.files["job/lines"].0.clone()).expect("it is text");
    let lines: Vec<&str> = lines.lines().collect();
    let parsed = |line: &str| serde_json::from_str::<Value>(line).expect("it is JSON");
    assert_eq!((lines.len(), lines[0], parsed(lines[1])), (2, HELLO, parsed(&line)));
}

#[test]
fn the_same_job_is_the_same_action_whoever_sends_it() {
    let service = Service::start(Setup { instance: "main", ..Setup::default() });
    let (first, _) = action(&service, &OPTIONS, 12);
    let (second, _) = action(&service, &OPTIONS, 77);
    assert_eq!(first, second);
    assert_eq!(service.seen().runs, 1, "the cache has answered the second one");
    // Nor does the order of the options matter.
    let mut options = OPTIONS;
    options.swap(5, 7);
    options.swap(1, 3);
    assert_eq!(action(&service, &options, 1).0, first);
    for (index, other) in [(1, "RUST_BACKTRACE=0"), (5, "OSFamily=bsd"), (9, "yours")] {
        let mut options = OPTIONS;
        options[index] = other;
        assert_ne!(action(&service, &options, 1).0, first, "{other}");
    }
}

#[test]
fn each_thing_that_matters_makes_another_action() {
    let service = Service::start(Setup::default());
    let mut client = Client::start(&[&service], &[]);
    let mut seen = std::collections::BTreeSet::new();
    let jobs = [
        Job::new(1),
        Job::new(2),
        Job::new(1).timeout_ms(6000),
        Job::new(1).file("b.rs", Vec::new()),
        Job::new(1).file("b.rs", vec![0]),
        Job::new(1).file("c.rs", vec![0]),
        Job::new(1).outside("/b.rs", vec![0]),
        Job::new(1).outside("/c.rs", vec![0]),
    ];
    for job in &jobs {
        assert_eq!(client.ask(&job.line(1)), job.done(1));
        seen.insert(last(&service).0);
    }
    assert_eq!(seen.len(), jobs.len());
    client.end();
}

#[test]
fn a_program_that_is_installed_there_is_not_sent() {
    let service = Service::start(Setup::default());
    let options = ["--installed", "/opt/mcve", "--env", "PATH=/other"];
    let (_, input) = action(&service, &options, 1);
    assert_eq!(input.command.arguments, ["/opt/mcve", "worker", "--folder", "job"]);
    let variables = &input.command.environment_variables;
    assert_eq!((variables.len(), &*variables[0].name, &*variables[0].value), (1, "PATH", "/other"));
    assert!(!input.files.contains_key("mcve"));
    assert_eq!((input.action.platform, &*input.action.salt), (None, &b""[..]));
    assert!(!service.seen().uploads().contains(&hash(PROGRAM.as_bytes())));
}
