//! The forms of issues: those of the trackers of rust-lang, that of a library, and a question.

use clap::ValueEnum;
use mcve_reduce::failure::tool::Tool;
use mcve_reduce::oracle::Properties;

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A crash of rustc, or of another tool of its repository.
    Crash,
    /// What an earlier version of rustc compiles.
    Regression,
    /// An error or a warning of rustc that is wrong or confusing.
    Diagnostic,
    /// A wrong warning or suggestion of clippy.
    Clippy,
    /// rustfmt crashes, or its result is wrong.
    Rustfmt,
    /// Wrong documentation.
    Rustdoc,
    /// A wrong answer of Miri.
    Miri,
    /// A failing test or program, for the issue of a library.
    Library,
    /// A question, for a forum.
    Question,
}

/// A part of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What only a person knows.
    Write(&'static str),
    Code,
    Command,
    Versions,
    Output,
    Backtrace,
    Change,
    Channels,
    Origin,
    Facts,
    Labels,
}

/// A heading, which may be empty, and the parts under it.
pub(super) type Section = (&'static str, &'static [Part]);

/// What no tool can know.
const EXPECTED: Part = Part::Write("what you expected to happen");

const CRASH: &[Section] = &[
    ("Code", &[Part::Code, Part::Command]),
    ("Meta", &[Part::Versions, Part::Channels, Part::Origin]),
    ("Error output", &[Part::Output, Part::Backtrace]),
    ("Notes", &[Part::Facts, Part::Change, Part::Labels]),
];

const REGRESSION: &[Section] = &[
    ("Code", &[Part::Code, Part::Command, EXPECTED]),
    ("Version it worked on", &[Part::Channels, Part::Origin]),
    ("Version with regression", &[Part::Versions]),
    ("Error output", &[Part::Output, Part::Backtrace]),
    ("Notes", &[Part::Facts, Part::Change, Part::Labels]),
];

const DIAGNOSTIC: &[Section] = &[
    ("Code", &[Part::Code, Part::Command]),
    ("Current output", &[Part::Output]),
    ("Desired output", &[Part::Write("what the compiler should say")]),
    ("Rationale and extra context", &[Part::Write("why, if that is not plain")]),
    ("Other cases", &[Part::Change]),
    ("Rust Version", &[Part::Versions, Part::Channels]),
    ("Anything else?", &[Part::Facts, Part::Labels]),
];

const TOOL: &[Section] = &[
    ("Summary", &[Part::Write("what is wrong with the output")]),
    ("Reproducer", &[Part::Code, Part::Command]),
    ("Output", &[Part::Output, Part::Backtrace]),
    ("Expected", &[EXPECTED, Part::Change]),
    ("Version", &[Part::Versions, Part::Channels]),
    ("Notes", &[Part::Facts, Part::Labels]),
];

const LIBRARY: &[Section] = &[
    ("Reproducer", &[Part::Code, Part::Command]),
    ("What happens", &[Part::Output, Part::Backtrace]),
    ("What should happen", &[EXPECTED, Part::Change]),
    ("Version", &[Part::Versions]),
    ("Notes", &[Part::Facts]),
];

const QUESTION: &[Section] = &[(
    "",
    &[
        Part::Write("what you want to do, and what you tried"),
        Part::Code,
        Part::Command,
        Part::Output,
        Part::Change,
        Part::Versions,
        Part::Channels,
    ],
)];

impl Form {
    /// The usual form of a failure of this tool, or of rustc.
    ///
    /// `is_regression`: an older compiler does not show it.
    /// `is_suggestion`: a suggestion of the compiler is wrong.
    pub(crate) fn of(tool: Option<Tool>, failure: Properties, is_regression: bool, is_suggestion: bool) -> Self {
        match tool {
            _ if failure.is_crash => Self::Crash,
            Some(Tool::Clippy) => Self::Clippy,
            Some(Tool::Rustfmt) => Self::Rustfmt,
            Some(Tool::Rustdoc) => Self::Rustdoc,
            Some(Tool::Miri) => Self::Miri,
            _ if is_regression => Self::Regression,
            _ if is_suggestion => Self::Diagnostic,
            _ if failure.is_of_run => Self::Library,
            _ => Self::Question,
        }
    }

    pub(super) fn sections(self) -> &'static [Section] {
        match self {
            Self::Crash => CRASH,
            Self::Regression => REGRESSION,
            Self::Diagnostic => DIAGNOSTIC,
            Self::Clippy | Self::Rustfmt | Self::Rustdoc | Self::Miri => TOOL,
            Self::Library => LIBRARY,
            Self::Question => QUESTION,
        }
    }
}
