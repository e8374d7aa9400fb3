//! Why a part of a result is still there: the attempts at it, from the log of the run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;

use mcve_transforms::{Analysis, Edit, Kind, Source, Tree, enumerate, enumerate_trials, named, tokens};

use super::log::{EditOf, Files, Line, ProgramLine, TriedLine, read, shown};
use mcve_reduce::program::Program;

/// So many changes of a line are shown that were checked, of more than the line, and of those that were refused unchecked for one
/// reason.
const OWN: usize = 24;
const LARGER: usize = 4;
const ALIKE: usize = 3;

/// So many reasons and transforms are listed.
const LISTED: usize = 12;

/// A log that was read.
pub struct Run {
    programs: HashMap<usize, Made>,
    tried: HashMap<usize, Vec<TriedLine>>,
    /// The number of the result, or of the last program.
    result: usize,
    /// How the run ended; none where the log was cut off.
    ending: Option<String>,
}

struct Made {
    line: ProgramLine,
    text: String,
    /// What went for each edit.
    gone: Vec<String>,
    /// The transforms that made it.
    by: BTreeSet<String>,
}

/// A program that the result was made of.
struct Ancestor<'r> {
    made: &'r Made,
    /// Where tokens of the result were in it.
    places: Vec<Option<Range<usize>>>,
}

/// A change that was refused.
struct Found<'r> {
    /// Where it was proposed last.
    last: &'r TriedLine,
    /// Where the reason says most.
    why: &'r TriedLine,
    /// The tokens of the result that it would have changed.
    tokens: Vec<usize>,
    /// How many bytes it would have changed besides.
    others: usize,
}

impl Run {
    /// Reads a log.
    ///
    /// # Errors
    /// When it cannot be read, or is no log of a reduction.
    pub fn read(path: &Path) -> io::Result<Self> {
        let no_log = |why: &str| io::Error::new(ErrorKind::InvalidData, why.to_owned());
        let mut lines = read(path)?;
        if !lines.next().is_some_and(|line| matches!(line, Ok(Line::Log { .. }))) {
            return Err(no_log("it is no log: `mcve --log FILE` writes one"));
        }
        let mut run = Self { programs: HashMap::new(), tried: HashMap::new(), result: 0, ending: None };
        for line in lines {
            match line {
                Ok(Line::Program(line)) => {
                    (run.result, run.ending) = (line.program, None);
                    let made = run.make(line).ok_or_else(|| no_log("it is damaged"))?;
                    run.programs.insert(run.result, made);
                }
                Ok(Line::Tried(tried)) => {
                    // What was taken comes behind the program that it made.
                    let made = run.programs.get_mut(&run.result).filter(|made| made.line.from == Some(tried.base));
                    if let (None, Some(made)) = (&tried.by, made) {
                        made.by.insert(tried.transform.clone());
                    }
                    run.tried.entry(tried.base).or_default().push(*tried);
                }
                Ok(Line::Result { program, ending }) => (run.result, run.ending) = (program, Some(ending)),
                Ok(Line::Log { .. }) => {}
                // The run was killed while it wrote this.
                Err(error) if matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => break,
                Err(error) => return Err(error),
            }
        }
        if run.programs.contains_key(&run.result) { Ok(run) } else { Err(no_log("no reduction is in it")) }
    }

    fn make(&self, line: ProgramLine) -> Option<Made> {
        let before = line.from.map_or(Some(""), |from| Some(&*self.programs.get(&from)?.text))?;
        let (mut text, mut at, mut gone) = (String::new(), 0, Vec::new());
        for (start, end, written) in &line.edits {
            text = text + before.get(at..*start)? + written;
            gone.push(before.get(*start..*end)?.to_owned());
            at = *end;
        }
        text += before.get(at..)?;
        Some(Made { line, text, gone, by: BTreeSet::new() })
    }

    /// The programs that the result was made of, from the last to the first, with where these tokens of the result were.
    fn ancestors(&self, tokens: &[Range<usize>]) -> Vec<Ancestor<'_>> {
        let (mut made, mut places) =
            (&self.programs[&self.result], tokens.iter().cloned().map(Some).collect::<Vec<_>>());
        let mut ancestors = Vec::new();
        loop {
            let before = places.iter().map(|place| made.before(place.as_ref()?)).collect();
            ancestors.push(Ancestor { made, places: std::mem::replace(&mut places, before) });
            let Some(from) = made.line.from.and_then(|from| self.programs.get(&from)) else { return ancestors };
            made = from;
        }
    }

    /// The changes of tokens of the result that were refused, those of the least first; each once.
    fn refused(&self, ancestors: &[Ancestor<'_>]) -> Vec<Found<'_>> {
        let mut all: Vec<Found<'_>> = Vec::new();
        let mut known: HashMap<(&str, Vec<usize>, Vec<&str>), usize> = HashMap::new();
        for Ancestor { made, places } in ancestors {
            let tried = self.tried.get(&made.line.program).into_iter().flatten();
            for tried in tried.filter(|tried| tried.by.is_some()) {
                let Some(found) = Found::of(tried, &made.text, places) else { continue };
                let written = tried.edits.iter().map(|(.., written)| &**written).collect();
                let at = *known.entry((&tried.transform, found.tokens.clone(), written)).or_insert(all.len());
                match all.get_mut(at) {
                    None => all.push(found),
                    Some(other) if tried.rank() > other.why.rank() => other.why = tried,
                    Some(_) => {}
                }
            }
        }
        all.sort_by_key(|found| (found.others, found.why.together, found.tokens.len(), found.tokens[0]));
        all
    }

    /// Whether a transform or a pass of this name proposed something.
    #[must_use]
    pub fn names(&self, name: &str) -> bool {
        self.tried.values().flatten().any(|tried| tried.transform == name)
    }

    /// Why a line of the result is as it is, or what transforms or passes of these names tried there or anywhere.
    ///
    /// # Errors
    /// With a sentence, where there is no such line.
    pub fn explain(&self, line: Option<(Option<&str>, usize)>, only: &[&str]) -> Result<String, String> {
        let result = &self.programs[&self.result];
        let files = Files::of(&result.line.name, &result.text, result.line.is_document);
        let mut words = String::new();
        if self.ending.as_deref() != Some("complete") {
            words.push_str("The run did not come to its end: not all was tried.\n\n");
        }
        let mut all = tokens(&result.text);
        all.retain(|token| token.kind == Kind::Code);
        let mut all: Vec<Range<usize>> = all.into_iter().map(|token| token.range).collect();
        if let Some((file, line)) = line {
            let named = |path: &&str| file.is_none_or(|file| *path == file || path.ends_with(&format!("/{file}")));
            let paths: Vec<&str> = files.paths().filter(named).collect();
            let [path] = paths[..] else {
                return Err(format!(
                    "name one of its files by --line FILE:N: {}",
                    files.paths().collect::<Vec<_>>().join(", ")
                ));
            };
            let text = files.line(path, line).ok_or_else(|| format!("{path} has no line {line}"))?;
            all.retain(|token| matches!(files.place(token.start), (own, at, _) if own == path && at == line));
            let _ = writeln!(words, "{path}:{line}: {}\n", text.trim());
        } else if only.is_empty() {
            return Ok(words + &self.summary());
        }
        let ancestors = self.ancestors(&all);
        let mut found = self.refused(&ancestors);
        found.retain(|found| only.is_empty() || only.contains(&&*found.last.transform));
        let (own, larger): (Vec<_>, Vec<_>) = found.iter().partition(|found| line.is_none() || found.others == 0);
        let (checked, unchecked): (Vec<_>, Vec<_>) = own.into_iter().partition(|found| found.is_checked());
        let most = |count: usize| if only.is_empty() { count } else { usize::MAX };
        let place = |found: &Found<'_>| match line {
            Some(_) => String::new(),
            None => {
                let (path, line, column) = files.place(all[found.tokens[0]].start);
                format!("{path}:{line}:{column}: ")
            }
        };
        for (list, most, what) in
            [(checked, most(OWN), "of this line"), (larger, most(LARGER), "of more than this line")]
        {
            for found in list.iter().take(most) {
                let _ = writeln!(words, "{}{}\n    {}", place(found), found.change(), found.reason());
            }
            if list.len() > most {
                let _ = writeln!(words, ".. and {} more changes {what}", list.len() - most);
            }
        }
        let mut by_reason: BTreeMap<String, Vec<&Found<'_>>> = BTreeMap::new();
        unchecked.into_iter().for_each(|found| by_reason.entry(found.reason()).or_default().push(found));
        for (reason, list) in by_reason {
            let _ = writeln!(words, "{reason}");
            for found in list.iter().take(most(ALIKE)) {
                let _ = writeln!(words, "    {}{}", place(found), found.change());
            }
            if list.len() > most(ALIKE) {
                let _ = writeln!(words, "    .. and {} more", list.len() - ALIKE);
            }
        }
        let not_tried: String = only.iter().map(|name| not_tried(&result.text, name, &all, &found)).collect();
        words.push_str(&not_tried);
        if !only.is_empty() && found.is_empty() && not_tried.is_empty() {
            let _ = writeln!(words, "{} proposed nothing that could change this", only.join(", "));
        }
        if only.is_empty() {
            let changed = |index: usize, most: usize| {
                found.iter().any(|found| found.others <= most && found.tokens.contains(&index))
            };
            let mut left: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for index in (0..all.len()).filter(|index| !changed(*index, 0)) {
                let writer = ancestors.iter().find(|ancestor| ancestor.made.writes(&ancestor.places[index]));
                let why = match writer.filter(|_| !changed(index, usize::MAX)) {
                    Some(Ancestor { made, .. }) => {
                        format!("Written by {}", made.by.iter().cloned().collect::<Vec<_>>().join(", "))
                    }
                    None if changed(index, usize::MAX) => "Only proposed with more than this line".to_owned(),
                    None => "No transform proposed to change".to_owned(),
                };
                left.entry(why).or_default().push(index);
            }
            for (why, tokens) in left {
                let runs = tokens.chunk_by(|one, next| one + 1 == *next);
                let runs = runs.map(|run| &result.text[all[run[0]].start..all[run[run.len() - 1]].end]);
                // Brackets go with what is in them.
                let says = |text: &&str| !why.starts_with("Only") || text.contains(char::is_alphanumeric);
                let runs: Vec<_> = runs.filter(says).map(|text| format!("`{text}`")).collect();
                if runs.is_empty() {
                    continue;
                }
                let _ = writeln!(words, "{why}: {}", runs.join(", "));
            }
        }
        Ok(words)
    }

    /// How many changes were tried, who refused them, and why.
    fn summary(&self) -> String {
        let all = || self.tried.values().flatten();
        let taken = all().filter(|tried| tried.by.is_none()).count();
        let refused = all().count() - taken;
        let mut words = format!("{} changes were tried: {taken} were taken, and {refused} refused\n", taken + refused);
        let (mut reasons, mut transforms) = (BTreeMap::<String, usize>::new(), BTreeMap::<&str, [usize; 2]>::new());
        for tried in all() {
            transforms.entry(&tried.transform).or_default()[usize::from(tried.by.is_some())] += 1;
            let head = |reason: &str| reason.split([':', ';']).next().unwrap_or_default().to_owned();
            let reason = tried.by.as_ref().map(|by| match (tried.check, &**by) {
                (Some(_), _) | (None, "cache" | "journal") => head(&tried.reason),
                (None, by) => format!("{by}: {}", tried.reason),
            });
            reason.into_iter().for_each(|reason| *reasons.entry(reason).or_default() += 1);
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, count)| Reverse(*count));
        words.push_str("\nrefused  why\n");
        for (reason, count) in reasons.into_iter().take(LISTED) {
            let _ = writeln!(words, "{count:7}  {reason}");
        }
        let mut transforms: Vec<_> = transforms.into_iter().collect();
        transforms.sort_by_key(|(_, [taken, refused])| Reverse((*taken, *refused)));
        words.push_str("\n  taken  refused  transform\n");
        for (name, [taken, refused]) in transforms.into_iter().take(LISTED) {
            let _ = writeln!(words, "{taken:7}  {refused:7}  {name}");
        }
        words
    }
}

impl Made {
    /// Whether a token that is there was not before the edits. The first program is nobody's.
    fn writes(&self, token: &Option<Range<usize>>) -> bool {
        self.line.from.is_some() && token.as_ref().is_some_and(|token| self.before(token).is_none())
    }

    /// Where a token was before the edits; none if it is new.
    fn before(&self, token: &Range<usize>) -> Option<Range<usize>> {
        let (mut new, mut old) = (0, 0);
        for ((start, end, written), gone) in self.line.edits.iter().zip(&self.gone) {
            new += start - old;
            if token.start < new {
                return Some(token.start + start - new..token.end + start - new);
            }
            if token.start < new + written.len() {
                let (was, at) = (Program::new("", &**gone).traced(), token.start - new);
                let from = was.with_text(&**written).origin_of(at)?;
                return Some(start + from.start..start + from.end);
            }
            (new, old) = (new + written.len(), *end);
        }
        Some(token.start + old - new..token.end + old - new)
    }
}

impl<'r> Found<'r> {
    fn of(tried: &'r TriedLine, base: &str, places: &[Option<Range<usize>>]) -> Option<Self> {
        let bytes = |start: usize, end: usize| {
            let text = base.get(start..end).unwrap_or_default();
            text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count()
        };
        let shared =
            |place: &Range<usize>, (start, end, _): &EditOf| bytes(place.start.max(*start), place.end.min(*end));
        let changed = |place: &Range<usize>| tried.edits.iter().map(|edit| shared(place, edit)).sum::<usize>();
        let own: Vec<usize> = places.iter().map(|place| place.as_ref().map_or(0, changed)).collect();
        let tokens: Vec<usize> = (0..places.len()).filter(|index| own[*index] > 0).collect();
        let all: usize = tried.edits.iter().map(|(start, end, _)| bytes(*start, *end)).sum();
        let others = all.saturating_sub(own.iter().sum());
        (!tokens.is_empty()).then_some(Self { last: tried, why: tried, tokens, others })
    }

    fn is_checked(&self) -> bool {
        self.why.check.is_some() || matches!(self.why.by.as_deref(), Some("cache" | "journal" | "trial"))
    }

    /// What would have been there.
    fn change(&self) -> String {
        let TriedLine { before, after, transform, .. } = self.last;
        format!("{} ({transform})", change(before, after))
    }

    /// Who refused it, and why.
    fn reason(&self) -> String {
        let TriedLine { by, check, together, reason, .. } = self.why;
        let others = match together {
            1 => String::new(),
            together => format!(", with {} other changes", together - 1),
        };
        match (check, by.as_deref().unwrap_or_default()) {
            (Some(check), _) => format!("check {check}{others}: {reason}"),
            (None, "cache" | "journal") => format!("a check before the search{others}: {reason}"),
            (None, "trial") => format!("as a trial: {reason}"),
            (None, by) => format!("not checked{others}, {by}: {reason}"),
        }
    }
}

impl TriedLine {
    /// How much its reason says: a check says more than a filter.
    fn rank(&self) -> (bool, Reverse<usize>) {
        (self.check.is_some(), Reverse(self.together))
    }
}

/// A change in words, on one line.
fn change(before: &str, after: &str) -> String {
    let [before, after] = [before, after].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    if after.is_empty() { format!("without `{before}`") } else { format!("`{after}` for `{before}`") }
}

/// What the transform of this name, if there is one, proposes for these tokens of the result that was not tried.
fn not_tried(text: &str, name: &str, tokens: &[Range<usize>], found: &[Found<'_>]) -> String {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let transforms = named(name).into_iter().filter(|transform| transform.name == name);
    let proposed = transforms.flat_map(|transform| [enumerate(&names, transform), enumerate_trials(&names, transform)]);
    let mut words = String::new();
    for reduction in proposed.flatten() {
        let touches =
            |Edit { range, .. }: &Edit| tokens.iter().any(|token| token.start < range.end && range.start < token.end);
        let (before, after) = shown(text, &reduction.site, &reduction.edits);
        let change = format!("{} ({name})", change(&before, &after));
        let is_known = |found: &Found<'_>| bare(&found.change()) == bare(&change);
        if reduction.edits.iter().any(touches) && !found.iter().any(is_known) {
            let _ = writeln!(words, "{change}\n    proposed and not tried");
        }
    }
    words
}

/// A text without its layout.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}
