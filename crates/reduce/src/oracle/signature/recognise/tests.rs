//! What rustc 1.95 wrote about real crashes and errors, each before its program was reduced (`bloated`) and after it
//! (`small`). Explanations, rendered texts and all warnings but the first have been taken out.

use super::*;

macro_rules! captured {
    ($($end:expr, $name:literal, $words:literal;)*) => {
        &[$(Case {
            name: $name,
            end: $end,
            bloated: include_str!(concat!($name, ".bloated.stderr")),
            small: include_str!(concat!($name, ".small.stderr")),
            words: $words,
        }),*]
    };
}

struct Case {
    name: &'static str,
    end: End,
    bloated: &'static str,
    small: &'static str,
    words: &'static str,
}

const ICE: End = End::Exited(101);

const CASES: &[Case] = captured! {
    ICE, "ice-borrowck-type-op", "internal compiler error, delayed at compiler/rustc_trait_selection/src/traits/query/type_op/custom.rs:95:25: error performing operation: _";
    ICE, "ice-broken-mir", "internal compiler error, delayed at compiler/rustc_borrowck/src/type_check/mod.rs:634:21: broken MIR in _ bad assignment _";
    ICE, "ice-const-eval-cycle", "internal compiler error at compiler/rustc_const_eval/src/interpret/eval_context.rs:620:33: interpret const eval failure of _ which is not in _ (while eval_static_initializer)";
    ICE, "ice-format-span", "internal compiler error at compiler/rustc_span/src/lib.rs:2427:17: assertion failed: bpos.to_u32() >= mbc.pos.to_u32() + mbc.bytes as u32 (while resolver_for_lowering_raw)";
    ICE, "ice-import-resolve", "internal compiler error at compiler/rustc_resolve/src/imports.rs:1236:33: inconsistent resolution for an import (while resolver_for_lowering_raw)";
    ICE, "ice-mir-statement", "internal compiler error at compiler/rustc_middle/src/mir/statement.rs:894:17: assertion `left == right` failed (while mir_borrowck)";
    ICE, "ice-multiple-drop", "internal compiler error, delayed at compiler/rustc_middle/src/ty/util.rs:433:22: multiple drop impls found";
    ICE, "ice-parse-glued", "internal compiler error at compiler/rustc_parse/src/parser/attr_wrapper.rs:353:13: Should not have unglued last token with cfg attr (while resolver_for_lowering_raw)";
    ICE, "ice-resolve-instance", "internal compiler error at compiler/rustc_middle/src/ty/instance.rs:570:21: failed to resolve instance for _ (while vtable_entries)";
    ICE, "ice-type-lowering", "internal compiler error at compiler/rustc_hir_analysis/src/hir_ty_lowering/dyn_trait.rs:426:17: assertion `left == right` failed (while typeck)";
    End::Signalled(11), "stack-overflow", "stack overflow of the compiler";
    End::Exited(1), "error-cycle", "error E0391: cycle detected when computing the super predicates of _";
    End::Exited(1), "error-overflow", "error E0275: overflow evaluating the requirement _";
    End::Exited(1), "lint-deny", "error unused_must_use: unused boxed _ trait object in tuple element _ that must be used";
    End::Exited(1), "macro-heavy", "error: no rules expected _ metavariable";
    End::Exited(1), "unparsable", "error: _ is interpreted as a start of generic arguments for _ not a shift";
};

fn result(end: End, stderr: &str) -> JobResult {
    JobResult { stderr: stderr.into(), ..JobResult::ended(end) }
}

#[track_caller]
fn check(end: End, stderr: &str, expected: &[&str]) {
    let found: Vec<String> = Failure::all(&result(end, stderr)).iter().map(normal).collect();
    assert_eq!(found, expected);
}

/// A failure with its normalised message.
fn normal(failure: &Failure) -> String {
    Failure { said: failure.message.clone(), ..failure.clone() }.to_string()
}

#[test]
fn people_see_the_words_as_they_were_written() {
    let panic = "thread 'rustc' panicked at compiler/rustc_x/src/y.rs:1:2:\nindex out of bounds: the len is 1 but the index is 2\n";
    let words = "internal compiler error at compiler/rustc_x/src/y.rs:1:2: index out of bounds: the len is 1 but the index is 2";
    let lost = "LLVM ERROR: 64-bit code requested on a subtarget\n";
    for (end, stderr, words) in [
        (ICE, panic, words),
        (End::Signalled(6), lost, "LLVM error: 64-bit code requested on a subtarget"),
        (
            End::Signalled(6),
            "memory allocation of 17 bytes failed\n",
            "crash of the compiler by signal 6 (SIGABRT): memory allocation of 17 bytes failed",
        ),
    ] {
        let failure = Failure::recognise(&result(end, stderr)).expect("it fails");
        assert_eq!(failure.to_string(), words);
    }
}

#[test]
fn a_failure_is_the_same_before_and_after_its_reduction() {
    for case in CASES {
        let [bloated, small] =
            [case.bloated, case.small].map(|stderr| Failure::all(&result(case.end, stderr)).swap_remove(0));
        assert_eq!(normal(&bloated), case.words);
        assert_eq!(normal(&small), case.words);
        assert!(bloated.is_same(&small) && small.is_same(&bloated), "{}", case.name);
        assert_eq!(bloated.new_error(&small), None, "{}", case.name);
    }
}

#[test]
fn different_failures_are_not_the_same() {
    for one in CASES {
        for other in CASES.iter().filter(|other| other.name != one.name) {
            let [one, other] = [one, other].map(|case| Failure::all(&result(case.end, case.bloated)).swap_remove(0));
            assert!(!one.is_same(&other), "{one}\n{other}");
        }
    }
}

#[test]
fn overflows_of_different_recursions_are_not_the_same() {
    let overflow = |address: &str| {
        let stderr = format!(
            "### cycle encountered after 3 frames with period 2\n/l/a.so(+0x1)[0x7f]\n/l/a.so({address})[0x7f]\n### recursed\n/l/a.so(+0x9)[0x1]\nnote: rustc unexpectedly overflowed its stack! this is a bug\n"
        );
        Failure::all(&result(End::Signalled(11), &stderr)).swap_remove(0)
    };
    let (one, mut other) = (overflow("+0x2"), overflow("f+0x2"));
    assert_eq!(one.recursion.iter().collect::<Vec<_>>(), ["a.so(+0x1)", "a.so(+0x2)"]);
    assert!(one.is_same(&other), "they share a frame");
    other.recursion.remove("a.so(+0x1)");
    assert!(!one.is_same(&other));
    let none = Failure::all(&result(
        End::Signalled(6),
        "thread 'rustc' has overflowed its stack\nfatal runtime error: stack overflow, aborting\n",
    ));
    assert!(none[0].is_same(&none[0]) && !none[0].is_same(&one));
}

#[test]
fn a_crash_is_told_by_its_first_frame() {
    let words = "crash of the compiler by signal 11 (SIGSEGV) at libc.so.6(+0x85f16)";
    check(End::Signalled(11), include_str!("crash.small.stderr"), &[words]);
    check(End::Signalled(6), "", &["crash of the compiler by signal 6 (SIGABRT)"]);
}

#[test]
fn llvm_may_give_up() {
    let words = "LLVM error: _ code requested on a subtarget that doesn't support it!";
    check(ICE, include_str!("llvm-error.small.stderr"), &[words]);
    check(End::Signalled(6), "LLVM ERROR: out of memory\n", &["LLVM error: out of memory"]);
}

#[test]
fn errors_are_told_each_with_the_codes_of_all() {
    let words = ["cannot find value _ in this scope", "mismatched types"];
    let words = words.map(|message| format!("errors E0308, E0425: {message}"));
    check(End::Exited(1), include_str!("errors.small.stderr"), &[&words[0], &words[1], &words[1]]);
}

#[test]
fn the_first_of_several_delayed_bugs_comes_first() {
    let bug = |name: &str| {
        format!(
            r#"{{"message":"{name} happened","code":null,"level":"error: internal compiler error","children":[{{"message":"delayed at compiler/rustc_x/src/y.rs:1:2 - disabled backtrace","code":null,"level":"note"}}],"rendered":null}}"#
        ) + "\n"
    };
    let words = ["one", "two"]
        .map(|name| format!("internal compiler error, delayed at compiler/rustc_x/src/y.rs:1:2: {name} happened"));
    check(ICE, &(bug("one") + &bug("two")), &[&words[0], &words[1]]);
    let panic = "thread 'rustc' panicked at compiler/rustc_x/src/z.rs:3:4:\nit broke\n\nquery stack during panic:\n#0 [typeck] type-checking `f`\n";
    let words =
        [&"internal compiler error at compiler/rustc_x/src/z.rs:3:4: it broke (while typeck)".to_owned(), &words[0]];
    check(ICE, &(bug("one") + panic), &[words[0], words[1]]);
}

#[test]
fn a_delayed_bug_may_come_with_a_backtrace() {
    let bug = r#"{"message":"it broke","code":null,"level":"error: internal compiler error","children":[{"message":"delayed at compiler/rustc_x/src/y.rs:1:2\n   0: <rustc_errors::DiagCtxtInner>::emit_diagnostic\n   1: main\n","code":null,"level":"note"}]}"#;
    check(ICE, bug, &["internal compiler error, delayed at compiler/rustc_x/src/y.rs:1:2: it broke"]);
}

#[test]
fn the_first_of_several_panics_counts() {
    let panics = "thread 'opt cgu.0' (7) panicked at compiler/a.rs:1:1:\none\nthread 'rustc' panicked at compiler/b.rs:1:1:\ntwo\n";
    check(ICE, panics, &["internal compiler error at compiler/a.rs:1:1: one"]);
    check(End::Signalled(6), panics, &["internal compiler error at compiler/a.rs:1:1: one"]);
}

#[test]
fn old_compilers_print_the_message_in_the_first_line() {
    let panic = "thread 'rustc' panicked at 'index out of bounds: the len is 1 but the index is 2', compiler/rustc_x/src/y.rs:1:2\n";
    let words = "internal compiler error at compiler/rustc_x/src/y.rs:1:2: index out of bounds: the len is _ but the index is _";
    check(ICE, panic, &[words]);
}

#[test]
fn old_compilers_print_messages_of_several_lines_between_quotes() {
    let panic = "thread 'rustc' panicked at 'assertion failed: `(left == right)`\n  left: `a`,\n right: `it's', b`', compiler/rustc_x/src/y.rs:1:2\nnote: more\n";
    let words = "internal compiler error at compiler/rustc_x/src/y.rs:1:2: assertion failed: `(left == right)`";
    check(ICE, panic, &[words]);
    check(ICE, "thread 'rustc' panicked at 'it never ends\n", &[]);
}

#[test]
fn old_compilers_panic_because_of_delayed_bugs() {
    let bug = r#"{"message":"it broke","code":null,"level":"error: internal compiler error","children":[{"message":"delayed at compiler/rustc_x/src/y.rs:1:2","code":null,"level":"note"}],"rendered":null}"#;
    let panic = "thread 'rustc' panicked at 'no errors encountered even though `delay_span_bug` issued', compiler/rustc_errors/src/lib.rs:3:4\n";
    let words = "internal compiler error, delayed at compiler/rustc_x/src/y.rs:1:2: it broke";
    check(ICE, &format!("{bug}\n{panic}"), &[words]);
}

#[test]
fn a_message_may_have_several_lines() {
    let panic =
        "thread 'rustc' panicked at compiler/rustc_x/src/y.rs:1:2:\nbad thing Foo {\n    a: 1,\n} here\nnote: more\n";
    check(ICE, panic, &["internal compiler error at compiler/rustc_x/src/y.rs:1:2: bad thing _ here"]);
}

#[test]
fn what_is_no_failure_of_a_compiler_is_none() {
    let panic = CASES[3].bloated;
    check(End::Exited(0), panic, &[]);
    check(End::TimedOut, panic, &[]);
    check(End::Cancelled, panic, &[]);
    check(End::Exited(1), "", &[]);
    check(End::Exited(1), "error: linking with `cc` failed\n", &[]);
}

#[test]
fn the_panic_of_a_procedural_macro_is_an_error() {
    let panic = "thread 'rustc' (7) panicked at src/lib.rs:1:2:\nno such field\n";
    let error = r#"{"message":"proc-macro derive panicked","code":null,"level":"error","spans":[],"children":[]}"#;
    check(End::Exited(1), &format!("{panic}{error}\n"), &["error: proc-macro derive panicked"]);
    let help = r#""children":[{"message":"message: no such field `a`","code":null,"level":"help"}]"#;
    let error = error.replace("\"children\":[]", help);
    check(End::Exited(1), &format!("{panic}{error}\n"), &["error: proc-macro derive panicked: no such field _"]);
}

#[test]
fn an_error_that_is_made_a_crash_keeps_its_code() {
    let treated = |code: &str| {
        format!(
            r#"{{"message":"mismatched types","code":{{"code":"{code}"}},"level":"error: internal compiler error","children":[]}}"#
        ) + "\nthread 'rustc' (7) panicked at compiler/rustc_errors/src/lib.rs:1:2:\naborting due to `-Z treat-err-as-bug=1`\n"
    };
    let words = |code: &str| {
        format!("internal compiler error at compiler/rustc_errors/src/lib.rs:1:2: {code}: mismatched types")
    };
    for code in ["E0308", "E0277"] {
        check(ICE, &treated(code), &[&words(code)]);
    }
}

#[test]
fn the_query_is_one_of_the_query_stack() {
    let panic = "#0 [fake] first\nthread 'rustc' (7) panicked at compiler/rustc_x/src/y.rs:1:2:\nit broke\n#0 [fake] of it\n\nquery stack during panic:\n#0 [typeck] of `f`\nend of query stack\n";
    let words = "internal compiler error at compiler/rustc_x/src/y.rs:1:2: it broke _ of it (while typeck)";
    check(ICE, panic, &[words]);
}

#[test]
fn aborts_are_told_apart_by_why() {
    let abort = |line: u32| {
        format!("rustc: /llvm/lib/IR/Value.cpp:{line}: void llvm::f(): Assertion `a == b' failed.\nStack dump:\n")
    };
    let words = |line: u32| {
        format!("crash of the compiler by signal 6 (SIGABRT) at Value.cpp:{line}: Assertion `a == b' failed.")
    };
    for line in [5, 6] {
        check(End::Signalled(6), &abort(line), &[&words(line)]);
    }
}

#[test]
fn a_panic_of_a_program_that_a_compiler_interprets_is_no_crash() {
    check(ICE, "thread 'main' (1) panicked at a.rs:2:5:\nboom\nnote: run with `RUST_BACKTRACE=1`\n", &[]);
    let library =
        "thread '<unnamed>' panicked at /s/lib/rustlib/src/rust/library/core/src/slice/mod.rs:1:2:\nmid > len\n";
    check(ICE, library, &[]);
    let both = "thread 'main' (1) panicked at a.rs:2:5:\nboom\nnote: x\nthread 'rustc' panicked at compiler/a.rs:1:2:\nno value\n";
    check(ICE, both, &["internal compiler error at compiler/a.rs:1:2: no value"]);
    let own = "thread 'main' panicked at src/tools/miri/src/bin/miri.rs:1:2:\nno sysroot\n";
    check(ICE, own, &["internal compiler error at src/tools/miri/src/bin/miri.rs:1:2: no sysroot"]);
    let own = "thread 'rustc' panicked at /cargo/ena-0.14.3/src/unify/mod.rs:1:2:\nno value\n";
    check(ICE, own, &["internal compiler error at /cargo/ena-0.14.3/src/unify/mod.rs:1:2: no value"]);
}
