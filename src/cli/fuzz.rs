//! `mcve fuzz`: from arguments to a run.

use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::exit::{Exit, Failed, OrExit, failed};
use super::generate::ProgramArgs;
use super::kind_args::KindArgs;
use super::sandbox::SandboxArgs;
use super::trace::TraceArgs;
use super::values::duration;
use super::{catalogue, grammar, input, observers, setup};
use crate::report::fuzz::FuzzConsole;
use mcve_reduce::event::{Event, Nobody, Observer};
use mcve_reduce::exec::job::ExecError;
use mcve_reduce::exec::limits::Memory;
use mcve_reduce::exec::programs;
use mcve_reduce::failure::error::Class;
use mcve_reduce::failure::problem::admit;
use mcve_reduce::failure::request::Request;
use mcve_reduce::failure::scripts::scripts;
use mcve_reduce::failure::spec::FailureSpec;
use mcve_reduce::failure::subject::Subject;
use mcve_reduce::modes::fuzz::{Config, Programs, Trouble, fuzz};
use mcve_reduce::modes::probe::{Probe, Seek, Ways};
use mcve_reduce::oracle::headers::words;
use mcve_reduce::oracle::run::Target;
use mcve_reduce::program::Program;
use mcve_reduce::session::Session;

/// How many programs there are where nobody says otherwise.
const COUNT: u64 = 100;

/// How far rustc goes where nobody says otherwise: through all of it, but for the linker.
const EMIT: &str = "--emit=obj";

/// How long a mutant may be compiled where nobody says otherwise: some make the compiler loop.
const MUTANT_TIMEOUT: Duration = Duration::from_secs(3);

/// The options of `mcve fuzz`.
#[derive(Args, Debug)]
pub(super) struct FuzzArgs {
    /// Tries mutants of these files, or of the files in these folders: programs with parts of other ones. Errors in
    /// them are no failures.
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["generator", "size", "limit"])]
    pub(super) mutate: Vec<PathBuf>,

    /// The grammar of the files of --mutate, of which mutants are sentences: `json` or another that `mcve reduce`
    /// knows, or a file.
    #[arg(long, value_name = "GRAMMAR", requires = "mutate", requires = "test")]
    pub(super) grammar: Option<PathBuf>,

    /// The programs of these seeds, or the mutants of these numbers, such as `100..200`.
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    pub(super) seeds: Option<Range<u64>>,

    /// So many programs, from seed 0 on; 100 by default, and mutants without end.
    #[arg(long, value_name = "N", conflicts_with = "seeds")]
    pub(super) count: Option<u64>,

    /// The folder for the smallest program of each failure.
    #[arg(short, long, value_name = "DIR", default_value = "finds")]
    pub(super) output: PathBuf,

    /// Keeps the smallest program of each other crash that a candidate shows in this folder. Its `finds.json` says
    /// what they are.
    #[arg(long, value_name = "DIR")]
    pub(super) finds: Option<PathBuf>,

    /// Arguments of rustc, behind those after `--`; given several times, each program is compiled with each of them.
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, help_heading = "What a failure is")]
    pub(super) flags: Vec<String>,

    /// Runs the programs, too: what they print and how they exit must be the same for all --flags.
    #[arg(long, conflicts_with = "test", help_heading = "What a failure is")]
    pub(super) run: bool,

    /// A script, or a line for the shell, that exits with 0 when the program $1 fails. May be given several times.
    #[arg(long, value_name = "SCRIPT", conflicts_with = "flags", help_heading = "What a failure is")]
    pub(super) test: Vec<OsString>,

    /// Only crashes of the compiler are failures: the generator may make programs with errors.
    #[arg(long, conflicts_with = "test", help_heading = "What a failure is")]
    pub(super) crashes: bool,

    /// As of a reduction; then --run means that they are of the program that is run.
    #[command(flatten)]
    pub(super) kinds: KindArgs,

    /// The rustc to run.
    #[arg(long, value_name = "PATH", help_heading = "What a failure is", conflicts_with = "tool")]
    pub(super) rustc: Option<PathBuf>,

    #[command(flatten)]
    pub(super) programs: ProgramArgs,

    /// The line for the shell that runs another generator, by the protocol of docs/generators.md.
    #[arg(long, value_name = "COMMAND", conflicts_with = "size", help_heading = "What programs are like")]
    pub(super) generator: Option<OsString>,

    #[command(flatten)]
    pub(super) trace: TraceArgs,

    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,

    /// The longest that a program may be compiled and run, such as `30s`; by default a minute, a mutant three seconds.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) timeout: Option<Duration>,

    /// The most memory that a process may have, such as `4G`, or `unlimited`. Only on Linux.
    ///
    /// By default half of the machine's, at least 4G.
    #[arg(long, value_name = "SIZE")]
    pub(super) memory: Option<Memory>,

    /// Ends after this time, such as `5m`.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) budget: Option<Duration>,

    /// How many programs are tried at once; by default as many as there are cores. What is found does not depend on it.
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<std::num::NonZeroUsize>,

    /// Says nothing but errors.
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Arguments of rustc.
    #[arg(last = true, value_name = "ARGS")]
    pub(super) args: Vec<OsString>,
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let (from, to) = text.split_once("..").ok_or("seeds are a range such as 0..100")?;
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("`{text}` is no seed: {error}"));
    let range = number(from)?..number(to)?;
    if range.is_empty() { Err("there is no seed in it".to_owned()) } else { Ok(range) }
}

/// Fuzzes, and says what was found.
pub(super) fn begin(args: &FuzzArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let timeout = args.timeout.or((!args.mutate.is_empty()).then_some(MUTANT_TIMEOUT));
    let limits = setup::limits(timeout, args.budget)?;
    if !args.test.is_empty() && !args.args.is_empty() {
        return Err(failed!(Usage, "with --test, nothing follows `--`: the script runs what it needs"));
    }
    let kinds = args.kinds.add_to(FailureSpec::default());
    let has_kinds = !kinds.has_no_kinds();
    if has_kinds && (!args.test.is_empty() || !args.flags.is_empty() || args.crashes) {
        return Err(failed!(Usage, "--test, --flags and --crashes cannot be combined with --hang, --prints, .."));
    }
    if args.run && args.flags.len() < 2 && !has_kinds {
        return Err(failed!(Usage, "--run compares: give --flags two times or more"));
    }
    let programs = programs(args)?;
    let mut session = args.sandbox.session(toolchain, limits, args.memory)?;
    let runs_candidates = args.run || !args.test.is_empty();
    admit(&session, runs_candidates)?;
    let mut console = FuzzConsole::new(args.quiet);
    session.lacking(runs_candidates).into_iter().for_each(|message| console.event(&Event::Note { message }));
    let (probe, compiler) = if has_kinds {
        (Probe::Kind(kind(args, kinds.clone(), session.clone())), None)
    } else {
        probe(args, &session)?
    };
    session.jobs = setup::jobs(args.jobs, &mut console);
    let config = Config {
        programs,
        probe,
        executor: session.executor_of(compiler),
        session,
        settings: args.trace.settings(args.programs.limit),
        transforms: catalogue::choose(&[], &[])?,
        folder: args.output.clone(),
        finds: args.finds.clone(),
    };
    let recognises_failures = args.test.is_empty() && kinds.recognises_failures();
    let mut observer = observers::keep_finds(Box::new(console), args.finds.as_deref(), recognises_failures)?;
    fuzz(&config, &mut *observer).map(setup::exit).map_err(failed)
}

fn programs(args: &FuzzArgs) -> Result<Programs, Failed> {
    let FuzzArgs { mutate, count, seeds, .. } = args;
    let numbers = |count: u64| seeds.clone().unwrap_or(0..count);
    if mutate.is_empty() {
        let generator = input::generator(
            args.generator.as_deref(),
            mcve_generate::programs::Programs { size: args.programs.size },
        )?;
        return Ok(Programs::Generated(generator, numbers(count.unwrap_or(COUNT))));
    }
    let files = files(mutate, args.grammar.is_some())?;
    let sentences = if args.grammar.is_some() {
        let first = &files[0];
        let read = std::fs::read_to_string(first).with_context(|| format!("cannot read {}", first.display()));
        // The line break at the end of a file is no part of its sentence, unless the grammar has it.
        let text = read.or_exit(Exit::Input)?.trim_end_matches('\n').to_owned() + "\n";
        grammar::sentences(args.grammar.as_deref(), first, &Program::new(&**first, text), &mut Nobody)?
    } else {
        None
    };
    Ok(Programs::Mutants(files, numbers(count.unwrap_or(u64::MAX)), sentences))
}

/// Looks for the kinds of failure that are asked for, as a reduction of the program would.
fn kind(args: &FuzzArgs, kinds: FailureSpec, session: Session) -> Box<Seek> {
    let spec = FailureSpec {
        rustc: args.rustc.clone(),
        rustc_args: if args.run { Vec::new() } else { args.args.clone() },
        target: args.run.then(|| Target::Main(args.args.clone())),
        ..kinds
    };
    Box::new(move |program| {
        let subject = Subject::file(&program.name);
        let request = Request { spec: &spec, subject, program, session: &session, reduces_arguments: false };
        match request.find() {
            Ok(found) => Ok(Some(found.oracle)),
            Err(error) if error.cause.class() == Class::Check => {
                let source = std::io::Error::other(error.to_string());
                Err(ExecError { doing: "cannot look for the failure".to_owned(), source })
            }
            // It shows none, or one that is not always there.
            Err(_) => Ok(None),
        }
    })
}

/// What is done with programs, and the compiler that does nothing else.
fn probe(args: &FuzzArgs, session: &Session) -> Result<(Probe, Option<PathBuf>), Failed> {
    if !args.test.is_empty() {
        return Ok((Probe::Test(scripts(&args.test, session)?), None));
    }
    let toolchain = session.toolchain.as_deref();
    let rustc = programs::rustc(args.rustc.as_deref(), toolchain).or_exit(Exit::Check)?;
    let folder = std::env::current_dir().context("the current folder cannot be read").or_exit(Exit::Check)?;
    let flags = if args.flags.is_empty() { vec![String::new()] } else { args.flags.clone() };
    let way = |flags: &String| {
        let mut way = args.args.clone();
        way.extend(words(flags));
        let has_emit = way.iter().any(|arg| arg.as_encoded_bytes().starts_with(b"--emit"));
        way.extend((!args.run && !has_emit).then(|| EMIT.into()));
        way
    };
    let called = programs::called(args.rustc.as_deref(), toolchain, &rustc);
    let ways = Ways {
        rustc: rustc.clone(),
        called,
        args: flags.iter().map(way).collect(),
        folder,
        crashes_only: args.crashes || !args.mutate.is_empty(),
    };
    Ok((if args.run { Probe::Run(ways) } else { Probe::Compile(ways) }, (!args.run).then_some(rustc)))
}

/// The files among these paths and in these folders, sorted: those of Rust, or all of them.
fn files(paths: &[PathBuf], all: bool) -> Result<Vec<PathBuf>, Failed> {
    let (mut found, mut left) = (Vec::new(), paths.to_vec());
    while let Some(path) = left.pop() {
        let about = std::fs::metadata(&path).with_context(|| format!("cannot read {}", path.display()));
        if about.or_exit(Exit::Input)?.is_dir() {
            let entries = std::fs::read_dir(&path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let entries = entries.with_context(|| format!("cannot read {}", path.display())).or_exit(Exit::Input)?;
            let inside = entries.iter().map(std::fs::DirEntry::path);
            left.extend(
                inside.filter(|path| all || path.is_dir() || path.extension().is_some_and(|name| name == "rs")),
            );
        } else {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() { Err(failed!(Input, "there is no file of Rust in {}", paths[0].display())) } else { Ok(found) }
}

fn failed(trouble: Trouble) -> Failed {
    match trouble {
        Trouble::Generator(seed, halt) => {
            Failed::new(Exit::Input, anyhow::Error::new(halt).context(format!("seed {seed} makes no program")))
        }
        Trouble::Exec(error) => Failed::new(Exit::Check, error),
        Trouble::Output(error) => {
            Failed::new(Exit::Output, anyhow::Error::new(error).context("cannot write what was found"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range_that_is_not_empty() {
        assert_eq!(seeds("3..7"), Ok(3..7));
        for text in ["", "3", "3..", "..7", "7..3", "3..3", "-1..2", "a..b"] {
            assert!(seeds(text).is_err(), "{text}");
        }
    }
}
