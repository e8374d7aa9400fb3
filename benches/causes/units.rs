// bug: a name is looked up without being made lower-case first, so `KM` is not found.
// run: main
// fails: called `Option::unwrap()` on a `None` value
// fixed: unit.name == name => unit.name.eq_ignore_ascii_case(name)
// keeps: "[^\w"]*\d*([A-Za-z]+)".*"[^\w"]*\d*(?!\1)(?i:\1)"
struct Unit {
    name: &'static str,
    metres: u32,
}

const UNITS: [Unit; 3] = [
    Unit { name: "m", metres: 1 },
    Unit { name: "km", metres: 1000 },
    Unit { name: "mile", metres: 1609 },
];

fn metres(text: &str) -> u32 {
    let (amount, name) = text.split_once(' ').unwrap();
    let first = amount.chars().next().unwrap();
    let unit = UNITS.iter().find(|unit| unit.name == name).unwrap();
    let amount = if first == '-' { 0 } else { amount.parse().unwrap_or(0) };
    amount * unit.metres
}

fn main() {
    let trip = ["3 km", "500 m", "2 KM", "1 mile"];
    let mut total = 0;
    for leg in trip {
        total += metres(leg);
    }
    println!("{} m", total);
}
