//! The validator of MIR finds two faults, at one place of the compiler and with two messages.
//@ edition: 2021
//@ compile-flags: --crate-type=lib -Zvalidate-mir
//@ rustc-env: RUSTC_BOOTSTRAP=1
#![feature(type_alias_impl_trait)]

#[cfg(not(without_coercion))]
pub mod routes {
    pub type State = impl Sized;

    pub trait Route<'a>: Handle<'a, 'a, State> {}

    pub trait Handle<'a, 'b, S> {
        fn handle(&self, path: &'a str) -> usize {
            path.len()
        }
    }

    #[define_opaque(State)]
    pub fn dispatch<'a>(route: &dyn Route<'a>, _: State) -> usize {
        let _handle = route as &dyn Handle<'_, '_, ()>;
        1
    }
}

#[cfg(not(without_subtyping))]
pub mod tables {
    pub struct Table {
        pub rows: [(); {
            type Count = impl Sized;
            #[define_opaque(Count)]
            fn count() -> Count {
                1i32
            }
            let _all: Count = 0u32;
            1
        }],
    }

    impl Table {
        pub fn is_empty(&self) -> bool {
            self.rows.len() == 0
        }
    }
}
