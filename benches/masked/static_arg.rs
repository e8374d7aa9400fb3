//@ toolchain: nightly
//@ args: -Zcrate-attr=feature(min_generic_const_args)
//@ valid-by: +nightly
//! A ring buffer of a kind that a build sets in one place, and what is done with it.

use std::fmt;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is done with a sample that has no place, as a tag. Other tools look for the symbol.
#[unsafe(no_mangle)]
pub static WHEN_FULL: u32 = tag(b"drop");

/// A word of four letters as a number.
const fn tag(word: &[u8; 4]) -> u32 {
    u32::from_be_bytes(*word)
}

const SIZE: usize = 8;

/// Counts the rings there are.
static RINGS: AtomicUsize = AtomicUsize::new(0);

pub struct Ring<T, const WHEN: u32> {
    slots: [MaybeUninit<T>; 8],
    start: usize,
    len: usize,
}

impl<T, const WHEN: u32> Ring<T, WHEN> {
    pub fn new() -> Self {
        RINGS.fetch_add(1, Ordering::Relaxed);
        Ring { slots: [const { MaybeUninit::uninit() }; 8], start: 0, len: 0 }
    }

    /// Gives the value back if there is no place for it.
    pub fn push(&mut self, value: T) -> Result<(), T> {
        if self.len == SIZE {
            if WHEN != tag(b"last") {
                return Err(value);
            }
            drop(self.pop());
        }
        self.slots[(self.start + self.len) % SIZE].write(value);
        self.len += 1;
        Ok(())
    }

    pub fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let value = unsafe { self.slots[self.start].assume_init_read() };
        self.start = (self.start + 1) % SIZE;
        self.len -= 1;
        Some(value)
    }
}

impl<T, const WHEN: u32> Drop for Ring<T, WHEN> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
        RINGS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<T, const WHEN: u32> Iterator for Ring<T, WHEN> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        self.pop()
    }
}

/// Samples of a kind.
pub trait Sample: Clone + fmt::Debug {
    type Sum: Default + fmt::Display;
    fn add(&self, sum: &mut Self::Sum);
    fn boxed(self: Box<Self>) -> Vec<Self>
    where
        Self: Sized,
    {
        vec![*self]
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    milli: i32,
    place: String,
}

impl Sample for Heat {
    type Sum = i64;
    fn add(&self, sum: &mut i64) {
        *sum += i64::from(self.milli);
    }
}

/// The samples that a build keeps.
pub type Samples<T> = Ring<T, { WHEN_FULL }>;

pub struct Station<'a, T: Sample> {
    name: &'a str,
    samples: Samples<T>,
    lost: Vec<T>,
}

impl<'a, T: Sample> Station<'a, T> {
    pub fn new(name: &'a str) -> Self {
        Station { name, samples: Samples::new(), lost: Vec::new() }
    }

    pub fn record(&mut self, sample: &T) -> &mut Self {
        if let Err(sample) = self.samples.push(sample.clone()) {
            self.lost.push(sample);
        }
        self
    }

    pub fn sum(self) -> (T::Sum, &'a str) {
        let mut sum = T::Sum::default();
        for sample in self.samples {
            sample.add(&mut sum);
        }
        (sum, self.name)
    }
}

fn longest<'a>(samples: &'a [Heat], fallback: &'a str) -> &'a str {
    samples.iter().map(|heat| heat.place.as_str()).max_by_key(|place| place.len()).unwrap_or(fallback)
}

fn main() {
    let heats: Vec<Heat> = (0..10).map(|step| Heat { milli: step * 250, place: format!("p{step}") }).collect();
    let mut station = Station::new("roof");
    for heat in &heats {
        station.record(heat);
    }
    println!("{} were lost, {} rings", station.lost.len(), RINGS.load(Ordering::Relaxed));
    let (sum, name) = station.sum();
    println!("{name}: {sum}, {}", longest(&heats, "nowhere"));
    println!("{:?}", Box::new(heats[0].clone()).boxed());
}
