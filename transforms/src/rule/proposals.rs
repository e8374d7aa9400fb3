//! The collection that transforms add their reductions to.

use std::ops::Range;

use crate::halt;
use crate::rule::recount::Recount;
use crate::syntax::Source;
use crate::text::lex::{self, Kind};
use crate::text::splice::{leaves_space, leaves_space_behind};
use crate::text::{Edit, kept_between};

/// A reduction, of whichever transform proposes it.
pub(super) struct Proposal {
    /// The bytes that it is about.
    pub(super) site: Range<usize>,
    /// Its place among the alternatives of the site.
    pub(super) rank: usize,
    /// The changes; sorted, without overlaps.
    pub(super) edits: Vec<Edit>,
    /// How many tokens it removes.
    pub(super) gain: isize,
}

/// Collects what one transform proposes for one source. Proposals that would not make the program smaller are dropped,
/// unless they are made as trials.
pub struct Proposals<'s> {
    pub(super) source: &'s Source,
    pub(super) reductions: Vec<Proposal>,
    pub(super) trials: Vec<Proposal>,
    /// How many edits may still be proposed.
    room: usize,
    /// Where tokens need not end where they did before.
    recount: Option<Recount<'s>>,
}

/// How many edits the reductions of one transform may have, and how many more for each token of the program. A transform
/// with a program-wide reduction for each part would need quadratically many; no ordinary program needs a tenth of these.
const CATEGORY: usize = 100_000;
const ROOM_PER_TOKEN: usize = 4;

/// By how many tokens a trial may make the program larger.
const GROWTH: isize = 200;

/// A token of more bytes is a string or the like: its contents may change, and it is still one token.
const LONG: usize = 64;

impl<'s> Proposals<'s> {
    /// Room for what is proposed for `source`; `recounts` says that tokens need not end where they did.
    pub(super) fn of(source: &'s Source, recounts: bool) -> Self {
        let room = CATEGORY + ROOM_PER_TOKEN * source.tokens().len();
        let recount = recounts.then(|| Recount::of(source));
        Self { source, reductions: Vec::new(), trials: Vec::new(), room, recount }
    }

    /// Proposes to delete `site`.
    pub fn delete(&mut self, site: Range<usize>) {
        self.edit(site.clone(), vec![Edit::delete(site)]);
    }

    /// Proposes to replace `site` by `text`.
    pub fn replace(&mut self, site: Range<usize>, text: impl Into<String>) {
        self.edit(site.clone(), vec![Edit::replace(site, text)]);
    }

    /// Proposes to replace `site` by its part `kept`, so that reductions inside `kept` still compose with it.
    pub fn keep(&mut self, site: Range<usize>, kept: Range<usize>) {
        self.keep_between(site, "", kept, "");
    }

    /// Proposes to replace `site` by its part `kept` with `before` and `after` around it.
    pub fn keep_between(&mut self, site: Range<usize>, before: &str, kept: Range<usize>, after: &str) {
        self.edit(site.clone(), kept_between(site, before, kept, after));
    }

    /// Proposes a set of edits at `site`; edits that change nothing are left out.
    pub fn edit(&mut self, site: Range<usize>, edits: Vec<Edit>) {
        if let Some((proposal, true)) = self.proposal(site, edits) {
            push(&mut self.reductions, proposal);
        }
    }

    /// Proposes each of `alternatives`, sets of edits, at `site`.
    pub(crate) fn edit_any(&mut self, site: Range<usize>, alternatives: impl IntoIterator<Item = Vec<Edit>>) {
        alternatives.into_iter().for_each(|edits| self.edit(site.clone(), edits));
    }

    /// Proposes a set of edits at `site` that may make the program larger: it is tried whether other reductions make up
    /// for it. If it makes the program smaller at once, it is a proposal like any other.
    pub fn trial(&mut self, site: Range<usize>, edits: Vec<Edit>) {
        match self.proposal(site, edits) {
            Some((proposal, true)) => push(&mut self.reductions, proposal),
            Some((proposal, false)) if proposal.gain >= -GROWTH && !proposal.edits.is_empty() => {
                push(&mut self.trials, proposal);
            }
            _ => {}
        }
    }

    /// Whether there is no room for more: further proposals are dropped. Rules that look at pairs check this.
    pub fn is_full(&self) -> bool {
        self.room == 0
    }

    /// A proposal, and whether it makes the program smaller; `None` if there is no room for more.
    fn proposal(&mut self, site: Range<usize>, mut edits: Vec<Edit>) -> Option<(Proposal, bool)> {
        if self.is_full() {
            return None;
        }
        self.room = self.room.saturating_sub(edits.len().max(1));
        halt::step();
        let text = self.source.text();
        edits.retain(|edit| text[edit.range.clone()] != edit.text);
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        debug_assert!(
            edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start),
            "edits overlap: {edits:?}"
        );
        let (gain, bytes) = match &self.recount {
            // An unknown gain counts as none.
            Some(recount) => recount.gain(&edits).unwrap_or_default(),
            None => {
                let bytes = edits.iter().enumerate().map(|(index, edit)| self.bytes(edit, edits.get(index + 1)));
                (edits.iter().map(|edit| self.tokens(edit)).sum(), bytes.sum())
            }
        };
        let smaller = gain > 0 || gain == 0 && bytes > 0;
        Some((Proposal { site, rank: 0, edits, gain }, smaller))
    }

    fn tokens(&self, edit: &Edit) -> isize {
        let (text, tokens, range) = (self.source.text(), self.source.tokens(), &edit.range);
        let cut = |at: usize| lex::around(tokens, at).filter(|token| token.kind == Kind::Code);
        // Strings and comments are still that.
        if lex::is_inside(tokens, range) && cut(range.start).is_none_or(|token| token.range.len() > LONG) {
            return 0;
        }
        // The rest of a token that is cut is read together with the replacement.
        let before = cut(range.start).map_or("", |token| &text[token.range.start..range.start]);
        let after = cut(range.end).map_or("", |token| &text[range.end..token.range.end]);
        let left = match (before, after) {
            ("", "") => lex::count(&edit.text),
            _ => {
                let [first, second] = [leaves_space(text, tokens, edit), leaves_space_behind(text, tokens, edit)]
                    .map(|space| if space { " " } else { "" });
                lex::count(&[before, first, &edit.text, second, after].concat())
            }
        };
        // The token that is cut first begins before.
        (self.source.count(range) + usize::from(!before.is_empty())).cast_signed() - left.cast_signed()
    }

    /// How many bytes `edit` removes; `next` is the edit after it.
    fn bytes(&self, edit: &Edit, next: Option<&Edit>) -> isize {
        let (text, tokens) = (self.source.text(), self.source.tokens());
        let is_last = next.is_none_or(|next| next.range.start > edit.range.end);
        let before = leaves_space(text, tokens, edit);
        let after = is_last && leaves_space_behind(text, tokens, edit);
        let written = edit.text.len() + usize::from(before) + usize::from(after);
        edit.range.len().cast_signed() - written.cast_signed()
    }
}

/// Adds `proposal` as the last of the alternatives at its site, if it is not among them.
fn push(proposals: &mut Vec<Proposal>, mut proposal: Proposal) {
    let alternatives = || proposals.iter().rev().take_while(|other| other.site == proposal.site);
    if !alternatives().any(|other| other.edits == proposal.edits) {
        proposal.rank = alternatives().count();
        proposals.push(proposal);
    }
}
