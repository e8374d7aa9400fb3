//! Becomes a module of a program that reports what it completes before it fails. It uses only names of the standard library, so
//! it works beside any other code. `MCVE_SITES` stands for the number of parts.

extern crate std;
use self::std::io::Write as _;
use self::std::sync::atomic::{AtomicBool, Ordering};

/// The parts that were reported.
static REPORTED: [AtomicBool; MCVE_SITES] = [const { AtomicBool::new(false) }; MCVE_SITES];

/// Reports that a part was completed.
pub fn complete(part: usize) {
    if !REPORTED[part].swap(true, Ordering::Relaxed) {
        report(self::std::format!("{part}\n"));
    }
}

fn report(line: self::std::string::String) {
    if let self::std::option::Option::Some(path) = self::std::env::var_os("MCVE_VALUES") {
        let file = self::std::fs::OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}

/// Reports how a function ends.
pub struct Call(pub usize);

impl self::std::ops::Drop for Call {
    fn drop(&mut self) {
        match self::std::thread::panicking() {
            true => report(self::std::format!("!{}\n", self.0)),
            false => complete(self.0),
        }
    }
}
