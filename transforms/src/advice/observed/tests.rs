//! Checks where the probes of a program are and which candidates their reports lead to.

use super::*;
use crate::testing::normal;
use crate::{Analysis, Source, apply, enumerate_hinted, families};

/// The program with its probes, those of values as `{..}`, those of places as `[..]`, without the runtime.
fn marked(probes: &mut Probes<'_>) -> String {
    let program = probes.program();
    let text = program.split("\n#[allow").next().expect("there is always one part").to_owned();
    let mut edits = Vec::new();
    for (number, probe) in probes.probes.iter().enumerate() {
        let is_operand = probe.names.iter().all(|name| name % 2 == 1);
        let (open, close) = match probe.look {
            _ if is_operand => ("", ""),
            Look::Value => ("{", "}"),
            _ => ("[", "]"),
        };
        let (start, end) = (probe.range.start, probe.range.end);
        let head = probe.look.begin(number, &probe.names).len();
        let tail = probe.look.end(number, &probe.names).len();
        edits.push(Edit::replace(start..start + head, open));
        edits.push(Edit::replace(end - tail..end, close));
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
    check("fn f() { let a = if b.c { d() } else { e() }; }", "fn f() { let a = {if [b.c] { {d()} } else { {e()} }}; }");
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
    check("fn f() { if let ref d = e.f {} }", "fn f() { if let ref d = e.f {} }");
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
fn operands_are_looked_at_for_what_uses_them() {
    let text = "fn main() { f(a, (b + 1) * c.d); match (e, g) { _ => {} } }";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let shown = |probe: &Probe<'_>| {
        let names = probe.names.iter().map(|name| format!("{}{}", &text[byte_of(*name)..=byte_of(*name)], name % 2));
        format!("{}: {}", &text[probe.site.clone()], names.collect::<Vec<_>>().join(" "))
    };
    let found: Vec<String> = Probes::of(&tree).probes.iter().map(shown).collect();
    assert_eq!(found, ["a: f1", "(b + 1) * c.d: *0 f1", "b + 1: +0 *1", "b: +1", "c.d: d0 *1", "e: m1", "g: m1"]);
}

#[test]
fn blocks_report_that_they_are_reached() {
    let text = "fn f() -> u8 { match 1 { 1 => g(2), _ => { 3 } } } fn main() {}";
    let source = Source::parse(text);
    let program = Probes::blocks(&Tree::new(&source)).program();
    assert_eq!(Source::parse(&*program).understanding(), Understanding::Full, "{program}");
    let reach = |number: u8, byte: usize| format!("crate::mcve_reports::reach({number}, \"{}\");", 2 * byte);
    assert!(program.contains(&format!("fn f() -> u8 {{ {} ", reach(0, 13))), "{program}");
    assert!(program.contains(&format!("1 => {{ {} g(2) }}", reach(1, 30))), "{program}");
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

/// Checks which probes of `text` are left after the compiler finds an error at each `error` of the program with them.
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
    check_errors(text, &["match &e.f"], "fn main() { let a = {b([c.d], e.f)}; }");
    check_errors(text, &["report(2, \"58 41\")"], "fn main() { let a = {b([c.d], e.f)}; }");
    check_errors(text, &["c.d", "e.f"], "fn main() { let a = {b(c.d, e.f)}; }");
    check_errors(text, &["b("], "fn main() { let a = b([c.d], [e.f]); }");
    check_errors(
        text,
        &["let a = crate::mcve_reports::same(match crate::mcve_reports::same(b("],
        "fn main() { let a = {b([c.d], [e.f])}; }",
    );
}

/// Checks the candidates that are proposed for the reports of a run of `text`.
#[track_caller]
fn check_told(text: &str, told: &str, expected: &[&str]) {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let mut probes = Probes::of(&tree);
    // The reports have the numbers of probes for names.
    probes.probes.retain(|probe| probe.names[0] % 2 == 0);
    probes.probes.iter_mut().enumerate().for_each(|(number, probe)| probe.names = vec![2 * number]);
    let twice = |line: &str| match line.split_once('\t') {
        Some((number, rest)) if number != "x" => {
            format!("{}\t{rest}\n", 2 * number.parse::<usize>().expect("it is a number"))
        }
        _ => format!("{line}\n"),
    };
    let hints = probes.hints(&told.lines().map(twice).collect::<String>());
    let reductions = enumerate_hinted(&names, &families::text::observations::REPLACE_BY_OBSERVED_VALUE, &hints);
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
    check_told(text, "3\t&u8\t5", &["fn main() { let a = b.c.d(1).e(); let f = &5 as u8; }"]);
}

#[test]
fn what_is_no_literal_or_no_smaller_is_not_proposed() {
    let text = "fn main() { let a = b(); }";
    for told in ["0\tf64\tNaN", "0\tf64\tinf", "7\ti32\t1", "x\ti32\t1", "0\ti32", "", "0\talloc::string::String\t\"\""]
    {
        check_told(text, told, &[]);
    }
}
