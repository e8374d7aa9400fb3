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

/// Conversions between units, each with the one that leads back.
macro_rules! conversions {
    (@one $name:ident $from:ident $to:ident [$($factor:tt)*]) => {
        pub fn $name(value: Quantity<$from>) -> Quantity<$to> {
            Quantity::new(value.amount * $($factor)*)
        }
    };
    ($($name:ident, $back:ident: $from:ident -> $to:ident by ($($factor:tt)*);)*) => {
        $(
            conversions!(@one $name $from $to [$($factor)*]);
            conversions!(@one $back $to $from [1.0 / $($factor)*]);
        )*
    };
}

units! {
    /// The unit of length.
    Metre = "m";
    Foot = "ft";
    Second = "s";
    Minute = "min";
    /// Degrees of temperature.
    Celsius = "C";
}

conversions! {
    feet_to_metres, metres_to_feet: Foot -> Metre by (0.3048);
    seconds_to_minutes, minutes_to_seconds: Second -> Minute by (1.0 / 60.0);
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

/// What corrects a measurement.
pub trait Correction<U: Unit> {
    fn correct(&self, value: Quantity<U>) -> Quantity<U>;

    fn correct_all(&self, series: &mut Series<U>) {
        for value in &mut series.values {
            *value = self.correct(*value);
        }
    }
}

pub struct Offset<U: Unit>(pub Quantity<U>);

pub struct Scale(pub f64);

impl<U: Unit> Correction<U> for Offset<U> {
    fn correct(&self, value: Quantity<U>) -> Quantity<U> {
        value - self.0
    }
}

impl<U: Unit> Correction<U> for Scale {
    fn correct(&self, value: Quantity<U>) -> Quantity<U> {
        value * self.0
    }
}

/// One correction after another.
pub struct Chain<U>(Vec<Box<dyn Correction<U>>>);

impl<U: Unit> Correction<U> for Chain<U> {
    fn correct(&self, value: Quantity<U>) -> Quantity<U> {
        self.0.iter().fold(value, |value, step| step.correct(value))
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
        lines.join("\n")
    }
}

fn main() {
    let mut archive = Archive::default();
    for (station, feet) in [("north", 3.5), ("south", 12.0), ("north", 4.5)] {
        archive.length(station, feet_to_metres(Quantity::new(feet)));
    }
    archive.temperature("north", Quantity::new(-3.5));
    archive.temperature("south", Quantity::new(11.0));
    let chain = Chain(vec![Box::new(Offset(Quantity::new(0.5))), Box::new(Scale(1.1))]);
    archive.temperatures.values_mut().for_each(|series| chain.correct_all(series));
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
