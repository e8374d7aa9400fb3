//! Becomes a module of a program with mutants. It uses only names of the standard library, so it works beside any code.

extern crate std;
use self::std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The first of the active mutants plus one; 0 before the first call of `active`.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// Which mutants are active, a bit each.
static SET: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];

/// How many more calls are allowed once a mutant is active, as it may loop for ever. This many take 0.05 s.
static LEFT: AtomicUsize = AtomicUsize::new(4_000_000);

/// The first of the active mutants.
pub fn active() -> usize {
    match ACTIVE.load(Ordering::Acquire) {
        0 => {
            let value = self::std::env::var("MCVE_MUTANT").unwrap_or_default();
            // The number of calls may stand behind the mutants.
            let (value, calls) = value.split_once('@').unwrap_or((&value, ""));
            if let self::std::result::Result::Ok(calls) = calls.parse() {
                LEFT.store(calls, Ordering::Relaxed);
            }
            let mut first = 0usize;
            for range in value.split(',') {
                let (begin, end) = range.split_once('-').unwrap_or((range, range));
                let (begin, end) = (begin.parse().unwrap_or(1usize), end.parse().unwrap_or(0usize));
                if first == 0 && begin <= end {
                    first = begin;
                }
                for number in begin..=end {
                    SET[number / 64 % 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
                }
            }
            ACTIVE.store(first + 1, Ordering::Release);
            first
        }
        // No mutant is active: the program ends by itself.
        1 => 0,
        active => {
            if LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
                self::std::process::exit(97);
            }
            active - 1
        }
    }
}

/// Whether a mutant is active.
pub fn is_active(number: usize) -> bool {
    active() != 0 && SET[number / 64 % 64].load(Ordering::Relaxed) & 1 << (number % 64) != 0
}

/// The arm of removed mutants, which are never active.
pub const fn none() -> ! {
    self::std::panic!()
}
