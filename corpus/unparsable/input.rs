//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! Lossless compression of grey-scale images: a gradient predictor, adaptive
//! Golomb-Rice codes and a bit-level container.

#![allow(dead_code)]

use std::error::Error;
use std::fmt;

/// Rectangular pictures with one byte per pixel.
pub mod picture {
    use std::ops::{Index, IndexMut};

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Picture {
        width: usize,
        pixels: Vec<u8>,
    }

    impl Picture {
        pub fn blank(width: usize, height: usize) -> Self {
            Picture {
                width,
                pixels: vec![0; width * height],
            }
        }

        pub fn from_fn(width: usize, height: usize, f: impl Fn(usize, usize) -> u8) -> Self {
            let pixels = (0..height)
                .flat_map(|y| (0..width).map(move |x| (x, y)))
                .map(|(x, y)| f(x, y))
                .collect();
            Picture { width, pixels }
        }

        pub fn width(&self) -> usize {
            self.width
        }

        pub fn height(&self) -> usize {
            self.pixels.len().checked_div(self.width).unwrap_or(0)
        }

        pub fn rows(&self) -> std::slice::ChunksExact<'_, u8> {
            self.pixels.chunks_exact(self.width.max(1))
        }

        /// Mean absolute difference to another picture of the same size.
        pub fn distance(&self, other: &Picture) -> Option<f64> {
            if self.width != other.width || self.pixels.len() != other.pixels.len() {
                return None;
            }
            let sum: u64 = self
                .pixels
                .iter()
                .zip(&other.pixels)
                .map(|(a, b)| u64::from(a.abs_diff(*b)))
                .sum();
            Some(sum as f64 / self.pixels.len() as f64)
        }
    }

    impl Index<(usize, usize)> for Picture {
        type Output = u8;

        fn index(&self, (x, y): (usize, usize)) -> &u8 {
            &self.pixels[y * self.width + x]
        }
    }

    impl IndexMut<(usize, usize)> for Picture {
        fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut u8 {
            &mut self.pixels[y * self.width + x]
        }
    }
}

/// Errors of the decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodeError {
    Magic([u8; 4]),
    Truncated { bit: usize },
    RunTooLong(usize),
    Size { width: u32, height: u32 },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Magic(found) => write!(f, "not a picture: {found:02x?}"),
            DecodeError::Truncated { bit } => write!(f, "the data end at bit {bit}"),
            DecodeError::RunTooLong(n) => write!(f, "a unary run of {n} ones"),
            DecodeError::Size { width, height } => write!(f, "{width}x{height} is too large"),
        }
    }
}

impl Error for DecodeError {}

/// Streams of bits, the most significant bit first.
pub mod bits {
    use super::DecodeError;

    /// Where bits go to.
    pub trait Sink {
        fn bit(&mut self, bit: bool);

        fn bits(&mut self, value: u32, count: u32) {
            for i in (0..count).rev() {
                self.bit(value >> i & 1 == 1);
            }
        }

        fn unary(&mut self, n: u32) {
            (0..n).for_each(|_| self.bit(true));
            self.bit(false);
        }
    }

    /// Counts bits only; used to choose parameters.
    #[derive(Debug, Default)]
    pub struct Counter(pub usize);

    impl Sink for Counter {
        fn bit(&mut self, _: bool) {
            self.0 += 1;
        }
    }

    #[derive(Debug, Default)]
    pub struct Writer {
        bytes: Vec<u8>,
        pending: u8,
        filled: u32,
    }

    impl Sink for Writer {
        fn bit(&mut self, bit: bool) {
            self.pending = self.pending << 1 | u8::from(bit);
            self.filled += 1;
            if self.filled == 8 {
                self.bytes.push(self.pending);
                (self.pending, self.filled) = (0, 0);
            }
        }
    }

    impl Writer {
        /// Pads the last byte with zeros.
        pub fn finish(mut self) -> Vec<u8> {
            while self.filled != 0 {
                self.bit(false);
            }
            self.bytes
        }
    }

    #[derive(Debug, Clone)]
    pub struct Reader<'a> {
        bytes: &'a [u8],
        at: usize,
    }

    impl<'a> Reader<'a> {
        pub const LONGEST_RUN: usize = 4096;

        pub fn new(bytes: &'a [u8]) -> Self {
            Reader { bytes, at: 0 }
        }

        pub fn bit(&mut self) -> Result<bool, DecodeError> {
            let byte = self
                .bytes
                .get(self.at / 8)
                .ok_or(DecodeError::Truncated { bit: self.at })?;
            let bit = byte >> (7 - self.at % 8) & 1;
            self.at += 1;
            Ok(bit == 1)
        }

        pub fn bits(&mut self, count: u32) -> Result<u32, DecodeError> {
            (0..count).try_fold(0, |value, _| Ok(value << 1 | u32::from(self.bit()?)))
        }

        pub fn unary(&mut self) -> Result<usize, DecodeError> {
            let mut n = 0;
            while self.bit()? {
                n += 1;
                if n > Self::LONGEST_RUN {
                    return Err(DecodeError::RunTooLong(n));
                }
            }
            Ok(n)
        }
    }
}

/// Prediction of a pixel from its neighbours.
pub mod predict {
    use crate::picture::Picture;

    macro_rules! predictors {
        ($($(#[$meta:meta])* $name:ident |$west:ident, $north:ident, $corner:ident| $body:expr;)+) => {
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            pub enum Predictor {
                $($(#[$meta])* $name),+
            }

            impl Predictor {
                pub const ALL: &'static [Predictor] = &[$(Predictor::$name),+];

                pub fn guess(self, west: i32, north: i32, corner: i32) -> i32 {
                    match self {
                        $(Predictor::$name => {
                            let ($west, $north, $corner) = (west, north, corner);
                            $body
                        })+
                    }
                }
            }
        };
    }

    predictors! {
        Zero |_w, _n, _c| 0;
        West |w, _n, _c| w;
        Average |w, n, _c| (w + n) / 2;
        /// The predictor of LOCO-I.
        Gradient |w, n, c| {
            if c >= w.max(n) {
                w.min(n)
            } else if c <= w.min(n) {
                w.max(n)
            } else {
                w + n - c
            }
        };
    }

    impl Predictor {
        /// The guess for a pixel; outside of the picture everything is zero.
        pub fn at(self, picture: &Picture, x: usize, y: usize) -> u8 {
            let pixel = |dx: usize, dy: usize| match (x.checked_sub(dx), y.checked_sub(dy)) {
                (Some(x), Some(y)) => i32::from(picture[(x, y)]),
                _ => 0,
            };
            self.guess(pixel(1, 0), pixel(0, 1), pixel(1, 1))
                .clamp(0, 255) as u8
        }
    }
}

/// Adaptive Golomb-Rice coding of residuals.
pub mod rice {
    use crate::bits::{Reader, Sink};
    use crate::DecodeError;

    /// Statistics of the residuals so far.
    #[derive(Debug, Clone)]
    pub struct Model<const LIMIT: u32 = 64> {
        sum: u32,
        count: u32,
    }

    impl<const LIMIT: u32> Default for Model<LIMIT> {
        fn default() -> Self {
            Model { sum: 4, count: 1 }
        }
    }

    /// Small magnitudes to small numbers: 0, -1, 1, -2, 2 and so on.
    pub fn fold(residual: i8) -> u32 {
        let wide = i32::from(residual);
        ((wide << 1) ^ (wide >> 31)) as u32
    }

    pub fn unfold(folded: u32) -> i8 {
        ((folded >> 1) as i32 ^ -((folded & 1) as i32)) as i8
    }

    impl<const LIMIT: u32> Model<LIMIT> {
        /// How many low bits are stored verbatim.
        pub fn parameter(&self) -> u32 {
            (0..8)
                .find(|k| self.count << k >= self.sum)
                .unwrap_or(8)
        }

        fn update(&mut self, folded: u32) {
            self.sum += folded;
            self.count += 1;
            if self.count >= LIMIT {
                self.sum /= 2;
                self.count /= 2;
            }
        }

        pub fn encode<S: Sink + ?Sized>(&mut self, residual: i8, sink: &mut S) {
            let folded = fold(residual);
            let k = self.parameter();
            sink.unary(folded >> k);
            sink.bits(folded, k);
            self.update(folded);
        }

        pub fn decode(&mut self, reader: &mut Reader<'_>) -> Result<i8, DecodeError> {
            let k = self.parameter();
            let high = reader.unary()?;
            let low = reader.bits(k)?;
            let folded = match k {
                0 => high as u32,
                _ if high >= Reader::LONGEST_RUN >> k => {
                    return Err(DecodeError::RunTooLong(high));
                }
                _ => {
                    let shifted = high.min(u8::MAX.into()) as u32 << k;
                    shifted | low
                }
            };
            self.update(folded);
            Ok(unfold(folded))
        }
    }
}

/// The file format: magic, size, predictor, residuals.
pub mod container {
    use crate::bits::{Counter, Reader, Sink, Writer};
    use crate::picture::Picture;
    use crate::predict::Predictor;
    use crate::rice::Model;
    use crate::DecodeError;

    const MAGIC: [u8; 4] = *b"GRIP";
    const MAX_SIDE: u32 = 1 << 14;

    fn residuals<'a>(
        picture: &'a Picture,
        predictor: Predictor,
    ) -> impl Iterator<Item = i8> + 'a {
        picture.rows().enumerate().flat_map(move |(y, row)| {
            row.iter()
                .enumerate()
                .map(move |(x, pixel)| pixel.wrapping_sub(predictor.at(picture, x, y)) as i8)
        })
    }

    fn cost(picture: &Picture, predictor: Predictor) -> usize {
        let mut counter = Counter::default();
        let mut model = Model::<64>::default();
        residuals(picture, predictor).for_each(|r| model.encode(r, &mut counter));
        counter.0
    }

    pub fn encode(picture: &Picture) -> Vec<u8> {
        let (index, &predictor) = Predictor::ALL
            .iter()
            .enumerate()
            .min_by_key(|(_, &predictor)| cost(picture, predictor))
            .expect("there are predictors");
        let mut writer = Writer::default();
        MAGIC.iter().for_each(|&b| writer.bits(b.into(), 8));
        writer.bits(picture.width() as u32, 16);
        writer.bits(picture.height() as u32, 16);
        writer.bits(index as u32, 2);
        let mut model = Model::<64>::default();
        for residual in residuals(picture, predictor) {
            model.encode(residual, &mut writer);
        }
        writer.finish()
    }

    pub fn decode(bytes: &[u8]) -> Result<Picture, DecodeError> {
        let mut reader = Reader::new(bytes);
        let mut magic = [0; 4];
        for byte in &mut magic {
            *byte = reader.bits(8)? as u8;
        }
        if magic != MAGIC {
            return Err(DecodeError::Magic(magic));
        }
        let (width, height) = (reader.bits(16)?, reader.bits(16)?);
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(DecodeError::Size { width, height });
        }
        let predictor = Predictor::ALL[reader.bits(2)? as usize];
        let mut picture = Picture::blank(width as usize, height as usize);
        let mut model = Model::<64>::default();
        for y in 0..height as usize {
            for x in 0..width as usize {
                let guess = predictor.at(&picture, x, y);
                picture[(x, y)] = guess.wrapping_add(model.decode(&mut reader)? as u8);
            }
        }
        Ok(picture)
    }
}

/// A report on one picture, as the command-line tool prints it.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<'n> {
    name: &'n str,
    raw: usize,
    packed: usize,
}

impl<'n> Report<'n> {
    pub fn new(name: &'n str, picture: &picture::Picture) -> Result<Self, Box<dyn Error>> {
        let packed = container::encode(picture);
        let again = container::decode(&packed)?;
        match picture.distance(&again) {
            Some(d) if d == 0.0 => Ok(Report {
                name,
                raw: picture.width() * picture.height(),
                packed: packed.len(),
            }),
            _ => Err(format!("{name}: the round trip is lossy").into()),
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratio = self.packed as f64 / self.raw.max(1) as f64;
        write!(
            f,
            "{:<16} {:>8} -> {:>8} ({:.1} %)",
            self.name,
            self.raw,
            self.packed,
            100.0 * ratio
        )
    }
}

/// Reports on some synthetic pictures.
pub fn survey(side: usize) -> impl Iterator<Item = Result<String, String>> {
    let pictures = [
        ("flat", picture::Picture::from_fn(side, side, |_, _| 90)),
        (
            "ramp",
            picture::Picture::from_fn(side, side, |x, y| (x + y) as u8),
        ),
        (
            "checks",
            picture::Picture::from_fn(side, side, |x, y| if (x ^ y) & 4 == 0 { 32 } else { 200 }),
        ),
    ];
    pictures.into_iter().map(|(name, picture)| {
        Report::new(name, &picture)
            .map(|report| report.to_string())
            .map_err(|e| e.to_string())
    })
}
