//! Deep nests: their levels go by delta debugging, before passes that try them one after the other.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use mcve_transforms::Reduction;

use crate::check::limits::Stop;
use crate::search::engine::Search;
use crate::search::tester::KeepListTester;
use mcve_dd::levels::levels;

/// How many levels a nest has at least: those of fewer are left to other passes.
const DEEP: usize = 8;

/// What a nest takes of the program at least, in percent: others go with what is around them, or come when more is gone.
const LARGE: usize = 5;

/// Shrinks the nests whose levels `reductions` take away, the largest first.
pub(super) fn by_levels(search: &mut Search<'_>, reductions: &[Reduction]) -> Result<(), Stop> {
    let bytes = search.measure().bytes;
    // Not the tokens: `&&` is one, and two levels.
    let size = |index: &usize| reductions[*index].edits.iter().map(|edit| edit.range.len()).sum::<usize>();
    let gain = |chain: &[usize]| chain.iter().map(size).sum::<usize>();
    let mut chains = chains(reductions);
    chains.retain(|chain| chain.len() >= DEEP && gain(chain) * 100 >= bytes * LARGE);
    chains.retain(|chain| !search.worth_proposing(vec![reductions[chain[0]].clone()]).is_empty());
    chains.sort_by_key(|chain| Reverse(gain(chain)));
    levels(reductions.len(), &chains, &mut KeepListTester::new(search, reductions)).map(drop)
}

/// The reductions each of which keeps what the next one is about, by their positions.
fn chains(reductions: &[Reduction]) -> Vec<Vec<usize>> {
    let mut chains: Vec<Vec<usize>> = Vec::new();
    // The chains that go on there.
    let mut waiting: HashMap<(&str, Range<usize>), usize> = HashMap::new();
    for (index, reduction) in reductions.iter().enumerate() {
        let name = reduction.transform.name;
        let chain = waiting.remove(&(name, reduction.site.clone())).unwrap_or_else(|| {
            chains.push(Vec::new());
            chains.len() - 1
        });
        chains[chain].push(index);
        waiting.extend(reduction.kept().map(|kept| ((name, kept), chain)));
    }
    chains
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Analysis, Source, Tree, enumerate, named};

    use super::*;

    #[test]
    fn each_nest_is_a_chain() {
        let source = Source::parse("fn f() { a(b(c(1), 2)); d[e[g(h(3))]]; i.j().k(); }");
        let found = enumerate(&Analysis::of(&Tree::new(&source)), named("splice-level")[0]);
        let text = |index: &usize| &source.text()[found[*index].site.clone()];
        let chains = chains(&found);
        let chains: Vec<Vec<&str>> = chains.iter().map(|chain| chain.iter().map(text).collect()).collect();
        let expected = [vec!["a(b(c(1), 2))", "b(c(1), 2)"], vec!["d[e[g(h(3))]]"], vec!["g(h(3))"], vec!["i.j().k()"]];
        assert_eq!(chains, expected);
    }
}
