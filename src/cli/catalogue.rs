//! `mcve list` and `mcve explain`, and the choice of transforms and passes by name.

use std::fmt::Write;

use mcve_transforms::{Transform, families, named, transforms};
use similar::TextDiff;

use super::exit::{Failed, failed};
use crate::report::log::Run;
use mcve_reduce::search::by_generator;
use mcve_reduce::search::passes::schedule::{Pass, Schedule};
use mcve_reduce::search::passes::{growing, minimality};

/// The steps that progress reports besides the passes of the schedule.
const OTHERS: [(&str, &str); 3] = [
    (by_generator::PASS, "Shrink the choices of the generator that made the program."),
    (growing::NAME, "Let the program grow for a moment where it may shrink by more after that."),
    (minimality::NAME, "Try every single step again, until none makes the program smaller."),
];

/// All transforms, family by family, and all passes in order, a line each; or the transforms whose names, documentation or
/// examples have a word.
pub(super) fn list(word: Option<&str>) -> Result<String, Failed> {
    let width = transforms().map(|transform| transform.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    if let Some(word) = word {
        let word = word.to_lowercase();
        for transform in transforms().filter(|it| it.name.contains(&word) || it.doc.to_lowercase().contains(&word)) {
            let _ = writeln!(text, "{:width$}  {}", transform.name, transform.summary());
        }
        return if text.is_empty() {
            Err(failed!(Usage, "no transform has `{word}` in its name, description or example: `mcve list` shows all"))
        } else {
            Ok(text)
        };
    }
    for family in families() {
        let _ = writeln!(text, "{}: {}", family.name, family.about);
        for transform in family.transforms {
            let _ = writeln!(text, "  {:width$}  {}", transform.name, transform.summary());
        }
    }
    text.push_str("passes: what is tried, in this order\n");
    for pass in Schedule::default().all() {
        let _ = writeln!(text, "  {:width$}  {}", pass.name, pass.strategy.about());
    }
    Ok(text)
}

/// A transform with its example, a family with its transforms, or a pass with what it tries. One name may stand for a family
/// and for a pass.
pub(super) fn explain(name: &str) -> Result<String, Failed> {
    let mut text = String::new();
    if let Some((_, about)) = OTHERS.iter().find(|(other, _)| *other == name) {
        let _ = writeln!(text, "{name}, a part of each run: {about}");
        return Ok(text);
    }
    let is_named = !named(name).is_empty();
    for pass in passes(name)? {
        let _ = writeln!(text, "{name}, a pass: {}", pass.strategy.about());
        let _ = writeln!(text, "It tries: {}", pass.of.tries().join(", "));
        // Those of a family of this name are explained below.
        for transform in pass.transforms().iter().filter(|_| !is_named) {
            let _ = writeln!(text, "  {}: {}", transform.name, transform.summary());
        }
        text.push('\n');
    }
    if let Some(family) = families().find(|family| family.name == name) {
        let _ = writeln!(text, "{}: {}\n", family.name, family.about);
    }
    for transform in named(name) {
        explain_transform(transform, &mut text);
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}

fn explain_transform(transform: &Transform, text: &mut String) {
    let remarks = transform.doc.split("```").nth(2).unwrap_or_default();
    let _ = writeln!(text, "{}: {}", transform.name, transform.summary());
    if let Some((before, after)) = transform.example() {
        let diff = TextDiff::from_lines(&before, &after);
        for change in diff.iter_all_changes() {
            let _ = writeln!(text, "  {}{}", change.tag(), change.value().trim_end_matches('\n'));
        }
    }
    for line in remarks.trim().lines() {
        let _ = writeln!(text, "  {}", line.trim());
    }
    text.push('\n');
}

/// The names of what `name`, a transform, a family or a pass, stands for in the log of a run.
/// Fails when there is none of that name, neither now nor in the run.
pub(super) fn transforms_of(name: Option<&str>, run: &Run) -> Result<Vec<String>, Failed> {
    if let Some(name) = name.filter(|name| !run.names(name)) {
        explain(name)?;
    }
    let transforms = name.into_iter().flat_map(stands_for).map(|transform| transform.name);
    Ok(transforms.chain(name).map(str::to_owned).collect())
}

/// The transforms that `--only` and `--skip` leave. Fails when one of the names is none, or nothing is left.
pub(super) fn choose(only: &[String], skip: &[String]) -> Result<Vec<&'static Transform>, Failed> {
    for name in only.iter().chain(skip) {
        passes(name)?;
    }
    let run = schedule(only, skip).all();
    let is_run = |transform: &Transform| run.iter().any(|pass| pass.transforms().contains(&transform));
    let skipped: Vec<_> = skip.iter().flat_map(|name| named(name)).collect();
    let wanted: Vec<_> = only.iter().flat_map(|name| stands_for(name)).collect();
    let is_wanted = |transform: &Transform| only.is_empty() || wanted.contains(&transform);
    let chosen: Vec<_> = transforms()
        .filter(|transform| is_wanted(transform) && is_run(transform) && !skipped.contains(transform))
        .collect();
    if chosen.is_empty() {
        return Err(failed!(Usage, "--only and --skip leave no transform"));
    }
    Ok(chosen)
}

/// The passes that `--only` and `--skip` leave: those that are not skipped, and where `--only` names nothing but passes, these.
pub(super) fn schedule(only: &[String], skip: &[String]) -> Schedule {
    let names = |names: &[String], pass: &Pass| names.iter().any(|name| name == pass.name);
    let are_passes = !only.is_empty() && only.iter().all(|name| named(name).is_empty());
    let mut schedule = Schedule::default();
    schedule.retain(|pass| !names(skip, pass) && (!are_passes || names(only, pass)));
    schedule
}

/// The transforms of that name or family, or those that a pass of that name tries.
fn stands_for(name: &str) -> Vec<&'static Transform> {
    let found = named(name);
    if !found.is_empty() {
        return found;
    }
    Schedule::default().all().iter().filter(|pass| pass.name == name).flat_map(Pass::transforms).collect()
}

/// The passes of a name, which need not be any where it is that of a family or transform.
fn passes(name: &str) -> Result<Vec<Pass>, Failed> {
    let all = Schedule::default().all();
    let found: Vec<_> = all.iter().filter(|pass| pass.name == name).copied().collect();
    if !found.is_empty() || !named(name).is_empty() {
        return Ok(found);
    }
    if OTHERS.iter().any(|(other, _)| *other == name) {
        return Err(failed!(
            Usage,
            "`{name}` is a part of each run, and no transform, family or pass (`mcve list` shows these)"
        ));
    }
    let names = families().map(|family| family.name).chain(transforms().map(|transform| transform.name));
    let like = |known: &&str| known.contains(name) || similar::TextDiff::from_chars(*known, name).ratio() > 0.7;
    let names = names.chain(all.iter().map(|pass| pass.name)).filter(like);
    let mut near: Vec<&str> = Vec::new();
    names.for_each(|name| {
        if !near.contains(&name) {
            near.push(name);
        }
    });
    near.truncate(5);
    let hint = if near.is_empty() { String::new() } else { format!("; near it are {}", near.join(", ")) };
    Err(failed!(Usage, "no transform, family or pass is named `{name}`{hint} (`mcve list` shows all)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_transform_can_be_explained() {
        for transform in transforms() {
            assert!(explain(transform.name).is_ok_and(|text| text.contains(transform.summary())));
        }
    }

    #[test]
    fn a_wrong_name_is_told_with_what_is_near() {
        let failed = explain("delete-itm").expect_err("there is none");
        assert!(failed.error.to_string().contains("delete-item"), "{}", failed.error);
    }

    #[track_caller]
    fn check(only: &str, skip: &str, chosen: impl Fn(&str) -> bool, runs: impl Fn(&str) -> bool) {
        let names = |text: &str| text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let (only, skip) = (names(only), names(skip));
        let found = choose(&only, &skip).expect("some are left");
        for transform in transforms() {
            assert_eq!(found.contains(&transform), chosen(transform.name), "{}", transform.name);
        }
        let left = schedule(&only, &skip).all();
        for pass in Schedule::default().all() {
            assert_eq!(left.iter().any(|left| left.name == pass.name), runs(pass.name), "{}", pass.name);
        }
    }

    #[test]
    fn only_and_skip_take_passes() {
        let of = |family: &'static str| move |name: &str| named(family).iter().any(|transform| transform.name == name);
        check("", "rustc-hints", |_| true, |pass| pass != "rustc-hints");
        check("", "rustc-hints,late-hints", |name| !of("suggestions")(name), |pass| !pass.ends_with("-hints"));
        // What no other pass tries is not tried.
        check("", "unknown-expansions", |name| name != "expand-unknown-macro", |pass| pass != "unknown-expansions");
        let of_types = ["types", "types-everywhere", "typed-values"];
        check("", "types", |name| !of_types.iter().any(|family| of(family)(name)), |pass| pass != "types");
        check("single-items", "", of("items"), |pass| pass == "single-items");
        check("items", "", of("items"), |_| true);
        check(
            "unknown-expansions,delete-item",
            "",
            |name| ["expand-unknown-macro", "delete-item"].contains(&name),
            |_| true,
        );
    }

    #[test]
    fn what_progress_tells_of_can_be_explained() {
        let passes = Schedule::default().all();
        for name in passes.iter().map(|pass| pass.name).chain(OTHERS.map(|(name, _)| name)) {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
            let text = explain(name).expect("it is shown");
            assert!(text.starts_with(&format!("{name}, a pa")), "{text}");
        }
        let items = explain("items").expect("it is shown");
        assert!(items.contains("It tries: items, delete-use-leaf") && items.contains("delete-item: "), "{items}");
        let failed = choose(&[], &["proof".to_owned()]).expect_err("it is always run");
        assert!(failed.error.to_string().contains("a part of each run"), "{}", failed.error);
    }

    #[test]
    fn only_and_skip_take_names_and_families() {
        let chosen = choose(&["items".to_owned()], &["delete-item".to_owned()]).expect("some are left");
        assert!(!chosen.is_empty() && chosen.iter().all(|transform| transform.name != "delete-item"));
        assert!(choose(&["items".to_owned()], &["items".to_owned()]).is_err());
    }
}
