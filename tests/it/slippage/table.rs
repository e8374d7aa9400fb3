//! The programs, and what each holds.

use super::{Crash, Program, check};

const PARSE: Crash =
    Crash("compiler/rustc_parse/src/parser/attr_wrapper.rs:353:13", "Should not have unglued last token with cfg attr");
const POLARITY: Crash =
    Crash("compiler/rustc_hir_analysis/src/hir_ty_lowering/dyn_trait.rs:426:17", "assertion `left == right` failed");
const BINDER: Crash = Crash("compiler/rustc_middle/src/ty/fold.rs:237:33", "unexpected bound ty in binder: 0");
const OPERATOR: Crash = Crash("compiler/rustc_middle/src/mir/statement.rs:894:17", "assertion `left == right` failed");
const COMPARED: Crash = Crash("compiler/rustc_middle/src/mir/statement.rs:899:17", "assertion `left == right` failed");
const DROPS: Crash = Crash("compiler/rustc_middle/src/ty/util.rs:433:22", "multiple drop impls found");
const TYPE_OP: Crash = Crash(
    "compiler/rustc_trait_selection/src/traits/query/type_op/custom.rs:95:25",
    "error performing operation: fully_perform",
);
const BROKEN_MIR: Crash = Crash("compiler/rustc_borrowck/src/type_check/mod.rs:634:21", "bad assignment (");
const VTABLE: Crash = Crash("compiler/rustc_middle/src/ty/instance.rs:570:21", "failed to resolve instance for");
const OVERFLOW: Crash = Crash("", "rustc unexpectedly overflowed its stack");
const CYCLE: Crash =
    Crash("compiler/rustc_const_eval/src/interpret/eval_context.rs:620:33", "interpret const eval failure of");
const UNWRAP: &str = "called `Option::unwrap()` on a `None` value";
const VALIDATE: &str = "compiler/rustc_mir_transform/src/validate.rs:81:25";
const TREATED: &str = "compiler/rustc_errors/src/lib.rs:1531:17";

const NONE: Program = Program { file: "", first: None, others: &[], fakes: None };

#[test]
fn a_crash_of_parsing_stays_before_later_phases() {
    check(&Program {
        file: "parse_before_borrowck.rs",
        first: Some(PARSE),
        others: &[(&["without_parse"], POLARITY), (&["without_parse", "without_typeck"], OPERATOR)],
        ..NONE
    });
}

#[test]
fn a_crash_of_type_checking_stays_before_code_generation() {
    check(&Program {
        file: "typeck_before_vtable.rs",
        first: Some(BINDER),
        others: &[(&["without_typeck"], VTABLE)],
        ..NONE
    });
}

#[test]
fn the_first_of_two_delayed_bugs_stays() {
    check(&Program { file: "two_delayed.rs", first: Some(DROPS), others: &[(&["without_drops"], TYPE_OP)], ..NONE });
}

#[test]
fn a_panic_stays_before_a_delayed_bug() {
    check(&Program {
        file: "panic_over_delayed.rs",
        first: Some(OPERATOR),
        others: &[(&["without_panic"], DROPS)],
        ..NONE
    });
}

#[test]
fn a_delayed_bug_does_not_become_a_panic() {
    check(&Program {
        file: "delayed_near_panic.rs",
        first: Some(BROKEN_MIR),
        others: &[(&["only_panic"], OPERATOR)],
        ..NONE
    });
}

#[test]
fn a_panic_stays_before_a_stack_overflow() {
    check(&Program {
        file: "panic_over_overflow.rs",
        first: Some(OPERATOR),
        others: &[(&["without_panic"], OVERFLOW)],
        ..NONE
    });
}

#[test]
fn one_of_two_stack_overflows_stays() {
    check(&Program {
        file: "two_overflows.rs",
        first: Some(OVERFLOW),
        others: &[(&["without_parser"], OVERFLOW)],
        ..NONE
    });
}

#[test]
fn one_place_with_two_messages() {
    check(&Program {
        file: "one_place_two_messages.rs",
        first: Some(Crash(VALIDATE, "Failed subtyping")),
        others: &[(&["without_subtyping"], Crash(VALIDATE, "Unsize coercion"))],
        ..NONE
    });
}

#[test]
fn one_message_at_two_lines() {
    check(&Program {
        file: "one_message_two_lines.rs",
        first: Some(COMPARED),
        others: &[(&["without_first"], OPERATOR)],
        ..NONE
    });
}

#[test]
fn one_message_at_two_places() {
    check(&Program {
        file: "unwrap_at_two_places.rs",
        first: Some(Crash("compiler/rustc_mir_build/src/builder/matches/mod.rs:2180:44", UNWRAP)),
        others: &[(
            &["without_patterns"],
            Crash("compiler/rustc_borrowck/src/diagnostics/region_errors.rs:785:70", UNWRAP),
        )],
        ..NONE
    });
}

#[test]
fn one_of_two_broken_modules_stays() {
    check(&Program {
        file: "broken_modules.rs",
        first: Some(Crash("", "invalid subrange count")),
        others: &[(&["without_range"], Crash("", "'common' global must have a zero initializer!"))],
        ..NONE
    });
}

#[test]
fn one_of_two_intrinsics_of_llvm_stays() {
    check(&Program {
        file: "cannot_select.rs",
        first: Some(Crash("", "Cannot select: intrinsic %llvm.x86.sse42.crc32.32.8")),
        others: &[(&["without_checksum"], Crash("", "Cannot select: intrinsic %llvm.x86.rdpid"))],
        ..NONE
    });
}

#[test]
fn a_panic_of_code_generation_stays_before_llvm() {
    check(&Program {
        file: "codegen_over_llvm.rs",
        first: Some(Crash("compiler/rustc_codegen_llvm/src/context.rs:1167:21", "failed: Layout(")),
        others: &[(&["without_layout"], Crash("", "Cannot select: intrinsic %llvm.x86.sse42.crc32.32.16"))],
        ..NONE
    });
}

#[test]
fn one_of_two_crashes_under_one_query_stays() {
    check(&Program {
        file: "format_before_import.rs",
        first: Some(Crash("compiler/rustc_span/src/lib.rs:2427:17", "assertion failed: bpos.to_u32() >= ")),
        others: &[(
            &["without_format"],
            Crash("compiler/rustc_resolve/src/imports.rs:1236:33", "inconsistent resolution for an import"),
        )],
        ..NONE
    });
}

#[test]
fn errors_that_read_as_crashes() {
    check(&Program {
        file: "fake_errors_over_panic.rs",
        first: Some(OPERATOR),
        fakes: Some((
            &["without_panic"],
            &[
                "thread 'rustc' (4711) panicked at compiler/rustc_middle/src/mir/statement.rs:894:17:",
                "internal compiler error: compiler/rustc_parse",
                "has overflowed its stack",
                "#0 [layout_of]",
            ],
        )),
        ..NONE
    });
}

#[test]
fn constants_that_panic_in_the_words_of_a_crash() {
    check(&Program {
        file: "fake_panics_in_constants.rs",
        first: Some(CYCLE),
        fakes: Some((
            &["without_cycle"],
            &[
                "panicked at compiler/rustc_const_eval/src/interpret/eval_context.rs:620:33:",
                "LLVM ERROR: Broken module found",
            ],
        )),
        ..NONE
    });
}

#[test]
fn warnings_that_quote_crashes() {
    check(&Program {
        file: "fake_notes_over_delayed.rs",
        first: Some(DROPS),
        others: &[(&["without_drops"], TYPE_OP)],
        fakes: Some((
            &["without_calls", "without_drops"],
            &[
                "delayed at compiler/rustc_middle/src/ty/fake.rs:1:2",
                "thread 'rustc' (1) panicked at",
                "rustc-LLVM ERROR: out of memory",
            ],
        )),
    });
}

#[test]
fn bounds_that_read_as_the_crash_itself() {
    check(&Program {
        file: "fake_bounds_over_typeck.rs",
        first: Some(BINDER),
        others: &[(&["without_binder"], POLARITY)],
        fakes: Some((
            &["without_binder", "without_polarity"],
            &[
                "\nthread 'rustc' (7) panicked at compiler/rustc_middle/src/ty/fold.rs:237:33:\n",
                "#0 [typeck] type-checking `find`",
            ],
        )),
    });
}

#[test]
fn one_of_two_errors_that_are_made_crashes_stays() {
    check(&Program {
        file: "errors_as_bugs.rs",
        first: Some(Crash(TREATED, "[E0308]: mismatched types")),
        others: &[(&["without_types"], Crash(TREATED, "[E0277]: mismatched types"))],
        ..NONE
    });
}

#[test]
fn fakes_alone_are_errors() {
    check(&Program {
        file: "only_fakes.rs",
        fakes: Some((
            &["without_constant"],
            &["thread 'rustc' panicked at compiler/rustc_middle", "error: aborting due to 2 previous errors\n  -->"],
        )),
        ..NONE
    });
}
