//@ edition: 2021
//@ compile-flags: --emit=obj
//! Plans the evening of a small kitchen: orders come in as text, are split into
//! dishes, and every dish is sent through stations that run hooks over tickets.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;

mod error {
    use super::fmt;
    use std::num::ParseIntError;

    #[derive(Debug)]
    pub enum KitchenError {
        EmptyOrder,
        BadLine { line: usize, text: String },
        BadCount(ParseIntError),
        UnknownDish(String),
        NoStation { dish: String },
        Overbooked { station: &'static str, minute: u32 },
    }

    impl fmt::Display for KitchenError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            use KitchenError::*;
            match self {
                EmptyOrder => f.write_str("the order names no dish"),
                BadLine { line, text } => write!(f, "line {line}: cannot read {text:?}"),
                BadCount(source) => write!(f, "bad count: {source}"),
                UnknownDish(dish) => write!(f, "we do not cook {dish}"),
                NoStation { dish } => write!(f, "no station is free for {dish}"),
                Overbooked { station, minute } => {
                    write!(f, "the {station} is overbooked at minute {minute}")
                }
            }
        }
    }

    impl std::error::Error for KitchenError {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            match self {
                KitchenError::BadCount(source) => Some(source),
                _ => None,
            }
        }
    }

    impl From<ParseIntError> for KitchenError {
        fn from(source: ParseIntError) -> Self {
            KitchenError::BadCount(source)
        }
    }
}

use error::KitchenError;

mod menu {
    use super::{HashMap, KitchenError};
    use std::str::FromStr;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Method {
        Grilled,
        Baked,
        Raw,
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Dish {
        pub name: String,
        pub method: Method,
        pub minutes: u32,
    }

    /// Builds the table of dishes: `dishes! { "name" => Method, minutes; ... }`.
    macro_rules! dishes {
        ($($name:literal => $method:ident, $minutes:expr;)*) => {{
            let mut table = HashMap::new();
            $(
                table.insert($name, Dish {
                    name: $name.to_string(),
                    method: Method::$method,
                    minutes: $minutes,
                });
            )*
            table
        }};
    }

    #[derive(Debug)]
    pub struct Menu {
        dishes: HashMap<&'static str, Dish>,
    }

    impl Menu {
        pub fn evening() -> Self {
            Menu {
                dishes: dishes! {
                    "trout" => Grilled, 9;
                    "skewer" => Grilled, 6;
                    "lasagne" => Baked, 25;
                    "tart" => Baked, 18;
                    "salad" => Raw, 3;
                    "oysters" => Raw, 5;
                },
            }
        }

        pub fn dish(&self, name: &str) -> Result<&Dish, KitchenError> {
            self.dishes
                .get(name)
                .ok_or_else(|| KitchenError::UnknownDish(name.to_owned()))
        }

        pub fn by_method(&self, method: Method) -> Vec<&Dish> {
            let mut found: Vec<_> = self
                .dishes
                .values()
                .filter(|d| d.method == method)
                .collect();
            found.sort_by(|a, b| a.minutes.cmp(&b.minutes).then(a.name.cmp(&b.name)));
            found
        }
    }

    /// One line of an order, `2 trout ! no lemon`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Line {
        pub count: u32,
        pub dish: String,
        pub note: Option<String>,
    }

    impl FromStr for Line {
        type Err = KitchenError;

        fn from_str(text: &str) -> Result<Self, Self::Err> {
            let (head, note) = match text.split_once('!') {
                Some((head, note)) => (head, Some(note.trim().to_owned())),
                None => (text, None),
            };
            let mut words = head.split_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some(count), Some(dish), None) => Ok(Line {
                    count: count.parse()?,
                    dish: dish.to_lowercase(),
                    note,
                }),
                (Some(dish), None, None) => Ok(Line {
                    count: 1,
                    dish: dish.to_lowercase(),
                    note,
                }),
                _ => Err(KitchenError::BadLine {
                    line: 0,
                    text: text.to_owned(),
                }),
            }
        }
    }
}

mod order {
    use super::menu::{Line, Menu};
    use super::KitchenError;

    #[derive(Debug, Clone, Default)]
    pub struct Order {
        pub table: u16,
        pub lines: Vec<Line>,
        pub rush: bool,
    }

    impl Order {
        pub fn parse(table: u16, text: &str) -> Result<Self, KitchenError> {
            let mut order = Order {
                table,
                ..Order::default()
            };
            for (index, raw) in text.lines().enumerate() {
                let raw = raw.trim();
                if raw.is_empty() || raw.starts_with('#') {
                    continue;
                }
                if raw == "rush" {
                    order.rush = true;
                    continue;
                }
                let line = raw.parse::<Line>().map_err(|e| match e {
                    KitchenError::BadLine { text, .. } => KitchenError::BadLine {
                        line: index + 1,
                        text,
                    },
                    other => other,
                })?;
                order.lines.push(line);
            }
            if order.lines.is_empty() {
                return Err(KitchenError::EmptyOrder);
            }
            Ok(order)
        }

        pub fn total_minutes(&self, menu: &Menu) -> Result<u32, KitchenError> {
            self.lines.iter().try_fold(0, |sum, line| {
                Ok(sum + menu.dish(&line.dish)?.minutes * line.count)
            })
        }

        pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> + '_ {
            self.lines
                .iter()
                .filter_map(|l| Some((l.dish.as_str(), l.note.as_deref()?)))
        }
    }
}

mod station {
    use super::menu::{Dish, Method};
    use super::order::Order;
    use std::fmt::Debug;

    /// A place of the kitchen. What is handed to its hooks borrows from the
    /// order being cooked, hence the generic associated type.
    pub trait Station: Debug + Clone {
        type Ticket<'a>;

        const NAME: &'static str;

        fn accepts(&self, dish: &Dish) -> bool;

        fn issue<'a>(&self, order: &'a Order, line: usize) -> Option<Self::Ticket<'a>>;

        fn burners(&self) -> usize {
            1
        }
    }

    #[derive(Debug, Clone, Default)]
    pub struct Grill {
        pub heat: u16,
        pub burners: usize,
    }

    #[derive(Debug, Clone, Copy)]
    pub struct GrillTicket<'a> {
        pub dish: &'a str,
        pub count: u32,
        pub note: Option<&'a str>,
    }

    impl Station for Grill {
        type Ticket<'a> = GrillTicket<'a>;

        const NAME: &'static str = "grill";

        fn accepts(&self, dish: &Dish) -> bool {
            dish.method == Method::Grilled && self.heat > 180
        }

        fn issue<'a>(&self, order: &'a Order, line: usize) -> Option<GrillTicket<'a>> {
            let line = order.lines.get(line)?;
            Some(GrillTicket {
                dish: &line.dish,
                count: line.count,
                note: line.note.as_deref(),
            })
        }

        fn burners(&self) -> usize {
            self.burners.max(1)
        }
    }

    #[derive(Debug, Clone)]
    pub struct Oven {
        pub shelves: usize,
    }

    impl Station for Oven {
        type Ticket<'a> = (&'a str, u32);

        const NAME: &'static str = "oven";

        fn accepts(&self, dish: &Dish) -> bool {
            dish.method == Method::Baked
        }

        fn issue<'a>(&self, order: &'a Order, line: usize) -> Option<(&'a str, u32)> {
            order.lines.get(line).map(|l| (l.dish.as_str(), l.count))
        }

        fn burners(&self) -> usize {
            self.shelves
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ColdPass;

    impl Station for ColdPass {
        type Ticket<'a> = u32;

        const NAME: &'static str = "cold pass";

        fn accepts(&self, dish: &Dish) -> bool {
            matches!(dish.method, Method::Raw)
        }

        fn issue<'a>(&self, order: &'a Order, line: usize) -> Option<u32> {
            Some(order.lines.get(line)?.count)
        }
    }
}

mod hook {
    use super::station::Station;
    use super::{fmt, BTreeMap};

    /// Something the head chef can list on the board.
    pub trait Hook {
        fn label(&self) -> String;

        fn weight(&self) -> u32 {
            1
        }

        fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{} (weight {})", self.label(), self.weight())
        }
    }

    /// Plain reminders are hooks as well.
    #[derive(Debug, Clone)]
    pub struct Reminder {
        pub text: String,
        pub loud: bool,
    }

    impl Hook for Reminder {
        fn label(&self) -> String {
            if self.loud {
                self.text.to_uppercase()
            } else {
                self.text.clone()
            }
        }
    }

    /// A function which is run for each ticket of a station.
    impl<S: Station> Hook for fn(S, S::Ticket<'_>) {
        fn label(&self) -> String {
            format!("{} hook", S::NAME)
        }

        fn weight(&self) -> u32 {
            2
        }
    }

    impl fmt::Debug for dyn Hook + '_ {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.describe(f)
        }
    }

    /// All hooks of the evening, by name.
    #[derive(Debug, Default)]
    pub struct Board<'h> {
        hooks: BTreeMap<String, &'h dyn Hook>,
        limit: Option<usize>,
    }

    impl<'h> Board<'h> {
        pub fn limited(limit: usize) -> Self {
            Board {
                hooks: BTreeMap::new(),
                limit: Some(limit),
            }
        }

        pub fn pin(&mut self, name: impl Into<String>, hook: &'h dyn Hook) -> bool {
            if self.limit.is_some_and(|limit| self.hooks.len() >= limit) {
                return false;
            }
            self.hooks.insert(name.into(), hook).is_none()
        }

        /// Pins a station's function, under the name of the station.
        pub fn pin_station<S>(&mut self, station: &S, run: &'h fn(S, S::Ticket<'_>)) -> bool
        where
            S: Station,
        {
            let name = match station.burners() {
                0 | 1 => S::NAME.to_owned(),
                many => format!("{} x{many}", S::NAME),
            };
            self.pin(name, run)
        }

        pub fn weight(&self) -> u32 {
            self.hooks.values().map(|h| h.weight()).sum()
        }

        pub fn names(&self) -> Vec<&str> {
            self.hooks.keys().map(String::as_str).collect()
        }
    }
}

mod plan {
    use super::menu::Menu;
    use super::order::Order;
    use super::station::Station;
    use super::{KitchenError, VecDeque};
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Slot {
        pub table: u16,
        pub dish: String,
        pub start: u32,
        pub end: u32,
    }

    #[derive(Debug, Default)]
    pub struct Queue {
        waiting: VecDeque<Order>,
        served: usize,
    }

    impl Queue {
        pub fn push(&mut self, order: Order) {
            if order.rush {
                self.waiting.push_front(order);
            } else {
                self.waiting.push_back(order);
            }
        }

        pub fn len(&self) -> usize {
            self.waiting.len()
        }

        pub fn drain(&mut self) -> impl Iterator<Item = Order> + '_ {
            self.served += self.waiting.len();
            self.waiting.drain(..)
        }
    }

    /// Assigns the dishes of the orders that `station` accepts to its burners.
    pub fn schedule<S: Station>(
        station: &S,
        menu: &Menu,
        orders: &[Order],
    ) -> Result<Vec<Slot>, KitchenError> {
        let mut free: BinaryHeap<Reverse<u32>> =
            (0..station.burners()).map(|_| Reverse(0)).collect();
        let mut slots = Vec::new();
        for order in orders {
            for line in &order.lines {
                let dish = menu.dish(&line.dish)?;
                if !station.accepts(dish) {
                    continue;
                }
                for _ in 0..line.count {
                    let Reverse(start) = free.pop().ok_or_else(|| KitchenError::NoStation {
                        dish: dish.name.clone(),
                    })?;
                    let end = start + dish.minutes;
                    if end > 120 {
                        return Err(KitchenError::Overbooked {
                            station: S::NAME,
                            minute: start,
                        });
                    }
                    free.push(Reverse(end));
                    slots.push(Slot {
                        table: order.table,
                        dish: dish.name.clone(),
                        start,
                        end,
                    });
                }
            }
        }
        slots.sort_by_key(|s| (s.start, s.table));
        Ok(slots)
    }

    /// Runs a station's function over the tickets of the dishes it accepts.
    pub fn run<S: Station>(
        station: &S,
        menu: &Menu,
        orders: &[Order],
        work: fn(S, S::Ticket<'_>),
    ) -> Result<usize, KitchenError> {
        let mut issued = 0;
        for order in orders {
            for (index, line) in order.lines.iter().enumerate() {
                if !station.accepts(menu.dish(&line.dish)?) {
                    continue;
                }
                if let Some(ticket) = station.issue(order, index) {
                    work(station.clone(), ticket);
                    issued += 1;
                }
            }
        }
        Ok(issued)
    }
}

mod render {
    use super::fmt::{self, Display};
    use super::plan::Slot;

    /// Shows slots as a chart with one row for each of them.
    pub struct Chart<'s> {
        pub title: &'s str,
        pub slots: &'s [Slot],
        pub scale: u32,
    }

    impl Display for Chart<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            writeln!(f, "== {} ==", self.title)?;
            for slot in self.slots {
                let before = (slot.start / self.scale) as usize;
                let during = ((slot.end - slot.start) / self.scale).max(1) as usize;
                writeln!(
                    f,
                    "{:>3} {:<8} {}{}",
                    slot.table,
                    slot.dish,
                    " ".repeat(before),
                    "#".repeat(during)
                )?;
            }
            Ok(())
        }
    }
}

use hook::{Board, Hook, Reminder};
use menu::{Menu, Method};
use order::Order;
use plan::{run, schedule, Queue};
use render::Chart;
use station::{ColdPass, Grill, GrillTicket, Oven, Station};

/// What is printed at the end of the evening.
#[derive(Debug, Default)]
struct Summary {
    dishes: BTreeMap<Method, usize>,
    minutes: u32,
    notes: Vec<String>,
}

impl Summary {
    fn collect(menu: &Menu, orders: &[Order]) -> Result<Self, KitchenError> {
        let mut summary = Summary::default();
        for order in orders {
            summary.minutes += order.total_minutes(menu)?;
            for line in &order.lines {
                let method = menu.dish(&line.dish)?.method;
                *summary.dishes.entry(method).or_default() += line.count as usize;
            }
            summary.notes.extend(
                order
                    .notes()
                    .map(|(dish, note)| format!("table {}: {dish}, {note}", order.table)),
            );
        }
        Ok(summary)
    }
}

fn read_orders() -> Result<Queue, KitchenError> {
    let texts = [
        (4, "2 trout ! no lemon\nsalad\n"),
        (7, "# the regulars\nlasagne\n3 skewer\n"),
        (2, "rush\ntart\n6 oysters ! on ice\n"),
    ];
    let mut queue = Queue::default();
    for (table, text) in texts {
        queue.push(Order::parse(table, text)?);
    }
    Ok(queue)
}

/// Functions of the stations whose hooks are known before the doors open.
struct Crew {
    oven: fn(Oven, (&str, u32)),
    cold: fn(ColdPass, u32),
    grill: fn(Grill, GrillTicket<'_>),
}

impl Crew {
    fn regular() -> Self {
        Crew {
            oven: |oven, (dish, count)| {
                println!("bake {count} {dish} on {} shelves", oven.shelves);
            },
            cold: |_, count| println!("plate {count}"),
            grill: |grill, ticket| {
                let note = ticket.note.unwrap_or("as usual");
                println!(
                    "sear {} {} at {}, {note}",
                    ticket.count, ticket.dish, grill.heat
                );
            },
        }
    }
}

fn evening() -> Result<(), KitchenError> {
    let menu = Menu::evening();
    let mut queue = read_orders()?;
    println!("{} orders are waiting", queue.len());
    let orders: Vec<Order> = queue.drain().collect();

    let grill = Grill {
        heat: 230,
        burners: 2,
    };
    let oven = Oven { shelves: 3 };
    let crew = Crew::regular();

    let chef = Reminder {
        text: "taste everything".to_owned(),
        loud: true,
    };
    let mut board = Board::limited(8);
    board.pin("chef", &chef as &dyn Hook);
    let pinned = [
        board.pin_station::<ColdPass>(&ColdPass, &crew.cold),
        board.weight() < 10,
    ];
    println!(
        "pinned {:?} of {:?}, weight {}",
        pinned,
        board.names(),
        board.weight()
    );

    for (title, slots) in [
        (Grill::NAME, schedule(&grill, &menu, &orders)?),
        (Oven::NAME, schedule(&oven, &menu, &orders)?),
        (ColdPass::NAME, schedule(&ColdPass, &menu, &orders)?),
    ] {
        let chart = Chart {
            title,
            slots: &slots,
            scale: 3,
        };
        print!("{chart}");
    }

    let issued = run::<Grill>(&grill, &menu, &orders, crew.grill)?
        + run::<Oven>(&oven, &menu, &orders, crew.oven)?
        + run::<ColdPass>(&ColdPass, &menu, &orders, crew.cold)?;
    let summary = Summary::collect(&menu, &orders)?;
    println!(
        "{issued} tickets, {} minutes, {:?}",
        summary.minutes, summary.dishes
    );
    for note in &summary.notes {
        println!("  {note}");
    }
    for dish in menu.by_method(Method::Baked) {
        println!("baked today: {} ({} min)", dish.name, dish.minutes);
    }
    Ok(())
}

fn main() {
    if let Err(error) = evening() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}
