//@ valid-by: +nightly -Znext-solver
//! Frames of a bus whose widths come from the functions that fill them.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;

/// A field of a frame.
pub trait Field: Sized + 'static {
    type Raw<'a>;
    const BITS: usize;
    fn store(&self, into: &mut [u8]);
}

impl Field for u8 {
    type Raw<'a> = u8;
    const BITS: usize = 8;
    fn store(&self, into: &mut [u8]) {
        into[0] = *self;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Angle(i16);

impl Field for Angle {
    type Raw<'a> = &'a [u8; 2];
    const BITS: usize = 16;
    fn store(&self, into: &mut [u8]) {
        into[..2].copy_from_slice(&self.0.to_be_bytes());
    }
}

/// Something that fills a part of a frame.
pub trait Fill {
    const WIDTH: usize;
    fn describe(&self) -> Cow<'static, str>;
}

impl<F: Field> Fill for fn(F, F::Raw<'_>) {
    const WIDTH: usize = F::BITS / 8;
    fn describe(&self) -> Cow<'static, str> {
        match Self::WIDTH {
            1 => "a byte".into(),
            width => format!("{width} bytes").into(),
        }
    }
}

const fn width<F: Field>() -> usize {
    <fn(F, F::Raw<'_>) as Fill>::WIDTH
}

/// # Safety
/// The address is not null.
const unsafe fn load<T: Copy>(from: *const T) -> T {
    unsafe { *from }
}

static MARGIN: u8 = 1;
const BYTE: usize = width::<u8>() + unsafe { load(&raw const MARGIN) } as usize;

#[derive(Clone, PartialEq, Eq)]
pub struct Frame<const N: usize> {
    bytes: [u8; N],
    used: usize,
}

#[derive(Debug)]
pub enum FrameError {
    Full { wanted: usize, free: usize },
    Never(Infallible),
}

impl<const N: usize> Frame<N> {
    pub const fn new() -> Self {
        Frame { bytes: [0; N], used: 0 }
    }

    pub fn put<F: Field>(&mut self, field: &F) -> Result<&mut Self, FrameError> {
        let wanted = F::BITS / 8;
        let free = &mut self.bytes[self.used..];
        if free.len() < wanted {
            return Err(FrameError::Full { wanted, free: free.len() });
        }
        field.store(free);
        self.used += wanted;
        Ok(self)
    }
}

impl<const N: usize> fmt::Debug for Frame<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.bytes[..self.used]).finish()
    }
}

trait Bus {
    type Error: fmt::Debug;
    fn send(&mut self, bytes: &[u8]) -> Result<usize, Self::Error>;
    fn close(self) -> Vec<u8>;
}

struct Loopback(Vec<u8>);

impl Bus for Loopback {
    type Error = FrameError;
    fn send(&mut self, bytes: &[u8]) -> Result<usize, FrameError> {
        self.0.extend(bytes);
        Ok(self.0.len())
    }
    fn close(self) -> Vec<u8> {
        self.0
    }
}

fn transfer<B: Bus, const N: usize>(mut bus: B, frames: [Frame<N>; 2]) -> Result<Vec<u8>, B::Error> {
    for frame in &frames {
        bus.send(&frame.bytes)?;
    }
    Ok(bus.close())
}

fn main() -> Result<(), FrameError> {
    let mut frame = Frame::<BYTE>::new();
    frame.put(&7u8)?.put(&9u8)?;
    let copy = frame.clone();
    if let Err(FrameError::Full { wanted, free }) = frame.put(&Angle(3)) {
        println!("{wanted} of {free}");
    }
    println!("{:?} {:?}", frame, transfer(Loopback(Vec::new()), [copy, frame.clone()])?);
    Ok(())
}
