//! Which of the mutants with which a program passes say most of what is wrong with it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use mcve_transforms::Reduction;

/// Sorts mutants with which a program passes: those first that say most, of them those of the line with the most mutants, as a program is most
/// likely wrong where many changes repair it (Moon et al., *Ask the Mutants*, 2014).
pub(crate) fn sort_suspects(text: &str, mutants: &mut [Reduction]) {
    let line = |mutant: &Reduction| text[..mutant.site.start].rfind('\n');
    let mut counts: HashMap<Option<usize>, usize> = HashMap::new();
    mutants.iter().for_each(|mutant| *counts.entry(line(mutant)).or_default() += 1);
    mutants.sort_by_cached_key(|mutant| (rank(text, mutant), Reverse(counts[&line(mutant)]), line(mutant)));
}

/// How little a mutant says of the cause. Another variable, method or call, or a bound, says most: it changes few runs. Then another
/// operator, another literal or a part of an expression, a condition turned round, a statement less or a constant.
pub(super) fn rank(text: &str, mutant: &Reduction) -> usize {
    let edits = mutant.edits.iter();
    let (removed, written): (Vec<&str>, Vec<&str>) = edits.map(|edit| (&text[edit.range.clone()], &*edit.text)).unzip();
    let (removed, written) = (removed.concat(), written.concat());
    match () {
        () if written.is_empty() || ["true", "false"].contains(&&*written) => 4,
        () if written.trim_start().starts_with('!') => 3,
        () if removed.contains(written.trim())
            || written.starts_with(|char: char| char == '"' || char.is_ascii_digit()) =>
        {
            2
        }
        () if is_other_operator(&removed, &written) => 1,
        () => 0,
    }
}

/// Whether an operator becomes another one that is not the same but for the bound.
fn is_other_operator(removed: &str, written: &str) -> bool {
    let (removed, written): (Vec<&str>, Vec<&str>) =
        (removed.split_whitespace().collect(), written.split_whitespace().collect());
    let mut pairs = removed.iter().zip(&written).filter(|(one, other)| one != other);
    let Some((one, other)) = pairs.next().filter(|_| removed.len() == written.len()) else { return false };
    let is_operator = |word: &str| word.chars().all(|char| char.is_ascii_punctuation());
    let is_bound = one.trim_end_matches('=') == other.trim_end_matches('=') && one.starts_with(['<', '>']);
    pairs.next().is_none() && is_operator(one) && is_operator(other) && !is_bound
}

/// The words for a mutant: what comes, and for what.
pub(crate) fn describe(text: &str, mutant: &Reduction) -> String {
    let quote = |text: &str| format!("`{}`", text.split_whitespace().collect::<Vec<_>>().join(" "));
    let part = |range: &Range<usize>, new: &str| match new.is_empty() {
        true => format!("{} deleted", quote(&text[range.clone()])),
        false => format!("{} in place of {}", quote(new), quote(&text[range.clone()])),
    };
    mutant.edits.iter().map(|edit| part(&edit.range, &edit.text)).collect::<Vec<_>>().join(", ")
}
