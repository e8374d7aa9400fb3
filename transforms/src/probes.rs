//! Probes: a program is changed so that it tells, when it is run, which values its expressions have.
//!
//! What a run is known to compute can stand in the program as a literal, and what computed it can go. That is partial
//! evaluation by one run instead of by rules (after dynamic slicing: Korel and Laski, 1988): the values may not be those
//! of another run, so what is made of them are reductions like any other.

use std::cmp::Reverse;
use std::ops::Range;

use syn::{Expr, ImplItem, Item, Pat, TraitItem, UnOp};

use crate::edit::Edit;
use crate::form::is_evaluated;
use crate::hint::Hint;
use crate::placement::{Filler, Place};
use crate::shape::{self, Precedence};
use crate::source::Understanding;
use crate::surroundings::signature;
use crate::tree::{Node, Syntax, Tree};

/// What of the program tells the values.
const RUNTIME: &str = include_str!("probes/runtime.rs");

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
fn permitted(tree: &Tree<'_>) -> String {
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
    if shape::holds_let(expr) || is_named(node, expr) || look == Look::Place && is_borrowed(node, expr) {
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
            outer => shape::base(outer).is_some_and(is),
        },
        _ => false,
    }
}

/// Whether `expr` is what is called: a name and no value.
fn is_named(node: Node<'_>, expr: &Expr) -> bool {
    matches!(node.parent().map(Node::syntax), Some(Syntax::Expr(Expr::Call(call))) if std::ptr::eq(&*call.func, expr))
}

/// Whether what is in `node` is run when the program is, as it stands.
fn is_run(node: Node<'_>) -> bool {
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
mod tests {
    use super::*;
    use crate::testing::normal;
    use crate::{Source, apply, enumerate_told, families};

    /// The program with its probes, those of values as `{..}`, those of places as `[..]`, without what tells.
    fn marked(probes: &mut Probes<'_>) -> String {
        let program = probes.program();
        let text = program.split("\n#[allow").next().expect("there is always one part").to_owned();
        let mut edits = Vec::new();
        for probe in &probes.probes {
            let (open, close, bytes) = if probe.look == Look::Value { ("{", "}", ", ") } else { ("[", "]", ", &") };
            let head = text[probe.range.start..].find(bytes).expect("a site and an expression") + bytes.len();
            edits.push(Edit::replace(probe.range.start..probe.range.start + head, open));
            edits.push(Edit::replace(probe.range.end - 1..probe.range.end, close));
        }
        edits.sort_by_key(|edit| edit.range.start);
        let mut marked = text;
        for edit in edits.iter().rev() {
            marked.replace_range(edit.range.clone(), &edit.text);
        }
        marked
    }

    /// Checks where the probes of `text` are.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let text = format!("{text} fn main() {{}}");
        let source = Source::parse(&*text);
        let tree = Tree::new(&source);
        assert_eq!(marked(&mut Probes::of(&tree)), format!("{expected} fn main() {{}}"));
    }

    #[test]
    fn values_and_places_are_looked_at() {
        check("fn f() { g(a(1) + b.c) }", "fn f() { g({{a(1)} + [b.c]}) }");
        check("fn f() { let a = !b[i].c; }", "fn f() { let a = {![b[i].c]}; }");
        check("fn f() -> u8 { -*a as u8 }", "fn f() -> u8 { {{-[*a]} as u8} }");
        check(
            "fn f() { let a = if b.c { d() } else { e() }; }",
            "fn f() { let a = {if [b.c] { {d()} } else { {e()} }}; }",
        );
        check("fn f() { let a = u8::MAX; }", "fn f() { let a = {u8::MAX}; }");
        check("fn f() { let a = b()?.c(d.e); }", "fn f() { let a = {{{b()}?}.c([d.e])}; }");
        check("fn f() { assert_eq!(a.b, c()); }", "fn f() { assert_eq!([a.b], {c()}); }");
        check(
            "fn f() -> u8 { match a.b() { c if c.d => e(), _ => 1 } }",
            "fn f() -> u8 { {match {a.b()} { c if [c.d] => {e()}, _ => 1 }} }",
        );
    }

    #[test]
    fn statements_names_and_what_is_borrowed_are_not() {
        check("fn f() { a(); b.c; d }", "fn f() { a(); b.c; d }");
        check("fn f() { &a.b; &mut c[0]; d.e = 1; g.h += 1; }", "fn f() { &a.b; &mut c[0]; d.e = 1; g.h += 1; }");
        check("fn f() { a.b.c(); a.b[0].d(); }", "fn f() { a.b.c(); a.b[0].d(); }");
        check(
            "fn f() { match a.b { ref c => {} } if let ref d = e.f {} }",
            "fn f() { match a.b { ref c => {} } if let ref d = e.f {} }",
        );
        check("fn f() { if let A = b && c {} }", "fn f() { if let A = b && c {} }");
        check("fn f() { let a = -1; let b = c; }", "fn f() { let a = -1; let b = c; }");
        check("fn f() { A::b(1); }", "fn f() { A::b(1); }");
    }

    #[test]
    fn what_the_compiler_computes_is_not() {
        check("const A: u8 = b() + 1; static C: u8 = d();", "const A: u8 = b() + 1; static C: u8 = d();");
        check(
            "impl S { const A: u8 = b(); } trait T { const A: u8 = b(); }",
            "impl S { const A: u8 = b(); } trait T { const A: u8 = b(); }",
        );
        check("enum E { A = b() } type F = [u8; g()];", "enum E { A = b() } type F = [u8; g()];");
        check("const fn f() -> u8 { a() + 1 }", "const fn f() -> u8 { a() + 1 }");
        check("fn f() { const { a(b()) } }", "fn f() { const { a(b()) } }");
        check("fn f() { let a: A<{ b() }> = c::<{ d() }>; }", "fn f() { let a: A<{ b() }> = c::<{ d() }>; }");
        check("fn f() { my!(a.b + 1); }", "fn f() { my!(a.b + 1); }");
        check("macro_rules! m { () => { a.b() + 1 } }", "macro_rules! m { () => { a.b() + 1 } }");
    }

    #[test]
    fn nothing_is_forbidden() {
        check("#![forbid(unsafe_code)] fn forbid() {}", "#![allow (unsafe_code)] fn forbid() {}");
    }

    #[test]
    fn there_are_none_where_nothing_is_run_or_understood() {
        for text in ["fn f() { let a = b() + 1; }", "fn main() { let a = b() + ; }"] {
            let source = Source::parse(text);
            assert!(Probes::of(&Tree::new(&source)).is_empty(), "{text}");
        }
    }

    /// Checks what is left of the probes of `text` when the compiler finds an error at each `error` of the program with them.
    #[track_caller]
    fn check_errors(text: &str, errors: &[&str], expected: &str) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let mut probes = Probes::of(&tree);
        let program = probes.program();
        let errors: Vec<Range<usize>> = errors
            .iter()
            .map(|error| program.find(error).map(|start| start..start + error.len()).expect("it is in the program"))
            .collect();
        assert_eq!(probes.remove(&errors), marked(&mut probes) != marked(&mut Probes::of(&tree)));
        assert_eq!(marked(&mut probes), expected);
    }

    #[test]
    fn probes_go_where_the_compiler_finds_errors() {
        let text = "fn main() { let a = b(c.d, e.f); }";
        check_errors(text, &["c.d"], "fn main() { let a = {b(c.d, [e.f])}; }");
        check_errors(text, &["*crate::mcve_probes::place(2, &e.f)"], "fn main() { let a = {b([c.d], e.f)}; }");
        check_errors(text, &[" *crate::mcve_probes::place(2, &e.f)"], "fn main() { let a = {b([c.d], e.f)}; }");
        check_errors(text, &["c.d", "e.f"], "fn main() { let a = {b(c.d, e.f)}; }");
        check_errors(text, &["b("], "fn main() { let a = b([c.d], [e.f]); }");
        check_errors(text, &["let a = crate::mcve_probes::value(0, b("], "fn main() { let a = {b([c.d], [e.f])}; }");
    }

    /// Checks the candidates that are proposed for what a run of `text` told.
    #[track_caller]
    fn check_told(text: &str, told: &str, expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let hints = Probes::of(&tree).hints(told);
        let reductions = enumerate_told(&tree, &families::observations::REPLACE_BY_OBSERVED_VALUE, &hints);
        let found: Vec<String> = reductions.iter().map(|reduction| normal(&apply(text, [reduction]))).collect();
        assert_eq!(found, expected.iter().map(|text| normal(text)).collect::<Vec<_>>());
    }

    #[test]
    fn values_take_the_place_of_what_had_them() {
        let text = "fn main() { let a = b(c.d); }";
        check_told(text, "0\tu8\t5", &["fn main() { let a = 5; }", "fn main() { let a = 5u8; }"]);
        check_told(
            text,
            "1\tbool\ttrue\n0\t&str\t\"x\"",
            &["fn main() { let a = \"x\"; }", "fn main() { let a = b(true); }"],
        );
        let two = ["fn main() { let a = 'x'; }", "fn main() { let a = 'y'; }"];
        check_told(text, "0\tchar\t'x'\n0\tchar\t'y'", &two);
    }

    #[test]
    fn what_binds_too_loosely_is_put_in_parentheses() {
        let text = "fn main() { let a = b.c.d(1).e(); let f = g(1, 2, 3) as u8; }";
        check_told(
            text,
            "1\ti8\t-5",
            &[
                "fn main() { let a = (-5).e(); let f = g(1, 2, 3) as u8; }",
                "fn main() { let a = (-5i8).e(); let f = g(1, 2, 3) as u8; }",
            ],
        );
        check_told(text, "3\t&u8\t&5", &["fn main() { let a = b.c.d(1).e(); let f = &5 as u8; }"]);
    }

    #[test]
    fn what_is_no_literal_or_no_smaller_is_not_proposed() {
        let text = "fn main() { let a = b(); }";
        for told in
            ["0\tf64\tNaN", "0\tf64\tinf", "7\ti32\t1", "x\ti32\t1", "0\ti32", "", "0\tString\t\"\".to_string()"]
        {
            check_told(text, told, &[]);
        }
    }
}
