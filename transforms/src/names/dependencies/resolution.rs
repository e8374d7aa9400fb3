//! Name resolution: the parts of a file that a mention of a name can mean.

use std::collections::{HashMap, HashSet};

use super::globs::Globs;
use super::parts::{Deletable, Retention};
use crate::names::mentions::{Mention, Via};
use crate::names::modules::Modules;

/// The possible meanings of a mention.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Meaning {
    /// The parts that define it, also through imports.
    pub(crate) definitions: Vec<usize>,
    /// The imports of its name there.
    pub(crate) imports: Vec<usize>,
}

impl Meaning {
    /// A copy with only the definitions that `is_meant` accepts.
    fn retaining(&self, is_meant: impl Fn(&usize) -> bool) -> Self {
        let definitions = self.definitions.iter().copied().filter(is_meant).collect();
        Self { definitions, imports: self.imports.clone() }
    }
}

/// The definitions and imports of a file, by name and module.
pub(crate) struct Meanings<'p, 't> {
    parts: &'p [Deletable<'t>],
    modules: &'p Modules<'t>,
    named: HashMap<&'t str, Meaning>,
    globs: Globs,
    /// The modules that may have names that they do not show: from macro calls, or from globs of something else than a module.
    opaque: HashSet<usize>,
    /// The names that modules may have besides their own.
    aliases: HashSet<&'t str>,
}

impl<'p, 't> Meanings<'p, 't> {
    pub(crate) fn of(parts: &'p [Deletable<'t>], modules: &'p Modules<'t>) -> Self {
        let mut named: HashMap<&str, Meaning> = HashMap::new();
        let mut globs = Globs::default();
        let (mut opaque, mut aliases) = (HashSet::new(), HashSet::new());
        for (index, part) in parts.iter().enumerate() {
            for name in &part.names {
                let meaning = named.entry(name).or_default();
                let list = if part.role.is_import() { &mut meaning.imports } else { &mut meaning.definitions };
                list.push(index);
            }
            if part.role == Retention::Call {
                opaque.insert(part.module);
            }
            if part.role == Retention::Call || part.role.is_import() {
                aliases.extend(part.names.iter().copied().filter(|name| modules.named(name, part.module).is_empty()));
            }
            for glob in part.mentions.iter().filter(|mention| mention.name == "*") {
                let Via::Segment(segment) = glob.via else { continue };
                let of = modules.named(segment, glob.module);
                if of.is_empty() {
                    opaque.insert(part.module);
                }
                globs.add(part, of);
            }
        }
        globs.follow(modules);
        Self { parts, modules, named, globs, opaque, aliases }
    }

    /// Everything of a name.
    pub(crate) fn all(&self, name: &str) -> Meaning {
        self.named.get(name).cloned().unwrap_or_default()
    }

    /// The meaning of `mention`.
    pub(crate) fn meaning(&self, mention: &Mention<'_>) -> Meaning {
        let mut meaning = self.named_by(mention);
        let mut next = 0;
        let mut imports = meaning.imports.clone();
        while let Some(&import) = imports.get(next) {
            let target = self.imported(import);
            meaning.definitions.extend(target.definitions);
            imports.extend(target.imports.into_iter().filter(|import| !imports.contains(import)).collect::<Vec<_>>());
            next += 1;
        }
        meaning.definitions.sort_unstable();
        meaning.definitions.dedup();
        meaning
    }

    /// The meaning of an import's target.
    fn imported(&self, import: usize) -> Meaning {
        let part = &self.parts[import];
        let is_own = |mention: &&Mention<'_>| part.names.contains(&mention.name) && mention.via != Via::Alone;
        // A renaming import mentions the new name alone, and the renamed one by a path.
        let is_path = |mention: &&Mention<'_>| {
            mention.via != Via::Alone && self.modules.named(mention.name, mention.module).is_empty()
        };
        let own: Vec<&Mention<'_>> = part.mentions.iter().filter(is_own).collect();
        let leads = if own.is_empty() { part.mentions.iter().filter(is_path).collect() } else { own };
        let mut target = Meaning::default();
        for meaning in leads.into_iter().map(|mention| self.named_by(mention)) {
            target.definitions.extend(meaning.definitions);
            target.imports.extend(meaning.imports);
        }
        target
    }

    /// The meaning of `mention`, without following imports.
    fn named_by(&self, mention: &Mention<'_>) -> Meaning {
        let Some(all) = self.named.get(mention.name) else { return Meaning::default() };
        let is_macro = |part: &usize| self.parts[*part].macro_name == Some(mention.name);
        let may_be_macro = |part: &usize| is_macro(part) || self.parts[*part].role == Retention::Call;
        match mention.via {
            Via::Unknown => all.retaining(|part| !is_macro(part)),
            Via::Macro => all.retaining(may_be_macro),
            Via::Dot => self.associated(all),
            Via::Segment(segment) => {
                let modules = self.modules.named(segment, mention.module);
                if modules.is_empty() {
                    return if self.aliases.contains(segment) { all.clone() } else { self.associated(all) };
                }
                self.within(all, &modules).unwrap_or_else(|| all.clone())
            }
            Via::Import => {
                let here = self.within(all, &[mention.module]).or_else(|| self.within(all, &[0]));
                here.unwrap_or_else(|| all.clone())
            }
            Via::Alone => {
                let all = &all.retaining(|part| !is_macro(part));
                let Some(mut here) = self.within(all, &[mention.module]) else {
                    return if self.opaque.contains(&mention.module) { all.clone() } else { self.associated(all) };
                };
                here.definitions.extend(self.associated(all).definitions);
                here
            }
        }
    }

    /// The part of `all` that a name outside of modules can mean.
    fn associated(&self, all: &Meaning) -> Meaning {
        let definitions = all.definitions.iter().copied().filter(|&part| !self.parts[part].is_free());
        Meaning { definitions: definitions.collect(), imports: Vec::new() }
    }

    /// The part of `all` that one of `modules` has, if any.
    fn within(&self, all: &Meaning, modules: &[usize]) -> Option<Meaning> {
        let is_here =
            |part: &usize| modules.iter().any(|&module| self.globs.reach(module, self.parts[*part].module));
        let is_free = |part: &usize| self.parts[*part].is_free();
        let meaning = Meaning {
            definitions: all.definitions.iter().copied().filter(|part| is_free(part) && is_here(part)).collect(),
            imports: all.imports.iter().copied().filter(is_here).collect(),
        };
        (meaning != Meaning::default()).then_some(meaning)
    }
}
