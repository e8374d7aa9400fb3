//! Probes: instruments a program so that a run reports the values of its expressions.
//!
//! A literal can replace the expression that computed its value. This is partial evaluation by one run instead of by
//! rules (after dynamic slicing: Korel and Laski, 1988). Another run may have other values, so the resulting reductions
//! are checked like any other.

use std::cmp::Reverse;
use std::ops::Range;

use syn::{Expr, ImplItem, Item, Pat, TraitItem, UnOp};

use super::runtime::add_runtime;
use crate::rule::Hint;
use crate::syntax::surroundings::{is_evaluated, signature};
use crate::syntax::{Filler, Node, Place, Precedence, Syntax, Tree, Understanding, precedence};
use crate::text::{Edit, covers};

/// The module that reports the values; it is added to the program.
const RUNTIME: &str = include_str!("observed/runtime.rs");

/// The environment variable with the path of the file that the program writes the values to.
pub const FILE: &str = "MCVE_VALUES";

/// The lint name of the hints about values.
const LINT: &str = "observed-value";

/// The default types of number literals.
const USUAL: [&str; 2] = ["i32", "f64"];

/// How a probe reads an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// Its value passes through.
    Value,
    /// The place is borrowed, so that it is not moved.
    Place,
}

/// An expression whose value is reported.
struct Probe<'t> {
    place: Place<'t>,
    look: Look,
    /// The bytes of the expression with its probe, in the program with probes.
    range: Range<usize>,
}

/// The probes of a program.
pub struct Probes<'t> {
    tree: &'t Tree<'t>,
    probes: Vec<Probe<'t>>,
}

impl<'t> Probes<'t> {
    /// A probe at every expression whose value may be useful; none if the program is not understood or cannot be run.
    #[must_use]
    pub fn of(tree: &'t Tree<'t>) -> Self {
        let text = tree.source().text();
        let may_run = text.contains("fn main") || text.contains("#[test]");
        let is_understood = tree.source().understanding() == Understanding::Full;
        let probe = |node: Node<'t>| {
            let look = look(node)?;
            let place = Place::of(node).filter(|place| !place.is_discarded() && !place.is_braced())?;
            Some(Probe { place, look, range: 0..0 })
        };
        let probes = if may_run && is_understood { tree.nodes().filter_map(probe).collect() } else { Vec::new() };
        Self { tree, probes }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.probes.is_empty()
    }

    /// The program with its probes.
    #[must_use]
    pub fn program(&mut self) -> String {
        let text = permitted(self.tree);
        let (mut out, mut at) = (String::with_capacity(text.len() * 2), 0);
        let mut open: Vec<usize> = Vec::new();
        for site in 0..=self.probes.len() {
            // The tree is in source order, outer nodes before inner ones.
            let start = self.probes.get(site).map_or(text.len(), |probe| probe.place.site().start);
            while let Some(inner) = open.pop_if(|open| self.probes[*open].place.site().end <= start) {
                let end = self.probes[inner].place.site().end;
                out.push_str(&text[at..end]);
                out.push(')');
                at = end;
                self.probes[inner].range.end = out.len();
            }
            out.push_str(&text[at..start]);
            at = start;
            if let Some(probe) = self.probes.get_mut(site) {
                probe.range.start = out.len();
                let call = match probe.look {
                    Look::Value => format!("crate::mcve_probes::value({site}, "),
                    Look::Place => format!("*crate::mcve_probes::place({site}, &"),
                };
                out.push_str(&call);
                open.push(site);
            }
        }
        let runtime = RUNTIME.replace("MCVE_SITES", &self.probes.len().to_string());
        let moved = add_runtime(&mut out, "mcve_probes", &runtime);
        self.probes.iter_mut().for_each(|probe| probe.range = moved.range(&probe.range));
        out
    }

    /// Removes the probes that may have caused the compiler's errors at `errors`, bytes of the program with probes: the
    /// outermost in each, or else the innermost around it. Returns whether any were removed.
    pub fn remove(&mut self, errors: &[Range<usize>]) -> bool {
        let mut removed = vec![false; self.probes.len()];
        for error in errors {
            let mut end = error.start;
            for (probe, removed) in self.probes.iter().zip(&mut removed) {
                if end <= probe.range.start && probe.range.end <= error.end {
                    *removed = true;
                    end = probe.range.end;
                }
            }
            let around = |probe: &Probe<'_>| covers(&probe.range, error);
            if let Some(innermost) = self.probes.iter().rposition(around).filter(|_| end == error.start) {
                removed[innermost] = true;
            }
        }
        let mut gone = removed.iter();
        self.probes.retain(|_| !gone.next().is_some_and(|gone| *gone));
        removed.contains(&true)
    }

    /// The hints to replace expressions with the values that the program with probes reported.
    #[must_use]
    pub fn hints(&self, told: &str) -> Vec<Hint> {
        let mut hints = Vec::new();
        for line in told.lines() {
            let mut fields = line.splitn(3, '\t');
            let (Some(site), Some(ty), Some(text)) = (fields.next(), fields.next(), fields.next()) else { continue };
            let Some(probe) = site.parse().ok().and_then(|site: usize| self.probes.get(site)) else { continue };
            let suffixed = (is_number(ty) && !USUAL.contains(&ty)).then(|| format!("{text}{ty}"));
            for text in [text.to_owned()].into_iter().chain(suffixed) {
                let Ok(value) = syn::parse_str::<Expr>(&text) else { continue };
                // `NaN` and `inf` are not literals.
                let filler = match &value {
                    Expr::Path(_) if is_number(ty) => continue,
                    Expr::Lit(_) | Expr::Path(_) => Filler::Atom,
                    value => Filler::Expr(value),
                };
                let edits: Option<Vec<Edit>> = probe.place.filled(filler, &text).map(|edit| vec![edit]);
                hints.extend(edits.map(|edits| Hint { lint: LINT.to_owned(), site: probe.place.site(), edits }));
            }
        }
        // The alternatives of an expression are adjacent; those that were reported first are the likeliest.
        hints.sort_by_key(|hint| (hint.site.start, Reverse(hint.site.end)));
        hints
    }
}

/// The text of the program with `allow` for `forbid`: the runtime could not allow a forbidden lint.
pub(super) fn permitted(tree: &Tree<'_>) -> String {
    const FORBID: &str = "forbid";
    const ALLOW: &str = "allow ";
    let mut text = tree.source().text().to_owned();
    for attribute in tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Attribute(_))) {
        // Both have the same length, so the sites do not move.
        text.replace_range(attribute.range(), &attribute.text().replace(FORBID, ALLOW));
    }
    text
}

/// Whether this type name can be the suffix of a number literal.
fn is_number(ty: &str) -> bool {
    let size = ty.strip_prefix(['i', 'u', 'f']);
    size.is_some_and(|size| size == "size" || !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
}

/// How the value of `node` can be read; `None` where it is short, has no literals or is computed by the compiler.
fn look(node: Node<'_>) -> Option<Look> {
    let Syntax::Expr(expr) = node.syntax() else { return None };
    let look = match expr {
        Expr::Binary(expr) if Precedence::of_operator(&expr.op) == Precedence::Assign => return None,
        Expr::Unary(expr) if matches!((&expr.op, &*expr.expr), (UnOp::Neg(_), Expr::Lit(_))) => return None,
        Expr::Field(_) | Expr::Index(_) => Look::Place,
        Expr::Unary(expr) if matches!(expr.op, UnOp::Deref(_)) => Look::Place,
        Expr::If(expr) if expr.else_branch.is_none() => return None,
        Expr::Path(expr) if expr.path.segments.len() == 1 => return None,
        Expr::Await(_)
        | Expr::Binary(_)
        | Expr::Call(_)
        | Expr::Cast(_)
        | Expr::If(_)
        | Expr::Macro(_)
        | Expr::Match(_)
        | Expr::MethodCall(_)
        | Expr::Path(_)
        | Expr::Try(_)
        | Expr::Unary(_)
        | Expr::Unsafe(_) => Look::Value,
        _ => return None,
    };
    // A callee is a name and not a value.
    let parent = node.parent().map(Node::syntax);
    let is_callee = matches!(parent, Some(Syntax::Expr(Expr::Call(call))) if std::ptr::eq(&*call.func, expr));
    if precedence::holds_let(expr) || is_callee || look == Look::Place && is_borrowed(node, expr) {
        return None;
    }
    node.ancestors().all(is_run).then_some(look)
}

/// Whether `expr` is used as a place and not for its value.
fn is_borrowed(node: Node<'_>, expr: &Expr) -> bool {
    let is = |other: &Expr| std::ptr::eq(other, expr);
    match node.parent().map(Node::syntax) {
        Some(Syntax::Expr(outer)) => match outer {
            Expr::Assign(outer) => is(&outer.left),
            Expr::Binary(outer) => Precedence::of_operator(&outer.op) == Precedence::Assign && is(&outer.left),
            Expr::Let(_) | Expr::Match(_) | Expr::Paren(_) | Expr::RawAddr(_) | Expr::Reference(_) => true,
            outer => precedence::base(outer).is_some_and(is),
        },
        _ => false,
    }
}

/// Whether `node` is a `const fn`, which the compiler may evaluate.
pub(super) fn is_const_fn(node: Node<'_>) -> bool {
    signature(node).is_some_and(|signature| signature.constness.is_some())
}

/// Whether the code in `node` runs unchanged when the program does.
pub(super) fn is_run(node: Node<'_>) -> bool {
    match node.syntax() {
        _ if is_const_fn(node) => false,
        Syntax::Macro(call) => is_evaluated(call),
        Syntax::Pat(pat) => matches!(pat, Pat::Guard(_)),
        Syntax::Item(item) => !matches!(item, Item::Const(_) | Item::Static(_) | Item::Macro(_)),
        Syntax::ImplItem(ImplItem::Const(_))
        | Syntax::TraitItem(TraitItem::Const(_))
        | Syntax::Expr(Expr::Const(_)) => false,
        Syntax::Attribute(_)
        | Syntax::GenericArgument(_)
        | Syntax::Tokens(_)
        | Syntax::Type(_)
        | Syntax::Variant(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests;
