//! What a sweep found: sums, the worst of each kind, and a table for `docs/reliability.md`.

use std::collections::BTreeMap;
use std::time::Duration;

use mcve_transforms::Understanding;

use super::single::Breach;
use super::visit::Visit;

/// How long it may take to enumerate the reductions of so many bytes, in seconds.
const BYTES: f64 = 100_000.0;
const SECONDS: f64 = 1.0;

/// A smaller file counts as one of this size: what is a matter of milliseconds is no matter of the size.
const SMALLEST: f64 = 10_000.0;

/// How many of the slowest files are told.
const SLOWEST: usize = 10;

/// How often each breach occurred for each transform, in how many files, and the shortest story, which says most.
#[derive(Default)]
struct Broken {
    times: usize,
    files: usize,
    story: String,
}

/// What was found until now.
#[derive(Default)]
pub(crate) struct Report {
    files: usize,
    /// How many were no text, how many parse, how many do in part.
    unreadable: usize,
    full: usize,
    partial: usize,
    bytes: usize,
    reductions: usize,
    trials: usize,
    checked: usize,
    broken: BTreeMap<(Breach, &'static str), Broken>,
    unfinished: Vec<String>,
    /// The seconds for 100 KB of each file, with its story.
    speeds: Vec<(f64, String)>,
    enumeration: Duration,
}

impl Report {
    /// Takes in what a visit to `file` found.
    pub(crate) fn add(&mut self, file: &str, visit: Option<Visit>) {
        self.files += 1;
        let Some(visit) = visit else {
            self.unreadable += 1;
            return;
        };
        self.full += usize::from(visit.understanding == Some(Understanding::Full));
        self.partial += usize::from(visit.understanding == Some(Understanding::Partial));
        self.bytes += visit.bytes;
        self.reductions += visit.reductions;
        self.trials += visit.trials;
        self.checked += visit.checked;
        self.enumeration += visit.enumeration;
        if !visit.finished && visit.breaches.iter().all(|breach| breach.1 != "the parser") {
            let all = visit.reductions + visit.trials;
            self.unfinished.push(format!("{file}: {} of {all} reductions checked", visit.checked));
        }
        let speed = visit.enumeration.as_secs_f64() * BYTES / (visit.bytes as f64).max(SMALLEST);
        let (name, time) = visit.slowest;
        let story = format!("{file}: {} bytes, {:.2?}; {name} {time:.2?}", visit.bytes, visit.enumeration);
        self.speeds.push((speed, story));
        self.speeds.sort_by(|left, right| right.0.total_cmp(&left.0));
        // All that are too slow are told, and some more.
        while self.speeds.len() > SLOWEST && self.speeds.last().is_some_and(|(speed, _)| *speed <= SECONDS) {
            self.speeds.pop();
        }
        let mut seen = Vec::new();
        for (breach, name, story) in visit.breaches {
            let broken = self.broken.entry((breach, name)).or_default();
            broken.times += 1;
            if !seen.contains(&(breach, name)) {
                seen.push((breach, name));
                broken.files += 1;
            }
            if broken.story.is_empty() || story.len() < broken.story.len() {
                broken.story = format!("{file}: {story}");
            }
        }
    }

    /// Whether no transform broke its promise.
    pub(crate) fn is_clean(&self) -> bool {
        self.broken.is_empty()
    }

    fn count(&self, breach: Breach) -> usize {
        self.broken.iter().filter(|((other, _), _)| *other == breach).map(|(_, broken)| broken.times).sum()
    }

    /// All there is to say so far, in a line.
    pub(crate) fn line(&self) -> String {
        let [panics, edits, sizes, syntax] = self.zeros();
        format!(
            "{} reductions and trials, {panics} panics, {edits} misplaced, {sizes} not smaller, {syntax} do not parse, {} unfinished",
            self.checked,
            self.unfinished.len()
        )
    }

    fn zeros(&self) -> [usize; 4] {
        [Breach::Panic, Breach::Edits, Breach::Size, Breach::Syntax].map(|breach| self.count(breach))
    }

    /// Prints what is wrong, then what is slow, then a table in Markdown.
    pub(crate) fn print(&self, time: Duration) {
        for ((breach, name), broken) in &self.broken {
            println!("\n{breach:?}: {name}, {} times in {} files\n{}", broken.times, broken.files, broken.story);
        }
        println!("\nNot finished in time: {}", self.unfinished.len());
        self.unfinished.iter().for_each(|story| println!("  {story}"));
        let slow = self.speeds.iter().filter(|(speed, _)| *speed > SECONDS).count();
        println!("\nSlower than {SECONDS} s for 100 KB: {slow}; the slowest, in s for 100 KB:");
        self.speeds.iter().for_each(|(speed, story)| println!("  {speed:.2}  {story}"));
        let [panics, edits, sizes, syntax] = self.zeros();
        let slowest = self.speeds.first().map_or(0.0, |(speed, _)| *speed);
        let rows = [
            ("files", self.files.to_string()),
            ("of them parse", self.full.to_string()),
            ("of them parse in part", self.partial.to_string()),
            ("of them are no UTF-8", self.unreadable.to_string()),
            ("bytes", self.bytes.to_string()),
            ("reductions", self.reductions.to_string()),
            ("trials", self.trials.to_string()),
            ("of both, applied and checked", self.checked.to_string()),
            ("files not finished in time", self.unfinished.len().to_string()),
            ("panics", panics.to_string()),
            ("reductions with edits out of range or overlapping", edits.to_string()),
            ("proposals that are not smaller", sizes.to_string()),
            ("proposals for a parsing file that do not parse", syntax.to_string()),
            ("enumeration, of all files, in s of processor time", format!("{:.1}", self.enumeration.as_secs_f64())),
            ("enumeration, of the slowest file, in s for 100 KB", format!("{slowest:.2}")),
            ("files that take more than 1 s for 100 KB", slow.to_string()),
            ("the whole sweep, in s", time.as_secs().to_string()),
        ];
        println!("\n| what | how many |\n| --- | ---: |");
        rows.iter().for_each(|(what, figure)| println!("| {what} | {figure} |"));
    }
}
