//! Exit codes. `docs/reference.md` lists them.

/// The exit code of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Reduced; with `--budget`, as far as it went.
    Done = 0,
    /// The file does not show the failure, so there is nothing to reduce.
    NotFailing = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The file shows the failure only sometimes.
    Flaky = 3,
    /// The input cannot be used: missing, empty, a directory without `--test` or a command, not text, too large; or there is no run to resume.
    Input = 4,
    /// The check cannot be run: no rustc, a script without its run bit.
    Check = 5,
    /// The result cannot be written, or another run is writing it.
    Output = 6,
    /// No version of the file passes, so there is no difference to find.
    NothingPasses = 7,
    /// The time of `--budget` was over before there was a result.
    OutOfTime = 8,
    /// Interrupted; the best so far was kept.
    Interrupted = 130,
}

impl Exit {
    /// All of them, in order.
    pub const ALL: [Self; 10] = [
        Self::Done,
        Self::NotFailing,
        Self::Usage,
        Self::Flaky,
        Self::Input,
        Self::Check,
        Self::Output,
        Self::NothingPasses,
        Self::OutOfTime,
        Self::Interrupted,
    ];

    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Its meaning, in the words of `docs/reference.md`.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Done => "reduced; with `--budget`, as far as the time went",
            Self::NotFailing => "the file does not show the failure, so there is nothing to reduce",
            Self::Usage => "the command line is wrong, or its check accepts an empty file",
            Self::Flaky => "the file, or its result, shows the failure only sometimes",
            Self::Input => {
                "the input cannot be used: missing, empty, a directory without `--test` or a command, not text, not Rust, too large, or only a part of its program; or there is no run to resume"
            }
            Self::Check => "the check cannot be run: no rustc, a script without its run bit, a missing command",
            Self::Output => "the result cannot be written, or another run is writing it",
            Self::NothingPasses => "no version of the file passes, so there is nothing to isolate or to repair",
            Self::OutOfTime => "the time of `--budget` was over before there was a result",
            Self::Interrupted => "interrupted; the best so far was kept",
        }
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
