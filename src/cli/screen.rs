//! Who reports a reduction: a screen, if the user wants one, or else the console or JSON.

use super::args::{OutputArgs, ScreenArgs};
use super::exit::Failed;
use super::setup;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::Observer;

impl ScreenArgs {
    /// Reports the reduction of what has this name.
    #[cfg_attr(not(feature = "tui"), expect(unused_variables, reason = "there is no screen"))]
    pub(super) fn observer(
        self,
        args: &OutputArgs,
        limits: &Limits,
        name: String,
    ) -> Result<Box<dyn Observer>, Failed> {
        #[cfg(feature = "tui")]
        if self.tui {
            use crate::cli::exit::{Exit, OrExit, failed};
            use crate::report::tui::Screen;
            use anyhow::Context;

            if !Screen::has_terminal() {
                return Err(failed!(Usage, "--tui needs a terminal as standard input and standard error"));
            }
            let screen = Screen::begin(name, limits.clone(), setup::verbosity(args));
            return Ok(Box::new(screen.context("cannot use the terminal").or_exit(Exit::Output)?));
        }
        setup::observer(args, limits.deadline)
    }
}
