//@ edition: 2021
//@ compile-flags: --emit=obj
//! Prints the frames of a robot's arm as an indented list, each one with the joints that lead to it.

use std::fmt::{Debug, Write};

#[derive(Debug, Clone, Copy, PartialEq)]
struct Frame {
    x: f64,
    y: f64,
    angle: f64,
}

#[derive(Debug, Clone, Copy)]
struct Joint {
    length: f64,
    turn: f64,
}

impl Frame {
    const ORIGIN: Frame = Frame { x: 0.0, y: 0.0, angle: 0.0 };

    fn then(self, joint: Joint) -> Frame {
        let angle = self.angle + joint.turn;
        Frame { x: self.x + joint.length * angle.cos(), y: self.y + joint.length * angle.sin(), angle }
    }

    fn reach(self) -> f64 {
        self.x.hypot(self.y)
    }
}

/// A joint of two thirds of the length, which turns the other way.
fn following(joint: Joint) -> Option<Joint> {
    let length = joint.length * 2.0 / 3.0;
    (length > 0.1).then_some(Joint { length, turn: -joint.turn })
}

/// How the list is written.
#[derive(Default)]
struct Style {
    digits: usize,
    width: usize,
    degrees: bool,
}

impl Style {
    fn angle(&self, radians: f64) -> String {
        if self.degrees {
            format!("{:.0}°", radians.to_degrees())
        } else {
            format!("{:.*}", self.digits, radians)
        }
    }

    fn indent(&self, level: usize) -> String {
        " ".repeat((level * 2).min(self.width))
    }
}

/// Writes a line for each frame, and behind it all the joints that lead to it.
fn list<P: Debug>(style: &Style, path: P, count: usize, out: &mut String) {
    let first = Joint { length: 1.5, turn: 0.5 };
    let mut joint = Some(first);
    let mut frame = Frame::ORIGIN;
    for _ in 0..count {
        frame = joint.map_or(frame, |joint| frame.then(joint));
        joint = joint.and_then(following);
    }
    let indent = style.indent(count);
    let _ = writeln!(out, "{indent}{:.1}, {:.1}, {} {path:?}", frame.x, frame.y, style.angle(frame.angle));
    let Some(joint) = joint else {
        let _ = writeln!(out, "reach {:.2}", frame.reach());
        return;
    };
    let lines = out.lines().count();
    let inner = Style { digits: 2, width: 40, degrees: joint.turn.abs() > 0.1 };
    let mut text = String::new();
    list(&inner, (path, joint), lines, &mut text);
    out.push_str(&text);
}

fn main() {
    let mut out = String::new();
    let style = Style { digits: 3, ..Style::default() };
    list(&style, "base", 0, &mut out);
    print!("{out}");
}
