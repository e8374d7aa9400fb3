//! Becomes a module of a program with mutants. It uses no name but those of the standard library, whatever is there besides.

extern crate std;
use self::std::sync::atomic::{AtomicUsize, Ordering};

/// The active mutant, and one more; 0 as long as nobody has asked.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// How often may be asked: a mutant may loop for ever.
static LEFT: AtomicUsize = AtomicUsize::new(1_000_000);

/// The active mutant.
pub fn active() -> usize {
    if LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
        self::std::process::exit(97);
    }
    match ACTIVE.load(Ordering::Relaxed) {
        0 => {
            let value = self::std::env::var("MCVE_MUTANT").ok();
            let active = value.and_then(|value| value.parse().ok()).unwrap_or(0usize);
            ACTIVE.store(active + 1, Ordering::Relaxed);
            active
        }
        active => active - 1,
    }
}

/// What a mutant that was taken away does, which is never active.
pub fn none() -> ! {
    self::std::process::exit(98)
}
