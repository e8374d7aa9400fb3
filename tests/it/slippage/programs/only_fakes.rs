//! No crash at all: everything that reads as one is said by the program.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

pub mod settings {
    pub struct Settings {
        pub depth: usize,
    }

    impl Settings {
        pub fn deeper(&self) -> usize {
            self.depth + 1
        }
    }
}

macro_rules! crash {
    ($place:literal) => {
        compile_error!(concat!("thread 'rustc' panicked at ", $place, ":\ncalled `Option::unwrap()` on a `None` value"));
    };
}

#[cfg(not(without_panic))]
crash!("compiler/rustc_middle/src/mir/statement.rs:894:17");

#[cfg(not(without_count))]
compile_error!("aborting due to 2 previous errors");

#[cfg(not(without_constant))]
const _: () = panic!("internal compiler error: unexpected\nnote: delayed at compiler/rustc_middle/src/ty/util.rs:433:22 - disabled backtrace");
