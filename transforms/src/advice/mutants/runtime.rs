//! Becomes a module of a program with mutants. It uses no name but those of the standard library, whatever is there besides.

extern crate std;
use self::std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The first of the active mutants, and one more; 0 as long as nobody has asked.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// Which mutants are active, a bit each.
static SET: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];

/// How often may be asked once something is changed: a mutant may loop for ever. So often takes 0.05 s.
static LEFT: AtomicUsize = AtomicUsize::new(4_000_000);

/// The first of the active mutants.
pub fn active() -> usize {
    match ACTIVE.load(Ordering::Acquire) {
        0 => {
            let value = self::std::env::var("MCVE_MUTANT").unwrap_or_default();
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
        // Nothing is changed: the program ends as it does by itself.
        1 => 0,
        active => {
            if LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
                self::std::process::exit(97);
            }
            active - 1
        }
    }
}

/// Whether a mutant is one of those.
pub fn is_active(number: usize) -> bool {
    active() != 0 && SET[number / 64 % 64].load(Ordering::Relaxed) & 1 << (number % 64) != 0
}

/// What a mutant that was taken away does, which is never active.
pub fn none() -> ! {
    self::std::process::exit(98)
}
