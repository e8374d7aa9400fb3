//@ toolchain: nightly
//@ valid-by: +nightly -Znext-solver
//! Points of a plot, scaled by closures that are handed around.
#![feature(type_alias_impl_trait)]

use std::ops::{Add, Mul};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair((u32, u32));

impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        let (Pair((a, b)), Pair((c, d))) = (self, other);
        Pair((a + c, b + d))
    }
}

impl Mul<u32> for Pair {
    type Output = Pair;
    fn mul(self, by: u32) -> Pair {
        Pair((self.0.0 * by, self.0.1 * by))
    }
}

trait Shape {
    const CORNERS: usize;
    fn corners(&self) -> Vec<Pair>;
    fn sum(&self) -> Pair {
        self.corners().into_iter().fold(Pair((0, 0)), |sum, corner| sum + corner)
    }
}

#[derive(Clone)]
struct Polygon {
    name: String,
    corners: Vec<Pair>,
}

impl Shape for Polygon {
    const CORNERS: usize = 5;
    fn corners(&self) -> Vec<Pair> {
        self.corners.clone()
    }
}

struct Square<T>(T, u32);

impl<T: Into<u32> + Copy> Shape for Square<T> {
    const CORNERS: usize = 4;
    fn corners(&self) -> Vec<Pair> {
        let (low, side) = (self.0.into(), self.1);
        [(0, 0), (0, side), (side, side), (side, 0)].map(|(x, y)| Pair((x + low, y + low))).to_vec()
    }
}

fn apply<F: FnOnce(u32) -> u32>(closure: F, value: u32) -> u32 {
    closure(value)
}

/// The place of a point in a table of eight columns.
///
/// # Safety
/// The table has at least `at` entries.
unsafe fn entry(table: *const u32, at: usize) -> u32 {
    unsafe { *table.add(at) }
}

fn place(table: &[u32; 16], label: String) -> u32 {
    type Origin = impl Copy;
    let origin: Origin = Pair((3u32, 4u32));
    let outer = move |scale: u32| {
        let text = label;
        let inner = move |more: u32| {
            let Pair((x, y)) = origin;
            let found = unsafe { entry(table.as_ptr(), 5) };
            found + x * more + y + text.len() as u32
        };
        apply(inner, scale)
    };
    apply(outer, 2)
}

fn area(shape: &dyn Fn() -> Vec<Pair>) -> u32 {
    let corners = shape();
    let mut twice = 0i64;
    for (index, Pair((x, y))) in corners.iter().enumerate() {
        let Pair((next_x, next_y)) = corners[(index + 1) % corners.len()];
        twice += i64::from(*x) * i64::from(next_y) - i64::from(next_x) * i64::from(*y);
    }
    (twice.abs() / 2) as u32
}

fn report<S: Shape>(shape: S) -> String {
    let sum = shape.sum() * 2;
    format!("{} corners, {:?}, {}", S::CORNERS, sum, area(&|| shape.corners()))
}

fn main() {
    let table: [u32; 16] = std::array::from_fn(|index| index as u32 * 3);
    let polygon = Polygon { name: "roof".into(), corners: vec![Pair((0, 0)), Pair((4, 0)), Pair((2, 3))] };
    let copy = polygon.clone();
    println!("{}", place(&table, polygon.name));
    println!("{}", report(copy));
    println!("{}", report(Square(1u8, 6)));
}
