//! The dependencies between the parts of a file: which parts have to stay if some are to stay.

mod globs;
pub(crate) mod parts;
mod resolution;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use self::parts::{Deletable, Retention, deletables};
use self::resolution::{Meaning, Meanings};
use super::analysis::Analysis;
use super::mentions::Mention;
use crate::halt;

/// The dependencies between parts of a file that can be deleted: items, associated items, elements of imports.
///
/// A name resolves to the definitions in its module, or else to everything of that name, so a part may seem to need more
/// than it does, seldom less.
/// *Binary reduction* searches closed sets of parts: Kalhauge and Palsberg, *Binary Reduction of Dependency Graphs*
/// (2019). The rule that an impl is needed once everything that its head names is there comes from their *Logical
/// Bytecode Reduction* (2021).
pub struct Dependencies<'t> {
    pub(crate) text: &'t str,
    pub(crate) parts: Vec<Deletable<'t>>,
    /// The parts that define each name.
    pub(crate) definitions: HashMap<&'t str, Vec<usize>>,
    /// The distinct meanings of all mentions.
    meanings: Vec<Meaning>,
    /// For each part, which of the meanings it mentions.
    mentions: Vec<Vec<usize>>,
    /// For each part, how many of the meanings it requires.
    requires: Vec<usize>,
    /// For each meaning, the parts that require it.
    requiring: Vec<Vec<usize>>,
    /// For each part, the meanings that it defines.
    meant: Vec<Vec<usize>>,
}

impl<'t> Dependencies<'t> {
    /// The dependencies between the parts of a file at `sites`, which are sorted, outer ones before inner ones.
    pub fn of(names: &Analysis<'t>, sites: &[Range<usize>]) -> Self {
        let (text, parts) = (names.source().text(), deletables(names, sites));
        let named = Meanings::of(&parts, names.modules());
        let (mut meanings, mut numbers): (Vec<Meaning>, HashMap<Meaning, usize>) = Default::default();
        let mut known: HashMap<Mention<'_>, Option<usize>> = HashMap::new();
        let mut number = |form: Mention<'t>| {
            *known.entry(form).or_insert_with(|| {
                let meaning = named.meaning(&form);
                (meaning != Meaning::default()).then(|| {
                    *numbers.entry(meaning).or_insert_with_key(|meaning| {
                        meanings.push(meaning.clone());
                        meanings.len() - 1
                    })
                })
            })
        };
        let mut distinct = |mentions: &mut dyn Iterator<Item = &Mention<'t>>| {
            let forms = mentions.inspect(|_| halt::step()).flat_map(|mention| named.forms(*mention));
            let mut distinct: Vec<usize> = forms.filter_map(&mut number).collect();
            distinct.sort_unstable();
            distinct.dedup();
            distinct
        };
        let mentions: Vec<Vec<usize>> = parts.iter().map(|part| distinct(&mut part.mentions.iter())).collect();
        let mut required: Vec<Vec<usize>> = parts.iter().map(|part| distinct(&mut part.requires.iter())).collect();
        let mut requiring = vec![Vec::new(); meanings.len()];
        let is_free = |meaning: &usize| meanings[*meaning].definitions.iter().any(|&part| parts[part].is_free());
        for (part, required) in required.iter_mut().enumerate() {
            required.retain(is_free);
            required.iter().for_each(|&meaning| requiring[meaning].push(part));
        }
        let mut meant = vec![Vec::new(); parts.len()];
        for (number, meaning) in meanings.iter().enumerate() {
            meaning.definitions.iter().for_each(|&part| meant[part].push(number));
        }
        let names: HashSet<&str> = parts.iter().flat_map(|part| part.names.iter().copied()).collect();
        let definitions = names.into_iter().map(|name| (name, named.all(name).definitions)).collect();
        let requires = required.iter().map(Vec::len).collect();
        Self { text, parts, definitions, meanings, mentions, requires, requiring, meant }
    }

    /// Records that a run did not reach the contents of these blocks.
    pub fn note_not_reached(&mut self, blocks: &[Range<usize>]) {
        for part in &mut self.parts {
            let Range { start, end } = part.range;
            // A body ends with its function.
            let is_body = |block: &Range<usize>| start < block.start && block.end + 1 == end;
            let is_around = |block: &Range<usize>| block.start <= start && end <= block.end;
            part.runs &= !blocks.iter().any(|block| is_body(block) || is_around(block));
        }
    }

    /// The parts that have to stay if those of `roots` do, sorted, with all that may be needed without being named: the impls
    /// and macro calls that are possible with them, imports from other crates.
    pub fn closure(&self, roots: &[usize]) -> Vec<usize> {
        self.close(roots, Impls::Possible)
    }

    /// The parts that have to stay if those of `roots` do, sorted; only those impls of which some item is named.
    pub fn needs(&self, roots: &[usize]) -> Vec<usize> {
        self.close(roots, Impls::Named)
    }

    pub(crate) fn close(&self, roots: &[usize], impls: Impls) -> Vec<usize> {
        self.begin(roots, impls).kept()
    }

    /// The closure of `roots`, to which more can be added.
    fn begin(&self, roots: &[usize], impls: Impls) -> Closure<'_, 't> {
        let (kept, named) = (vec![false; self.parts.len()], vec![false; self.parts.len()]);
        let (mentioned, defined) = (vec![false; self.meanings.len()], vec![false; self.meanings.len()]);
        let missing = self.requires.clone();
        let is_left_out = |part: usize| impls == Impls::Running && self.never_runs(part) && !roots.contains(&part);
        let left_out = (0..self.parts.len()).map(is_left_out).collect();
        let (order, settled) = (Vec::new(), 0);
        let mut closure =
            Closure { of: self, impls, left_out, kept, order, settled, mentioned, named, defined, missing };
        (0..self.parts.len()).for_each(|part| closure.consider(part));
        closure.add(roots.iter().copied());
        closure
    }

    /// Whether a part is a method that is known not to run. Other functions do not count: an impl of a trait needs all of its functions,
    /// and a call of a free function needs that function.
    fn never_runs(&self, part: usize) -> bool {
        let Deletable { is_function, role, holder, .. } = &self.parts[part];
        let is_of_trait = || holder.is_some_and(|holder| self.parts[holder].is_of_trait);
        let is_method = *is_function && *role == Retention::Associated && !is_of_trait();
        is_method && !self.inside(part).any(|inner| self.parts[inner].runs)
    }

    /// A part and all that it holds.
    pub(crate) fn inside(&self, part: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.parts[part].range.end;
        (part..self.parts.len()).take_while(move |&inner| self.parts[inner].range.start < end)
    }

    /// All parts, a `main` function at the root of the file first: without it, the file may not be a program.
    pub fn main_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        order.sort_by_key(|&part| !self.is_main(part));
        order
    }

    /// The parts that have to stay for those at `bytes` and of `names`, in ever wider slices: first what they name, directly or
    /// indirectly; then all that they need except the bodies of other functions; then with the bodies of all functions that
    /// they need, and so on, doubling the steps each time. Empty if there are no such parts.
    ///
    /// (A slice by reachability, as in Weiser, *Program Slicing* (1981), with names in the place of data flow.)
    pub fn slices(&self, bytes: &[usize], names: &[String]) -> Vec<Vec<usize>> {
        let is_body = |part: usize| self.parts[part].role == Retention::Body;
        let at = |byte: &usize| self.parts.iter().rposition(|part| part.range.contains(byte));
        let mut roots: Vec<usize> = bytes.iter().filter_map(at).collect();
        let named = names.iter().filter_map(|name| self.definitions.get(&**name)).flatten();
        roots.extend(named.flat_map(|&part| {
            let bodies = self.parts[part].held.iter().copied().filter(|&held| is_body(held));
            bodies.chain([part])
        }));
        if roots.is_empty() {
            return Vec::new();
        }
        roots.extend((0..self.parts.len()).filter(|&part| self.is_main(part)));
        let named_only = self.needs(&roots);
        let mut closure = self.begin(&roots, Impls::Possible);
        let mut wider: Vec<Vec<usize>> = vec![closure.kept()];
        // Each step adds the bodies of the functions that the one before added.
        let mut from = 0;
        for step in 1.. {
            let new = closure.order[from..].iter().flat_map(|&part| &self.parts[part].held);
            let bodies: Vec<usize> = new.copied().filter(|&part| is_body(part)).collect();
            from = closure.order.len();
            closure.add(bodies.into_iter());
            if closure.order.len() == from {
                break;
            }
            if usize::is_power_of_two(step) {
                wider.push(closure.kept());
            }
        }
        if named_only != wider[0] {
            wider.insert(0, named_only);
        }
        wider
    }

    fn is_main(&self, part: usize) -> bool {
        let part = &self.parts[part];
        part.parent.is_none() && part.role == Retention::Definition && part.names == ["main"]
    }

    /// The parts that can be removed on their own, each after those that it needs, so that no remaining part needs one that is
    /// removed from the end; `main` comes first. Cycles are cut somewhere.
    pub fn needed_first(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut state = vec![false; self.parts.len()];
        // A depth-first search without recursion: a part is left after all that it needs.
        let mut work: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut seen = vec![false; self.meanings.len()];
        for part in 0..self.parts.len() {
            if !std::mem::replace(&mut state[part], true) {
                work.push((part, self.needed(part, &mut seen)));
            }
            while let Some((part, needed)) = work.last_mut() {
                match needed.pop() {
                    Some(next) if !std::mem::replace(&mut state[next], true) => {
                        work.push((next, self.needed(next, &mut seen)));
                    }
                    Some(_) => {}
                    None => {
                        order.push(*part);
                        work.pop();
                    }
                }
            }
        }
        order.sort_by_key(|&part| !self.is_main(part));
        order.retain(|part: &usize| {
            !matches!(self.parts[*part].role, Retention::Import(_) | Retention::Other | Retention::Body)
        });
        order
    }

    /// The parts that a part mentions through meanings not in `seen`, and its parent.
    fn needed(&self, part: usize, seen: &mut [bool]) -> Vec<usize> {
        let new = self.mentions[part].iter().filter(|&&meaning| !std::mem::replace(&mut seen[meaning], true));
        new.flat_map(|&meaning| &self.meanings[meaning].definitions).copied().chain(self.parts[part].parent).collect()
    }
}

/// Which impls and functions stay besides the roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Impls {
    /// All that are possible with what stays.
    Possible,
    /// Those of which some item is named.
    Named,
    /// Like `Named`, but without impls of traits.
    OfTypes,
    /// Like `OfTypes`, but without functions that do not run.
    Running,
}

/// A closure that is being computed.
struct Closure<'d, 't> {
    of: &'d Dependencies<'t>,
    impls: Impls,
    /// The parts that are never kept.
    left_out: Vec<bool>,
    kept: Vec<bool>,
    /// The parts that are kept, in the order in which they came.
    order: Vec<usize>,
    /// How many of these are settled.
    settled: usize,
    /// The meanings that a kept part mentions.
    mentioned: Vec<bool>,
    /// The parts that a kept part may mean.
    named: Vec<bool>,
    /// The meanings that a kept part defines.
    defined: Vec<bool>,
    /// How many of the meanings that a part requires are not defined.
    missing: Vec<usize>,
}

impl Closure<'_, '_> {
    fn keep(&mut self, part: usize) {
        if !self.left_out[part] && !std::mem::replace(&mut self.kept[part], true) {
            self.order.push(part);
        }
    }

    /// Keeps `roots` and all that has to stay with them.
    fn add(&mut self, roots: impl Iterator<Item = usize>) {
        roots.for_each(|root| self.keep(root));
        while let Some(&part) = self.order.get(self.settled) {
            halt::step();
            self.settled += 1;
            self.settle(part);
        }
    }

    /// The parts that are kept, sorted.
    fn kept(&self) -> Vec<usize> {
        (0..self.kept.len()).filter(|&part| self.kept[part]).collect()
    }

    /// Keeps a part if it has to stay with what is kept already.
    fn consider(&mut self, index: usize) {
        let part = &self.of.parts[index];
        let is_held = part.holder.is_none_or(|holder| self.kept[holder]);
        let stays = match part.role {
            Retention::Definition | Retention::Body => false,
            Retention::Associated => is_held && self.named[index],
            Retention::Import(_) => part.is_implied && is_held && self.missing[index] == 0,
            Retention::Foreign(_) => self.impls == Impls::Possible && part.is_implied && is_held,
            Retention::Other => is_held,
            Retention::Call => self.impls == Impls::Possible && self.missing[index] == 0,
            Retention::Impl => {
                let is_named = || part.held.iter().any(|&held| self.named[held]);
                self.missing[index] == 0
                    && match self.impls {
                        Impls::Possible => true,
                        Impls::Named => is_named(),
                        Impls::OfTypes | Impls::Running => !part.is_of_trait && is_named(),
                    }
            }
        };
        if stays {
            self.keep(index);
        }
    }

    /// Keeps the parts that a kept part needs, and those that stay because of it.
    fn settle(&mut self, index: usize) {
        let dependencies = self.of;
        let part = &dependencies.parts[index];
        part.parent.into_iter().for_each(|parent| self.keep(parent));
        for &mentioned in &dependencies.mentions[index] {
            let meaning = &dependencies.meanings[mentioned];
            for &import in &meaning.imports {
                if dependencies.parts[import].role.is_import_at(part.range.start) {
                    self.keep(import);
                }
            }
            if !std::mem::replace(&mut self.mentioned[mentioned], true) {
                for &definition in &meaning.definitions {
                    self.named[definition] = true;
                    match &dependencies.parts[definition].role {
                        Retention::Definition | Retention::Call => self.keep(definition),
                        _ => {
                            dependencies.parts[definition].holder.into_iter().for_each(|holder| self.consider(holder));
                            self.consider(definition);
                        }
                    }
                }
            }
        }
        for &meaning in dependencies.meant[index].iter().filter(|_| part.is_free()) {
            if !std::mem::replace(&mut self.defined[meaning], true) {
                for &other in &dependencies.requiring[meaning] {
                    self.missing[other] -= 1;
                    self.consider(other);
                }
            }
        }
        part.held.iter().for_each(|&held| self.consider(held));
    }
}

#[cfg(test)]
mod tests;
