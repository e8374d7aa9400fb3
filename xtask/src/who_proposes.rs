//! Says which transforms propose a step, to whoever is about to write one.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use mcve_transforms::{Analysis, Source, Tree, apply, enumerate, enumerate_trials, named, tokens, transforms};

#[derive(Args)]
pub(crate) struct Options {
    /// The program before the step: a file.
    before: PathBuf,
    /// The program after the step: a file. All steps are listed without it.
    after: Option<PathBuf>,
    /// Only these transforms, families or passes.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let read = |path: &PathBuf| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let before = read(&options.before)?;
    let after = options.after.as_ref().map(read).transpose()?.map(|after| normal(&after));
    let source = Source::parse(&*before);
    let tree = Tree::new(&source);
    let analysis = Analysis::of(&tree);
    let chosen = options.only.iter().flat_map(|name| named(name)).collect::<Vec<_>>();
    let mut found = 0;
    for transform in
        transforms().filter(|transform| chosen.is_empty() || chosen.iter().any(|chosen| chosen.name == transform.name))
    {
        let (steps, trials) = (enumerate(&analysis, transform), enumerate_trials(&analysis, transform));
        for (step, is_trial) in
            steps.iter().map(|step| (step, "")).chain(trials.iter().map(|step| (step, " (a trial)")))
        {
            let candidate = apply(&before, [step]);
            if after.as_ref().is_none_or(|after| *after == normal(&candidate)) {
                found += 1;
                let line = before[..step.site.start].matches('\n').count() + 1;
                println!("{}{is_trial}, line {line}:\n{candidate}\n", transform.name);
            }
        }
    }
    match (found, after) {
        (0, Some(_)) => println!("no transform proposes this as one step"),
        _ => println!("{found} steps"),
    }
    Ok(())
}

/// The tokens of a text, whatever its layout.
fn normal(text: &str) -> Vec<String> {
    tokens(text).into_iter().map(|token| text[token.range].to_owned()).collect()
}
