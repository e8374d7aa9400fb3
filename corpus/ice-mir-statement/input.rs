//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! A small offline audio mixer.
//!
//! Tracks are boxed and kept in a flat `Rack`; the mixing loop walks the rack
//! through raw slot pointers so that a plug-in host written in another language
//! can hand us its own table of boxes.

use std::collections::BTreeMap;
use std::fmt;

/// Number of frames handled by one call of the mixing loop.
pub const BLOCK: usize = 64;

/// Everything that can go wrong while a session is put together.
#[derive(Debug, Clone, PartialEq)]
pub enum MixError {
    UnknownTrack(String),
    DuplicateTrack { name: String, slot: usize },
    GainOutOfRange(f32),
    RackFull { capacity: usize },
}

impl fmt::Display for MixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MixError::UnknownTrack(name) => write!(f, "no track is called `{name}`"),
            MixError::DuplicateTrack { name, slot } => {
                write!(f, "`{name}` already sits in slot {slot}")
            }
            MixError::GainOutOfRange(gain) => write!(f, "gain {gain:.2} is out of range"),
            MixError::RackFull { capacity } => write!(f, "all {capacity} slots are taken"),
        }
    }
}

impl std::error::Error for MixError {}

pub type Result<T, E = MixError> = std::result::Result<T, E>;

/// Clamp-checked construction of gains: `gain!(0.5)` or `gain!(0.5, trim = 0.9)`.
#[macro_export]
macro_rules! gain {
    ($value:expr) => {
        $crate::level::Gain::new($value)
    };
    ($value:expr, trim = $trim:expr) => {
        $crate::level::Gain::new($value).map(|g| g.trimmed($trim))
    };
}

pub mod level {
    use super::{MixError, Result};
    use std::ops::Mul;

    /// A linear gain between 0 and 4.
    #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
    pub struct Gain(f32);

    impl Gain {
        pub const UNITY: Gain = Gain(1.0);
        pub const SILENT: Gain = Gain(0.0);

        pub fn new(value: f32) -> Result<Self> {
            if (0.0..=4.0).contains(&value) {
                Ok(Gain(value))
            } else {
                Err(MixError::GainOutOfRange(value))
            }
        }

        pub fn trimmed(self, trim: f32) -> Self {
            Gain(self.0 * trim.clamp(0.0, 1.0))
        }

        pub fn linear(self) -> f32 {
            self.0
        }

        pub fn decibels(self) -> f32 {
            20.0 * self.0.max(1e-6).log10()
        }
    }

    impl Default for Gain {
        fn default() -> Self {
            Gain::UNITY
        }
    }

    impl Mul<f32> for Gain {
        type Output = f32;

        fn mul(self, sample: f32) -> f32 {
            self.0 * sample
        }
    }

    /// Peak and mean level of a block.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Meter {
        pub peak: f32,
        pub mean: f32,
        pub frames: usize,
    }

    impl Meter {
        pub fn of(samples: &[f32]) -> Self {
            let peak = samples.iter().fold(0.0f32, |acc, s| acc.max(s.abs()));
            let sum: f32 = samples.iter().map(|s| s.abs()).sum();
            Meter {
                peak,
                mean: if samples.is_empty() {
                    0.0
                } else {
                    sum / samples.len() as f32
                },
                frames: samples.len(),
            }
        }

        pub fn merge(self, other: Meter) -> Meter {
            let frames = self.frames + other.frames;
            if frames == 0 {
                return Meter::default();
            }
            let weighted = self.mean * self.frames as f32 + other.mean * other.frames as f32;
            Meter {
                peak: self.peak.max(other.peak),
                mean: weighted / frames as f32,
                frames,
            }
        }

        pub fn clips(&self) -> bool {
            self.peak >= 1.0
        }
    }
}

pub mod track {
    use super::level::Gain;
    use std::fmt::Debug;

    /// Anything that produces samples block by block.
    pub trait Track: Debug {
        fn name(&self) -> &str;

        fn render(&mut self, out: &mut [f32]);

        fn gain(&self) -> Gain {
            Gain::UNITY
        }

        fn latency(&self) -> usize {
            0
        }
    }

    /// A sine tone, mostly for line-up.
    #[derive(Debug, Clone)]
    pub struct Tone {
        pub label: String,
        pub step: f32,
        pub phase: f32,
        pub gain: Gain,
    }

    impl Tone {
        pub fn new(label: &str, hertz: f32, rate: f32) -> Self {
            Tone {
                label: label.to_owned(),
                step: hertz / rate * std::f32::consts::TAU,
                phase: 0.0,
                gain: Gain::default(),
            }
        }
    }

    impl Track for Tone {
        fn name(&self) -> &str {
            &self.label
        }

        fn render(&mut self, out: &mut [f32]) {
            for sample in out.iter_mut() {
                *sample += self.gain * self.phase.sin();
                self.phase = (self.phase + self.step) % std::f32::consts::TAU;
            }
        }

        fn gain(&self) -> Gain {
            self.gain
        }
    }

    /// A recorded clip which is played once.
    #[derive(Debug, Clone, Default)]
    pub struct Clip {
        pub label: String,
        pub samples: Vec<f32>,
        pub head: usize,
    }

    impl Track for Clip {
        fn name(&self) -> &str {
            &self.label
        }

        fn render(&mut self, out: &mut [f32]) {
            let rest = &self.samples[self.head.min(self.samples.len())..];
            let taken = rest.len().min(out.len());
            for (to, from) in out.iter_mut().zip(rest) {
                *to += *from;
            }
            self.head += taken;
        }

        fn latency(&self) -> usize {
            self.samples.iter().take_while(|s| **s == 0.0).count()
        }
    }

    /// Delegates to the boxed track, so that racks of trait objects work too.
    impl Track for Box<dyn Track> {
        fn name(&self) -> &str {
            (**self).name()
        }

        fn render(&mut self, out: &mut [f32]) {
            (**self).render(out)
        }

        fn gain(&self) -> Gain {
            (**self).gain()
        }
    }
}

pub mod rack {
    use super::track::Track;
    use super::{MixError, Result};

    /// The flat table of boxed tracks.
    #[derive(Debug)]
    pub struct Rack<T> {
        slots: Vec<Box<T>>,
        capacity: usize,
        muted: Vec<bool>,
    }

    impl<T: Track> Rack<T> {
        pub fn with_capacity(capacity: usize) -> Self {
            Rack {
                slots: Vec::with_capacity(capacity),
                capacity,
                muted: Vec::with_capacity(capacity),
            }
        }

        pub fn len(&self) -> usize {
            self.slots.len()
        }

        pub fn is_empty(&self) -> bool {
            self.slots.is_empty()
        }

        pub fn insert(&mut self, track: T) -> Result<usize> {
            if self.slots.len() == self.capacity {
                return Err(MixError::RackFull {
                    capacity: self.capacity,
                });
            }
            if let Some(slot) = self.find(track.name()) {
                return Err(MixError::DuplicateTrack {
                    name: track.name().to_owned(),
                    slot,
                });
            }
            self.slots.push(Box::new(track));
            self.muted.push(false);
            Ok(self.slots.len() - 1)
        }

        pub fn find(&self, name: &str) -> Option<usize> {
            self.slots.iter().position(|t| t.name() == name)
        }

        pub fn mute(&mut self, name: &str, on: bool) -> Result<()> {
            let slot = self
                .find(name)
                .ok_or_else(|| MixError::UnknownTrack(name.to_owned()))?;
            self.muted[slot] = on;
            Ok(())
        }

        pub fn is_muted(&self, slot: usize) -> bool {
            self.muted.get(slot).copied().unwrap_or(false)
        }

        pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
            self.slots.iter().map(|b| &**b)
        }

        pub fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut T)> + '_ {
            self.slots.iter_mut().map(|b| &mut **b).enumerate()
        }

        /// First slot of the table, for hosts that walk it by hand.
        pub fn first_slot(&self) -> *const Box<T> {
            self.slots.as_ptr()
        }
    }
}

pub mod walk {
    use super::level::Gain;
    use super::rack::Rack;
    use super::track::Track;
    use std::ops::Add;

    /// A position that can be moved on by a number of slots.
    ///
    /// Plain indices are positions; hosts may bring their own.
    pub trait Position: Sized + Copy + Add<usize, Output = Self> {
        const FIRST_STEP: usize = 1;

        fn describe(self) -> &'static str {
            "opaque position"
        }
    }

    impl Position for usize {
        fn describe(self) -> &'static str {
            "index"
        }
    }

    /// What a walk has seen so far.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct WalkStats {
        pub steps: usize,
        pub wraps: usize,
    }

    impl WalkStats {
        pub fn record(&mut self, moved: usize, wrapped: bool) {
            self.steps += moved;
            self.wraps += usize::from(wrapped);
        }
    }

    /// A raw cursor over the slots of a rack.
    #[derive(Debug)]
    pub struct SlotCursor<T> {
        pub(crate) here: *const Box<T>,
        pub(crate) left: usize,
        pub(crate) stats: WalkStats,
    }

    impl<T: Track> SlotCursor<T> {
        pub fn over(rack: &Rack<T>) -> Self {
            SlotCursor {
                here: rack.first_slot(),
                left: rack.len(),
                stats: WalkStats::default(),
            }
        }

        /// Moves on by `count` slots; false when the table ends before that.
        pub fn skip_slots(&mut self, count: usize) -> bool
        where
            *const Box<T>: Position,
        {
            if count > self.left {
                self.stats.record(self.left, true);
                self.left = 0;
                return false;
            }
            self.here = step_slot(self.here, count, Gain::UNITY);
            self.left -= count;
            self.stats.record(count, false);
            true
        }

        /// Goes to the last slot that still fits.
        pub fn skip_to_last(&mut self) -> WalkStats
        where
            *const Box<T>: Position,
        {
            while self.left > <*const Box<T> as Position>::FIRST_STEP {
                if !self.skip_slots(1) {
                    break;
                }
            }
            self.stats
        }

        pub fn remaining(&self) -> usize {
            self.left
        }
    }

    /// Moves a position inside any table.
    pub fn step_index<P: Position>(from: P, count: usize) -> P {
        from + count
    }

    /// Moves a slot pointer; silent tracks are stepped over for free.
    pub(crate) fn step_slot<T>(from: *const Box<T>, count: usize, gain: Gain) -> *const Box<T>
    where
        T: Track,
        *const Box<T>: Position,
    {
        let count = if gain == Gain::SILENT { 0 } else { count };
        from + count
    }
}

pub mod mixdown {
    use super::level::{Gain, Meter};
    use super::rack::Rack;
    use super::track::Track;
    use super::walk::{step_index, Position, SlotCursor, WalkStats};
    use super::BLOCK;
    use std::fmt::Write;

    /// The result of a mix-down.
    #[derive(Debug, Clone, Default)]
    pub struct Report {
        pub meters: super::BTreeMap<String, Meter>,
        pub total: Meter,
        pub blocks: usize,
    }

    impl Report {
        pub fn to_text(&self) -> String {
            let mut text = String::new();
            for (name, meter) in &self.meters {
                let flag = if meter.clips() { '!' } else { ' ' };
                let _ = writeln!(
                    text,
                    "{flag} {name:<12} peak {:>6.3} mean {:>6.3}",
                    meter.peak, meter.mean
                );
            }
            let _ = write!(
                text,
                "total of {} blocks: {:.1} dB",
                self.blocks,
                Gain::new(self.total.peak).map_or(0.0, Gain::decibels)
            );
            text
        }
    }

    /// Mixes `blocks` blocks of everything which is not muted.
    pub fn mix<T: Track>(rack: &mut Rack<T>, master: Gain, blocks: usize) -> (Vec<f32>, Report) {
        let mut out = Vec::with_capacity(blocks * BLOCK);
        let mut report = Report::default();
        let muted: Vec<bool> = (0..rack.len()).map(|slot| rack.is_muted(slot)).collect();
        let mut position = 0usize;
        while report.blocks < blocks {
            let mut block = [0.0f32; BLOCK];
            for (slot, track) in rack.iter_mut() {
                if muted[slot] {
                    continue;
                }
                let mut own = [0.0f32; BLOCK];
                track.render(&mut own);
                let meter = Meter::of(&own);
                report
                    .meters
                    .entry(track.name().to_owned())
                    .and_modify(|m| *m = m.merge(meter))
                    .or_insert(meter);
                block.iter_mut().zip(own).for_each(|(sum, s)| *sum += s);
            }
            block.iter_mut().for_each(|s| *s = master * *s);
            report.total = report.total.merge(Meter::of(&block));
            out.extend_from_slice(&block);
            position = step_index(position, BLOCK);
            report.blocks = position / BLOCK;
        }
        (out, report)
    }

    /// Checks that a host's table can be walked to its end.
    pub fn probe_table<T>(rack: &Rack<T>, stride: usize) -> Option<WalkStats>
    where
        T: Track + Clone,
        *const Box<T>: Position,
    {
        let mut cursor = SlotCursor::over(rack);
        if !cursor.skip_slots(stride) {
            return None;
        }
        let stats = cursor.skip_to_last();
        (cursor.remaining() <= 1).then_some(stats)
    }
}

/// A rack with a few tones, as used by the examples.
pub fn demo_rack(rate: f32) -> Result<rack::Rack<track::Tone>> {
    let mut rack = rack::Rack::with_capacity(4);
    for (index, hertz) in [220.0, 277.18, 329.63].into_iter().enumerate() {
        let mut tone = track::Tone::new(&format!("tone-{index}"), hertz, rate);
        tone.gain = gain!(0.25, trim = 0.9)?;
        rack.insert(tone)?;
    }
    rack.mute("tone-1", true)?;
    Ok(rack)
}

/// Renders the demo and gives its report as text.
pub fn demo() -> Result<String> {
    let mut rack = demo_rack(48_000.0)?;
    let (samples, report) = mixdown::mix(&mut rack, gain!(0.8)?, 8);
    debug_assert_eq!(samples.len(), 8 * BLOCK);
    Ok(report.to_text())
}
