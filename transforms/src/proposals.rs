//! Where transforms put their reductions.

use std::ops::Range;

use crate::edit::{Edit, Reduction};
use crate::halt;
use crate::hint::Hint;
use crate::lex::{self, Kind};
use crate::recount::Recount;
use crate::source::Source;
use crate::splice::{leaves_space, leaves_space_behind};
use crate::transform::{Rule, Transform};
use crate::tree::Tree;

/// Collects the reductions of one transform over one source. Proposals that would not make the program smaller are dropped,
/// unless they are made as trials.
pub struct Proposals<'s> {
    source: &'s Source,
    transform: &'static Transform,
    reductions: Vec<Reduction>,
    trials: Vec<Reduction>,
    /// How many edits may still be proposed.
    room: usize,
    /// Where tokens need not end where they did before.
    recount: Option<Recount<'s>>,
}

/// How many edits the reductions of one transform may have, and how many more for each token of the program. What changes
/// all of a program in as many ways as it has parts would make them quadratic; no ordinary program has a tenth of them.
const ROOM: usize = 100_000;
const ROOM_PER_TOKEN: usize = 4;

/// By how many tokens a trial may make the program larger.
const GROWTH: isize = 200;

/// A token of more bytes is a string or the like: what is inside of it may change, and it is one token still.
const LONG: usize = 64;

/// All reductions that `transform` proposes, in order. Each makes the program smaller.
#[must_use]
pub fn enumerate(tree: &Tree<'_>, transform: &'static Transform) -> Vec<Reduction> {
    propose(tree, transform, &[]).reductions
}

/// All that `transform` proposes for what a compiler, or a run, says of the program, in order. Each makes the program smaller.
#[must_use]
pub fn enumerate_told(tree: &Tree<'_>, transform: &'static Transform, hints: &[Hint]) -> Vec<Reduction> {
    propose(tree, transform, hints).reductions
}

/// All that `transform` proposes although the program is no smaller after it, in order: what may pay once it is reduced.
#[must_use]
pub fn enumerate_trials(tree: &Tree<'_>, transform: &'static Transform) -> Vec<Reduction> {
    propose(tree, transform, &[]).trials
}

fn propose<'s>(tree: &Tree<'s>, transform: &'static Transform, hints: &[Hint]) -> Proposals<'s> {
    let source = tree.source();
    let room = ROOM + ROOM_PER_TOKEN * source.tokens().len();
    let recount = matches!(transform.rule, Rule::Text(_)).then(|| Recount::of(source));
    let mut out = Proposals { source, transform, reductions: Vec::new(), trials: Vec::new(), room, recount };
    match transform.rule {
        Rule::Node(rule) => {
            for node in tree.nodes() {
                if out.is_full() {
                    break;
                }
                rule(node, &mut out);
            }
        }
        Rule::Tree(rule) => rule(tree, &mut out),
        Rule::Text(rule) => rule(source, &mut out),
        Rule::Told(rule) | Rule::Observed(rule) => hints.iter().for_each(|hint| rule(hint, &mut out)),
    }
    out
}

impl Proposals<'_> {
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
        let edits = vec![Edit::replace(site.start..kept.start, before), Edit::replace(kept.end..site.end, after)];
        self.edit(site, edits);
    }

    /// Proposes a set of edits at `site`; edits that change nothing are left out.
    pub fn edit(&mut self, site: Range<usize>, edits: Vec<Edit>) {
        if self.is_full() {
            return;
        }
        self.room = self.room.saturating_sub(edits.len().max(1));
        let (reduction, smaller) = self.reduction(site, edits);
        if smaller {
            push(&mut self.reductions, reduction);
        }
    }

    /// Proposes a set of edits at `site` that may make the program larger: it is tried whether other reductions make up
    /// for it. If it makes the program smaller at once, it is a proposal like any other.
    pub fn trial(&mut self, site: Range<usize>, edits: Vec<Edit>) {
        if self.is_full() {
            return;
        }
        self.room = self.room.saturating_sub(edits.len().max(1));
        let (reduction, smaller) = self.reduction(site, edits);
        if smaller {
            push(&mut self.reductions, reduction);
        } else if reduction.gain >= -GROWTH && !reduction.edits.is_empty() {
            push(&mut self.trials, reduction);
        }
    }

    /// Whether there is no room for more: what is proposed now is dropped. A rule that looks at each pair of something asks.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.room == 0
    }

    /// A reduction, and whether it makes the program smaller.
    fn reduction(&self, site: Range<usize>, mut edits: Vec<Edit>) -> (Reduction, bool) {
        halt::step();
        let text = self.source.text();
        edits.retain(|edit| text[edit.range.clone()] != edit.text);
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        debug_assert!(
            edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start),
            "edits overlap: {edits:?}"
        );
        let (gain, bytes) = match &self.recount {
            // What cannot be told is not proposed.
            Some(recount) => recount.gain(&edits).unwrap_or_default(),
            None => {
                let bytes = edits.iter().enumerate().map(|(index, edit)| self.bytes(edit, edits.get(index + 1)));
                (edits.iter().map(|edit| self.tokens(edit)).sum(), bytes.sum())
            }
        };
        let smaller = gain > 0 || gain == 0 && bytes > 0;
        (Reduction { transform: self.transform, site, rank: 0, edits, gain }, smaller)
    }

    /// How many tokens `edit` takes away.
    fn tokens(&self, edit: &Edit) -> isize {
        let (text, tokens, range) = (self.source.text(), self.source.tokens(), &edit.range);
        let cut = |at: usize| lex::around(tokens, at).filter(|token| token.kind == Kind::Code);
        // Strings and comments are still that.
        if lex::is_inside(tokens, range) && cut(range.start).is_none_or(|token| token.range.len() > LONG) {
            return 0;
        }
        // What is left of a token that is cut is read with what comes in the place of the rest.
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

    /// How many bytes `edit` takes away, which `next` follows.
    fn bytes(&self, edit: &Edit, next: Option<&Edit>) -> isize {
        let (text, tokens) = (self.source.text(), self.source.tokens());
        let is_last = next.is_none_or(|next| next.range.start > edit.range.end);
        let before = leaves_space(text, tokens, edit);
        let after = is_last && leaves_space_behind(text, tokens, edit);
        let written = edit.text.len() + usize::from(before) + usize::from(after);
        edit.range.len().cast_signed() - written.cast_signed()
    }

    /// Whether the source has a text at `range`.
    pub(crate) fn is_text(&self, range: &Range<usize>) -> bool {
        self.source.text().get(range.clone()).is_some()
    }

    /// The text of the source at `range`.
    #[must_use]
    pub fn text(&self, range: Range<usize>) -> &str {
        &self.source.text()[range]
    }
}

/// Adds `reduction` as the last of the alternatives at its site, if it is not among them.
fn push(reductions: &mut Vec<Reduction>, mut reduction: Reduction) {
    let alternatives = || reductions.iter().rev().take_while(|other| other.site == reduction.site);
    if !alternatives().any(|other| other.edits == reduction.edits) {
        reduction.rank = alternatives().count();
        reductions.push(reduction);
    }
}
