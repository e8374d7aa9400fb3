//! What each transform is worth: `cargo run --release -p xtask -- transform-table` renews the table of `docs/transforms.md`. With
//! `--only NAME`, the row of one transform is printed, over the programs that are not in the corpus. With `--minutes N`, runs
//! without a transform are begun only so long; those of the rarest transforms come first.

mod cases;
mod counting;
mod crates;
mod outermost;
mod page;
mod rows;
mod runs;
mod woven;

use std::time::{Duration, Instant};

use crate::planted::Compiler;
use anyhow::ensure;
use cases::Case;
use clap::Args;
use mcve_transforms::transforms;
use rows::{Row, without};

/// What is measured.
#[derive(Args)]
pub(crate) struct Options {
    /// Print the row of one transform only.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// How long runs without a transform are begun.
    #[arg(long, value_name = "N", default_value = "25")]
    minutes: u64,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let (only, minutes) = (options.only.as_ref(), options.minutes);
    let is_known = only.is_none_or(|name| transforms().any(|transform| transform.name == name));
    ensure!(is_known, "there is no such transform");
    let begun = Instant::now();
    let compiler = Compiler::new()?;
    let mut cases: Vec<Case> = cases::others(&compiler)?;
    if only.is_none() {
        cases.extend(cases::of_corpus(&compiler)?);
    }
    // The largest first, so that none is left alone at the end.
    let mut base: Vec<_> = (0..cases.len()).map(|case| (case, None)).collect();
    base.sort_by_key(|(case, _)| std::cmp::Reverse(cases[*case].program.text.len()));
    let mut outcomes = runs::all(&cases, &base, None)?;
    eprintln!("{} programs after {} s", outcomes.len(), begun.elapsed().as_secs());
    let rows = Row::all(&cases, &outcomes);
    if only.is_none() {
        // Again at the end, with what runs without a transform tell.
        page::write(&page::generated(&cases, &rows, &outcomes))?;
    }
    let wanted = rows.iter().filter(|row| only.is_none_or(|name| row.name == name));
    let more = without(wanted, &outcomes);
    let until = begun + Duration::from_secs(minutes * 60);
    outcomes.extend(runs::all(&cases, &more, Some(until))?);
    if let Some(name) = only {
        println!("{}", page::HEAD);
        rows.iter().filter(|row| row.name == name).for_each(|row| println!("{}", page::row(row, &outcomes)));
        return Ok(());
    }
    page::write(&page::generated(&cases, &rows, &outcomes))
}
