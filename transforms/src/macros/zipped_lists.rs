//! Two lists that a macro passes on in step, as one list of pairs: of their elements, or of all that each holds.

use std::ops::Range;

use crate::macros::matcher::operator_of;
use crate::macros::parallel_lists::{ElementToken, MacroList, ParallelLists, Taken};
use crate::macros::rules::walk;
use crate::syntax::token_groups::{Shape, TokenGroup, token_groups};
use crate::text::edit::Edit;
use crate::text::splice::edited;

/// One list in the place of two.
pub(crate) struct ZippedLists {
    /// What is repeated, for each rule that takes the lists.
    pub(crate) parts: Vec<Vec<ElementToken>>,
    /// What each call with plain lists passes.
    pub(crate) seeds: Vec<String>,
    /// What is passed for each two elements of the other calls.
    pub(crate) steps: Vec<Vec<String>>,
    /// What changes where the rules use the lists.
    pub(crate) uses: Vec<Edit>,
}

/// `parts` in a matcher.
pub(crate) fn matched(parts: &[ElementToken]) -> String {
    written(parts, |name, specifier| format!("${name}:{specifier}"))
}

/// `parts` in a transcriber.
fn used(parts: &[ElementToken]) -> String {
    written(parts, |name, _| format!("${name}"))
}

fn written(parts: &[ElementToken], variable: fn(&str, &str) -> String) -> String {
    let word = |part: &ElementToken| match part {
        ElementToken::Variable { name, specifier } => variable(name, specifier),
        ElementToken::Token(token) => token.clone(),
    };
    parts.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// How two elements are written as one.
struct Order {
    halves: [usize; 2],
    between: Option<&'static str>,
}

impl Order {
    /// The first list first, unless rustc lets nothing follow what its metavariables match.
    fn of(lists: &ParallelLists<'_>) -> Option<Self> {
        let can = |half: usize, precede: fn(&ElementToken) -> bool| {
            lists.taken.iter().all(|taken| taken.lists[half].parts.last().is_some_and(precede))
        };
        let halves = [[0, 1], [1, 0]].into_iter().find(|[first, _]| can(*first, ElementToken::is_free));
        match halves {
            Some(halves) => Some(Self { halves, between: None }),
            None => can(0, ElementToken::can_precede_arrow).then_some(Self { halves: [0, 1], between: Some("=>") }),
        }
    }

    fn pair(&self, one: &str, other: &str) -> String {
        let both = [one, other];
        let [first, second] = self.halves.map(|half| both[half]);
        let words: Vec<&str> = [Some(first), self.between, Some(second)].into_iter().flatten().collect();
        words.join(" ")
    }

    fn parts(&self, taken: &Taken<'_>) -> Vec<ElementToken> {
        let [first, second] = self.halves.map(|half| taken.lists[half].parts.clone());
        let between = self.between.map(|between| ElementToken::Token(between.to_owned()));
        first.into_iter().chain(between).chain(second).collect()
    }
}

/// A pair for each two elements, where all calls pass lists of the same length.
pub(crate) fn by_elements(text: &str, lists: &ParallelLists<'_>) -> Option<ZippedLists> {
    let order = Order::of(lists)?;
    let seed = |seed: &[_; 2]| {
        lists.taken.iter().find_map(|taken| {
            let elements = |half: usize| taken.lists[half].elements(text, seed[half]);
            let (one, other) = (elements(0)?, elements(1)?);
            let pairs: Vec<String> = one.iter().zip(&other).map(|(one, other)| order.pair(one, other)).collect();
            let separator = format!("{} ", taken.lists[0].separator.as_deref().unwrap_or_default());
            (one.len() == other.len()).then(|| pairs.join(&separator))
        })
    };
    let seeds: Option<Vec<String>> = lists.seeds.iter().map(seed).collect();
    let pair = |[one, other]: &[Range<usize>; 2]| order.pair(&text[one.clone()], &text[other.clone()]);
    let steps = lists.steps.iter().map(|step| step.elements.iter().map(pair).collect()).collect();
    let parts = lists.taken.iter().map(|taken| order.parts(taken)).collect();
    Some(ZippedLists { parts, seeds: seeds?, steps, uses: Vec::new() })
}

/// The tokens of a list in all calls from outside, each of which is matched by a metavariable or always the same.
struct Whole {
    /// For each call that passes the list, its tokens.
    seeds: Vec<Vec<TokenGroup>>,
    /// Which of the tokens are matched by metavariables.
    varies: Vec<bool>,
}

impl Whole {
    fn of(text: &str, lists: &ParallelLists<'_>, half: usize) -> Option<Self> {
        let seeds: Vec<Vec<TokenGroup>> =
            lists.seeds.iter().map(|seed| token_groups(text, &seed[half].stream)).collect();
        let filled = || seeds.iter().filter(|seed| !seed.is_empty());
        let first = filled().next()?;
        if filled().any(|seed| seed.len() != first.len()) {
            return None;
        }
        let own = |piece: &TokenGroup| &text[piece.range.clone()];
        let differs = |index: usize| filled().any(|seed| own(&seed[index]) != own(&first[index]));
        let mut varies: Vec<bool> = (0..first.len()).map(differs).collect();
        // A repetition of nothing but constants would not be known to repeat anything.
        if !varies.contains(&true) {
            varies[0] = true;
        }
        let tokens = filled().flat_map(|seed| seed.iter().zip(&varies));
        let varying: Vec<&TokenGroup> = tokens.filter(|(_, varies)| **varies).map(|(piece, _)| piece).collect();
        let fits = |specifier: &str| varying.iter().all(|piece| fits(text, specifier, piece));
        let list_fits = |list: &MacroList<'_>| {
            matches!(&list.parts[..], [ElementToken::Variable { specifier, .. }] if fits(specifier))
                && list.separator.is_none()
        };
        lists.taken.iter().all(|taken| list_fits(&taken.lists[half])).then_some(Self { seeds, varies })
    }

    fn variables(&self) -> usize {
        self.varies.iter().filter(|varies| **varies).count()
    }

    /// What call `index` passes for the metavariables.
    fn passed<'t>(&self, text: &'t str, index: usize) -> impl Iterator<Item = &'t str> {
        let variables = self.seeds[index].iter().zip(&self.varies).filter(|(_, varies)| **varies);
        variables.map(move |(piece, _)| &text[piece.range.clone()])
    }

    /// The list where a rule uses it: `variables`, and around them what is always the same.
    fn spelled(&self, text: &str, variables: &[ElementToken]) -> String {
        let Some(tokens @ [first, .., last]) = self.seeds.iter().find(|seed| !seed.is_empty()).map(Vec::as_slice)
        else {
            return used(variables);
        };
        let varying = tokens.iter().zip(&self.varies).filter(|(_, varies)| **varies);
        let variables = varying.zip(variables.chunks(1));
        let edits: Vec<Edit> =
            variables.map(|((token, _), variable)| Edit::replace(token.range.clone(), used(variable))).collect();
        edited(text, first.range.start..last.range.end, &edits)
    }
}

/// Whether `specifier` matches `piece`, one token or group.
fn fits(text: &str, specifier: &str, piece: &TokenGroup) -> bool {
    match specifier {
        "tt" => matches!(piece.shape, Shape::Token | Shape::Ident | Shape::Literal | Shape::Group(_)),
        "ident" => matches!(piece.shape, Shape::Ident),
        "literal" => matches!(piece.shape, Shape::Literal),
        "lifetime" => matches!(piece.shape, Shape::Token) && text[piece.range.clone()].starts_with('\''),
        _ => false,
    }
}

/// One pair of all that the first list holds and all that the second one holds.
pub(crate) fn as_wholes(text: &str, lists: &ParallelLists<'_>) -> Option<ZippedLists> {
    let halves = [Whole::of(text, lists, 0)?, Whole::of(text, lists, 1)?];
    let [one, other] = &halves;
    let constants = halves.iter().any(|half| half.varies.contains(&false));
    let is_pair = |(one, other): (&Vec<TokenGroup>, &Vec<TokenGroup>)| one.is_empty() == other.is_empty();
    // Without constants, pairs of elements say the same.
    if !one.seeds.iter().zip(&other.seeds).all(is_pair) || !constants && one.varies.len() == other.varies.len() {
        return None;
    }
    let seed = |index| halves.iter().flat_map(|half| half.passed(text, index)).collect::<Vec<_>>().join(" ");
    let seeds = (0..lists.seeds.len()).map(seed).collect();
    let mut zipped = ZippedLists { parts: Vec::new(), seeds, steps: Vec::new(), uses: Vec::new() };
    for (index, taken) in lists.taken.iter().enumerate() {
        let steps = lists.steps.iter().filter(|step| step.copied == Some(index));
        let passed: Vec<Range<usize>> = steps.flat_map(|step| step.groups.clone()).collect();
        let mut parts = Vec::new();
        for (half, list) in halves.iter().zip(&taken.lists) {
            let variables = variables(text, taken, list, half.variables(), &parts);
            if half.varies.len() > 1 {
                zipped.uses.extend(uses(text, taken, list, &half.spelled(text, &variables), &passed)?);
            }
            parts.extend(variables);
        }
        zipped.parts.push(parts);
    }
    for step in &lists.steps {
        zipped.steps.push(vec![used(&zipped.parts[step.copied?]); step.elements.len()]);
    }
    Some(zipped)
}

/// The metavariable of `list`, and others with names that are not in its rule for as many as there shall be.
fn variables(
    text: &str,
    taken: &Taken<'_>,
    list: &MacroList<'_>,
    count: usize,
    others: &[ElementToken],
) -> Vec<ElementToken> {
    let Some(ElementToken::Variable { name, specifier }) = list.parts.first() else { return Vec::new() };
    let is_other =
        |new: &str| others.iter().any(|part| matches!(part, ElementToken::Variable { name, .. } if name == new));
    let rules: Vec<&str> = taken.rule.without.iter().map(|edit| &text[edit.range.clone()]).collect();
    let is_new = |new: &String| !is_other(new) && !rules.iter().any(|rule| rule.contains(&format!("${new}")));
    let new = (1..).map(|number| format!("{name}{number}")).filter(is_new);
    let names = std::iter::once(name.clone()).chain(new).take(count);
    names.map(|name| ElementToken::Variable { name, specifier: specifier.clone() }).collect()
}

/// What puts `spelled` in the place of the metavariable of `list` where its rule makes something of it, but for the bytes
/// `passed`; nothing if it stands in a repetition with something else.
fn uses(
    text: &str,
    taken: &Taken<'_>,
    list: &MacroList<'_>,
    spelled: &str,
    passed: &[Range<usize>],
) -> Option<Vec<Edit>> {
    let Some(ElementToken::Variable { name, .. }) = list.parts.first() else { return None };
    let is_list = |piece: &TokenGroup| matches!(&piece.shape, Shape::Variable(used) if used == name);
    let mut edits: Vec<Edit> = Vec::new();
    let mut alone = true;
    walk(text, &taken.rule.transcriber.stream, 0, &mut |siblings, index, _| {
        let piece = &siblings[index];
        if passed.iter().any(|passed| passed.start <= piece.range.start && piece.range.end <= passed.end) {
            return;
        }
        if let Shape::Repetition(repeated) = &piece.shape
            && let [only] = &token_groups(text, &repeated.stream)[..]
            && is_list(only)
            && matches!(operator_of(text, piece), Some((None, _)))
        {
            edits.push(Edit::replace(only.range.clone(), spelled));
        }
        alone &= !is_list(piece) || edits.iter().any(|edit| edit.range == piece.range);
    });
    alone.then_some(edits)
}
