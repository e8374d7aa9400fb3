//! The parts of a file that can be deleted: which names each defines and mentions, and when it has to stay.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use proc_macro2::Ident;
use syn::{Block, ImplItem, Item, ItemImpl, Signature, TraitItem, UseName, UseRename, UseTree};

use crate::document::Document;
use crate::halt;
use crate::names::analysis::Analysis;
use crate::names::definitions::is_of_trait;
use crate::names::imports::{imported, is_foreign};
use crate::names::items::{self, Open};
use crate::names::mentions::{Mention, Via};
use crate::syntax::generics::is_primitive;
use crate::syntax::surroundings::{body, signature};
use crate::syntax::types::heads;
use crate::syntax::{Node, Syntax, range};
use crate::text::lex::plain;

/// A part and its relations to the others.
pub(crate) struct Deletable<'t> {
    /// When it has to stay.
    pub(crate) role: Retention,
    pub(crate) range: Range<usize>,
    /// Its bytes that name what it requires.
    pub(crate) head: Range<usize>,
    /// For an impl, the names of its trait and of its type, if they have names.
    pub(crate) head_names: Vec<&'t str>,
    /// Whether it is an impl of a trait.
    pub(crate) is_of_trait: bool,
    /// The name of the macro whose rules it is.
    pub(crate) macro_name: Option<&'t str>,
    /// Whether it is a function, or one of an impl.
    pub(crate) is_function: bool,
    /// Whether it is a function that runs, as far as that is known.
    pub(crate) runs: bool,
    pub(crate) parent: Option<usize>,
    /// The part around it that is no import.
    pub(crate) holder: Option<usize>,
    /// The parts that it is the holder of.
    pub(crate) held: Vec<usize>,
    /// Whether it may be an import that is needed without being named: a trait's, or a glob.
    pub(crate) is_implied: bool,
    pub(crate) names: Vec<&'t str>,
    pub(crate) module: usize,
    /// The mentions in its text, outside of the parts that it holds.
    pub(crate) mentions: BTreeSet<Mention<'t>>,
    /// The mentions without which it makes no sense.
    pub(crate) requires: BTreeSet<Mention<'t>>,
}

/// When a part has to stay although it is no root and holds none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Retention {
    /// When its name is mentioned.
    Definition,
    /// When its name is mentioned and its holder stays.
    Associated,
    /// When its name is mentioned in these bytes; or else, if it may import a trait, when its holder and everything that it
    /// requires stay.
    Import(Range<usize>),
    /// Like `Import`, for an import from a crate that is always there.
    Foreign(Range<usize>),
    /// When everything that it requires stays.
    Impl,
    /// A macro call, which may make anything: when a name is mentioned that only it has, or as an impl.
    Call,
    /// When its holder stays. So does the body of a function that returns an opaque type, which is that of the body.
    Other,
    /// The body of another function, which can be a plain one instead: never.
    Body,
}
impl Retention {
    pub(crate) fn is_import(&self) -> bool {
        matches!(self, Self::Import(_) | Self::Foreign(_))
    }

    /// Whether it is that of an import that is known at `byte`.
    pub(crate) fn is_import_at(&self, byte: usize) -> bool {
        matches!(self, Self::Import(scope) | Self::Foreign(scope) if scope.contains(&byte))
    }
}

impl Deletable<'_> {
    /// Whether a path can lead to it.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self.role, Retention::Definition | Retention::Call)
    }
}

/// The parts at `sites`, with all names that they mention.
pub(crate) fn deletables<'t>(names: &Analysis<'t>, sites: &[Range<usize>]) -> Vec<Deletable<'t>> {
    let traits: HashSet<&str> = names.traits().map(|own| plain(own.name())).collect();
    let blocks: HashSet<Range<usize>> =
        names.nodes().filter(|node| matches!(node.syntax(), Syntax::Block(_))).map(Node::range).collect();
    let imports = sites.iter().filter_map(|site| names.items().at(site));
    let renamed: HashMap<&str, &str> = imports.filter_map(|item| renaming(item.node)).collect();
    let mut parts: Vec<Deletable<'t>> = Vec::new();
    let mut own = HashSet::new();
    let mut open = Open::default();
    for (index, site) in sites.iter().enumerate() {
        halt::step();
        let parent = open.enter(index, sites, site.start);
        let holder = std::iter::successors(parent, |&part: &usize| parts[part].parent)
            .find(|&part| !parts[part].role.is_import());
        holder.into_iter().for_each(|holder| parts[holder].held.push(index));
        let item = names.items().at(site);
        let mut defined: Vec<&str> = item.map(|item| item.names().collect()).unwrap_or_default();
        if item.is_some_and(|item| is_of_macro(item.node)) {
            // The definitions in the rules of a macro exist with the macro.
            parent.into_iter().for_each(|parent| parts[parent].names.append(&mut defined));
        }
        let role = match item {
            Some(item) => role(item, &traits),
            None if blocks.contains(site) => {
                let function = holder.and_then(|holder| names.items().at(&sites[holder]));
                if function.is_some_and(|item| is_opaque(item.node)) { Retention::Other } else { Retention::Body }
            }
            None => Retention::Impl,
        };
        // An import or an item of a trait has the name of something else.
        let is_of_trait = item.is_some_and(|item| is_of_trait(item.node));
        if role == Retention::Definition || role == Retention::Associated && !is_of_trait {
            own.extend(item.into_iter().flat_map(|item| &item.idents).map(|ident| range(*ident).start));
        }
        parts.push(Deletable {
            head: match role {
                Retention::Import(_) | Retention::Impl | Retention::Call => {
                    item.map_or(site.clone(), |item| head(item.node))
                }
                _ => 0..0,
            },
            head_names: item.map(|item| head_names(item.node, &renamed)).unwrap_or_default(),
            is_of_trait: item.is_some_and(|item| {
                matches!(item.node.syntax(), Syntax::Item(Item::Impl(ItemImpl { trait_: Some(_), .. })))
            }),
            macro_name: item.and_then(|item| macro_name(item.node)),
            is_function: item.is_some_and(|item| function(item.node).is_some()),
            runs: item.is_some_and(|item| runs(item.node)),
            role,
            range: site.clone(),
            module: names.modules().at(site.start),
            parent,
            holder,
            held: Vec::new(),
            is_implied: false,
            names: defined,
            mentions: BTreeSet::new(),
            requires: BTreeSet::new(),
        });
    }
    let (mut open, mut next) = (Open::default(), 0);
    for &(start, mention) in names.mentions() {
        halt::step();
        open.around(sites, start);
        while sites.get(next).is_some_and(|site| site.start <= start) {
            open.0.push(next);
            next += 1;
        }
        if let Some(&part) = open.0.last().filter(|_| !own.contains(&start)) {
            parts[part].mentions.insert(mention);
            if parts[part].head.contains(&start) {
                parts[part].requires.insert(mention);
            }
        }
    }
    let definitions = parts.iter().filter(|part| part.role == Retention::Definition);
    let defined: HashSet<&str> = definitions.flat_map(|part| part.names.iter().copied()).collect();
    let known: HashSet<&str> = parts.iter().flat_map(|part| part.names.iter().copied()).collect();
    let is_crate = |node: Node<'_>| matches!(node.syntax(), Syntax::Item(Item::ExternCrate(_)));
    let crates: HashSet<&str> =
        names.items().all.iter().filter(|item| is_crate(item.node)).flat_map(items::Item::names).collect();
    for (part, site) in parts.iter_mut().zip(sites) {
        if part.role == Retention::Call {
            // A macro call that has a word may define it.
            let may_be_new = |word: &str| !is_primitive(word) && syn::parse_str::<Ident>(word).is_ok();
            let words: BTreeSet<&str> = part.mentions.iter().map(|mention| mention.name).collect();
            part.names = words.into_iter().filter(|name| !known.contains(name) && may_be_new(name)).collect();
            part.requires.retain(|mention| !part.names.contains(&mention.name));
        }
        if let Retention::Foreign(_) = part.role {
            part.mentions.retain(|mention| mention.via == Via::Import && crates.contains(mention.name));
        }
        part.is_implied = match names.items().at(site).and_then(|item| imported(item.node)) {
            Some(UseTree::Glob(_)) => true,
            Some(UseTree::Name(UseName { ident }) | UseTree::Rename(UseRename { ident, .. })) => {
                let name = plain(&names.source().text()[range(ident)]);
                traits.contains(name) || !defined.contains(name) || matches!(part.role, Retention::Foreign(_))
            }
            _ => false,
        };
    }
    parts
}

/// Whether it is in the rules of a macro or in a call, and not a function in a call that is known not to run: a macro of tests takes
/// any number of them.
fn is_of_macro(node: Node<'_>) -> bool {
    let is_rules = |node: Node<'_>| matches!(node.syntax(), Syntax::Item(Item::Macro(item)) if item.ident.is_some());
    let is_inside = node.ancestors().any(|node| matches!(node.syntax(), Syntax::Macro(_)));
    let is_function = matches!(node.syntax(), Syntax::Item(Item::Fn(_)));
    is_inside && !(is_function && !runs(node) && !node.ancestors().any(is_rules))
}

/// The bytes of a part with the names without which it makes no sense.
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

/// The name that an import gives, and the one that a compiler says.
fn renaming<'t>(node: Node<'t>) -> Option<(&'t str, &'t str)> {
    let UseTree::Rename(UseRename { ident, rename, .. }) = imported(node)? else { return None };
    let word = |ident| plain(&node.source_text()[range(ident)]);
    Some((word(rename), word(ident)))
}

/// The names of the trait and of the type of an impl, as far as they have some: a type parameter has none. Not the names that imports
/// give them.
fn head_names<'t>(node: Node<'t>, renamed: &HashMap<&'t str, &'t str>) -> Vec<&'t str> {
    let Syntax::Item(Item::Impl(item)) = node.syntax() else { return Vec::new() };
    let [of_trait, of_type] = heads(item);
    let is_parameter = |ident: &Ident| item.generics.type_params().any(|param| param.ident == *ident);
    let of_type = of_type.filter(|ident| !is_parameter(ident));
    let name = |ident| plain(&node.source_text()[range(ident)]);
    of_trait.into_iter().chain(of_type).map(name).map(|name| *renamed.get(name).unwrap_or(&name)).collect()
}

/// The signature and the body of a function that is none that a trait provides.
fn function(node: Node<'_>) -> Option<(&Signature, &Block)> {
    let is_provided = matches!(node.syntax(), Syntax::TraitItem(_));
    signature(node).zip(body(node)).filter(|_| !is_provided)
}

/// Whether it is a function that returns an opaque type.
fn is_opaque(node: Node<'_>) -> bool {
    function(node).is_some_and(|(signature, _)| node.source_text()[range(&signature.output)].contains("impl "))
}

/// Whether it is a function that runs, where the bodies of others are placeholders. A function that returns an opaque type
/// cannot have a placeholder, so nothing is known of it.
fn runs(node: Node<'_>) -> bool {
    let text = node.source_text();
    !is_opaque(node) && function(node).is_some_and(|(_, body)| !is_placeholder(&text[range(body)]))
}

/// Whether a body is what takes the place of one that does not run.
fn is_placeholder(body: &str) -> bool {
    const PLACEHOLDERS: [&str; 3] = ["", "panic!()", "loop {}"];
    let body = body.strip_prefix('{').and_then(|body| body.strip_suffix('}'));
    body.is_none_or(|body| PLACEHOLDERS.contains(&body.trim()))
}

fn macro_name<'t>(node: Node<'t>) -> Option<&'t str> {
    let Syntax::Item(Item::Macro(item)) = node.syntax() else { return None };
    item.ident.as_ref().map(|ident| plain(&node.source_text()[range(ident)]))
}

fn is_list(item: &syn::ItemMacro) -> bool {
    item.mac.path.segments.len() == 2
        && Document::SIGN.strip_suffix("::").is_some_and(|sign| item.mac.path.segments[0].ident == sign)
}

fn role(item: &items::Item<'_>, traits: &HashSet<&str>) -> Retention {
    let node = item.node;
    let implements_foreign = |node: Node<'_>| match node.parent().map(Node::syntax) {
        Some(Syntax::Item(Item::Impl(item))) => item.trait_.as_ref().is_some_and(|(path, _)| {
            let name = path.segments.last().map(|segment| segment.ident.to_string());
            name.is_some_and(|name| !traits.contains(plain(&name)))
        }),
        _ => false,
    };
    match node.syntax() {
        // A macro's rules are not read, and not taken apart.
        _ if is_of_macro(node) => Retention::Other,
        // The compiler's arguments, and the files that are not Rust.
        Syntax::Item(Item::Macro(item)) if is_list(item) => Retention::Other,
        Syntax::Item(Item::Macro(item)) if item.ident.is_none() => Retention::Call,
        Syntax::UseTree(_) | Syntax::Item(Item::Use(_)) => {
            let scope = item.scope.clone().unwrap_or(0..usize::MAX);
            if is_foreign(node) { Retention::Foreign(scope) } else { Retention::Import(scope) }
        }
        // It is unknown which items a trait of another crate demands.
        Syntax::ImplItem(_) if implements_foreign(node) => Retention::Other,
        // It is unknown which items a macro makes.
        Syntax::ImplItem(ImplItem::Macro(_)) | Syntax::TraitItem(TraitItem::Macro(_)) => Retention::Other,
        Syntax::TraitItem(_) | Syntax::ImplItem(_) => Retention::Associated,
        _ if item.idents.is_empty() => Retention::Impl,
        _ => Retention::Definition,
    }
}
