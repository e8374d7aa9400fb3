//! Becomes a module of a program that tells what of it runs. It uses no name but those of the standard library, whatever is
//! there besides, and nothing that depends on the edition. `MCVE_SITES` stands for the number of sites.

extern crate std;
use self::std::io::Write as _;
use self::std::sync::atomic::{AtomicBool, Ordering};

/// The sites that were told.
static TOLD: [AtomicBool; MCVE_SITES] = [const { AtomicBool::new(false) }; MCVE_SITES];

/// Tells that a site is reached.
pub fn reach(site: usize) {
    if TOLD[site].swap(true, Ordering::Relaxed) {
        return;
    }
    if let self::std::option::Option::Some(path) = self::std::env::var_os("MCVE_VALUES") {
        let file = self::std::fs::OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(self::std::format!("{site}\n").as_bytes()));
    }
}
