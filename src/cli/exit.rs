//! Exit codes. `docs/reference.md` lists them.

/// The exit code of the process, with its meaning in the words of `docs/reference.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// reduced; with `--budget`, as far as the time went
    Done = 0,
    /// the file does not show the failure, so there is nothing to reduce
    NotFailing = 1,
    /// the command line is wrong, or its check accepts an empty file
    Usage = 2,
    /// the file, or its result, shows the failure only sometimes
    Flaky = 3,
    /// the input cannot be used: missing, empty, a directory without `--test` or a command, not text, not Rust, too large, or
    /// only a part of its program; or there is no run to resume
    Input = 4,
    /// the check cannot be run: no rustc, a script without its run bit, a missing command
    Check = 5,
    /// the result cannot be written, or another run is writing it
    Output = 6,
    /// no version of the file passes, so there is nothing to isolate or to repair
    NothingPasses = 7,
    /// the time of `--budget` was over before there was a result
    OutOfTime = 8,
    /// `mcve verify`: the file fails, and something else does not hold
    NotVerified = 9,
    /// interrupted; the best so far was kept
    Interrupted = 130,
}

impl Exit {
    /// The number.
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
