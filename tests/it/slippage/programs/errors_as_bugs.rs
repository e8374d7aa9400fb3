//! The first error is made a crash: two errors with the same message, at the same place, under the same query, told apart by
//! their codes, and one of them with the note of a delayed bug.
//@ edition: 2021
//@ compile-flags: --crate-type=lib -Ztreat-err-as-bug=1
//@ rustc-env: RUSTC_BOOTSTRAP=1

#[cfg(not(without_types))]
pub mod names {
    pub fn length(name: &str) -> u8 {
        let size: u8 = name;
        size + 1
    }
}

#[cfg(not(without_bounds))]
pub mod keys {
    #[diagnostic::on_unimplemented(
        message = "mismatched types",
        note = "delayed at compiler/rustc_hir_typeck/src/fake.rs:1:2 - disabled backtrace"
    )]
    pub trait Key {
        fn rank(&self) -> u32 {
            0
        }
    }

    pub fn rank<K: Key>(key: K) -> u32 {
        key.rank()
    }

    pub fn top() -> u32 {
        rank(41) + 1
    }
}
