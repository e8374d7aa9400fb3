//! Names: as short as they can be, the same for every program that means the same.

use std::ops::Range;

use syn::{Expr, Pat};

use crate::names::Analysis;
use crate::names::own_names::Class;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Node, Syntax};
use crate::text::Edit;
use crate::text::lex::plain;

family! {
    "names", "Shortens names.", in Names;

    /// Replace a binding that is used nowhere by `_`.
    UNDERSCORE = "underscore", Rule::Tree(underscore), "fn f(unused: u8) {}" => "fn f(_: u8) {}";

    /// Rename everything of one name that the file defines to the next free short name.
    ///
    /// Names go by their text, in the whole file, in macros and format strings too; what may be somebody else's (what is
    /// imported, what an external trait asks for, fields of external structs) is left alone. It is no use before the
    /// program is small: short names tell nothing [Shrink Ray].
    RENAME = "rename", Rule::Tree(rename),
        "fn first(second: u8) -> u8 { second }" => "fn a(second: u8) -> u8 { second }";
}

/// Words that are keywords somewhere, primitive types, and `main`.
const RESERVED: &str = "\
    abstract as async auto await become box break builtin const continue crate default do dyn else enum extern \
    false final fn for gen if impl in let loop macro macro_rules main match mod move mut override pin priv pub \
    raw ref reuse return safe self Self static struct super trait true try type typeof union unsafe unsized use \
    virtual where while yeet yield bool char f16 f32 f64 f128 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 \
    usize";

/// Whether a name is a keyword somewhere, a primitive type or `main`.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.split(' ').any(|word| word == name)
}

/// The unused short names of one class: `a` to `z`, `aa`, `ab` and so on.
struct Fresh {
    prefix: &'static str,
    first: u8,
    number: usize,
}

impl Fresh {
    fn next(&mut self, names: &Analysis<'_>) -> String {
        loop {
            let name = format!("{}{}", self.prefix, letters(self.first, self.number));
            self.number += 1;
            if !names.own_names().has(&name, names.captured()) && !is_reserved(&name) {
                return name;
            }
        }
    }
}

/// The text number `number` of `a` to `z`, `aa`, `ab` and so on, `a` being the letter `first`.
fn letters(first: u8, number: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = number + 1;
    while rest > 0 {
        letters.push(char::from(first + u8::try_from((rest - 1) % 26).expect("it is below 26")));
        rest = (rest - 1) / 26;
    }
    letters.into_iter().rev().collect()
}

fn rename(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let names = analysis.own_names();
    let mut values = Fresh { prefix: "", first: b'a', number: 0 };
    let mut types = Fresh { prefix: "", first: b'A', number: 0 };
    let mut lifetimes = Fresh { prefix: "'", first: b'a', number: 0 };
    for definition in &names.all {
        let fresh = match definition.class {
            Class::Value => &mut values,
            Class::Type => &mut types,
            Class::Lifetime => &mut lifetimes,
        };
        let name = definition.name;
        if is_reserved(name) || names.is_foreign(name) {
            continue;
        }
        let number = fresh.number;
        let new = fresh.next(analysis);
        if new.len() >= name.len() {
            fresh.number = number;
            continue;
        }
        let uses = names.uses(name, analysis.definitions(), analysis.captured()).into_iter();
        out.edit(definition.range.clone(), uses.map(|range| Edit::replace(range, &new[..])).collect());
    }
}

fn underscore(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let names = analysis.own_names();
    for node in analysis.nodes() {
        let Syntax::Pat(Pat::Ident(pat)) = node.syntax() else { continue };
        let is_shorthand = node
            .parent()
            .is_some_and(|parent| matches!(parent.syntax(), Syntax::FieldPat(field) if field.colon_token.is_none()));
        let text = node.text_at(pat.ident.span().byte_range());
        if pat.subpat.is_some() || is_shorthand || text.starts_with('$') || text.starts_with(char::is_uppercase) {
            continue;
        }
        let used: Option<usize> = scope(node)
            .map(|scope| scope.iter().map(|range| names.count(plain(text), range, analysis.captured())).sum());
        if used == Some(1) {
            out.replace(node.range(), "_");
        }
    }
}

/// Where the bindings of a pattern can be meant: the pattern itself and what follows it.
fn scope(pat: Node<'_>) -> Option<Vec<Range<usize>>> {
    let inner = |node: &Node<'_>| matches!(node.syntax(), Syntax::Pat(_) | Syntax::FieldPat(_));
    let owner = pat.ancestors().find(|node| !inner(node))?;
    let around = |accept: fn(Syntax<'_>) -> bool| owner.ancestors().find(|node| accept(node.syntax())).map(Node::range);
    match owner.syntax() {
        Syntax::Arm(_) | Syntax::Expr(Expr::Closure(_) | Expr::ForLoop(_)) => Some(vec![owner.range()]),
        Syntax::FnArg(_) => Some(vec![around(|syntax| syntax.is_item())?]),
        Syntax::Expr(Expr::Let(_)) => {
            let is_branch =
                |syntax: Syntax<'_>| matches!(syntax, Syntax::Expr(Expr::If(_) | Expr::While(_)) | Syntax::Arm(_));
            Some(vec![around(is_branch)?])
        }
        // The initialiser of a variable cannot mean it.
        Syntax::Local(local) => {
            let block = around(|syntax| matches!(syntax, Syntax::Block(_)))?;
            let pattern = crate::syntax::tree::range(&local.pat);
            Some(vec![pattern, owner.range().end..block.end])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn each_kind_of_definition_is_renamed_everywhere() {
        check(&RENAME, "fn foo() { foo() }", &["fn a() { a() }"]);
        check(
            &RENAME,
            "struct Foo { bar: u8 } const BAZ: Foo = Foo { bar: 1 };",
            &[
                "struct A { bar: u8 } const BAZ: A = A { bar: 1 };",
                "struct Foo { a: u8 } const BAZ: Foo = Foo { a: 1 };",
                "struct Foo { bar: u8 } const B: Foo = Foo { bar: 1 };",
            ],
        );
        check(
            &RENAME,
            "enum Foo { Bar } trait Baz { fn quux(&self); }",
            &[
                "enum A { Bar } trait Baz { fn quux(&self); }",
                "enum Foo { B } trait Baz { fn quux(&self); }",
                "enum Foo { Bar } trait C { fn quux(&self); }",
                "enum Foo { Bar } trait Baz { fn a(&self); }",
            ],
        );
        check(
            &RENAME,
            "fn f<'foo, Bar>(baz: &'foo Bar) { 'foo: loop { break 'foo } }",
            &[
                "fn f<'a, Bar>(baz: &'a Bar) { 'a: loop { break 'a } }",
                "fn f<'foo, A>(baz: &'foo A) { 'foo: loop { break 'foo } }",
                "fn f<'foo, Bar>(a: &'foo Bar) { 'foo: loop { break 'foo } }",
            ],
        );
        check(
            &RENAME,
            "mod foo { pub type Bar = u8; } use foo::Bar as Baz;",
            &[
                "mod a { pub type Bar = u8; } use a::Bar as Baz;",
                "mod foo { pub type A = u8; } use foo::A as Baz;",
                "mod foo { pub type Bar = u8; } use foo::Bar as B;",
            ],
        );
    }

    #[test]
    fn macros_and_format_strings_use_names_too() {
        check(
            &RENAME,
            "fn f(foo: u8) { print!(\"foo {foo} {:foo$}\", bar(foo)) }",
            &["fn f(a: u8) { print!(\"foo {a} {:a$}\", bar(a)) }"],
        );
        check(
            &RENAME,
            "macro_rules! foo { ($bar:ident) => { $bar } } foo!(x);",
            &[
                "macro_rules! a { ($bar:ident) => { $bar } } a!(x);",
                "macro_rules! foo { ($b:ident) => { $b } } foo!(x);",
            ],
        );
    }

    #[test]
    fn new_names_are_free_ones() {
        check(&RENAME, "fn foo(a: u8) { c!(b) }", &["fn d(a: u8) { c!(b) }"]);
        check(&RENAME, "fn r#if(r#loop: u8) { r#if(r#loop) }", &[]);
        check(&RENAME, "fn r#foo() { foo() }", &["fn a() { a() }"]);
        check(
            &RENAME,
            "trait T { const FOO: A; } const B: A = u8::FOO;",
            &["trait T { const C: A; } const B: A = u8::C;"],
        );
        assert_eq!([0, 25, 26, 27, 702].map(|number| letters(b'a', number)), ["a", "z", "aa", "ab", "aaa"]);
    }

    #[test]
    fn names_from_outside_stay() {
        check(&RENAME, "fn main() { foo() }", &[]);
        check(&RENAME, "use foo::bar; fn bar() {}", &[]);
        check(&RENAME, "fn bar() { std::foo::bar() }", &[]);
        check(&RENAME, "impl Iterator for S { type Item = u8; fn next(&mut self) {} }", &[]);
        check(&RENAME, "mod foo;", &[]);
        check(&RENAME, "const MAX: u8 = u8::MAX;", &[]);
        check(
            &RENAME,
            "trait T { const MIN: u8; } const MAX: u8 = u8::a::MIN;",
            &["trait T { const MIN: u8; } const A: u8 = u8::a::MIN;"],
        );
        check(&RENAME, "fn f() { let None = x; let S { start } = y; }", &[]);
    }

    #[test]
    fn macros_members_and_attributes_of_others_stay() {
        check(
            &RENAME,
            "fn f(vec: u8) { vec![vec]; x.vec; S { vec: vec } }",
            &["fn f(a: u8) { vec![a]; x.vec; S { vec: a } }"],
        );
        check(&RENAME, "#[inline] fn inline() {}", &["#[inline] fn a() {}"]);
        check(&RENAME, "m! { => #[inline] #![inline] } fn inline() {}", &["m! { => #[inline] #![inline] } fn a() {}"]);
        check(
            &RENAME,
            "macro_rules! m { ($x:expr) => {} } fn expr() {}",
            &["macro_rules! m { ($x:expr) => {} } fn a() {}"],
        );
    }

    #[test]
    fn short_and_reserved_names_stay() {
        check(&RENAME, "fn main() {} fn bool(union: u8) {}", &[]);
        check(&RENAME, "fn f<T>(x: T) { }", &[]);
        check(&RENAME, "struct S(u8); fn _f() {}", &["struct S(u8); fn a() {}"]);
    }

    #[test]
    fn unused_bindings_become_underscores() {
        check(&UNDERSCORE, "fn f(ab: u8, cd: u8) { cd; }", &["fn f(_: u8, cd: u8) { cd; }"]);
        check(
            &UNDERSCORE,
            "fn f() { let mut ab = 1; |cd| 2; for ef in g {} }",
            &[
                "fn f() { let _ = 1; |cd| 2; for ef in g {} }",
                "fn f() { let mut ab = 1; |_| 2; for ef in g {} }",
                "fn f() { let mut ab = 1; |cd| 2; for _ in g {} }",
            ],
        );
        check(
            &UNDERSCORE,
            "fn f() { match x { (ab, cd) => ab, ab => {} } if let S { s: ef } = y {} }",
            &[
                "fn f() { match x { (ab, _) => ab, ab => {} } if let S { s: ef } = y {} }",
                "fn f() { match x { (ab, cd) => ab, _ => {} } if let S { s: ef } = y {} }",
                "fn f() { match x { (ab, cd) => ab, ab => {} } if let S { s: _ } = y {} }",
            ],
        );
        check(&UNDERSCORE, "fn f() { ab; let ab = ab; }", &["fn f() { ab; let _ = ab; }"]);
    }

    #[test]
    fn used_bindings_and_no_bindings_stay() {
        check(&UNDERSCORE, "fn f(ab: u8) { let cd = ab; print!(\"{cd}\") }", &[]);
        check(&UNDERSCORE, "fn f() { let S { ab } = x; let None = y; if let cd @ 1 = z {} }", &[]);
        check(&UNDERSCORE, "fn f() { while let Some(ab) = x { ab } match y { ab if ab => {} } }", &[]);
        check(&UNDERSCORE, "macro_rules! m { ($ab:ident) => { let $ab = 1; } }", &[]);
    }
}
