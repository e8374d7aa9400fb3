//! Name resolution: the parts of a file that a mention of a name can mean.

use std::collections::{HashMap, HashSet};

use super::globs::Globs;
use super::parts::{Deletable, Retention};
use crate::halt;
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

    fn extend(&mut self, other: &Self) {
        self.definitions.extend(&other.definitions);
        self.imports.extend(&other.imports);
    }
}

#[derive(Default)]
struct Named {
    all: Meaning,
    /// What a path can lead to and what is imported, by its module.
    places: HashMap<usize, Meaning>,
}

/// The definitions and imports of a file, by name and module.
pub(crate) struct Meanings<'p, 't> {
    parts: &'p [Deletable<'t>],
    modules: &'p Modules<'t>,
    named: HashMap<&'t str, Named>,
    pub(super) globs: Globs,
    /// The modules that may have names that they do not show: from macro calls, or from globs of something else than a module.
    opaque: HashSet<usize>,
    /// The names that modules may have besides their own.
    aliases: HashSet<&'t str>,
}

impl<'p, 't> Meanings<'p, 't> {
    pub(crate) fn of(parts: &'p [Deletable<'t>], modules: &'p Modules<'t>) -> Self {
        let mut named: HashMap<&str, Named> = HashMap::new();
        let mut globs = Globs::default();
        let (mut opaque, mut aliases) = (HashSet::new(), HashSet::new());
        for (index, part) in parts.iter().enumerate() {
            halt::step();
            for name in &part.names {
                let named = named.entry(name).or_default();
                let place =
                    (part.role.is_import() || part.is_free()).then(|| named.places.entry(part.module).or_default());
                for meaning in std::iter::once(&mut named.all).chain(place) {
                    let list = if part.role.is_import() { &mut meaning.imports } else { &mut meaning.definitions };
                    list.push(index);
                }
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

    pub(crate) fn all(&self, name: &str) -> Meaning {
        self.named.get(name).map(|named| named.all.clone()).unwrap_or_default()
    }

    /// The mentions that together mean what `mention` does, and say where they are only if that matters: what many modules have is
    /// resolved once.
    pub(crate) fn forms(&self, mention: Mention<'t>) -> impl Iterator<Item = Mention<'t>> {
        let anywhere = |via| Mention { via, module: 0, ..mention };
        let is_here = || self.named.get(mention.name).is_some_and(|named| self.alone(named, &mention).is_some());
        let (form, other) = match mention.via {
            Via::Unknown | Via::Dot | Via::Macro => (anywhere(mention.via), None),
            Via::Segment("self" | "super") | Via::Import => (mention, None),
            Via::Segment(segment) if !self.modules.named(segment, 0).is_empty() => (anywhere(mention.via), None),
            Via::Segment(segment) if self.aliases.contains(segment) => (anywhere(Via::Unknown), None),
            Via::Alone if is_here() => (mention, Some(anywhere(Via::Dot))),
            Via::Alone if self.opaque.contains(&mention.module) => (anywhere(Via::Unknown), None),
            Via::Alone | Via::Segment(_) => (anywhere(Via::Dot), None),
        };
        std::iter::once(form).chain(other)
    }

    /// The meaning of one of the [`forms`](Self::forms) of a mention.
    pub(crate) fn meaning(&self, mention: &Mention<'_>) -> Meaning {
        let mut meaning = self.named_by(mention);
        let mut next = 0;
        let mut imports = meaning.imports.clone();
        while let Some(&import) = imports.get(next) {
            halt::step();
            let target = self.imported(import);
            meaning.definitions.extend(target.definitions);
            imports.extend(target.imports.into_iter().filter(|import| !imports.contains(import)).collect::<Vec<_>>());
            next += 1;
        }
        meaning.definitions.sort_unstable();
        meaning.definitions.dedup();
        meaning
    }

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
        let forms = leads.into_iter().flat_map(|mention| self.forms(*mention));
        forms.for_each(|form| target.extend(&self.named_by(&form)));
        target
    }

    /// The meaning of a form of a mention, without following imports.
    fn named_by(&self, mention: &Mention<'_>) -> Meaning {
        let Some(named) = self.named.get(mention.name) else { return Meaning::default() };
        let all = &named.all;
        let may_be_macro =
            |part: &usize| self.is_macro(*part, mention.name) || self.parts[*part].role == Retention::Call;
        match mention.via {
            Via::Unknown => all.retaining(|part| !self.is_macro(*part, mention.name)),
            Via::Macro => all.retaining(may_be_macro),
            Via::Dot => Meaning { imports: Vec::new(), ..all.retaining(|&part| !self.parts[part].is_free()) },
            Via::Segment(segment) => {
                let modules = self.modules.named(segment, mention.module);
                self.within(named, &modules).unwrap_or_else(|| all.clone())
            }
            Via::Import => {
                let here = self.within(named, &[mention.module]).or_else(|| self.within(named, &[0]));
                here.unwrap_or_else(|| all.clone())
            }
            Via::Alone => self.alone(named, mention).unwrap_or_default(),
        }
    }

    fn is_macro(&self, part: usize, name: &str) -> bool {
        self.parts[part].macro_name == Some(name)
    }

    /// What a name that stands alone means in its module, if anything there has it.
    fn alone(&self, named: &Named, mention: &Mention<'_>) -> Option<Meaning> {
        let here = self.within(named, &[mention.module])?.retaining(|part| !self.is_macro(*part, mention.name));
        (here != Meaning::default()).then_some(here)
    }

    /// What one of `modules` has of a name, if anything.
    fn within(&self, named: &Named, modules: &[usize]) -> Option<Meaning> {
        let mut meaning = Meaning::default();
        for &module in modules {
            halt::step();
            let (places, globs) = (&named.places, &self.globs);
            if places.len() < globs.count(module) {
                let here = places.iter().filter(|(place, _)| globs.reach(module, **place));
                here.for_each(|(_, here)| meaning.extend(here));
            } else {
                globs.modules(module).filter_map(|place| places.get(&place)).for_each(|here| meaning.extend(here));
            }
        }
        for list in [&mut meaning.definitions, &mut meaning.imports] {
            list.sort_unstable();
            list.dedup();
        }
        (meaning != Meaning::default()).then_some(meaning)
    }
}
