// A field of a type that does not implement the trait that the derive asks for.
//@ dependency: serde = { version = "1", features = ["derive"] }
//@ error: the trait bound `\w+: [^`]*\w+` is not satisfied
//@ not-error: environment variable|unresolved|cannot find
//@ code: (struct|enum) \w+
use serde::Serialize;
use std::collections::BTreeMap;

pub struct Stamp {
    seconds: u64,
}

impl Stamp {
    fn now() -> Self {
        Stamp { seconds: 1 }
    }
}

#[derive(Serialize)]
pub struct Event {
    id: u64,
    name: String,
    at: Stamp,
    tags: Vec<String>,
}

#[derive(Default)]
pub struct Log {
    events: BTreeMap<u64, Event>,
}

impl Log {
    pub fn add(&mut self, id: u64, name: &str) {
        let event = Event { id, name: name.to_owned(), at: Stamp::now(), tags: Vec::new() };
        self.events.insert(id, event);
    }

    pub fn latest(&self) -> Option<u64> {
        self.events.values().map(|event| event.at.seconds).max()
    }
}

fn main() {
    let mut log = Log::default();
    log.add(1, "begin");
    println!("{:?}", log.latest());
}
