//! The dependencies of an expression in a function.
//!
//! This is a backward slice (Weiser, *Program Slicing*, 1981) within one function, by names: a local variable depends on
//! the code that binds and changes it, a branch on its condition.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Expr, FnArg, Macro, Pat};

use super::analysis::Analysis;
use crate::syntax::surroundings::bindings;
use crate::syntax::{Node, Syntax, precedence, range};
use crate::text::lex::is_word;

/// The beginnings of the names of macros that only read their arguments.
const READS: [&str; 8] = ["assert", "debug_assert", "print", "eprint", "panic", "format", "matches", "dbg"];

/// The dependencies of an expression within a function.
pub(super) struct Slice<'t> {
    names: &'t Analysis<'t>,
    body: Node<'t>,
    byte: usize,
    /// The bytes that are in the slice.
    ranges: Vec<Range<usize>>,
    variables: HashSet<&'t str>,
}

impl<'t> Slice<'t> {
    /// The slice of the statement at `byte` of the function `body`.
    pub(super) fn at(names: &'t Analysis<'t>, body: Node<'t>, byte: usize) -> Self {
        let around: Vec<Node<'t>> = body.descendants().filter(|node| node.range().contains(&byte)).collect();
        let is_piece = |node: &&Node<'t>| matches!(node.syntax(), Syntax::Stmt(_) | Syntax::Arm(_));
        let piece = around.iter().rfind(is_piece).map_or_else(|| body.range(), |node| node.range());
        let ranges = std::iter::once(piece).chain(around.into_iter().filter_map(condition)).collect();
        let mut slice = Self { names, body, byte, ranges, variables: HashSet::new() };
        slice.complete();
        slice
    }

    /// The bytes of the statement that it begins at.
    pub(super) fn place(&self) -> Range<usize> {
        self.ranges[0].clone()
    }

    /// Adds all indirect dependencies.
    fn complete(&mut self) {
        let mut done = 0;
        while let Some(next) = self.ranges.get(done).cloned() {
            done += 1;
            let words: Vec<&'t str> = self.words_in(&next).collect();
            for word in words {
                if self.variables.insert(word) {
                    self.follow(word);
                }
            }
        }
    }

    /// Adds the code that binds or changes the variable `name`.
    fn follow(&mut self, name: &str) {
        let body = self.body;
        let is_read = |node: Node<'_>| matches!(node.syntax(), Syntax::Macro(call) if reads(call));
        for node in body.descendants().filter(|node| node.range().start < self.byte) {
            let is_bound = |pattern: &Pat| self.words_in(&range(pattern)).any(|word| word == name);
            let begins = |expr: &Expr| self.words_in(&range(expr)).next() == Some(name);
            let source = match node.syntax() {
                Syntax::Local(local) if is_bound(&local.pat) => local.init.as_ref().map(|init| range(&*init.expr)),
                Syntax::Arm(arm) if is_bound(&arm.pat) => node.parent().and_then(|parent| match parent.syntax() {
                    Syntax::Expr(Expr::Match(outer)) => Some(range(&*outer.expr)),
                    _ => None,
                }),
                Syntax::Macro(call) if !reads(call) && self.words_in(&range(&call.tokens)).next() == Some(name) => {
                    Some(range(&call.tokens))
                }
                Syntax::Expr(expr) => match expr {
                    Expr::ForLoop(each) if is_bound(&each.pat) => Some(range(&*each.expr)),
                    Expr::Let(bound) if is_bound(&bound.pat) => Some(range(&*bound.expr)),
                    Expr::MethodCall(call) if begins(&call.receiver) && !node.ancestors().any(is_read) => {
                        Some(range(call))
                    }
                    expr => {
                        precedence::assignment(expr).filter(|(left, _)| begins(left)).map(|(_, right)| range(right))
                    }
                },
                _ => None,
            };
            let Some(source) = source else { continue };
            // A change depends on the conditions around it.
            let around = node.ancestors().take_while(|around| around.row() != body.row());
            for range in std::iter::once(source).chain(around.filter_map(condition)) {
                if !self.ranges.contains(&range) {
                    self.ranges.push(range);
                }
            }
        }
    }

    /// The words of the slice that are called, or are no local variables of the function: another thing may have the name of one.
    pub(super) fn free_words(&self) -> HashSet<&'t str> {
        let bound: HashSet<String> = self.body.descendants().flat_map(bound_names).collect();
        let mut free = HashSet::new();
        for range in &self.ranges {
            let tokens: Vec<&'t str> = self.tokens_in(range).collect();
            for (index, token) in tokens.iter().enumerate() {
                let behind = tokens.get(index + 1).copied();
                let is_called = matches!(behind, Some("(" | "::"));
                let is_field = index > 0 && tokens[index - 1] == "." || behind == Some(":");
                if is_word(token) && (is_called || !is_field && !bound.contains(*token)) {
                    free.insert(*token);
                }
            }
        }
        free
    }

    /// The identifiers and keywords in a range.
    fn words_in(&self, within: &Range<usize>) -> impl Iterator<Item = &'t str> + use<'t> {
        self.tokens_in(within).filter(|token| is_word(token))
    }

    fn tokens_in(&self, within: &Range<usize>) -> impl Iterator<Item = &'t str> + use<'t> {
        self.names.tree().source().code(within.clone()).map(|(token, _)| token)
    }
}

/// The variables that a pattern or a parameter binds.
fn bound_names(node: Node<'_>) -> Vec<String> {
    match node.syntax() {
        Syntax::Local(local) => bindings(&local.pat),
        Syntax::Pat(pat @ Pat::Ident(_)) => bindings(pat),
        Syntax::FnArg(FnArg::Receiver(_)) => vec!["self".to_owned()],
        Syntax::FnArg(FnArg::Typed(typed)) => bindings(&typed.pat),
        _ => Vec::new(),
    }
}

/// Whether a macro only reads its arguments.
fn reads(call: &Macro) -> bool {
    let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    READS.iter().any(|reads| name.starts_with(reads))
}

/// The expression that decides whether, how often or for which values a part of `node` runs.
fn condition(node: Node<'_>) -> Option<Range<usize>> {
    let Syntax::Expr(expr) = node.syntax() else { return None };
    match expr {
        Expr::If(expr) => Some(range(&*expr.cond)),
        Expr::While(expr) => Some(range(&*expr.cond)),
        Expr::Match(expr) => Some(range(&*expr.expr)),
        Expr::ForLoop(expr) => Some(range(&*expr.expr)),
        _ => None,
    }
}
