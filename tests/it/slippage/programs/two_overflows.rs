//! Two stack overflows: in the parser, of a type that a macro grows, and in a lint, of a type that grows by itself.
//@ edition: 2021
//@ compile-flags: --crate-type=lib
//@ rustc-env: RUST_MIN_STACK=2000000

#[cfg(not(without_lint))]
pub mod lists {
    #[repr(C)]
    pub struct List<T> {
        pub rest: *const List<(T, List<T>)>,
        pub first: *const T,
    }

    extern "C" {
        fn free(list: *const List<u8>);
    }

    pub fn clear(list: &List<u8>) {
        unsafe { free(list) }
    }
}

#[cfg(not(without_parser))]
pub mod views {
    macro_rules! layers {
        (&& $($rest:tt)*) => { layers!($($rest)* $($rest)*) };
        ($($rest:tt)*) => { $($rest)* };
    }

    pub struct View {
        pub depth: usize,
    }

    pub type Deep = layers!(&& && && && && && && && && && & &);
}
