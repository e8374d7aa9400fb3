//! Two lists that the rules of a macro take at the same places, each in a group of its own, and pass on in step.

use std::ops::Range;

use crate::macros::fragments::Specifier;
use crate::macros::macro_def::{MacroCall, MacroDef, MacroRule};
use crate::macros::matcher::{Binding, Matcher, operator_of};
use crate::macros::rules::{Edits, walk};
use crate::syntax::token_groups::{Contents, Shape, TokenGroup, segments, token_groups};
use crate::text::edit::Edit;

/// A part of what a repetition of a matcher repeats.
#[derive(Clone)]
pub(crate) enum ElementToken {
    /// `$name:specifier`
    Variable { name: String, specifier: String },
    /// A token that stands for itself.
    Token(String),
}

impl ElementToken {
    fn of(text: &str, piece: &TokenGroup) -> Option<Self> {
        let own = &text[piece.range.clone()];
        match &piece.shape {
            Shape::Fragment(name) => {
                Some(Self::Variable { name: name.clone(), specifier: own.rsplit(':').next()?.trim().to_owned() })
            }
            Shape::Token | Shape::Ident | Shape::Literal if !own.starts_with('$') => Some(Self::Token(own.to_owned())),
            _ => None,
        }
    }

    /// Whether a transcriber has this part at `piece`.
    fn is_used(&self, text: &str, piece: &TokenGroup) -> bool {
        match (self, &piece.shape) {
            (Self::Variable { name, .. }, Shape::Variable(used)) => name == used,
            (Self::Token(token), Shape::Token | Shape::Ident | Shape::Literal) => *token == text[piece.range.clone()],
            _ => false,
        }
    }

    /// Whether rustc lets anything follow it in a matcher.
    pub(crate) fn is_free(&self) -> bool {
        use Specifier::{Block, Ident, Item, Lifetime, Literal, Meta, Tt};
        match self {
            Self::Variable { specifier, .. } => {
                matches!(Specifier::named(specifier), Some(Block | Ident | Item | Lifetime | Literal | Meta | Tt))
            }
            Self::Token(_) => true,
        }
    }

    /// Whether rustc lets `=>` follow it in a matcher.
    pub(crate) fn can_precede_arrow(&self) -> bool {
        match self {
            Self::Variable { specifier, .. } => {
                Specifier::named(specifier).is_some_and(|specifier| specifier != Specifier::Vis)
            }
            Self::Token(_) => true,
        }
    }
}

/// A list as a rule takes it: a group with one repetition and nothing else.
pub(crate) struct MacroList<'p> {
    contents: &'p Contents,
    /// The bytes of what is repeated.
    pub(crate) repeated: Range<usize>,
    /// What is repeated.
    pub(crate) parts: Vec<ElementToken>,
    /// What stands between two elements.
    pub(crate) separator: Option<String>,
    operator: char,
}

impl<'p> MacroList<'p> {
    fn of(text: &str, contents: &'p Contents) -> Option<Self> {
        let inside = token_groups(text, &contents.stream);
        let [only @ TokenGroup { shape: Shape::Repetition(repeated), .. }] = &inside[..] else { return None };
        let (separator, operator) = operator_of(text, only)?;
        let parts: Option<Vec<ElementToken>> =
            token_groups(text, &repeated.stream).iter().map(|piece| ElementToken::of(text, piece)).collect();
        let parts = parts.filter(|parts| parts.iter().any(|part| matches!(part, ElementToken::Variable { .. })))?;
        Some(Self { contents, repeated: repeated.range.clone(), parts, separator, operator })
    }

    /// Whether `element` is a copy of the list, not some other repetition.
    fn is_copy(&self, text: &str, element: &Element) -> bool {
        element.repeated.as_ref().is_some_and(|used| {
            used.len() == self.parts.len() && self.parts.iter().zip(used).all(|(part, piece)| part.is_used(text, piece))
        })
    }

    /// The elements of the list `passed`, without separators.
    pub(crate) fn elements(&self, text: &str, passed: &Contents) -> Option<Vec<String>> {
        let bindings = Matcher::of(text, self.contents)?.bindings(text, &passed.stream).ok()?;
        let sequence = |part: &ElementToken| match part {
            ElementToken::Variable { name, .. } => match bindings.get(name) {
                Some(Binding::Sequence(sequence)) => Some(sequence),
                _ => None,
            },
            ElementToken::Token(_) => None,
        };
        let count = self.parts.iter().find_map(sequence)?.len();
        let part_at =
            |part: &ElementToken, index: usize| match (part, sequence(part).map(|sequence| sequence.get(index))) {
                (ElementToken::Token(token), _) => Some(token.clone()),
                (_, Some(Some(Binding::Leaf(leaf, _)))) => Some(leaf.clone()),
                _ => None,
            };
        (0..count)
            .map(|index| self.parts.iter().map(|part| part_at(part, index)).collect::<Option<Vec<String>>>())
            .map(|parts| parts.map(|parts| parts.join(" ")))
            .collect()
    }
}

/// A part of a list that a rule passes: one element, or a repetition that makes some.
struct Element {
    /// The bytes of the element, or of what is repeated.
    range: Range<usize>,
    /// What is repeated.
    repeated: Option<Vec<TokenGroup>>,
}

impl Element {
    fn of(text: &str, pieces_of_it: &[TokenGroup], separator: Option<&str>) -> Option<Self> {
        let (first, last) = (pieces_of_it.first()?, pieces_of_it.last()?);
        if let [only @ TokenGroup { shape: Shape::Repetition(repeated), .. }] = pieces_of_it {
            let same = operator_of(text, only)?.0.as_deref() == separator;
            let repeated = Self { range: repeated.range.clone(), repeated: Some(token_groups(text, &repeated.stream)) };
            return same.then_some(repeated);
        }
        let one = !pieces_of_it.iter().any(|piece| matches!(piece.shape, Shape::Repetition(_) | Shape::Doc));
        one.then_some(Self { range: first.range.start..last.range.end, repeated: None })
    }

    /// The elements of `passed`, if all of it is understood.
    fn all(text: &str, passed: &Contents, separator: Option<&str>) -> Option<Vec<Self>> {
        let passed = token_groups(text, &passed.stream);
        let elements: Vec<&[TokenGroup]> = match separator {
            Some(separator) => segments(text, &passed, separator).iter().map(|segment| segment.pieces).collect(),
            None => passed.chunks(1).collect(),
        };
        elements.into_iter().map(|element| Self::of(text, element, separator)).collect()
    }
}

/// A rule that takes both lists.
pub(crate) struct Taken<'p> {
    pub(crate) rule: &'p MacroRule,
    index: usize,
    pub(crate) lists: [MacroList<'p>; 2],
}

/// A call that passes lists with metavariables.
pub(crate) struct Step {
    /// The place of the rule among those that take the lists, if all that it passes are copies of what it took.
    pub(crate) copied: Option<usize>,
    /// The bytes of each element of both lists, or of what is repeated.
    pub(crate) elements: Vec<[Range<usize>; 2]>,
    /// The bytes of both groups.
    pub(crate) groups: [Range<usize>; 2],
}

/// Two lists, with all rules that take them and all calls that pass them.
pub(crate) struct ParallelLists<'p> {
    pub(crate) taken: Vec<Taken<'p>>,
    /// The calls with lists of plain tokens.
    pub(crate) seeds: Vec<[&'p Contents; 2]>,
    pub(crate) steps: Vec<Step>,
    /// What takes the second list away everywhere.
    pub(crate) without_second: Vec<Edit>,
}

impl<'p> ParallelLists<'p> {
    /// The lists that rules and calls have at both `places`, if every call passes either plain tokens there, or as many
    /// elements and repetitions of the one as of the other.
    pub(crate) fn of(macro_def: &'p MacroDef<'_>, places: [usize; 2]) -> Option<Self> {
        let text = macro_def.text;
        let mut without_second = Edits::default();
        let mut taken = Vec::new();
        for (index, rule) in macro_def.rules.iter().enumerate() {
            let Some([first, second]) = groups(&rule.matcher, places) else { continue };
            let lists = [MacroList::of(text, first.1)?, MacroList::of(text, second.1)?];
            if lists[0].separator != lists[1].separator || lists[0].operator != lists[1].operator {
                return None;
            }
            without_second.delete_with_comma(text, &rule.matcher, places[1]);
            taken.push(Taken { rule, index, lists });
        }
        let mut is_called = false;
        let mut lists = Self { taken, seeds: Vec::new(), steps: Vec::new(), without_second: Vec::new() };
        for call in macro_def.calls.iter().filter(|_| !lists.taken.is_empty()) {
            let Some([first, second]) = groups(&call.arguments, places) else { continue };
            without_second.delete_with_comma(text, &call.arguments, places[1]);
            is_called |= !lists.taken.iter().any(|taken| Some(taken.index) == call.rule);
            if is_plain(text, first.1) && is_plain(text, second.1) {
                lists.seeds.push([first.1, second.1]);
            } else {
                let step = step(text, &lists.taken, call, [first, second])?;
                lists.steps.push(step);
            }
        }
        lists.without_second = without_second.into_vec();
        is_called.then_some(lists)
    }
}

/// The groups at `places`, if both are some.
fn groups(pieces: &[TokenGroup], places: [usize; 2]) -> Option<[(&TokenGroup, &Contents); 2]> {
    let group = |place: usize| match pieces.get(place)? {
        piece @ TokenGroup { shape: Shape::Group(contents), .. } => Some((piece, contents)),
        _ => None,
    };
    Some([group(places[0])?, group(places[1])?])
}

/// Whether there are neither metavariables nor doc comments in `contents`.
fn is_plain(text: &str, contents: &Contents) -> bool {
    let mut plain = true;
    walk(text, &contents.stream, 0, &mut |siblings, index, _| {
        let piece = &siblings[index];
        plain &= !matches!(piece.shape, Shape::Doc) && !text[piece.range.clone()].starts_with('$');
    });
    plain
}

fn step(text: &str, taken: &[Taken<'_>], call: &MacroCall, groups: [(&TokenGroup, &Contents); 2]) -> Option<Step> {
    let separator = taken[0].lists[0].separator.as_deref();
    let first = Element::all(text, groups[0].1, separator)?;
    let second = Element::all(text, groups[1].1, separator)?;
    let in_step = first.len() == second.len()
        && first.iter().zip(&second).all(|(first, second)| first.repeated.is_some() == second.repeated.is_some());
    let copied = taken.iter().position(|taken| Some(taken.index) == call.rule).filter(|&taken_by| {
        let [one, other] = &taken[taken_by].lists;
        first.iter().all(|element| one.is_copy(text, element))
            && second.iter().all(|element| other.is_copy(text, element))
    });
    let elements = first.into_iter().zip(second).map(|(first, second)| [first.range, second.range]).collect();
    in_step.then_some(Step { copied, elements, groups: groups.map(|(piece, _)| piece.range.clone()) })
}
