// The element is a type of my own, so why may I not implement `Display` for a `Vec` of it?
//@ error: only traits defined in the current crate can be implemented for types defined outside of the crate
//@ error: `Vec` is not defined in the current crate
//@ not-error: primitive types|arbitrary types
//@ code: (struct|enum) (\w+)(?s:.*)\bfor (\w+::)*Vec<\2\b
use std::fmt;
use std::ops::AddAssign;

#[derive(Clone, Debug)]
struct Reading { station: String, celsius: f32 }

struct Mean { sum: f32, count: u32 }

impl From<Reading> for f32 {
    fn from(reading: Reading) -> f32 { reading.celsius }
}

impl AddAssign<f32> for Mean {
    fn add_assign(&mut self, value: f32) { self.sum += value; self.count += 1; }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}: {:.1}", self.station, self.celsius) }
}

impl fmt::Display for Vec<Reading> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for reading in self { writeln!(f, "{reading}")?; }
        Ok(())
    }
}

fn main() {
    let readings = vec![Reading { station: "north".into(), celsius: 3.5 }];
    let mut mean = Mean { sum: 0.0, count: 0 };
    for reading in readings.clone() { mean += f32::from(reading); }
    println!("{}", mean.sum / mean.count as f32);
    println!("{}", readings);
}
