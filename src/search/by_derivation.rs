//! A first pass for those who ask for it: the syntax tree is reduced as a tree, by algorithms that know nothing of Rust but
//! which nodes are of a kind.

use mcve_transforms::{Source, Tree, Understanding};

use super::checker::Stop;
use super::engine::Search;
use super::method::TreeAlgorithm;
use crate::dd::grammar_reducer::GrammarReducer;
use crate::dd::outcome::Outcome;
use crate::dd::tree_reduction::tree_reduction;
use crate::event::Event;
use crate::grammar::derivation::Derivation;
use crate::grammar::productions::Grammar;
use crate::grammar::rust::derivation;

/// The name of the pass.
pub const PASS: &str = "syntax-tree";

/// Reduces the syntax tree of the best program. One that does not parse is left as it is.
///
/// # Errors
/// When the search is to stop.
pub fn run(search: &mut Search<'_>, algorithm: TreeAlgorithm) -> Result<(), Stop> {
    let source = search.source();
    let tree = Tree::new(&source);
    let root = tree.nodes().next().filter(|_| source.understanding() == Understanding::Full);
    let (Some(root), Some(derived)) = (root, derivation(&tree)) else { return Ok(()) };
    search.observer.event(&Event::PassStarted { pass: PASS });
    search.announce(|| Box::new(move |search| run(search, algorithm)));
    let (head, tail) = (&source.text()[..root.range().start], &source.text()[root.range().end..]);
    let mut test = |candidate: &Derivation| {
        let program = search.best().with_text(format!("{head}{}{tail}", candidate.text()));
        if program.text == search.best().text {
            return Ok(Outcome::Fail);
        }
        if program.measure() >= search.measure() || !Source::is_valid(&program.text) {
            return Ok(Outcome::Unresolved);
        }
        let mut candidates = std::iter::once(Some((program, ())));
        let Some((_, (program, ()))) = search.checker.first(&mut candidates, search.observer)? else {
            return Ok(Outcome::Unresolved);
        };
        search.accept(program, vec![PASS.to_owned()])?;
        Ok(Outcome::Fail)
    };
    let unknown = Grammar::unknown();
    match algorithm {
        TreeAlgorithm::Generalised => tree_reduction(derived, &unknown, &mut test),
        TreeAlgorithm::Grammar => GrammarReducer::new(&unknown).depth_by_depth().reduce(derived, &mut test),
    }?;
    search.ended(PASS)
}

#[cfg(test)]
mod tests {
    use super::super::checker::Limits;
    use super::super::testing::{Events, checker};
    use super::*;
    use crate::program::Program;

    #[test]
    fn what_is_of_a_kind_takes_the_place_of_what_it_stands_in() {
        for algorithm in [TreeAlgorithm::Generalised, TreeAlgorithm::Grammar] {
            let fails = |text: &str| if text.contains("needle(") { Outcome::Fail } else { Outcome::Pass };
            let program =
                Program::new("a.rs", "// why\nfn a() { one(); two(three(needle(1, 2)), 4); }\nfn b() { a() }\n");
            let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
            let checker = checker(1, Limits::default(), fails);
            let mut search = Search::new(program, Vec::new(), checker, &mut events, &mut keep);
            run(&mut search, algorithm).expect("nothing stops it");
            let text = &search.best().text;
            assert!(text.starts_with("// why\n") && Source::is_valid(text), "{text}");
            assert!(!text.contains("three"), "{algorithm:?} leaves {text}");
        }
    }
}
