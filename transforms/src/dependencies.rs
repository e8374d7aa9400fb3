//! What each part of a file needs of the others, told by name: which parts have to stay when some are to stay.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use proc_macro2::Ident;
use syn::{ForeignItem, ImplItem, Item, ItemUse, TraitItem, UseName, UseRename, UseTree, Visibility};

use crate::lex::{Kind, plain};
use crate::parts::is_primitive;
use crate::tree::{Node, Syntax, Tree, range};

/// The dependencies between parts of a file that can be deleted: items, associated items, elements of imports.
///
/// Names are compared and not resolved, so a part may be said to need more than it does, seldom less.
/// Closed sets of parts are what *binary reduction* searches: Kalhauge and Palsberg, *Binary Reduction of Dependency
/// Graphs* (2019). That an impl is needed as soon as all is there that its head names is of their *Logical Bytecode
/// Reduction* (2021).
pub struct Dependencies<'t> {
    parts: Vec<Part<'t>>,
    /// The parts that define each name.
    definitions: HashMap<&'t str, Vec<usize>>,
    /// The parts that require each name.
    requiring: HashMap<&'t str, Vec<usize>>,
}

/// The crates that are there without a dependency.
const STANDARD: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

/// A part, and what it is to the others.
struct Part<'t> {
    role: Role,
    start: usize,
    /// Its bytes that name what it requires.
    head: Range<usize>,
    /// The part around it.
    parent: Option<usize>,
    /// The part around it that is no import.
    holder: Option<usize>,
    /// The parts that it is the holder of.
    held: Vec<usize>,
    /// Whether it may be an import that is needed without being named: a trait's, or a glob.
    is_implied: bool,
    /// The names that it defines.
    names: Vec<&'t str>,
    /// The names of parts that its text mentions, outside of the parts that it holds.
    mentions: BTreeSet<&'t str>,
    /// The names of parts without which it makes no sense.
    requires: BTreeSet<&'t str>,
}

/// When a part has to stay although it is no root and holds none.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Role {
    /// When its name is mentioned.
    Definition,
    /// When its name is mentioned and what holds it stays.
    Associated,
    /// When its name is mentioned in these bytes; or else, if it may import a trait, when what holds it stays and so does
    /// what it requires.
    Import(Range<usize>),
    /// The same of an import from a crate that is always there.
    Foreign(Range<usize>),
    /// When what it requires stays.
    Impl,
    /// A macro call, which may make anything: when a name is mentioned that only it has, or as an impl.
    Call,
    /// When what holds it stays.
    Other,
}

impl<'t> Dependencies<'t> {
    /// The dependencies between the parts of a file at `sites`, which are sorted: what holds others comes before them.
    #[must_use]
    pub fn of(tree: &'t Tree<'_>, sites: &[Range<usize>]) -> Self {
        let mut parts = parts(tree, sites);
        let mut definitions: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, part) in parts.iter().enumerate() {
            part.names.iter().for_each(|name| definitions.entry(name).or_default().push(index));
        }
        let mut requiring: HashMap<&str, Vec<usize>> = HashMap::new();
        let is_free =
            |name: &&str| definitions.get(name).is_some_and(|of| of.iter().any(|&part| parts[part].is_free()));
        let free: HashSet<&str> = definitions.keys().copied().filter(is_free).collect();
        for (index, part) in parts.iter_mut().enumerate() {
            part.mentions.retain(|name| definitions.contains_key(name));
            part.requires.retain(|name| free.contains(name));
            part.requires.iter().for_each(|name| requiring.entry(name).or_default().push(index));
        }
        Self { parts, definitions, requiring }
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
        let missing = self.parts.iter().map(|part| part.requires.len()).collect();
        let kept = vec![false; self.parts.len()];
        let (mentioned, defined) = (HashSet::new(), HashSet::new());
        let mut closure = Closure { of: self, all, kept, work: Vec::new(), mentioned, defined, missing };
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
        for part in 0..self.parts.len() {
            if !std::mem::replace(&mut state[part], true) {
                work.push((part, self.needed(part)));
            }
            while let Some((part, needed)) = work.last_mut() {
                match needed.pop() {
                    Some(next) if !std::mem::replace(&mut state[next], true) => work.push((next, self.needed(next))),
                    Some(_) => {}
                    None => {
                        order.push(*part);
                        work.pop();
                    }
                }
            }
        }
        order.sort_by_key(|&part| !self.is_main(part));
        order.retain(|part: &usize| !matches!(self.parts[*part].role, Role::Import(_) | Role::Other));
        order
    }

    /// What a part mentions, and what holds it.
    fn needed(&self, part: usize) -> Vec<usize> {
        let part = &self.parts[part];
        let mentioned = part.mentions.iter().flat_map(|name| &self.definitions[name]).copied();
        mentioned.chain(part.parent).collect()
    }
}

impl Part<'_> {
    /// Whether it is what a path can lead to.
    fn is_free(&self) -> bool {
        matches!(self.role, Role::Definition | Role::Call)
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
    mentioned: HashSet<&'t str>,
    /// The names that something kept defines.
    defined: HashSet<&'t str>,
    /// How many of the names that a part requires are not defined.
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
            Role::Definition => false,
            Role::Associated => is_held && part.names.iter().any(|name| self.mentioned.contains(name)),
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
        for name in &part.mentions {
            self.mentioned.insert(name);
            for &definition in &dependencies.definitions[name] {
                match &dependencies.parts[definition].role {
                    Role::Definition | Role::Call => self.keep(definition),
                    Role::Import(scope) | Role::Foreign(scope) if scope.contains(&part.start) => self.keep(definition),
                    _ => self.consider(definition),
                }
            }
        }
        for name in part.names.iter().filter(|_| part.is_free()) {
            if self.defined.insert(name) {
                for &other in dependencies.requiring.get(name).into_iter().flatten() {
                    self.missing[other] -= 1;
                    self.consider(other);
                }
            }
        }
        part.held.iter().for_each(|&held| self.consider(held));
    }
}

/// The parts at `sites`, with all names that they mention.
fn parts<'t>(tree: &'t Tree<'_>, sites: &[Range<usize>]) -> Vec<Part<'t>> {
    let text = tree.source().text();
    let nodes: HashMap<Range<usize>, Node<'t>> =
        tree.nodes().filter(|node| is_part(*node)).map(|node| (node.range(), node)).collect();
    let traits: HashSet<&str> = tree.nodes().filter_map(own_trait).map(|ident| word(text, ident)).collect();
    let mut parts: Vec<Part<'t>> = Vec::new();
    let mut own = HashSet::new();
    let mut open = Open::default();
    for (index, site) in sites.iter().enumerate() {
        let parent = open.around(sites, site.start);
        open.0.push(index);
        let is_import = |part: &usize| matches!(parts[*part].role, Role::Import(_) | Role::Foreign(_));
        let holder = std::iter::successors(parent, |&part: &usize| parts[part].parent).find(|part| !is_import(part));
        holder.into_iter().for_each(|holder| parts[holder].held.push(index));
        let node = nodes.get(site).copied();
        let idents = node.map(idents).unwrap_or_default();
        let mut names: Vec<&str> = idents.iter().map(|ident| word(text, ident)).collect();
        if node.is_some_and(is_inside_macro) {
            // What the rules of a macro define is there with the macro.
            parent.into_iter().for_each(|parent| parts[parent].names.append(&mut names));
        }
        let role = node.map_or(Role::Impl, |node| role(node, &traits));
        // What an import or an item of a trait is named after is something else.
        let is_own = role == Role::Definition || role == Role::Associated && !node.is_some_and(is_of_trait);
        own.extend(idents.iter().filter(|_| is_own).map(|ident| ident.span().byte_range().start));
        parts.push(Part {
            head: match role {
                Role::Import(_) | Role::Impl | Role::Call => node.map_or(site.clone(), head),
                _ => 0..0,
            },
            role,
            start: site.start,
            parent,
            holder,
            held: Vec::new(),
            is_implied: false,
            names,
            mentions: BTreeSet::new(),
            requires: BTreeSet::new(),
        });
    }
    let (mut open, mut next) = (Open::default(), 0);
    for token in tree.source().tokens().iter().filter(|token| token.kind == Kind::Code) {
        open.around(sites, token.range.start);
        while sites.get(next).is_some_and(|site| site.start <= token.range.start) {
            open.0.push(next);
            next += 1;
        }
        if let Some(&part) = open.0.last().filter(|_| !own.contains(&token.range.start)) {
            let name = plain(&text[token.range.clone()]);
            parts[part].mentions.insert(name);
            if parts[part].head.contains(&token.range.start) {
                parts[part].requires.insert(name);
            }
        }
    }
    let definitions = parts.iter().filter(|part| part.role == Role::Definition);
    let defined: HashSet<&str> = definitions.flat_map(|part| part.names.iter().copied()).collect();
    let known: HashSet<&str> = parts.iter().flat_map(|part| part.names.iter().copied()).collect();
    for (part, site) in parts.iter_mut().zip(sites) {
        if part.role == Role::Call {
            part.names =
                part.mentions.iter().copied().filter(|name| !known.contains(name) && may_be_new(name)).collect();
            part.names.iter().for_each(|name| _ = part.requires.remove(name));
        }
        if let Role::Foreign(_) = part.role {
            part.mentions.clear();
        }
        part.is_implied = match nodes.get(site).and_then(|node| imported(*node)) {
            Some(UseTree::Glob(_)) => true,
            Some(UseTree::Name(UseName { ident }) | UseTree::Rename(UseRename { ident, .. })) => {
                let name = word(text, ident);
                traits.contains(name) || !defined.contains(name) || matches!(part.role, Role::Foreign(_))
            }
            _ => false,
        };
    }
    parts
}

/// Whether a macro call that has this word may define it.
fn may_be_new(word: &str) -> bool {
    !is_primitive(word) && syn::parse_str::<Ident>(word).is_ok()
}

/// The bytes of a part that name what it makes no sense without.
fn head(node: Node<'_>) -> Range<usize> {
    match node.syntax() {
        // Not its bounds: where it is needed they are, too.
        Syntax::Item(Item::Impl(item)) => match &item.trait_ {
            Some((path, _)) => range(path).start..range(&*item.self_ty).end,
            None => range(&*item.self_ty),
        },
        _ => node.range(),
    }
}

/// The sites that are open at a byte, the innermost last.
#[derive(Default)]
struct Open(Vec<usize>);

impl Open {
    /// Closes what ends before `byte`; what is open there.
    fn around(&mut self, sites: &[Range<usize>], byte: usize) -> Option<usize> {
        while self.0.last().is_some_and(|&site| sites[site].end <= byte) {
            self.0.pop();
        }
        self.0.last().copied()
    }
}

fn word<'t>(text: &'t str, ident: &Ident) -> &'t str {
    plain(&text[ident.span().byte_range()])
}

fn is_part(node: Node<'_>) -> bool {
    matches!(
        node.syntax(),
        Syntax::Item(_)
            | Syntax::ImplItem(_)
            | Syntax::TraitItem(_)
            | Syntax::ForeignItem(_)
            | Syntax::UseTree(UseTree::Path(_) | UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_))
    )
}

fn own_trait<'t>(node: Node<'t>) -> Option<&'t Ident> {
    match node.syntax() {
        Syntax::Item(Item::Trait(item)) => Some(&item.ident),
        Syntax::Item(Item::TraitAlias(item)) => Some(&item.ident),
        _ => None,
    }
}

/// Whether it is an item of a trait or of an impl of a trait.
pub(crate) fn is_of_trait(node: Node<'_>) -> bool {
    let in_trait_impl =
        |parent: Node<'_>| matches!(parent.syntax(), Syntax::Item(Item::Impl(item)) if item.trait_.is_some());
    match node.syntax() {
        Syntax::TraitItem(_) => true,
        Syntax::ImplItem(_) => node.parent().is_some_and(in_trait_impl),
        _ => false,
    }
}

fn is_inside_macro(node: Node<'_>) -> bool {
    node.ancestors().any(|node| matches!(node.syntax(), Syntax::Macro(_)))
}

fn role(node: Node<'_>, traits: &HashSet<&str>) -> Role {
    let implements_foreign = |node: Node<'_>| match node.parent().map(Node::syntax) {
        Some(Syntax::Item(Item::Impl(item))) => item.trait_.as_ref().is_some_and(|(path, _)| {
            let name = path.segments.last().map(|segment| segment.ident.to_string());
            name.is_some_and(|name| !traits.contains(plain(&name)))
        }),
        _ => false,
    };
    match node.syntax() {
        // A macro's rules are not read, and not taken apart.
        _ if is_inside_macro(node) => Role::Other,
        Syntax::Item(Item::Macro(item)) if item.ident.is_none() => Role::Call,
        Syntax::UseTree(_) | Syntax::Item(Item::Use(_)) => {
            let scope = import_scope(node).unwrap_or(0..usize::MAX);
            if is_foreign(node) { Role::Foreign(scope) } else { Role::Import(scope) }
        }
        // It cannot be said which items a trait of another crate demands.
        Syntax::ImplItem(_) if implements_foreign(node) => Role::Other,
        Syntax::TraitItem(_) | Syntax::ImplItem(_) => Role::Associated,
        _ if idents(node).is_empty() => Role::Impl,
        _ => Role::Definition,
    }
}

/// The import that a node is or belongs to.
fn import<'t>(node: Node<'t>) -> Option<&'t ItemUse> {
    std::iter::once(node).chain(node.ancestors()).find_map(|node| match node.syntax() {
        Syntax::Item(Item::Use(item)) => Some(item),
        _ => None,
    })
}

/// Where the names of an import are known, if that is not everywhere: in its module, if it is not public.
pub(crate) fn import_scope(node: Node<'_>) -> Option<Range<usize>> {
    matches!(import(node)?.vis, Visibility::Inherited).then(|| node.module().map(Node::range))?
}

/// Whether an import is from a crate that is always there.
fn is_foreign(node: Node<'_>) -> bool {
    import(node).is_some_and(|import| match &import.tree {
        UseTree::Path(path) => import.leading_colon.is_some() || STANDARD.iter().any(|name| path.ident == name),
        _ => false,
    })
}

/// The names that a part defines.
fn idents<'t>(node: Node<'t>) -> Vec<&'t Ident> {
    match node.syntax() {
        Syntax::Item(Item::Use(_)) | Syntax::UseTree(_) => match imported(node) {
            Some(UseTree::Name(leaf)) => vec![&leaf.ident],
            Some(UseTree::Rename(leaf)) => vec![&leaf.rename],
            _ => Vec::new(),
        },
        _ => defined(node),
    }
}

/// The names that are gone with an item or associated item: its own, and those of an enum's variants.
pub(crate) fn defined<'t>(node: Node<'t>) -> Vec<&'t Ident> {
    match node.syntax() {
        Syntax::Item(item) => defined_by_item(item),
        Syntax::ImplItem(ImplItem::Fn(item)) => vec![&item.sig.ident],
        Syntax::ImplItem(ImplItem::Const(item)) => vec![&item.ident],
        Syntax::ImplItem(ImplItem::Type(item)) => vec![&item.ident],
        Syntax::TraitItem(TraitItem::Fn(item)) => vec![&item.sig.ident],
        Syntax::TraitItem(TraitItem::Const(item)) => vec![&item.ident],
        Syntax::TraitItem(TraitItem::Type(item)) => vec![&item.ident],
        Syntax::ForeignItem(ForeignItem::Fn(item)) => vec![&item.sig.ident],
        Syntax::ForeignItem(ForeignItem::Static(item)) => vec![&item.ident],
        Syntax::ForeignItem(ForeignItem::Type(item)) => vec![&item.ident],
        _ => Vec::new(),
    }
}

fn defined_by_item(item: &Item) -> Vec<&Ident> {
    match item {
        Item::Const(item) if item.ident == "_" => Vec::new(),
        Item::Const(item) => vec![&item.ident],
        Item::Enum(item) => std::iter::once(&item.ident).chain(item.variants.iter().map(|v| &v.ident)).collect(),
        Item::ExternCrate(item) => vec![item.rename.as_ref().map_or(&item.ident, |(_, rename)| rename)],
        Item::Fn(item) => vec![&item.sig.ident],
        Item::Macro(item) => item.ident.iter().collect(),
        Item::Mod(item) => vec![&item.ident],
        Item::Static(item) => vec![&item.ident],
        Item::Struct(item) => vec![&item.ident],
        Item::Trait(item) => vec![&item.ident],
        Item::TraitAlias(item) => vec![&item.ident],
        Item::Type(item) => vec![&item.ident],
        Item::Union(item) => vec![&item.ident],
        _ => Vec::new(),
    }
}

/// What an import or an element of one imports, if it is one thing or a glob.
fn imported<'t>(node: Node<'t>) -> Option<&'t UseTree> {
    let mut tree = match node.syntax() {
        Syntax::Item(Item::Use(item)) => &item.tree,
        Syntax::UseTree(tree) => tree,
        _ => return None,
    };
    loop {
        tree = match tree {
            UseTree::Path(path) => &path.tree,
            UseTree::Group(group) if group.items.len() == 1 => &group.items[0],
            UseTree::Group(_) => return None,
            UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => return Some(tree),
        }
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
