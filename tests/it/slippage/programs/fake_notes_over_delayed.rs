//! Warnings that quote crashes, in the notes of deprecations and lints, and two delayed bugs.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

#[cfg(not(without_fakes))]
pub mod old {
    #[deprecated(
        note = "\nerror: internal compiler error: multiple drop impls found\nnote: delayed at compiler/rustc_middle/src/ty/fake.rs:1:2 - disabled backtrace\n"
    )]
    pub fn first() -> u32 {
        1
    }

    #[must_use = "\nthread 'rustc' (1) panicked at compiler/rustc_lint/src/fake.rs:3:4:\nindex out of bounds: the len is 1 but the index is 2\nquery stack during panic:\n#0 [lint_mod] linting\n"]
    pub fn second() -> u32 {
        2
    }

    pub fn both() {
        first();
        second();
        let unused = "rustc-LLVM ERROR: out of memory\nthread 'rustc' has overflowed its stack";
    }
}

#[cfg(not(without_calls))]
pub mod calls {
    pub trait Call {
        fn call(&self) -> u8 {
            <[_]>::call(&[std::mem::forget]);
            1
        }
    }

    impl<T> Call for T {}

    impl<F: Fn(&str)> Call for [F] {}
}

#[cfg(not(without_drops))]
pub mod locks {
    pub struct Lock<'a>(&'a [u8])
    where
        Self: Copy + Drop;

    impl Drop for Lock<'_>
    where
        Self: Copy + Drop,
    {
        fn drop(&mut self) {}
    }

    impl Drop for Lock<'_>
    where
        Self: Copy + Drop,
    {
        fn drop(&mut self) {}
    }
}
