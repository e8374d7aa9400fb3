//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! Colour palettes of a terminal, computed while the program is compiled.

/// A colour of eight bits a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

impl Rgb {
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Rgb { red, green, blue }
    }

    pub const fn gray(level: u8) -> Self {
        Rgb::new(level, level, level)
    }

    pub const fn hex(code: u32) -> Self {
        Rgb::new((code >> 16) as u8, (code >> 8) as u8, code as u8)
    }

    /// How bright the eye finds it, from 0 to 255.
    pub const fn brightness(self) -> u8 {
        let sum = 299 * self.red as u32 + 587 * self.green as u32 + 114 * self.blue as u32;
        (sum / 1000) as u8
    }
}

/// The eight colours of the oldest terminals, and the steps of the colour cube.
const BASIC: [u32; 8] = [0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5];
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

const fn basic(index: usize) -> Rgb {
    Rgb::hex(BASIC[index])
}

const fn step(level: usize) -> u8 {
    STEPS[level]
}

const fn cube(index: usize) -> Rgb {
    Rgb::new(step(index / 36), step(index / 6 % 6), step(index % 6))
}

const fn ramp(index: usize) -> Rgb {
    Rgb::gray(8 + 10 * index as u8)
}

/// The colour of an index: 16 named ones, a cube of 216, and 24 grays.
pub fn colour(index: usize) -> Rgb {
    if index < 16 {
        basic(index % 8)
    } else if index < 232 {
        cube(index - 16)
    } else {
        ramp(index - 232)
    }
}

pub struct Theme {
    pub text: Rgb,
    pub accent: Rgb,
    pub background: Rgb,
}

impl Theme {
    pub const fn contrast(&self) -> u8 {
        self.text.brightness().abs_diff(self.background.brightness())
    }
}

pub const DARK: Theme = Theme { text: ramp(20), accent: cube(80), background: basic(0) };
pub const LIGHT: Theme = Theme { text: basic(0), accent: basic(12), background: ramp(23) };

fn distance(one: Rgb, other: Rgb) -> u32 {
    let part = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    part(one.red, other.red) + part(one.green, other.green) + part(one.blue, other.blue)
}

/// The index of the colour that is closest.
pub fn closest(wanted: Rgb) -> usize {
    (0..256).min_by_key(|&index| distance(wanted, colour(index))).unwrap_or_default()
}

pub fn escape(wanted: Rgb, text: &str) -> String {
    format!("\x1b[38;5;{}m{text}\x1b[0m", closest(wanted))
}
