//! Everything that determines how a search goes on, except the best program and the answers of checks.

use std::sync::Arc;

use mcve_transforms::Transform;

use super::feedback::Feedback;
use super::filters::{Filters, Phase};
use super::patience::Patience;
use super::proposed::Proposed;
use super::transaction::Transaction;
use crate::admissible::Admissible;
use crate::check::limits::Stop;
use crate::oracle::Oracle;
use crate::program::Program;
use mcve_dd::ddmin::ddmin;
use mcve_dd::tester::Shrink;

#[derive(Clone)]
pub(super) struct Course {
    /// The transforms that the user left enabled.
    pub(super) enabled: Arc<[&'static Transform]>,
    pub(super) feedback: Feedback,
    /// Which reductions keep the failure meaningful.
    pub(super) admissible: Admissible,
    /// Judges programs with the data that they had when the stage began in which data are reduced; none outside of that.
    pub(super) of_code: Option<Arc<dyn Oracle>>,
    /// Shrinks lists of reductions.
    pub(super) algorithm: Shrink<Stop>,
    /// Whether the search is in its proof.
    pub(super) proves: bool,
    /// Whether the program has only items that it needs to compile with what runs, so that most of them stay.
    pub(super) is_focused: bool,
    /// Decides which candidates are worth a check.
    pub(super) filters: Filters,
    pub(super) proposed: Proposed,
    /// Decides when a pass gives way to the next one.
    pub(super) patience: Patience,
    /// The transaction under way: its gains are not reported or written before it pays.
    pub(super) transaction: Option<Transaction>,
}

impl Course {
    /// The course of a search for the failure of `program` that `oracle` judges.
    pub(super) fn of(enabled: Vec<&'static Transform>, oracle: &dyn Oracle, program: &Program) -> Self {
        Self {
            enabled: enabled.into(),
            feedback: Feedback::default(),
            admissible: Admissible::of(oracle, program),
            of_code: None,
            algorithm: ddmin,
            proves: false,
            is_focused: false,
            filters: Filters::default(),
            proposed: Proposed::default(),
            patience: Patience::ENDLESS,
            transaction: None,
        }
    }

    pub(super) fn phase(&self) -> Phase {
        match self {
            Self { transaction: Some(_), .. } => Phase::Transaction,
            Self { proves: true, .. } => Phase::Proof,
            _ => Phase::Passes,
        }
    }
}
