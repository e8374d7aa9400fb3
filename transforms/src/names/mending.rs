//! Chooses the parts of a program to keep so that the code that runs still compiles, from the compiler's complaints about
//! missing parts.

use std::collections::{BTreeSet, HashSet};

use super::dependencies::parts::{Deletable, Retention};
use super::dependencies::{Dependencies, Impls};
use crate::syntax::generics::is_primitive;
use crate::text::lex::tokens;

/// A complaint of the compiler about a program from which parts were deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Its byte in the whole program.
    pub byte: usize,
    /// The words of the program that it mentions.
    pub words: HashSet<String>,
}

/// A set of parts on its way to one that compiles.
#[derive(Clone, Debug)]
pub struct Mending {
    /// The parts that are kept, sorted.
    pub kept: Vec<usize>,
    impls: Impls,
    /// The parts that were missed once.
    missed: BTreeSet<usize>,
    /// The parts that were given up because they need others.
    given_up: BTreeSet<usize>,
}

impl Mending {
    fn of(impls: Impls, kept: Vec<usize>) -> Self {
        Self { kept, impls, missed: BTreeSet::new(), given_up: BTreeSet::new() }
    }
}

impl Dependencies<'_> {
    /// The parts that have to stay for what runs, where only the bodies of functions that do are more than a placeholder: by
    /// names, and so perhaps too few. A macro call that names `test`, the test that fails, is one of them: it may make it. First without
    /// functions that do not run, then with those that are named. None where all stay, or nothing runs.
    pub fn running(&self, test: Option<&str>) -> Vec<Mending> {
        let runs = |part: &usize| {
            let Deletable { role, holder, runs, mentions, .. } = &self.parts[*part];
            let is_named = || mentions.iter().any(|mention| test == Some(mention.name));
            *runs
                || *role == Retention::Call && is_named()
                || *role == Retention::Body && holder.is_some_and(|function| self.parts[function].runs)
        };
        let roots: Vec<usize> = (0..self.parts.len()).filter(runs).collect();
        let mending = |impls: Impls| Mending::of(impls, self.close(&roots, impls));
        let all = [Impls::Running, Impls::OfTypes].map(mending).into_iter();
        all.filter(|mending| !roots.is_empty() && mending.kept.len() < self.parts.len()).collect()
    }

    /// Begins with these parts, which are sorted. Impls are kept of which some item is named.
    pub fn mending(&self, kept: Vec<usize>) -> Mending {
        Mending::of(Impls::Named, kept)
    }

    /// Keeps the parts that the compiler misses, or gives up the parts that need them, if these do not run. Returns whether
    /// anything changed.
    pub fn mend(&self, mending: &mut Mending, complaints: &[Complaint]) -> bool {
        let (mut gone, mut missed) = (BTreeSet::new(), BTreeSet::new());
        for complaint in complaints {
            let around = self.blamed(complaint, mending);
            let meant = self.meant_by(complaint, mending);
            // An import is kept for what it brings.
            let is_import = |part: &usize| self.parts[*part].role.is_import();
            let is_needed = |part: &usize| is_import(part) && !meant.iter().all(is_import);
            match around.filter(|part| !mending.missed.contains(part) && !is_needed(part)) {
                Some(part) => gone.extend(self.inside(part)),
                None => {
                    // A missed part is needed, unless it was a guess: a macro call or an import may define something else.
                    let is_guess = |part: &usize| self.parts[*part].role == Retention::Call || is_import(part);
                    let guess = around.filter(|part| meant.is_empty() && is_guess(part));
                    gone.extend(guess.into_iter().flat_map(|part| self.inside(part)));
                    let with_parents =
                        |part: usize| std::iter::successors(Some(part), |part: &usize| self.parts[*part].parent);
                    missed.extend(meant.into_iter().flat_map(with_parents));
                }
            }
        }
        mending.missed.append(&mut missed);
        mending.missed.retain(|part| !gone.contains(part));
        mending.given_up.append(&mut gone);
        let missed: Vec<usize> = mending.missed.iter().copied().collect();
        let needed = self.close(&missed, mending.impls);
        let mut kept: BTreeSet<usize> = mending.kept.iter().copied().chain(needed).collect();
        kept.retain(|part| !mending.given_up.contains(part) || mending.missed.contains(part));
        if kept.iter().eq(&mending.kept) {
            return self.give_up(mending, complaints);
        }
        mending.kept = kept.into_iter().collect();
        true
    }

    /// Gives up the parts that the compiler complains about, also those that were missed once: what they lack cannot be found. Returns
    /// whether there are any.
    fn give_up(&self, mending: &mut Mending, complaints: &[Complaint]) -> bool {
        let around = complaints.iter().filter_map(|complaint| self.blamed(complaint, mending));
        let gone: BTreeSet<usize> = around.flat_map(|part| self.inside(part)).collect();
        mending.kept.retain(|part| !gone.contains(part));
        mending.missed.retain(|part| !gone.contains(part));
        mending.given_up.extend(&gone);
        !gone.is_empty()
    }

    /// The innermost kept part around a complaint that can be given up.
    fn blamed(&self, complaint: &Complaint, mending: &Mending) -> Option<usize> {
        let is_around = |part: &usize| self.parts[*part].range.contains(&complaint.byte);
        mending.kept.iter().copied().rfind(|part| is_around(part) && self.may_go(*part))
    }

    /// Whether a part can be given up: it is not a type, and nothing in it runs.
    fn may_go(&self, part: usize) -> bool {
        let Deletable { role, is_function, .. } = &self.parts[part];
        let is_kind = match role {
            Retention::Definition => *is_function,
            Retention::Body => false,
            _ => true,
        };
        // An impl of a trait needs all of its items.
        let is_item_of_trait = self.parts[part].holder.is_some_and(|holder| self.parts[holder].is_of_trait);
        is_kind && !is_item_of_trait && !self.inside(part).any(|inner| self.parts[inner].runs)
    }

    /// The deleted parts that the words of a complaint may mean. A macro call is one of them if all types that it names are
    /// among the words, or, if nothing else is meant, some of them; one that was given up only if nothing else is meant. Imports that are in scope at the complaint are preferred
    /// to others.
    fn meant_by(&self, Complaint { byte, words }: &Complaint, mending: &Mending) -> Vec<usize> {
        let is_kept = |part: &usize| mending.kept.binary_search(part).is_ok() || mending.missed.contains(part);
        let was_wrong = |part: &usize| self.parts[*part].role == Retention::Call && mending.given_up.contains(part);
        let (mut meant, mut likely, mut perhaps) = (Vec::new(), Vec::new(), Vec::new());
        for part in (0..self.parts.len()).filter(|part| !is_kept(part)) {
            let Deletable { role, names, head_names, holder, is_implied, .. } = &self.parts[part];
            let is_named = || names.iter().any(|name| words.contains(*name));
            let has_head = |part: usize| {
                let head_names = &self.parts[part].head_names;
                !head_names.is_empty() && head_names.iter().all(|name| words.contains(*name))
            };
            match role {
                // What it needs may be there now.
                _ if was_wrong(&part) => likely.extend((self.types_in_call(part, words) == Some(true)).then_some(part)),
                Retention::Impl if !head_names.is_empty() => meant.extend(has_head(part).then_some(part)),
                Retention::Associated => {
                    let is_there = |holder: usize| mending.kept.binary_search(&holder).is_ok() || has_head(holder);
                    // A method of a type may be one of a trait that is not named.
                    let is_of_type =
                        |holder: usize| self.parts[holder].head_names.last().is_some_and(|name| words.contains(*name));
                    match is_named() {
                        true if holder.is_none_or(is_there) => meant.push(part),
                        true if holder.is_some_and(is_of_type) => likely.push(part),
                        _ => {}
                    }
                }
                Retention::Body | Retention::Other | Retention::Impl => {}
                // A glob may bring any name.
                _ if role.is_import() && names.is_empty() && *is_implied => perhaps.push(part),
                _ if is_named() => meant.push(part),
                Retention::Call if self.declares(part, words) => meant.push(part),
                Retention::Call => match self.types_in_call(part, words) {
                    Some(true) => meant.push(part),
                    Some(false) => perhaps.push(part),
                    None => {}
                },
                _ => {}
            }
        }
        let mut meant = [meant, likely, perhaps].into_iter().find(|meant| !meant.is_empty()).unwrap_or_default();
        let role = |part: usize| &self.parts[part].role;
        if meant.iter().any(|&part| role(part).is_import_at(*byte)) {
            meant.retain(|&part| !role(part).is_import() || role(part).is_import_at(*byte));
        }
        meant
    }

    /// Whether a keyword stands before one of these words in a macro call or in the macro, as where it is declared.
    fn declares(&self, part: usize, words: &HashSet<String>) -> bool {
        const KEYWORDS: [&str; 8] = ["const", "enum", "fn", "mod", "static", "struct", "trait", "type"];
        let text = |part: usize| &self.text[self.parts[part].range.clone()];
        let declares = |text: &str| {
            let all = tokens(text).into_iter().map(|token| &text[token.range]).filter(|word| !word.trim().is_empty());
            let all: Vec<&str> = all.collect();
            all.windows(2).any(|pair| KEYWORDS.contains(&pair[0]) && words.contains(pair[1]))
        };
        let mentions = self.parts[part].mentions.iter().filter_map(|mention| self.definitions.get(mention.name));
        let macros = mentions.flatten().copied().filter(|&part| self.parts[part].macro_name.is_some());
        macros.chain([part]).map(text).any(declares)
    }

    /// Whether all types that a macro call names are among these words; `None` if no type is.
    fn types_in_call(&self, part: usize, words: &HashSet<String>) -> Option<bool> {
        let mentions = &self.parts[part].mentions;
        let is_type = |name: &&str| name.starts_with(char::is_uppercase) || is_primitive(name);
        let types: Vec<&str> = mentions.iter().map(|mention| mention.name).filter(is_type).collect();
        let known = types.iter().filter(|name| words.contains(**name)).count();
        let rules = mentions.iter().filter_map(|mention| self.definitions.get(mention.name)).flatten();
        let in_rules = rules.flat_map(|&rule| self.inside(rule)).flat_map(|part| &self.parts[part].mentions);
        let mut made = in_rules.map(|mention| mention.name);
        let makes = known > 1 || made.any(|name| words.contains(name) && !types.contains(&name));
        (known > 0 && makes).then_some(known == types.len())
    }
}

#[cfg(test)]
mod tests;
