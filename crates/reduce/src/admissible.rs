//! Decides which reductions keep the failure meaningful: some would make every check hang, others would fake the failing value or
//! fail elsewhere, and some would produce code that is unnatural in a question about an error.

mod data;
mod reason;

use std::ops::Range;

use mcve_transforms::{Decisions, Divergence, Reduction, Regions, Rule, Syntax, Tree, range, tokens};
use syn::{ImplItem, Item, TraitItem};

use self::data::{Data, STRING_PART};
use self::reason::{Abi, makes_up_value};
use crate::oracle::{Oracle, Properties};
use crate::program::Program;

/// The macro that replaces a loop.
const PANIC: &str = "panic!";

/// Attributes that remove `panic!`, among others.
const NO_PRELUDE: [&str; 2] = ["no_core", "no_implicit_prelude"];

/// Transforms whose results are unnatural in a question about an error: they add a trait that the program does not name, or
/// leave a variable without a value, which is an error behind another one.
const UNNATURAL: [&str; 4] = ["drop-initialiser", "substitute-trait", "trait-to-from", "trait-to-iterator"];

/// Decides which reductions keep the failure meaningful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Admissible {
    loops: Loops,
    /// Whether the failing value has to be computed, and not faked.
    holds_values: bool,
    /// Whether what decides in a run stays: branches and conditions.
    holds_decisions: bool,
    /// Whether the program runs, so that undefined behaviour may be another failure.
    is_of_run: bool,
    /// Whether all blocks are known to run, so that a panic in them is another failure.
    pub(super) all_runs: bool,
    /// Whether a person asks about what fails, and reads the result.
    is_question: bool,
    /// Whether only the data of a program that runs are reduced.
    pub(super) is_of_data: bool,
}

/// How reductions that put an endless loop into the program are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loops {
    /// They are admitted: the program is not run.
    Fine,
    /// `todo!()` replaces the loop, which would be unnatural in a question about the program.
    Todo,
    /// A panic replaces the loop, which would make its check hang.
    Panic,
    /// Only a loop in the place of a panic, which is never reached: elsewhere it would be reached as the panic was.
    ForPanic,
}

impl Admissible {
    /// The rules for the failure of `program` that `oracle` judges.
    pub(super) fn of(oracle: &dyn Oracle, program: &Program) -> Self {
        // Without the prelude there is no `panic!`.
        let is_bare =
            || tokens(&program.text).iter().any(|token| NO_PRELUDE.contains(&&program.text[token.range.clone()]));
        let Properties { runs_candidates, holds_values, holds_decisions, is_of_run, is_question, .. } =
            oracle.properties();
        let loops = match runs_candidates {
            true if !is_bare() => Loops::Panic,
            false if is_question && !is_bare() => Loops::Todo,
            _ => Loops::Fine,
        };
        Self { loops, holds_values, holds_decisions, is_of_run, all_runs: false, is_question, is_of_data: false }
    }

    /// Also admits endless loops in the place of panics; none if loops were not put off.
    pub(super) fn with_loops(self) -> Option<Self> {
        (self.loops == Loops::Panic).then_some(Self { loops: Loops::ForPanic, ..self })
    }

    /// Whether a macro replaces each endless loop that a reduction makes.
    pub(super) fn rewrites_loops(self) -> bool {
        self.loops != Loops::Fine
    }

    /// A reduction as a trial, if the macro that replaces its loop is so long that the program does not become smaller.
    pub(super) fn trial(self, reduction: Reduction) -> Option<Reduction> {
        let is_longer = reduction.clone().diverging_by(Divergence::Todo).is_none();
        is_longer.then(|| Reduction { gain: reduction.gain.min(0), ..reduction })
    }

    /// Filters and rewrites `reductions` of `tree`; calls `refused` with each that goes, and the reason.
    pub(super) fn apply(
        self,
        tree: &Tree<'_>,
        reductions: impl Iterator<Item = Reduction>,
        refused: &mut dyn FnMut(&Reduction, &'static str),
    ) -> Vec<Reduction> {
        let text = tree.source().text();
        let skippable = self.all_runs.then(|| Regions::skippable(tree));
        let is_reached = |site: usize| skippable.as_ref().is_some_and(|skippable| !skippable.contain(site));
        let is_known = |reduction: &Reduction| matches!(reduction.transform.rule, Rule::Covered(_));
        let decisions = if self.holds_decisions { Decisions::of(tree) } else { Decisions::default() };
        let data = self.is_of_data.then(|| Data::of(tree));
        let abi = if self.is_of_run { Abi::of(tree) } else { Abi::default() };
        let functions = if self.is_question { Functions::of(tree) } else { Functions::default() };
        let why_not = |reduction: &Reduction| {
            if reduction.is_endless() && !is_known(reduction) && is_reached(reduction.site.start) {
                return Some("a run comes by and would end there");
            }
            if data.as_ref().is_some_and(|data| !data.may_lose(reduction, !self.holds_decisions)) {
                return Some("the code stays while the data of the test get smaller");
            }
            if data.is_none() && reduction.transform.name == STRING_PART {
                return Some("strings lose characters only while the data of the test get smaller");
            }
            // The reader of the result recognises the code by its names.
            if self.holds_values && reduction.transform.name == "rename" {
                return Some("the code that fails has to be recognised");
            }
            if self.holds_values && !self.is_of_data && makes_up_value(text, reduction) {
                return Some("it would make up a value that the program has to compute");
            }
            if abi.is_changed_by(reduction) {
                return Some("unsafe code may rely on it, and the compiler does not check that");
            }
            if decisions.are_left_out_by(reduction) {
                return Some("it would leave out what decides in the run, and no change is known that shows the cause");
            }
            let is_unnatural = self.is_question && !is_natural(reduction, &functions);
            is_unnatural.then_some("of an error, no trait becomes another, no variable loses its value, and no function begins to call itself")
        };
        let mut admitted = Vec::new();
        for reduction in reductions {
            if let Some(reason) = why_not(&reduction) {
                refused(&reduction, reason);
                continue;
            }
            if self.loops == Loops::Fine || !reduction.is_endless() {
                admitted.push(reduction);
                continue;
            }
            let divergence = if self.loops == Loops::Todo { Divergence::Todo } else { Divergence::Panic };
            let stays = self.loops == Loops::ForPanic && text[reduction.site.clone()].contains(PANIC);
            let diverging = reduction.clone().diverging_by(divergence);
            if diverging.is_none() && !stays {
                refused(&reduction, "with a macro in the place of its endless loop it would not be smaller");
            }
            admitted.extend(diverging);
            admitted.extend(stays.then_some(reduction));
        }
        admitted
    }
}

/// Whether the result of a reduction is natural: no new trait, no variable without a value, no new recursion.
fn is_natural(reduction: &Reduction, functions: &Functions<'_>) -> bool {
    let calls = |text: &str, name: &str| {
        let mut rest = text.split(name);
        let mut before = rest.next().unwrap_or_default();
        rest.any(|after| {
            let is_word = !before.ends_with(|c: char| c == '_' || c.is_alphanumeric());
            before = after;
            is_word && after.starts_with('(')
        })
    };
    // Most edits are deletions.
    let calling = reduction.edits.iter().filter(|edit| edit.text.contains('('));
    let mut around = calling.flat_map(|edit| functions.around(&edit.range).map(move |name| (edit, name)));
    !UNNATURAL.contains(&reduction.transform.name) && !around.any(|(edit, name)| calls(&edit.text, name))
}

/// The functions of a program, in source order.
#[derive(Default)]
struct Functions<'t>(Vec<Function<'t>>);

struct Function<'t> {
    range: Range<usize>,
    name: &'t str,
    /// The function around it.
    outer: Option<usize>,
}

impl<'t> Functions<'t> {
    fn of(tree: &'t Tree<'_>) -> Self {
        let named = tree.nodes().filter_map(|node| match node.syntax() {
            Syntax::Item(Item::Fn(function)) => Some((node, &function.sig)),
            Syntax::ImplItem(ImplItem::Fn(function)) => Some((node, &function.sig)),
            Syntax::TraitItem(TraitItem::Fn(function)) => Some((node, &function.sig)),
            _ => None,
        });
        let mut functions = Self::default();
        for (node, signature) in named {
            let outer = functions.last_around(&node.range());
            functions.0.push(Function { range: node.range(), name: node.text_at(range(&signature.ident)), outer });
        }
        functions
    }

    /// The innermost function around `range`.
    fn last_around(&self, range: &Range<usize>) -> Option<usize> {
        let before = self.0.partition_point(|function| function.range.start < range.start).checked_sub(1);
        std::iter::successors(before, |&index| self.0[index].outer).find(|&index| range.end <= self.0[index].range.end)
    }

    /// The names of the functions around `range`, from the inside out.
    fn around(&self, range: &Range<usize>) -> impl Iterator<Item = &'t str> {
        std::iter::successors(self.last_around(range), |&index| self.0[index].outer).map(|index| self.0[index].name)
    }
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Analysis, Source, Tree, enumerate, named};

    use super::*;

    /// Admits everything.
    const ALL: Admissible = Admissible {
        loops: Loops::Fine,
        holds_values: false,
        holds_decisions: false,
        is_of_run: false,
        all_runs: false,
        is_question: false,
        is_of_data: false,
    };

    /// Checks the results of value transforms on `text` if values are held.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let transforms = ["decide-condition", "replace-by-value", "return-value"].into_iter().flat_map(named);
        let fitting = Admissible { loops: Loops::Panic, holds_values: true, ..ALL };
        let proposed = transforms.flat_map(|transform| enumerate(&names, transform));
        let fit = fitting.apply(&tree, proposed, &mut |_, _| {});
        let made: Vec<String> = fit.iter().map(|reduction| mcve_transforms::apply(text, [reduction])).collect();
        assert_eq!(made, expected);
    }

    #[test]
    fn what_is_computed_is_not_made_up() {
        check("fn f(a: u8) -> u8 { g(a) + a }", &["fn f(a: u8) -> u8 { panic!() }"]);
        check("fn f(a: u8) { while a > 1 {} }", &[]);
        check("fn f() -> u16 { let a: u16 = 1234 + 7; a }", &["fn f() -> u16 { let a: u16 = panic!(); a }"]);
    }

    #[test]
    fn what_a_macro_makes_no_smaller_is_a_trial() {
        let text = "fn f() -> A { let a: A = g(1, 2); Ok(a) }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let proposed = enumerate(&names, named("replace-by-value")[0]);
        let fitting = Admissible { loops: Loops::Todo, ..ALL };
        let trials = proposed.into_iter().filter_map(|reduction| fitting.trial(reduction));
        let made: Vec<_> = fitting
            .apply(&tree, trials, &mut |_, _| {})
            .iter()
            .map(|trial| mcve_transforms::apply(text, [trial]))
            .collect();
        assert_eq!(made, ["fn f() -> A { let a: A = g(1, 2); todo!() }"]);
    }

    #[test]
    fn what_runs_gets_no_panic() {
        let source = Source::parse("fn f() -> u8 { x(1 + 2, 3, 4) } fn g() -> bool { a(5) && b(1, 2, 3) }");
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let fit = |all_runs: bool| {
            let transforms = ["replace-body", "replace-by-value"].into_iter().flat_map(named);
            let proposed = transforms.flat_map(|transform| enumerate(&names, transform));
            let fitting = Admissible { loops: Loops::Panic, all_runs, ..ALL };
            let fit = fitting.apply(&tree, proposed, &mut |_, _| {});
            let panics =
                fit.into_iter().filter(|reduction| reduction.edits.iter().any(|edit| edit.text.contains(PANIC)));
            panics.map(|reduction| source.text()[reduction.site].to_owned()).collect::<Vec<_>>()
        };
        assert!(fit(false).contains(&"{ x(1 + 2, 3, 4) }".to_owned()), "{:?}", fit(false));
        assert!(fit(true).iter().all(|site| site.starts_with('b')), "{:?}", fit(true));
    }
}
