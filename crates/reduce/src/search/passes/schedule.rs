//! The order of work, as one table: from what takes away much at once to what polishes.

use std::sync::Arc;

use mcve_transforms::{Naming, PassName, Transform};

use crate::check::limits::Stop;
use crate::search::filters::Filters;
use crate::sentence::Sentences;
use mcve_dd::ddmin::ddmin;
use mcve_dd::tester::Shrink;

/// How the reductions of a pass are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All at once, then by delta debugging.
    Sets,
    /// By delta debugging over the outermost reductions, then those inside the rest, and so on: hierarchical delta
    /// debugging (Misherghi and Su, *HDD*, 2006).
    Levels,
    /// By delta debugging over the levels of each deep nest: a part gives way to any in it.
    Nests,
    /// The tests that are not the one that fails, and documentation, which may hold some: all at once.
    OtherTests,
    /// What a run reaches is kept with what it needs, by names and by the errors of a compiler.
    Running,
    /// The items that the failure names are kept with those that they need by name: slices, the smallest first.
    Focus,
    /// Binary reduction: the rest keeps the items that it needs by name.
    Bisection,
    /// By delta debugging, where the rest keeps the items that it needs by name.
    Closed,
    /// One after the other: where few are likely to go together.
    OneByOne,
    /// All that compile together at once, then as [`Sets`](Self::Sets).
    Compiling,
    /// The code that a compiler reports as unused: all at once, then a lint at a time, then parts of that.
    Hints,
    /// By delta debugging over the runs of one compiled program, in which each can be switched off: all that is found at once.
    Switches,
}

impl Strategy {
    /// One sentence for the user.
    pub fn about(self) -> &'static str {
        match self {
            Self::Sets => "Try all at once, then sets of them by delta debugging.",
            Self::Compiling => "Try all at once that compile together, then sets of them by delta debugging.",
            Self::Levels => "Try the outermost first, then those inside what is left, by delta debugging.",
            Self::Nests => "Take levels of deep nests away, by delta debugging.",
            Self::OtherTests => "Delete the tests that do not fail, and documentation.",
            Self::Running => "Keep what runs, with what that needs, and delete the rest.",
            Self::Focus => "Keep what the failure names, with what that needs, and delete the rest.",
            Self::Bisection => "Look for one item that suffices, with what it needs, by halving.",
            Self::Closed => "Delete items together with what refers to them, by delta debugging.",
            Self::OneByOne => "Try one after the other.",
            Self::Hints => "Delete what rustc calls unused, and follow its suggestions.",
            Self::Switches => {
                "Switch sets of them off in runs of one compiled program, then delete what is not needed."
            }
        }
    }
}

/// A line of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// One word, that `--skip`, `--only` and `mcve explain` take.
    pub name: &'static str,
    /// The name by which transforms select the passes that try them.
    pub of: PassName,
    /// How.
    pub strategy: Strategy,
    /// Whether those behind it are the fine ones.
    pub ends_coarse: bool,
    /// Whether a small gain sends the search back, as it makes much that stands elsewhere superfluous.
    pub unlocks: bool,
}

const fn pass(of: PassName, strategy: Strategy) -> Pass {
    Pass { name: of.as_str(), of, strategy, ends_coarse: false, unlocks: false }
}

/// The passes of a search.
#[derive(Clone)]
pub struct Schedule {
    /// Those that shrink the program, from coarse to fine.
    pub coarse_to_fine: Vec<Pass>,
    /// Those that come last.
    pub last: Vec<Pass>,
    /// How lists of reductions are shrunk.
    pub algorithm: Shrink<Stop>,
    /// Which candidates are left to the proof.
    pub filters: Filters,
    /// The grammar of a text that is not Rust, of which each candidate is a sentence.
    pub sentences: Option<Arc<Sentences>>,
    /// The names of the result.
    pub naming: Naming,
}

impl Default for Schedule {
    fn default() -> Self {
        let (coarse_to_fine, last) = (COARSE_TO_FINE.to_vec(), LAST.to_vec());
        let (filters, naming) = (Filters::default(), Naming::default());
        Self { coarse_to_fine, last, algorithm: ddmin, filters, sentences: None, naming }
    }
}

impl Pass {
    /// The transforms that the pass names.
    pub fn transforms(&self) -> Vec<&'static Transform> {
        self.of.transforms()
    }

    /// What the pass does, in words that follow "mcve is".
    pub const fn doing(&self) -> &'static str {
        match self.strategy {
            Strategy::OtherTests => "removing the other tests",
            Strategy::Running => "finding what the run needs",
            _ => self.of.doing(),
        }
    }
}

impl Schedule {
    /// Drops the passes that `keep` refuses.
    pub fn retain(&mut self, keep: impl Fn(&Pass) -> bool) {
        self.coarse_to_fine.retain(&keep);
        self.last.retain(&keep);
    }

    /// All passes.
    pub fn all(&self) -> Vec<Pass> {
        self.coarse_to_fine.iter().chain(&self.last).copied().collect()
    }
}

/// The passes that shrink the program, from coarse to fine.
pub const COARSE_TO_FINE: &[Pass] = &[
    // A deep nest makes all that follows slow, and no other pass knows that its levels are a list.
    pass(PassName::Nesting, Strategy::Nests),
    // Nobody misses them, and each check compiles them.
    pass(PassName::Items, Strategy::OtherTests),
    pass(PassName::Attributes, Strategy::OtherTests),
    // What did not run goes in one check, where the program is run: all that follows is sooner.
    pass(PassName::Coverage, Strategy::Compiling),
    pass(PassName::Focus, Strategy::Running),
    // One file is less for everything that follows, and hardly a failure needs more.
    pass(PassName::Files, Strategy::Sets),
    pass(PassName::Text, Strategy::Sets),
    pass(PassName::Focus, Strategy::Focus),
    // Behind what deletes most of a large program: it compiles the program twice.
    pass(PassName::RustcHints, Strategy::Hints),
    // Files that no code names go in one check.
    pass(PassName::Data, Strategy::Sets),
    pass(PassName::Slices, Strategy::Bisection),
    pass(PassName::Bodies, Strategy::Sets),
    // Behind the bodies: what only they used is unused now.
    pass(PassName::RustcHints, Strategy::Hints),
    pass(PassName::Items, Strategy::Closed),
    // What ran and is not needed leads to more that does not run. Behind the items: it compiles all of the program several times.
    Pass { unlocks: true, ..pass(PassName::Switches, Strategy::Switches) },
    // Before the parts of what computes them are changed.
    pass(PassName::ObservedValues, Strategy::Levels),
    // Many belong to a package, and each is a check, which takes less now.
    pass(PassName::Arguments, Strategy::Sets),
    // Hardly a failure needs them: all go in one check.
    pass(PassName::Comments, Strategy::Sets),
    pass(PassName::Modules, Strategy::Sets),
    pass(PassName::Statements, Strategy::Levels),
    // Not earlier, as most of them go with what they are on; nor later, as what is derived makes checks slow.
    pass(PassName::Attributes, Strategy::Compiling),
    // Early: what a macro makes is syntax for all the others.
    pass(PassName::Expansions, Strategy::OneByOne),
    pass(PassName::Control, Strategy::Levels),
    pass(PassName::Lists, Strategy::Sets),
    pass(PassName::Coupled, Strategy::OneByOne),
    // What was not deleted with its uses goes by itself only if it has none.
    pass(PassName::Declarations, Strategy::Sets),
    Pass { ends_coarse: true, ..pass(PassName::Imports, Strategy::OneByOne) },
    // What is rejected from here on is most likely what the proof tries: the names are the same then.
    pass(PassName::Names, Strategy::Sets),
    pass(PassName::TypeLists, Strategy::OneByOne),
    pass(PassName::Optional, Strategy::OneByOne),
    pass(PassName::Generics, Strategy::OneByOne),
    pass(PassName::Modifiers, Strategy::Sets),
    pass(PassName::Macros, Strategy::Sets),
    pass(PassName::Tokens, Strategy::Levels),
    pass(PassName::MacroProtocols, Strategy::OneByOne),
    pass(PassName::Bindings, Strategy::Sets),
    pass(PassName::Expressions, Strategy::Levels),
    pass(PassName::Types, Strategy::OneByOne),
    pass(PassName::Patterns, Strategy::Levels),
    pass(PassName::Values, Strategy::Levels),
    pass(PassName::LateHints, Strategy::Hints),
    pass(PassName::TokenWindows, Strategy::OneByOne),
    // What only seems to be needed, by its name.
    pass(PassName::SingleItems, Strategy::OneByOne),
];

/// The passes that come last, because they block others when they come early, or cost much for what they gain.
pub const LAST: &[Pass] = &[
    pass(PassName::UnknownExpansions, Strategy::OneByOne),
    pass(PassName::References, Strategy::OneByOne),
    pass(PassName::Literals, Strategy::OneByOne),
    pass(PassName::DataBytes, Strategy::OneByOne),
    pass(PassName::Strings, Strategy::Sets),
    pass(PassName::Layout, Strategy::Sets),
    pass(PassName::Names, Strategy::Sets),
    pass(PassName::Characters, Strategy::Sets),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::speculation::likely::{ALONE, FIRST};
    use crate::search::passes::{growing, minimality};

    #[test]
    fn the_predictions_name_passes() {
        let mut names: Vec<&str> = Schedule::default().all().iter().map(|pass| pass.name).collect();
        names.extend([growing::NAME, minimality::NAME]);
        for name in FIRST.iter().chain(&ALONE) {
            assert!(names.contains(name), "`{name}` is not a pass");
        }
    }

    #[test]
    fn every_pass_says_what_it_does_in_words_that_fit_a_line() {
        for pass in Schedule::default().all() {
            let doing = pass.doing();
            let is_sentence = doing.split(' ').next().is_some_and(|verb| verb.ends_with("ing"));
            assert!(is_sentence && doing.len() <= 40 && doing != pass.name, "{}: {doing}", pass.name);
        }
    }
}
