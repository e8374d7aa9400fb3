//! A result with labels under its parts, as rustc prints them, and why it got no smaller.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use mcve_reduce::event::Attempt;
use mcve_reduce::visible::visible;

use super::explain::{NOT_ALL, reason};
use super::labels::{Label, general, labels, short};
use crate::report::log::{ResultLine, Run};
use crate::report::terminal::Shown;

/// A result with more tokens is large: what holds most of it is listed.
const LARGE: usize = 200;

/// So many of the nearest candidates, and of the largest parts, are listed.
const LISTED: usize = 5;

/// The result at `path` with its labels, and why it got no smaller; of some lines only, without the latter, if `only` says which.
pub(crate) fn labelled(run: &Run, path: &Path, title: &str, only: Option<&[usize]>) -> Shown {
    let labels = [labels(run), general(run)].concat();
    let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, line) in run.lines.iter().enumerate() {
        files.entry(&line.file).or_default().push(index);
    }
    let is_lone = files.len() == 1;
    let is_wanted = |label: &&Label| only.is_none_or(|only| only.contains(&label.line));
    let labels: Vec<&Label> = labels.iter().filter(is_wanted).collect();
    let files =
        files.into_iter().filter(|(_, lines)| only.is_none_or(|only| lines.iter().any(|line| only.contains(line))));
    let snippets = files.map(|(file, lines)| {
        let file = if is_lone { path.display().to_string() } else { file.to_owned() };
        snippet(run, &file, &lines, &labels, only.is_none())
    });
    let group = Group::with_title(Level::NOTE.primary_title(visible(title))).elements(snippets);
    let text = Renderer::styled().render(&[group]);
    let end = if only.is_some() { String::new() } else { limits(run, is_lone.then_some(path)) };
    Shown::rendered(text).and(Shown::plain(format_args!("\n\n{end}")))
}

/// A file with its labels.
fn snippet<'a>(
    run: &'a Run,
    file: &str,
    lines: &[usize],
    labels: &[&Label],
    is_whole: bool,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let (mut source, mut annotations) = (String::new(), Vec::new());
    for index in lines {
        let (line, start) = (&run.lines[*index], source.len());
        let shown = visible(&line.text);
        // The places in a line with escapes are others.
        let is_same = *shown == *line.text;
        for label in labels.iter().filter(|label| label.line == *index && is_same) {
            let span = start + label.start..start + label.end;
            annotations.push(AnnotationKind::Context.span(span).label(visible(&label.text)));
        }
        source += &shown;
        source.push('\n');
    }
    let first = lines.first().map_or(1, |index| run.lines[*index].line);
    let path = visible(file);
    Snippet::source(source).line_start(first).path(path).fold(!is_whole).annotations(annotations)
}

/// Why the result, which is a lone file if there is a path, got no smaller.
fn limits(run: &Run, lone: Option<&Path>) -> String {
    let mut words = String::new();
    let refused = run.tried.iter().filter(|attempt| attempt.rejection.is_some()).count();
    // Writing to a string never fails.
    let _ = match &run.end {
        Some(end) if end.one_minimal => {
            writeln!(words, "1-minimal: {refused} changes of the result were tried, and none keeps the failure.")
        }
        _ => writeln!(words, "{NOT_ALL}"),
    };
    // Changes with the same answer differ in little.
    let mut nearest: BTreeMap<&str, String> = BTreeMap::new();
    for Attempt { before, after, rejection, .. } in run.tried.iter().filter(|attempt| is_near(attempt)) {
        let why = rejection.as_ref().map_or("", reason);
        let before = short(before);
        let change =
            if after.is_empty() { format!("without `{before}`") } else { format!("`{}` for `{before}`", short(after)) };
        nearest.insert(why, format!("  {change}: {why}\n"));
    }
    if !nearest.is_empty() {
        let _ = writeln!(words, "\nThe nearest that were refused fail otherwise:");
        words.extend(nearest.into_values().take(LISTED));
    }
    let parts = largest(run, lone);
    if run.end.as_ref().is_some_and(|end| end.after.tokens > LARGE) && !parts.is_empty() {
        let _ = writeln!(words, "\nWhat holds most of it:");
        words.extend(parts);
    }
    words
}

/// Whether a candidate was refused though it fails: in another way.
fn is_near(attempt: &Attempt) -> bool {
    const OTHERWISE: [&str; 5] =
        ["another failure", "the test fails otherwise", "other labels", "other tests fail", "another message"];
    let reason = attempt.rejection.as_ref().map_or("", |rejection| &*rejection.reason);
    OTHERWISE.iter().any(|otherwise| reason.starts_with(otherwise))
}

/// The parts with most lines whose removal was refused, and why.
fn largest(run: &Run, lone: Option<&Path>) -> Vec<String> {
    let mut extents: BTreeMap<usize, Vec<&ResultLine>> = BTreeMap::new();
    for line in &run.lines {
        for at in &line.tried {
            if run.tried.get(at.number).is_some_and(|attempt| attempt.after.is_empty()) {
                extents.entry(at.number).or_default().push(line);
            }
        }
    }
    let mut extents: Vec<(usize, Vec<&ResultLine>)> = extents.into_iter().collect();
    extents.sort_by_key(|(_, lines)| std::cmp::Reverse(lines.len()));
    let mut taken: Vec<(String, usize)> = Vec::new();
    let mut parts = Vec::new();
    for (number, lines) in extents {
        let (first, last) = (lines[0], lines[lines.len() - 1]);
        let is_new = lines.iter().all(|line| !taken.contains(&(line.file.clone(), line.line)));
        let Some(rejection) = run.tried[number].rejection.as_ref().filter(|_| is_new && lines.len() > 1) else {
            continue;
        };
        taken.extend(lines.iter().map(|line| (line.file.clone(), line.line)));
        let file = lone.map_or_else(|| first.file.clone(), |path| path.display().to_string());
        let text = first.text.trim();
        parts.push(format!("  {file}:{}-{}: `{text}`; without it: {}\n", first.line, last.line, reason(rejection)));
        if parts.len() == LISTED {
            break;
        }
    }
    parts
}
