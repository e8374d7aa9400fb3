//! The order of work, as one table: from what takes away much at once to what polishes.

use crate::dd::algorithm::Algorithm;
use crate::search::filters::Filters;

/// How the reductions of a pass are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All at once, then by delta debugging.
    Sets,
    /// The same with the outermost reductions, then with those inside what is left, and so on: hierarchical delta
    /// debugging (Misherghi and Su, *HDD*, 2006).
    Levels,
    /// What the failure names is kept, with what it needs, told by name: slices, the smallest first.
    Focus,
    /// Binary reduction: what is left keeps what it needs, told by name.
    Bisection,
    /// By delta debugging, where what is left keeps what it needs, told by name.
    Closed,
    /// One after the other: where few are likely to go together.
    OneByOne,
    /// The same from the smallest, without those that include one that was tried in vain.
    SmallestFirst,
    /// What a compiler finds idle: all at once, then a lint at a time, then parts of that.
    Hints,
}

impl Strategy {
    /// One sentence for the user.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Sets => "Try all at once, then sets of them by delta debugging.",
            Self::Levels => "Try the outermost first, then those inside what is left, by delta debugging.",
            Self::Focus => "Keep what the failure names, with what that needs, and delete the rest.",
            Self::Bisection => "Look for one item that suffices, with what it needs, by halving.",
            Self::Closed => "Delete items together with what refers to them, by delta debugging.",
            Self::OneByOne => "Try one after the other.",
            Self::SmallestFirst => "Try one after the other, the smallest first.",
            Self::Hints => "Delete what rustc calls unused, and follow its suggestions.",
        }
    }
}

/// A line of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name that the user sees: one word, that `--skip`, `--only` and `mcve explain` take.
    pub name: &'static str,
    /// The families or transforms that it tries.
    pub transforms: &'static [&'static str],
    /// How.
    pub strategy: Strategy,
    /// Whether those behind it are the fine ones.
    pub ends_coarse: bool,
}

const fn pass(name: &'static str, strategy: Strategy, transforms: &'static [&'static str]) -> Pass {
    Pass { name, transforms, strategy, ends_coarse: false }
}

/// The passes of a search.
#[derive(Clone)]
pub struct Schedule {
    /// Those that shrink the program, from coarse to fine.
    pub coarse_to_fine: Vec<Pass>,
    /// Those that come last.
    pub last: Vec<Pass>,
    /// How lists of reductions are shrunk.
    pub algorithm: Algorithm,
    /// Which candidates are left to the proof.
    pub filters: Filters,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            coarse_to_fine: COARSE_TO_FINE.to_vec(),
            last: LAST.to_vec(),
            algorithm: Algorithm::default(),
            filters: Filters::default(),
        }
    }
}

impl Schedule {
    /// Without the passes of `strategy`.
    pub fn remove(&mut self, strategy: Strategy) {
        self.retain(|pass| pass.strategy != strategy);
    }

    /// Drops the passes that `keep` refuses.
    pub fn retain(&mut self, keep: impl Fn(&Pass) -> bool) {
        self.coarse_to_fine.retain(&keep);
        self.last.retain(&keep);
    }

    /// Has the passes of one strategy go by another one.
    pub fn replace(&mut self, strategy: Strategy, other: Strategy) {
        let passes = self.coarse_to_fine.iter_mut().chain(&mut self.last);
        passes.filter(|pass| pass.strategy == strategy).for_each(|pass| pass.strategy = other);
    }

    /// All passes.
    #[must_use]
    pub fn all(&self) -> Vec<Pass> {
        self.coarse_to_fine.iter().chain(&self.last).copied().collect()
    }
}

/// The families whose reductions change several places at once.
const COUPLED: &[&str] = &[
    "parameters",
    "told-parameters",
    "fields",
    "slots",
    "tuples",
    "variants",
    "asyncs",
    "returns",
    "trait-objects",
    "merges",
    "nested-items",
    "call-values",
    "casts",
    "coercions",
    "function-to-const",
    "move-body",
    "trait-homes",
    "higher-ranked",
    "std-modules",
    "operands",
    "let-parameters",
    "mains",
    "enum-to-struct",
    "union-to-struct",
    "trait-impl-to-inherent",
    "newtypes",
    "substitutions",
    "std-traits",
    "unifications",
    "variables",
    "supertraits",
    "conditions",
    "import-paths",
    "aliases",
    "associated-types",
    "associated-constants",
    "instantiations",
    "trait-functions",
    "methods",
    "single-impls",
    "inlining",
    "retyping",
];

/// The passes that shrink the program, from coarse to fine.
pub const COARSE_TO_FINE: &[Pass] = &[
    pass("text", Strategy::Sets, &["lines", "tokens"]),
    pass("focus", Strategy::Focus, &["items", "delete-use-leaf", "replace-body", "replace-opaque-body"]),
    pass("slices", Strategy::Bisection, &["items", "delete-use-leaf"]),
    // Before what computes them loses its sense.
    pass("observed-values", Strategy::Levels, &["observations"]),
    pass("bodies", Strategy::Sets, &["bodies"]),
    // Behind the bodies: what only they used is idle now.
    pass("rustc-hints", Strategy::Hints, &["suggestions"]),
    pass("items", Strategy::Closed, &["items", "delete-use-leaf"]),
    // Hardly a failure needs them: all go in one check.
    pass("comments", Strategy::Sets, &["comments"]),
    pass("modules", Strategy::Sets, &["modules"]),
    pass("statements", Strategy::Levels, &["stmts"]),
    // Not earlier, as most of them go with what they are on; nor later, as what is derived makes checks dear.
    pass("attributes", Strategy::Sets, &["attrs", "attr-lists"]),
    // Early: what a macro makes is syntax for all the others.
    pass("expansions", Strategy::OneByOne, &["expand-macro", "expand-macro-call", "derives"]),
    pass("control", Strategy::Levels, &["control", "loops", "unrolling", "blocks", "boolean"]),
    pass("lists", Strategy::Sets, &["lists", "pattern-lists", "delete-field"]),
    pass("closures", Strategy::SmallestFirst, &["closures", "dependent-impls"]),
    pass("coupled", Strategy::OneByOne, COUPLED),
    // What was not deleted with its uses goes by itself only if it has none.
    pass("declarations", Strategy::Sets, &["delete-variant", "delete-parameter"]),
    Pass { ends_coarse: true, ..pass("imports", Strategy::OneByOne, &["uses"]) },
    // What is tried in vain from here on is most likely what the proof tries: the names are the same then.
    pass("names", Strategy::Sets, &["names"]),
    pass("type-lists", Strategy::OneByOne, &["type-lists", "generic-lists"]),
    pass("optional", Strategy::OneByOne, &["optional", "optional-declarations", "optional-generics", "optional-types"]),
    pass("generics", Strategy::OneByOne, &["bounds", "predicates", "generics", "impl-generics", "lifetimes"]),
    pass(
        "modifiers",
        Strategy::Sets,
        &["modifiers", "function-modifiers", "qualifiers", "labels", "separators", "parentheses"],
    ),
    pass("macros", Strategy::Sets, &["macros", "macro-rules", "macro-repetitions"]),
    pass("tokens", Strategy::Levels, &["token-trees"]),
    pass("macro-protocols", Strategy::OneByOne, &["macro-protocols", "macro-items", "tokens-to-references"]),
    pass("bindings", Strategy::Sets, &["bindings"]),
    pass("expressions", Strategy::Levels, &["calls", "hoist"]),
    pass("types", Strategy::OneByOne, &["types", "types-everywhere"]),
    pass("patterns", Strategy::Levels, &["patterns"]),
    // Not with the others: a part of a pattern cannot be kept and go.
    pass("pattern-rests", Strategy::Sets, &["pattern-rests"]),
    pass("values", Strategy::Levels, &["values", "alternates", "function-to-alias"]),
    pass("late-hints", Strategy::Hints, &["suggestions"]),
    pass("token-windows", Strategy::OneByOne, &["token-windows"]),
    // What only seems to be needed, by its name.
    pass("single-items", Strategy::OneByOne, &["items"]),
];

/// The passes that come last, because they block others when they come early, or cost much for what they gain.
pub const LAST: &[Pass] = &[
    pass("statement-windows", Strategy::OneByOne, &["statement-windows"]),
    pass("transplants", Strategy::OneByOne, &["transplants"]),
    pass("unknown-expansions", Strategy::OneByOne, &["expand-unknown-macro"]),
    pass("references", Strategy::OneByOne, &["type-to-reference"]),
    // Of a list, the token that is left to be matched does not go any more.
    pass("macro-lists", Strategy::OneByOne, &["macro-lists"]),
    pass("macro-joins", Strategy::OneByOne, &["macro-joins", "macro-fusions"]),
    pass("literals", Strategy::OneByOne, &["literals"]),
    pass("layout", Strategy::Sets, &["comments"]),
    pass("names", Strategy::Sets, &["names"]),
    pass("characters", Strategy::Sets, &["characters"]),
];
