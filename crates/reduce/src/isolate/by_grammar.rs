//! The pair of a text with a grammar: two sentences that differ in as few parts as possible.

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
    /// Looks for the pair by parts of the derivation (Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing
    /// Input*, 2002, over those). A part that is left out is the shortest text of its symbol, so all versions are sentences.
    pub(crate) fn by_grammar(&mut self, sentences: &Sentences) -> Result<(), NoPair> {
        let base = self.base.clone();
        let tree = sentences.parse(&base.text).ok_or(NoPair::NothingPasses)?;
        let parts = Parts::of(&tree, sentences.grammar());
        let found = self.divide_parts(&parts, Difference::below(KeepList::full(parts.len())))?;
        let mut found = Difference { passing: parts.closed(&found.passing), failing: parts.closed(&found.failing) };
        if self.mode == Mode::Isolate {
            self.halve(&parts, &mut found)?;
        }
        let (shared, mut apart) = (parts.edits(&found.failing), parts.edits(&found.passing));
        apart.retain(|edit| !shared.contains(edit));
        (self.shared, self.difference) = (reductions(shared), reductions(apart));
        self.observer.event(&Event::Narrowed { tokens: self.distance().tokens, checks: self.checks() });
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

    fn divide_parts(&mut self, parts: &Parts, start: Difference) -> Result<Difference, NoPair> {
        let mode = self.mode;
        let mut outcome = |keep: &KeepList| -> Result<Outcome, Stop> {
            let program = self.with(&reductions(parts.edits(&parts.closed(keep))));
            self.outcome(&program)
        };
        Ok(dd(start, mode, &Difference::elements, &mut outcome)?)
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
