//! Errors that read as crashes, over several lines, from `compile_error!` and macros, and one crash.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

use std::ops::Add;

#[cfg(not(without_fakes))]
mod checks {
    macro_rules! unsupported {
        ($what:literal) => {
            compile_error!(concat!(
                "\nthread 'rustc' (4711) panicked at compiler/rustc_middle/src/mir/statement.rs:894:17:\n",
                $what,
                "\n\nquery stack during panic:\n#0 [layout_of] computing layout of `u8`\nend of query stack\n"
            ));
        };
    }

    unsupported!("assertion `left == right` failed");

    compile_error!("internal compiler error: compiler/rustc_parse/src/parser/mod.rs:1:2: no such token");

    #[cfg(target_pointer_width = "64")]
    compile_error!("thread 'rustc' has overflowed its stack\nfatal runtime error: stack overflow");

    compile_error!("aborting due to 2 previous errors");
}

#[cfg(not(without_panic))]
pub mod prices {
    use super::Add;

    pub struct Price {
        pub cents: u32,
    }

    pub fn rounded<T>(price: &Price) -> u32
    where
        u8: Add<*const T>,
    {
        let _rest = 5 + 0 as _;
        price.cents / 10 * 10
    }
}
