//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! A small retained-mode user-interface toolkit.
//!
//! Widgets live in an arena ([`tree::Tree`]), are measured against
//! constraints, styled from a theme and painted onto a [`paint::Canvas`].

#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fmt;

/// Points, sizes and rectangles, all in logical pixels.
pub mod geometry {
    use std::ops::{Add, Sub};

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Size {
        pub width: f32,
        pub height: f32,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Rect {
        pub origin: Point,
        pub size: Size,
    }

    impl Add for Point {
        type Output = Point;

        fn add(self, rhs: Point) -> Point {
            Point {
                x: self.x + rhs.x,
                y: self.y + rhs.y,
            }
        }
    }

    impl Sub for Point {
        type Output = Point;

        fn sub(self, rhs: Point) -> Point {
            Point {
                x: self.x - rhs.x,
                y: self.y - rhs.y,
            }
        }
    }

    impl Size {
        pub const ZERO: Size = Size {
            width: 0.0,
            height: 0.0,
        };

        pub fn new(width: f32, height: f32) -> Self {
            Size { width, height }
        }

        /// The smallest size that covers both.
        pub fn union(self, other: Size) -> Size {
            Size {
                width: self.width.max(other.width),
                height: self.height.max(other.height),
            }
        }

        pub fn is_empty(self) -> bool {
            self.width <= 0.0 || self.height <= 0.0
        }
    }

    impl Rect {
        pub fn new(origin: Point, size: Size) -> Self {
            Rect { origin, size }
        }

        pub fn contains(&self, p: Point) -> bool {
            let d = p - self.origin;
            d.x >= 0.0 && d.y >= 0.0 && d.x < self.size.width && d.y < self.size.height
        }

        pub fn inset(&self, by: f32) -> Rect {
            Rect {
                origin: self.origin + Point { x: by, y: by },
                size: Size {
                    width: (self.size.width - 2.0 * by).max(0.0),
                    height: (self.size.height - 2.0 * by).max(0.0),
                },
            }
        }
    }
}

/// Colours, with a parser for the `#rrggbb` notation of theme files.
pub mod color {
    use std::fmt;
    use std::str::FromStr;

    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Color(pub u8, pub u8, pub u8);

    #[derive(Debug, PartialEq, Eq)]
    pub enum ColorError {
        MissingHash,
        Length(usize),
        Digit { at: usize, found: char },
    }

    impl fmt::Display for ColorError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                ColorError::MissingHash => f.write_str("a colour starts with `#`"),
                ColorError::Length(n) => write!(f, "expected 6 digits, found {n}"),
                ColorError::Digit { at, found } => {
                    write!(f, "`{found}` at {at} is not a hexadecimal digit")
                }
            }
        }
    }

    impl std::error::Error for ColorError {}

    impl fmt::Debug for Color {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
        }
    }

    impl FromStr for Color {
        type Err = ColorError;

        fn from_str(s: &str) -> Result<Self, Self::Err> {
            let digits = s.strip_prefix('#').ok_or(ColorError::MissingHash)?;
            if digits.len() != 6 {
                return Err(ColorError::Length(digits.len()));
            }
            let mut nibbles = [0u8; 6];
            for (at, found) in digits.chars().enumerate() {
                nibbles[at] = found
                    .to_digit(16)
                    .ok_or(ColorError::Digit { at, found })? as u8;
            }
            let byte = |i: usize| nibbles[2 * i] * 16 + nibbles[2 * i + 1];
            Ok(Color(byte(0), byte(1), byte(2)))
        }
    }
}

/// What the platform layer sends to the widgets.
pub mod event {
    use crate::geometry::Point;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Button {
        Primary,
        Secondary,
        Other(u8),
    }

    #[derive(Debug, Clone, PartialEq)]
    pub enum Event {
        Press { at: Point, button: Button },
        Release { at: Point, button: Button },
        Text(String),
        Focus(bool),
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Outcome {
        Ignored,
        Consumed,
        Redraw,
    }

    impl Event {
        pub fn position(&self) -> Option<Point> {
            match self {
                Event::Press { at, .. } | Event::Release { at, .. } => Some(*at),
                Event::Text(_) | Event::Focus(_) => None,
            }
        }
    }

    impl Outcome {
        /// The stronger of the two outcomes wins.
        pub fn or(self, other: Outcome) -> Outcome {
            use Outcome::*;
            match (self, other) {
                (Redraw, _) | (_, Redraw) => Redraw,
                (Consumed, _) | (_, Consumed) => Consumed,
                _ => Ignored,
            }
        }
    }
}

/// Measuring: how large does a widget want to be?
pub mod layout {
    use crate::geometry::Size;
    use crate::paint::Paint;

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Constraints {
        pub min: Size,
        pub max: Size,
    }

    impl Constraints {
        pub fn loose(max: Size) -> Self {
            Constraints {
                min: Size::ZERO,
                max,
            }
        }

        pub fn tight(size: Size) -> Self {
            Constraints {
                min: size,
                max: size,
            }
        }

        pub fn clamp(&self, size: Size) -> Size {
            Size {
                width: size.width.clamp(self.min.width, self.max.width),
                height: size.height.clamp(self.min.height, self.max.height),
            }
        }
    }

    /// Anything with a preferred size under constraints of the type `C`.
    ///
    /// What has a size can also be painted, hence the supertrait.
    pub trait Measure<C = Constraints>: Paint<u32>
    where
        C: Copy,
    {
        fn measure(&self, constraints: C) -> Size;

        fn baseline(&self, constraints: C) -> f32 {
            self.measure(constraints).height * 0.8
        }
    }

    /// How children are put next to each other.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Axis {
        Horizontal,
        Vertical,
    }

    impl Axis {
        pub fn stack(self, sizes: impl IntoIterator<Item = Size>, gap: f32) -> Size {
            let mut total = Size::ZERO;
            for (i, size) in sizes.into_iter().enumerate() {
                let gap = if i == 0 { 0.0 } else { gap };
                match self {
                    Axis::Horizontal => {
                        total.width += size.width + gap;
                        total.height = total.height.max(size.height);
                    }
                    Axis::Vertical => {
                        total.height += size.height + gap;
                        total.width = total.width.max(size.width);
                    }
                }
            }
            total
        }
    }
}

/// Painting onto a canvas.
pub mod paint {
    use crate::color::Color;
    use crate::geometry::{Point, Rect};
    use crate::style::{Styled, Theme};

    #[derive(Debug, Clone, PartialEq)]
    pub enum Command<Id> {
        Fill { rect: Rect, color: Color, owner: Id },
        Glyphs { at: Point, text: String, owner: Id },
    }

    /// A display list that a backend replays later.
    #[derive(Debug, Default)]
    pub struct Canvas<Id> {
        commands: Vec<Command<Id>>,
        clip: Vec<Rect>,
    }

    impl<Id: Copy> Canvas<Id> {
        pub fn new() -> Self {
            Canvas {
                commands: Vec::new(),
                clip: Vec::new(),
            }
        }

        pub fn fill(&mut self, rect: Rect, color: Color, owner: Id) {
            if !rect.size.is_empty() {
                self.commands.push(Command::Fill { rect, color, owner });
            }
        }

        pub fn glyphs(&mut self, at: Point, text: &str, owner: Id) {
            self.commands.push(Command::Glyphs {
                at,
                text: text.to_owned(),
                owner,
            });
        }

        pub fn clipped<R>(&mut self, to: Rect, f: impl FnOnce(&mut Self) -> R) -> R {
            self.clip.push(to);
            let result = f(self);
            self.clip.pop();
            result
        }

        pub fn commands(&self) -> impl Iterator<Item = &Command<Id>> + '_ {
            self.commands.iter()
        }
    }

    /// Paintable things know their style, since a fill needs a colour.
    pub trait Paint<Id>: Styled<Theme, Key = &'static str> {
        fn paint(&self, canvas: &mut Canvas<Id>, bounds: Rect, id: Id);
    }
}

/// Themes and the lookup of colours and metrics in them.
pub mod style {
    use super::color::Color;
    use super::inspect::Inspect;
    use std::collections::HashMap;

    #[derive(Debug, Clone)]
    pub struct Theme {
        name: String,
        colors: HashMap<&'static str, Color>,
        pub spacing: f32,
    }

    impl Theme {
        pub fn new(name: impl Into<String>, spacing: f32) -> Self {
            Theme {
                name: name.into(),
                colors: HashMap::new(),
                spacing,
            }
        }

        pub fn with(mut self, key: &'static str, color: Color) -> Self {
            self.colors.insert(key, color);
            self
        }

        pub fn color(&self, key: &str) -> Color {
            self.colors.get(key).copied().unwrap_or(Color(0, 0, 0))
        }

        pub fn name(&self) -> &str {
            &self.name
        }
    }

    /// Style lookup. The inspector shows the styles, so that every styled
    /// thing has to be inspectable as well.
    pub trait Styled<T>
    where
        Self: Inspect<T>,
    {
        type Key: AsRef<str>;

        fn key(&self) -> Self::Key;
    }
}

/// The developer overlay: a textual dump of the widget tree.
pub mod inspect {
    use crate::widget::Widget;
    use std::fmt::{self, Write};

    /// One attribute of a widget as the overlay shows it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Attribute {
        pub name: &'static str,
        pub value: String,
    }

    pub trait Inspect<T>: Widget {
        fn attributes(&self, theme: &T) -> Vec<Attribute>;
    }

    /// Indented writer for the dump.
    pub struct Dump<'a> {
        out: &'a mut String,
        depth: usize,
    }

    impl<'a> Dump<'a> {
        pub fn new(out: &'a mut String) -> Self {
            Dump { out, depth: 0 }
        }

        pub fn line(&mut self, name: &str, attributes: &[Attribute]) -> fmt::Result {
            write!(self.out, "{:indent$}{name}", "", indent = 2 * self.depth)?;
            for Attribute { name, value } in attributes {
                write!(self.out, " {name}={value:?}")?;
            }
            self.out.push('\n');
            Ok(())
        }

        pub fn nested<E>(&mut self, f: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
            self.depth += 1;
            let result = f(self);
            self.depth -= 1;
            result
        }
    }
}

/// The trait that all widgets implement.
pub mod widget {
    use crate::event::{Event, Outcome};
    use crate::layout::{Constraints, Measure};
    use std::fmt::Debug;

    pub trait Widget: Debug + Measure<Constraints> {
        fn name(&self) -> &'static str;

        fn handle(&mut self, event: &Event) -> Outcome {
            let _ = event;
            Outcome::Ignored
        }

        fn focusable(&self) -> bool {
            false
        }
    }
}

/// State that widgets share: counters, toggles and text buffers.
pub mod state {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    macro_rules! cells {
        ($($(#[$meta:meta])* $name:ident($inner:ty) => $get:ident / $set:ident;)*) => {
            $(
                $(#[$meta])*
                #[derive(Debug, Clone, Default)]
                pub struct $name(Rc<Cell<$inner>>);

                impl $name {
                    pub fn $get(&self) -> $inner {
                        self.0.get()
                    }

                    pub fn $set(&self, value: $inner) -> bool {
                        self.0.replace(value) != value
                    }
                }
            )*
        };
    }

    cells! {
        /// How often a button was pressed.
        Counter(u32) => count / set_count;
        /// A check box.
        Toggle(bool) => is_on / switch;
        Scroll(i64) => offset / scroll_to;
    }

    #[derive(Debug, Clone, Default)]
    pub struct Buffer(Rc<RefCell<String>>);

    impl Buffer {
        pub fn insert(&self, text: &str) -> usize {
            let mut inner = self.0.borrow_mut();
            inner.push_str(text);
            inner.chars().count()
        }

        pub fn with<R>(&self, f: impl FnOnce(&str) -> R) -> R {
            f(&self.0.borrow())
        }
    }
}

/// The arena of widget nodes.
pub mod tree {
    use crate::event::{Event, Outcome};
    use crate::geometry::Rect;
    use std::collections::VecDeque;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct NodeId(pub u32);

    #[derive(Debug)]
    struct Node<W> {
        widget: W,
        bounds: Rect,
        children: Vec<NodeId>,
        parent: Option<NodeId>,
    }

    #[derive(Debug)]
    pub struct Tree<W> {
        nodes: Vec<Node<W>>,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum TreeError {
        NoSuchNode(NodeId),
        WouldLoop { child: NodeId, parent: NodeId },
    }

    impl<W> Tree<W> {
        pub fn with_root(widget: W, bounds: Rect) -> Self {
            Tree {
                nodes: vec![Node {
                    widget,
                    bounds,
                    children: Vec::new(),
                    parent: None,
                }],
            }
        }

        fn node(&self, id: NodeId) -> Result<&Node<W>, TreeError> {
            self.nodes
                .get(id.0 as usize)
                .ok_or(TreeError::NoSuchNode(id))
        }

        pub fn add(&mut self, parent: NodeId, widget: W, bounds: Rect) -> Result<NodeId, TreeError> {
            self.node(parent)?;
            let id = NodeId(self.nodes.len() as u32);
            self.nodes.push(Node {
                widget,
                bounds,
                children: Vec::new(),
                parent: Some(parent),
            });
            self.nodes[parent.0 as usize].children.push(id);
            Ok(id)
        }

        pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
            std::iter::successors(Some(id), |id| self.nodes[id.0 as usize].parent)
        }

        /// Breadth-first walk.
        pub fn walk(&self) -> Vec<NodeId> {
            let mut queue = VecDeque::from([NodeId(0)]);
            let mut seen = Vec::with_capacity(self.nodes.len());
            while let Some(id) = queue.pop_front() {
                seen.push(id);
                queue.extend(self.nodes[id.0 as usize].children.iter().copied());
            }
            seen
        }

        /// Sends an event to the deepest widget that it hits.
        pub fn dispatch(
            &mut self,
            event: &Event,
            mut handle: impl FnMut(&mut W, &Event) -> Outcome,
        ) -> Outcome {
            let Some(at) = event.position() else {
                return self
                    .nodes
                    .iter_mut()
                    .map(|node| handle(&mut node.widget, event))
                    .fold(Outcome::Ignored, Outcome::or);
            };
            let hit = self
                .walk()
                .into_iter()
                .rev()
                .find(|id| self.nodes[id.0 as usize].bounds.contains(at));
            match hit {
                Some(id) => handle(&mut self.nodes[id.0 as usize].widget, event),
                None => Outcome::Ignored,
            }
        }
    }
}

/// Statistics of a frame, for the overlay.
#[derive(Debug, Default)]
pub struct FrameStats {
    per_owner: BTreeMap<u32, usize>,
    glyphs: usize,
}

impl FrameStats {
    pub fn of(canvas: &paint::Canvas<u32>) -> Self {
        let mut stats = FrameStats::default();
        for command in canvas.commands() {
            let owner = match command {
                paint::Command::Fill { owner, .. } => owner,
                paint::Command::Glyphs { owner, text, .. } => {
                    stats.glyphs += text.chars().count();
                    owner
                }
            };
            *stats.per_owner.entry(*owner).or_insert(0) += 1;
        }
        stats
    }

    pub fn busiest(&self) -> Option<(u32, usize)> {
        self.per_owner
            .iter()
            .map(|(&owner, &count)| (owner, count))
            .max_by_key(|&(_, count)| count)
    }
}

impl fmt::Display for FrameStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} widgets, {} glyphs", self.per_owner.len(), self.glyphs)?;
        if let Some((owner, count)) = self.busiest() {
            write!(f, ", busiest {owner} with {count}")?;
        }
        Ok(())
    }
}

/// A text label, the simplest of the widgets.
#[derive(Debug, Clone)]
pub struct Label<S = String> {
    text: S,
    size: f32,
}

impl<S: AsRef<str>> Label<S> {
    pub fn new(text: S) -> Self {
        Label { text, size: 14.0 }
    }

    pub fn sized(self, size: f32) -> Self {
        Label { size, ..self }
    }

    /// The width of the text if all glyphs were equally wide.
    pub fn advance(&self) -> f32 {
        self.text.as_ref().chars().count() as f32 * self.size * 0.5
    }
}

/// The default theme.
pub fn default_theme() -> Result<style::Theme, color::ColorError> {
    let theme = style::Theme::new("day", 4.0)
        .with("text", "#202020".parse()?)
        .with("surface", "#fafafa".parse()?)
        .with("accent", "#3060c0".parse()?);
    Ok(theme)
}
