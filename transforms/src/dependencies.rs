//! What each part of a file needs of the others: which parts have to stay when some are to stay.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::meanings::{Meaning, Meanings};
use crate::roles::{Part, Role, parts};
use crate::scopes::{Mention, Modules};
use crate::tree::Tree;

/// The dependencies between parts of a file that can be deleted: items, associated items, elements of imports.
///
/// Names lead to what their module has, and else to everything of that name, so a part may be said to need more than it does,
/// seldom less.
/// Closed sets of parts are what *binary reduction* searches: Kalhauge and Palsberg, *Binary Reduction of Dependency
/// Graphs* (2019). That an impl is needed as soon as all is there that its head names is of their *Logical Bytecode
/// Reduction* (2021).
pub struct Dependencies<'t> {
    parts: Vec<Part<'t>>,
    /// The parts that define each name.
    definitions: HashMap<&'t str, Vec<usize>>,
    /// What is mentioned.
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
    /// The dependencies between the parts of a file at `sites`, which are sorted: what holds others comes before them.
    #[must_use]
    pub fn of(tree: &'t Tree<'_>, sites: &[Range<usize>]) -> Self {
        let parts = parts(tree, sites);
        let named = Meanings::of(&parts, Modules::of(tree));
        let (mut meanings, mut numbers): (Vec<Meaning>, HashMap<Meaning, usize>) = Default::default();
        let mut known: HashMap<Mention<'_>, Option<usize>> = HashMap::new();
        let mut number = |mention: &Mention<'t>| {
            *known.entry(*mention).or_insert_with(|| {
                let meaning = named.meaning(mention);
                (meaning != Meaning::default()).then(|| {
                    *numbers.entry(meaning).or_insert_with_key(|meaning| {
                        meanings.push(meaning.clone());
                        meanings.len() - 1
                    })
                })
            })
        };
        let mut distinct = |mentions: &mut dyn Iterator<Item = &Mention<'t>>| {
            let mut distinct: Vec<usize> = mentions.filter_map(&mut number).collect();
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
        Self { parts, definitions, meanings, mentions, requires, requiring, meant }
    }

    /// The parts that have to stay if those of `roots` do, sorted, and all that may be needed without being named: the impls
    /// and macro calls that are possible with them, imports from other crates.
    #[must_use]
    pub fn closure(&self, roots: &[usize]) -> Vec<usize> {
        self.close(roots, true)
    }

    /// The parts that have to stay if those of `roots` do, sorted.
    #[must_use]
    pub fn needs(&self, roots: &[usize]) -> Vec<usize> {
        self.close(roots, false)
    }

    fn close(&self, roots: &[usize], all: bool) -> Vec<usize> {
        let (kept, named) = (vec![false; self.parts.len()], vec![false; self.parts.len()]);
        let (mentioned, defined) = (vec![false; self.meanings.len()], vec![false; self.meanings.len()]);
        let missing = self.requires.clone();
        let mut closure = Closure { of: self, all, kept, work: Vec::new(), mentioned, named, defined, missing };
        (0..self.parts.len()).for_each(|part| closure.consider(part));
        roots.iter().for_each(|&root| closure.keep(root));
        while let Some(part) = closure.work.pop() {
            closure.settle(part);
        }
        (0..self.parts.len()).filter(|&part| closure.kept[part]).collect()
    }

    /// All parts, a `main` function at the root of the file before the others: a program may be none without it.
    #[must_use]
    pub fn main_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        order.sort_by_key(|&part| !self.is_main(part));
        order
    }

    /// What has to stay for the parts at `bytes`, and those of `names`, in ever wider slices: all that they need but for
    /// the bodies of other functions; then with the bodies of all functions that they need, and so on, each time as many
    /// steps more as there were. Nothing if there are no such parts.
    ///
    /// (A slice by reachability, as in Weiser, *Program Slicing* (1981), with names in the place of data flow.)
    #[must_use]
    pub fn slices(&self, bytes: &[usize], names: &[String]) -> Vec<Vec<usize>> {
        let is_body = |part: usize| self.parts[part].role == Role::Body;
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
        let mut slices: Vec<Vec<usize>> = vec![self.closure(&roots)];
        while let Some(last) = slices.last() {
            let is_kept = |part: &Option<usize>| part.is_some_and(|part| last.binary_search(&part).is_ok());
            roots.extend((0..self.parts.len()).filter(|&part| is_body(part) && is_kept(&self.parts[part].parent)));
            let next = self.closure(&roots);
            if next == *last {
                break;
            }
            slices.push(next);
        }
        let wider = (0..slices.len()).filter(|step| *step == 0 || step.is_power_of_two());
        wider.map(|step| slices[step].clone()).collect()
    }

    fn is_main(&self, part: usize) -> bool {
        let part = &self.parts[part];
        part.parent.is_none() && part.role == Role::Definition && part.names == ["main"]
    }

    /// The parts that can be removed for themselves, each after what it needs, so that what is removed from the end
    /// is needed by nothing that is left; `main` comes first. Cycles are cut somewhere.
    #[must_use]
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
        order.retain(|part: &usize| !matches!(self.parts[*part].role, Role::Import(_) | Role::Other | Role::Body));
        order
    }

    /// What a part mentions that is not in `seen`, and what holds it.
    fn needed(&self, part: usize, seen: &mut [bool]) -> Vec<usize> {
        let new = self.mentions[part].iter().filter(|&&meaning| !std::mem::replace(&mut seen[meaning], true));
        new.flat_map(|&meaning| &self.meanings[meaning].definitions).copied().chain(self.parts[part].parent).collect()
    }
}

/// A closure that is being computed.
struct Closure<'d, 't> {
    of: &'d Dependencies<'t>,
    /// Whether all that is possible is kept.
    all: bool,
    kept: Vec<bool>,
    /// What was kept and not settled.
    work: Vec<usize>,
    /// The meanings that something kept mentions.
    mentioned: Vec<bool>,
    /// The parts that something kept may mean.
    named: Vec<bool>,
    /// The meanings that something kept defines.
    defined: Vec<bool>,
    /// How many of the meanings that a part requires are not defined.
    missing: Vec<usize>,
}

impl Closure<'_, '_> {
    fn keep(&mut self, part: usize) {
        if !std::mem::replace(&mut self.kept[part], true) {
            self.work.push(part);
        }
    }

    /// Keeps a part if it has to stay with what is kept already.
    fn consider(&mut self, index: usize) {
        let part = &self.of.parts[index];
        let is_held = part.holder.is_none_or(|holder| self.kept[holder]);
        let stays = match part.role {
            Role::Definition | Role::Body => false,
            Role::Associated => is_held && self.named[index],
            Role::Import(_) => part.is_implied && is_held && self.missing[index] == 0,
            Role::Foreign(_) => self.all && part.is_implied && is_held,
            Role::Other => is_held,
            Role::Impl | Role::Call => self.all && self.missing[index] == 0,
        };
        if stays {
            self.keep(index);
        }
    }

    /// Keeps what a kept part needs, and what stays because of it.
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
                        Role::Definition | Role::Call => self.keep(definition),
                        _ => self.consider(definition),
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
mod tests {
    use super::*;
    use crate::testing::normal;
    use crate::{Source, apply, enumerate, named};

    /// Checks what is left of `text` if the items named `roots` are to stay, layout aside.
    #[track_caller]
    fn check(text: &str, roots: &[&str], expected: &str) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let transforms = named("items").into_iter().chain(named("delete-use-leaf"));
        let mut deletions: Vec<_> = transforms.flat_map(|transform| enumerate(&tree, transform)).collect();
        deletions.sort_by_key(|deletion| (deletion.site.start, std::cmp::Reverse(deletion.site.end)));
        let sites: Vec<_> = deletions.iter().map(|deletion| deletion.site.clone()).collect();
        let dependencies = Dependencies::of(&tree, &sites);
        let is_root = |part: &usize| dependencies.parts[*part].names.iter().any(|name| roots.contains(name));
        let roots: Vec<usize> = (0..sites.len()).filter(is_root).collect();
        let kept = dependencies.closure(&roots);
        let gone = (0..sites.len()).filter(|part| !kept.contains(part)).map(|part| &deletions[part]);
        assert_eq!(normal(&apply(text, gone)), normal(expected));
    }

    /// Checks the slices of `text` by items and bodies, each by what is left.
    #[track_caller]
    fn check_slices(text: &str, bytes: &[usize], names: &[&str], expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let transforms = ["items", "delete-use-leaf", "replace-body"].into_iter().flat_map(named);
        let mut reductions: Vec<_> = transforms.flat_map(|transform| enumerate(&tree, transform)).collect();
        reductions.sort_by_key(|reduction| (reduction.site.start, std::cmp::Reverse(reduction.site.end)));
        let sites: Vec<Range<usize>> = reductions.iter().map(|reduction| reduction.site.clone()).collect();
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let slices = Dependencies::of(&tree, &sites).slices(bytes, &names);
        let left = |kept: &Vec<usize>| {
            let gone = reductions.iter().enumerate().filter(|(index, _)| !kept.contains(index));
            normal(&apply(text, gone.map(|(_, reduction)| reduction)))
        };
        let expected: Vec<String> = expected.iter().map(|text| normal(text)).collect();
        assert_eq!(slices.iter().map(left).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn slices_grow_by_the_bodies_of_what_they_need() {
        let text = "struct S; impl S { fn m(&self) { k() } } fn f(s: S) { g(s) } fn g(s: S) { s.m() } fn k() { l() } fn l() { z() } fn z() { f(S) } fn x() { f(S) }";
        let first = "struct S; impl S { } fn f(s: S) { g(s) } fn g(s: S) {}";
        let second = "struct S; impl S { fn m(&self) {} } fn f(s: S) { g(s) } fn g(s: S) { s.m() }";
        let third = "struct S; impl S { fn m(&self) { k() } } fn f(s: S) { g(s) } fn g(s: S) { s.m() } fn k() {}";
        let last = "struct S; impl S { fn m(&self) { k() } } fn f(s: S) { g(s) } fn g(s: S) { s.m() } fn k() { l() } fn l() { z() } fn z() {}";
        check_slices(text, &[], &["f"], &[first, second, third, last]);
        check_slices(text, &[text.find("g(s)").expect("it is there")], &[], &[first, second, third, last]);
    }

    #[test]
    fn main_stays_and_what_nobody_names_gives_no_slice() {
        check_slices(
            "fn main() { f() } fn f() {} fn g() {}",
            &[],
            &["g"],
            &["fn main() {} fn g() {}", "fn main() { f() } fn f() {} fn g() {}"],
        );
        check_slices("fn f() {} fn g() {}", &[], &["h"], &[]);
    }

    #[test]
    fn what_is_mentioned_stays_and_what_that_mentions() {
        check("struct A; struct B(A); fn f(b: B) {} fn g(a: A) {}", &["f"], "struct A; struct B(A); fn f(b: B) {}");
        check("fn f() { g() } fn g() { f() } fn h() { f() }", &["g"], "fn f() { g() } fn g() { f() }");
    }

    #[test]
    fn an_impl_stays_where_all_that_its_head_names_does() {
        let text = "struct S; struct R; trait T {} impl T for S {} impl T for R {} impl S {} fn f(s: S) {}";
        check(text, &["f"], "struct S; impl S {} fn f(s: S) {}");
        check(text, &["f", "T"], "struct S; trait T {} impl T for S {} impl S {} fn f(s: S) {}");
    }

    #[test]
    fn associated_items_stay_where_their_name_is_mentioned() {
        let text = "struct S; struct R; impl S { fn a() {} fn b() {} } impl R { fn a() {} } fn f() { S::a() }";
        check(text, &["f"], "struct S; impl S { fn a() {} } fn f() { S::a() }");
        let text = "trait T { fn a(); fn b(); } impl T for u8 { fn a() {} fn b() {} } fn f(t: impl T) { T::a() }";
        check(text, &["f"], "trait T { fn a(); } impl T for u8 { fn a() {} } fn f(t: impl T) { T::a() }");
    }

    #[test]
    fn an_impl_needs_its_bounds_but_does_not_wait_for_them() {
        let text = "trait T {} trait B {} struct S; impl<A: B> T for A where S: B {} fn f(t: impl T) {} fn g() {}";
        check(text, &["f"], "trait T {} trait B {} struct S; impl<A: B> T for A where S: B {} fn f(t: impl T) {}");
    }

    #[test]
    fn an_item_of_an_impl_needs_that_of_the_trait() {
        let text = "trait T { type A; type B; } impl T for u8 { type A = u8; type B = u8; }";
        check(text, &["A"], "trait T { type A; } impl T for u8 { type A = u8; }");
    }

    #[test]
    fn an_impl_of_another_crates_trait_stays_whole() {
        let text = "struct S; impl Drop for S { fn drop(&mut self) { g() } } fn g() {} fn h() {}";
        check(text, &["S"], "struct S; impl Drop for S { fn drop(&mut self) { g() } } fn g() {}");
    }

    #[test]
    fn imports_stay_where_what_they_import_does() {
        let text = "mod m { pub struct A; pub struct B; } use m::{A, B}; mod n { use crate::m::B; pub fn f() {} }";
        check(text, &["A"], "mod m { pub struct A; } use m::{A};");
        check(text, &["f"], "mod n { pub fn f() {} }");
    }

    #[test]
    fn an_import_in_the_way_to_what_is_mentioned_stays() {
        let text = "mod a { pub struct S; } mod p { pub use crate::a::S; } mod n { use crate::p::S; fn f(s: S) {} }";
        check(text, &["f"], text);
        let text = "mod a { pub struct S; } use a::S as R; fn f(r: R) {} fn g() {}";
        check(text, &["f"], "mod a { pub struct S; } use a::S as R; fn f(r: R) {}");
    }

    #[test]
    fn a_name_means_what_its_module_has() {
        let text = "fn f() { g() } fn g() {} mod m { fn f() { g() } fn g() { h() } } mod n { fn g() {} }";
        let both = "fn f() { g() } fn g() {} mod m { fn f() { g() } fn g() { h() } }";
        check(text, &["f"], both);
        check("mod a { fn f() { S } struct S; } mod b { struct S; }", &["f"], "mod a { fn f() { S } struct S; }");
        let text = "trait T {} mod a { impl super::T for u8 {} fn f(t: impl super::T) {} } mod b { trait T {} impl T for u8 {} }";
        check(text, &["f"], "trait T {} mod a { impl super::T for u8 {} fn f(t: impl super::T) {} }");
    }

    #[test]
    fn an_impl_waits_for_what_it_imports() {
        let text = "mod a { pub trait T {} } mod b { use crate::a::T; pub struct S; impl T for S {} } fn f(s: b::S) {}";
        check(text, &["f"], "mod b { pub struct S; } fn f(s: b::S) {}");
        check(text, &["f", "T"], text);
        let text = "mod a { pub struct S; } mod b { use crate::a::S as R; impl R {} } fn f(s: a::S) {}";
        check(text, &["f"], text);
    }

    #[test]
    fn a_path_leads_into_its_module() {
        let text = "mod a { pub fn g() {} } mod b { pub fn g() {} } fn f() { b::g() } fn g() {}";
        check(text, &["f"], "mod b { pub fn g() {} } fn f() { b::g() }");
        let text = "mod a { pub struct S; } mod b { pub struct S; pub mod c { use super::S; fn f(s: S) {} } }";
        check(text, &["f"], "mod b { pub struct S; pub mod c { use super::S; fn f(s: S) {} } }");
        let text = "mod a { mod p { pub fn g() {} } pub use p::*; } mod b { pub fn g() {} } fn f() { a::g() }";
        check(text, &["f"], "mod a { mod p { pub fn g() {} } pub use p::*; } fn f() { a::g() }");
    }

    #[test]
    fn names_come_through_globs_and_else_from_nowhere() {
        let text = "mod a { pub fn g() {} } mod b { pub fn g() {} } mod c { use super::b::*; fn f() { g() } }";
        check(text, &["f"], "mod b { pub fn g() {} } mod c { use super::b::*; fn f() { g() } }");
        check("mod a { fn drop() {} } mod b { fn f() { drop(1) } }", &["f"], "mod b { fn f() { drop(1) } }");
        let text = "enum E { A } mod a { fn g() {} } mod b { use super::E::*; fn f() { g() } }";
        check(text, &["f"], "mod a { fn g() {} } mod b { fn f() { g() } }");
    }

    #[test]
    fn behind_a_dot_or_a_type_stands_what_belongs_to_one() {
        let text = "struct S; impl S { fn g(&self) {} fn h() {} } mod a { pub fn g() {} pub fn h() {} } fn f(s: S) { s.g(); S::h() }";
        check(text, &["f"], "struct S; impl S { fn g(&self) {} fn h() {} } fn f(s: S) { s.g(); S::h() }");
    }

    #[test]
    fn the_standard_library_is_no_part_of_the_file() {
        check("use std::fmt; mod fmt { pub fn f() {} }", &[], "use std::fmt;");
    }

    #[test]
    fn what_a_macro_call_makes_is_not_known() {
        let text = "macro_rules! m { () => {} } struct S; struct R; m!(S); fn f(s: S) {}";
        check(text, &["S"], "struct S;");
        check(text, &["S", "m"], "macro_rules! m { () => {} } struct S; m!(S);");
    }

    #[test]
    fn a_name_that_only_a_macro_call_has_is_made_by_it() {
        let text = "macro_rules! m { ($a:ident) => { mod $a {} } } m!(a); use a::f; fn g() {} fn h() { f() }";
        check(text, &["h"], "macro_rules! m { ($a:ident) => { mod $a {} } } m!(a); use a::f; fn h() { f() }");
        check(text, &["g"], "fn g() {}");
    }

    #[test]
    fn a_macros_rules_stay_whole() {
        let text = "macro_rules! m { () => { fn f() {} struct S; } } m!{} fn g() { f() }";
        check(text, &["g"], text);
    }

    #[test]
    fn an_item_in_a_function_needs_the_function() {
        check("fn f() { fn g() {} } fn h() {}", &["g"], "fn f() { fn g() {} }");
    }

    #[test]
    fn users_come_after_what_they_need() {
        let text = "fn a() { b() } struct S; fn b() { c() } impl S { fn f() {} } fn c() {}";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let sites: Vec<_> = enumerate(&tree, named("delete-item")[0]).into_iter().map(|item| item.site).collect();
        let dependencies = Dependencies::of(&tree, &sites);
        let texts: Vec<&str> = dependencies.needed_first().into_iter().map(|part| &text[sites[part].clone()]).collect();
        assert_eq!(texts, ["fn c() {}", "fn b() { c() }", "fn a() { b() }", "struct S;", "impl S { fn f() {} }"]);
    }

    #[test]
    fn main_comes_first() {
        let text = "mod m { fn main() {} } fn f() {} fn main() { f() }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let sites: Vec<_> = enumerate(&tree, named("delete-item")[0]).into_iter().map(|item| item.site).collect();
        let dependencies = Dependencies::of(&tree, &sites);
        assert_eq!(dependencies.main_first(), [3, 0, 1, 2]);
        assert_eq!(dependencies.needed_first()[0], 3);
    }

    #[test]
    fn an_impl_that_is_no_root_can_be_left_out() {
        let text = "struct S; trait T {} impl T for S {}";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let sites: Vec<_> = enumerate(&tree, named("delete-item")[0]).into_iter().map(|item| item.site).collect();
        let dependencies = Dependencies::of(&tree, &sites);
        assert_eq!(dependencies.closure(&[0, 1]), [0, 1, 2]);
        assert_eq!(dependencies.needs(&[0, 1]), [0, 1]);
        assert_eq!(dependencies.needs(&[2]), [0, 1, 2]);
    }

    #[test]
    fn without_roots_nothing_is_kept_that_has_a_name() {
        check("fn f() {} struct S; impl S { fn g() {} }", &[], "");
        check("", &[], "");
    }
}
