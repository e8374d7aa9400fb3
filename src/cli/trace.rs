//! The options of how the choices of a generator are reduced.

use clap::Args;

use super::values::one_of;
use mcve_generate::reduction::{Order, Settings};
use mcve_generate::replay::Alignment;

const ORDERS: &[(&str, Order, &str)] =
    &[("tree", Order::Tree, "The outer parts first"), ("sequence", Order::Sequence, "The parts as they come")];

const ALIGNMENTS: &[(&str, Alignment, &str)] = &[
    ("halt", Alignment::Halt, "The candidate is given up"),
    ("bypass", Alignment::Bypass, "The part around the place is removed as well"),
    ("re-align", Alignment::Realign, "It goes on with the simplest answer"),
];

/// How the choices are reduced.
#[derive(Args, Clone, Debug)]
pub(super) struct TraceArgs {
    /// In which order the parts of the choices are tried; by default as a tree.
    #[arg(long, value_name = "ORDER", value_parser = one_of(ORDERS), help_heading = "How choices are reduced")]
    pub(super) order: Option<Order>,

    /// What a generator does that cannot follow the choices that are left; by default it is re-aligned.
    #[arg(long, value_name = "STRATEGY", value_parser = one_of(ALIGNMENTS), help_heading = "How choices are reduced")]
    pub(super) alignment: Option<Alignment>,
}

impl TraceArgs {
    /// The settings, with a limit on the number of decisions.
    pub(super) fn settings(&self, limit: usize) -> Settings {
        let Settings { order, alignment, .. } = Settings::default();
        Settings { order: self.order.unwrap_or(order), alignment: self.alignment.unwrap_or(alignment), limit }
    }

    /// Whether one of them is given.
    pub(super) fn is_given(&self) -> bool {
        self.order.is_some() || self.alignment.is_some()
    }
}
