//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! The clock tree of a microcontroller: sources, dividers, and the tables that drivers read.

pub mod registers {
    pub const BASE: usize = 0x4002_1000;
    pub const CONTROL: usize = BASE + 0x00;
    pub const DIVIDER: usize = BASE + 0x04;
    pub const GATES: [usize; 3] = [BASE + 0x10, BASE + 0x14, BASE + 0x18];

    pub mod bits {
        pub const ENABLE: u32 = 1 << 0;
        pub const READY: u32 = 1 << 1;
        pub const BYPASS: u32 = 1 << 4;

        pub const fn field(value: u32, shift: u32, width: u32) -> u32 {
            (value & ((1 << width) - 1)) << shift
        }
    }
}

pub mod clock {
    use super::registers::bits;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Source {
        Internal,
        Crystal { hertz: u32 },
        Loop { multiplier: u8 },
    }

    impl Source {
        pub const fn hertz(self) -> u32 {
            match self {
                Source::Internal => 8_000_000,
                Source::Crystal { hertz } => hertz,
                Source::Loop { multiplier } => 4_000_000 * multiplier as u32,
            }
        }

        pub const fn control(self) -> u32 {
            match self {
                Source::Internal => bits::ENABLE,
                Source::Crystal { .. } => bits::ENABLE | bits::BYPASS,
                Source::Loop { multiplier } => bits::ENABLE | bits::field(multiplier as u32, 16, 6),
            }
        }
    }

    pub mod limits {
        /// The slowest and the fastest bus.
        pub static SLOWEST: u32 = 125_000;
        pub static FASTEST: u32 = 72_000_000;

        pub mod flash {
            /// How many cycles the flash memory waits.
            pub static WAIT: usize = super::super::tree::taps::FIRST & 7;
        }
    }

    pub mod tree {
        use super::limits;

        pub mod taps {
            use super::super::limits::flash;

            /// The first tap of the divider chain.
            pub static FIRST: usize = flash::WAIT;
            pub static COUNT: usize = 9;
        }

        pub fn divide(hertz: u32, tap: usize) -> Option<u32> {
            let hertz = hertz.checked_shr(tap as u32)?;
            (limits::SLOWEST..=limits::FASTEST).contains(&hertz).then_some(hertz)
        }
    }
}

pub mod drivers {
    use crate::clock::{tree, Source};

    pub mod serial {
        use crate::clock::tree::taps;

        /// The tap that the serial port hangs on: the first one of the upper half.
        pub static TAP: &'static usize = &(16 | taps::FIRST);

        pub fn divisor(hertz: u32, baud: u32) -> u32 {
            (hertz + baud / 2) / baud
        }
    }

    pub mod timer {
        pub static TAPS: [usize; 3] = [1, 2, super::super::clock::tree::taps::COUNT];

        pub fn reload(hertz: u32, microseconds: u32) -> u16 {
            let ticks = u64::from(hertz) * u64::from(microseconds) / 1_000_000;
            ticks.min(u64::from(u16::MAX)) as u16
        }
    }

    pub fn rates(source: Source) -> [Option<u32>; 3] {
        [tree::divide(source.hertz(), *serial::TAP), tree::divide(source.hertz(), timer::TAPS[0]), None]
    }
}
