// A static can hold `Vec::new()`, so why not `HashMap::new()`?
//@ error: cannot call non-const associated function `HashMap::<[^`]*>::new` in (statics|constants)
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Debug, Clone, Copy)]
struct Limits { low: u32, high: u32 }

impl Limits {
    const fn new(low: u32, high: u32) -> Limits { Limits { low, high } }
    fn widened(self, by: u32) -> Limits { Limits::new(self.low.saturating_sub(by), self.high + by) }
}

static DEFAULT: Limits = Limits::new(2, 9);
static HISTORY: Mutex<Vec<u32>> = Mutex::new(Vec::new());
static PRICES: Mutex<HashMap<String, u32>> = Mutex::new(HashMap::new());
const UNKNOWN: String = String::new();

fn price(article: &str) -> u32 {
    let mut prices = PRICES.lock().unwrap();
    let limits = DEFAULT.widened(1);
    let price = *prices.entry(article.to_string()).or_insert(article.len() as u32);
    HISTORY.lock().unwrap().push(price);
    price.clamp(limits.low, limits.high)
}

fn label(article: Option<&str>) -> String {
    article.map_or(UNKNOWN, |name| format!("{name}: {}", price(name)))
}

fn main() {
    println!("{} {}", label(Some("lamp")), label(None));
    println!("{:?}", HISTORY.lock().unwrap());
}
