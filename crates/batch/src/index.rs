//! The result of a batch: all groups, with what is known of each. It has no times, so it is the same for the same inputs.

use serde::Serialize;

use crate::files::json;
use crate::folder::{Done, FORM, Folder};
use crate::group::Group;
use crate::plan::Plan;

/// The result of a batch.
#[derive(Clone, Debug, Serialize)]
pub struct Index {
    /// The form of `index.json`.
    pub form: u32,
    /// The compiler, as it calls itself.
    pub compiler: String,
    /// How many inputs show a failure.
    pub inputs: usize,
    /// The groups: new ones first, then those of the most inputs.
    pub groups: Vec<Entry>,
    /// The inputs that show no failure, and why.
    pub without_failure: Vec<[String; 2]>,
}

/// A group.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The name of its folder.
    pub name: String,
    /// Its failure in words.
    pub failure: String,
    /// Its failure in a form that two runs can compare, if there is one.
    pub fingerprint: Option<String>,
    /// What has this failure and was known before, if something has.
    pub known: Option<String>,
    /// Groups of the same message or place.
    pub like: Vec<String>,
    /// Its inputs, the cheapest first.
    pub inputs: Vec<String>,
    /// Its result; none if it is not reduced yet.
    pub done: Option<Done>,
}

impl Index {
    /// The results in a folder for the groups of a plan. `known` names what was known before and has the failure of a group; `like`
    /// names the groups that are like one.
    pub fn new(
        plan: &Plan,
        folder: &Folder,
        known: impl Fn(&Group) -> Option<String>,
        like: impl Fn(&Group) -> Vec<String>,
    ) -> Self {
        let entry = |group: &Group| Entry {
            name: group.name.clone(),
            failure: group.failure.words.clone(),
            fingerprint: group.failure.fingerprint.clone(),
            known: known(group),
            like: like(group),
            inputs: group.members.iter().map(|input| input.name.clone()).collect(),
            done: folder.done(&group.name),
        };
        let mut groups: Vec<Entry> = plan.groups.iter().map(entry).collect();
        groups.sort_by_key(|entry| (entry.known.is_some(), usize::MAX - entry.inputs.len(), entry.name.clone()));
        let inputs = groups.iter().map(|entry| entry.inputs.len()).sum();
        let compiler = plan.invocation.compiler().to_owned();
        Self { form: FORM, compiler, inputs, groups, without_failure: plan.without_failure.clone() }
    }

    /// As JSON.
    pub fn json(&self) -> String {
        json(self)
    }
}
