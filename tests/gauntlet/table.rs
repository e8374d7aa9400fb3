//! What came of it.

use std::collections::BTreeMap;
use std::fmt;

use super::faults::Fault;

/// What came of the rounds in which there was a fault of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    faults: u64,
    wrong: u64,
    lost: u64,
    left: u64,
}

/// What a round shows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// The result is not that of a run that nobody disturbs, or does not show the failure.
    pub(crate) is_wrong: bool,
    /// There is no result, or what was there is gone.
    pub(crate) is_lost: bool,
    /// A process or a file is left.
    pub(crate) is_left: bool,
}

/// Faults by kind, and what came of them.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: BTreeMap<Fault, Row>,
    rounds: u64,
    wrong_rounds: u64,
}

impl Table {
    /// Adds a round with these faults.
    pub(crate) fn add(&mut self, faults: &[Fault], found: Found) {
        self.rounds += 1;
        self.wrong_rounds += u64::from(found.is_wrong || found.is_lost || found.is_left);
        for fault in faults {
            let row = self.rows.entry(*fault).or_default();
            row.faults += 1;
            row.wrong += u64::from(found.is_wrong);
            row.lost += u64::from(found.is_lost);
            row.left += u64::from(found.is_left);
        }
    }

    pub(crate) fn faults(&self) -> u64 {
        self.rows.values().map(|row| row.faults).sum()
    }

    /// The kinds of faults that have not happened, of those that can with such disks.
    pub(crate) fn missing(&self, has_disks: bool) -> Vec<Fault> {
        let can_happen = |fault: &Fault| has_disks || !matches!(fault, Fault::FillsTemporary | Fault::FillsOutput);
        Fault::ALL.into_iter().filter(|fault| can_happen(fault) && !self.rows.contains_key(fault)).collect()
    }

    /// The rounds that ended as they should.
    pub(crate) fn good(&self) -> u64 {
        self.rounds - self.wrong_rounds
    }

    pub(crate) fn bad(&self) -> u64 {
        self.wrong_rounds
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| fault | faults | wrong verdicts | lost results | leftovers |")?;
        writeln!(f, "| --- | ---: | ---: | ---: | ---: |")?;
        let mut all = Row::default();
        for (fault, row) in &self.rows {
            let Row { faults, wrong, lost, left } = row;
            writeln!(f, "| {} | {faults} | {wrong} | {lost} | {left} |", fault.name())?;
            all = Row {
                faults: all.faults + faults,
                wrong: all.wrong + wrong,
                lost: all.lost + lost,
                left: all.left + left,
            };
        }
        let Row { faults, wrong, lost, left } = all;
        writeln!(f, "| all, in {} runs | {faults} | {wrong} | {lost} | {left} |", self.rounds)
    }
}
