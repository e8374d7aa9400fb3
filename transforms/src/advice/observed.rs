//! Probes: a program is changed so that it tells, when it is run, which values its expressions have.
//!
//! What a run is known to compute can stand in the program as a literal, and what computed it can go. That is partial
//! evaluation by one run instead of by rules (after dynamic slicing: Korel and Laski, 1988): the values may not be those
//! of another run, so what is made of them are reductions like any other.

use std::cmp::Reverse;
use std::ops::Range;

use syn::{Expr, ImplItem, Item, Pat, TraitItem, UnOp};

use crate::rule::hint::Hint;
use crate::syntax::placement::{Filler, Place};
use crate::syntax::precedence::{self, Precedence};
use crate::syntax::source::Understanding;
use crate::syntax::surroundings::is_evaluated;
use crate::syntax::surroundings::signature;
use crate::syntax::tree::{Node, Syntax, Tree};
use crate::text::edit::Edit;

/// What of the program tells the values.
const RUNTIME: &str = include_str!("observed/runtime.rs");

/// The environment variable with the path of the file that the program tells the values in.
pub const FILE: &str = "MCVE_VALUES";

/// The lint that values are hints of.
const LINT: &str = "observed-value";

/// The types that numbers have where nothing says otherwise.
const USUAL: [&str; 2] = ["i32", "f64"];

/// How an expression is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// Its value passes through.
    Value,
    /// What stands there is borrowed, so that it is not moved.
    Place,
}

/// An expression whose value is told.
struct Probe<'t> {
    place: Place<'t>,
    look: Look,
    /// Where it is with its probe around it, in the text that has them.
    range: Range<usize>,
}

/// The probes of a program.
pub struct Probes<'t> {
    tree: &'t Tree<'t>,
    probes: Vec<Probe<'t>>,
}

impl<'t> Probes<'t> {
    /// A probe at every expression of which that may be worth something; none where the program is not understood or cannot
    /// be run.
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
            // The tree is in source order, what is outside before what it holds.
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
        out + "\n#[allow(warnings, unsafe_code, clippy::all)]\nmod mcve_probes {\n" + &runtime + "}\n"
    }

    /// Takes away the probes that a compiler may mean with errors at `errors`, bytes of the program with probes: the outermost
    /// in each, or else the innermost around it. Whether there were some.
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
            let around = |probe: &Probe<'_>| probe.range.start <= error.start && error.end <= probe.range.end;
            if let Some(innermost) = self.probes.iter().rposition(around).filter(|_| end == error.start) {
                removed[innermost] = true;
            }
        }
        let mut gone = removed.iter();
        self.probes.retain(|_| !gone.next().is_some_and(|gone| *gone));
        removed.contains(&true)
    }

    /// What the program with probes told: the values, as hints to put them in the place of what had them.
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
                // `NaN` and `inf` are no literals.
                let filler = match &value {
                    Expr::Path(_) if is_number(ty) => continue,
                    Expr::Lit(_) | Expr::Path(_) => Filler::Atom,
                    value => Filler::Expr(value),
                };
                let edits: Option<Vec<Edit>> = probe.place.filled(filler, &text).map(|edit| vec![edit]);
                hints.extend(edits.map(|edits| Hint { lint: LINT.to_owned(), site: probe.place.site(), edits }));
            }
        }
        // Alternatives stand beside each other; those that were told first are the likeliest.
        hints.sort_by_key(|hint| (hint.site.start, Reverse(hint.site.end)));
        hints
    }
}

/// The text of a program that forbids no lint: the runtime could not allow it then.
pub(super) fn permitted(tree: &Tree<'_>) -> String {
    const FORBID: &str = "forbid";
    const ALLOW: &str = "allow ";
    let mut text = tree.source().text().to_owned();
    for attribute in tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Attribute(_))) {
        // Both are of the same length, so that the sites are where they were.
        text.replace_range(attribute.range(), &attribute.text().replace(FORBID, ALLOW));
    }
    text
}

/// Whether the type of this name has literals that can end with it.
fn is_number(ty: &str) -> bool {
    let size = ty.strip_prefix(['i', 'u', 'f']);
    size.is_some_and(|size| size == "size" || !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
}

/// How the value of `node` can be told; not at all where it is short, has no literals or is computed by the compiler.
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
    if precedence::holds_let(expr) || is_named(node, expr) || look == Look::Place && is_borrowed(node, expr) {
        return None;
    }
    node.ancestors().all(is_run).then_some(look)
}

/// Whether `expr` is used as the place that it is, and not for the value there.
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

/// Whether `expr` is what is called: a name and no value.
fn is_named(node: Node<'_>, expr: &Expr) -> bool {
    matches!(node.parent().map(Node::syntax), Some(Syntax::Expr(Expr::Call(call))) if std::ptr::eq(&*call.func, expr))
}

/// Whether what is in `node` is run when the program is, as it stands.
pub(super) fn is_run(node: Node<'_>) -> bool {
    if signature(node).is_some_and(|signature| signature.constness.is_some()) {
        return false;
    }
    match node.syntax() {
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
