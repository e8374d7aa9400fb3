//! Generators that draw from a random source of the crate `rand` (0.10): the feature `rand`.
//!
//! A function that makes a text of any `Rng` is a [`Generator`] as it is:
//!
//! ```
//! use mcve_generate::rand::RandGenerator;
//! use mcve_generate::generator::run;
//! use mcve_generate::reduction::{Settings, reduce_text};
//! use rand::{Rng, RngExt};
//!
//! fn numbers(rng: &mut impl Rng) -> String {
//!     let count = rng.random_range(2..20);
//!     let numbers: Vec<String> = (0..count).map(|_| rng.random_range(0..100).to_string()).collect();
//!     numbers.join(" ")
//! }
//!
//! let generator = RandGenerator::new("numbers", "1", |rng| numbers(rng));
//! let execution = run(&generator, 3, 1000)?;
//! assert!(execution.output.contains('7'));
//! let least = reduce_text(&generator, execution, Settings::default(), |text| text.contains('7'));
//! // It makes at least two numbers.
//! assert!(least.output.len() <= "0 17".len());
//! # Ok::<(), mcve_generate::choices::Halt>(())
//! ```
//!
//! Each draw is a choice. Its place is where the program draws, and each function around it is a group: both are found on the
//! stack, by addresses of code. They change when the generator is compiled again, so keep the version up to date. Without
//! unwind tables all draws have the same place, and a reduction has less to go by.
//!
//! The simplest draw of 32 bits is 0, for which `random_range` gives the lowest number and `choose` the first option. That of
//! 64 bits is the greatest one, for which `random_bool` is false, and `random_range` over `u64` or `i64` gives the highest.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ffi::c_void;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

use backtrace::{resolve, trace};
use rand_core::TryRng;

use super::choices::{Choices, Halt};
use super::generator::Generator;

/// A function that makes a text of random numbers, as a generator.
pub struct RandGenerator<F> {
    name: String,
    version: String,
    make: F,
    /// For code that was on the stack at a draw, the call that it is of.
    calls: Mutex<Calls>,
}

impl<F: Fn(&mut ChoiceRng<'_>) -> String + Send + Sync> RandGenerator<F> {
    /// The generator with this function. Name and version are words.
    pub fn new(name: &str, version: &str, make: F) -> Self {
        Self { name: name.to_owned(), version: version.to_owned(), make, calls: Mutex::default() }
    }
}

impl<F> fmt::Debug for RandGenerator<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandGenerator").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<F: Fn(&mut ChoiceRng<'_>) -> String + Send + Sync> Generator for RandGenerator<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn is_declared(&self) -> bool {
        false
    }

    fn generate(&self, choices: &mut Choices) -> Result<String, Halt> {
        choices.unordered();
        let mut rng = ChoiceRng { choices, calls: &self.calls, open: Vec::new(), outer: None };
        rng.outer = rng.stack().last().map(|call| call.at);
        // A draw cannot fail, so that the end of a run unwinds. This calls no panic hook.
        let text = catch_unwind(AssertUnwindSafe(|| (self.make)(&mut rng))).map_err(|payload| {
            payload.downcast::<Halt>().map_or_else(|payload| resume_unwind(payload), |halt| *halt)
        })?;
        rng.leave(0)?;
        Ok(text)
    }
}

/// A random source whose numbers are choices.
pub struct ChoiceRng<'a> {
    choices: &'a mut Choices,
    calls: &'a Mutex<Calls>,
    /// The open calls of the generator's functions, the outermost first. Each but the first one is a group.
    open: Vec<Call>,
    /// Where the call around the generator goes on.
    outer: Option<usize>,
}

/// A call on the stack: what is called, and where that goes on, both relative to the code of this module.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Call {
    function: usize,
    at: usize,
}

/// The calls by where they go on; none for those that are [between](is_between).
type Calls = HashMap<usize, Option<Call>>;

/// Whether code belongs to what draws, and not to a generator.
fn is_between(at: *mut c_void) -> bool {
    let mut is_between = false;
    resolve(at, |symbol| {
        let name = symbol.name().map(|name| name.to_string()).unwrap_or_default();
        let name = name.trim_start_matches(['<', '&']).trim_start_matches("mut ");
        is_between =
            ["backtrace::", "mcve_generate::", "rand::", "rand_core::"].iter().any(|own| name.starts_with(own));
    });
    is_between
}

impl ChoiceRng<'_> {
    /// The calls of the generator on the stack, the outermost first.
    fn stack(&self) -> Vec<Call> {
        let mut known = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut calls = Vec::new();
        let origin = is_between as fn(*mut c_void) -> bool as *const () as usize;
        trace(|frame| {
            let call = known.entry(frame.ip() as usize).or_insert_with(|| {
                let relative = |address: *mut c_void| (address as usize).wrapping_sub(origin);
                let call = Call { function: relative(frame.symbol_address()), at: relative(frame.ip()) };
                (!is_between(frame.ip())).then_some(call)
            });
            let is_inside = call.is_none_or(|call| Some(call.at) != self.outer);
            calls.extend(call.filter(|_| is_inside));
            is_inside
        });
        calls.reverse();
        calls
    }

    /// Ends the groups of the calls inside of the first ones.
    fn leave(&mut self, depth: usize) -> Result<(), Halt> {
        for _ in depth.max(1)..self.open.len() {
            self.choices.end()?;
        }
        self.open.truncate(depth);
        Ok(())
    }

    /// Begins and ends groups so that those of now are open, and returns the place of the draw in the innermost one.
    fn enter(&mut self) -> Result<usize, Halt> {
        let calls = self.stack();
        // A call goes on elsewhere for each draw, and is another one if the call around it has gone on.
        let is_open = |depth: usize| {
            let (open, call) = (self.open.get(depth)?, calls.get(depth)?);
            let is_same_around = depth == 0 || self.open[depth - 1].at == calls[depth - 1].at;
            (open.function == call.function && is_same_around).then_some(())
        };
        let same = (0..).take_while(|&depth| is_open(depth).is_some()).count();
        self.leave(same)?;
        for depth in same.max(1)..calls.len() {
            self.choices.begin_group(&format!("f{:x}@{:x}", calls[depth].function, calls[depth - 1].at))?;
        }
        self.open = calls;
        Ok(self.open.last().map_or(0, |call| call.at))
    }

    fn number(&mut self, kind: &str, most: u32) -> u32 {
        let drawn = self.enter().and_then(|at| self.choices.range(&format!("{kind}@{at:x}"), 0..=most.into()));
        let number = drawn.unwrap_or_else(|halt| resume_unwind(Box::new(halt)));
        u32::try_from(number).expect("it is in the range")
    }
}

impl TryRng for ChoiceRng<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.number("u32", u32::MAX))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let high = u32::MAX - self.number("high", u32::MAX);
        Ok(u64::from(high) << 32 | u64::from(self.number("low", u32::MAX)))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.number("byte", u8::MAX.into()).to_le_bytes()[0]);
        Ok(())
    }
}
