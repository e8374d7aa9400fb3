//! The reductions that transforms propose for a program.

use std::cmp::Reverse;
use std::rc::Rc;
use std::sync::Arc;

use mcve_transforms::{Analysis, Reduction, Source, Transform, Tree};

use super::recent::Recent;
use crate::admissible::Admissible;
use crate::check::limits::{Clock, Stop};
use crate::program::ContentHash;

/// So many reductions are kept, of several programs.
const KEPT: usize = 1 << 16;

/// The latest proposals. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Proposed(Recent<ProposalKey, Arc<[Reduction]>>);

impl Default for Proposed {
    fn default() -> Self {
        Self(Recent::new(KEPT, |reductions| reductions.len() + 1))
    }
}

/// Everything that determines proposals that need no feedback.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ProposalKey {
    text: ContentHash,
    transforms: Vec<&'static str>,
    admissible: Admissible,
    /// Whether the program has to be smaller after it.
    shrinks: bool,
}

/// Enumerates the reductions that one transform proposes for a tree.
pub(super) type Enumerate<'e> = dyn Fn(&Analysis<'_>, &'static Transform) -> Vec<Reduction> + 'e;

/// A program for which transforms propose reductions.
pub(super) struct Subject {
    pub(super) source: Rc<Source>,
    pub(super) transforms: Vec<&'static Transform>,
    /// Which reductions keep the failure meaningful.
    pub(super) admissible: Admissible,
    /// Ends the work when the search has to stop.
    pub(super) clock: Clock,
}

impl Subject {
    /// The admissible reductions in source order; calls `refused` with each other one, and the reason.
    pub(super) fn propose(
        self,
        enumerate: &Enumerate<'_>,
        refused: &mut dyn FnMut(&Reduction, &'static str),
    ) -> Result<Vec<Reduction>, Stop> {
        let Self { source, transforms, admissible, clock } = self;
        clock.in_time(|| {
            let tree = Tree::new(&source);
            let names = Analysis::of(&tree);
            let reductions = transforms.into_iter().flat_map(|transform| enumerate(&names, transform));
            let mut reductions = admissible.apply(&tree, reductions, refused);
            reductions.sort_by_key(|reduction| (reduction.site.start, Reverse(reduction.site.end)));
            reductions
        })
    }
}

impl Proposed {
    /// The proposals for the text with this hash, kept ones if there are. `enumerate` depends on the tree and `shrinks` only.
    pub(super) fn get_or(
        &self,
        text: ContentHash,
        subject: Subject,
        shrinks: bool,
        enumerate: &Enumerate<'_>,
    ) -> Result<Vec<Reduction>, Stop> {
        let transforms = subject.transforms.iter().map(|transform| transform.name).collect();
        let key = ProposalKey { text, transforms, admissible: subject.admissible, shrinks };
        Ok(self.0.try_get_or(key, || subject.propose(enumerate, &mut |_, _| {}).map(Arc::from))?.to_vec())
    }
}
