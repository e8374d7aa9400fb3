// `a % b == 0` panics for a `b` of 0, and the suggested `is_multiple_of` does not (rust-clippy#15335).
//@ tool: clippy
//@ lint: clippy::manual_is_multiple_of
//@ run: yes
#![warn(clippy::manual_is_multiple_of)]
use std::thread;

#[derive(Debug, Clone)]
struct Reminder { text: String, every: u32 }

impl Reminder {
    fn is_due(&self, day: u32) -> bool { day % self.every == 0 }
}

fn is_leap(year: u32) -> bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

fn due(reminders: &[Reminder], day: u32) -> Vec<String> {
    let mut found = Vec::new();
    for reminder in reminders {
        let own = reminder.clone();
        match thread::spawn(move || own.is_due(day)).join() {
            Ok(true) => found.push(reminder.text.clone()),
            Ok(false) => {}
            Err(_) => found.push(format!("{}: never set up", reminder.text)),
        }
    }
    found
}

fn main() {
    let reminders = [Reminder { text: "water".into(), every: 3 }, Reminder { text: "tax".into(), every: 0 }];
    println!("{:?} {}", due(&reminders, 6), is_leap(2024));
}
