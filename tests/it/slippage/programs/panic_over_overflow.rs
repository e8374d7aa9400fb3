//! A panic in borrow checking, and a lint that would overflow the stack behind it.
//@ edition: 2021
//@ compile-flags: --crate-type=lib
//@ rustc-env: RUST_MIN_STACK=2000000

use std::marker::PhantomData;
use std::ops::Add;

#[cfg(not(without_overflow))]
pub mod tree {
    use super::PhantomData;

    #[repr(C)]
    pub struct Node<T> {
        pub child: *const Node<Node<T>>,
        pub marker: PhantomData<T>,
    }

    extern "C" {
        fn visit(root: *const Node<u8>) -> i32;
    }

    pub fn count(root: &Node<u8>) -> i32 {
        unsafe { visit(root) }
    }
}

#[cfg(not(without_panic))]
pub mod sums {
    use super::Add;

    pub struct Sum {
        pub value: u64,
    }

    impl Sum {
        pub fn of<T>(&self) -> u64
        where
            u64: Add<*const T>,
        {
            let _more = 1 + 2 as _;
            self.value
        }
    }
}
