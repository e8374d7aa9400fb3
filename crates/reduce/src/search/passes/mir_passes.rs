//! Where a level of MIR optimisation stays, the passes over MIR that the failure needs, by name: a report that names
//! the pass reaches the one who maintains it. Other arguments that are lists lose what the failure does not need.

use mcve_dd::ddmin::ddmin;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;

use super::arguments::replace_argument;
use crate::check::limits::Stop;
use crate::search::engine::Search;

/// The option that chooses passes by a level.
const LEVEL: &str = "-Zmir-opt-level=";

/// Passes that a level turns on, of rustc 1.95 and older ones. rustc warns about a name that it does not know, and goes on.
const PASSES: &str = "\
    CheckAlignment ConstDebugInfo ConstProp ConstantPropagation CopyProp DataflowConstProp DeadStoreElimination-final \
    DeadStoreElimination-initial DeduceParamAttrs DestinationPropagation EarlyOtherwiseBranch EnumSizeOpt GVN \
    ImpossiblePredicates Inline InstSimplify-after-simplifycfg InstSimplify-before-inline JumpThreading \
    LowerSliceLenCalls MatchBranchSimplification MultipleReturnTerminators NormalizeArrayLen ReferencePropagation \
    RemoveNoopLandingPads RemovePlaceMention RemoveStorageMarkers RemoveUnneededDrops RemoveZsts RenameReturnPlace \
    ScalarReplacementOfAggregates SimplifyComparisonIntegral SimplifyConstCondition-after-const-prop \
    SimplifyConstCondition-after-inst-simplify SimplifyConstCondition-final SimplifyLocals-after-value-numbering \
    SimplifyLocals-before-const-prop SimplifyLocals-final SingleUseConsts UnreachableEnumBranching \
    UnreachablePropagation";

/// The options whose values are lists of what is turned on or off.
const LISTS: [&str; 2] = ["-Zmir-enable-passes=", "-Ctarget-feature="];

/// Replaces a level of MIR optimisation by passes, if it still fails with all, and shortens lists in arguments.
pub(super) fn name_passes(search: &mut Search<'_>) -> Result<(), Stop> {
    let is_level = |argument: &String| argument.strip_prefix(LEVEL).is_some_and(|level| level != "0");
    let levels: Vec<String> = search.best().arguments().into_iter().filter(is_level).collect();
    for level in levels {
        let all = format!("+{}", PASSES.replace(' ', ",+"));
        replace_argument(search, &level, &[format!("{LEVEL}0"), format!("{}{all}", LISTS[0])])?;
    }
    for argument in search.best().arguments() {
        let list = LISTS.iter().find_map(|option| Some((option, argument.strip_prefix(option)?)));
        let Some((option, value)) = list.filter(|(_, value)| value.contains(',')) else { continue };
        let (elements, mut now) = (value.split(',').collect::<Vec<_>>(), argument.clone());
        let mut try_elements = |keep: &KeepList| {
            let left: Vec<&str> = keep.kept().iter().map(|&index| elements[index]).collect();
            let shorter = format!("{option}{}", left.join(","));
            let fails = !left.is_empty() && replace_argument(search, &now, std::slice::from_ref(&shorter))?;
            if fails {
                now = shorter;
            }
            Ok(Outcome::fail_if(fails))
        };
        ddmin(KeepList::full(elements.len()), &mut try_elements)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::limits::Limits;
    use crate::check::testing::{Events, checker};
    use crate::program::Program;

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

    #[test]
    fn features_of_the_target_that_are_not_needed_go() {
        let needs = |words: &[String]| words.iter().any(|word| word.contains("+avx"));
        assert_eq!(left(&["-Ctarget-feature=+sse,+avx,-bmi"], needs), ["-Ctarget-feature=+avx"]);
    }
}
