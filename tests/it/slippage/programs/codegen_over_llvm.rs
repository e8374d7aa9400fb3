//! Code generation panics before LLVM would give up, and behind both a trait object cannot be made.
//@ edition: 2021
//@ compile-flags: --crate-type=lib --emit=obj -Copt-level=0 -Ccodegen-units=1
//@ rustc-env: RUSTC_BOOTSTRAP=1
#![feature(repr_simd, link_llvm_intrinsics, abi_unadjusted)]

#[cfg(not(without_select))]
pub mod random {
    extern "unadjusted" {
        #[link_name = "llvm.x86.sse42.crc32.32.16"]
        fn mix(sum: u32, more: u16) -> u32;
    }

    pub fn next(seed: u32) -> u32 {
        unsafe { mix(seed, 40503) }
    }
}

#[cfg(not(without_layout))]
pub mod lanes {
    pub const LANES: usize = 16;

    #[repr(simd)]
    pub struct Row([u8; LANES]);

    pub struct Image {
        pub rows: Vec<Row>,
        pub width: usize,
    }

    pub fn first(row: Row) -> usize {
        let kept = row;
        drop(kept);
        LANES
    }
}
