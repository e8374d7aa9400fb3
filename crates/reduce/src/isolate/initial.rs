//! Finds the first pair: coarse reductions that together make the program pass.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use mcve_transforms::{Analysis, Dependencies, Mutable, Node, Reduction, Syntax, Tree, Understanding, covers, range};
use syn::{ImplItem, Item};

use super::divide::{Needs, Universe};
use super::pair::{IsolationPair, is_same};
use crate::check::limits::Stop;
use crate::check::mutants::passing_mutants;
use crate::check::queries::reaches;
use crate::check::refusal::Refusal;
use crate::check::suspects::sort_suspects;
use mcve_dd::general::Mode;
use mcve_dd::outcome::Outcome;
use mcve_dd::precondition::{Precondition, Stopped};

/// The families of transforms for likely mistakes in a function that computes a value.
const PIECES: [&str; 6] = ["stmts", "control", "boolean", "hoist", "lists", "optional"];

/// The number of changes that are offered.
const OFFERED: usize = 3;

/// Of so many changes that pass, the best are taken.
const PASSING: usize = 6;

/// So many changes are checked behind the first good one.
const LATER: usize = 12;

/// Programs in which nothing can be wrong.
const EMPTY: [&str; 2] = ["", "fn main() {}\n"];

/// Why there is no pair.
#[derive(Debug)]
pub enum NoPair {
    /// The program does not fail, or not always, or there was no verdict; or the search had to stop before a version passed.
    Baseline(Refusal),
    /// Even an empty program fails.
    EmptyFails,
    /// The program fails as long as anything is left that transforms cannot remove, and is unresolved without it.
    NothingPasses,
}

impl From<Stop> for NoPair {
    fn from(stop: Stop) -> Self {
        Self::Baseline(Refusal::Stop(stop))
    }
}

impl From<Stopped<Stop>> for NoPair {
    fn from(stopped: Stopped<Stop>) -> Self {
        match stopped {
            Stopped::Tester(stop) => stop.into(),
            Stopped::Precondition(Precondition::NotPassing) => Self::EmptyFails,
            Stopped::Precondition(_) => Self::NothingPasses,
        }
    }
}

impl IsolationPair<'_> {
    /// Looks for a first program that passes: without a small piece where the values are wrong that the program computes, else
    /// without the bodies of functions, without items, without anything.
    pub(crate) fn begin(&mut self) -> Result<(), NoPair> {
        let mut stopped = self.pieces();
        for first in [Self::bodies, Self::items, Self::lines] {
            if stopped.is_ok() && !self.is_paired() {
                stopped = first(self);
            }
        }
        match stopped {
            // A pair that was found before the search had to stop is a result.
            Err(stop) => return Err(stop.into()),
            Ok(()) if self.is_paired() => return Ok(()),
            Ok(()) => {}
        }
        for text in EMPTY {
            let empty = self.base.with_text(text);
            if self.outcome(&empty)? == Outcome::Fail {
                return Err(NoPair::EmptyFails);
            }
        }
        Err(NoPair::NothingPasses)
    }

    /// Small changes of a program that is run: of the literals of `main` and of the code, then pieces of functions, one by one
    /// from the smallest, as a program that lacks more than one may compute nothing.
    fn pieces(&mut self) -> Result<(), Stop> {
        let properties = self.checks.oracle().properties();
        if !properties.holds_values && !properties.is_of_run {
            return Ok(());
        }
        let is_reached = reaches(&mut self.checks, &self.base)?;
        let mut pieces = self.proposals(&PIECES)?;
        pieces.retain(|piece| is_reached(&piece.site));
        // What makes a program fail is its input first, and a repair is one of its code.
        let order = [Mutable::Input, Mutable::Code];
        for mutable in if self.mode == Mode::Isolate { order } else { [order[1], order[0]] } {
            let passing = passing_mutants(&mut self.checks, &self.base, mutable, &is_reached, Duration::MAX)?;
            let mut mutants = passing.mutants;
            sort_suspects(&self.base.text, &mut mutants);
            if self.take_first_that_passes(mutants)? {
                return Ok(());
            }
        }
        // What only takes away reads as a repair.
        pieces.sort_by_key(|piece| (piece.edits.iter().any(|edit| !edit.text.is_empty()), piece.gain));
        self.take_first_that_passes(pieces)?;
        Ok(())
    }

    /// Makes the first of these pieces the difference with which the program passes and no test fails that passed before, or else the one
    /// that breaks the fewest tests among the first that pass; whether there is one. Others that are as good are remembered.
    fn take_first_that_passes(&mut self, pieces: Vec<Reduction>) -> Result<bool, Stop> {
        let (mut passing, mut later): (Vec<(usize, Reduction)>, usize) = (Vec::new(), 0);
        for piece in pieces {
            later += usize::from(passing.iter().any(|(broken, _)| *broken == 0));
            if later > LATER {
                break;
            }
            self.checks.proceed()?;
            let program = self.with([&piece]);
            if passing.iter().any(|(_, other)| other.site == piece.site)
                || self.checks.oracle().as_run().is_some_and(|run| !run.may_pass(&program))
                || self.outcome(&program)? != Outcome::Pass
            {
                continue;
            }
            passing.push((self.broken_tests(&program)?.len(), piece));
            let good = passing.iter().filter(|(broken, _)| *broken == 0).count();
            if good == OFFERED || passing.len() == PASSING {
                break;
            }
        }
        passing.sort_by_key(|(broken, _)| *broken);
        let least = passing.first().map_or(0, |(broken, _)| *broken);
        let mut best = passing.into_iter().filter(|(broken, _)| *broken == least).map(|(_, piece)| piece);
        let Some(first) = best.next() else { return Ok(false) };
        self.difference = vec![first];
        self.others = best.take(OFFERED - 1).collect();
        Ok(true)
    }

    /// Bodies of functions, then values of constants and statics: none of them is needed by anything else.
    fn bodies(&mut self) -> Result<(), Stop> {
        let bodies = first_alternatives(self.proposals(&["replace-body", "replace-opaque-body"])?);
        self.divide_all(bodies)?;
        if self.is_paired() {
            return Ok(());
        }
        let values = first_alternatives(self.proposals(&["replace-by-value"])?);
        let source = Rc::clone(&self.source);
        let sites = initialisers(&Tree::new(&source));
        self.divide_all(values.into_iter().filter(|value| sites.contains(&value.site)).collect())
    }

    /// Items, with what they need; then those and the attributes of the file.
    fn items(&mut self) -> Result<(), Stop> {
        let source = Rc::clone(&self.source);
        for more in [&[][..], &["attrs"]] {
            let names = ["items", "delete-use-leaf"].into_iter().chain(more.iter().copied());
            let mut reductions = first_alternatives(self.proposals(&names.collect::<Vec<_>>())?);
            let tree = Tree::new(&source);
            let main = main(&tree);
            // A program may be none without its main function, whose body can go.
            let bodies = self.proposals(&["replace-body"])?;
            let of_main = bodies.into_iter().find(|body| main.as_ref().is_some_and(|main| covers(main, &body.site)));
            let is_shared = |body: &Reduction| self.shared.iter().any(|shared| shared.site == body.site);
            let body = of_main.filter(|body| !is_shared(body));
            reductions.extend(self.shared.iter().cloned().chain(body.clone()));
            reductions.sort_by_key(|reduction| (reduction.site.start, std::cmp::Reverse(reduction.site.end)));
            reductions.dedup_by(|one, other| is_same(one, other));
            let sites: Vec<_> = reductions.iter().map(|reduction| reduction.site.clone()).collect();
            let dependencies = Dependencies::of(&Analysis::of(&tree), &sites);
            let pinned: Vec<usize> = (0..sites.len()).filter(|&index| Some(&sites[index]) == main.as_ref()).collect();
            let close = |roots: &[usize]| dependencies.closure(&[&pinned, roots].concat());
            let mut roots = dependencies.needed_first();
            roots.retain(|root| !pinned.contains(root));
            roots.extend(body.and_then(|body| sites.iter().position(|site| *site == body.site)));
            // Those that are shared are applied in any case, as nothing needs a body: they are there for what they mention.
            let needs = Some(Needs { roots, close: &close });
            let outcome = self.divide_if_it_passes(&Universe { reductions: reductions.clone(), needs })?;
            if outcome != Outcome::Pass {
                // What is there without being needed by name may be what fails.
                reductions.retain(|reduction| Some(&reduction.site) != main.as_ref());
                self.divide_all(reductions)?;
            }
            if self.is_paired() {
                break;
            }
        }
        Ok(())
    }

    /// Token trees, lines and characters, where nothing parses.
    fn lines(&mut self) -> Result<(), Stop> {
        if self.source.understanding() == Understanding::Full {
            return Ok(());
        }
        self.divide_all(first_alternatives(self.proposals(&["token-trees", "lines"])?))
    }

    fn divide_all(&mut self, reductions: Vec<Reduction>) -> Result<(), Stop> {
        self.divide_if_it_passes(&Universe { reductions, needs: None }).map(drop)
    }

    /// Divides `universe` if all of it together makes the program pass. What fails all the same is shared.
    fn divide_if_it_passes(&mut self, universe: &Universe<'_>) -> Result<Outcome, Stop> {
        if universe.reductions.is_empty() {
            return Ok(Outcome::Unresolved);
        }
        let least = self.without(&universe.reductions, &universe.least());
        let outcome = self.outcome(&least)?;
        let is_worth = outcome == Outcome::Pass || outcome == Outcome::Fail && self.mode == Mode::Isolate;
        if is_worth { self.divide(universe) } else { Ok(outcome) }
    }
}

/// Of several alternatives for one site the first.
pub(super) fn first_alternatives(mut reductions: Vec<Reduction>) -> Vec<Reduction> {
    reductions.retain(|reduction| reduction.rank == 0);
    reductions
}

/// The bytes of the main function at the root of the file.
fn main(tree: &Tree<'_>) -> Option<Range<usize>> {
    let is_main = |syntax: Syntax<'_>| matches!(syntax, Syntax::Item(Item::Fn(item)) if item.sig.ident == "main");
    let mut items = tree.nodes().filter(|node| node.parent().is_some_and(|parent| parent.parent().is_none()));
    items.find(|node| is_main(node.syntax())).map(Node::range)
}

/// The bytes of the values of constants and statics.
fn initialisers(tree: &Tree<'_>) -> HashSet<Range<usize>> {
    let value = |node: Node<'_>| match node.syntax() {
        Syntax::Item(Item::Const(item)) => Some(range(&item.expr)),
        Syntax::Item(Item::Static(item)) => Some(range(&item.expr)),
        Syntax::ImplItem(ImplItem::Const(item)) => Some(range(&item.expr)),
        _ => None,
    };
    tree.nodes().filter_map(value).collect()
}
