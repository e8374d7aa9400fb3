//! `mcve reduce`: the beginning of a run, which goes on from an earlier one of the same command.

use std::ffi::OsString;

use super::args::{OutputArgs, ReduceArgs};
use super::argv::parse;
use super::command::Command;
use super::exit::{Exit, Failed, OrExit, failed};
use super::output::output;
use super::work::{keep_finds, keep_log, limits, observer, run, session, task};
use super::{catalogue, grammar, input, resume};
use mcve_reduce::modes::task::{Task, lock};
use mcve_reduce::output::{Output, ResultFile};
use mcve_reduce::program::{Language, Program};
use mcve_reduce::state::invocation::Invocation;
use mcve_reduce::state::journal::Journal;
use mcve_reduce::state::place::JOURNAL;

/// Begins a run.
///
/// # Errors
/// When the arguments, the input or the output cannot be used; and as [`run`].
pub(super) fn begin(args: &ReduceArgs, toolchain: Option<String>, words: &[OsString]) -> Result<Exit, Failed> {
    if args.trace.is_given() && !args.choices {
        return Err(failed!(Usage, "--order and --alignment say how choices are reduced, and need --choices"));
    }
    let limits = limits(args.oracle.failure.timeout, args.search.budget)?;
    let spec = args.oracle.spec()?;
    grammar::check_judged(args.grammar.as_deref(), &args.oracle)?;
    let transforms = catalogue::choose(&args.search.only, &args.search.skip)?;
    let read = if args.choices {
        input::made(args).map(|(program, made)| (program, Some(made)))
    } else {
        input::read_any(args).map(|program| (program, None))
    };
    limits.proceed()?;
    let made = read?;
    refuse_options_of_rust(args, made.0.language)?;
    let fixed = input::fixed(args)?;
    let output = output(args, &made.0)?;
    let mut observer = keep_log(observer(&args.output_args)?, args.log.as_deref())?;
    args.oracle.explain_arguments(&mut *observer);
    let sentences = grammar::sentences(args.grammar.as_deref(), &args.file, &made.0, &mut *observer)?;
    let lock = lock(&output)?;
    // Before the journal, which a run that cannot begin must not leave.
    let session = session(args, toolchain, limits)?;
    let journal = journal(args, words, &made.0, &output)?;
    if !resume::goes_on(args, &output, &journal, &mut *observer)
        && made.0.language == Language::Rust
        && let Some((content, tokens)) = output.file().and_then(ResultFile::earlier)
        && tokens < made.0.size().0.tokens
    {
        journal.hold_result(content, tokens);
    }
    let session = session.with_journal(journal);
    let observer = keep_finds(observer, args.finds.as_deref(), spec.recognises_failures())?;
    let mut task = Task { lock, ..task(args, spec, transforms, made, output) };
    (task.plan.fixed, task.plan.schedule.sentences) = (fixed, sentences);
    run(args, task, session, observer)
}

/// Refuses options that would do nothing to a file of this language.
fn refuse_options_of_rust(args: &ReduceArgs, language: Language) -> Result<(), Failed> {
    let options = [
        ("--only", !args.search.only.is_empty()),
        ("--skip", !args.search.skip.is_empty()),
        ("--keep", !args.keep.is_empty()),
    ];
    match options.into_iter().find(|(_, is_given)| *is_given && language != Language::Rust) {
        Some((option, _)) => Err(failed!(Input, "{} is not Rust, and {option} is for Rust only", args.file.display())),
        None => Ok(()),
    }
}

/// The journal of a run that begins. A run whose input cannot be read again, or whose result is not a file, has none.
///
/// # Errors
/// When another run keeps it. A journal that cannot be written is none.
fn journal(args: &ReduceArgs, words: &[OsString], program: &Program, output: &Output) -> Result<Journal, Failed> {
    let Some(file) = output.file().filter(|_| args.file.is_file() || args.file.is_dir()) else {
        return Ok(Journal::nowhere(None));
    };
    let (course, here) = (course(words), std::env::current_dir().ok());
    let same = |old: &Invocation| {
        here.as_ref() == Some(&old.folder()) && course.is_some() && course == self::course(&old.words())
    };
    let begun = Journal::begin_if_writable(file.real(), JOURNAL, words, program.hash(), &same);
    begun.or_exit(Exit::Output)
}

/// What the command line `words` asks for, without what changes nothing in the course of the search.
fn course(words: &[OsString]) -> Option<String> {
    let Ok((toolchain, Command::Reduce(mut args))) = parse(words) else { return None };
    (args.search.budget, args.search.jobs, args.log) = (None, None, None);
    args.output_args = OutputArgs::default();
    Some(format!("{toolchain:?} {args:?}"))
}
