//! What programs have in them: chains of syntax, each somewhere inside the one before.

use syn::visit::{self, Visit};

/// A kind of syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Impl,
    Trait,
    ConstFn,
    AsyncFn,
    AsyncBlock,
    GenericFn,
    Closure,
    Match,
    Guard,
    LetElse,
    IfLet,
    For,
    While,
    Loop,
    Dyn,
    Await,
    Macro,
    Module,
    RangePattern,
}

/// Kinds of syntax, each inside the one before.
pub(super) type Has = &'static [Syntax];

use Syntax::{
    AsyncBlock, AsyncFn, Await, Closure, ConstFn, Dyn, For, GenericFn, Guard, IfLet, Impl, LetElse, Loop, Macro, Match,
    Module, RangePattern, Trait, While,
};

/// The properties, by their names.
pub(super) const ALL: [(&str, Has); 10] = [
    ("a `match` in a closure in an impl", &[Impl, Closure, Match]),
    ("a `while` in an `async` block", &[AsyncBlock, While]),
    ("a guard in a `for` in a function with a type parameter", &[GenericFn, For, Guard]),
    ("a `let else` in a closure", &[Closure, LetElse]),
    ("an object of a trait in a loop", &[Loop, Dyn]),
    ("a `loop` in a `const` function", &[ConstFn, Loop]),
    ("an `if let` in a body of a trait", &[Trait, IfLet]),
    ("an `await` in a `match` in an `async` function", &[AsyncFn, Match, Await]),
    ("a range pattern in a closure in a module", &[Module, Closure, RangePattern]),
    ("a `format!` in an `if let` in a loop", &[For, IfLet, Macro]),
];

/// Whether a program has it.
pub(super) fn has(text: &str, chain: Has) -> bool {
    let Ok(file) = syn::parse_file(text) else { return false };
    let mut search = Search { chain, depth: 0, found: false };
    search.visit_file(&file);
    search.found
}

struct Search {
    chain: Has,
    /// How many of the chain are around what is visited.
    depth: usize,
    found: bool,
}

impl Search {
    /// Visits something that is of the kind `syntax`, if it is of any.
    fn inside(&mut self, syntax: Option<Syntax>, visit: impl FnOnce(&mut Self)) {
        let counts = syntax.is_some() && syntax == self.chain.get(self.depth).copied();
        self.depth += usize::from(counts);
        self.found |= self.depth == self.chain.len();
        visit(self);
        self.depth -= usize::from(counts);
    }
}

impl<'ast> Visit<'ast> for Search {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.inside(Some(Impl), |search| visit::visit_item_impl(search, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.inside(Some(Trait), |search| visit::visit_item_trait(search, item));
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.inside(Some(Module), |search| visit::visit_item_mod(search, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let signature = &item.sig;
        let kinds = [
            (signature.constness.is_some(), ConstFn),
            (signature.asyncness.is_some(), AsyncFn),
            (signature.generics.type_params().next().is_some(), GenericFn),
        ];
        let wanted = self.chain.get(self.depth).copied();
        let kind = kinds.into_iter().find(|(is_it, kind)| *is_it && Some(*kind) == wanted).map(|(_, kind)| kind);
        self.inside(kind, |search| visit::visit_item_fn(search, item));
    }

    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        let kind = match expr {
            syn::Expr::Async(_) => Some(AsyncBlock),
            syn::Expr::Closure(_) => Some(Closure),
            syn::Expr::Match(_) => Some(Match),
            syn::Expr::If(expr) if matches!(*expr.cond, syn::Expr::Let(_)) => Some(IfLet),
            syn::Expr::ForLoop(_) => Some(For),
            syn::Expr::While(_) => Some(While),
            syn::Expr::Loop(_) => Some(Loop),
            syn::Expr::Await(_) => Some(Await),
            _ => None,
        };
        self.inside(kind, |search| visit::visit_expr(search, expr));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let has_else = local.init.as_ref().is_some_and(|init| init.diverge.is_some());
        self.inside(has_else.then_some(LetElse), |search| visit::visit_local(search, local));
    }

    fn visit_pat(&mut self, pat: &'ast syn::Pat) {
        let kind = match pat {
            syn::Pat::Guard(_) => Some(Guard),
            syn::Pat::Range(_) => Some(RangePattern),
            _ => None,
        };
        self.inside(kind, |search| visit::visit_pat(search, pat));
    }

    fn visit_type_trait_object(&mut self, ty: &'ast syn::TypeTraitObject) {
        self.inside(Some(Dyn), |search| visit::visit_type_trait_object(search, ty));
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.inside(Some(Macro), |search| visit::visit_macro(search, mac));
    }
}
