//! Other names for what a program defines: neutral ones, which say nothing about the source, or words for roles.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use syn::{Expr, GenericParam, Item, Pat};

use crate::families::names::shortening::is_reserved;
use crate::names::Analysis;
use crate::names::definitions::{Definition, Kind};
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;
use crate::text::lex::plain;

/// A name of more characters is a word that a person chose.
const SHORT: usize = 2;

/// So many names more than a program has to choose are neutral: others may have taken the first.
const SPARE: usize = 4;

/// The letters of the alphabet.
const LETTERS: usize = 26;

/// How types begin, and the words for their values.
const TYPES: &str = "bool flag char letter str text String text Vec list [ list ( pair fn callback * pointer u number i number f number";

/// Which names the result of a search gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// Whether no name of the source stays that can be another one.
    pub scrub: bool,
    /// Whether a name is a word for the role of what it names, and not a letter.
    pub readable: bool,
}

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) struct Role {
    /// The kind, for the user.
    pub(super) kind: &'static str,
    /// The first neutral name of the kind.
    letter: char,
    /// The first readable name.
    word: &'static str,
}

/// The names that say nothing about the source: those that a program chose, and that the naming would give.
pub(super) fn neutral_names(analysis: &Analysis<'_>, naming: Naming) -> HashSet<String> {
    let (roles, count) = (Roles::of(analysis), analysis.chosen_names().count());
    let first = |at: &Range<usize>| roles.at(at.start).names(naming).take(SPARE + count);
    let neutral = analysis.chosen_names().filter(|(name, at)| first(at).any(|own| own == *name));
    neutral.map(|(name, _)| name.to_owned()).collect()
}

/// The edits of each rename that gives the program such names, in source order. Variables and parameters of different items may
/// share a name. No new name is a word that the program already has.
pub fn renames(analysis: &Analysis<'_>, naming: Naming) -> Vec<Vec<Edit>> {
    let (source, neutral, roles) = (analysis.tree().source(), neutral_names(analysis, naming), Roles::of(analysis));
    let text = source.text();
    let items: Vec<Range<usize>> =
        analysis.tree().nodes().filter(|node| node.syntax().is_item()).map(Node::range).collect();
    let words = source.tokens().iter().map(|token| plain(&text[token.range.clone()]).to_owned());
    let mut taken: HashMap<String, Vec<Range<usize>>> = words.map(|word| (word, Vec::new())).collect();
    let mut renames = Vec::new();
    for (name, at) in analysis.chosen_names() {
        let mut uses = analysis.own_names().uses(name, analysis.definitions(), analysis.captured());
        // Without `r#` it is the keyword, unless a string holds it.
        let starts_token = |at: &Range<usize>| source.tokens().iter().any(|token| token.range.start == at.start);
        uses.retain(|at| !is_reserved(name) || text[at.clone()].starts_with("r#") || !starts_token(at));
        let stays = !naming.scrub && name.chars().count() > SHORT || neutral.contains(name);
        let Some(scope) = scope(&items, &uses, roles.at(at.start)).filter(|_| !stays) else { continue };
        let is_free = |new: &String| {
            let are_apart = |other: &Range<usize>| other.end <= scope.start || scope.end <= other.start;
            !is_reserved(new) && taken.get(new).is_none_or(|scopes| !scopes.is_empty() && scopes.iter().all(are_apart))
        };
        let Some(new) = roles.at(at.start).names(naming).find(is_free) else { continue };
        renames.push(uses.into_iter().map(|at| Edit::replace(at, &*new)).collect());
        taken.entry(new).or_default().push(scope);
    }
    renames
}

/// The bytes in which a name is known: of a local one the innermost items around its uses. None if there are no uses.
fn scope(items: &[Range<usize>], uses: &[Range<usize>], role: Role) -> Option<Range<usize>> {
    let is_local = matches!(role.kind, "parameter" | "lifetime" | "label" | "variable" | "fragment");
    let around = |at: &Range<usize>| items.iter().rfind(|item| is_local && item.contains(&at.start)).cloned();
    let scopes = uses.iter().map(|at| around(at).unwrap_or(0..usize::MAX));
    scopes.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
}

/// The roles of the names that a program defines, by where they are defined first.
pub(super) struct Roles(HashMap<usize, Role>);

impl Roles {
    pub(super) fn of(analysis: &Analysis<'_>) -> Self {
        Self(analysis.definitions().all.iter().map(|own| (own.range().start, Role::of(own))).collect())
    }

    /// The role of a name that is defined at this byte: if nothing else is known, that of a fragment of a macro.
    pub(super) fn at(&self, byte: usize) -> Role {
        self.0.get(&byte).copied().unwrap_or(Role { kind: "fragment", letter: 'x', word: "part" })
    }
}

impl Role {
    fn of(own: &Definition<'_>) -> Self {
        let is_capital = own.key().starts_with(char::is_uppercase);
        let (kind, letter, word) = match (own.kind, own.node.syntax()) {
            (Kind::Function, _) => ("function", 'f', "function"),
            (Kind::AssociatedFunction, _) => ("function", 'f', "method"),
            (Kind::Module, _) => ("module", 'm', "module"),
            (Kind::Macro, _) => ("macro", 'm', "expand"),
            (Kind::Constant | Kind::AssociatedConstant, _) => ("constant", 'N', "CONSTANT"),
            (Kind::Type, Syntax::Item(Item::Struct(_))) => ("type", 'A', "Struct"),
            (Kind::Type, Syntax::Item(Item::Enum(_))) => ("type", 'A', "Enum"),
            (Kind::Type, _) => ("type", 'A', "Type"),
            (Kind::AssociatedType, _) => ("type", 'A', "Assoc"),
            (Kind::Trait, _) => ("trait", 'A', "Trait"),
            (Kind::Variant, _) => ("variant", 'A', "Variant"),
            (Kind::Field, _) => ("field", 'a', "field"),
            (Kind::Parameter, Syntax::GenericParam(GenericParam::Const(_))) => ("parameter", 'N', "N"),
            (Kind::Parameter, _) => ("parameter", 'T', "T"),
            (Kind::Lifetime, _) => ("lifetime", 'a', "'a"),
            (Kind::Label, _) => ("label", 'a', "'outer"),
            (Kind::Argument | Kind::Binding, _) if !is_capital => ("variable", 'x', variable(own.node)),
            _ if is_capital => ("import", 'A', "Import"),
            _ => ("import", 'x', "import"),
        };
        Self { kind, letter, word }
    }

    /// The letters for such names, the best first.
    pub(super) fn letters(self) -> impl Iterator<Item = String> {
        let prefix = if self.word.starts_with('\'') { "'" } else { "" };
        let (first, last) = (self.letter, if self.letter.is_uppercase() { 'Z' } else { 'z' });
        let before = if first.is_uppercase() { 'A'..first } else { 'a'..first };
        (first..=last).chain(before.rev()).map(move |letter| format!("{prefix}{letter}"))
    }

    /// All names for it, the best first.
    fn names(self, naming: Naming) -> impl Iterator<Item = String> {
        let (letters, word) = match self.word {
            // Three parameters of one letter are too many.
            "T" if naming.readable => (2, "Param"),
            "N" if naming.readable => (2, "PARAM"),
            word if naming.readable && word != "'a" => (0, word),
            _ => (LETTERS, ""),
        };
        let base = if word.is_empty() { self.letters().next().unwrap_or_default() } else { word.to_owned() };
        let word = (letters == 0).then(|| word.to_owned());
        self.letters().take(letters).chain(word).chain((2..).map(move |number: usize| format!("{base}{number}")))
    }
}

/// The word for a variable: for what it is of a loop, a closure or a match, or else for its written type.
fn variable(pat: Node<'_>) -> &'static str {
    let is_outer = |node: &Node<'_>| !matches!(node.syntax(), Syntax::Pat(Pat::Ident(_)) | Syntax::FieldPat(_));
    let around = pat.ancestors().find(is_outer);
    let ty = match around.map(Node::syntax) {
        Some(Syntax::Pat(Pat::Type(typed)) | Syntax::FnArg(syn::FnArg::Typed(typed))) => pat.text_at(range(&*typed.ty)),
        Some(Syntax::Expr(Expr::ForLoop(_))) => return "item",
        Some(Syntax::Expr(Expr::Closure(_))) => return "argument",
        _ => return "value",
    };
    let ty = ty.trim_start_matches(['&', ' ']).trim_start_matches("mut ");
    let mut words = TYPES.split(' ');
    let pairs = std::iter::from_fn(|| words.next().zip(words.next()));
    pairs.filter(|(start, _)| ty.starts_with(start)).map(|(_, word)| word).next().unwrap_or("value")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::canonical::with;
    use crate::syntax::Tree;
    use crate::syntax::source::Source;

    const SCRUB: Naming = Naming { scrub: true, readable: false };
    const READABLE: Naming = Naming { scrub: false, readable: true };
    const BOTH: Naming = Naming { scrub: true, readable: true };

    #[track_caller]
    fn check(naming: Naming, text: &str, expected: &str) {
        let renamed = |text: &str| {
            let source = Source::parse(text);
            let tree = Tree::new(&source);
            with(text, &renames(&Analysis::of(&tree), naming).concat())
        };
        assert_eq!(renamed(text), expected);
        assert_eq!(renamed(expected), expected, "names that it gives stay");
    }

    #[test]
    fn each_kind_has_its_neutral_names() {
        check(
            SCRUB,
            "mod bank { pub struct Account { pub cents: u8 } pub trait Audit { const LIMIT: u8; type Log; fn audit(&self); } }",
            "mod m { pub struct A { pub a: u8 } pub trait B { const N: u8; type C; fn f(&self); } }",
        );
        check(
            SCRUB,
            "fn pay<'money, Cash, const COINS: usize>(sum: &'money Cash) { 'again: loop { break 'again } }",
            "fn f<'a, T, const N: usize>(x: &'a T) { 'b: loop { break 'b } }",
        );
        check(
            SCRUB,
            "macro_rules! pay { ($coin:ident) => { $coin } } enum Coin { Cent } static BANK: u8 = 0;",
            "macro_rules! m { ($x:ident) => { $x } } enum A { B } static N: u8 = 0;",
        );
    }

    #[test]
    fn shorthands_strings_and_raw_names_go_along() {
        check(
            SCRUB,
            "struct Bill { total: u8 } fn pay(total: u8) { let Bill { total } = Bill { total }; print!(\"{total}\") }",
            "struct A { a: u8 } fn f(a: u8) { let A { a } = A { a }; print!(\"{a}\") }",
        );
        check(SCRUB, "fn r#match(r#type: u8) { match r#type { _ => {} } }", "fn f(x: u8) { match x { _ => {} } }");
    }

    #[test]
    fn names_of_others_stay() {
        check(
            SCRUB,
            "impl Iterator for Mine { type Item = u8; } fn main() {}",
            "impl Iterator for Mine { type Item = u8; } fn main() {}",
        );
        check(SCRUB, "fn pay(cents: u8) { std::mem::swap(cents) }", "fn f(x: u8) { std::mem::swap(x) }");
    }

    #[test]
    fn variables_of_different_functions_share_a_name() {
        check(SCRUB, "fn pay(cents: u8) {} fn owe(euros: u8) {}", "fn f(x: u8) {} fn g(x: u8) {}");
        check(SCRUB, "fn pay(cents: u8) { fn owe(euros: u8) {} }", "fn f(x: u8) { fn g(y: u8) {} }");
    }

    #[test]
    fn readable_names_are_words_for_roles() {
        check(
            READABLE,
            "struct A; enum B { C } trait D { fn f(&self); } fn g<T, U>(x: &str, y: Vec<u8>) { for z in y {} let w = |v| v; }",
            "struct Struct; enum Enum { Variant } trait Trait { fn method(&self); } fn function<T, U>(text: &str, list: Vec<u8>) { for item in list {} let value = |argument| argument; }",
        );
        check(READABLE, "struct A; struct B; struct C;", "struct Struct; struct Struct2; struct Struct3;");
        check(READABLE, "struct A<T, U, V>(T, U, V);", "struct Struct<T, U, Param2>(T, U, Param2);");
    }

    #[test]
    fn words_of_people_stay_unless_they_are_to_go() {
        check(READABLE, "fn pay(sum: u8, x: u8) {}", "fn pay(sum: u8, number: u8) {}");
        check(BOTH, "fn pay(sum: u8, x: u8) {}", "fn function(number: u8, number2: u8) {}");
    }
}
