//! The options of how the choices of a generator are reduced.

use clap::Args;

use mcve_generate::reduction::{Order, Settings};
use mcve_generate::replay::Alignment;

/// How the choices are reduced.
#[derive(Args, Clone, Debug)]
pub(super) struct TraceArgs {
    /// In which order the parts of the choices are tried: `tree` (the default), the outer ones first, or `sequence`,
    /// as they come.
    #[arg(long, value_name = "ORDER", value_parser = order, help_heading = "How choices are reduced")]
    pub(super) order: Option<Order>,

    /// What a generator does that cannot follow the choices that are left.
    ///
    /// `halt` gives the candidate up, `bypass` removes the part around the place as well, and `re-align` (the
    /// default) goes on with the simplest answer.
    #[arg(long, value_name = "STRATEGY", value_parser = alignment, help_heading = "How choices are reduced")]
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

fn order(name: &str) -> Result<Order, String> {
    Order::ALL.into_iter().find(|order| order.name() == name).ok_or_else(|| "it is `sequence` or `tree`".to_owned())
}

fn alignment(name: &str) -> Result<Alignment, String> {
    let known = Alignment::ALL.into_iter().find(|alignment| alignment.name() == name);
    known.ok_or_else(|| "it is `halt`, `bypass` or `re-align`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_and_strategy_has_a_name() {
        assert!(Order::ALL.into_iter().all(|known| order(known.name()) == Ok(known)));
        assert!(Alignment::ALL.into_iter().all(|known| alignment(known.name()) == Ok(known)));
        assert!(order("list").is_err() && alignment("realign").is_err());
    }
}
