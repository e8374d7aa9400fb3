//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! An archive for the readings of a weather station.
//!
//! Readings come in one by one, are kept in columns, one column per sensor,
//! and are asked for again by time range, thinned out or summed up. The
//! archive can be written to a simple text format and read back.
//!
//! With the feature `packed` the values are stored through a codec.

use std::collections::BTreeMap;
use std::fmt;

/// Time, in whole seconds since the start of the station's log.
pub mod time {
    use std::fmt;
    use std::ops::{Add, Range, Sub};

    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub struct Stamp(pub u64);

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub struct Span(pub u64);

    impl Span {
        pub const MINUTE: Span = Span(60);
        pub const HOUR: Span = Span(60 * Span::MINUTE.0);
        pub const DAY: Span = Span(24 * Span::HOUR.0);

        /// How often `other` fits into this span, rounded up.
        pub fn steps(self, other: Span) -> usize {
            if other.0 == 0 {
                0
            } else {
                self.0.div_ceil(other.0) as usize
            }
        }
    }

    impl Stamp {
        /// The largest multiple of `step` that is not later.
        pub fn floor(self, step: Span) -> Stamp {
            match step.0 {
                0 => self,
                width => Stamp(self.0 - self.0 % width),
            }
        }

        pub fn day(self) -> u64 {
            self.0 / Span::DAY.0
        }
    }

    impl Add<Span> for Stamp {
        type Output = Stamp;

        fn add(self, span: Span) -> Stamp {
            Stamp(self.0.saturating_add(span.0))
        }
    }

    impl Sub for Stamp {
        type Output = Span;

        fn sub(self, earlier: Stamp) -> Span {
            Span(self.0.saturating_sub(earlier.0))
        }
    }

    impl fmt::Debug for Stamp {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let second = self.0 % Span::DAY.0;
            let (hour, rest) = (second / Span::HOUR.0, second % Span::HOUR.0);
            write!(
                f,
                "{}d{hour:02}:{:02}:{:02}",
                self.day(),
                rest / 60,
                rest % 60
            )
        }
    }

    /// Cuts a range into windows of equal width; the last may be shorter.
    pub fn windows(range: Range<Stamp>, width: Span) -> impl Iterator<Item = Range<Stamp>> {
        let count = (range.end - range.start).steps(width) as u64;
        (0..count).map(move |index| {
            let start = range.start + Span(index * width.0);
            start..(start + width).min(range.end)
        })
    }
}

/// Units of measurement.
pub mod unit {
    use std::fmt;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Unit {
        Celsius,
        Percent,
        Hectopascal,
        MetrePerSecond,
        Degree,
        Millimetre,
    }

    impl Unit {
        pub const ALL: [Unit; 6] = [
            Unit::Celsius,
            Unit::Percent,
            Unit::Hectopascal,
            Unit::MetrePerSecond,
            Unit::Degree,
            Unit::Millimetre,
        ];

        pub fn symbol(self) -> &'static str {
            match self {
                Unit::Celsius => "C",
                Unit::Percent => "%",
                Unit::Hectopascal => "hPa",
                Unit::MetrePerSecond => "m/s",
                Unit::Degree => "deg",
                Unit::Millimetre => "mm",
            }
        }

        pub fn from_symbol(symbol: &str) -> Option<Unit> {
            Unit::ALL.into_iter().find(|unit| unit.symbol() == symbol)
        }

        /// The values that a sound sensor can deliver.
        pub fn plausible(self, value: f64) -> bool {
            let (low, high) = match self {
                Unit::Celsius => (-80.0, 60.0),
                Unit::Percent => (0.0, 100.0),
                Unit::Hectopascal => (850.0, 1100.0),
                Unit::MetrePerSecond => (0.0, 120.0),
                Unit::Degree => (0.0, 360.0),
                Unit::Millimetre => (0.0, 500.0),
            };
            (low..=high).contains(&value)
        }
    }

    impl fmt::Display for Unit {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.pad(self.symbol())
        }
    }
}

/// What can go wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ArchiveError {
    OutOfOrder { last: time::Stamp, new: time::Stamp },
    Implausible { value: f64, unit: unit::Unit },
    UnknownSensor(String),
    Syntax { line: usize, text: String },
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::OutOfOrder { last, new } => {
                write!(f, "reading of {new:?} arrived after the one of {last:?}")
            }
            ArchiveError::Implausible { value, unit } => write!(f, "{value} {unit} is implausible"),
            ArchiveError::UnknownSensor(name) => write!(f, "there is no sensor `{name}`"),
            ArchiveError::Syntax { line, text } => write!(f, "line {line}: cannot read `{text}`"),
        }
    }
}

impl std::error::Error for ArchiveError {}

/// Keys under which columns are kept.
pub mod key {
    use std::fmt;
    use std::hash::Hash;

    /// Anything that names a column.
    pub trait Key: Clone + Eq + Hash + Ord + fmt::Debug {
        fn label(&self) -> String;
    }

    impl Key for String {
        fn label(&self) -> String {
            self.clone()
        }
    }

    /// A sensor at a certain height on the mast.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Mounted {
        pub mast: u8,
        pub height: u16,
        pub channel: char,
    }

    impl Key for Mounted {
        fn label(&self) -> String {
            format!("{}{}@{}cm", self.mast, self.channel, self.height)
        }
    }

    impl<A: Key, B: Key> Key for (A, B) {
        fn label(&self) -> String {
            format!("{}/{}", self.0.label(), self.1.label())
        }
    }
}

/// How values are stored.
#[cfg(feature = "packed")]
pub mod codec {
    /// Turns values into bytes and back.
    pub trait Codec<V> {
        fn encode(&self, values: &[V]) -> Vec<u8>;
        fn decode(&self, bytes: &[u8]) -> Vec<V>;
    }

    #[derive(Clone, Debug, Default)]
    pub struct Deltas {
        pub scale: f64,
    }

    impl Codec<f64> for Deltas {
        fn encode(&self, values: &[f64]) -> Vec<u8> {
            let mut last = 0;
            let mut bytes = Vec::new();
            for &value in values {
                let scaled = (value * self.scale) as i64;
                bytes.extend_from_slice(&(scaled - last).to_le_bytes());
                last = scaled;
            }
            bytes
        }

        fn decode(&self, bytes: &[u8]) -> Vec<f64> {
            let mut last = 0;
            bytes
                .chunks_exact(8)
                .map(|chunk| {
                    last += i64::from_le_bytes(chunk.try_into().unwrap());
                    last as f64 / self.scale
                })
                .collect()
        }
    }
}

/// Columns of readings.
#[macro_use]
pub mod column {
    #[cfg(feature = "packed")]
    use crate::codec::Codec;
    use crate::key::Key;
    use crate::time::{Span, Stamp};
    use std::ops::Range;

    /// A column type: a key, the stamps and the values, and what else it needs.
    macro_rules! column {
        (
            $(#[$meta:meta])*
            $vis:vis struct $name:ident<$key:ident, $value:ident> {
                $($(#[$inner:meta])* $field:ident: $kind:ty,)*
            }
        ) => {
            $(#[$meta])*
            $vis struct $name<$key, $value, #[cfg(feature = "packed")] C: Codec<$value>>
            where
                $key: Key,
            {
                key: $key,
                stamps: Vec<Stamp>,
                values: Vec<$value>,
                $($(#[$inner])* $field: $kind,)*
                #[cfg(feature = "packed")]
                codec: C,
            }
        };
    }

    column! {
        /// The readings of one sensor, oldest first.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Column<K, V> {
            /// Shortest distance between two readings so far.
            tightest: Option<Span>,
            rejected: usize,
        }
    }

    /// One reading, borrowed from its column.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Reading<'c, V> {
        pub stamp: Stamp,
        pub value: &'c V,
    }

    #[cfg(not(feature = "packed"))]
    impl<K: Key, V> Column<K, V> {
        pub fn new(key: K) -> Self {
            Column {
                key,
                stamps: Vec::new(),
                values: Vec::new(),
                tightest: None,
                rejected: 0,
            }
        }

        pub fn key(&self) -> &K {
            &self.key
        }

        pub fn len(&self) -> usize {
            self.stamps.len()
        }

        pub fn is_empty(&self) -> bool {
            self.stamps.is_empty()
        }

        pub fn rejected(&self) -> usize {
            self.rejected
        }

        pub fn tightest(&self) -> Option<Span> {
            self.tightest
        }

        pub fn last(&self) -> Option<Reading<'_, V>> {
            let stamp = *self.stamps.last()?;
            let value = self.values.last()?;
            Some(Reading { stamp, value })
        }

        /// Adds a reading; gives back the last stamp if it comes too late.
        pub fn push(&mut self, stamp: Stamp, value: V) -> Result<(), Stamp> {
            if let Some(&last) = self.stamps.last() {
                if stamp <= last {
                    self.rejected += 1;
                    return Err(last);
                }
                let gap = stamp - last;
                self.tightest = Some(self.tightest.map_or(gap, |old| old.min(gap)));
            }
            self.stamps.push(stamp);
            self.values.push(value);
            Ok(())
        }

        fn indices(&self, range: &Range<Stamp>) -> Range<usize> {
            let start = self.stamps.partition_point(|&stamp| stamp < range.start);
            let end = self.stamps.partition_point(|&stamp| stamp < range.end);
            start..end.max(start)
        }

        pub fn range(&self, range: Range<Stamp>) -> impl Iterator<Item = Reading<'_, V>> {
            let indices = self.indices(&range);
            self.stamps[indices.clone()]
                .iter()
                .zip(&self.values[indices])
                .map(|(&stamp, value)| Reading { stamp, value })
        }

        pub fn iter(&self) -> impl Iterator<Item = Reading<'_, V>> {
            self.range(Stamp(0)..Stamp(u64::MAX))
        }

        /// Forgets everything before `stamp`; returns how many readings that were.
        pub fn forget_before(&mut self, stamp: Stamp) -> usize {
            let count = self.stamps.partition_point(|&old| old < stamp);
            self.stamps.drain(..count);
            self.values.drain(..count);
            count
        }

        /// Times in which nothing came in for longer than `limit`.
        pub fn gaps(&self, limit: Span) -> Vec<Range<Stamp>> {
            self.stamps
                .windows(2)
                .filter(|pair| pair[1] - pair[0] > limit)
                .map(|pair| pair[0]..pair[1])
                .collect()
        }
    }
}

/// Summing up.
pub mod fold {
    use crate::column::Reading;
    use std::fmt;

    /// Something that readings are poured into.
    pub trait Fold<V> {
        type Output;

        fn add(&mut self, reading: Reading<'_, V>);
        fn finish(self) -> Self::Output;

        /// Pours all of them.
        fn over<'c, I>(mut self, readings: I) -> Self::Output
        where
            Self: Sized,
            V: 'c,
            I: IntoIterator<Item = Reading<'c, V>>,
        {
            for reading in readings {
                self.add(reading);
            }
            self.finish()
        }
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Count(usize);

    impl<V> Fold<V> for Count {
        type Output = usize;

        fn add(&mut self, _: Reading<'_, V>) {
            self.0 += 1;
        }

        fn finish(self) -> usize {
            self.0
        }
    }

    /// Smallest, largest and mean value.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Extent {
        count: usize,
        sum: f64,
        low: Option<f64>,
        high: Option<f64>,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Summary {
        pub low: f64,
        pub high: f64,
        pub mean: f64,
    }

    impl fmt::Display for Summary {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let precision = f.precision().unwrap_or(1);
            write!(
                f,
                "{:.precision$} .. {:.precision$} (mean {:.precision$})",
                self.low, self.high, self.mean
            )
        }
    }

    impl<V: Copy + Into<f64>> Fold<V> for Extent {
        type Output = Option<Summary>;

        fn add(&mut self, reading: Reading<'_, V>) {
            let value: f64 = (*reading.value).into();
            self.count += 1;
            self.sum += value;
            self.low = Some(self.low.map_or(value, |low| low.min(value)));
            self.high = Some(self.high.map_or(value, |high| high.max(value)));
        }

        fn finish(self) -> Option<Summary> {
            Some(Summary {
                low: self.low?,
                high: self.high?,
                mean: self.sum / self.count as f64,
            })
        }
    }

    /// The mean of directions, which are angles.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Heading {
        east: f64,
        north: f64,
    }

    impl<V: Copy + Into<f64>> Fold<V> for Heading {
        type Output = Option<f64>;

        fn add(&mut self, reading: Reading<'_, V>) {
            let angle: f64 = (*reading.value).into();
            let (sine, cosine) = angle.to_radians().sin_cos();
            self.east += sine;
            self.north += cosine;
        }

        fn finish(self) -> Option<f64> {
            let length = self.east.hypot(self.north);
            (length > 1e-9).then(|| self.east.atan2(self.north).to_degrees().rem_euclid(360.0))
        }
    }

    /// Two folds at once.
    impl<V, A: Fold<V>, B: Fold<V>> Fold<V> for (A, B) {
        type Output = (A::Output, B::Output);

        fn add(&mut self, reading: Reading<'_, V>) {
            self.0.add(Reading { ..reading });
            self.1.add(reading);
        }

        fn finish(self) -> Self::Output {
            (self.0.finish(), self.1.finish())
        }
    }
}

/// A sensor and its column.
#[cfg(not(feature = "packed"))]
#[derive(Clone, Debug)]
pub struct Sensor<K: key::Key> {
    pub unit: unit::Unit,
    pub column: column::Column<K, f64>,
}

/// All sensors of a station.
#[cfg(not(feature = "packed"))]
#[derive(Clone, Debug)]
pub struct Archive<K: key::Key> {
    pub station: String,
    sensors: BTreeMap<K, Sensor<K>>,
}

#[cfg(not(feature = "packed"))]
impl<K: key::Key> Archive<K> {
    pub fn new(station: impl Into<String>) -> Self {
        Archive {
            station: station.into(),
            sensors: BTreeMap::new(),
        }
    }

    pub fn install(&mut self, key: K, unit: unit::Unit) -> &mut Sensor<K> {
        self.sensors.entry(key.clone()).or_insert_with(|| Sensor {
            unit,
            column: column::Column::new(key),
        })
    }

    pub fn sensor(&self, key: &K) -> Result<&Sensor<K>, ArchiveError> {
        self.sensors
            .get(key)
            .ok_or_else(|| ArchiveError::UnknownSensor(key.label()))
    }

    pub fn record(&mut self, key: &K, stamp: time::Stamp, value: f64) -> Result<(), ArchiveError> {
        let sensor = self
            .sensors
            .get_mut(key)
            .ok_or_else(|| ArchiveError::UnknownSensor(key.label()))?;
        let unit = sensor.unit;
        if !unit.plausible(value) {
            return Err(ArchiveError::Implausible { value, unit });
        }
        sensor
            .column
            .push(stamp, value)
            .map_err(|last| ArchiveError::OutOfOrder { last, new: stamp })
    }

    /// Records many readings and carries on after the bad ones.
    pub fn record_all<'k, I>(&mut self, readings: I) -> Vec<ArchiveError>
    where
        K: 'k,
        I: IntoIterator<Item = (&'k K, time::Stamp, f64)>,
    {
        readings
            .into_iter()
            .filter_map(|(key, stamp, value)| self.record(key, stamp, value).err())
            .collect()
    }

    pub fn sensors(&self) -> impl Iterator<Item = &Sensor<K>> {
        self.sensors.values()
    }

    /// A line per sensor.
    pub fn report(&self, range: std::ops::Range<time::Stamp>) -> String {
        use fold::{Count, Extent, Fold};

        let mut out = format!("{} {:?}..{:?}\n", self.station, range.start, range.end);
        for sensor in self.sensors() {
            let readings = sensor.column.range(range.clone());
            let (count, extent) = (Count::default(), Extent::default()).over(readings);
            let label = sensor.column.key().label();
            match extent {
                Some(summary) => {
                    out += &format!("  {label:<12} {count:>6} {summary:.2} {}\n", sensor.unit);
                }
                None => out += &format!("  {label:<12}      - no readings\n"),
            }
        }
        out
    }
}

/// Series for plotting.
#[cfg(not(feature = "packed"))]
pub mod plot {
    use crate::column::Column;
    use crate::fold::{Extent, Fold, Summary};
    use crate::key::Key;
    use crate::time::{windows, Span, Stamp};
    use std::ops::Range;

    /// One bar of the plot.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Bar {
        pub start: Stamp,
        pub summary: Option<Summary>,
    }

    pub fn bars<K: Key>(column: &Column<K, f64>, range: Range<Stamp>, width: Span) -> Vec<Bar> {
        windows(range, width)
            .map(|window| Bar {
                start: window.start,
                summary: Extent::default().over(column.range(window)),
            })
            .collect()
    }

    /// Draws the means with characters.
    pub fn sparkline(bars: &[Bar]) -> String {
        const STEPS: &[u8] = b"_.-=#";
        let means = || {
            bars.iter()
                .filter_map(|bar| bar.summary.as_ref())
                .map(|summary| summary.mean)
        };
        let low = means().fold(f64::INFINITY, f64::min);
        let high = means().fold(f64::NEG_INFINITY, f64::max);
        let height = (high - low).max(f64::EPSILON);
        bars.iter()
            .map(|bar| match &bar.summary {
                Some(summary) => {
                    let share = (summary.mean - low) / height;
                    let step = (share * (STEPS.len() - 1) as f64).round() as usize;
                    STEPS[step.min(STEPS.len() - 1)] as char
                }
                None => ' ',
            })
            .collect()
    }
}

/// The text format: a header per sensor, then a line per reading.
#[cfg(not(feature = "packed"))]
pub mod text {
    use crate::time::Stamp;
    use crate::unit::Unit;
    use crate::{Archive, ArchiveError};
    use std::fmt::Write;

    #[derive(Debug, PartialEq)]
    enum Line<'t> {
        Station(&'t str),
        Sensor { name: &'t str, unit: Unit },
        Reading { stamp: Stamp, value: f64 },
        Nothing,
    }

    fn parse_line(text: &str) -> Option<Line<'_>> {
        let text = text.trim();
        if text.is_empty() || text.starts_with("//") {
            return Some(Line::Nothing);
        }
        if let Some(name) = text.strip_prefix("station ") {
            return Some(Line::Station(name.trim()));
        }
        if let Some(rest) = text.strip_prefix("sensor ") {
            let (name, unit) = rest.rsplit_once(' ')?;
            let unit = Unit::from_symbol(unit)?;
            return Some(Line::Sensor {
                name: name.trim(),
                unit,
            });
        }
        let (stamp, value) = text.split_once(' ')?;
        Some(Line::Reading {
            stamp: Stamp(stamp.parse().ok()?),
            value: value.trim().parse().ok()?,
        })
    }

    pub fn read(text: &str) -> Result<Archive<String>, ArchiveError> {
        let mut archive = Archive::new("");
        let mut current: Option<String> = None;
        for (index, line) in text.lines().enumerate() {
            let syntax = || ArchiveError::Syntax {
                line: index + 1,
                text: line.to_owned(),
            };
            match parse_line(line).ok_or_else(syntax)? {
                Line::Station(name) => archive.station = name.to_owned(),
                Line::Sensor { name, unit } => {
                    archive.install(name.to_owned(), unit);
                    current = Some(name.to_owned());
                }
                Line::Reading { stamp, value } => {
                    let key = current.as_ref().ok_or_else(syntax)?;
                    archive.record(key, stamp, value)?;
                }
                Line::Nothing => {}
            }
        }
        Ok(archive)
    }

    pub fn write(archive: &Archive<String>) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "station {}", archive.station);
        for sensor in archive.sensors() {
            let _ = writeln!(out, "sensor {} {}", sensor.column.key(), sensor.unit);
            for reading in sensor.column.iter() {
                let _ = writeln!(out, "{} {}", reading.stamp.0, reading.value);
            }
        }
        out
    }
}

/// Warnings that are raised while readings come in.
#[cfg(not(feature = "packed"))]
pub mod alarm {
    use crate::column::Column;
    use crate::key::Key;
    use crate::time::{Span, Stamp};

    #[derive(Clone, Debug, PartialEq)]
    pub enum Alarm {
        Frost { since: Stamp },
        Storm { gust: f64 },
        Silence { last: Option<Stamp> },
    }

    type Check<K> = Box<dyn Fn(&Column<K, f64>, Stamp) -> Option<Alarm>>;

    /// A number of checks, all of them run each time.
    pub struct Watch<K: Key> {
        checks: Vec<Check<K>>,
    }

    impl<K: Key> Default for Watch<K> {
        fn default() -> Self {
            Watch { checks: Vec::new() }
        }
    }

    impl<K: Key> Watch<K> {
        pub fn with<F>(mut self, check: F) -> Self
        where
            F: Fn(&Column<K, f64>, Stamp) -> Option<Alarm> + 'static,
        {
            self.checks.push(Box::new(check));
            self
        }

        pub fn frost(self, hours: u64) -> Self {
            self.with(move |column, now| {
                let back = Span(hours * Span::HOUR.0);
                let since = Stamp(now.0.saturating_sub(back.0));
                let mut readings = column.range(since..now).peekable();
                readings.peek()?;
                readings
                    .all(|reading| *reading.value < 0.0)
                    .then_some(Alarm::Frost { since })
            })
        }

        pub fn storm(self, limit: f64) -> Self {
            self.with(move |column, _| {
                let gust = *column.last()?.value;
                (gust > limit).then_some(Alarm::Storm { gust })
            })
        }

        pub fn silence(self, limit: Span) -> Self {
            self.with(move |column, now| {
                let last = column.last().map(|reading| reading.stamp);
                match last {
                    Some(stamp) if now - stamp <= limit => None,
                    _ => Some(Alarm::Silence { last }),
                }
            })
        }

        pub fn run(&self, column: &Column<K, f64>, now: Stamp) -> Vec<Alarm> {
            self.checks
                .iter()
                .filter_map(|check| check(column, now))
                .collect()
        }
    }
}
