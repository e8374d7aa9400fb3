//! Two crashes under one query: an import that is resolved in two ways, and a span in the middle of a character.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

#[cfg(not(without_import))]
pub mod board {
    use std::*;

    #[derive()]
    pub struct fmt;

    pub mod squares {
        use super::*;
        use fmt;

        pub const FILES: u32 = 8;
    }

    pub fn squares() -> u32 {
        squares::FILES * squares::FILES
    }
}

#[cfg(not(without_format))]
pub mod report {
    pub struct Report {
        pub title: String,
    }

    impl Report {
        pub fn print(&self) {
            let size = self.title.len();
            print!(concat!("𝕊ize {0:?#}"), size);
            println!("{}", self.title);
        }
    }
}
