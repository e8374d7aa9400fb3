//@ valid-by: +nightly -Znext-solver
//! Handlers of the requests of a small server; the table of them is a constant.

use std::cell::Cell;
use std::collections::HashMap;

/// What a handler works on, and what it may look at while it does.
pub trait Host: Sized + 'static {
    type View<'a>;
    const NAME: &'static str;
}

#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    path: String,
    body: Vec<u8>,
}

impl Request {
    fn new(path: &str) -> Self {
        Request { path: path.to_owned(), body: Vec::new() }
    }
    fn with(mut self, body: &[u8]) -> Self {
        self.body.extend_from_slice(body);
        self
    }
}

impl Host for u16 {
    type View<'a> = u8;
    const NAME: &'static str = "port";
}

impl Host for Request {
    type View<'a> = &'a [u8];
    const NAME: &'static str = "request";
}

pub trait Show {
    fn show(&self) -> String;
    fn weight(&self, scale: u32) -> u32;
    fn twice(&self) -> u32 {
        2 * self.weight(2)
    }
}

pub trait Handler: Show {
    fn name(&self) -> &'static str;
}

impl<T: Host> Show for fn(T, T::View<'_>) {
    fn show(&self) -> String {
        format!("fn for {}", T::NAME)
    }
    fn weight(&self, scale: u32) -> u32 {
        scale * T::NAME.len() as u32
    }
}

impl<T: Host> Handler for fn(T, T::View<'_>) {
    fn name(&self) -> &'static str {
        T::NAME
    }
}

/// The handler at an address, as what can be shown.
///
/// # Safety
/// The address is that of a static.
const unsafe fn shown<T: Host>(handler: *const fn(T, T::View<'_>)) -> &'static dyn Show {
    let handler: &'static dyn Handler = unsafe { &*handler };
    handler
}

fn open(port: u16, mode: u8) {
    println!("open {port} in {mode}");
}

fn close(port: u16, _: u8) {
    COUNT.with(|count| count.set(count.get() + usize::from(port)));
}

thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });

static OPEN: fn(u16, u8) = open;
static CLOSE: fn(u16, u8) = close;

struct Route {
    path: &'static str,
    by: &'static dyn Show,
}

const ROUTES: [Route; 2] = unsafe {
    [
        Route { path: "/open", by: shown::<u16>(&raw const OPEN) },
        Route { path: "/close", by: shown::<u16>(&raw const CLOSE) },
    ]
};

struct Stats<'a> {
    hits: HashMap<&'a str, usize>,
    longest: Option<&'a Request>,
}

impl<'a> Stats<'a> {
    fn of(requests: &'a [Request]) -> Stats<'a> {
        let mut hits = HashMap::new();
        for request in requests {
            *hits.entry(request.path.as_str()).or_insert(0) += 1;
        }
        Stats { hits, longest: requests.iter().max_by_key(|request| request.body.len()) }
    }
}

fn main() {
    let requests = vec![Request::new("/open").with(b"80"), Request::new("/close"), Request::new("/open")];
    let stats = Stats::of(&requests);
    for route in &ROUTES {
        let hits = stats.hits.get(route.path).copied().unwrap_or(0);
        println!("{}: {} {} {}", route.path, hits, route.by.show(), route.by.twice());
    }
    OPEN(80, 1);
    CLOSE(80, 1);
    println!("{:?}", stats.longest);
}
