//! Carves a test out of a failing run: finds the innermost call that goes wrong, and writes a test that makes just this call.
//!
//! A program whose functions report their calls is run as it fails, and with each change with which it passes. The first call that
//! gives something else for the same arguments is what is wrong (after Elbaum et al., *Carving differential unit test cases from system
//! test cases*, 2006).

use std::collections::HashMap;
use std::fmt;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMacro, Item, ReturnType, Token};

use super::carving::path;
use crate::names::Analysis;
use crate::syntax::attributes::is_entry;
use crate::syntax::{Node, Syntax, Tree, range};
use crate::text::Edit;
use crate::text::splice::splice;

/// So many calls are proposed at most.
const MOST: usize = 6;

/// A value of more bytes is compared by the part in which it differs.
const LONG: usize = 40;

/// The variable of a carved test that a call changes.
const CHANGED: &str = "value";

/// A call of a function of the program, as Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    function: String,
    arguments: Vec<String>,
    /// What it returns, and what it leaves in each `&mut` argument where that is known; none if it does not return. Empty where it cannot
    /// be written.
    results: Option<Vec<String>>,
}

/// A call that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCall {
    function: String,
    arguments: Vec<String>,
    /// What it gives; none if it does not return, but with the changes it does.
    given: Option<Given>,
}

/// A value that a call gives.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    /// The number of the `&mut` argument in which it is left; none if it is returned.
    argument: Option<usize>,
    value: String,
    /// What it is with the changes.
    right: String,
}

impl WrongCall {
    /// What is wrong with `call`, where `passing` are the same call in each passing run.
    fn of(call: &Call, passing: &[&Call]) -> Option<Self> {
        let right = passing.first()?.results.as_ref()?;
        if !passing.iter().all(|other| other.results.as_ref() == Some(right)) {
            return None;
        }
        let given = match &call.results {
            None => None,
            Some(results) => {
                let is_wrong =
                    |(value, right): &(&String, &String)| !value.is_empty() && !right.is_empty() && value != right;
                let number = results.iter().zip(right).position(|pair| is_wrong(&pair))?;
                let is_changed = |index: &usize| call.arguments[*index].starts_with("&mut ");
                let argument = match number.checked_sub(1) {
                    Some(number) => Some((0..call.arguments.len()).filter(is_changed).nth(number)?),
                    None => None,
                };
                Some(Given { argument, value: results[number].clone(), right: right[number].clone() })
            }
        };
        Some(Self { function: call.function.clone(), arguments: call.arguments.clone(), given })
    }

    /// Whether it gives a wrong value. Else it does not return.
    pub const fn returns(&self) -> bool {
        self.given.is_some()
    }

    /// The call, with these arguments.
    fn text(&self, arguments: &[String]) -> String {
        format!("{}({})", self.function, arguments.join(", "))
    }

    /// The statements that make the call, and assert what it gives: the likeliest first, as not each type can be compared.
    fn statements(&self) -> Vec<String> {
        let Some(Given { argument, value, right }) = &self.given else {
            return vec![format!("{};", self.text(&self.arguments))];
        };
        let (before, given) = match argument {
            None => (String::new(), self.text(&self.arguments)),
            Some(index) => {
                let mut arguments = self.arguments.clone();
                let begin = std::mem::replace(&mut arguments[*index], format!("&mut {CHANGED}"));
                let begin = begin.trim_start_matches("&mut ");
                (format!("let mut {CHANGED} = {begin}; {}; ", self.text(&arguments)), CHANGED.to_owned())
            }
        };
        let whole = format!("{before}assert_eq!({given}, {});", own(right));
        let part = different_part(own(value), own(right));
        let part = part.map(|(part, right)| format!("{before}assert_eq!({given}{part}, {right});"));
        let mut both: Vec<String> = [whole].into_iter().chain(part).collect();
        if right.len() > LONG {
            both.reverse();
        }
        both
    }

    /// The programs whose `main`, or whose test of this name, makes just this call: the likeliest first. Not each of them compiles.
    pub fn carved(&self, tree: &Tree<'_>, test: Option<&str>) -> Vec<String> {
        let is_meant = |node: &Node<'_>| match node.syntax() {
            Syntax::Item(Item::Fn(function)) => is_entry(*node) && function.sig.ident == test.unwrap_or("main"),
            _ => false,
        };
        let Some(entry) = tree.nodes().find(is_meant) else { return Vec::new() };
        let Syntax::Item(Item::Fn(function)) = entry.syntax() else { return Vec::new() };
        // It returns nothing.
        let begin = match &function.sig.output {
            ReturnType::Default => range(&*function.block).start,
            output @ ReturnType::Type(..) => range(output).start,
        };
        let text = tree.source().text();
        let with = |statements: &String| {
            let mut program = text.to_owned();
            program.replace_range(begin..range(&*function.block).end, &format!("{{ {statements} }}"));
            program
        };
        // A test in another module may see neither the function nor the types of its arguments.
        let beside = if test.is_some() { self.places(tree, entry) } else { Vec::new() };
        let moved = |statements: &String| {
            let test = format!("{}{{ {statements} }}\n", &text[entry.range().start..begin]);
            let with = |at: &usize| {
                let mut edits = [&Edit::delete(entry.range()), &Edit::replace(*at..*at, &*test)];
                edits.sort_by_key(|edit| edit.range.start);
                splice(text, &edits)
            };
            beside.iter().map(with).collect::<Vec<_>>()
        };
        let statements = self.statements();
        statements.iter().map(with).chain(statements.iter().flat_map(moved)).collect()
    }

    /// The bytes at which a test can stand beside the function that is called, in modules that are not the one of `entry`.
    fn places(&self, tree: &Tree<'_>, entry: Node<'_>) -> Vec<usize> {
        let names = Analysis::of(tree);
        let called =
            names.functions().iter().filter(|function| path(function).is_some_and(|path| path == self.function));
        let items = called.filter_map(|function| {
            let mut outer = std::iter::once(function.node).chain(function.node.ancestors());
            outer.find(|node| matches!(node.syntax(), Syntax::Item(Item::Fn(_) | Item::Impl(_))))
        });
        let module = |node: Node<'_>| node.parent().map(Node::range);
        items.filter(|item| module(*item) != module(entry)).map(|item| item.range().start).collect()
    }
}

impl fmt::Display for WrongCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text(&self.arguments);
        match &self.given {
            None => write!(f, "`{text}` fails"),
            Some(Given { argument: None, value, right }) => write!(f, "`{text}` gives `{value}` in place of `{right}`"),
            Some(Given { value, right, .. }) => {
                write!(f, "`{text}` leaves `{}` in place of `{}`", own(value), own(right))
            }
        }
    }
}

/// The value behind a mutable borrow.
fn own(value: &str) -> &str {
    value.trim_start_matches("&mut ")
}

/// The calls of the failing run that give something else than in each of the passing ones, for the same arguments, or that do not return.
/// The innermost comes first.
pub fn wrong_calls(failing: &str, passing: &[String]) -> Vec<WrongCall> {
    let first_calls = |reported: &String| {
        let mut known: HashMap<(String, Vec<String>), Call> = HashMap::new();
        for call in calls(reported).into_iter().filter(|call| call.results.is_some()) {
            known.entry((call.function.clone(), call.arguments.clone())).or_insert(call);
        }
        known
    };
    let known: Vec<_> = passing.iter().map(first_calls).collect();
    let mut wrong: Vec<WrongCall> = Vec::new();
    for call in calls(failing) {
        let key = (call.function.clone(), call.arguments.clone());
        let Some(same) = known.iter().map(|known| known.get(&key)).collect::<Option<Vec<&Call>>>() else { continue };
        wrong.extend(WrongCall::of(&call, &same).filter(|new| !wrong.contains(new)));
    }
    wrong.truncate(MOST);
    wrong
}

/// The calls that a run reports, in the order in which they return. Those that do not come last, the innermost of them first.
fn calls(reported: &str) -> Vec<Call> {
    let (mut open, mut done): (Vec<(&str, Call)>, Vec<Call>) = (Vec::new(), Vec::new());
    for line in reported.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let texts = |fields: &[&str]| fields.iter().map(|&field| field.to_owned()).collect();
        match fields[..] {
            ["call", number, function, ref arguments @ ..] => {
                let arguments = arguments.iter().filter(|argument| !argument.is_empty()).copied().collect::<Vec<_>>();
                let call = Call { function: function.to_owned(), arguments: texts(&arguments), results: None };
                open.push((number, call));
            }
            ["return", number, ref results @ ..] => {
                if let Some(index) = open.iter().rposition(|(own, _)| *own == number) {
                    done.push(Call { results: Some(texts(results)), ..open.remove(index).1 });
                }
            }
            _ => {}
        }
    }
    done.extend(open.into_iter().rev().map(|(_, call)| call));
    done
}

/// The innermost part in which two values differ, as what stands behind the value, and that part of the other one.
fn different_part(wrong: &str, right: &str) -> Option<(String, String)> {
    let [wrong, right] = [wrong, right].map(syn::parse_str::<Expr>);
    let (mut wrong, mut right) = (wrong.ok()?, right.ok()?);
    let mut part = String::new();
    while let Some((access, one, other)) = different_child(&wrong, &right) {
        part += &access;
        (wrong, right) = (one, other);
    }
    (!part.is_empty()).then(|| (part, right.to_token_stream().to_string()))
}

/// The first child in which two values of the same form differ, and how it is accessed.
fn different_child(wrong: &Expr, right: &Expr) -> Option<(String, Expr, Expr)> {
    let indexed = |one: Vec<Expr>, other: Vec<Expr>, access: &dyn Fn(usize) -> String| {
        if one.len() != other.len() {
            return None;
        }
        let index = one.iter().zip(&other).position(|(one, other)| one != other)?;
        Some((access(index), one[index].clone(), other[index].clone()))
    };
    let all = |list: &Punctuated<Expr, Token![,]>| list.iter().cloned().collect::<Vec<_>>();
    match (wrong, right) {
        (Expr::Struct(one), Expr::Struct(other)) if one.path == other.path && one.path.segments.len() == 1 => {
            let (one, other) = (one.fields.iter(), other.fields.iter());
            let (one, other) = one.zip(other).find(|(one, other)| one.expr != other.expr)?;
            Some((format!(".{}", one.member.to_token_stream()), one.expr.clone(), other.expr.clone()))
        }
        (Expr::Call(one), Expr::Call(other)) if one.func == other.func => {
            let access = match &*one.func.to_token_stream().to_string() {
                "Some" | "Ok" => ".unwrap()",
                "Err" => ".unwrap_err()",
                path if path.contains("::") => return None,
                _ => "",
            };
            let access = |index: usize| if access.is_empty() { format!(".{index}") } else { access.to_owned() };
            indexed(all(&one.args), all(&other.args), &access)
        }
        (Expr::Macro(one), Expr::Macro(other)) => {
            let elements = |expr: &ExprMacro| expr.mac.parse_body_with(Punctuated::parse_terminated).ok();
            indexed(all(&elements(one)?), all(&elements(other)?), &|index| format!("[{index}]"))
        }
        (Expr::Array(one), Expr::Array(other)) => {
            indexed(all(&one.elems), all(&other.elems), &|index| format!("[{index}]"))
        }
        (Expr::Tuple(one), Expr::Tuple(other)) => {
            indexed(all(&one.elems), all(&other.elems), &|index| format!(".{index}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Source;

    #[track_caller]
    fn check(failing: &str, passing: &[String], expected: &[&str]) {
        let wrong = wrong_calls(failing, passing);
        assert_eq!(wrong.iter().map(WrongCall::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_innermost_call_that_returns_something_else_is_wrong() {
        let failing = "@1\ncall\t0\tf\t1\ncall\t1\tg\t\"a\"\t2\nreturn\t1\t5\nreturn\t0\t6\ncall\t2\th\t\n";
        let passing = failing.replace("return\t1\t5", "return\t1\t4").replace("return\t0\t6", "return\t0\t7");
        let passing = format!("{passing}return\t2\t()\n");
        let (g, f) = ("`g(\"a\", 2)` gives `5` in place of `4`", "`f(1)` gives `6` in place of `7`");
        check(failing, std::slice::from_ref(&passing), &[g, f, "`h()` fails"]);
        // Nobody knows what is right where the passing runs differ.
        let other = passing.replace("return\t1\t4", "return\t1\t3");
        check(failing, &[passing, other], &[f, "`h()` fails"]);
    }

    #[test]
    fn what_a_call_leaves_may_be_wrong() {
        let failing = "call\t0\tS::f\t&mut S(1)\t2\nreturn\t0\t()\t&mut S(3)\n";
        let passing = failing.replace("S(3)", "S(4)");
        check(failing, std::slice::from_ref(&passing), &["`S::f(&mut S(1), 2)` leaves `S(3)` in place of `S(4)`"]);
        let statements = wrong_calls(failing, &[passing])[0].statements();
        let begin = "let mut value = S(1); S::f(&mut value, 2); assert_eq!(value";
        assert_eq!(statements, [", S(4));", ".0, 4);"].map(|rest| format!("{begin}{rest}")));
    }

    #[test]
    fn the_test_makes_just_the_call() {
        let source = Source::parse("fn f() -> Result<u8, E> { g() } #[test] fn t() -> X { a(); b()? }");
        let tree = Tree::new(&source);
        let reported = |value: &str| format!("call\t0\tf\t\nreturn\t0\t{value}\n");
        let made = wrong_calls(&reported("Ok(1)"), &[reported("Ok(2)")])[0].carved(&tree, Some("t"));
        let begin = "fn f() -> Result<u8, E> { g() } #[test] fn t() ";
        let of = |statement: &str| format!("{begin}{{ {statement} }}");
        assert_eq!(made, ["assert_eq!(f(), Ok(2));", "assert_eq!(f().unwrap(), 2);"].map(of));
    }

    #[test]
    fn the_test_goes_to_the_function() {
        let source = Source::parse("mod m { impl S { fn f() -> u8 { g() } } } mod t { #[test] fn t() { a(); } }");
        let tree = Tree::new(&source);
        let reported = |value: &str| format!("call\t0\tS::f\t\nreturn\t0\t{value}\n");
        let made = wrong_calls(&reported("1"), &[reported("2")])[0].carved(&tree, Some("t"));
        let moved = "mod m { #[test] fn t() { assert_eq!(S::f(), 2); }\nimpl S { fn f() -> u8 { g() } } } mod t { }";
        assert_eq!(made[1], moved);
    }

    #[test]
    fn values_differ_in_a_part() {
        for (wrong, right, part, value) in [
            ("A { b: 1, c: vec![(2, 3)] }", "A { b: 1, c: vec![(2, 4)] }", ".c[0].1", "4"),
            ("Some(Q([1]))", "Some(Q([2]))", ".unwrap().0[0]", "2"),
            ("Err(1)", "Err(2)", ".unwrap_err()", "2"),
        ] {
            assert_eq!(different_part(wrong, right), Some((part.to_owned(), value.to_owned())), "{wrong}");
        }
        for (wrong, right) in [("1", "2"), ("E::A(1)", "E::A(2)"), ("Some(1)", "None"), ("[1]", "[1, 2]")] {
            assert_eq!(different_part(wrong, right), None, "{wrong}");
        }
    }
}
