//! Puts the matched values into the right side of a rule of a `macro_rules!`.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::parse::Parser;
use syn::{Expr, Pat, Path, Type};

use crate::macros::fragments::Specifier;
use crate::macros::macro_def::walk;
use crate::macros::matcher::{Binding, Bindings, operator_of};
use crate::syntax::token_groups::{Contents, Shape, TokenGroup, token_groups};
use crate::syntax::{Precedence, generics, precedence};
use crate::text::splice::fuses;

/// The longest expansion, in bytes.
pub(crate) const LONGEST: usize = 1 << 16;

/// The expansion of `transcriber`, a part of `text`, with `bindings`; `None` if it is not understood.
pub(crate) fn transcribe(text: &str, transcriber: &Contents, bindings: &Bindings) -> Option<String> {
    let mut out = Transcription { text, result: String::new(), seam: None };
    let scope = bindings.iter().map(|(name, binding)| (name.as_str(), binding)).collect();
    let pieces = token_groups(text, &transcriber.stream);
    if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
        out.pieces(&pieces, first.range.start..last.range.end, &scope, true)?;
    }
    Some(out.result)
}

type Scope<'b> = BTreeMap<&'b str, &'b Binding>;

struct Transcription<'t> {
    text: &'t str,
    result: String,
    /// The end of the text that was copied last, if nothing was put after it.
    seam: Option<usize>,
}

impl Transcription<'_> {
    /// Appends a part of the rule unchanged.
    fn copy(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let piece = &self.text[range.clone()];
        if self.seam != Some(range.start) && fuses(&self.result, piece) {
            self.result.push(' ');
        }
        self.result.push_str(piece);
        self.seam = Some(range.end);
    }

    /// Appends text that is not from the rule, separated from the token before it.
    fn put(&mut self, piece: &str) {
        if fuses(&self.result, piece) {
            self.result.push(' ');
        }
        self.result.push_str(piece);
        self.seam = None;
    }

    /// Appends `pieces`, which stand in `range`. `alone` says that nothing before or after them binds.
    fn pieces(&mut self, pieces: &[TokenGroup], range: Range<usize>, scope: &Scope<'_>, alone: bool) -> Option<()> {
        let mut position = range.start;
        for (index, piece) in pieces.iter().enumerate() {
            self.copy(position..piece.range.start);
            position = piece.range.end;
            let own = &self.text[piece.range.clone()];
            let around = Around {
                before: index.checked_sub(1).map(|before| &self.text[pieces[before].range.clone()]),
                after: pieces.get(index + 1).map(|after| &self.text[after.range.clone()]),
                alone,
            };
            match &piece.shape {
                Shape::Variable(name) if name == "crate" => self.put("crate"),
                Shape::Variable(name) | Shape::Fragment(name) => match scope.get(name.as_str()) {
                    Some(Binding::Leaf(bound, specifier)) => {
                        self.put(&fitted(bound, *specifier, &around)?);
                        if let (Shape::Fragment(_), Some(colon)) = (&piece.shape, own.find(':')) {
                            self.copy(piece.range.start + colon..piece.range.end);
                        }
                    }
                    Some(Binding::Sequence(_)) => return None,
                    // A metavariable of a macro that the expansion defines.
                    None => self.copy(piece.range.clone()),
                },
                Shape::Repetition(contents) => self.repetition(piece, contents, scope, around.is_alone())?,
                Shape::Group(contents) | Shape::Attribute(contents) => {
                    self.copy(piece.range.start..contents.range.start);
                    let inner = token_groups(self.text, &contents.stream);
                    self.pieces(&inner, contents.range.clone(), scope, true)?;
                    self.copy(contents.range.end..piece.range.end);
                }
                // `${count(x)}`, `$$`.
                Shape::Token if own.starts_with('$') => return None,
                Shape::Token | Shape::Literal | Shape::Ident | Shape::Doc => self.copy(piece.range.clone()),
            }
            if self.result.len() > LONGEST {
                return None;
            }
        }
        self.copy(position..range.end);
        Some(())
    }

    fn repetition(&mut self, piece: &TokenGroup, contents: &Contents, scope: &Scope<'_>, alone: bool) -> Option<()> {
        let (separator, _) = operator_of(self.text, piece)?;
        let mut sequences: BTreeMap<String, &Vec<Binding>> = BTreeMap::new();
        walk(self.text, &contents.stream, 0, &mut |siblings, index, _| {
            if let Shape::Variable(name) | Shape::Fragment(name) = &siblings[index].shape
                && let Some(Binding::Sequence(sequence)) = scope.get(name.as_str())
            {
                sequences.insert(name.clone(), sequence);
            }
        });
        let times = sequences.values().next()?.len();
        if sequences.values().any(|sequence| sequence.len() != times) {
            return None;
        }
        let alone = alone && separator.as_deref().is_none_or(|separator| [",", ";"].contains(&separator));
        let inner = token_groups(self.text, &contents.stream);
        for time in 0..times {
            if time > 0 {
                self.put(separator.as_deref().unwrap_or_default());
            }
            let mut scope = scope.clone();
            scope.extend(sequences.iter().map(|(name, sequence)| (name.as_str(), &sequence[time])));
            self.seam = None;
            self.pieces(&inner, contents.range.clone(), &scope, alone)?;
        }
        Some(())
    }
}

/// The tokens before and after a metavariable.
struct Around<'t> {
    before: Option<&'t str>,
    after: Option<&'t str>,
    /// Whether nothing binds where there is no token.
    alone: bool,
}

impl Around<'_> {
    /// Whether nothing before or after the metavariable binds.
    fn is_alone(&self) -> bool {
        self.before.map_or(self.alone, |before| ["=", ",", ";", ":", "=>", "->", "return"].contains(&before))
            && self.after.map_or(self.alone, |after| [",", ";"].contains(&after))
    }
}

/// `bound`, in parentheses where the tokens around it would be read as a part of it.
fn fitted(bound: &str, specifier: Specifier, around: &Around<'_>) -> Option<String> {
    let fits = match specifier {
        Specifier::Expr => {
            let expr: Expr = syn::parse_str(bound).ok()?;
            let open = Precedence::of_operand(&expr) < Precedence::Postfix || precedence::takes_brace(&expr);
            let cut = around.before.is_none() && precedence::is_cut(&expr);
            around.is_alone() && !cut || !open && !cut && !precedence::is_block_like(&expr)
        }
        Specifier::Literal => around.is_alone() || !bound.starts_with('-'),
        Specifier::Pat => {
            let pat = Pat::parse_multi_with_leading_vert.parse_str(bound).ok()?;
            !matches!(pat, Pat::Or(_)) || around.after == Some("=>")
        }
        Specifier::Ty => {
            let ty: Type = syn::parse_str(bound).ok()?;
            let is_plain = |path: &Path| path.segments.iter().all(|segment| segment.arguments.is_none());
            if around.after == Some("::") && !matches!(&ty, Type::Path(ty) if is_plain(&ty.path)) {
                return Some(format!("<{bound}>"));
            }
            let is_sum = generics::object_bounds(&ty).is_some_and(|bounds| bounds.len() > 1);
            !is_sum || around.before.is_none_or(|before| !["&", "*", "mut", "const", "as"].contains(&before))
        }
        _ => true,
    };
    Some(if fits { bound.to_owned() } else { format!("({bound})") })
}
