//! The generated part of `docs/transforms.md`.

use std::collections::BTreeMap;

use anyhow::{Context, anyhow};

use super::cases::Case;
use super::counting::{Count, Known};
use super::rows::{Part, Row};
use super::runs::{self, Outcomes};

const BEGIN: &str = "<!-- begin: made by `cargo run --release -p xtask -- transform-table` -->\n";
const END: &str = "<!-- end -->\n";

/// The head of the table.
pub(super) const HEAD: &str = "\
| transform | corpus: accepted | programs | tokens | others: accepted | programs | tokens | checks | of the proof | with it | without it | in |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

fn part(part: &Part) -> String {
    format!("{} | {} | {:.0}", part.sum.accepted, part.programs.len(), part.sum.tokens)
}

/// A row of the table.
pub(super) fn row(row: &Row, outcomes: &Outcomes) -> String {
    let compared = match row.with_and_without(outcomes) {
        Some((with, without, programs)) => format!("{with} | {without} | {programs}"),
        None if row.programs() == 0 => "- | - | -".to_owned(),
        None => " | | ".to_owned(),
    };
    let checks = row.corpus.sum.checks + row.others.sum.checks;
    let (corpus, others) = (part(&row.corpus), part(&row.others));
    format!("| `{}` | {corpus} | {others} | {checks:.0} | {:.0} | {compared} |", row.name, row.proof.checks)
}

/// All that is generated.
pub(super) fn generated(cases: &[Case], rows: &[Row], outcomes: &Outcomes) -> String {
    let mut text = totals(cases, outcomes);
    text.push_str(&proof(rows, outcomes));
    text.push_str("## The table\n\n");
    text.push_str(HEAD);
    text.push('\n');
    for it in rows {
        text.push_str(&row(it, outcomes));
        text.push('\n');
    }
    text.push_str(&lists(cases, rows));
    text.push_str(&programs(cases, outcomes));
    text
}

fn totals(cases: &[Case], outcomes: &Outcomes) -> String {
    let mut text = "\n## In all\n\n| programs | number | to their end | tokens before | after | checks |\n| --- | ---: | ---: | ---: | ---: | ---: |\n".to_owned();
    for (name, is_corpus) in [("of the corpus", true), ("others", false)] {
        let of: Vec<_> = outcomes
            .iter()
            .filter(|((case, without), _)| without.is_none() && cases[*case].is_corpus == is_corpus)
            .map(|(_, outcome)| outcome)
            .collect();
        let sum =
            |count: fn(&mcve_reduce::event::Summary) -> usize| of.iter().map(|it| count(&it.summary)).sum::<usize>();
        let complete = of.iter().filter(|outcome| runs::is_complete(outcome)).count();
        let (before, after) = (sum(|it| it.before.tokens), sum(|it| it.after.tokens));
        text.push_str(&format!(
            "| {name} | {} | {complete} | {before} | {after} | {} |\n",
            of.len(),
            sum(|it| it.checks)
        ));
    }
    text
}

fn proof(rows: &[Row], outcomes: &Outcomes) -> String {
    let base: Vec<_> = outcomes.iter().filter(|((_, without), _)| without.is_none()).map(|(_, it)| it).collect();
    let checks: usize = base.iter().map(|it| it.summary.checks).sum();
    let mut known: BTreeMap<Known, Count> = BTreeMap::new();
    let mut sum = Count::default();
    for (&kind, &count) in base.iter().flat_map(|it| &it.counts.known) {
        *known.entry(kind).or_default() += count;
        sum += count;
    }
    let trials: usize = base.iter().map(|it| it.counts.trials).sum();
    let mut text = format!(
        "\n## The proof\n\nOf {checks} checks the proof took {:.0}, and gained {:.0} tokens by {} reductions. What trials made took {trials}.\n\n\
         | what the passes would have done | checks | accepted | tokens |\n| --- | ---: | ---: | ---: |\n",
        sum.checks, sum.tokens, sum.accepted
    );
    for (kind, count) in known {
        let kind = match kind {
            Known::Rejected => "left it out: what looks the same was rejected",
            Known::Refused => "left it out: the compiler most likely refuses it",
            Known::New => "checked it",
        };
        text.push_str(&format!("| {kind} | {:.0} | {} | {:.0} |\n", count.checks, count.accepted, count.tokens));
    }
    text.push_str("\nThe transforms that the proof accepted:\n\n| transform | checks of the proof | accepted | tokens |\n| --- | ---: | ---: | ---: |\n");
    let mut gained: Vec<&Row> = rows.iter().filter(|row| row.proof.accepted > 0).collect();
    gained.sort_by(|one, other| other.proof.tokens.total_cmp(&one.proof.tokens));
    for row in gained {
        let Count { accepted, tokens, checks } = row.proof;
        text.push_str(&format!("| `{}` | {checks:.0} | {accepted} | {tokens:.0} |\n", row.name));
    }
    let without: f64 = rows.iter().filter(|row| row.proof.accepted == 0).map(|row| row.proof.checks).sum();
    text.push_str(&format!(
        "\nAll others together took {without:.0} checks of the proof and gained nothing there.\n\n"
    ));
    text
}

/// The transforms by where they were of use.
fn lists(cases: &[Case], rows: &[Row]) -> String {
    let names = |is_it: &dyn Fn(&Row) -> bool| {
        let names: Vec<String> = rows.iter().filter(|row| is_it(row)).map(|row| format!("`{}`", row.name)).collect();
        format!("{} transforms: {}.\n", names.len(), names.join(", "))
    };
    let each = |is_it: &dyn Fn(&Row) -> bool| {
        let line = |row: &Row| {
            let programs = row.others.programs.keys().chain(row.corpus.programs.keys());
            let programs: Vec<&str> = programs.map(|case| &*cases[*case].name).collect();
            format!("- `{}`: {}\n", row.name, programs.join("; "))
        };
        rows.iter().filter(|row| is_it(row)).map(line).collect::<String>()
    };
    let sizes = |row: &Row| (row.corpus.programs.len(), row.others.programs.len());
    let gains = |row: &Row| row.corpus.sum.tokens + row.others.sum.tokens >= 0.5;
    let mut text = "\n## Where they were of use\n\n### Nowhere accepted\n\n".to_owned();
    text.push_str(&names(&|row| row.programs() == 0));
    text.push_str("\n### Accepted, but no token gained\n\n");
    text.push_str(&names(&|row| row.programs() > 0 && !gains(row)));
    text.push_str("\n### In one case of the corpus only\n\n");
    text.push_str(&each(&|row| sizes(row) == (1, 0)));
    text.push_str("\n### In several cases of the corpus, and nowhere else\n\n");
    text.push_str(&each(&|row| sizes(row).0 > 1 && sizes(row).1 == 0));
    text.push_str("\n### In one or two programs that are not of the corpus\n\n");
    text.push_str(&each(&|row| (1..=2).contains(&sizes(row).1)));
    text
}

fn programs(cases: &[Case], outcomes: &Outcomes) -> String {
    let mut text =
        "\n## The programs\n\n| program | tokens | result | checks | ended |\n| --- | ---: | ---: | ---: | --- |\n"
            .to_owned();
    for ((case, _), outcome) in outcomes.iter().filter(|((_, without), _)| without.is_none()) {
        let summary = &outcome.summary;
        let ended = if runs::is_complete(outcome) { "proved" } else { "cut short" };
        let (before, after) = (summary.before.tokens, summary.after.tokens);
        text.push_str(&format!("| {} | {before} | {after} | {} | {ended} |\n", cases[*case].name, summary.checks));
    }
    text
}

/// Puts what was generated between the marks of the page.
pub(super) fn write(generated: &str) -> anyhow::Result<()> {
    let path = crate::root().join("docs/transforms.md");
    let page = std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let (head, rest) = page.split_once(BEGIN).ok_or_else(|| anyhow!("no mark of the beginning"))?;
    let (_, tail) = rest.split_once(END).ok_or_else(|| anyhow!("no mark of the end"))?;
    std::fs::write(path, format!("{head}{BEGIN}{generated}{END}{tail}"))?;
    Ok(())
}
