//! Becomes a module of a program that reports which of its blocks run. It uses only names of the standard library, so it
//! works beside any other code, and nothing that depends on the edition. `MCVE_SITES` stands for the number of sites.

extern crate std;
use self::std::io::Write as _;
use self::std::sync::atomic::{AtomicBool, Ordering};

/// The sites that were reported.
static TOLD: [AtomicBool; MCVE_SITES] = [const { AtomicBool::new(false) }; MCVE_SITES];

/// Reports that a site is reached.
pub fn reach(site: usize) {
    if TOLD[site].swap(true, Ordering::Relaxed) {
        return;
    }
    if let self::std::option::Option::Some(path) = self::std::env::var_os("MCVE_VALUES") {
        let file = self::std::fs::OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(self::std::format!("{site}\n").as_bytes()));
    }
}
