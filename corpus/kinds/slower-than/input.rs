//! Measurements: units that the compiler checks, series of them, calibration, archives.

#![allow(dead_code)]

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::{Add, Mul, Sub};

/// A unit of measurement.
pub trait Unit: Copy {
    const NAME: &'static str;
    const SYMBOL: &'static str;
}

/// Declares units, and what one is in terms of another.
macro_rules! units {
    ($($(#[$meta:meta])* $unit:ident = $symbol:literal;)*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $unit;

            impl Unit for $unit {
                const NAME: &'static str = stringify!($unit);
                const SYMBOL: &'static str = $symbol;
            }
        )*
    };
}

/// Conversions between units by a factor.
macro_rules! conversions {
    ($($name:ident: $from:ident -> $to:ident by $factor:expr;)*) => {
        $(
            pub fn $name(value: Quantity<$from>) -> Quantity<$to> {
                Quantity::new(value.amount * $factor)
            }
        )*
    };
}

units! {
    /// The unit of length.
    Metre = "m";
    Foot = "ft";
    Second = "s";
    /// Degrees of temperature.
    Celsius = "C";
}

conversions! {
    feet_to_metres: Foot -> Metre by 0.3048;
    metres_to_feet: Metre -> Foot by 1.0 / 0.3048;
}

/// An amount of a unit.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Quantity<U> {
    amount: f64,
    unit: PhantomData<U>,
}

impl<U: Unit> Quantity<U> {
    pub const fn new(amount: f64) -> Self {
        Self { amount, unit: PhantomData }
    }

    pub fn show(&self) -> String {
        format!("{:.2} {}", self.amount, U::SYMBOL)
    }
}

impl<U: Unit> Add for Quantity<U> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.amount + other.amount)
    }
}

impl<U: Unit> Sub for Quantity<U> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.amount - other.amount)
    }
}

impl<U: Unit> Mul<f64> for Quantity<U> {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self::new(self.amount * factor)
    }
}

/// The squares modulo a prime, for checksums of archives.
mod checksum {
    const SIZE: usize = 1 << 8;

    const PRIME: u64 = 1_000_003;

    const fn power(base: u64, exponent: u64) -> u64 {
        let mut result = 1;
        let mut left = exponent;
        while left > 0 {
            result = result * base % PRIME;
            left -= 1;
        }
        result
    }

    const fn powers() -> [u64; SIZE] {
        let mut table = [0; SIZE];
        let mut index = 0;
        while index < SIZE {
            table[index] = power(index as u64 + 2, 600);
            index += 1;
        }
        table
    }

    static POWERS: [u64; SIZE] = powers();

    const STEPS: [u64; 4] = [1, 7, 31, 127];

    pub fn of(text: &str) -> u64 {
        let powers = text.bytes().enumerate().map(|(place, byte)| POWERS[byte as usize] * (place as u64 + 1));
        powers.fold(STEPS[1], |sum, power| (sum + power) % PRIME)
    }
}

/// Measurements one after the other.
#[derive(Clone, Debug)]
pub struct Series<U: Unit> {
    station: String,
    values: Vec<Quantity<U>>,
}

impl<U: Unit> Series<U> {
    pub fn new(station: impl Into<String>) -> Self {
        Self { station: station.into(), values: Vec::new() }
    }

    pub fn push(&mut self, value: Quantity<U>) -> &mut Self {
        self.values.push(value);
        self
    }

    pub fn mean(&self) -> Option<Quantity<U>> {
        let first = *self.values.first()?;
        let sum = self.values[1..].iter().fold(first, |sum, value| sum + *value);
        Some(sum * (1.0 / self.values.len() as f64))
    }

    pub fn largest(&self) -> Option<&Quantity<U>> {
        self.values.iter().max_by(|a, b| a.amount.total_cmp(&b.amount))
    }
}

/// The series of many stations.
#[derive(Default)]
pub struct Archive {
    lengths: BTreeMap<String, Series<Metre>>,
    temperatures: BTreeMap<String, Series<Celsius>>,
}

impl Archive {
    pub fn length(&mut self, station: &str, value: Quantity<Metre>) {
        let new = || Series::new(station);
        self.lengths.entry(station.to_owned()).or_insert_with(new).push(value);
    }

    pub fn temperature(&mut self, station: &str, value: Quantity<Celsius>) {
        let new = || Series::new(station);
        self.temperatures.entry(station.to_owned()).or_insert_with(new).push(value);
    }

    pub fn warmest(&self) -> Option<(&str, Quantity<Celsius>)> {
        let means = self.temperatures.values().filter_map(|series| Some((series.station.as_str(), series.mean()?)));
        means.max_by(|a, b| a.1.amount.total_cmp(&b.1.amount))
    }

    pub fn report(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (station, series) in &self.lengths {
            let mean = series.mean().map_or("nothing".to_owned(), |mean| mean.show());
            lines.push(format!("{station}: {mean} in {} values", series.values.len()));
        }
        let text = lines.join("\n");
        format!("{text}\n{}", checksum::of(&text))
    }
}

fn main() {
    let mut archive = Archive::default();
    for (station, feet) in [("north", 3.5), ("south", 12.0), ("north", 4.5)] {
        archive.length(station, feet_to_metres(Quantity::new(feet)));
    }
    archive.temperature("north", Quantity::new(-3.5));
    archive.temperature("south", Quantity::new(11.0));
    println!("{}", archive.report());
    if let Some((station, mean)) = archive.warmest() {
        println!("warmest: {station} with {}", mean.show());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_that_of_all_values() {
        let mut series = Series::<Second>::new("x");
        series.push(Quantity::new(1.0)).push(Quantity::new(3.0));
        assert_eq!(series.mean(), Some(Quantity::new(2.0)));
        assert_eq!(Series::<Second>::new("y").mean(), None);
    }

    #[test]
    fn feet_become_metres_and_feet_again() {
        let value = metres_to_feet(feet_to_metres(Quantity::new(8.0)));
        assert!((value.amount - 8.0).abs() < 1e-9);
    }
}
