//! Bounds whose messages read as a crash of the same place and query, and two crashes of type checking.
//@ edition: 2021
//@ compile-flags: --crate-type=lib
//@ rustc-env: RUSTC_BOOTSTRAP=1
#![feature(non_lifetime_binders)]

#[cfg(not(without_fakes))]
pub mod keys {
    #[diagnostic::on_unimplemented(
        message = "internal compiler error: compiler/rustc_middle/src/ty/fold.rs:237:33: unexpected bound ty in binder: 0",
        label = "\nthread 'rustc' (7) panicked at compiler/rustc_middle/src/ty/fold.rs:237:33:\nBox<dyn Any>",
        note = "\nquery stack during panic:\n#0 [typeck] type-checking `find`\nend of query stack",
        note = "delayed at compiler/rustc_middle/src/ty/fold.rs:237:33 - disabled backtrace"
    )]
    pub trait Key {}

    pub fn find<K: Key>(_key: K) -> usize {
        0
    }

    pub fn first() -> usize {
        find("first") + find(1)
    }
}

#[cfg(not(without_binder))]
pub mod pipes {
    pub fn through(step: impl for<T> Fn(T) -> T) -> u8 {
        let _step = step;
        7
    }

    pub fn same() -> u8 {
        through(|item| item)
    }
}

#[cfg(not(without_polarity))]
pub mod rooms {
    pub fn open(doors: u32) -> u32 {
        let _room: Box<dyn !Send>;
        doors + 1
    }
}
