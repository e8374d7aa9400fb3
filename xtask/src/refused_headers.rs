//! Lists what headers ask for that mcve does not follow, in all Rust files below some folders.
//!
//! ```text
//! cargo run --release -p xtask -- refused-headers rustc-1.95.0-src/tests/ui rustc-1.95.0-src/tests/crashes
//! ```

use std::path::PathBuf;

use clap::Args;
use mcve_reduce::oracle::headers::{Headers, Trust};

/// What is looked at.
#[derive(Args)]
pub(crate) struct Options {
    /// Rust files, or folders with them.
    #[arg(required = true)]
    places: Vec<PathBuf>,
}

pub(crate) fn run(options: Options) -> anyhow::Result<()> {
    let (mut files, mut with_headers, mut refused) = (0, 0, 0);
    let mut places = options.places;
    while let Some(place) = places.pop() {
        if place.is_dir() {
            for entry in std::fs::read_dir(&place)? {
                places.push(entry?.path());
            }
            continue;
        }
        if place.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(&place)?).into_owned();
        files += 1;
        let everything = Headers::revisions(&text, Trust::Everything);
        with_headers += usize::from(everything.iter().any(|it| !it.args.is_empty() || !it.env.is_empty()));
        let headers = Headers::revisions(&text, Trust::AllowList);
        let lines: std::collections::BTreeSet<String> =
            headers.iter().flat_map(|it| &it.refused).map(ToString::to_string).collect();
        refused += usize::from(!lines.is_empty());
        // A file that needs other crates cannot be reduced alone anyway.
        let needs = if headers.iter().any(|it| !it.unsupported.is_empty()) { " (needs other crates)" } else { "" };
        lines.iter().for_each(|line| println!("{}: {line}{needs}", place.display()));
    }
    println!("{files} files, {with_headers} with headers that are followed, {refused} refused");
    Ok(())
}
