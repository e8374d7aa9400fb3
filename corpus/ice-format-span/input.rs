//@ edition: 2021
//! `galley`: a text layout engine for fixed and proportional faces.
//!
//! The way of a text through the program:
//!
//! 1. `markup` turns the source into paragraphs of styled spans;
//! 2. `segment` cuts the spans into clusters and finds break opportunities;
//! 3. `breaker` chooses the lines;
//! 4. `layout` places the clusters, `page` places the lines;
//! 5. `canvas` draws the result, as characters or as SVG.
//!
//! `trace` prints what the steps did, for tests and for curious people.

use std::process::ExitCode;

/// Lengths and shapes, all in units of 1/64 of a point.
pub mod geom {
    use std::fmt;
    use std::iter::Sum;
    use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

    /// A length with six binary places.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Length(pub i32);

    impl Length {
        pub const ZERO: Length = Length(0);
        pub const MAX: Length = Length(i32::MAX / 4);

        pub const fn points(points: i32) -> Length {
            Length(points * 64)
        }

        pub fn from_f64(points: f64) -> Length {
            Length((points * 64.0).round() as i32)
        }

        pub fn to_f64(self) -> f64 {
            f64::from(self.0) / 64.0
        }

        /// This length as a share of another one.
        pub fn ratio(self, whole: Length) -> f64 {
            if whole == Length::ZERO {
                0.0
            } else {
                f64::from(self.0) / f64::from(whole.0)
            }
        }

        pub fn scale(self, factor: f64) -> Length {
            Length((f64::from(self.0) * factor).round() as i32)
        }

        pub fn abs(self) -> Length {
            Length(self.0.abs())
        }
    }

    macro_rules! forward {
        ($($trait:ident $method:ident $op:tt;)*) => {
            $(
                impl $trait for Length {
                    type Output = Length;

                    fn $method(self, other: Length) -> Length {
                        Length(self.0 $op other.0)
                    }
                }
            )*
        };
        (assign $($trait:ident $method:ident $op:tt;)*) => {
            $(
                impl $trait for Length {
                    fn $method(&mut self, other: Length) {
                        self.0 $op other.0;
                    }
                }
            )*
        };
    }

    forward! {
        Add add +;
        Sub sub -;
    }

    forward! {
        assign
        AddAssign add_assign +=;
        SubAssign sub_assign -=;
    }

    impl Mul<i32> for Length {
        type Output = Length;

        fn mul(self, factor: i32) -> Length {
            Length(self.0 * factor)
        }
    }

    impl Div<i32> for Length {
        type Output = Length;

        fn div(self, divisor: i32) -> Length {
            Length(self.0 / divisor)
        }
    }

    impl Neg for Length {
        type Output = Length;

        fn neg(self) -> Length {
            Length(-self.0)
        }
    }

    impl Sum for Length {
        fn sum<I: Iterator<Item = Length>>(lengths: I) -> Length {
            lengths.fold(Length::ZERO, Add::add)
        }
    }

    impl fmt::Display for Length {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let places = f.precision().unwrap_or(2);
            write!(f, "{:.places$}", self.to_f64())
        }
    }

    impl fmt::Debug for Length {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(
                f,
                "{}+{}/64pt",
                self.0.div_euclid(64),
                self.0.rem_euclid(64)
            )
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct Point {
        pub x: Length,
        pub y: Length,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct Size {
        pub width: Length,
        pub height: Length,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct Rect {
        pub origin: Point,
        pub size: Size,
    }

    impl Rect {
        pub fn new(x: Length, y: Length, width: Length, height: Length) -> Rect {
            Rect {
                origin: Point { x, y },
                size: Size { width, height },
            }
        }

        pub fn right(&self) -> Length {
            self.origin.x + self.size.width
        }

        pub fn bottom(&self) -> Length {
            self.origin.y + self.size.height
        }

        pub fn inset(&self, insets: Insets) -> Rect {
            Rect::new(
                self.origin.x + insets.left,
                self.origin.y + insets.top,
                self.size.width - insets.left - insets.right,
                self.size.height - insets.top - insets.bottom,
            )
        }

        /// Cuts the rectangle into columns with gutters between them.
        pub fn columns(&self, count: usize, gutter: Length) -> Vec<Rect> {
            let count = count.max(1) as i32;
            let width = (self.size.width - gutter * (count - 1)) / count;
            (0..count)
                .map(|index| {
                    let x = self.origin.x + (width + gutter) * index;
                    Rect::new(x, self.origin.y, width, self.size.height)
                })
                .collect()
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct Insets {
        pub top: Length,
        pub right: Length,
        pub bottom: Length,
        pub left: Length,
    }

    impl Insets {
        pub fn even(all: Length) -> Insets {
            Insets {
                top: all,
                right: all,
                bottom: all,
                left: all,
            }
        }
    }
}

/// What can go wrong on the way.
pub mod error {
    use crate::geom::Length;
    use std::fmt;

    #[derive(Debug)]
    pub enum LayoutError {
        /// The markup ends inside of something.
        Unclosed {
            what: &'static str,
            line: usize,
        },
        /// A command that nobody knows.
        UnknownCommand {
            name: String,
            line: usize,
        },
        /// Not even one cluster fits on a line.
        TooNarrow {
            measure: Length,
            needed: Length,
        },
        /// Not even one line fits on a page.
        TooLow {
            height: Length,
        },
        Format(fmt::Error),
    }

    impl fmt::Display for LayoutError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                LayoutError::Unclosed { what, line } => {
                    write!(f, "line {line}: {what} is not closed")
                }
                LayoutError::UnknownCommand { name, line } => {
                    write!(f, "line {line}: unknown command `{name}`")
                }
                LayoutError::TooNarrow { measure, needed } => {
                    write!(f, "a measure of {measure} pt has no room for {needed} pt")
                }
                LayoutError::TooLow { height } => {
                    write!(f, "a page of {height} pt has no room for a line")
                }
                LayoutError::Format(inner) => write!(f, "{inner}"),
            }
        }
    }

    impl std::error::Error for LayoutError {}

    impl From<fmt::Error> for LayoutError {
        fn from(inner: fmt::Error) -> Self {
            LayoutError::Format(inner)
        }
    }

    pub type Result<T> = std::result::Result<T, LayoutError>;
}

/// Faces and their metrics.
pub mod font {
    use crate::geom::Length;
    use std::collections::HashMap;
    use std::fmt;
    use std::rc::Rc;

    /// Vertical measures of a face at a certain size.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Metrics {
        pub ascent: Length,
        pub descent: Length,
        pub leading: Length,
    }

    impl Metrics {
        pub fn height(&self) -> Length {
            self.ascent + self.descent + self.leading
        }

        /// The metrics that cover both.
        pub fn max(self, other: Metrics) -> Metrics {
            Metrics {
                ascent: self.ascent.max(other.ascent),
                descent: self.descent.max(other.descent),
                leading: self.leading.max(other.leading),
            }
        }
    }

    pub trait Face: fmt::Debug {
        fn name(&self) -> &str;

        /// Width of a character, in thousandths of the size.
        fn advance(&self, character: char) -> u16;

        fn metrics(&self, size: Length) -> Metrics {
            Metrics {
                ascent: size.scale(0.8),
                descent: size.scale(0.2),
                leading: size.scale(0.2),
            }
        }

        fn width(&self, text: &str, size: Length) -> Length {
            let units: u32 = text
                .chars()
                .map(|character| u32::from(self.advance(character)))
                .sum();
            size.scale(f64::from(units) / 1000.0)
        }
    }

    /// Characters that take two cells on a terminal.
    pub fn is_wide(character: char) -> bool {
        matches!(
            character as u32,
            0x1100..=0x115f
                | 0x2e80..=0xa4cf
                | 0xac00..=0xd7a3
                | 0xf900..=0xfaff
                | 0xfe30..=0xfe6f
                | 0xff00..=0xff60
                | 0x1f300..=0x1f64f
                | 0x1f900..=0x1f9ff
                | 0x20000..=0x3fffd
        )
    }

    /// Characters that sit on top of the one before.
    pub fn is_mark(character: char) -> bool {
        matches!(
            character as u32,
            0x0300..=0x036f | 0x1ab0..=0x1aff | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0x1f3fb..=0x1f3ff
        )
    }

    /// Every character has the same width, or twice that.
    #[derive(Clone, Debug)]
    pub struct Fixed {
        pub cell: u16,
    }

    impl Face for Fixed {
        fn name(&self) -> &str {
            "fixed"
        }

        fn advance(&self, character: char) -> u16 {
            match character {
                mark if is_mark(mark) => 0,
                wide if is_wide(wide) => self.cell * 2,
                _ => self.cell,
            }
        }
    }

    /// Widths from a table, with a width for the rest.
    #[derive(Clone, Debug)]
    pub struct Table {
        name: String,
        widths: HashMap<char, u16>,
        other: u16,
    }

    impl Table {
        pub fn new(name: &str, other: u16) -> Self {
            Table {
                name: name.to_owned(),
                widths: HashMap::new(),
                other,
            }
        }

        pub fn set(mut self, characters: &str, width: u16) -> Self {
            self.widths
                .extend(characters.chars().map(|character| (character, width)));
            self
        }
    }

    impl Face for Table {
        fn name(&self) -> &str {
            &self.name
        }

        fn advance(&self, character: char) -> u16 {
            match self.widths.get(&character) {
                Some(&width) => width,
                None if is_mark(character) => 0,
                None if is_wide(character) => 1000,
                None => self.other,
            }
        }
    }

    macro_rules! serif_widths {
        ($table:expr; $($width:literal: $characters:literal),+ $(,)?) => {
            $table$(.set($characters, $width))+
        };
    }

    /// Something like a book face.
    pub fn serif(bold: bool) -> Table {
        let name = if bold { "serif-bold" } else { "serif" };
        let other = if bold { 560 } else { 520 };
        serif_widths! {
            Table::new(name, other);
            250: " .,;:'|",
            280: "ijlt",
            333: "frI-()[]",
            444: "acesz?",
            500: "0123456789bdghknopquvxy",
            722: "wABCDEFGHKLNOPQRSTUVXYZ&",
            778: "mM",
            889: "W@",
        }
    }

    /// Shared faces, by name.
    #[derive(Clone, Debug, Default)]
    pub struct Shelf {
        faces: Vec<Rc<dyn Face>>,
    }

    impl Shelf {
        pub fn add(&mut self, face: impl Face + 'static) -> &mut Self {
            self.faces.push(Rc::new(face));
            self
        }

        pub fn find(&self, name: &str) -> Option<Rc<dyn Face>> {
            self.faces.iter().find(|face| face.name() == name).cloned()
        }
    }
}

/// How a piece of text is to look.
pub mod style {
    use crate::font::{Face, Metrics};
    use crate::geom::Length;
    use std::rc::Rc;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub enum Align {
        #[default]
        Left,
        Right,
        Centre,
        Justify,
    }

    impl Align {
        pub fn from_name(name: &str) -> Option<Align> {
            Some(match name {
                "left" => Align::Left,
                "right" => Align::Right,
                "centre" | "center" => Align::Centre,
                "justify" => Align::Justify,
                _ => return None,
            })
        }
    }

    #[derive(Clone, Debug)]
    pub struct Style {
        pub face: Rc<dyn Face>,
        pub size: Length,
        pub underline: bool,
        pub rise: Length,
    }

    impl Style {
        pub fn new(face: Rc<dyn Face>, size: Length) -> Self {
            Style {
                face,
                size,
                underline: false,
                rise: Length::ZERO,
            }
        }

        pub fn metrics(&self) -> Metrics {
            self.face.metrics(self.size)
        }

        pub fn width(&self, text: &str) -> Length {
            self.face.width(text, self.size)
        }

        pub fn raised(&self, share: f64) -> Style {
            Style {
                rise: self.size.scale(share),
                size: self.size.scale(0.7),
                ..self.clone()
            }
        }
    }

    /// Text in one style.
    #[derive(Clone, Debug)]
    pub struct Span {
        pub text: String,
        pub style: Rc<Style>,
    }

    #[derive(Clone, Debug, Default)]
    pub struct Paragraph {
        pub spans: Vec<Span>,
        pub align: Align,
        pub indent: Length,
        pub space_after: Length,
    }

    impl Paragraph {
        pub fn is_empty(&self) -> bool {
            self.spans.iter().all(|span| span.text.trim().is_empty())
        }

        pub fn plain(&self) -> String {
            self.spans.iter().map(|span| span.text.as_str()).collect()
        }
    }
}

/// Reads the source text.
pub mod markup {
    use crate::error::{LayoutError, Result};
    use crate::font::Shelf;
    use crate::geom::Length;
    use crate::style::{Align, Paragraph, Span, Style};
    use std::rc::Rc;

    /// The styles that the markup can switch between.
    #[derive(Clone, Debug)]
    pub struct Sheet {
        pub body: Rc<Style>,
        pub strong: Rc<Style>,
        pub code: Rc<Style>,
        pub title: Rc<Style>,
        pub indent: Length,
    }

    impl Sheet {
        pub fn new(shelf: &Shelf, size: Length) -> Option<Sheet> {
            let body = Style::new(shelf.find("serif")?, size);
            let strong = Style::new(shelf.find("serif-bold")?, size);
            let code = Style::new(shelf.find("fixed")?, size.scale(0.9));
            let mut title = strong.clone();
            title.size = size.scale(1.6);
            title.underline = true;
            Some(Sheet {
                body: Rc::new(body),
                strong: Rc::new(strong),
                code: Rc::new(code),
                title: Rc::new(title),
                indent: size.scale(1.5),
            })
        }
    }

    struct Reader<'s> {
        sheet: &'s Sheet,
        align: Align,
        line: usize,
        done: Vec<Paragraph>,
        open: Paragraph,
    }

    impl<'s> Reader<'s> {
        fn new(sheet: &'s Sheet) -> Self {
            Reader {
                sheet,
                align: Align::Justify,
                line: 0,
                done: Vec::new(),
                open: Paragraph::default(),
            }
        }

        fn finish_paragraph(&mut self) {
            let mut paragraph = std::mem::take(&mut self.open);
            if !paragraph.is_empty() {
                paragraph.align = self.align;
                paragraph.indent = match self.done.last() {
                    Some(_) if self.align == Align::Justify => self.sheet.indent,
                    _ => Length::ZERO,
                };
                self.done.push(paragraph);
            }
        }

        fn command(&mut self, text: &str) -> Result<()> {
            let (name, argument) = text.split_once(' ').unwrap_or((text, ""));
            let unknown = LayoutError::UnknownCommand {
                name: name.to_owned(),
                line: self.line,
            };
            self.finish_paragraph();
            match name {
                "align" => self.align = Align::from_name(argument.trim()).ok_or(unknown)?,
                "title" => self.done.push(Paragraph {
                    spans: vec![Span {
                        text: argument.trim().to_owned(),
                        style: Rc::clone(&self.sheet.title),
                    }],
                    align: Align::Centre,
                    indent: Length::ZERO,
                    space_after: self.sheet.title.size,
                }),
                "comment" => {}
                _ => return Err(unknown),
            }
            Ok(())
        }

        fn push(&mut self, text: &str, style: &Rc<Style>) {
            if text.is_empty() {
                return;
            }
            match self.open.spans.last_mut() {
                Some(last) if Rc::ptr_eq(&last.style, style) => last.text.push_str(text),
                _ => self.open.spans.push(Span {
                    text: text.to_owned(),
                    style: Rc::clone(style),
                }),
            }
        }

        /// `*strong*`, `` `code` `` and everything else.
        fn inline(&mut self, text: &str) -> Result<()> {
            let sheet = self.sheet;
            let mut rest = text;
            while let Some(start) = rest.find(['*', '`']) {
                let (before, marked) = rest.split_at(start);
                let mark = &marked[..1];
                let (style, what) = match mark {
                    "*" => (&sheet.strong, "strong text"),
                    _ => (&sheet.code, "code"),
                };
                let (inside, after) =
                    marked[1..].split_once(mark).ok_or(LayoutError::Unclosed {
                        what,
                        line: self.line,
                    })?;
                self.push(before, &sheet.body);
                self.push(inside, style);
                rest = after;
            }
            self.push(rest, &sheet.body);
            Ok(())
        }
    }

    pub fn read(source: &str, sheet: &Sheet) -> Result<Vec<Paragraph>> {
        let mut reader = Reader::new(sheet);
        for (index, line) in source.lines().enumerate() {
            reader.line = index + 1;
            if let Some(command) = line.strip_prefix('.') {
                reader.command(command)?;
            } else if line.trim().is_empty() {
                reader.finish_paragraph();
            } else {
                if !reader.open.spans.is_empty() {
                    reader.push(" ", &sheet.body);
                }
                reader.inline(line.trim())?;
            }
        }
        reader.finish_paragraph();
        Ok(reader.done)
    }
}

/// Clusters and break opportunities.
pub mod segment {
    use crate::font::{is_mark, is_wide};
    use crate::geom::Length;
    use crate::style::{Paragraph, Style};
    use std::rc::Rc;

    /// What may happen after a cluster.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Break {
        Never,
        /// At a space, which then goes away.
        Space,
        /// Between two ideographs, or after a hyphen.
        Between,
        /// Inside of a word; a hyphen has to be added.
        Hyphen,
    }

    /// A character with all that belongs to it.
    #[derive(Clone, Debug)]
    pub struct Cluster {
        pub text: String,
        pub style: Rc<Style>,
        pub width: Length,
        pub after: Break,
    }

    impl Cluster {
        pub fn is_space(&self) -> bool {
            self.after == Break::Space
        }
    }

    fn joins(before: &str, next: char) -> bool {
        is_mark(next) || next == '\u{200d}' || before.ends_with('\u{200d}')
    }

    fn is_vowel(character: char) -> bool {
        matches!(
            character.to_ascii_lowercase(),
            'a' | 'e' | 'i' | 'o' | 'u' | 'y'
        )
    }

    /// A very plain rule for hyphens: between two consonants in the middle.
    fn may_hyphenate(word: &[char], index: usize) -> bool {
        let enough = index >= 2 && index + 3 < word.len();
        enough
            && word.iter().all(|character| character.is_alphabetic())
            && !is_vowel(word[index])
            && !is_vowel(word[index + 1])
            && word[..index].iter().any(|&character| is_vowel(character))
    }

    fn mark_hyphens(clusters: &mut [Cluster]) {
        let starts = clusters
            .iter()
            .map(|cluster| cluster.text.chars().next().unwrap_or(' '))
            .collect::<Vec<_>>();
        let mut begin = 0;
        for end in 0..=starts.len() {
            let inside = end < starts.len() && starts[end].is_alphanumeric();
            if inside {
                continue;
            }
            let word = &starts[begin..end];
            for index in 0..word.len() {
                let cluster = &mut clusters[begin + index];
                if cluster.after == Break::Never && may_hyphenate(word, index) {
                    cluster.after = Break::Hyphen;
                }
            }
            begin = end + 1;
        }
    }

    pub fn clusters(paragraph: &Paragraph) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> = Vec::new();
        for span in &paragraph.spans {
            for character in span.text.chars() {
                if let Some(last) = clusters.last_mut() {
                    if joins(&last.text, character) {
                        last.text.push(character);
                        continue;
                    }
                }
                let text = String::from(character);
                clusters.push(Cluster {
                    width: span.style.width(&text),
                    style: Rc::clone(&span.style),
                    after: match character {
                        ' ' | '\t' => Break::Space,
                        '-' | '\u{2013}' | '\u{2014}' => Break::Between,
                        wide if is_wide(wide) => Break::Between,
                        _ => Break::Never,
                    },
                    text,
                });
            }
        }
        mark_hyphens(&mut clusters);
        clusters
    }
}

/// Chooses where the lines end.
pub mod breaker {
    use crate::error::{LayoutError, Result};
    use crate::geom::Length;
    use crate::segment::{Break, Cluster};
    use std::ops::Range;

    /// A chosen line: which clusters, and whether a hyphen goes to its end.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Cut {
        pub clusters: Range<usize>,
        pub hyphen: bool,
    }

    pub trait Breaker {
        fn cut(&self, clusters: &[Cluster], measure: Length, indent: Length) -> Result<Vec<Cut>>;
    }

    /// The width of some clusters without the space at their end.
    pub fn natural_width(clusters: &[Cluster]) -> Length {
        let end = clusters
            .iter()
            .rposition(|cluster| !cluster.is_space())
            .map_or(0, |last| last + 1);
        clusters[..end].iter().map(|cluster| cluster.width).sum()
    }

    fn hyphen_width(cluster: &Cluster) -> Length {
        match cluster.after {
            Break::Hyphen => cluster.style.width("-"),
            _ => Length::ZERO,
        }
    }

    /// Takes what fits, line by line.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Greedy;

    impl Breaker for Greedy {
        fn cut(&self, clusters: &[Cluster], measure: Length, indent: Length) -> Result<Vec<Cut>> {
            let mut cuts = Vec::new();
            let mut start = 0;
            while start < clusters.len() {
                let room = if start == 0 {
                    measure - indent
                } else {
                    measure
                };
                let mut width = Length::ZERO;
                let mut best = None;
                let mut index = start;
                while index < clusters.len() {
                    let cluster = &clusters[index];
                    let needed = width + cluster.width + hyphen_width(cluster);
                    if !cluster.is_space() && width + cluster.width > room {
                        break;
                    }
                    width += cluster.width;
                    if cluster.after != Break::Never && (cluster.is_space() || needed <= room) {
                        best = Some(index + 1);
                    }
                    index += 1;
                }
                let end = match best {
                    _ if index == clusters.len() => index,
                    Some(end) => end,
                    None if index > start => index,
                    None => {
                        return Err(LayoutError::TooNarrow {
                            measure: room,
                            needed: clusters[start].width,
                        })
                    }
                };
                cuts.push(Cut {
                    clusters: start..end,
                    hyphen: end < clusters.len() && clusters[end - 1].after == Break::Hyphen,
                });
                start = end;
            }
            Ok(cuts)
        }
    }

    /// Looks at the whole paragraph and keeps the lines evenly filled.
    #[derive(Clone, Copy, Debug)]
    pub struct Optimal {
        pub hyphen_penalty: f64,
        pub fallback: Greedy,
    }

    impl Default for Optimal {
        fn default() -> Self {
            Optimal {
                hyphen_penalty: 50.0,
                fallback: Greedy,
            }
        }
    }

    #[derive(Clone, Copy, Debug)]
    struct Node {
        cost: f64,
        from: usize,
    }

    impl Optimal {
        fn badness(&self, width: Length, room: Length, last: bool) -> Option<f64> {
            if width > room {
                return None;
            }
            if last {
                return Some(0.0);
            }
            let slack = (room - width).ratio(room);
            Some(1000.0 * slack.powi(2))
        }
    }

    impl Breaker for Optimal {
        fn cut(&self, clusters: &[Cluster], measure: Length, indent: Length) -> Result<Vec<Cut>> {
            let count = clusters.len();
            let mut nodes: Vec<Option<Node>> = vec![None; count + 1];
            nodes[0] = Some(Node { cost: 0.0, from: 0 });
            for start in 0..count {
                let Some(node) = nodes[start] else {
                    continue;
                };
                let room = if start == 0 {
                    measure - indent
                } else {
                    measure
                };
                for end in start + 1..=count {
                    let line = &clusters[start..end];
                    let tail = &clusters[end - 1];
                    let last = end == count;
                    let width = natural_width(line);
                    if width > room {
                        break;
                    }
                    if tail.after == Break::Never && !last {
                        continue;
                    }
                    let Some(badness) = self.badness(width + hyphen_width(tail), room, last) else {
                        continue;
                    };
                    let penalty = if tail.after == Break::Hyphen {
                        self.hyphen_penalty
                    } else {
                        0.0
                    };
                    let cost = node.cost + badness + penalty;
                    if nodes[end].map_or(true, |old| cost < old.cost) {
                        nodes[end] = Some(Node { cost, from: start });
                    }
                }
            }
            if nodes[count].is_none() {
                return self.fallback.cut(clusters, measure, indent);
            }
            let mut cuts = Vec::new();
            let mut end = count;
            while end > 0 {
                let from = nodes[end].map_or(0, |node| node.from);
                cuts.push(Cut {
                    clusters: from..end,
                    hyphen: end < count && clusters[end - 1].after == Break::Hyphen,
                });
                end = from;
            }
            cuts.reverse();
            Ok(cuts)
        }
    }
}

/// Places clusters on lines.
pub mod layout {
    use crate::breaker::{natural_width, Breaker};
    use crate::error::Result;
    use crate::font::Metrics;
    use crate::geom::Length;
    use crate::segment::{self, Cluster};
    use crate::style::{Align, Paragraph, Style};
    use std::rc::Rc;

    /// Text at a place on its line.
    #[derive(Clone, Debug)]
    pub struct Run {
        pub text: String,
        pub style: Rc<Style>,
        pub x: Length,
        pub width: Length,
    }

    #[derive(Clone, Debug)]
    pub struct Line {
        pub runs: Vec<Run>,
        pub metrics: Metrics,
        pub width: Length,
        /// By how much each space was widened.
        pub stretch: Length,
    }

    impl Line {
        pub fn text(&self) -> String {
            self.runs.iter().map(|run| run.text.as_str()).collect()
        }
    }

    #[derive(Clone, Debug)]
    pub struct Block {
        pub lines: Vec<Line>,
        pub space_after: Length,
    }

    fn trim(clusters: &[Cluster]) -> &[Cluster] {
        let start = clusters
            .iter()
            .position(|cluster| !cluster.is_space())
            .unwrap_or(clusters.len());
        let end = clusters
            .iter()
            .rposition(|cluster| !cluster.is_space())
            .map_or(start, |last| last + 1);
        &clusters[start..end]
    }

    struct Setter {
        runs: Vec<Run>,
        x: Length,
    }

    impl Setter {
        fn put(&mut self, text: &str, style: &Rc<Style>, width: Length, glue: bool) {
            let x = self.x;
            self.x += width;
            match self.runs.last_mut() {
                Some(run) if !glue && Rc::ptr_eq(&run.style, style) => {
                    run.text.push_str(text);
                    run.width += width;
                }
                _ => self.runs.push(Run {
                    text: text.to_owned(),
                    style: Rc::clone(style),
                    x,
                    width,
                }),
            }
        }
    }

    fn set_line(
        clusters: &[Cluster],
        hyphen: bool,
        start: Length,
        room: Length,
        align: Align,
    ) -> Line {
        let clusters = trim(clusters);
        let mut width = natural_width(clusters);
        if let (true, Some(last)) = (hyphen, clusters.last()) {
            width += last.style.width("-");
        }
        let free = (room - width).max(Length::ZERO);
        let spaces = clusters.iter().filter(|cluster| cluster.is_space()).count() as i32;
        let (shift, stretch) = match align {
            Align::Left => (Length::ZERO, Length::ZERO),
            Align::Right => (free, Length::ZERO),
            Align::Centre => (free / 2, Length::ZERO),
            Align::Justify if spaces > 0 => (Length::ZERO, free / spaces),
            Align::Justify => (Length::ZERO, Length::ZERO),
        };
        let mut setter = Setter {
            runs: Vec::new(),
            x: start + shift,
        };
        for cluster in clusters {
            let extra = if cluster.is_space() {
                stretch
            } else {
                Length::ZERO
            };
            let glue = extra != Length::ZERO;
            setter.put(&cluster.text, &cluster.style, cluster.width + extra, glue);
        }
        if let (true, Some(last)) = (hyphen, clusters.last()) {
            setter.put("-", &last.style, last.style.width("-"), false);
        }
        let metrics = clusters
            .iter()
            .map(|cluster| cluster.style.metrics())
            .reduce(Metrics::max)
            .unwrap_or(Metrics {
                ascent: Length::ZERO,
                descent: Length::ZERO,
                leading: Length::ZERO,
            });
        Line {
            width: setter.x - start,
            runs: setter.runs,
            metrics,
            stretch,
        }
    }

    /// Lays out one paragraph in a measure.
    pub fn block<B>(paragraph: &Paragraph, measure: Length, breaker: &B) -> Result<Block>
    where
        B: Breaker + ?Sized,
    {
        let clusters = segment::clusters(paragraph);
        let cuts = breaker.cut(&clusters, measure, paragraph.indent)?;
        let count = cuts.len();
        let lines = cuts
            .into_iter()
            .enumerate()
            .map(|(index, cut)| {
                let start = if index == 0 {
                    paragraph.indent
                } else {
                    Length::ZERO
                };
                let align = match paragraph.align {
                    Align::Justify if index + 1 == count => Align::Left,
                    align => align,
                };
                set_line(
                    &clusters[cut.clusters],
                    cut.hyphen,
                    start,
                    measure - start,
                    align,
                )
            })
            .collect();
        Ok(Block {
            lines,
            space_after: paragraph.space_after,
        })
    }
}

/// Places lines on pages.
pub mod page {
    use crate::error::{LayoutError, Result};
    use crate::geom::{Insets, Length, Point, Rect, Size};
    use crate::layout::{Block, Line};

    #[derive(Clone, Debug)]
    pub struct Form {
        pub paper: Size,
        pub margins: Insets,
        pub columns: usize,
        pub gutter: Length,
        /// Fewest lines of a paragraph that may stand alone.
        pub orphans: usize,
    }

    impl Form {
        pub fn frames(&self) -> Vec<Rect> {
            let paper = Rect {
                origin: Point::default(),
                size: self.paper,
            };
            paper.inset(self.margins).columns(self.columns, self.gutter)
        }

        pub fn measure(&self) -> Length {
            self.frames()
                .first()
                .map_or(Length::ZERO, |frame| frame.size.width)
        }
    }

    #[derive(Clone, Debug)]
    pub struct Placed {
        pub line: Line,
        /// Left end of the base line.
        pub origin: Point,
    }

    #[derive(Clone, Debug, Default)]
    pub struct Page {
        pub number: usize,
        pub lines: Vec<Placed>,
    }

    struct Filler<'f> {
        form: &'f Form,
        frames: Vec<Rect>,
        frame: usize,
        y: Length,
        pages: Vec<Page>,
    }

    impl<'f> Filler<'f> {
        fn new(form: &'f Form) -> Self {
            let frames = form.frames();
            let y = frames[0].origin.y;
            Filler {
                form,
                frames,
                frame: 0,
                y,
                pages: vec![Page {
                    number: 1,
                    lines: Vec::new(),
                }],
            }
        }

        fn left(&self) -> Length {
            self.frames[self.frame].bottom() - self.y
        }

        fn next_frame(&mut self) {
            self.frame += 1;
            if self.frame == self.frames.len() {
                self.frame = 0;
                let number = self.pages.len() + 1;
                self.pages.push(Page {
                    number,
                    lines: Vec::new(),
                });
            }
            self.y = self.frames[self.frame].origin.y;
        }

        fn place(&mut self, line: Line) -> Result<()> {
            let height = line.metrics.height();
            if height > self.left() {
                self.next_frame();
                if height > self.left() {
                    return Err(LayoutError::TooLow {
                        height: self.left(),
                    });
                }
            }
            let origin = Point {
                x: self.frames[self.frame].origin.x,
                y: self.y + line.metrics.ascent,
            };
            self.y += height;
            if let Some(page) = self.pages.last_mut() {
                page.lines.push(Placed { line, origin });
            }
            Ok(())
        }

        fn block(&mut self, block: Block) -> Result<()> {
            let together = self.form.orphans.min(block.lines.len());
            let needed = block.lines[..together]
                .iter()
                .map(|line| line.metrics.height())
                .sum::<Length>();
            if needed > self.left() {
                self.next_frame();
            }
            for line in block.lines {
                self.place(line)?;
            }
            self.y += block.space_after;
            Ok(())
        }
    }

    pub fn fill(blocks: impl IntoIterator<Item = Block>, form: &Form) -> Result<Vec<Page>> {
        let mut filler = Filler::new(form);
        for block in blocks {
            filler.block(block)?;
        }
        Ok(filler.pages)
    }
}

/// Draws pages.
pub mod canvas {
    use crate::geom::{Length, Point, Size};
    use crate::page::Page;
    use crate::style::Style;
    use std::fmt::Write;

    pub trait Canvas {
        fn text(&mut self, at: Point, text: &str, style: &Style);
        fn rule(&mut self, from: Point, width: Length);
        fn finish(self: Box<Self>) -> String;
    }

    /// Puts a page on a canvas.
    pub fn draw(page: &Page, canvas: &mut dyn Canvas) {
        for placed in &page.lines {
            for run in &placed.line.runs {
                let at = Point {
                    x: placed.origin.x + run.x,
                    y: placed.origin.y - run.style.rise,
                };
                canvas.text(at, &run.text, &run.style);
                if run.style.underline {
                    canvas.rule(at, run.width);
                }
            }
        }
    }

    /// A grid of characters.
    pub struct Grid {
        cell: Size,
        rows: Vec<Vec<char>>,
    }

    impl Grid {
        pub fn new(paper: Size, cell: Size) -> Self {
            let columns = (paper.width.0 / cell.width.0.max(1)) as usize;
            let rows = (paper.height.0 / cell.height.0.max(1)) as usize;
            Grid {
                cell,
                rows: vec![vec![' '; columns]; rows],
            }
        }

        fn spot(&self, at: Point) -> (usize, usize) {
            let row = at.y.0 / self.cell.height.0.max(1);
            let column = at.x.0 / self.cell.width.0.max(1);
            (row.max(0) as usize, column.max(0) as usize)
        }
    }

    impl Canvas for Grid {
        fn text(&mut self, at: Point, text: &str, _: &Style) {
            let (row, column) = self.spot(at);
            let Some(cells) = self.rows.get_mut(row) else {
                return;
            };
            for (cell, character) in cells.iter_mut().skip(column).zip(text.chars()) {
                *cell = character;
            }
        }

        fn rule(&mut self, from: Point, width: Length) {
            let (row, column) = self.spot(from);
            let count = (width.0 / self.cell.width.0.max(1)) as usize;
            if let Some(cells) = self.rows.get_mut(row + 1) {
                cells
                    .iter_mut()
                    .skip(column)
                    .take(count)
                    .for_each(|cell| *cell = '=');
            }
        }

        fn finish(self: Box<Self>) -> String {
            let mut out = String::new();
            for row in self.rows {
                let line: String = row.into_iter().collect();
                out.push_str(line.trim_end());
                out.push('\n');
            }
            out
        }
    }

    /// A drawing for browsers.
    pub struct Svg {
        body: String,
        paper: Size,
    }

    impl Svg {
        pub fn new(paper: Size) -> Self {
            Svg {
                body: String::new(),
                paper,
            }
        }
    }

    fn escape(text: &str) -> String {
        text.chars()
            .fold(String::with_capacity(text.len()), |mut out, character| {
                match character {
                    '&' => out.push_str("&amp;"),
                    '<' => out.push_str("&lt;"),
                    '>' => out.push_str("&gt;"),
                    other => out.push(other),
                }
                out
            })
    }

    impl Canvas for Svg {
        fn text(&mut self, at: Point, text: &str, style: &Style) {
            let _ = writeln!(
                self.body,
                r#"<text x="{}" y="{}" font-family="{}" font-size="{}">{}</text>"#,
                at.x,
                at.y,
                style.face.name(),
                style.size,
                escape(text)
            );
        }

        fn rule(&mut self, from: Point, width: Length) {
            let _ = writeln!(
                self.body,
                r#"<path d="M{} {}h{}" stroke="black"/>"#,
                from.x, from.y, width
            );
        }

        fn finish(self: Box<Self>) -> String {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n{}</svg>\n",
                self.paper.width, self.paper.height, self.body
            )
        }
    }
}

/// Prints what happened.
pub mod trace {
    use crate::error::Result;
    use crate::geom::Length;
    use crate::page::{Page, Placed};
    use std::fmt::Write;

    /// How much to print.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
    pub enum Level {
        #[default]
        Silent,
        Pages,
        Lines,
        Runs,
    }

    /// Where the trace goes, and how deep.
    pub struct Tracer<'w, W: Write> {
        out: &'w mut W,
        level: Level,
        written: usize,
    }

    /// Prints a record if the tracer wants to know that much.
    macro_rules! record {
        ($tracer:expr, $level:ident, $($record:tt)+) => {
            if $tracer.level >= Level::$level {
                $tracer.written += 1;
                writeln!($tracer.out, $($record)+)?;
            }
        };
    }

    impl<'w, W: Write> Tracer<'w, W> {
        pub fn new(out: &'w mut W, level: Level) -> Self {
            Tracer {
                out,
                level,
                written: 0,
            }
        }

        /// Number of records so far.
        pub fn written(&self) -> usize {
            self.written
        }

        pub fn pages(&mut self, pages: &[Page]) -> Result<()> {
            for page in pages {
                let (number, count) = (page.number, page.lines.len());
                record!(self, Pages, "page {number}: {count} lines");
                for (index, placed) in page.lines.iter().enumerate() {
                    self.line(index + 1, placed)?;
                }
            }
            Ok(())
        }

        fn line(&mut self, index: usize, placed: &Placed) -> Result<()> {
            record!(
                self,
                Lines,
                concat!("  line {index:>3} 𝒙𝒚 {base:?#}, ", "{width} pt, +{stretch}"),
                index = index,
                base = placed.origin,
                width = placed.line.width,
                stretch = placed.line.stretch,
            );
            let mut end = Length::ZERO;
            for run in &placed.line.runs {
                let gap = run.x - end;
                end = run.x + run.width;
                record!(
                    self,
                    Runs,
                    "    {:>8} {:<10} {:?} ({gap:.1})",
                    run.x,
                    run.style.face.name(),
                    run.text,
                );
            }
            Ok(())
        }
    }
}

/// Texts to try the program on.
pub mod specimen {
    pub const ENGLISH: &str = "\
.title A Specimen
The compositor stands before the *case* and takes the sorts one by one,
setting them into the `stick` until the line is full; then the spaces are
made a little wider, or a little narrower, until the line is tight.

No line is set without looking at the next one - that is the difference
between a good galley and a bad one.
";

    /// Clusters of more than one character, and characters of four bytes.
    pub const CLUSTERS: &str = "\
.align left
Cafe\u{301} and nai\u{308}ve; \u{1f469}\u{200d}\u{1f680} \u{1d504}\u{1d505}
";

    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        [("english", ENGLISH), ("clusters", CLUSTERS)].into_iter()
    }
}

/// Everything in one call.
pub fn compose<B>(source: &str, form: &page::Form, breaker: &B) -> error::Result<Vec<page::Page>>
where
    B: breaker::Breaker + ?Sized,
{
    let mut shelf = font::Shelf::default();
    shelf
        .add(font::serif(false))
        .add(font::serif(true))
        .add(font::Fixed { cell: 600 });
    let Some(sheet) = markup::Sheet::new(&shelf, geom::Length::points(10)) else {
        return Ok(Vec::new());
    };
    let blocks = markup::read(source, &sheet)?
        .iter()
        .map(|paragraph| layout::block(paragraph, form.measure(), breaker))
        .collect::<error::Result<Vec<_>>>()?;
    page::fill(blocks, form)
}

fn run(greedy: bool) -> error::Result<String> {
    let form = page::Form {
        paper: geom::Size {
            width: geom::Length::points(420),
            height: geom::Length::points(297),
        },
        margins: geom::Insets::even(geom::Length::points(36)),
        columns: 2,
        gutter: geom::Length::points(12),
        orphans: 2,
    };
    let breaker: Box<dyn breaker::Breaker> = if greedy {
        Box::new(breaker::Greedy)
    } else {
        Box::new(breaker::Optimal::default())
    };
    let mut out = String::new();
    for (name, source) in specimen::all() {
        let pages = compose(source, &form, breaker.as_ref())?;
        out.push_str(name);
        out.push('\n');
        trace::Tracer::new(&mut out, trace::Level::Runs).pages(&pages)?;
        for page in &pages {
            let cell = geom::Size {
                width: geom::Length::points(5),
                height: geom::Length::points(12),
            };
            let mut grid: Box<dyn canvas::Canvas> = Box::new(canvas::Grid::new(form.paper, cell));
            canvas::draw(page, grid.as_mut());
            out.push_str(&grid.finish());
        }
    }
    Ok(out)
}

fn main() -> ExitCode {
    let greedy = std::env::args().any(|argument| argument == "--greedy");
    match run(greedy) {
        Ok(out) => {
            print!("{out}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("galley: {problem}");
            ExitCode::FAILURE
        }
    }
}
