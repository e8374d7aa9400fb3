//! Applies every reduction of every transform to every Rust file of a folder, and counts what must not be:
//! `cargo run --release -p mcve-transforms --example sweep -- FOLDER [--threads N] [--seconds N]`.
//! With `--generated N` in the place of the folder, the texts are generated: worst cases of N kilobytes each.
//!
//! rustc's own test suites are the best input there is: they hold all syntax, and much that is none. On Debian:
//!
//! ```sh
//! apt-get source --download-only rustc=1.95.0   # needs a deb-src line for sid
//! tar --extract --file rustc_1.95.0*.orig.tar.xz --wildcards '*/tests/*.rs'
//! ```
//!
//! Exits with 1 if a transform panics, places an edit wrongly, or proposes what is not smaller or does not parse.

mod input;
#[path = "../../tests/properties/pieces.rs"]
mod pieces;
mod report;
#[path = "../../tests/growth/shapes.rs"]
mod shapes;
#[path = "../../tests/properties/single.rs"]
mod single;
mod visit;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use input::Input;
use mcve_transforms::STACK;
use report::Report;
use visit::visit;

/// How often a line of progress is printed.
const PROGRESS: Duration = Duration::from_secs(30);

/// What the user asks for.
struct Options {
    input: Input,
    threads: usize,
    /// For how long the reductions of one file are checked.
    limit: Duration,
}

impl Options {
    /// Reads the arguments; none where they are not understood.
    fn read() -> Option<Self> {
        let mut options = Self {
            input: Input::Files(Vec::new()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            limit: Duration::from_secs(60),
        };
        let mut args = std::env::args_os().skip(1);
        while let Some(arg) = args.next() {
            let mut number = || args.next()?.to_str()?.parse::<u16>().ok().filter(|&number| number > 0);
            match arg.to_str() {
                Some("--threads") => options.threads = number()?.into(),
                Some("--seconds") => options.limit = Duration::from_secs(number()?.into()),
                Some("--generated") => options.input = Input::generated(usize::from(number()?) * 1000),
                Some(option) if option.starts_with('-') => return None,
                _ => options.input = Input::below(Path::new(&arg)),
            }
        }
        (options.input.len() > 0).then_some(options)
    }
}

fn main() -> ExitCode {
    let Some(options) = Options::read() else {
        eprintln!("usage: sweep FOLDER | --generated KILOBYTES [--threads N] [--seconds N]");
        return ExitCode::from(2);
    };
    // A panic is counted and told at the end.
    std::panic::set_hook(Box::new(|_| {}));
    println!("{} files, {} threads, {} seconds a file", options.input.len(), options.threads, options.limit.as_secs());
    let start = Instant::now();
    let report = Mutex::new(Report::default());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, || {
                    let mut told = Instant::now();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some((name, text)) = options.input.get(index) else { break };
                        let result = text.map(|text| visit(&text, options.limit));
                        let mut report = report.lock().expect("no thread panics with it");
                        report.add(&name, result);
                        if told.elapsed() >= PROGRESS {
                            told = Instant::now();
                            println!("{:>5} s, {index} files: {}", start.elapsed().as_secs(), report.line());
                        }
                    }
                })
                .expect("threads can be had");
        }
    });
    let report = report.into_inner().expect("no thread panicked with it");
    report.print(start.elapsed());
    if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
