//! The options of a run: how long it searches, what it reports and keeps.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ColorChoice, ValueEnum};

use super::values::{duration, number};
use mcve_reduce::exec::limits::Memory;
use mcve_reduce::state::store::StorePlace;

/// The options of the reductions of files and of packages.
#[derive(Args, Debug)]
pub(super) struct RunArgs {
    /// Keeps a file or an item as it is, such as `src/map.rs` or `Map::get`. Of a file its tests may go. May be given
    /// several times.
    #[arg(long, value_name = "PATH", help_heading = "How it is searched")]
    pub(super) keep: Vec<String>,

    /// Writes to this file what became of each change that was proposed. `mcve why` reads it to say why a part stays.
    #[arg(long, value_name = "FILE", help_heading = "Where results go")]
    pub(super) log: Option<PathBuf>,

    /// Writes a page of the result to this file at the end, also of a run that is out of its time or interrupted. `mcve page`
    /// writes it later.
    #[arg(long, value_name = "FILE", help_heading = "Where results go")]
    pub(super) html: Option<PathBuf>,

    /// Writes the text of an issue to this file at the end, as `mcve report --channels` prints it.
    #[arg(long, value_name = "FILE", help_heading = "Where results go")]
    pub(super) report: Option<PathBuf>,

    /// Only recognises the failure and says what it is: the first checks of a run. Nothing is written.
    #[arg(long, help_heading = "What is reported")]
    pub(super) recognise: bool,

    /// Keeps each step in this folder: the program, such as `0001.rs`, the patch from the step before, and what was done.
    #[arg(long, value_name = "DIR", help_heading = "Where results go")]
    pub(super) history: Option<PathBuf>,

    /// Shares verdicts with other runs in this folder, also of other users and at the same time. A failure that it knows is run again before
    /// it counts. By default the folder in the variable `MCVE_STORE`.
    #[arg(long, value_name = "DIR", help_heading = "How it is searched")]
    pub(super) store: Option<PathBuf>,

    /// The largest size of the store when a run begins, by default `1G`. The verdicts that were not used for the longest time are removed.
    #[arg(long, value_name = "SIZE", help_heading = "How it is searched")]
    pub(super) store_size: Option<Memory>,

    /// Runs checks by this command, such as `ssh host mcve worker`. May be given several times. A candidate that fails there is run again
    /// here before it counts.
    #[arg(long, value_name = "COMMAND", help_heading = "How it is searched")]
    pub(super) executor: Vec<String>,

    /// Takes no defaults from `mcve.toml` or `[package.metadata.mcve]`.
    #[arg(long, help_heading = "How it is searched")]
    pub(super) no_config: bool,

    /// The note on the file that defaults were taken from.
    #[arg(skip)]
    pub(super) defaults: Option<String>,

    #[command(flatten)]
    pub(super) search: SearchArgs,

    #[command(flatten)]
    pub(super) output_args: OutputArgs,

    #[command(flatten)]
    pub(super) screen: ScreenArgs,
}

impl RunArgs {
    /// Where the store is, if there is one.
    pub(super) fn store(&self) -> Option<StorePlace> {
        let folder = self.store.clone().or_else(|| std::env::var_os("MCVE_STORE").map(PathBuf::from))?;
        let usual = StorePlace::new(folder);
        let size = self.store_size.map_or(usual.size, |size| size.0.unwrap_or(u64::MAX));
        Some(StorePlace { size, ..usual })
    }
}

/// The options that say how long is searched, and by what.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct SearchArgs {
    /// Ends after this time, such as `5m`, with the best so far.
    #[arg(long, value_name = "TIME", value_parser = duration, overrides_with = "budget", help_heading = "How it is searched")]
    pub(super) budget: Option<Duration>,

    /// Ends after so many passes in a row that remove nothing, such as `20`, with the best so far.
    #[arg(long, value_name = "N", value_parser = number, help_heading = "How it is searched")]
    pub(super) idle_passes: Option<std::num::NonZeroUsize>,

    /// How many checks run at once; by default as many as there are cores. The result does not depend on it.
    #[arg(short, long, value_name = "N", value_parser = number, overrides_with = "jobs", help_heading = "How it is searched")]
    pub(super) jobs: Option<std::num::NonZeroUsize>,

    /// Uses only these transforms, families or passes, by name (`mcve list`).
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "How it is searched")]
    pub(super) only: Vec<String>,

    /// Does not use these transforms, families or passes, by name.
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "How it is searched")]
    pub(super) skip: Vec<String>,
}

/// The options that say what is reported.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OutputArgs {
    /// How progress is reported.
    #[arg(long, value_enum, default_value = "human", value_name = "FORMAT", help_heading = "What is reported")]
    pub(super) message_format: MessageFormat,

    /// Whether there are colours; by default on a terminal, and as `NO_COLOR` and `CLICOLOR_FORCE` say.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(super) color: ColorChoice,

    /// Says nothing but errors.
    #[arg(short, long, conflicts_with = "verbose", help_heading = "What is reported")]
    pub(super) quiet: bool,

    /// Tells each step.
    #[arg(short, long, help_heading = "What is reported")]
    pub(super) verbose: bool,
}

/// Whether the run is shown on a screen.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct ScreenArgs {
    /// Shows the run on the whole terminal: the program as it shrinks, the passes, the sizes. `?` shows the keys.
    #[cfg_attr(feature = "tui", arg(long, conflicts_with_all = ["message_format", "quiet"]))]
    #[cfg_attr(not(feature = "tui"), arg(skip))]
    pub(super) tui: bool,
}

impl OutputArgs {
    /// Lets what is said later hold.
    pub(super) fn override_by(&mut self, other: &Self) {
        if other.message_format == MessageFormat::Json {
            self.message_format = MessageFormat::Json;
        }
        if other.color != ColorChoice::Auto {
            self.color = other.color;
        }
        if other.quiet || other.verbose {
            (self.quiet, self.verbose) = (other.quiet, other.verbose);
        }
    }
}

/// How events are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum MessageFormat {
    #[default]
    /// Words on standard error, a progress bar on a terminal.
    Human,
    /// A JSON object a line on standard output.
    Json,
}
