//! Becomes a module of a program that reports what it does. It uses only names of the standard library, so it works beside
//! any other code, and nothing that depends on the edition. `MCVE_SITES` stands for the number of sites.

extern crate std;
use self::std::any::type_name;
use self::std::cell::Cell;
use self::std::collections::BTreeMap;
use self::std::fmt::{Debug, Write};
use self::std::fs::File;
use self::std::io::Write as _;
use self::std::os::unix::fs::FileExt as _;
use self::std::prelude::v1::*;
use self::std::sync::{Mutex, OnceLock};
use self::std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How many different values of a site are reported.
const ENOUGH: usize = 64;

/// How often a site is looked at.
const OFTEN: usize = 4000;

/// The longest text of a value, in bytes.
const LONGEST: usize = 500;

/// The values that were reported for each site.
static SEEN: Mutex<BTreeMap<usize, Vec<String>>> = Mutex::new(BTreeMap::new());

/// How often each site was looked at.
static LOOKS: [AtomicUsize; MCVE_SITES] = [const { AtomicUsize::new(0) }; MCVE_SITES];

self::std::thread_local! {
    /// Whether a value is printed, which may run code with probes.
    static PRINTS: Cell<bool> = const { Cell::new(false) };
}

/// The value itself, which lives as long as what is around it.
pub fn same<T>(value: T) -> T {
    value
}

/// Reports that a site is reached, and that it is reached again.
pub fn reach(index: usize, names: &str) {
    match LOOKS[index].fetch_add(1, Ordering::Relaxed) {
        0 => write(self::std::format!("{names}\n")),
        1 => write(self::std::format!("{names}\t+\n")),
        _ => {}
    }
}

/// The function and the statement that began last.
static LAST: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// The same, as it was when each block began.
static BEFORE: [[AtomicUsize; 2]; MCVE_SITES] = [const { [const { AtomicUsize::new(0) }; 2] }; MCVE_SITES];

/// The file that has the statement that began last.
static ENDED: OnceLock<Option<File>> = OnceLock::new();

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
    let file = ENDED.get_or_init(|| File::create(self::std::env::var_os("MCVE_VALUES")?).ok());
    if let Some(file) = file {
        let _ = file.write_all_at(self::std::format!("{statement:20} {caller:20}\n").as_bytes(), 0);
    }
}

/// A value that is looked at.
pub struct Look<'a, T: ?Sized>(pub &'a T);

/// What can be printed is reported.
pub trait Printed {
    fn report(&self, index: usize, names: &str);
}

/// Nothing else is.
pub trait Unprinted {
    fn report(&self, index: usize, names: &str);
}

impl<T: Debug + ?Sized> Printed for Look<'_, T> {
    fn report(&self, index: usize, names: &str) {
        report(index, names, type_name::<T>(), &self.0);
    }
}

impl<T: ?Sized> Unprinted for &Look<'_, T> {
    fn report(&self, _: usize, _: &str) {}
}

fn report(index: usize, names: &str, ty: &str, value: &dyn Debug) {
    let looks = LOOKS[index].fetch_add(1, Ordering::Relaxed);
    if looks > OFTEN || PRINTS.replace(true) {
        return;
    }
    let mut text = Short(String::new());
    let has_more = looks == OFTEN || self::std::write!(text, "{value:?}").is_err();
    PRINTS.set(false);
    let Ok(mut seen) = SEEN.lock() else { return };
    let texts = seen.entry(index).or_default();
    if has_more || texts.len() == ENOUGH {
        LOOKS[index].store(OFTEN + 1, Ordering::Relaxed);
        write(self::std::format!("{names}\t\t\n"));
    } else if !texts.contains(&text.0) {
        write(self::std::format!("{names}\t{ty}\t{}\n", text.0));
        texts.push(text.0);
    }
}

/// A text of one line that refuses to become long.
struct Short(String);

impl Write for Short {
    fn write_str(&mut self, text: &str) -> self::std::fmt::Result {
        self.0.push_str(&text.replace('\n', " "));
        if self.0.len() > LONGEST { Err(self::std::fmt::Error) } else { Ok(()) }
    }
}

/// Whether this process has reported something.
static BEGUN: AtomicBool = AtomicBool::new(false);

pub fn write(line: String) {
    if let Some(path) = self::std::env::var_os("MCVE_VALUES") {
        let file = self::std::fs::OpenOptions::new().append(true).create(true).open(path);
        let line = match BEGUN.swap(true, Ordering::Relaxed) {
            true => line,
            false => self::std::format!("@{}\n{line}", self::std::process::id()),
        };
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}
