//@ edition: 2021
//@ compile-flags: --test
//! Meeting rooms: bookings, recurrence, busy time and free slots of a day.

#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fmt;

/// Times of day with a resolution of one minute.
pub mod time {
    use std::fmt;
    use std::ops::{Add, Sub};
    use std::str::FromStr;

    /// Minutes since midnight.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Time(pub u16);

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum TimeError {
        NoColon(String),
        NotANumber { text: String, hour: bool },
        OutOfRange { hour: u16, minute: u16 },
    }

    impl Time {
        pub const MIDNIGHT: Time = Time(0);
        pub const END_OF_DAY: Time = Time(24 * 60);

        pub const fn at(hour: u16, minute: u16) -> Time {
            Time(hour * 60 + minute)
        }

        /// The next multiple of `step` minutes, or the time itself.
        pub fn round_up(self, step: u16) -> Time {
            match self.0 % step {
                0 => self,
                rest => Time(self.0 - rest + step),
            }
        }
    }

    impl Add<u16> for Time {
        type Output = Time;

        fn add(self, minutes: u16) -> Time {
            Time(self.0 + minutes).min(Time::END_OF_DAY)
        }
    }

    impl Sub for Time {
        type Output = u16;

        fn sub(self, earlier: Time) -> u16 {
            self.0 - earlier.0
        }
    }

    impl fmt::Display for Time {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
        }
    }

    impl fmt::Debug for Time {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt::Display::fmt(self, f)
        }
    }

    impl FromStr for Time {
        type Err = TimeError;

        fn from_str(s: &str) -> Result<Self, TimeError> {
            let (hour, minute) = s
                .split_once(':')
                .ok_or_else(|| TimeError::NoColon(s.to_owned()))?;
            let number = |text: &str, hour| {
                text.parse::<u16>().map_err(|_| TimeError::NotANumber {
                    text: text.to_owned(),
                    hour,
                })
            };
            let (hour, minute) = (number(hour, true)?, number(minute, false)?);
            if minute >= 60 || hour > 24 || (hour == 24 && minute > 0) {
                return Err(TimeError::OutOfRange { hour, minute });
            }
            Ok(Time::at(hour, minute))
        }
    }
}

/// Half-open spans of time and sets of them.
pub mod span {
    use crate::time::Time;
    use std::fmt;

    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Span {
        pub start: Time,
        pub end: Time,
    }

    impl fmt::Debug for Span {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}-{}", self.start, self.end)
        }
    }

    impl Span {
        pub fn new(start: Time, end: Time) -> Option<Span> {
            (start < end).then_some(Span { start, end })
        }

        pub fn minutes(&self) -> u32 {
            u32::from(self.end - self.start)
        }

        pub fn overlaps(&self, other: &Span) -> bool {
            self.start < other.end && other.start < self.end
        }

        /// Overlaps, or ends where the other one starts.
        pub fn touches(&self, other: &Span) -> bool {
            self.start <= other.end && other.start <= self.end
        }

        pub fn clip(&self, to: &Span) -> Option<Span> {
            Span::new(self.start.max(to.start), self.end.min(to.end))
        }

        pub fn extended(self, minutes: u16) -> Span {
            Span {
                end: self.end + minutes,
                ..self
            }
        }
    }

    /// Disjoint spans in ascending order.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct SpanSet {
        spans: Vec<Span>,
    }

    impl SpanSet {
        pub fn iter(&self) -> impl Iterator<Item = &Span> + '_ {
            self.spans.iter()
        }

        pub fn total(&self) -> u32 {
            self.iter().map(Span::minutes).sum()
        }

        /// Appends a span that does not start before the last one.
        fn absorb(&mut self, span: Span) {
            match self.spans.last_mut() {
                Some(last) if last.touches(&span) => last.end = span.end,
                _ => self.spans.push(span),
            }
        }

        /// The parts of `frame` that no span covers.
        pub fn gaps(&self, frame: Span) -> SpanSet {
            let mut gaps = SpanSet::default();
            let mut from = frame.start;
            for span in self.iter().filter_map(|span| span.clip(&frame)) {
                gaps.spans.extend(Span::new(from, span.start));
                from = span.end;
            }
            gaps.spans.extend(Span::new(from, frame.end));
            gaps
        }
    }

    impl FromIterator<Span> for SpanSet {
        fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
            let mut spans: Vec<Span> = spans.into_iter().collect();
            spans.sort_by_key(|span| span.start);
            let mut set = SpanSet::default();
            for span in spans {
                set.absorb(span);
            }
            set
        }
    }
}

/// Days of the week and rules of recurrence.
pub mod recur {
    macro_rules! weekdays {
        ($($name:ident = $short:literal),* $(,)?) => {
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
            pub enum Weekday {
                $($name),*
            }

            impl Weekday {
                pub const ALL: &'static [Weekday] = &[$(Weekday::$name),*];

                pub fn parse(text: &str) -> Option<Weekday> {
                    match text {
                        $($short => Some(Weekday::$name),)*
                        _ => None,
                    }
                }
            }
        };
    }

    weekdays! {
        Monday = "mon",
        Tuesday = "tue",
        Wednesday = "wed",
        Thursday = "thu",
        Friday = "fri",
        Saturday = "sat",
        Sunday = "sun",
    }

    impl Weekday {
        /// The weekday of a day that is counted from a Monday.
        pub fn of(day: u32) -> Weekday {
            Self::ALL[day as usize % Self::ALL.len()]
        }

        pub fn is_weekend(self) -> bool {
            self >= Weekday::Saturday
        }
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Rule {
        Once(u32),
        Daily { weekends: bool },
        Weekly(Vec<Weekday>),
        Every { days: u32, from: u32 },
    }

    impl Rule {
        pub fn matches(&self, day: u32) -> bool {
            match self {
                Rule::Once(on) => *on == day,
                Rule::Daily { weekends } => *weekends || !Weekday::of(day).is_weekend(),
                Rule::Weekly(days) => days.contains(&Weekday::of(day)),
                Rule::Every { days, from } => day >= *from && (day - from) % days == 0,
            }
        }
    }
}

/// Rooms with their bookings.
pub mod room {
    use crate::recur::Rule;
    use crate::span::{Span, SpanSet};
    use crate::time::Time;

    #[derive(Debug, Clone, PartialEq)]
    pub struct Booking<Who = String> {
        pub who: Who,
        pub span: Span,
        pub rule: Rule,
        pub tentative: bool,
    }

    #[derive(Debug, Clone)]
    pub struct Room {
        pub name: String,
        pub seats: u16,
        /// Minutes that the room needs after a meeting.
        pub turnaround: u16,
        bookings: Vec<Booking>,
    }

    pub const OFFICE_HOURS: Span = Span {
        start: Time::at(8, 0),
        end: Time::at(18, 0),
    };

    impl Room {
        pub fn new(name: &str, seats: u16) -> Self {
            Room {
                name: name.to_owned(),
                seats,
                turnaround: 0,
                bookings: Vec::new(),
            }
        }

        pub fn with_turnaround(self, turnaround: u16) -> Self {
            Room { turnaround, ..self }
        }

        pub fn book(&mut self, booking: Booking) -> &mut Self {
            self.bookings.push(booking);
            self
        }

        pub fn bookings_on(&self, day: u32) -> impl Iterator<Item = &Booking> + '_ {
            self.bookings
                .iter()
                .filter(move |booking| !booking.tentative && booking.rule.matches(day))
        }

        /// When nobody else can have the room.
        pub fn busy(&self, day: u32) -> SpanSet {
            self.bookings_on(day)
                .map(|booking| booking.span.extended(self.turnaround))
                .collect()
        }

        pub fn busy_minutes(&self, day: u32) -> u32 {
            self.busy(day)
                .iter()
                .filter_map(|span| span.clip(&OFFICE_HOURS))
                .map(|span| span.minutes())
                .sum()
        }

        /// The first slot of at least `minutes`, on a quarter of an hour.
        pub fn first_free(&self, day: u32, minutes: u16) -> Option<Span> {
            self.busy(day).gaps(OFFICE_HOURS).iter().find_map(|gap| {
                let start = gap.start.round_up(15);
                let wanted = Span::new(start, start + minutes + self.turnaround)?;
                (wanted.end <= gap.end).then_some(wanted)
            })
        }
    }
}

/// The text format: `mon,wed 09:00-10:30 team meeting`.
pub mod parse {
    use crate::recur::{Rule, Weekday};
    use crate::room::Booking;
    use crate::span::Span;
    use crate::time::{Time, TimeError};
    use std::fmt;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum ParseError {
        Missing(&'static str),
        Rule(String),
        Time(TimeError),
        Backwards { start: Time, end: Time },
    }

    impl fmt::Display for ParseError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                ParseError::Missing(what) => write!(f, "{what} is missing"),
                ParseError::Rule(text) => write!(f, "`{text}` is not a rule"),
                ParseError::Time(e) => write!(f, "{e:?}"),
                ParseError::Backwards { start, end } => write!(f, "{start} is not before {end}"),
            }
        }
    }

    impl From<TimeError> for ParseError {
        fn from(e: TimeError) -> Self {
            ParseError::Time(e)
        }
    }

    fn rule(text: &str) -> Result<Rule, ParseError> {
        let unknown = || ParseError::Rule(text.to_owned());
        match text {
            "daily" => Ok(Rule::Daily { weekends: true }),
            "workdays" => Ok(Rule::Daily { weekends: false }),
            _ => {
                if let Some(day) = text.strip_prefix('@') {
                    return day.parse().map(Rule::Once).map_err(|_| unknown());
                }
                text.split(',')
                    .map(Weekday::parse)
                    .collect::<Option<Vec<_>>>()
                    .map(Rule::Weekly)
                    .ok_or_else(unknown)
            }
        }
    }

    fn span(text: &str) -> Result<Span, ParseError> {
        let (start, end) = text.split_once('-').ok_or(ParseError::Missing("the end"))?;
        let (start, end) = (start.parse()?, end.parse()?);
        Span::new(start, end).ok_or(ParseError::Backwards { start, end })
    }

    pub fn booking(line: &str) -> Result<Booking, ParseError> {
        let mut words = line.trim().splitn(3, ' ');
        let mut next = |what| words.next().ok_or(ParseError::Missing(what));
        let rule = rule(next("a rule")?)?;
        let span = span(next("a span")?)?;
        let who = next("a name")?;
        Ok(Booking {
            who: who.trim_end_matches('?').to_owned(),
            span,
            rule,
            tentative: who.ends_with('?'),
        })
    }
}

/// How much of the office hours of some days the rooms are in use.
#[derive(Debug, Default)]
pub struct Usage {
    minutes: BTreeMap<String, u32>,
    days: u32,
}

impl Usage {
    pub fn of<'a>(
        rooms: impl IntoIterator<Item = &'a room::Room>,
        days: std::ops::Range<u32>,
    ) -> Self {
        let mut usage = Usage {
            days: days.len() as u32,
            ..Usage::default()
        };
        for room in rooms {
            let total = days.clone().map(|day| room.busy_minutes(day)).sum();
            usage.minutes.insert(room.name.clone(), total);
        }
        usage
    }

    pub fn percent(&self, name: &str) -> Option<u32> {
        let minutes = self.minutes.get(name)?;
        Some(minutes * 100 / (self.days * room::OFFICE_HOURS.minutes()).max(1))
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in self.minutes.keys() {
            let percent = self.percent(name).unwrap_or(0);
            writeln!(f, "{name:<12} {percent:>3} %")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::parse::{booking, ParseError};
    use super::recur::Rule;
    use super::room::{Room, OFFICE_HOURS};
    use super::span::{Span, SpanSet};
    use super::time::{Time, TimeError};
    use super::Usage;

    fn room(lines: &[&str]) -> Room {
        let mut room = Room::new("Aquarium", 8).with_turnaround(10);
        for line in lines {
            room.book(booking(line).unwrap());
        }
        room
    }

    fn span(from: u16, to: u16) -> Span {
        Span::new(Time::at(from, 0), Time::at(to, 0)).unwrap()
    }

    #[test]
    fn times_are_parsed() {
        assert_eq!("08:05".parse(), Ok(Time(485)));
        assert_eq!(Time(485).to_string(), "08:05");
        assert!(matches!(
            "24:01".parse::<Time>(),
            Err(TimeError::OutOfRange { hour: 24, .. })
        ));
    }

    #[test]
    fn touching_spans_are_merged() {
        let set: SpanSet = [span(12, 14), span(9, 12), span(15, 16)]
            .into_iter()
            .collect();
        assert_eq!(set.iter().copied().collect::<Vec<_>>(), [span(9, 14), span(15, 16)]);
        assert_eq!(set.total(), 360);
    }

    #[test]
    fn gaps_of_nothing_are_everything() {
        let gaps = SpanSet::default().gaps(OFFICE_HOURS);
        assert_eq!(gaps.iter().collect::<Vec<_>>(), [&OFFICE_HOURS]);
    }

    #[test]
    fn bookings_are_parsed() {
        let parsed = booking("workdays 09:00-09:15 standup").unwrap();
        assert_eq!(parsed.rule, Rule::Daily { weekends: false });
        assert_eq!(parsed.span.minutes(), 15);
        assert_eq!(
            booking("mon 10:00-09:00 nobody").unwrap_err(),
            ParseError::Backwards {
                start: Time::at(10, 0),
                end: Time::at(9, 0),
            }
        );
    }

    #[test]
    fn meetings_within_a_workshop_do_not_count_twice() {
        let room = room(&[
            "workdays 09:00-09:15 standup",
            "tue 10:00-13:30 workshop",
            "mon,tue 11:00-11:45 interview",
            "@1 15:00-16:05 review",
            "tue 17:00-18:00 choir?",
        ]);
        assert_eq!(room.busy_minutes(0), 80);
        assert_eq!(room.busy_minutes(1), 320, "on Tuesday");
    }

    #[test]
    fn free_slots_respect_the_turnaround() {
        let room = room(&["daily 08:00-09:00 cleaning", "@3 10:00-17:30 course"]);
        let slot = room.first_free(3, 35).unwrap();
        assert_eq!(slot.start, Time::at(9, 15));
        assert!(room.first_free(3, 60).is_none());
    }

    #[test]
    fn usage_is_a_percentage() {
        let rooms = [room(&["workdays 08:00-12:50 training"])];
        let usage = Usage::of(&rooms, 0..7);
        assert_eq!(usage.percent("Aquarium"), Some(35));
        assert!(usage.to_string().starts_with("Aquarium"));
    }
}
