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

/// The lines of a sink, with the stamp as a number.
#[define_opaque(Stamp)]
pub fn lines<'a, 'b>(sink: &'b dyn Sink<'a>, stamp: Stamp, level: *const Level) -> &'b dyn Source<'a, u64> {
    let least = unsafe { *level };
    let number: u64 = stamp;
    if least == Level::Fatal && number > 3 {
        println!("{}", sink.first());
    }
    sink
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
    let level = Level::Fatal;
    println!("{:?} at {}", lines(&sink, stamp(), &level).rest(1), stamp());
    let mut logger = Logger::new(vec![Box::new(sink)]);
    for text in ["started", "stopped"] {
        let said = logger.say(level, text).unwrap_or_default();
        println!("{said}");
    }
}
