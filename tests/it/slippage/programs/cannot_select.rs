//! LLVM cannot select an instruction for two of its own intrinsics: only their names tell the two apart.
//@ edition: 2021
//@ compile-flags: --crate-type=lib --emit=obj -Ccodegen-units=1
//@ rustc-env: RUSTC_BOOTSTRAP=1
#![feature(link_llvm_intrinsics, abi_unadjusted)]

#[cfg(not(without_checksum))]
pub mod checksum {
    extern "unadjusted" {
        #[link_name = "llvm.x86.sse42.crc32.32.8"]
        fn crc32(sum: u32, byte: u8) -> u32;
    }

    pub fn sum(bytes: &[u8]) -> u32 {
        let mut sum = 0;
        for &byte in bytes {
            sum = unsafe { crc32(sum, byte) };
        }
        !sum
    }
}

#[cfg(not(without_processor))]
pub mod processor {
    extern "unadjusted" {
        #[link_name = "llvm.x86.rdpid"]
        fn rdpid() -> u32;
    }

    pub fn is_first() -> bool {
        let id = unsafe { rdpid() };
        id & 0xff == 0
    }
}
