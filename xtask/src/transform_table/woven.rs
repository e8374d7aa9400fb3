//! Failures inside of real code: those of the corpus, put into a function or a module of a crate, and crates that were broken.

use std::collections::BTreeMap;
use std::path::Path;

use mcve_dd::random::Random;
use mcve_transforms::{Analysis, Source, Tree, enumerate, named};
use syn::visit::{self, Visit};

use super::crates::{Code, errors};

/// A program that is meant to fail.
pub(super) struct Woven {
    pub(super) name: String,
    pub(super) text: String,
}

/// The transforms that break crates: what they do, applied in one place, is what people forget or get wrong.
const BREAKS: [&str; 14] = [
    "drop-mut",
    "hoist-expression",
    "delete-arm",
    "delete-bound",
    "delete-statement",
    "drop-reference-mut",
    "delete-argument",
    "drop-link",
    "drop-reference-lifetime",
    "replace-type",
    "delete-associated-item",
    "delete-field-value",
    "delete-pattern-element",
    "delete-item",
];

/// How often a crate is broken until it has errors of one kind, one that is new enough.
const TRIES: usize = 12;

/// Errors that depend on more than one place: types, lifetimes, moves and borrows.
const DEEP: [&str; 20] = [
    "E0271", "E0275", "E0277", "E0282", "E0283", "E0308", "E0310", "E0369", "E0373", "E0382", "E0499", "E0502",
    "E0503", "E0505", "E0506", "E0507", "E0515", "E0596", "E0597", "E0716",
];

/// How many programs have such an error of one code.
const MANY: usize = 3;

/// Names that are not found say little of what a program is about.
const PLAIN: [&str; 6] = ["E0425", "E0432", "E0433", "E0412", "E0405", "E0422"];

/// Places where items can stand: in functions, and in modules. The ends of their opening braces.
#[derive(Default)]
struct Places {
    blocks: Vec<usize>,
    modules: Vec<usize>,
}

impl<'ast> Visit<'ast> for Places {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.blocks.push(block.brace_token.span.open().byte_range().end);
        visit::visit_block(self, block);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.ident.to_string().contains("test") {
            return;
        }
        if let Some((brace, items)) = &item.content
            && let Some(first) = items.first()
        {
            // Behind the inner documentation.
            let _ = brace;
            self.modules.push(syn::spanned::Spanned::span(first).byte_range().start);
        }
        visit::visit_item_mod(self, item);
    }
}

/// A failure of the corpus in its smallest form, in two places of a crate: all that can be made, in random order.
pub(super) fn woven<'c>(case: &'c str, minimal: &str, code: &'c Code) -> impl Iterator<Item = Woven> + 'c {
    let (mut flags, mut top, mut items) = ("--crate-type=lib".to_owned(), String::new(), String::new());
    for line in minimal.lines() {
        match line.strip_prefix("//@") {
            Some(header) if header.contains("--emit=obj") => flags.push_str(" --emit=obj"),
            Some(_) => {}
            None if line.starts_with("#![") => top.push_str(&format!("{line}\n")),
            None => items.push_str(&format!("{line}\n")),
        }
    }
    let calls = if items.contains("fn main") { "main();\n" } else { "" };
    let mut places = Places::default();
    if let Ok(file) = syn::parse_file(&code.text) {
        places.visit_file(&file);
    }
    let mut random =
        Random::new(case.bytes().chain(code.name.bytes()).fold(0, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte)));
    let mut kinds: Vec<(usize, bool)> = Vec::new();
    for _ in 0..4 {
        let is_module = !places.modules.is_empty() && calls.is_empty() && random.index(3) == 0;
        let list = if is_module { &places.modules } else { &places.blocks };
        if !list.is_empty() {
            kinds.push((list[random.index(list.len())], is_module));
        }
    }
    kinds.into_iter().map(move |(place, is_module)| {
        let calls = if is_module { "" } else { calls };
        let (before, after) = code.text.split_at(place);
        let text =
            format!("//@ edition: {}\n//@ compile-flags: {flags}\n{top}{before}\n{items}{calls}{after}", code.edition);
        let name = format!("{case} in a {} of {}", if is_module { "module" } else { "function" }, code.name);
        Woven { name, text }
    })
}

/// Crates that were broken in one place each, so that they have errors of one code.
pub(super) fn broken(codes: &[Code], count: usize, rustc: &Path) -> anyhow::Result<Vec<Woven>> {
    let (mut found, mut had): (Vec<Woven>, BTreeMap<String, usize>) = Default::default();
    for (number, code) in codes.iter().chain(codes).enumerate() {
        if found.len() == count {
            break;
        }
        let mut random = Random::new(number as u64);
        let source = Source::parse(&*code.text);
        let tree = Tree::new(&source);
        let analysis = Analysis::of(&tree);
        for attempt in 0..TRIES {
            let transform = BREAKS[(number + attempt) % BREAKS.len()];
            let reductions: Vec<_> = named(transform).into_iter().flat_map(|it| enumerate(&analysis, it)).collect();
            if reductions.is_empty() {
                continue;
            }
            let text = mcve_transforms::apply(&code.text, [&reductions[random.index(reductions.len())]]);
            let Some([error]) =
                errors(rustc, &text, code.edition)?.and_then(|codes| <[String; 1]>::try_from(codes).ok())
            else {
                continue;
            };
            let times = had.entry(error.clone()).or_default();
            let most = if DEEP.contains(&&*error) { MANY } else { 1 };
            if PLAIN.contains(&&*error) || *times == most {
                continue;
            }
            *times += 1;
            let header = format!("//@ edition: {}\n//@ compile-flags: --crate-type=lib\n", code.edition);
            found.push(Woven { name: format!("{error} in {}", code.name), text: header + &text });
            break;
        }
    }
    Ok(found)
}
