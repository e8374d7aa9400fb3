//! Becomes a module of a program that reports the statement that it began last. It uses only names of the standard library, so it
//! works beside any other code. `MCVE_SITES` stands for the number of blocks.

extern crate std;
use self::std::fs::File;
use self::std::os::unix::fs::FileExt as _;
use self::std::sync::OnceLock;
use self::std::sync::atomic::{AtomicUsize, Ordering};

static OUTPUT: OnceLock<Option<File>> = OnceLock::new();

/// The function and the statement that began last.
static LAST: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// The same, as it was when each block began.
static BEFORE: [[AtomicUsize; 2]; MCVE_SITES] = [const { [const { AtomicUsize::new(0) }; 2] }; MCVE_SITES];

/// Reports that a statement of a block begins.
pub fn begin(block: usize, is_first: bool, function: usize, statement: usize) {
    let before = [0, 1].map(|part| match is_first {
        true => {
            let last = LAST[part].load(Ordering::Relaxed);
            BEFORE[block][part].store(last, Ordering::Relaxed);
            last
        }
        false => BEFORE[block][part].load(Ordering::Relaxed),
    });
    LAST[0].store(function, Ordering::Relaxed);
    LAST[1].store(statement, Ordering::Relaxed);
    let caller = if before[0] == function { 0 } else { before[1] };
    let file = OUTPUT.get_or_init(|| File::create(self::std::env::var_os("MCVE_VALUES")?).ok());
    if let self::std::option::Option::Some(file) = file {
        let _ = file.write_all_at(self::std::format!("{statement:20} {caller:20}\n").as_bytes(), 0);
    }
}
