//! Applies every reduction of every transform to every Rust file of a folder, and counts what must not be:
//! `cargo run --release -p xtask -- sweep FOLDER [--threads N] [--seconds N]`.
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
#[path = "../../transforms/tests/it/properties/pieces.rs"]
mod pieces;
mod report;
#[path = "../../transforms/tests/it/growth/shapes.rs"]
mod shapes;
#[path = "../../transforms/tests/it/properties/single.rs"]
mod single;
mod visit;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use input::Input;
use mcve_transforms::STACK;
use report::Report;
use visit::visit;

/// How often a line of progress is printed.
const PROGRESS: Duration = Duration::from_secs(30);

/// What is swept, and how.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Rust files, or a folder with them.
    #[arg(required_unless_present = "generated")]
    folder: Option<PathBuf>,
    /// Worst cases of so many kilobytes each, in the place of a folder.
    #[arg(long, value_name = "KILOBYTES", conflicts_with = "folder")]
    generated: Option<u16>,
    /// How many files are read at once; without it, as many as there are cores.
    #[arg(long)]
    threads: Option<NonZero<u16>>,
    /// For how long the reductions of one file are checked.
    #[arg(long, default_value = "60")]
    seconds: NonZero<u16>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let input = match (&options.folder, options.generated) {
        (Some(folder), _) => Input::below(folder),
        (None, kilobytes) => Input::generated(usize::from(kilobytes.unwrap_or_default()) * 1000),
    };
    ensure!(input.len() > 0, "there is no Rust file");
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or_else(available, |threads| threads.get().into());
    let limit = Duration::from_secs(options.seconds.get().into());
    // A panic is counted and told at the end.
    std::panic::set_hook(Box::new(|_| {}));
    println!("{} files, {threads} threads, {} seconds a file", input.len(), limit.as_secs());
    let start = Instant::now();
    let report = Mutex::new(Report::default());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, || {
                    let mut told = Instant::now();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some((name, text)) = input.get(index) else { break };
                        let result = text.map(|text| visit(&text, limit));
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
    ensure!(report.is_clean(), "a transform is wrong");
    Ok(())
}
