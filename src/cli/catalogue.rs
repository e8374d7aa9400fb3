//! `mcve list` and `mcve explain`, and the choice of transforms by name.

use std::fmt::Write;

use anyhow::anyhow;
use mcve_transforms::{FAMILIES, Transform, named, transforms};
use similar::TextDiff;

use super::exit::{Exit, Failed};

/// All transforms, family by family, a line each.
#[must_use]
pub fn list() -> String {
    let width = transforms().map(|transform| transform.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for family in FAMILIES {
        let _ = writeln!(text, "{}: {}", family.name, family.about);
        for transform in family.transforms {
            let _ = writeln!(text, "  {:width$}  {}", transform.name, transform.summary());
        }
    }
    text
}

/// A transform with its example, or a family with its transforms.
///
/// # Errors
/// When there is none of that name.
pub fn explain(name: &str) -> Result<String, Failed> {
    let found = some_named(name)?;
    let mut text = String::new();
    if let Some(family) = FAMILIES.iter().find(|family| family.name == name) {
        let _ = writeln!(text, "{}: {}\n", family.name, family.about);
    }
    for transform in found {
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
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}

/// The transforms that `--only` and `--skip` leave.
///
/// # Errors
/// When one of the names is none, or nothing is left.
pub fn choose(only: &[String], skip: &[String]) -> Result<Vec<&'static Transform>, Failed> {
    let all = |names: &[String]| -> Result<Vec<&'static Transform>, Failed> {
        names.iter().map(|name| some_named(name)).collect::<Result<Vec<_>, _>>().map(|found| found.concat())
    };
    let (only_found, skipped) = (all(only)?, all(skip)?);
    let wanted = |transform: &&Transform| only.is_empty() || only_found.contains(transform);
    let chosen: Vec<_> = transforms().filter(wanted).filter(|transform| !skipped.contains(transform)).collect();
    if chosen.is_empty() {
        return Err(Failed::new(Exit::Usage, anyhow!("--only and --skip leave no transform")));
    }
    Ok(chosen)
}

fn some_named(name: &str) -> Result<Vec<&'static Transform>, Failed> {
    let found = named(name);
    if !found.is_empty() {
        return Ok(found);
    }
    let names = FAMILIES.iter().map(|family| family.name).chain(transforms().map(|transform| transform.name));
    let like = |known: &&str| known.contains(name) || similar::TextDiff::from_chars(*known, name).ratio() > 0.7;
    let near: Vec<&str> = names.filter(like).take(5).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; near it are {}", near.join(", ")) };
    Err(Failed::new(Exit::Usage, anyhow!("no transform or family is named `{name}`{hint} (`mcve list` shows all)")))
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

    #[test]
    fn only_and_skip_take_names_and_families() {
        let chosen = choose(&["items".to_owned()], &["delete-item".to_owned()]).expect("some are left");
        assert!(!chosen.is_empty() && chosen.iter().all(|transform| transform.name != "delete-item"));
        assert!(choose(&["items".to_owned()], &["items".to_owned()]).is_err());
    }
}
