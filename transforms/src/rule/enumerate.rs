//! Asks transforms for their reductions.

use super::proposals::{Proposal, Proposals};
use super::reduction::Reduction;
use super::transform::{Hint, Rule, Transform};
use crate::names::Analysis;

/// All reductions that `transform` proposes, in order. Each makes the program smaller.
pub fn enumerate(names: &Analysis<'_>, transform: &'static Transform) -> Vec<Reduction> {
    reductions(transform, propose(names, transform.rule, &[]).reductions)
}

/// All reductions that `transform` proposes for hints of a compiler or a run, in order. Each makes the program smaller.
pub fn enumerate_hinted(names: &Analysis<'_>, transform: &'static Transform, hints: &[Hint]) -> Vec<Reduction> {
    reductions(transform, propose(names, transform.rule, hints).reductions)
}

/// All reductions of `transform` that do not make the program smaller, in order: they may pay off after further reduction.
pub fn enumerate_trials(names: &Analysis<'_>, transform: &'static Transform) -> Vec<Reduction> {
    reductions(transform, propose(names, transform.rule, &[]).trials)
}

fn propose<'s>(names: &Analysis<'s>, rule: Rule, hints: &[Hint]) -> Proposals<'s> {
    let source = names.source();
    let mut out = Proposals::of(source, matches!(rule, Rule::Text(_)));
    match rule {
        Rule::Node(rule) => {
            for node in names.nodes() {
                if out.is_full() {
                    break;
                }
                rule(node, &mut out);
            }
        }
        Rule::Tree(rule) => rule(names, &mut out),
        Rule::Text(rule) => rule(source, &mut out),
        Rule::Hinted(rule) | Rule::Observed(rule) | Rule::Covered(rule) => {
            hints.iter().for_each(|hint| rule(hint, &mut out))
        }
    }
    out
}

fn reductions(transform: &'static Transform, proposals: Vec<Proposal>) -> Vec<Reduction> {
    let reduction = |Proposal { site, rank, edits, gain }: Proposal| Reduction { transform, site, rank, edits, gain };
    proposals.into_iter().map(reduction).collect()
}
