//! Imports by glob: the modules whose names a module has.

use std::collections::{HashMap, HashSet};

use super::parts::{Deletable, Retention};
use crate::halt;
use crate::names::modules::Modules;

/// The imports by glob of a file.
///
/// What a private import brings is known in its module and in those inside of it, so it is followed for these only: most imports are
/// private, and a chain of them would lead from each module to all others.
#[derive(Default)]
pub(super) struct Globs {
    /// For each module, those that it takes all names of for itself and the modules inside of it.
    private: HashMap<usize, Vec<usize>>,
    /// For each module, those that it takes all names of for everybody.
    public: HashMap<usize, Vec<usize>>,
    /// For each module with globs, and each that they are of, the modules whose names it shows to everybody.
    shown: HashMap<usize, HashSet<usize>>,
    /// For each module, those whose names it has together with what these show.
    taken: Vec<Vec<usize>>,
}

impl Globs {
    /// Adds a glob of `part`, which can mean each of `targets`.
    pub(super) fn add(&mut self, part: &Deletable<'_>, targets: Vec<usize>) {
        let is_private =
            matches!(&part.role, Retention::Import(scope) | Retention::Foreign(scope) if scope.end < usize::MAX);
        let globs = if is_private { &mut self.private } else { &mut self.public };
        globs.entry(part.module).or_default().extend(targets);
    }

    pub(super) fn follow(&mut self, modules: &Modules<'_>) {
        let both = || self.private.iter().chain(&self.public);
        let ends = both().map(|(module, _)| module).chain(both().flat_map(|(_, targets)| targets));
        let ends: HashSet<usize> = ends.copied().collect();
        self.shown = ends.into_iter().map(|module| (module, self.shown_by(module))).collect();
        self.taken = (0..modules.len()).map(|module| self.taken_by(module, modules)).collect();
    }

    /// The modules whose names `module` shows to everybody.
    fn shown_by(&self, module: usize) -> HashSet<usize> {
        let (mut shown, mut work) = (HashSet::from([module]), vec![module]);
        while let Some(next) = work.pop() {
            halt::step();
            let targets = self.public.get(&next).into_iter().flatten().copied();
            work.extend(targets.filter(|target| shown.insert(*target)));
        }
        shown
    }

    /// The modules whose names `module` has together with what these show.
    fn taken_by(&self, module: usize, modules: &Modules<'_>) -> Vec<usize> {
        let mut taken = vec![module];
        // It sees the private imports of the modules around it whose names it has.
        let mut around: Vec<usize> =
            modules.around(module).filter(|module| self.private.contains_key(module)).collect();
        while let Some(at) = around.iter().position(|outer| self.show(&taken, *outer)) {
            halt::step();
            taken.extend(&self.private[&around.swap_remove(at)]);
        }
        taken.sort_unstable();
        taken.dedup();
        taken
    }

    fn show(&self, modules: &[usize], other: usize) -> bool {
        let shows = |module: &usize| self.shown.get(module).is_some_and(|shown| shown.contains(&other));
        modules.iter().any(|module| *module == other || shows(module))
    }

    /// Whether `module` has the names of `other`.
    pub(super) fn reach(&self, module: usize, other: usize) -> bool {
        self.show(&self.taken[module], other)
    }

    /// The modules whose names `module` has, some of them several times.
    pub(super) fn modules(&self, module: usize) -> impl Iterator<Item = usize> {
        let shown = |taken| self.shown.get(taken).into_iter().flatten().copied();
        self.taken[module].iter().flat_map(move |taken| std::iter::once(*taken).chain(shown(taken)))
    }

    pub(super) fn count(&self, module: usize) -> usize {
        self.taken[module].iter().map(|taken| 1 + self.shown.get(taken).map_or(0, HashSet::len)).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::parts::deletables;
    use super::super::resolution::Meanings;
    use crate::{Analysis, Source, Tree};

    /// How many modules are visited to follow the globs of a program of `count` modules, each of which imports all of the one before
    /// it and of a prelude that shows the names of all.
    fn visits(count: usize, import: &str) -> usize {
        let modules = (1..count).map(|number| {
            let before = number - 1;
            format!(
                "pub mod m{number} {{ {import} super::m{before}::*; use crate::prelude::*; pub fn f{number}() {{}} }}\n"
            )
        });
        let shown: String = (1..count).map(|number| format!("pub use crate::m{number}::*; ")).collect();
        let text = format!("{}pub mod prelude {{ {shown} }}", modules.collect::<String>());
        let source = Source::parse(&*text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let sites: Vec<_> = names.items().all.iter().map(|item| item.node.range()).collect();
        let globs = Meanings::of(&deletables(&names, &sites), names.modules()).globs;
        globs.shown.values().map(HashSet::len).sum::<usize>() + globs.taken.iter().map(Vec::len).sum::<usize>()
    }

    #[test]
    fn globs_are_followed_in_linear_time_where_imports_are_private() {
        let (few, many) = (visits(50, "use"), visits(500, "use"));
        assert!(many <= 11 * few, "{few} {many}");
        assert!(visits(50, "pub use") > 5 * few, "each shows the names of all before it");
    }
}
