//! A crash while a derive is parsed, one in type checking and one in borrow checking: three phases.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

use std::fmt::Debug;
use std::ops::Add;

/// Lengths of what is sent, by the type that counts them.
#[cfg(not(without_borrowck))]
pub mod lengths {
    use super::Add;

    pub struct Length<T>(pub T);

    impl<T: Add<Output = T>> Length<T> {
        pub fn join(self, other: Self) -> Self {
            Length(self.0 + other.0)
        }
    }

    pub fn header<T>(padding: usize) -> usize
    where
        u16: Add<*const T>,
    {
        let size = 4;
        let _total = 16 + size as _;
        padding + 4
    }
}

#[cfg(not(without_parse))]
pub mod packets {
    use super::Debug;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Kind {
        Hello,
        Data(u32),
        Bye,
    }

    #[derive(Debug)]
    pub struct Packet<#[cfg(feature = "large")] Body: Into<u8>> {
        pub kind: Kind,
    }

    pub fn is_last(kind: Kind) -> bool {
        matches!(kind, Kind::Bye | Kind::Data(0))
    }
}

#[cfg(not(without_typeck))]
pub mod handlers {
    pub fn run(times: usize) -> usize {
        let mut ran = 0;
        for _ in 0..times {
            let handler: Option<&dyn !Send> = None;
            ran += usize::from(handler.is_none());
        }
        ran
    }
}
