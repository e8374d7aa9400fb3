//! Constants that panic with the words of a crash, and one that crashes the evaluator.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

#[cfg(not(without_fakes))]
pub mod limits {
    pub const fn check(size: usize) -> usize {
        if size > 16 {
            panic!(
                "thread 'rustc' (99) panicked at compiler/rustc_const_eval/src/interpret/eval_context.rs:620:33:\nBox<dyn Any>\nquery stack during panic:\n#0 [typeck] type-checking `check`\nend of query stack"
            );
        }
        size
    }

    pub const SIZE: usize = check(17);

    const _: () = assert!(
        std::mem::size_of::<usize>() == 3,
        "error: internal compiler error: compiler/rustc_middle/src/ty/layout.rs:5:6: no layout\n\nLLVM ERROR: Broken module found"
    );
}

#[cfg(not(without_cycle))]
pub mod boards {
    pub const fn is_light(square: u32) -> bool {
        LIGHT >> square & 1 == 1
    }

    pub static CORNERS: &u64 = &!EDGE;

    pub static EDGE: u64 = EDGE | 255;

    pub const LIGHT: u64 = 0x55aa;
}
