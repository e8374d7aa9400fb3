//! Lists the transforms that propose a given step: to be asked before you write one.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use mcve_transforms::{Analysis, Source, Tree, apply, enumerate, enumerate_trials, named, tokens, transforms};

#[derive(Args)]
pub(crate) struct Options {
    /// The file before the step.
    before: PathBuf,
    /// The file after the step. Without it, all steps are listed.
    after: Option<PathBuf>,
    /// Ask only these transforms or families.
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
    let unknown = options.only.iter().find(|name| named(name).is_empty());
    ensure!(unknown.is_none(), "no transform or family is called {}", unknown.map_or("", |name| name));
    let asked: Vec<_> = match &options.only[..] {
        [] => transforms().collect(),
        only => only.iter().flat_map(|name| named(name)).collect(),
    };
    let mut found = 0;
    for transform in asked {
        for (steps, kind) in
            [(enumerate(&analysis, transform), ""), (enumerate_trials(&analysis, transform), " (a trial)")]
        {
            for step in steps {
                let candidate = apply(&before, [&step]);
                if after.as_ref().is_none_or(|after| *after == normal(&candidate)) {
                    found += 1;
                    let line = before[..step.site.start].matches('\n').count() + 1;
                    println!("{}{kind}, line {line}:\n{candidate}\n", transform.name);
                }
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
