//! What each transform is worth: `cargo run --release --example transform_table` renews the table of `docs/transforms.md`. With
//! `--only NAME`, the row of one transform is printed, over the programs that are not in the corpus. With `--minutes N`, runs
//! without a transform are begun only so long; those of the rarest transforms come first.

mod cases;
mod counting;
mod crates;
mod outermost;
mod page;
#[path = "../generator_table/planted.rs"]
#[expect(dead_code, reason = "another example counts its checks by it, too")]
mod planted;
#[path = "../generator_table/properties.rs"]
mod properties;
mod rows;
mod runs;
mod woven;

use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, ensure};
use cases::Case;
use mcve_transforms::transforms;
use planted::Compiler;
use rows::{Row, without};

fn main() -> anyhow::Result<()> {
    // Deeply nested programs are parsed, here and in the threads.
    let thread = std::thread::Builder::new().stack_size(mcve_transforms::STACK).spawn(table)?;
    thread.join().map_err(|_| anyhow!("what panics has said so"))?
}

fn table() -> anyhow::Result<()> {
    let (mut only, mut minutes) = (None, 25);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (&*argument, arguments.next()) {
            ("--only", Some(name)) => only = Some(name),
            ("--minutes", Some(number)) => minutes = number.parse()?,
            _ => bail!("what is known is --only NAME and --minutes N"),
        }
    }
    let is_known = only.as_ref().is_none_or(|name| transforms().any(|transform| transform.name == name));
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
    let wanted = rows.iter().filter(|row| only.as_ref().is_none_or(|name| row.name == name));
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
