//! `mcve batch`: many failing programs at once.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};

use super::batch_args::{BatchArgs, BatchRunArgs, Part};
use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::say;
use super::setup;
use super::toolchain::version;
use crate::report::batch::page;
use crate::report::known::{message, place};
use crate::report::terminal::Shown;
use crate::report::words::{plural, time};
use mcve_batch::batch::{Batch, Progress};
use mcve_batch::call::Caller;
use mcve_batch::claim::LEASE;
use mcve_batch::folder::Folder;
use mcve_batch::group::Group;
use mcve_batch::index::Index;
use mcve_batch::input::inputs;
use mcve_batch::invocation::Invocation;
use mcve_batch::plan::{PLAN, Plan, merge};
use mcve_batch::shard::{Shard, array};
use mcve_batch::workers::Settings;
use mcve_reduce::event::Nobody;

/// Runs a batch, or a part of it.
pub(super) fn run(args: BatchArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    match args.command {
        None => batch(&args.run, toolchain, false),
        Some(Part::Plan(run)) => batch(&run, toolchain, true),
        Some(Part::Merge { from, output, known }) => {
            let from: Vec<&Path> = from.iter().map(PathBuf::as_path).collect();
            let (folder, plan) = merge(&from, &output).or_exit(Exit::Input)?;
            let mut earlier = HashMap::new();
            for path in known {
                add(&mut earlier, Plan::read(&path.join(PLAN)).or_exit(Exit::Input)?);
            }
            write_index(&plan, &folder, &earlier)?;
            finish(&plan.groups, &folder, false)
        }
        Some(Part::Status { folder, shards, cost }) => {
            let own = Folder::of_earlier(&folder).or_exit(Exit::Input)?;
            let plan = Plan::read(&folder.join(PLAN)).or_exit(Exit::Input)?;
            let exit = finish(&plan.groups, &own, cost)?;
            if let Some(count) = shards.map(NonZeroUsize::get) {
                let is_missing = |shard: &Shard| {
                    plan.groups.iter().enumerate().any(|(at, group)| shard.has(at) && !own.is_complete(group))
                };
                let missing: Vec<usize> =
                    (1..=count).filter(|number| is_missing(&Shard { number: *number, count })).collect();
                if !missing.is_empty() {
                    let line = format!(
                        "missing shards: {}\nas an array of Slurm: --array={}, with --shard auto/{count}\n",
                        missing.len(),
                        array(&missing)
                    );
                    Shown::plain(line).print().or_exit(Exit::Output)?;
                }
            }
            Ok(exit)
        }
    }
}

/// Recognises and groups, and reduces unless only the plan is wanted.
fn batch(args: &BatchRunArgs, toolchain: Option<String>, only_plan: bool) -> Result<Exit, Failed> {
    let limits = setup::limits(None, args.budget)?;
    let out = args.output.as_deref().expect("clap requires it");
    let given = args.plan.as_deref().map(Plan::read).transpose().or_exit(Exit::Input)?;
    let invocation = given.as_ref().map_or_else(|| invocation(args, toolchain), |plan| Ok(plan.invocation.clone()))?;
    if invocation.version != version(invocation.toolchain.as_deref()) {
        return Err(failed!(Check, "the plan was made with {}, which is not the compiler here", invocation.compiler()));
    }
    let folder = Folder::open(out, &invocation).or_exit(Exit::Input)?;
    let program = std::env::current_exe().context("this program is not found").or_exit(Exit::Check)?;
    let caller = Caller::new(program, &folder.state(), args.store.as_deref());
    let caller = caller.context("cannot start processes").or_exit(Exit::Check)?;
    let bar = if args.quiet { ProgressBar::hidden() } else { ProgressBar::no_length() };
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos} of {len}").expect("it is well-formed");
    bar.set_style(style.progress_chars("=> "));
    let observer = |progress: Progress<'_>| follow(&bar, &progress, args.quiet, &folder);
    let settings = Settings {
        jobs: setup::jobs(args.jobs, &mut Nobody),
        deadline: limits.deadline,
        per_run: args.per_group,
        lease: args.lease.unwrap_or(LEASE),
        interrupt: &limits.interrupt,
    };
    let batch = Batch::new(&folder, &invocation, &caller, settings, &observer).or_exit(Exit::Output)?;
    let plan_of = |paths: &[PathBuf]| -> Result<Plan, Failed> {
        let all = inputs(paths, out).or_exit(Exit::Input)?;
        if all.is_empty() {
            return Err(failed!(Input, "there is nothing to reduce: no Rust file, package or text of a crash"));
        }
        let plan = batch.plan(&all).or_exit(Exit::Check)?;
        limits.proceed()?;
        plan.ok_or_else(|| failed!(Check, "not all inputs were recognised: the same command goes on"))
    };
    let plan = given.map_or_else(|| plan_of(&args.inputs), Ok)?;
    plan.write(&folder).or_exit(Exit::Output)?;
    let mut earlier = HashMap::new();
    for path in &args.known {
        let file = path.join(PLAN);
        let known =
            if file.is_file() { Plan::read(&file).or_exit(Exit::Input)? } else { plan_of(std::slice::from_ref(path))? };
        add(&mut earlier, known);
    }
    bar.finish_and_clear();
    if !args.quiet {
        say(sentence(&plan));
    }
    if only_plan {
        return Ok(if plan.groups.is_empty() { Exit::NotFailing } else { Exit::Done });
    }
    let is_own = |at: usize| args.shard.is_none_or(|shard| shard.has(at));
    let own = plan.groups.iter().enumerate().filter(|(at, _)| is_own(*at));
    let own: Vec<Group> = own.map(|(_, group)| group.clone()).collect();
    bar.reset();
    bar.set_length(own.len() as u64);
    bar.set_message("reduced");
    bar.set_position(own.iter().filter(|group| folder.is_complete(group)).count() as u64);
    let done = batch.reduce(&own).or_exit(Exit::Check);
    bar.finish_and_clear();
    write_index(&plan, &folder, &earlier)?;
    done?;
    if limits.interrupt.load(Ordering::Relaxed) {
        limits.proceed()?;
    }
    let exit = finish(&own, &folder, args.cost)?;
    Ok(if plan.groups.is_empty() { Exit::NotFailing } else { exit })
}

/// Adds the failures of an earlier batch to the known ones, each with the first input that shows it.
fn add(known: &mut HashMap<String, String>, earlier: Plan) {
    for group in earlier.groups {
        known.entry(group.failure.identity().to_owned()).or_insert_with(|| group.members[0].name.clone());
    }
}

/// The parts of the command line that all inputs share.
fn invocation(args: &BatchRunArgs, toolchain: Option<String>) -> Result<Invocation, Failed> {
    let options = shlex::split(args.options.as_deref().unwrap_or_default())
        .ok_or_else(|| anyhow!("--with has a quote without its end"))
        .or_exit(Exit::Usage)?;
    let version = version(toolchain.as_deref());
    if version.is_empty() {
        return Err(failed!(
            Check,
            "there is no rustc{}",
            toolchain.map_or_else(String::new, |name| format!(" of the toolchain {name}"))
        ));
    }
    Ok(Invocation { mcve: env!("CARGO_PKG_VERSION").to_owned(), toolchain, version, options, args: args.args.clone() })
}

/// How many groups there are, as a sentence.
fn sentence(plan: &Plan) -> String {
    let inputs: usize = plan.groups.iter().map(|group| group.members.len()).sum();
    let without = plan.without_failure.len();
    let rest = match without {
        0 => String::new(),
        1 => "; 1 shows no failure".to_owned(),
        _ => format!("; {without} show no failure"),
    };
    format!("{} in {}{rest}", plural(inputs, "failing input"), plural(plan.groups.len(), "group"))
}

/// Shows how far a batch is: on a terminal a bar, and a line for each group.
fn follow(bar: &ProgressBar, progress: &Progress<'_>, is_quiet: bool, folder: &Folder) {
    match progress {
        Progress::Recognised(done, all) => {
            bar.set_length(*all as u64);
            bar.set_message("recognised");
            bar.set_position(*done as u64);
        }
        Progress::Finished(group) => {
            bar.inc(1);
            if let Some(done) = folder.done(&group.name).filter(|_| !is_quiet) {
                let [before, after] = done.tokens;
                let came = if done.program.is_some() {
                    format!("{before} -> {after} tokens")
                } else {
                    "not reduced".to_owned()
                };
                bar.suspend(|| say(format_args!("{} ({}): {came}", group.name, plural(group.members.len(), "input"))));
            }
        }
    }
}

/// Writes `index.html` and `index.json`.
fn write_index(plan: &Plan, folder: &Folder, earlier: &HashMap<String, String>) -> Result<(), Failed> {
    let mut alike: HashMap<String, Vec<&str>> = HashMap::new();
    let traits = |group: &Group| {
        let words = &group.failure.words;
        [place(words).map(|place| format!("at {place}")), message(words)].into_iter().flatten().collect::<Vec<_>>()
    };
    for group in &plan.groups {
        traits(group).into_iter().for_each(|part| alike.entry(part).or_default().push(&group.name));
    }
    let like = |group: &Group| {
        let all = traits(group).into_iter().flat_map(|part| alike[&part].clone());
        let mut names: Vec<String> = all.filter(|name| *name != group.name).map(str::to_owned).collect();
        names.sort();
        names.dedup();
        names
    };
    let index = Index::new(plan, folder, |group| earlier.get(group.failure.identity()).cloned(), like);
    let written = folder.write("index.json", &index.json()).and_then(|()| folder.write("index.html", &page(&index)));
    written.with_context(|| format!("cannot write in {}", folder.path().display())).or_exit(Exit::Output)
}

/// Prints which of these groups are finished and which are missing.
fn finish(groups: &[Group], folder: &Folder, shows_cost: bool) -> Result<Exit, Failed> {
    let missing: Vec<&str> =
        groups.iter().filter(|group| !folder.is_complete(group)).map(|group| group.name.as_str()).collect();
    let all = groups.len();
    let mut text = format!("{}: {} of {all} groups are reduced\n", folder.path().display(), all - missing.len());
    missing.iter().for_each(|name| text += &format!("  missing: {name}\n"));
    if shows_cost {
        let mut by_group: HashMap<String, (f64, f64, u64)> = HashMap::new();
        for cost in folder.costs().context("cannot read the costs").or_exit(Exit::Input)? {
            let (worker, processor, checks) = by_group.entry(cost.group).or_default();
            *worker += cost.worker_seconds;
            *processor += cost.processor_seconds.unwrap_or_default();
            *checks += cost.checks;
        }
        let mut costs: Vec<_> = by_group.into_iter().collect();
        costs.sort_by(|one, other| other.1.0.total_cmp(&one.1.0).then_with(|| one.0.cmp(&other.0)));
        for (name, (worker, processor, checks)) in costs {
            text +=
                &format!("  {name}: {} of workers, {} of processors, {checks} checks\n", time(worker), time(processor));
        }
    }
    if folder.path().join("index.html").is_file() {
        text += &format!("  page: {}\n", folder.path().join("index.html").display());
    }
    Shown::plain(text).print().or_exit(Exit::Output)?;
    Ok(if missing.is_empty() { Exit::Done } else { Exit::OutOfTime })
}
