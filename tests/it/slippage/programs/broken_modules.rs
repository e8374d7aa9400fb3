//! LLVM's verifier says the same last words of two broken modules; what is broken stands before them.
//@ edition: 2021
//@ compile-flags: -g -Copt-level=0 -Ccodegen-units=1 -Zverify-llvm-ir --emit=obj
//@ rustc-env: RUSTC_BOOTSTRAP=1
#![feature(linkage)]

#[cfg(not(without_linkage))]
mod counters {
    #[linkage = "common"]
    #[no_mangle]
    pub static SENT: u8 = 1;

    pub fn sent() -> u8 {
        SENT
    }
}

#[cfg(not(without_range))]
mod marks {
    pub struct Marks {
        pub count: usize,
    }

    pub fn all() -> Marks {
        let marks = [(); 1 << 63];
        Marks { count: marks.len() }
    }
}

fn main() {
    #[cfg(not(without_range))]
    println!("{}", marks::all().count);
    #[cfg(not(without_linkage))]
    println!("{}", counters::sent());
}
