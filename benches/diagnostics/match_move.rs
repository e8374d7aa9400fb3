// A `match` takes the text out of a message; why can the message not be printed afterwards?
//@ error: (borrow|use) of (partially )?moved value
//@ error: value (partially )?moved here
//@ error: borrow this binding in the pattern
//@ not-error: moved due to this (method|implicit)
//@ code: \b(match|if let)\b
use std::collections::VecDeque;

#[derive(Debug)]
enum Body { Text(String), Picture { bytes: Vec<u8>, width: u32 }, Empty }

#[derive(Debug)]
struct Message { from: String, body: Body }

struct Archive { texts: Vec<String>, senders: VecDeque<String> }

impl Archive {
    fn add(&mut self, message: Message) {
        match message.body {
            Body::Text(text) => self.texts.push(text),
            Body::Picture { ref bytes, width } if !bytes.is_empty() => self.texts.push(format!("{width} wide")),
            Body::Picture { .. } | Body::Empty => {}
        }
        println!("added {:?}", message);
    }
    fn senders(&mut self, messages: Vec<Message>) -> usize {
        for message in messages {
            let Message { from, .. } = message;
            self.senders.push_back(from);
        }
        self.senders.len()
    }
}

fn main() {
    let mut archive = Archive { texts: vec![], senders: VecDeque::new() };
    archive.add(Message { from: "ada".into(), body: Body::Text("hi".into()) });
    let picture = Body::Picture { bytes: vec![1, 2], width: 2 };
    println!("{}", archive.senders(vec![Message { from: "bo".into(), body: picture }]));
}
