//@ toolchain: nightly
//@ args: -Zvalidate-mir
//@ valid-by: +nightly
//! Colours in lanes; the palette is computed by the compiler.
#![feature(repr_simd)]
#![allow(internal_features)]

use std::fmt;

#[repr(simd)]
#[derive(Clone, Copy)]
pub struct Lanes([u32; 4]);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour {
    red: u8,
    green: u8,
    blue: u8,
    alpha: u8,
}

impl fmt::LowerHex for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

union Bits {
    colour: Colour,
    word: u32,
}

impl Colour {
    const BLACK: Colour = Colour::grey(0);
    const WHITE: Colour = Colour::grey(255);

    const fn grey(value: u8) -> Colour {
        Colour { red: value, green: value, blue: value, alpha: 255 }
    }

    const fn word(self) -> u32 {
        unsafe { Bits { colour: self }.word }
    }

    const fn from_word(word: u32) -> Colour {
        unsafe { Bits { word }.colour }
    }

    fn mix(self, other: Colour) -> Colour {
        let half = |a: u8, b: u8| ((u16::from(a) + u16::from(b)) / 2) as u8;
        Colour {
            red: half(self.red, other.red),
            green: half(self.green, other.green),
            blue: half(self.blue, other.blue),
            alpha: half(self.alpha, other.alpha),
        }
    }
}

/// Four words, in lanes or not.
#[derive(Clone, Copy)]
union Words {
    lanes: Lanes,
    words: [u32; 4],
}

impl Words {
    const fn lane(self, at: usize) -> u32 {
        let lanes = unsafe { self.lanes.0 };
        lanes[at]
    }

    fn first(self) -> u32 {
        unsafe { self.words[0] }
    }
}

const fn lanes(colours: &[Colour; 4]) -> Lanes {
    let [a, b, c, d] = colours;
    Lanes([a.word(), b.word(), c.word(), d.word()])
}

const START: Words = Words { lanes: lanes(&[Colour::BLACK, Colour::WHITE, Colour::grey(40), Colour::grey(90)]) };

static PALETTE: [Colour; 4] = {
    let mut palette = [Colour::BLACK; 4];
    let mut at = 0;
    while at < palette.len() {
        palette[at] = Colour::from_word(START.lane(at));
        at += 1;
    }
    palette
};

trait Paint {
    fn colour(&self) -> Colour;
    fn paint(self: Box<Self>, onto: &mut Vec<Colour>);
}

struct Line(Colour, usize);

impl Paint for Line {
    fn colour(&self) -> Colour {
        self.0
    }
    fn paint(self: Box<Self>, onto: &mut Vec<Colour>) {
        onto.extend(std::iter::repeat_n(self.0, self.1));
    }
}

struct Mixed<A, B>(A, B);

impl<A: Paint, B: Paint> Paint for Mixed<A, B> {
    fn colour(&self) -> Colour {
        self.0.colour().mix(self.1.colour())
    }
    fn paint(self: Box<Self>, onto: &mut Vec<Colour>) {
        let colour = self.colour();
        let Mixed(first, _) = *self;
        Box::new(first).paint(onto);
        onto.push(colour);
    }
}

fn main() {
    let mut canvas = Vec::new();
    let [black, white, dark, _] = PALETTE;
    let shapes: Vec<Box<dyn Paint>> = vec![Box::new(Line(black, 2)), Box::new(Mixed(Line(white, 1), Line(dark, 3)))];
    for shape in shapes {
        shape.paint(&mut canvas);
    }
    println!("{}", START.first());
    for colour in &canvas {
        println!("{colour:x}");
    }
}
