//! `mcve generate`: a random Rust program, and what was decided for it; or a random sentence of a grammar.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use super::exit::{Exit, Failed, OrExit};
use super::output::warn_put_aside;
use super::{grammar, input};
use mcve_dd::grammar::generator::generate as generate_sentence;
use mcve_generate::choices::LIMIT;
use mcve_generate::file::ChoicesFile;
use mcve_generate::generator::run;
use mcve_generate::programs::Programs;
use mcve_reduce::output::Output;

/// What programs are like.
#[derive(Args, Clone, Debug)]
pub(super) struct ProgramArgs {
    /// About how many items a program has.
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "What programs are like")]
    pub(super) size: usize,

    /// How many decisions a program may take before it is taken for endless.
    #[arg(long, value_name = "N", default_value_t = LIMIT, help_heading = "What programs are like")]
    pub(super) limit: usize,
}

/// The options of `mcve generate`.
#[derive(Args, Debug)]
pub(super) struct GenerateArgs {
    /// Which program: the same one for the same number, everywhere.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,

    /// Makes the program of a file of choices again.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "choices", "size"])]
    pub(super) replay: Option<PathBuf>,

    /// The line for the shell that runs another generator, by the protocol of docs/generators.md.
    #[arg(long, value_name = "COMMAND", conflicts_with = "size")]
    pub(super) generator: Option<OsString>,

    /// Where to write what was decided, from which `mcve reduce --choices` reduces the program.
    #[arg(long, value_name = "FILE")]
    pub(super) choices: Option<PathBuf>,

    /// Writes a random sentence of this grammar instead: `json` or another that `mcve reduce` knows, or a file.
    ///
    /// It has at least --size symbols if the grammar allows.
    #[arg(long, value_name = "GRAMMAR", conflicts_with_all = ["replay", "generator", "choices", "limit"])]
    pub(super) grammar: Option<PathBuf>,

    #[command(flatten)]
    pub(super) programs: ProgramArgs,
}

/// The program, after what was decided has been written where it was asked for.
/// Fails when the generator takes more decisions than it may, or the file cannot be written.
pub(super) fn generate(args: &GenerateArgs) -> Result<String, Failed> {
    if let Some(path) = &args.grammar {
        return Ok(generate_sentence(&grammar::read(path)?, args.programs.size, args.seed).text());
    }
    if let Some(path) = &args.replay {
        return Ok(input::replay(path, args.generator.as_deref(), args.programs.limit)?.1.output);
    }
    let generator = input::generator(args.generator.as_deref(), Programs { size: args.programs.size })?;
    let execution = run(&*generator, args.seed, args.programs.limit).or_exit(Exit::Input)?;
    if let Some(path) = &args.choices {
        let file = ChoicesFile::new(&*generator, Arc::unwrap_or_clone(execution.trace));
        let aside = Output::at(path)
            .and_then(|output| output.write(file.to_string().as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))
            .or_exit(Exit::Output)?;
        aside.iter().for_each(|aside| warn_put_aside(Some(path), aside));
    }
    Ok(execution.output)
}
