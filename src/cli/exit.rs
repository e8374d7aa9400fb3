//! Exit codes. `docs/reference.md` lists them.

/// Makes the codes: of each its name, its number and its meaning.
macro_rules! exits {
    ($($name:ident = $code:literal, $meaning:literal;)*) => {
        /// The exit code of the process.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Exit {
            $(#[doc = $meaning] $name = $code,)*
        }

        impl Exit {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its meaning, in the words of `docs/reference.md`.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning,)*
                }
            }
        }
    };
}

exits! {
    Done = 0, "reduced; with `--budget`, as far as the time went";
    NotFailing = 1, "the file does not show the failure, so there is nothing to reduce";
    Usage = 2, "the command line is wrong, or its check accepts an empty file";
    Flaky = 3, "the file, or its result, shows the failure only sometimes";
    Input = 4, "the input cannot be used: missing, empty, a directory without `--test` or a command, not text, not Rust, too large, or only a part of its program; or there is no run to resume";
    Check = 5, "the check cannot be run: no rustc, a script without its run bit, a missing command";
    Output = 6, "the result cannot be written, or another run is writing it";
    NothingPasses = 7, "no version of the file passes, so there is nothing to isolate or to repair";
    OutOfTime = 8, "the time of `--budget` was over before there was a result";
    Interrupted = 130, "interrupted; the best so far was kept";
}

impl Exit {
    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// An error that ends the process: what to say, and how to exit.
#[derive(Debug)]
pub struct Failed {
    /// The code.
    pub exit: Exit,
    /// The error.
    pub error: anyhow::Error,
}

impl Failed {
    /// Ends with `exit` and says why.
    pub fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        Self { exit, error: error.into() }
    }
}

/// An error in the words of `anyhow!`, behind the code that it ends the process with.
macro_rules! failed {
    ($exit:ident, $($words:tt)*) => {
        $crate::cli::exit::Failed::new($crate::cli::exit::Exit::$exit, anyhow::anyhow!($($words)*))
    };
}
pub(super) use failed;

/// A result whose error ends the process.
pub(super) trait OrExit<T> {
    /// What it holds, or else the end with `exit`.
    fn or_exit(self, exit: Exit) -> Result<T, Failed>;
}

impl<T, E: Into<anyhow::Error>> OrExit<T> for Result<T, E> {
    fn or_exit(self, exit: Exit) -> Result<T, Failed> {
        self.map_err(|error| Failed::new(exit, error))
    }
}
