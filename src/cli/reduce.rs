//! `mcve reduce`: from arguments to a run, and its end.

use std::ffi::OsString;
use std::path::Path;

use super::args::ReduceArgs;
use super::argv::parse;
use super::begin::{self, Begin};
use super::command::Command;
use super::exit::{Exit, Failed, OrExit, failed};
use super::input::is_stdin;
use super::messages::cannot_print;
use super::observers::keep_finds;
use super::run_args::{OutputArgs, ScreenArgs};
use super::setup::{exit, jobs, limits};
use super::{catalogue, grammar, input, output, page, report};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::check::sequential::SELDOM;
use mcve_reduce::event::{Ending, Observer, Rate};
use mcve_reduce::modes::reduce::Plan;
use mcve_reduce::modes::task::{Before, Task, lock};
use mcve_reduce::output::{Output, ResultFile};
use mcve_reduce::program::{Language, Program};
use mcve_reduce::search::passes::schedule::Schedule;
use mcve_reduce::session::Session;
use mcve_reduce::state::invocation::Invocation;
use mcve_reduce::state::journal::Journal;
use mcve_reduce::state::place::JOURNAL;
use mcve_transforms::Naming;

/// Reduces a program, from its beginning or from where an earlier run stopped.
pub(super) fn reduce(args: &ReduceArgs, toolchain: Option<String>, begin: Begin<'_>) -> Result<Exit, Failed> {
    if args.trace.is_given() && !args.choices {
        return Err(failed!(Usage, "--order and --alignment say how choices are reduced, and need --choices"));
    }
    let failure = &args.oracle.failure;
    let idle_passes = args.run.search.idle_passes;
    let limits = Limits { idle_passes, ..limits(failure.timeout, args.run.search.budget)? };
    let spec = args.oracle.spec()?;
    grammar::check_judged(args.grammar.as_deref(), &args.oracle)?;
    let transforms = catalogue::choose(&args.run.search.only, &args.run.search.skip)?;
    let read = match &begin {
        Begin::Anew(_) => input::read_reduced(args),
        Begin::Resumed(_, question, _) => begin::original(args, question),
    };
    limits.proceed()?;
    let (program, made) = read?;
    refuse_options_of_rust(args, program.language)?;
    let fixed = input::fixed(args)?;
    let output = output::output(args, &program)?;
    report::check(args.run.report.as_deref(), &output)?;
    let words = match &begin {
        Begin::Anew(words) => words.to_vec(),
        Begin::Resumed(_, question, _) => question.words(),
    };
    let name = args.file.file_name().unwrap_or(args.file.as_os_str()).to_string_lossy().into_owned();
    let mut observer = args.run.observer(&limits, name, &words)?;
    let sentences = grammar::sentences(args.grammar.as_deref(), &args.file, &program, &mut *observer)?;
    let lock = if args.run.recognise { None } else { lock(&output)? };
    // Before the journal, which a run that cannot begin must not leave.
    let mut session = failure.sandbox.session(toolchain, limits, failure.memory)?;
    session.has_fork_servers = !args.no_fork_server;
    session.store = args.run.store();
    session.executors.clone_from(&args.run.executor);
    let mut place = output.path().map(Path::to_owned).unwrap_or_default();
    session.journal = match begin {
        Begin::Anew(_) if args.run.recognise => Journal::nowhere(None),
        Begin::Anew(words) => {
            args.oracle.explain_arguments(&mut *observer);
            let journal = journal(args, words, &program, &output)?;
            if !begin::goes_on(args, &output, &journal, &mut *observer)
                && program.language == Language::Rust
                && let Some((content, tokens)) = output.file().and_then(ResultFile::earlier)
                && tokens < program.size().tokens
            {
                journal.hold_result(content, tokens);
            }
            journal
        }
        Begin::Resumed(journal, question, named) => {
            begin::go_on(args, &output, &journal, &question, &mut *observer)?;
            place = named;
            journal
        }
    };
    let observer = keep_finds(observer, args.finds.as_deref(), spec.recognises_failures())?;
    let naming = Naming { scrub: args.scrub, readable: args.readable };
    let plan = Plan {
        made,
        in_place: args.in_place,
        schedule: Schedule { sentences, naming, ..catalogue::schedule(&args.run.search.only, &args.run.search.skip) },
        transforms,
        place,
        finds: args.finds.clone(),
        holds_pair: !spec.no_pair,
        carves: spec.may_carve() && args.run.keep.is_empty() && !args.in_place && !args.as_ui_test,
        fixed,
        as_ui_test: args.as_ui_test.then_some(spec.trust),
        ..Plan::new(args.file.clone(), output)
    };
    let choices = args.choices.then(|| args.generator.clone());
    let task = Task { spec, choices, program, plan, lock, keep: args.run.keep.clone(), before: Before::default() };
    run(args, task, session, observer)
}

/// Runs, and leaves the journal if there is more to do.
fn run(args: &ReduceArgs, task: Task, mut session: Session, mut observer: Box<dyn Observer>) -> Result<Exit, Failed> {
    let replaces_several = args.in_place && !task.program.is_lone();
    session.jobs = jobs(args.run.search.jobs, &mut *observer);
    if args.run.recognise {
        task.recognise(&session, &mut *observer)?;
        return observer.close().map_err(cannot_print).map(|()| Exit::Done);
    }
    let done = task.run(&session, &mut *observer).map_err(Failed::from);
    let done = done.and_then(|summary| observer.close().map(|()| summary).map_err(cannot_print));
    let is_over = match &done {
        // The input of a run that has replaced it is gone.
        Ok(summary) => summary.ending == Ending::Complete || replaces_several && summary.ending == Ending::Budget,
        // A run whose time was over may go on.
        Err(_) if session.limits.proceed().is_err() => false,
        Err(failed) => matches!(failed.exit, Exit::NotFailing | Exit::Flaky | Exit::Usage),
    };
    session.journal.end(is_over);
    let summary = done?;
    page::write_after(args.run.html.as_deref(), &summary, args.run.output_args.quiet)?;
    report::write_after(args.run.report.as_deref(), &summary)?;
    Ok(match summary.seen {
        Some(seen) if !fails_enough(seen, summary.flaky.map(|flaky| flaky.input)) => Exit::Flaky,
        _ => exit(summary.ending),
    })
}

/// Whether a result that failed in so many of so many runs is one: it fails each time, or not much less often than the input.
fn fails_enough(seen: Rate, input: Option<Rate>) -> bool {
    let share = |rate: Rate| rate.times as f64 / rate.runs as f64;
    input.map_or(seen.times == seen.runs, |input| share(seen) > SELDOM * share(input))
}

/// Refuses options that would do nothing to a file of this language.
fn refuse_options_of_rust(args: &ReduceArgs, language: Language) -> Result<(), Failed> {
    let options = [
        ("--only", !args.run.search.only.is_empty()),
        ("--skip", !args.run.search.skip.is_empty()),
        ("--keep", !args.run.keep.is_empty()),
        ("--scrub", args.scrub),
        ("--readable", args.readable),
    ];
    match options.into_iter().find(|(_, is_given)| *is_given && language != Language::Rust) {
        Some((option, _)) => Err(failed!(Input, "{} is not Rust, and {option} is for Rust only", args.file.display())),
        None => Ok(()),
    }
}

/// The journal of a run that begins. A run whose input cannot be read again, or whose result is not a file, has none.
/// Fails when another run keeps it. A journal that cannot be written is none.
fn journal(args: &ReduceArgs, words: &[OsString], program: &Program, output: &Output) -> Result<Journal, Failed> {
    let Some(file) = output.file().filter(|_| !is_stdin(&args.file) && (args.file.is_file() || args.file.is_dir()))
    else {
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
    let run = &mut args.run;
    (run.search.budget, run.search.jobs) = (None, None);
    (run.log, run.html, run.report, run.history) = (None, None, None, None);
    (run.output_args, run.screen) = (OutputArgs::default(), ScreenArgs::default());
    Some(format!("{toolchain:?} {args:?}"))
}
