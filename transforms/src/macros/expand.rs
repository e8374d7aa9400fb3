//! Macros that a file defines: their calls and the expansions of these.

use std::ops::Range;

use syn::{Item, Macro};

use crate::macros::expansion_kind::{Expanded, ExpansionKind};
use crate::macros::fragments::Mismatch;
use crate::macros::macro_def::{matcher_and_transcriber, rules_of};
use crate::macros::matcher::Matcher;
use crate::macros::transcribe::transcribe;
use crate::names::imports::is_standard;
use crate::syntax::token_groups::{Contents, segments};
use crate::syntax::{Node, Source, Syntax, Tree, Understanding, nesting};
use crate::text::{covers, edited, lex};

/// The longest expansion, in tokens.
const LONGEST: usize = 2_000;

/// How many times the calls in an expansion of a macro are expanded again.
const ROUNDS: usize = 40;

/// A `macro_rules!` of the file.
pub(crate) struct OwnMacro<'t> {
    pub(crate) name: String,
    /// The bytes of the item.
    pub(crate) range: Range<usize>,
    text: &'t str,
    rules: Vec<(Option<Matcher>, Contents)>,
}

impl<'t> OwnMacro<'t> {
    pub(crate) fn of(node: Node<'t>) -> Option<Self> {
        let Syntax::Item(Item::Macro(item)) = node.syntax() else { return None };
        let name = item.ident.as_ref()?.to_string();
        let text = node.source_text();
        let pieces = rules_of(text, &item.mac)?;
        let rule = |rule| {
            let (matcher, transcriber) = matcher_and_transcriber(text, rule)?;
            Some((Matcher::of(text, matcher), transcriber.clone()))
        };
        let rules = segments(text, &pieces, ";").iter().map(rule).collect::<Option<Vec<_>>>()?;
        Some(Self { name, range: node.range(), text, rules })
    }

    /// The expansion of a call by the first rule that matches; `None` if it is unknown.
    fn expand(&self, text: &str, call: &Macro) -> Option<String> {
        for (matcher, transcriber) in &self.rules {
            match matcher.as_ref()?.bindings(text, &call.tokens) {
                Ok(bindings) => {
                    let expansion = transcribe(self.text, transcriber, &bindings)?;
                    return Some(expansion)
                        .filter(|expansion| lex::count(expansion) <= LONGEST && nesting::fits(expansion));
                }
                Err(Mismatch::Differs) => {}
                Err(Mismatch::Unknown) => return None,
            }
        }
        None
    }

    pub(crate) fn is_called_at(&self, node: Node<'_>) -> bool {
        let Syntax::Macro(mac) = node.syntax() else { return false };
        let segments = &mac.path.segments;
        let is_foreign = segments.len() > 1 && is_standard(&segments[0].ident);
        !is_foreign && segments.last().is_some_and(|segment| segment.ident == self.name)
    }

    /// The calls outside its own rules, except those in other calls.
    pub(crate) fn calls<'n>(&self, tree: &'n Tree<'_>, own: &Range<usize>) -> Vec<Node<'n>> {
        let mut end = 0;
        let mut calls: Vec<Node<'n>> = tree.nodes().filter(|node| self.is_called_at(*node)).collect();
        calls.retain(|call| {
            let site = call.range();
            let outermost = site.start >= end && !covers(own, &site);
            if outermost {
                end = site.end;
            }
            outermost
        });
        calls
    }

    /// One step of the expansion of `call`: the bytes to replace and their replacement.
    pub(crate) fn step(&self, call: Node<'_>) -> Option<Expanded> {
        ExpansionKind::of(call)?.placed(call, &self.expand_at(call)?)
    }

    /// Like [`step`](Self::step), but also expands the calls of the macro in its expansion.
    pub(crate) fn complete(&self, call: Node<'_>) -> Option<Expanded> {
        let (form, text) = self.completed(call)?;
        form.placed(call, &text)
    }

    /// Like [`complete`](Self::complete), but also for an expansion that syn cannot parse; returns whether it can.
    pub(crate) fn complete_any(&self, call: Node<'_>) -> Option<(Expanded, bool)> {
        let (form, text) = self.completed(call)?;
        match form.placed(call, &text) {
            Some(expanded) => Some((expanded, true)),
            None => Some((form.replaced(call, &text)?, false)),
        }
    }

    fn completed(&self, call: Node<'_>) -> Option<(ExpansionKind, String)> {
        let form = ExpansionKind::of(call)?;
        let mut text = self.expand_at(call)?;
        for _ in 0..ROUNDS {
            if !self.is_called_in(&text) {
                return Some((form, text));
            }
            text = self.expand_inside(form, &text)?;
        }
        None
    }

    fn expand_at(&self, call: Node<'_>) -> Option<String> {
        let Syntax::Macro(mac) = call.syntax() else { return None };
        // The values of another macro's metavariables are unknown.
        let is_rules = |node: Node<'_>| matches!(node.syntax(), Syntax::Macro(mac) if mac.path.is_ident("macro_rules"));
        if call.ancestors().any(is_rules) && call.text().contains('$') {
            return None;
        }
        self.expand(call.source_text(), mac)
    }

    /// `text`, an expansion, with the calls in it expanded.
    fn expand_inside(&self, form: ExpansionKind, text: &str) -> Option<String> {
        let (before, after) = form.frame()?;
        let source = Source::parse(format!("{before}{text}{after}"));
        if source.understanding() != Understanding::Full {
            return None;
        }
        let tree = Tree::new(&source);
        let mut edits = Vec::new();
        for call in self.calls(&tree, &(0..0)) {
            edits.extend(self.step(call)?.edits);
        }
        if edits.is_empty() {
            return None;
        }
        let framed = edited(source.text(), 0..source.text().len(), &edits);
        let text = framed.get(before.len()..framed.len().checked_sub(after.len())?)?.to_owned();
        Some(text).filter(|text| lex::count(text) <= LONGEST)
    }

    /// Whether the macro is called among the tokens of `text`.
    fn is_called_in(&self, text: &str) -> bool {
        let tokens = lex::tokens(text);
        tokens.windows(2).any(|pair| text[pair[0].range.clone()] == self.name && &text[pair[1].range.clone()] == "!")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the expansion of `call` by the macro with `rules`.
    #[track_caller]
    fn check(rules: &str, call: &str, expected: Option<&str>) {
        let text = format!("macro_rules! m {{ {rules} }} m! {{ {call} }}");
        let source = Source::parse(text);
        assert_eq!(source.understanding(), Understanding::Full, "the test's own text parses");
        let tree = Tree::new(&source);
        let definition = tree.nodes().find_map(OwnMacro::of).expect("it is defined");
        let calls = definition.calls(&tree, &definition.range);
        let found = definition.expand_at(calls[0]);
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn the_first_rule_that_matches_is_taken() {
        let rules = "(a) => { 1 }; (b $c:tt) => { 2 $c }; ($($c:tt)*) => { 3 }; (d) => { 4 }";
        check(rules, "a", Some("1"));
        check(rules, "b []", Some("2 []"));
        check(rules, "d", Some("3"));
        check(rules, "", Some("3"));
        check("(a) => {}", "b", None);
        check("(a) => {}", "a a", None);
        check("() => {}", "a", None);
    }

    #[test]
    fn every_kind_of_fragment_is_matched() {
        check("($a:block $b:expr) => { $b $a }", "{ 1 } 1 + 2 * f(x)", Some("(1 + 2 * f(x)) { 1 }"));
        check("($a:ident $b:lifetime $c:literal) => { $c $b $a }", "fn 'a -1", Some("(-1) 'a fn"));
        check("($a:item $b:meta) => { #[$b] $a }", "struct S; cfg(a)", Some("#[cfg(a)] struct S;"));
        check(
            "($a:pat => $b:pat_param | $c:path) => { $a; $b; $c }",
            "A | B => C | d::E<F>",
            Some("(A | B); C; d::E<F>"),
        );
        check("($a:stmt; $b:ty) => { $a; $b }", "let x = 1; Vec<Vec<u8>>", Some("let x = 1; Vec<Vec<u8>>"));
        check("($a:vis $b:vis fn $c:tt) => { $b $a $c }", "pub(crate) fn >>=", Some(" pub(crate) >>="));
        check("($a:ident) => { $a }", "_", None);
        check("($a:literal) => { $a }", "a", None);
        check("($a:lifetime $b:tt) => { $b }", "'a 'b", Some("'b"));
        check("($a:adt) => { }", "a", None);
    }

    #[test]
    fn operators_are_matched_as_they_are_glued() {
        check("(>> $a:tt) => { $a }", ">> >", Some(">"));
        check("(> > $a:tt) => { $a }", ">> a", None);
        check("(<<= ..= ->) => { 1 }", "<<= ..= ->", Some("1"));
        check("($a:ty >) => { $a }", "A<B>>", Some("A<B>"));
    }

    #[test]
    fn repetitions_are_matched_and_repeated() {
        check("($($a:expr),* $(,)?) => { f($($a),*) }", "1, 2, 3,", Some("f(1,2,3)"));
        check("($($a:expr),*) => { f($($a),*) }", "", Some("f()"));
        check("($($a:tt)+) => { }", "", None);
        check("($(a $b:tt)? c) => { $(1 $b)? }", "a 2 c", Some("1 2"));
        check("($(a)? c) => { 1 }", "a a c", None);
        check(
            "($($a:ident = [$($b:tt)*];)*) => { $($a($($b $a),*);)* }",
            "x = [1 2]; y = [];",
            Some("x(1 x,2 x);y();"),
        );
        check("($($a:ident),*; $($b:ident),*) => { $($a $b)* }", "a, b; c", None);
        check("($($a:ident)=>*) => { $($a)=>* }", "a => b", Some("a=>b"));
    }

    #[test]
    fn operands_keep_their_parentheses() {
        check("($a:expr) => { $a * 2 }", "1 + 1", Some("(1 + 1) * 2"));
        check("($a:expr) => { f($a, $a) }", "1 + 1", Some("f(1 + 1, 1 + 1)"));
        check("($a:expr) => { $a.b() }", "f(c)", Some("f(c).b()"));
        check("($a:expr) => { if $a {} }", "S {}", Some("if (S {}) {}"));
        check("($($a:expr)*) => { 0 $(+ $a)* }", "1 && 2", Some("0 + (1 && 2)"));
        check("($a:literal) => { $a.b() }", "-1", Some("(-1).b()"));
        check("($a:ty) => { $a::b(&$a) }", "[u8]", Some("<[u8]>::b(&[u8])"));
        check("($a:ty) => { &$a }", "dyn A + B", Some("&(dyn A + B)"));
    }

    #[test]
    fn tokens_keep_their_text_and_do_not_fuse() {
        check("($a:tt $b:tt) => { $a$b r#\"x\"# /* c */ 0x_1 }", "d 1.0", Some("d 1.0 r#\"x\"# /* c */ 0x_1"));
        check("($a:ty) => { B<$a> }", "/* c */ A /* d */ <u8 /* e */ >", Some("B<A /* d */ <u8 /* e */ > >"));
        check("($a:ident) => { $a<B<u8>> }", "A", Some("A<B<u8>>"));
    }

    #[test]
    fn documentation_is_an_attribute() {
        check("($(#[$a:meta])* $b:ident) => { $(#[$a])* struct $b; }", "/// x\n A", Some("#[doc = \" x\"] struct A;"));
        check("($($a:tt)*) => { $($a)* }", "/** x */ A", Some("#[doc = \" x \"]A"));
        check("($a:item) => { $a }", "/// x\n struct A;", Some("/// x\n struct A;"));
    }

    #[test]
    fn what_is_not_understood_is_not_expanded() {
        check("($($a:tt)*) => { ${count($a)} }", "a", None);
        check("($a:tt) => { $($a)* }", "a", None);
        check("($($a:tt)*) => { $a }", "a", None);
        check("($a:guard) => { 1 }; (a) => { 2 }", "a", None);
    }

    #[test]
    fn metavariables_of_others_stay() {
        check(
            "($a:ident) => { macro_rules! $a { ($b:tt) => { $crate::$b } } }",
            "n",
            Some("macro_rules! n { ($b:tt) => { crate::$b } }"),
        );
        check("($d:tt) => { macro_rules! n { ($d($d b:tt)*) => {} } }", "$", None);
    }
}
