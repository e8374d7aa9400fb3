//@ toolchain: nightly
//@ args: -Zvalidate-mir
//@ valid-by: +nightly
//! Sinks of a logger: a sink for a stamp is a source of lines, too.
#![feature(type_alias_impl_trait)]

use std::fmt::{self, Display, Write};

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Level {
    Info,
    Warning,
    Fatal,
}

impl Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Fatal => "fatal",
        })
    }
}

pub trait Source<'a, S> {
    fn first(&self) -> &'a str;
    fn rest(&self, from: usize) -> Vec<String> {
        self.first().split(' ').skip(from).map(str::to_owned).collect()
    }
}

/// When something was said. Nobody needs to know how it is stored.
pub type Stamp = impl Display + Copy;

pub trait Sink<'a>: Source<'a, Stamp> {
    fn write(&mut self, level: Level, text: &str) -> fmt::Result;
}

struct Lines<'a> {
    head: &'a str,
    buffer: String,
    level: Level,
}

impl<'a, S> Source<'a, S> for Lines<'a> {
    fn first(&self) -> &'a str {
        self.head
    }
}

impl<'a> Sink<'a> for Lines<'a> {
    fn write(&mut self, level: Level, text: &str) -> fmt::Result {
        if level < self.level {
            return Ok(());
        }
        writeln!(self.buffer, "{level}: {text}")
    }
}

/// A clock that is not there on every machine.
mod clock {
    unsafe extern "C" {
        fn clock() -> i64;
    }

    pub fn ticks() -> u64 {
        let now = unsafe { clock() };
        now.unsigned_abs() % 1000
    }
}

#[define_opaque(Stamp)]
pub fn stamp() -> Stamp {
    clock::ticks()
}

/// The sink that is there before all others.
static mut ROOT: &(dyn Sink<'static> + Sync) = &Lines { head: "the root", buffer: String::new(), level: Level::Info };

/// The lines of the first sink, with the stamp as a number.
#[define_opaque(Stamp)]
pub fn root() -> &'static dyn Source<'static, u64> {
    let now: Stamp = clock::ticks();
    let sink: &'static dyn Sink<'static> = unsafe { ROOT };
    println!("{now}: {}", sink.first());
    sink
}

/// Has another sink be the first.
fn replace(head: &'static str, level: Level) {
    let sink = Box::leak(Box::new(Lines { head, buffer: String::new(), level }));
    unsafe { ROOT = sink };
}

struct Logger<'a> {
    sinks: Vec<Box<dyn Sink<'a> + 'a>>,
    said: usize,
}

impl<'a> Logger<'a> {
    fn new(sinks: Vec<Box<dyn Sink<'a> + 'a>>) -> Self {
        Logger { sinks, said: 0 }
    }

    fn say(&mut self, level: Level, text: &str) -> Result<usize, fmt::Error> {
        for sink in &mut self.sinks {
            sink.write(level, text)?;
        }
        self.said += 1;
        Ok(self.said)
    }
}

fn main() {
    let head = String::from("a log of today");
    let sink = Lines { head: &head, buffer: String::new(), level: Level::Warning };
    replace("another root", Level::Fatal);
    println!("{:?} at {}", root().rest(1), stamp());
    let mut logger = Logger::new(vec![Box::new(sink)]);
    for text in ["started", "stopped"] {
        let said = logger.say(Level::Fatal, text).unwrap_or_default();
        println!("{said}");
    }
}
