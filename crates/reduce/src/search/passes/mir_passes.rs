//! Where a level of MIR optimisation stays, the passes over MIR that the failure needs, by name: a report that names the pass reaches
//! the one who maintains it.

use mcve_dd::ddmin::ddmin;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;

use crate::check::limits::Stop;
use crate::program::Program;
use crate::search::engine::Search;

/// The option that chooses passes by a level.
const LEVEL: &str = "-Zmir-opt-level=";

/// Passes that rustc has or had and that a level turns on. It warns about a name that it does not know, and goes on without it.
const PASSES: [&str; 40] = [
    "CheckAlignment",
    "ConstDebugInfo",
    "ConstProp",
    "ConstantPropagation",
    "CopyProp",
    "DataflowConstProp",
    "DeadStoreElimination-final",
    "DeadStoreElimination-initial",
    "DeduceParamAttrs",
    "DestinationPropagation",
    "EarlyOtherwiseBranch",
    "EnumSizeOpt",
    "GVN",
    "ImpossiblePredicates",
    "Inline",
    "InstSimplify-after-simplifycfg",
    "InstSimplify-before-inline",
    "JumpThreading",
    "LowerSliceLenCalls",
    "MatchBranchSimplification",
    "MultipleReturnTerminators",
    "NormalizeArrayLen",
    "ReferencePropagation",
    "RemoveNoopLandingPads",
    "RemovePlaceMention",
    "RemoveStorageMarkers",
    "RemoveUnneededDrops",
    "RemoveZsts",
    "RenameReturnPlace",
    "ScalarReplacementOfAggregates",
    "SimplifyComparisonIntegral",
    "SimplifyConstCondition-after-const-prop",
    "SimplifyConstCondition-after-inst-simplify",
    "SimplifyConstCondition-final",
    "SimplifyLocals-after-value-numbering",
    "SimplifyLocals-before-const-prop",
    "SimplifyLocals-final",
    "SingleUseConsts",
    "UnreachableEnumBranching",
    "UnreachablePropagation",
];

/// Replaces a level of MIR optimisation by the fewest passes with which the best program still fails, if it does with all of them.
///
/// # Errors
/// When the search is to stop.
pub(super) fn name_passes(search: &mut Search<'_>) -> Result<(), Stop> {
    let best = search.best().clone();
    let is_level = |argument: &String| argument.strip_prefix(LEVEL).is_some_and(|level| level != "0");
    let Some(level) = best.arguments().into_iter().find(is_level) else { return Ok(()) };
    let mut try_passes = |keep: &KeepList| {
        let names: Vec<String> = keep.kept().iter().map(|&index| format!("+{}", PASSES[index])).collect();
        let mut candidates = std::iter::once(with_passes(&best, &level, &names).map(|program| (program, ())));
        let Some((_, (program, ()))) = search.checks.first(&mut candidates, search.observer)? else {
            return Ok(Outcome::Unresolved);
        };
        search.accept(program, vec![format!("{level} to {} passes", names.len())])?;
        Ok(Outcome::Fail)
    };
    let all = KeepList::full(PASSES.len());
    if try_passes(&all)? == Outcome::Fail {
        ddmin(all, &mut try_passes)?;
    }
    Ok(())
}

/// The program with these passes in the place of the argument `level`.
fn with_passes(program: &Program, level: &str, passes: &[String]) -> Option<Program> {
    let literal = format!("{level:?}");
    let start = program.lists() + program.text[program.lists()..].find(&literal)?;
    let mut named = format!("\"{LEVEL}0\"");
    if !passes.is_empty() {
        named += &format!(", \"-Zmir-enable-passes={}\"", passes.join(","));
    }
    let mut text = program.text.to_string();
    text.replace_range(start..start + literal.len(), &named);
    Some(program.with_text(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::limits::Limits;
    use crate::check::testing::{Events, checker};

    /// The arguments that are left of `arguments` where the program fails if `fails` says so of them.
    fn left(arguments: &[&str], fails: fn(&[String]) -> bool) -> Vec<String> {
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let program = Program::new("a.rs", "fn f() {}").with_arguments(&arguments, &[]).expect("it has a place");
        let outcome = move |text: &str| {
            let words = text.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
            Outcome::fail_if(fails(&words))
        };
        let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
        let mut search =
            Search::new(program, Vec::new(), checker(1, Limits::default(), outcome), &mut events, &mut keep);
        name_passes(&mut search).expect("nothing stops it");
        search.best().arguments()
    }

    #[test]
    fn a_level_becomes_the_passes_that_are_needed() {
        let inlines = |words: &[String]| {
            let named = words.iter().find_map(|word| word.strip_prefix("-Zmir-enable-passes="));
            let names: Vec<&str> = named.unwrap_or_default().split(',').collect();
            ["-Zmir-opt-level=2"].iter().any(|level| words.iter().any(|word| word == level))
                || ["+Inline", "+GVN"].iter().all(|pass| names.contains(pass))
        };
        let passes = "-Zmir-enable-passes=+GVN,+Inline";
        assert_eq!(left(&["-O", "-Zmir-opt-level=2"], inlines), ["-O", "-Zmir-opt-level=0", passes]);
    }

    #[test]
    fn a_level_that_is_more_than_its_passes_stays() {
        let needs = |words: &[String]| words.iter().any(|word| word == "-Zmir-opt-level=3");
        assert_eq!(left(&["-Zmir-opt-level=3"], needs), ["-Zmir-opt-level=3"]);
        assert_eq!(left(&["-Zmir-opt-level=0"], |_| true), ["-Zmir-opt-level=0"]);
    }
}
