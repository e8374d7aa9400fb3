//! What agents and scripts are given: the front matter and the exit codes of the skill, the workflow with its script.

use std::collections::BTreeSet;

use crate::repository::{read, root};

/// The numbers in the first column of the tables below a heading.
fn codes(page: &str, heading: &str) -> BTreeSet<u8> {
    let (_, part) = page.split_once(heading).expect("the page has the heading");
    let part = part.split("\n## ").next().expect("there is a first part");
    part.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse().ok()).collect()
}

#[test]
fn the_skill_has_a_name_a_description_and_all_exit_codes() {
    let skill = read("skills/mcve/SKILL.md");
    let mut lines = skill.lines();
    assert_eq!([lines.next(), lines.next()], [Some("---"), Some("name: mcve")], "it has the name of its folder");
    let description = lines.next().and_then(|line| line.strip_prefix("description: ")).expect("it is described");
    assert!((100..1024).contains(&description.len()) && !description.contains(": "), "{description}");
    assert_eq!(lines.next(), Some("---"));
    assert!(skill.lines().count() < 150, "an agent reads all of it");
    assert_eq!(codes(&skill, "## Read the answer"), codes(&read("docs/reference.md"), "## Exit codes"));
}

#[test]
fn the_fields_that_the_skill_names_are_those_of_the_event() {
    let (skill, reference) = (read("skills/mcve/SKILL.md"), read("docs/reference.md"));
    let (_, finished) = reference.split_once("| `finished` |").expect("the event is there");
    let finished = finished.lines().next().expect("there is a row");
    for field in ["output", "command", "pass", "one_minimal"] {
        assert!(skill.contains(&format!("`{field}`")) && finished.contains(&format!("`{field}`")), "{field}");
    }
}

#[test]
fn the_workflow_runs_the_script_and_keeps_its_results() {
    let (workflow, script) = (read("skills/ci/reduce-on-red.yml"), read("skills/ci/reduce-on-red.sh"));
    let call = workflow.lines().find_map(|line| line.split_once("sh ci/")).expect("it calls a script").1;
    let name = call.split(' ').next().expect("it has a name");
    assert!(root().join("skills/ci").join(name).exists(), "{name}");
    let folder = script.lines().find_map(|line| line.strip_prefix("folder=${REDUCE_DIR:-")).expect("it has a folder");
    assert!(workflow.contains(&format!("          path: {}\n", folder.trim_end_matches('}'))), "{folder}");
    for variable in workflow.lines().filter_map(|line| line.trim().strip_prefix("REDUCE_")?.split(':').next()) {
        assert!(script.contains(&format!("${{REDUCE_{variable}")), "{variable}");
    }
}
