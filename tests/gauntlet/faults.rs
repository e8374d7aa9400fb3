//! What is done to a run.

use mcve_dd::random::Random;
use rustix::process::Signal;

use super::processes::Role;

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// mcve is killed.
    KillsMcve,
    /// mcve is asked to end.
    Interrupts,
    /// mcve is asked to end, twice at once.
    InterruptsTwice,
    /// The process that starts others is killed.
    KillsKeeper,
    /// A process that watches a check is killed.
    KillsWarden,
    /// A rustc is killed, or the fork server.
    KillsRustc,
    /// A script, or what it calls.
    KillsScript,
    /// mcve and all that it started are killed.
    KillsAll,
    /// All that mcve started stops for a while.
    HangsChecks,
    /// Others take all processors.
    Busy,
    /// Nobody reads what mcve says.
    BreaksPipes,
    /// The time of day jumps.
    ClockJumps,
    /// The disk on which checks are is full.
    FillsTemporary,
    /// The disk on which the result is, is full.
    FillsOutput,
}

impl Fault {
    pub(crate) const ALL: [Self; 14] = [
        Self::KillsMcve,
        Self::Interrupts,
        Self::InterruptsTwice,
        Self::KillsKeeper,
        Self::KillsWarden,
        Self::KillsRustc,
        Self::KillsScript,
        Self::KillsAll,
        Self::HangsChecks,
        Self::Busy,
        Self::BreaksPipes,
        Self::ClockJumps,
        Self::FillsTemporary,
        Self::FillsOutput,
    ];

    pub(crate) fn any(random: &mut Random) -> Self {
        Self::ALL[random.index(Self::ALL.len())]
    }

    /// In the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::KillsMcve => "`kill -9` of mcve",
            Self::Interrupts => "Ctrl-C or SIGTERM",
            Self::InterruptsTwice => "two of these at once",
            Self::KillsKeeper => "`kill -9` of the keeper",
            Self::KillsWarden => "`kill -9` of a warden",
            Self::KillsRustc => "`kill -9` of a rustc or a fork server",
            Self::KillsScript => "`kill -9` of a script or what it calls",
            Self::KillsAll => "`kill -9` of all at once",
            Self::HangsChecks => "all checks stop for a while",
            Self::Busy => "a busy machine",
            Self::BreaksPipes => "nobody reads what is said",
            Self::ClockJumps => "the time of day jumps",
            Self::FillsTemporary => "the disk of the checks is full",
            Self::FillsOutput => "the disk of the result is full",
        }
    }

    /// The processes that are killed, if these are some.
    pub(crate) fn victim(self) -> Option<Role> {
        match self {
            Self::KillsKeeper => Some(Role::Keeper),
            Self::KillsWarden => Some(Role::Warden),
            Self::KillsRustc => Some(Role::Rustc),
            Self::KillsScript => Some(Role::Script),
            _ => None,
        }
    }

    /// Whether a check cannot tell it from a failure that is not there: a compiler that cannot write has another one, and a script
    /// does not see that somebody else ended a program that it called.
    pub(crate) fn misleads(self, script: bool) -> bool {
        let kills = matches!(self, Self::KillsRustc | Self::KillsScript);
        self == Self::FillsTemporary || script && kills
    }

    /// The signal by which mcve is asked to end.
    pub(crate) fn signal(random: &mut Random) -> Signal {
        if random.index(2) == 0 { Signal::INT } else { Signal::TERM }
    }
}
