// The function takes an `Option<Vec<String>>`, so why does what the map's `get` returns not fit?
//@ error: mismatched types
//@ error: expected \w+ `Option<([^&`]+)>`\s+found \w+ `Option<&\1>`
//@ code: \.get\(
use std::collections::HashMap;

#[derive(Default)]
struct Topics { readers: HashMap<String, Vec<String>>, names: Vec<String> }

impl Topics {
    fn subscribe(&mut self, topic: &str, reader: &str) {
        self.readers.entry(topic.to_string()).or_default().push(reader.to_string());
        self.names.push(topic.to_string());
    }
    fn close(&mut self, topic: &str) -> Option<Vec<String>> {
        self.names.retain(|name| name != topic);
        self.readers.remove(topic)
    }
    fn newest(&self) -> Option<&String> { self.names.last() }
}

fn notify(readers: Option<Vec<String>>, text: &str) -> usize {
    let readers = readers.unwrap_or_default();
    for reader in &readers { println!("{reader}: {text}"); }
    readers.len()
}

fn main() {
    let mut topics = Topics::default();
    topics.subscribe("tides", "ines");
    topics.subscribe("wind", "jon");
    let newest: Option<String> = topics.newest().cloned();
    let mut sent = notify(topics.readers.get("tides"), "low at six");
    sent += notify(topics.close("wind"), "bye");
    println!("{sent} {newest:?}");
}
