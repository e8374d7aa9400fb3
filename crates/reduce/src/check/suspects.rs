//! Which of the mutants with which a program passes are the most specific: those that change its runs least.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use mcve_transforms::Reduction;

use crate::program::Program;

/// Sorts mutants with which a program passes: the most specific first, of them those of the line with the most mutants, as a program is most
/// likely wrong where many changes repair it (Moon et al., *Ask the Mutants*, 2014).
pub(crate) fn sort_suspects(text: &str, mutants: &mut [Reduction]) {
    let line = |mutant: &Reduction| text[..mutant.site.start].rfind('\n');
    let mut counts: HashMap<Option<usize>, usize> = HashMap::new();
    mutants.iter().for_each(|mutant| *counts.entry(line(mutant)).or_default() += 1);
    mutants.sort_by_cached_key(|mutant| (rank(text, mutant), Reverse(counts[&line(mutant)]), line(mutant)));
}

/// The rank of a mutant: 0 is the most specific. Another variable, method or call, a bound or a further case changes few runs. Then come
/// a step more or less and a further condition; another operator; another literal or a part of an expression; a condition turned round;
/// a statement less or a constant.
pub(super) fn rank(text: &str, mutant: &Reduction) -> usize {
    let edits = mutant.edits.iter();
    let (removed, written): (Vec<&str>, Vec<&str>) = edits.map(|edit| (&text[edit.range.clone()], &*edit.text)).unzip();
    let (removed, written) = (removed.concat(), written.concat());
    let (removed, written) = (removed.trim(), written.trim());
    let is_whole = mutant.edits.iter().all(|edit| edit.range == mutant.site);
    let is_further_condition = removed.is_empty() && written.starts_with(['&', '|']);
    let is_literal = written.starts_with(|char: char| char == '"' || char.is_ascii_digit());
    match () {
        () if written.is_empty() && is_whole || ["true", "false"].contains(&written) => 5,
        () if is_operator(removed) && is_operator(written) => {
            if is_near(removed, written) {
                0
            } else {
                2
            }
        }
        () if ["+ 1", "- 1"].contains(&written) || is_further_condition => 1,
        () if written.starts_with('!') => 4,
        () if removed.contains(written) || is_literal => 3,
        () => 0,
    }
}

fn is_operator(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|char| "<>=!+-*/%&|^".contains(char))
}

/// Whether a comparison becomes the one that differs from it for equal operands only, or `and` becomes `or`.
fn is_near(removed: &str, written: &str) -> bool {
    let is_logical = |word: &str| ["&&", "||"].contains(&word);
    let is_bound = removed.starts_with(['<', '>']) && removed.trim_end_matches('=') == written.trim_end_matches('=');
    is_bound || is_logical(removed) && is_logical(written)
}

/// The words for a mutant: what comes, and for what.
pub(crate) fn describe(text: &str, mutant: &Reduction) -> String {
    let quote = |text: &str| format!("`{}`", text.split_whitespace().collect::<Vec<_>>().join(" "));
    let part = |range: &Range<usize>, new: &str| match (text[range.clone()].trim(), new.trim()) {
        ("", new) => format!("{} added", quote(new)),
        (old, "") => format!("{} deleted", quote(old)),
        (old, new) => format!("{} in place of {}", quote(new), quote(old)),
    };
    mutant.edits.iter().map(|edit| part(&edit.range, &edit.text)).collect::<Vec<_>>().join(", ")
}

/// The line of a reduction of `program`, in its file if there are several.
pub(crate) fn line(program: &Program, reduction: &Reduction) -> String {
    let (path, before) = program.place(reduction.site.start);
    let line = before.matches('\n').count() + 1;
    if program.is_lone() { format!("line {line}") } else { format!("line {line} of {}", path.display()) }
}
