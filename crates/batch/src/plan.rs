//! The plan of a batch: its groups, before anything is reduced. It has no times and no machines, so all who make it make the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use crate::files::{copy, json};
use crate::folder::Folder;
use crate::group::{Group, Recognised, groups};
use crate::input::Input;
use crate::invocation::Invocation;

/// The name of the file in the output folder.
pub const PLAN: &str = "plan.json";

/// The groups of a batch.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The parts of the command line that all inputs share.
    pub invocation: Invocation,
    /// The groups, the cheapest first.
    pub groups: Vec<Group>,
    /// The inputs that show no failure, and why.
    pub without_failure: Vec<[String; 2]>,
}

impl Plan {
    /// The plan for inputs that are recognised. An input without a record is in no group.
    pub fn new(invocation: Invocation, inputs: &[Input], recognised: &HashMap<String, Recognised>) -> Self {
        let found: Vec<_> =
            inputs.iter().filter_map(|input| Some((input, recognised.get(&invocation.key(input))?))).collect();
        let groups = groups(found.iter().filter_map(|(input, found)| Some((*input, found.failure.as_ref()?))));
        let others = found.iter().filter(|(_, found)| found.failure.is_none());
        let without_failure = others.map(|(input, found)| [input.name.clone(), found.why.clone()]).collect();
        Self { invocation, groups, without_failure }
    }

    /// The plan that is kept in a file.
    ///
    /// # Errors
    /// When the file cannot be read, or does not have a plan.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display();
        let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
        serde_json::from_slice(&bytes).with_context(|| format!("{shown} is not the plan of a batch"))
    }

    /// Writes the plan to the output folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Folder) -> anyhow::Result<()> {
        folder.write(PLAN, &json(self)).with_context(|| format!("cannot write {PLAN}"))
    }

    /// The plan for the inputs of several plans.
    fn union(plans: &[Self]) -> anyhow::Result<Self> {
        let invocation = plans.first().context("there is nothing to merge")?.invocation.clone();
        if plans.iter().any(|plan| plan.invocation != invocation) {
            bail!("they differ in the compiler, the options or the version of mcve");
        }
        let all = plans.iter().flat_map(|plan| &plan.groups);
        let all = all.flat_map(|group| group.members.iter().map(|input| (&input.name, (input, &group.failure))));
        let groups = groups(all.collect::<BTreeMap<_, _>>().into_values());
        let without_failure: BTreeSet<_> = plans.iter().flat_map(|plan| plan.without_failure.iter().cloned()).collect();
        Ok(Self { invocation, groups, without_failure: without_failure.into_iter().collect() })
    }
}

/// Puts the finished groups of several output folders together in one, which is made if it is not there. Returns its plan.
///
/// # Errors
/// When one of them is not the output of a batch, they differ in more than their inputs, or a file cannot be read or written.
pub fn merge(from: &[&Path], out: &Path) -> anyhow::Result<(Folder, Plan)> {
    let plans: Vec<Plan> = from.iter().map(|path| Plan::read(&path.join(PLAN))).collect::<anyhow::Result<_>>()?;
    let plan = Plan::union(&plans)?;
    let folder = Folder::open(out, &plan.invocation)?;
    for path in from {
        let other = Folder::of_earlier(path)?;
        for group in &plan.groups {
            let Some(done) = other.done(&group.name) else { continue };
            if folder.done(&group.name).is_none_or(|there| !there.is_complete && done.is_complete) {
                let made = folder.work("merged")?;
                copy(&path.join(&group.name), &made)?;
                folder.publish(&group.name, &made, &done)?;
            }
        }
    }
    plan.write(&folder)?;
    Ok((folder, plan))
}
