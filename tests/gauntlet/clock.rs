//! A clock that jumps: an object that is preloaded into mcve, and tells another time of day each time.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use mcve_reduce::exec::programs;
use tempfile::TempDir;

/// Adds hours to the time of day, other ones in each call, forwards and backwards.
const SOURCE: &str = r#"
#![crate_type = "cdylib"]
use std::sync::atomic::{AtomicI64, Ordering};
#[repr(C)]
pub struct Time { seconds: i64, nanoseconds: i64 }
unsafe extern "C" {
    fn syscall(number: i64, ...) -> i64;
    fn unsetenv(name: *const u8) -> i32;
}
/// mcve is not to know, and what it starts has the clock of the system.
extern "C" fn forget() {
    unsafe { unsetenv(c"LD_PRELOAD".as_ptr().cast()) };
}
#[used]
#[unsafe(link_section = ".init_array")]
static FORGET: extern "C" fn() = forget;
static CALLS: AtomicI64 = AtomicI64::new(0);
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: i32, time: *mut Time) -> i32 {
    #[cfg(target_arch = "x86_64")]
    const NUMBER: i64 = 228;
    #[cfg(not(target_arch = "x86_64"))]
    const NUMBER: i64 = 113;
    let done = unsafe { syscall(NUMBER, clock, time) };
    if clock == 0 && done == 0 {
        let calls = CALLS.fetch_add(1, Ordering::Relaxed);
        unsafe { (*time).seconds += (calls * 7919 % 49 - 24) * 3600 };
    }
    done as i32
}
"#;

/// The object, compiled once.
pub(crate) fn object() -> &'static Path {
    static OBJECT: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, object) = OBJECT.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let (source, object) = (folder.path().join("clock.rs"), folder.path().join("clock.so"));
        std::fs::write(&source, SOURCE).expect("it can be written");
        let mut command = Command::new(programs::rustc(None, None).expect("the tests are compiled by one"));
        let made = command.args(["--edition=2024", "-Copt-level=2", "-o"]).arg(&object).arg(&source).status();
        assert!(made.expect("it runs").success());
        (folder, object)
    });
    object
}
