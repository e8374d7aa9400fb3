//! The gauntlet: runs of the real binary that are disturbed in all ways, at random moments, and have to end as if nobody had
//! disturbed them.
//!
//! ```sh
//! cargo test --release --test gauntlet -- --faults 10000
//! ```
//!
//! Each round begins a run, does something to it, and goes on with `mcve resume` where it ended early, until it is at its end.
//! Then it is looked at whether the result is that of a run that nobody disturbed, and whether a process or a file is left. The
//! table that it prints is that of `docs/reliability.md`. Without `--faults` there are forty and some, and at least one of
//! each kind.
//!
//! It is a program of its own because it takes arguments.

#[cfg(target_os = "linux")]
mod cases;
#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(target_os = "linux")]
mod round;
#[cfg(target_os = "linux")]
mod table;

use std::process::ExitCode;

/// How many faults there are where nobody says otherwise.
#[cfg(target_os = "linux")]
const FAULTS: u64 = 40;

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    println!("0 passed, 0 failed: what it looks at is told by Linux only");
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // As other tests do where these are asked for.
    if words.iter().any(|word| word == "--list") {
        return ExitCode::SUCCESS;
    }
    let number = |name: &str| {
        let index = words.iter().position(|word| word == name)?;
        Some(words.get(index + 1)?.parse::<u64>().expect("it is a number"))
    };
    let (faults, seed) = (number("--faults").unwrap_or(FAULTS), number("--seed").unwrap_or(1));
    // `cargo test NAME` runs other tests.
    let is_other =
        |word: &String| !word.starts_with("--") && word.parse::<u64>().is_err() && !"gauntlet".contains(&**word);
    if words.iter().any(is_other) {
        return ExitCode::SUCCESS;
    }
    mcve_reduce::exec::inherited::reset_signals();
    let table = round::run(faults, seed);
    println!("{table}");
    println!("{} passed, {} failed", table.good(), table.bad());
    ExitCode::from(u8::from(table.bad() > 0))
}
