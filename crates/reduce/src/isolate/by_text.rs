//! The pair of a text that is not Rust: two texts that differ in as few characters as possible.

use std::ops::Range;

use mcve_transforms::pieces::{self, Piece, without};
use mcve_transforms::{Edit, Reduction, named};

use super::initial::NoPair;
use super::pair::IsolationPair;
use crate::check::limits::Stop;
use crate::event::Event;
use mcve_dd::difference::Difference;
use mcve_dd::general::dd;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;

impl IsolationPair<'_> {
    /// Looks for the pair by lines, then by characters (Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing
    /// Input*, 2002).
    pub(crate) fn by_text(&mut self) -> Result<(), NoPair> {
        let text = self.base.text.clone();
        let lines = pieces::lines(&text);
        let by_lines = self.divide_pieces(&lines, Difference::below(KeepList::full(lines.len())))?;
        let characters = pieces::characters(&text);
        let line_of = |character: &Piece| lines.partition_point(|line| line.span().end <= character.span().start);
        let line_of: Vec<usize> = characters.iter().map(line_of).collect();
        let in_lines = |kept: &KeepList| {
            let is_kept = |index: &usize| kept.kept().binary_search(&line_of[*index]).is_ok();
            KeepList::of(characters.len(), (0..characters.len()).filter(is_kept).collect())
        };
        let [passing, failing] = [&by_lines.passing, &by_lines.failing].map(in_lines);
        self.divide_pieces(&characters, Difference { passing, failing }).map(drop)
    }

    /// Makes the pair from the smallest difference between these pieces of the text.
    fn divide_pieces(&mut self, pieces: &[Piece], start: Difference) -> Result<Difference, NoPair> {
        let mode = self.mode;
        let mut outcome = |keep: &KeepList| -> Result<Outcome, Stop> {
            let text = without(&self.base.text, keep.removed().map(|index| &pieces[index]));
            self.outcome(&self.base.with_text(text))
        };
        let found = dd(start, mode, &Difference::elements, &mut outcome)?;
        let removed = found.failing.removed().map(|index| pieces[index].span());
        self.shared = deletions(removed);
        self.difference = deletions(found.elements().into_iter().map(|index| pieces[index].span()));
        self.observer.event(&Event::Narrowed { tokens: self.distance().tokens, checks: self.checks() });
        Ok(found)
    }
}

/// The deletions of these sorted ranges. Those that touch are one.
fn deletions(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Reduction> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    let transform = named("delete-character")[0];
    let deletion = |site: Range<usize>| {
        let gain = isize::try_from(site.len()).unwrap_or(isize::MAX);
        Reduction { transform, edits: vec![Edit::delete(site.clone())], site, rank: 0, gain }
    };
    joined.into_iter().map(deletion).collect()
}
