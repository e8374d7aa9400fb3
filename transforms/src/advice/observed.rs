//! Probes: instruments a program so that a run reports the values of its expressions.
//!
//! A literal can replace the expression that computed its value. This is partial evaluation by one run instead of by
//! rules (after dynamic slicing: Korel and Laski, 1988). Another run may have other values, so the resulting reductions
//! are checked like any other.

use std::cmp::Reverse;
use std::ops::Range;

use syn::{Expr, UnOp};

use super::coverage::{Coverage, Covered};
use super::runtime::{add_reports, is_run, permitted};
use super::seen::{Name, Seen, byte_of, name_of_block};
use crate::rule::Hint;
use crate::syntax::{Filler, Node, Place, Precedence, Syntax, Tree, Understanding, precedence, range};
use crate::text::{Edit, covers};

/// The environment variable with the path of the file that the program writes the values to.
pub const FILE: &str = "MCVE_VALUES";

/// The lint name of the hints about values.
const LINT: &str = "observed-value";

/// The longest literal, in bytes.
const LONGEST: usize = 100;

/// How many values of an expression may take its place.
const HINTED: usize = 2;

/// The default types of number literals.
const USUAL: [&str; 2] = ["i32", "f64"];

/// What a probe reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// The value of an expression, which passes through.
    Value,
    /// The value at a place, which is borrowed, so that it is not moved.
    Place,
    /// That a block is reached.
    Block,
    /// That an expression without braces is reached.
    Bare,
}

/// An expression or a block about which a run reports.
struct Probe<'t> {
    look: Look,
    /// The place of an expression whose value is reported.
    place: Option<Place<'t>>,
    /// The bytes that it is around, or those inside of the braces of a block.
    site: Range<usize>,
    /// What it reports for.
    names: Vec<Name>,
    /// The bytes of the expression with its probe, in the program with probes.
    range: Range<usize>,
}

/// The probes of a program.
pub struct Probes<'t> {
    tree: &'t Tree<'t>,
    probes: Vec<Probe<'t>>,
    /// What those report for that were removed.
    removed: Vec<Name>,
}

impl Look {
    /// What stands before the site, for the probe of this number that reports for these.
    fn begin(self, number: usize, names: &[Name]) -> String {
        match self {
            Self::Value => "crate::mcve_reports::same(match crate::mcve_reports::same(".to_owned(),
            Self::Place => "*crate::mcve_reports::same(match &".to_owned(),
            Self::Block => format!(" crate::mcve_reports::reach({number}, {}); ", list(names)),
            Self::Bare => format!("{{ crate::mcve_reports::reach({number}, {}); ", list(names)),
        }
    }

    /// What stands behind it.
    fn end(self, number: usize, names: &[Name]) -> String {
        // Whether it can be printed is known where its type is.
        let report = |value: &str| {
            let names = list(names);
            format!(
                " {{ mcve => {{ {{ use crate::mcve_reports::{{Printed as _, Unprinted as _}}; \
                 (&crate::mcve_reports::Look({value})).report({number}, {names}); }} mcve }} }})"
            )
        };
        match self {
            Self::Value => format!("){}", report("&mcve")),
            Self::Place => report("mcve"),
            Self::Block => String::new(),
            Self::Bare => " }".to_owned(),
        }
    }
}

/// Names as a literal.
fn list(names: &[Name]) -> String {
    format!("\"{}\"", names.iter().map(Name::to_string).collect::<Vec<_>>().join(" "))
}

impl<'t> Probes<'t> {
    /// A probe at every expression whose value may be useful; none if the program is not understood or cannot be run.
    pub fn of(tree: &'t Tree<'t>) -> Self {
        let text = tree.source().text();
        let may_run = text.contains("fn main") || text.contains("#[test]");
        let is_understood = tree.source().understanding() == Understanding::Full;
        let probe = |node: Node<'t>| {
            let (look, names) = look(node)?;
            let place = Place::of(node).filter(|place| !place.is_discarded() && !place.is_braced())?;
            Some(Probe { look, site: place.site(), place: Some(place), names, range: 0..0 })
        };
        let probes = if may_run && is_understood { tree.nodes().filter_map(probe).collect() } else { Vec::new() };
        Self { tree, probes, removed: Vec::new() }
    }

    /// A probe in each of these blocks: the bytes inside of its braces, or those of an expression without braces.
    pub fn of_blocks(tree: &'t Tree<'t>, blocks: &[(Range<usize>, bool)]) -> Self {
        let probe = |(inside, is_bare): &(Range<usize>, bool)| {
            let look = if *is_bare { Look::Bare } else { Look::Block };
            let names = vec![name_of_block(inside, *is_bare)];
            Probe { look, place: None, site: inside.clone(), names, range: 0..0 }
        };
        Self { tree, probes: blocks.iter().map(probe).collect(), removed: Vec::new() }
    }

    /// Also a probe in each block that is run.
    #[must_use]
    pub fn and_blocks(mut self) -> Self {
        self.probes.extend(Self::blocks(self.tree).probes);
        // Outer probes before inner ones, and what is reached before its value.
        self.probes.sort_by_key(|probe| (probe.site.start, Reverse(probe.site.end), probe.place.is_some()));
        self
    }

    /// A probe in each block that is run.
    pub fn blocks(tree: &'t Tree<'t>) -> Self {
        Self::of_blocks(tree, &Coverage::of(tree, Covered::Blocks).blocks())
    }

    /// The names of those around `byte` that were `seen` to be reached more than once.
    pub fn repeated_around(&self, byte: usize, seen: &Seen) -> Vec<Name> {
        let around = self.probes.iter().filter(|probe| probe.site.contains(&byte)).flat_map(|probe| &probe.names);
        around.copied().filter(|name| seen.is_repeated(*name)).collect()
    }

    /// Only the probes for whose tokens this gives the bytes of others that `seen` knows, whose names they get.
    #[must_use]
    pub fn called(mut self, origin: impl Fn(usize) -> Option<usize>, seen: Option<&Seen>) -> Self {
        let renamed = |name: &Name| origin(byte_of(*name)).map(|byte| 2 * byte + name % 2);
        self.probes.retain_mut(|probe| {
            let (names, is_of_value) = (probe.names.iter().filter_map(renamed), probe.place.is_some());
            probe.names = names.filter(|name| seen.is_none_or(|seen| seen.has(*name, is_of_value))).collect();
            !probe.names.is_empty()
        });
        self
    }

    /// What several runs of the program with its probes reported. Nothing is known where runs differ, and of a probe that was removed,
    /// as another one may have its name.
    pub fn seen(&self, reported: &str) -> Seen {
        let blocks = self.probes.iter().filter(|probe| probe.place.is_none()).flat_map(|probe| &probe.names);
        let mut seen = Seen::of_runs(reported, blocks.copied());
        self.removed.iter().for_each(|name| seen.forget(*name));
        seen
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.probes.is_empty()
    }

    /// The program with its probes.
    pub fn program(&mut self) -> String {
        let text = permitted(self.tree);
        let (mut out, mut at) = (String::with_capacity(text.len() * 2), 0);
        let mut open: Vec<usize> = Vec::new();
        for number in 0..=self.probes.len() {
            let start = self.probes.get(number).map_or(text.len(), |probe| probe.site.start);
            while let Some(inner) = open.pop_if(|open| self.probes[*open].site.end <= start) {
                let probe = &mut self.probes[inner];
                out.push_str(&text[at..probe.site.end]);
                out.push_str(&probe.look.end(inner, &probe.names));
                at = probe.site.end;
                probe.range.end = out.len();
            }
            out.push_str(&text[at..start]);
            at = start;
            if let Some(probe) = self.probes.get_mut(number) {
                probe.range.start = out.len();
                out.push_str(&probe.look.begin(number, &probe.names));
                open.push(number);
            }
        }
        let moved = add_reports(&mut out, self.probes.len());
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
                if probe.place.is_some() && end <= probe.range.start && probe.range.end <= error.end {
                    *removed = true;
                    end = probe.range.end;
                }
            }
            let around = |probe: &Probe<'_>| probe.place.is_some() && covers(&probe.range, error);
            if let Some(innermost) = self.probes.iter().rposition(around).filter(|_| end == error.start) {
                removed[innermost] = true;
            }
        }
        let mut gone = removed.iter();
        let (gone, left) =
            std::mem::take(&mut self.probes).into_iter().partition(|_| gone.next().is_some_and(|gone| *gone));
        self.probes = left;
        self.removed.extend(Vec::into_iter(gone).flat_map(|probe| probe.names));
        removed.contains(&true)
    }

    /// The hints to replace expressions with the values that the program with probes reported: of each, those that it had first.
    pub fn hints(&self, reported: &str) -> Vec<Hint> {
        let (mut hints, mut counts) = (Vec::new(), vec![0; self.probes.len()]);
        for line in reported.lines() {
            let mut fields = line.splitn(3, '\t');
            let (Some(names), Some(ty), Some(printed)) = (fields.next(), fields.next(), fields.next()) else {
                continue;
            };
            // A variable is as short as its value.
            let name = names.split(' ').next().and_then(|name| name.parse::<Name>().ok()).filter(|name| name % 2 == 0);
            let Some(number) =
                self.probes.iter().position(|probe| name.is_some() && probe.names.first() == name.as_ref())
            else {
                continue;
            };
            let Some(place) = &self.probes[number].place else { continue };
            counts[number] += 1;
            let Some(text) = literal(ty, printed).filter(|_| counts[number] <= HINTED) else { continue };
            let suffixed = (is_number(ty) && !USUAL.contains(&ty)).then(|| format!("{text}{ty}"));
            for text in [text].into_iter().chain(suffixed) {
                let Ok(value) = syn::parse_str::<Expr>(&text) else { continue };
                // `NaN` and `inf` are not literals.
                let filler = match &value {
                    Expr::Path(_) if is_number(ty) => continue,
                    Expr::Lit(_) | Expr::Path(_) => Filler::Atom,
                    value => Filler::Expr(value),
                };
                let edits: Option<Vec<Edit>> = place.filled(filler, &text).map(|edit| vec![edit]);
                hints.extend(edits.map(|edits| Hint { lint: LINT.to_owned(), site: place.site(), edits }));
            }
        }
        // The alternatives of an expression are adjacent; those that were reported first are the likeliest.
        hints.sort_by_key(|hint| (hint.site.start, Reverse(hint.site.end)));
        hints
    }
}

/// The literal for a value that `{:?}` prints as `printed`, where its type has this name; none if the type has no literals.
fn literal(ty: &str, printed: &str) -> Option<String> {
    let (before, behind) =
        match ty.strip_prefix("core::option::Option<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(ty) {
            "alloc::string::String" if !ty.contains('<') => ("", ".to_string()"),
            "bool" | "char" | "&str" => ("", ""),
            inner if is_number(inner) => ("", ""),
            inner => match inner.strip_prefix('&') {
                Some(referent) if is_number(referent) || ["bool", "char"].contains(&referent) => ("&", ""),
                _ => return None,
            },
        };
    (printed.len() <= LONGEST).then(|| format!("{before}{printed}{behind}"))
}

/// Whether this type name can be the suffix of a number literal.
fn is_number(ty: &str) -> bool {
    let size = ty.strip_prefix(['i', 'u', 'f']);
    size.is_some_and(|size| size == "size" || !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
}

/// How the value of `node` can be read, and what for; `None` where it is a literal or is computed by the compiler.
fn look(node: Node<'_>) -> Option<(Look, Vec<Name>)> {
    let Syntax::Expr(expr) = node.syntax() else { return None };
    let look = match expr {
        Expr::Binary(expr) if Precedence::of_operator(&expr.op) == Precedence::Assign => return None,
        Expr::Unary(expr) if matches!((&expr.op, &*expr.expr), (UnOp::Neg(_), Expr::Lit(_))) => return None,
        Expr::Field(_) | Expr::Index(_) => Look::Place,
        Expr::Unary(expr) if matches!(expr.op, UnOp::Deref(_)) => Look::Place,
        Expr::If(expr) if expr.else_branch.is_none() => return None,
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
    let user = user(node, expr);
    // What decides is not moved.
    let is_place =
        matches!(expr, Expr::Path(_) | Expr::Field(_) | Expr::Index(_)) && matches!(user, Some(Expr::Match(_)));
    let look = if is_place { Look::Place } else { look };
    // A variable is short, and has the value of what it was bound to.
    let is_variable = matches!(expr, Expr::Path(expr) if expr.path.segments.len() == 1);
    let own = (!is_variable).then(|| 2 * anchor(expr));
    let names: Vec<Name> = own.into_iter().chain(user.map(|user| 2 * anchor(user) + 1)).collect();
    (!names.is_empty() && node.ancestors().all(is_run)).then_some((look, names))
}

/// The expression that `expr` is an operand or argument of.
fn user<'t>(node: Node<'t>, expr: &Expr) -> Option<&'t Expr> {
    let Some(Syntax::Expr(outer)) = node.parent().map(Node::syntax) else { return None };
    let is = |other: &Expr| std::ptr::eq(other, expr);
    let uses = match outer {
        Expr::Paren(_) | Expr::Range(_) | Expr::Tuple(_) => return user(node.parent()?, outer),
        Expr::Binary(outer) => Precedence::of_operator(&outer.op) != Precedence::Assign,
        Expr::Call(outer) => !is(&outer.func),
        Expr::MethodCall(outer) => !is(&outer.receiver),
        Expr::Index(outer) => is(&outer.index),
        Expr::Cast(_) | Expr::Unary(_) => true,
        Expr::ForLoop(outer) => is(&outer.expr),
        Expr::Match(outer) => is(&outer.expr),
        _ => false,
    };
    uses.then_some(outer)
}

/// A byte of the token by which an expression computes its value.
pub(super) fn anchor(expr: &Expr) -> usize {
    let whole = range(expr);
    match expr {
        Expr::Assign(expr) => range(&expr.eq_token).start,
        Expr::Binary(expr) => range(&expr.op).start,
        Expr::MethodCall(expr) => range(&expr.method).start,
        Expr::Call(expr) => range(&*expr.func).end - 1,
        Expr::Cast(expr) => range(&expr.as_token).start,
        Expr::Macro(expr) => range(&expr.mac.path).end - 1,
        Expr::Await(_) | Expr::Field(_) | Expr::Index(_) | Expr::Path(_) | Expr::Try(_) => whole.end - 1,
        _ => whole.start,
    }
}

/// Whether `expr` is used as a place and not for its value.
fn is_borrowed(node: Node<'_>, expr: &Expr) -> bool {
    let is = |other: &Expr| std::ptr::eq(other, expr);
    match node.parent().map(Node::syntax) {
        Some(Syntax::Expr(outer)) => match outer {
            Expr::Let(_) | Expr::Paren(_) | Expr::RawAddr(_) | Expr::Reference(_) => true,
            outer => precedence::base(outer).or(precedence::assignment(outer).map(|(left, _)| left)).is_some_and(is),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests;
