//@ toolchain: nightly
//@ args: -Cdebuginfo=2 -Copt-level=0 -Zverify-llvm-ir
//@ valid-by: +nightly -Copt-level=0 -Zverify-llvm-ir
//! Counters of events that need no memory: an array of nothing has any length.

use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// A unit of a count.
pub trait Unit: Copy + Default + 'static {
    const NAME: &'static str;
    const LIMIT: usize;
    fn describe(&self) -> String;
}

macro_rules! units {
    ($($name:ident: $text:literal, $limit:expr;)*) => {
        $(
            #[derive(Clone, Copy, Default, Debug, PartialEq)]
            pub struct $name;

            impl Unit for $name {
                const NAME: &'static str = $text;
                const LIMIT: usize = $limit;
                fn describe(&self) -> String {
                    format!("{} of at most {}", $text, Self::LIMIT)
                }
            }
        )*
    };
}

units! {
    Tick: "ticks", 1 << 63;
    Byte: "bytes", 4096;
}

struct Check<U, const N: usize>(PhantomData<U>);

impl<U: Unit, const N: usize> Check<U, N> {
    const IN_LIMIT: usize = {
        assert!(N <= U::LIMIT, "more than the limit");
        assert!(size_of::<U>() == 0, "a unit has no size");
        N
    };
}

/// So many units.
#[derive(Clone, Copy)]
pub struct Count<U, const N: usize> {
    units: [U; N],
}

impl<U: Unit, const N: usize> Count<U, N> {
    fn new() -> Self {
        let _ = Check::<U, N>::IN_LIMIT;
        let units = unsafe { MaybeUninit::<[U; N]>::uninit().assume_init() };
        Count { units }
    }

    fn len(&self) -> usize {
        self.units.len()
    }

    fn is<V: Unit>(&self) -> bool {
        TypeId::of::<U>() == TypeId::of::<V>()
    }
}

impl<U: Unit, const N: usize> fmt::Display for Count<U, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.len(), U::NAME)
    }
}

trait Meter {
    fn value(&self) -> usize;
    fn merge(self, other: &dyn Meter) -> Total
    where
        Self: Sized,
    {
        Total(self.value().saturating_add(other.value()))
    }
}

#[derive(Debug, PartialEq, PartialOrd, Clone)]
struct Total(usize);

impl Meter for Total {
    fn value(&self) -> usize {
        self.0
    }
}

impl<U: Unit, const N: usize> Meter for Count<U, N> {
    fn value(&self) -> usize {
        self.len()
    }
}

struct History<'a> {
    meters: Vec<&'a dyn Meter>,
    best: Option<Total>,
}

impl<'a> History<'a> {
    fn add(&mut self, meter: &'a dyn Meter) -> &mut Self {
        let total = Total(meter.value());
        if self.best.as_ref().is_none_or(|best| *best < total) {
            self.best = Some(total);
        }
        self.meters.push(meter);
        self
    }
}

fn main() {
    let ticks = Count::<Tick, { 1 << 63 }>::new();
    let bytes = Count::<Byte, 512>::new();
    let mut history = History { meters: Vec::new(), best: None };
    history.add(&bytes).add(&ticks);
    println!("{ticks}, {bytes}, {:?}, {}", history.best, history.meters.len());
    println!("{} {}", Tick.describe(), ticks.is::<Byte>());
    println!("{:?}", bytes.merge(&Total(3)));
}
