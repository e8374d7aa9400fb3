//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! Audio effects as a chain of types: every stage knows the type of the next
//! one, so that a whole chain is one monomorphic function.

#![allow(dead_code)]

/// Frames of samples and arithmetic on them.
pub mod frame {
    use std::ops::{AddAssign, Mul};

    pub const RATE: f32 = 48_000.0;

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Frame<const CHANNELS: usize = 2>
    where
        [f32; CHANNELS]: Default,
    {
        pub samples: [f32; CHANNELS],
    }

    impl<const CHANNELS: usize> AddAssign for Frame<CHANNELS>
    where
        [f32; CHANNELS]: Default,
    {
        fn add_assign(&mut self, rhs: Self) {
            for (a, b) in self.samples.iter_mut().zip(rhs.samples) {
                *a += b;
            }
        }
    }

    impl<const CHANNELS: usize> Mul<f32> for Frame<CHANNELS>
    where
        [f32; CHANNELS]: Default,
    {
        type Output = Self;

        fn mul(mut self, gain: f32) -> Self {
            self.samples.iter_mut().for_each(|s| *s *= gain);
            self
        }
    }

    impl Frame {
        pub fn mono(sample: f32) -> Self {
            Frame {
                samples: [sample; 2],
            }
        }

        pub fn peak(&self) -> f32 {
            self.samples.iter().fold(0.0, |peak, s| s.abs().max(peak))
        }
    }
}

/// The traits of effects.
pub mod stage {
    use crate::frame::Frame;
    use std::fmt;

    #[derive(Debug, Clone, PartialEq)]
    pub enum StageError {
        Parameter { name: &'static str, value: f32 },
        TooManyStages(usize),
    }

    impl fmt::Display for StageError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                StageError::Parameter { name, value } => write!(f, "{name} cannot be {value}"),
                StageError::TooManyStages(n) => write!(f, "{n} stages are too many"),
            }
        }
    }

    impl std::error::Error for StageError {}

    /// One effect in front of the effects of the type `Next`.
    pub trait Stage {
        type Next;

        /// Processes one frame in place.
        fn process(&mut self, frame: &mut Frame);

        fn latency(&self) -> usize {
            0
        }
    }

    /// A place where a meter can listen.
    #[derive(Debug, Clone, Default)]
    pub struct Tap<S> {
        pub stage: S,
        pub peak: f32,
    }

    /// The end of a chain, which is followed by itself.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct End;

    impl Stage for End {
        type Next = Tap<End>;

        fn process(&mut self, _: &mut Frame) {}
    }

    impl<S: Stage> Stage for Tap<S> {
        type Next = S::Next;

        fn process(&mut self, frame: &mut Frame) {
            self.stage.process(frame);
            self.peak = self.peak.max(frame.peak());
        }

        fn latency(&self) -> usize {
            self.stage.latency()
        }
    }
}

/// The effects themselves.
pub mod effect {
    use crate::frame::{Frame, RATE};
    use crate::stage::{Stage, StageError};
    use std::collections::VecDeque;
    use std::marker::PhantomData;

    macro_rules! effects {
        ($(
            $(#[$meta:meta])*
            $name:ident { $($field:ident: $ty:ty = $start:expr),* $(,)? }
            |$this:ident, $frame:ident| $body:block
        )*) => {
            $(
                $(#[$meta])*
                #[derive(Debug, Clone)]
                pub struct $name<N> {
                    $(pub $field: $ty,)*
                    next: PhantomData<fn() -> N>,
                }

                impl<N> Default for $name<N> {
                    fn default() -> Self {
                        $name {
                            $($field: $start,)*
                            next: PhantomData,
                        }
                    }
                }

                impl<N> Stage for $name<N> {
                    type Next = N;

                    fn process(&mut self, $frame: &mut Frame) {
                        let $this = self;
                        $body
                    }
                }
            )*
        };
    }

    effects! {
        /// Multiplies by a constant.
        Gain { factor: f32 = 1.0 } |this, frame| {
            *frame = *frame * this.factor;
        }

        /// Feeds a delayed copy back.
        Echo { line: VecDeque<Frame> = VecDeque::new(), delay: usize = 4800, feedback: f32 = 0.4 } |this, frame| {
            if this.line.len() >= this.delay.max(1) {
                if let Some(old) = this.line.pop_front() {
                    *frame += old * this.feedback;
                }
            }
            this.line.push_back(*frame);
        }

        /// A one-pole low-pass filter.
        LowPass { cutoff: f32 = 1000.0, state: Frame = Frame::default() } |this, frame| {
            let a = (-std::f32::consts::TAU * this.cutoff / RATE).exp();
            let mut state = this.state * a;
            state += *frame * (1.0 - a);
            this.state = state;
            *frame = state;
        }
    }

    impl<N> LowPass<N> {
        pub fn at(cutoff: f32) -> Result<Self, StageError> {
            if !(cutoff > 0.0 && cutoff < RATE / 2.0) {
                return Err(StageError::Parameter {
                    name: "cutoff",
                    value: cutoff,
                });
            }
            Ok(LowPass {
                cutoff,
                ..Self::default()
            })
        }
    }
}

/// Sources of test signals.
pub mod source {
    use crate::frame::{Frame, RATE};

    #[derive(Debug, Clone)]
    pub struct Oscillator {
        phase: f32,
        pitch: f32,
    }

    impl Oscillator {
        pub fn new(pitch: f32) -> Self {
            Oscillator { phase: 0.0, pitch }
        }
    }

    impl Iterator for Oscillator {
        type Item = Frame;

        fn next(&mut self) -> Option<Frame> {
            self.phase = (self.phase + self.pitch / RATE).fract();
            Some(Frame::mono((self.phase * std::f32::consts::TAU).sin()))
        }
    }

    pub fn silence(frames: usize) -> impl Iterator<Item = Frame> {
        std::iter::repeat_n(Frame::default(), frames)
    }
}

/// Runs a signal through one stage.
pub fn render<S>(stage: &mut S, input: impl IntoIterator<Item = frame::Frame>) -> Vec<frame::Frame>
where
    S: stage::Stage + ?Sized,
{
    let mut output: Vec<_> = input.into_iter().collect();
    output.iter_mut().for_each(|frame| stage.process(frame));
    output.drain(..stage.latency().min(output.len()));
    output
}

/// Types of long chains.
///
/// Nobody can write such a type by hand, so that a macro doubles what opens a
/// level and what closes it, once for every `+`.
#[macro_use]
mod chain {
    macro_rules! levels {
        (@double [$last:ty] { $($open:tt)* } { $($close:tt)* } + $($more:tt)*) => {
            levels!(
                @double [$last]
                { $($open)* $($open)* }
                { $($close)* $($close)* }
                $($more)*
            )
        };
        (@double [$last:ty] { $($open:tt)* } { $($close:tt)* }) => {
            levels!(@emit $($open)* $last $($close)*)
        };
        (@emit $chain:ty) => { $chain };
    }

    /// A chain of two to the power of the number of `+` stages.
    macro_rules! chain_of {
        ($($plus:tt)*) => {
            levels!(
                @double [$crate::stage::End]
                { impl Stage<Next = Tap< }
                { >> }
                $($plus)*
            )
        };
    }
}

/// Chains for the benchmarks.
pub mod bench {
    use crate::source::{silence, Oscillator};
    use crate::stage::{End, Stage, StageError, Tap};

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Load {
        Idle,
        Light,
        Heavy,
    }

    /// Two stages, for comparison.
    pub fn short_chain() -> chain_of!(+) {
        End
    }

    /// The longest chain that a session may have.
    pub fn longest_chain(load: Load) -> Result<chain_of!(+ + + + + + + + + + +), StageError> {
        match load {
            Load::Idle | Load::Light => Ok(End),
            Load::Heavy => Err(StageError::TooManyStages(2048)),
        }
    }

    /// The loudest output for a load.
    pub fn measure(load: Load, seconds: f32) -> Result<f32, StageError> {
        let frames = (crate::frame::RATE * seconds) as usize;
        let mut stage = short_chain();
        let input: Vec<_> = match load {
            Load::Idle => silence(frames).collect(),
            Load::Light => Oscillator::new(440.0).take(frames).collect(),
            Load::Heavy => Oscillator::new(440.0)
                .zip(Oscillator::new(660.0))
                .map(|(mut a, b)| {
                    a += b;
                    a * 0.5
                })
                .take(frames)
                .collect(),
        };
        let output = crate::render(&mut stage, input);
        Ok(output.iter().map(|frame| frame.peak()).fold(0.0, f32::max))
    }

    /// Whether a chain is in time for the given number of frames.
    pub fn in_time(stage: &impl Stage, budget: usize) -> bool {
        stage.latency() <= budget
    }
}
