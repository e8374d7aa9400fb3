//! The pair of a text that is not Rust: two texts that differ in as few characters as possible, or by a grammar in as few parts.

use std::collections::HashSet;

use mcve_transforms::pieces::{self, Piece};
use mcve_transforms::{Edit, Reduction, named};

use super::initial::NoPair;
use super::pair::IsolationPair;
use super::parts::Parts;
use crate::check::limits::Stop;
use crate::event::Event;
use crate::sentence::Sentences;
use mcve_dd::difference::Difference;
use mcve_dd::general::{Mode, dd};
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;

impl IsolationPair<'_> {
    /// Looks for the pair by lines, then characters (Zeller and Hildebrandt, *Simplifying and Isolating ..*, 2002).
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

    fn divide_pieces(&mut self, pieces: &[Piece], start: Difference) -> Result<Difference, NoPair> {
        let edits = |keep: &KeepList| keep.removed().map(|index| Edit::delete(pieces[index].span())).collect();
        let found = self.divide_text(start, &edits)?;
        self.set_apart(edits(&found.failing), edits(&found.passing));
        Ok(found)
    }

    /// Looks for the pair by parts of the derivation. The shortest text replaces a part, so all versions are sentences.
    pub(crate) fn by_grammar(&mut self, sentences: &Sentences) -> Result<(), NoPair> {
        let base = self.base.clone();
        let tree = sentences.parse(&base.text).ok_or(NoPair::NothingPasses)?;
        let parts = Parts::of(&tree, &sentences.grammar);
        let edits = |keep: &KeepList| parts.edits(&parts.closed(keep));
        let mut found = self.divide_text(Difference::below(KeepList::full(parts.len())), &edits)?;
        if self.mode == Mode::Isolate {
            found = Difference { passing: parts.closed(&found.passing), failing: parts.closed(&found.failing) };
            self.halve(&parts, &mut found)?;
        }
        self.set_apart(edits(&found.failing), edits(&found.passing));
        Ok(())
    }

    /// Halves a difference of parts inside of each other, where each needs those around it: the parts come in order, from the
    /// outside to the inside, so the first ones may stand without the others.
    fn halve(&mut self, parts: &Parts, found: &mut Difference) -> Result<(), NoPair> {
        loop {
            let mut elements = found.elements();
            if elements.len() < 2 {
                return Ok(());
            }
            let rest = elements.split_off(elements.len() / 2);
            let half = found.failing.kept().iter().copied().filter(|part| rest.binary_search(part).is_err());
            let half = KeepList::of(parts.len(), half.collect());
            let program = self.with(&reductions(parts.edits(&half)));
            match self.outcome(&program)? {
                Outcome::Pass => found.passing = half,
                Outcome::Fail => found.failing = half,
                Outcome::Unresolved => return Ok(()),
            }
        }
    }

    /// The smallest difference between pieces of the text, where `edits` leaves out all but these.
    fn divide_text(&mut self, start: Difference, edits: &dyn Fn(&KeepList) -> Vec<Edit>) -> Result<Difference, NoPair> {
        let mode = self.mode;
        let mut outcome = |keep: &KeepList| -> Result<Outcome, Stop> {
            let program = self.with(&reductions(edits(keep)));
            self.outcome(&program)
        };
        Ok(dd(start, mode, &Difference::elements, &mut outcome)?)
    }

    /// Makes the pair of the texts that these edits make.
    fn set_apart(&mut self, failing: Vec<Edit>, mut passing: Vec<Edit>) {
        let shared: HashSet<_> = failing.iter().map(|edit| (&edit.range, &edit.text)).collect();
        passing.retain(|edit| !shared.contains(&(&edit.range, &edit.text)));
        (self.shared, self.difference) = (reductions(failing), reductions(passing));
        self.observer.event(&Event::Narrowed { tokens: self.distance().tokens, checks: self.checks() });
    }
}

/// A reduction for each edit. Deletions that touch are one.
fn reductions(edits: Vec<Edit>) -> Vec<Reduction> {
    let mut joined: Vec<Edit> = Vec::new();
    for edit in edits {
        match joined.last_mut() {
            Some(last) if last.text.is_empty() && edit.text.is_empty() && last.range.end == edit.range.start => {
                last.range.end = edit.range.end;
            }
            _ => joined.push(edit),
        }
    }
    let transform = named("delete-character")[0];
    let reduction = |edit: Edit| {
        let gain = isize::try_from(edit.range.len()).unwrap_or(isize::MAX);
        Reduction { transform, site: edit.range.clone(), edits: vec![edit], rank: 0, gain }
    };
    joined.into_iter().map(reduction).collect()
}
