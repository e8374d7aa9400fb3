//! The possible forms of an expression of a type.

use super::features::Feature;
use super::scope::LocalKind;
use super::types::Type;
use super::world::{DataKind, Record};
use super::writer::Writer;

/// The maximum length of a vector: no form makes one longer.
pub(super) const LONGEST: u64 = 4;

/// A form of an expression.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Leaf,
    Arithmetic,
    Bits,
    Cast,
    Length(String),
    Fold(String, Type),
    Not,
    And,
    Compare,
    Equal,
    Matches,
    Format,
    Some,
    Literal,
    Elements,
    Index(String, Option<usize>),
    Collect(String, Type),
    Construct,
    Field(String),
    If,
    Block,
    Match,
    IfLet,
    Closure,
    AsyncBlock,
    Call,
}

impl Writer {
    /// The possible forms of an expression of the type `ty` here, with their weights.
    pub(super) fn forms(&self, ty: &Type) -> Vec<(u32, String, Form)> {
        let is_const = self.body.is_const;
        let mut forms = vec![(0, "leaf", Form::Leaf)];
        match ty {
            Type::Int(_) => {
                forms.extend([(4, "arithmetic", Form::Arithmetic), (2, "bits", Form::Bits), (1, "cast", Form::Cast)]);
            }
            Type::Bool => {
                forms.extend([(1, "not", Form::Not), (2, "and", Form::And), (3, "compare", Form::Compare)]);
                if !is_const {
                    forms.push((2, "equal", Form::Equal));
                }
                if self.has(Feature::Patterns) && !is_const {
                    forms.push((1, "matches", Form::Matches));
                }
            }
            Type::String if !is_const => forms.push((3, "format", Form::Format)),
            Type::Option(_) => forms.push((4, "some", Form::Some)),
            Type::Tuple(_) => forms.push((4, "tuple", Form::Literal)),
            Type::Array(..) | Type::Vec(_) if !is_const => forms.push((4, "elements", Form::Elements)),
            Type::Data(..) if !is_const => forms.push((5, "construct", Form::Construct)),
            _ => {}
        }
        forms.extend([(2, "if", Form::If), (1, "block", Form::Block)]);
        if self.has(Feature::Patterns) {
            forms.push((3, "match", Form::Match));
            if !is_const {
                forms.push((2, "if-let", Form::IfLet));
            }
        }
        if self.has(Feature::Closures) && !is_const {
            forms.push((1, "closure", Form::Closure));
        }
        if self.has(Feature::Async) && !is_const {
            forms.push((1, "async-block", Form::AsyncBlock));
        }
        if self.can_call(ty) {
            forms.push((5, "call", Form::Call));
        }
        let mut forms: Vec<(u32, String, Form)> =
            forms.into_iter().map(|(weight, name, form)| (weight, name.to_owned(), form)).collect();
        if !is_const {
            self.forms_of_locals(ty, &mut forms);
        }
        forms
    }

    /// The forms that use parts of a local.
    fn forms_of_locals(&self, ty: &Type, forms: &mut Vec<(u32, String, Form)>) {
        for local in &self.body.locals {
            let name = &local.name;
            if matches!(local.kind, LocalKind::Closure(..)) {
                continue;
            }
            match &local.ty {
                Type::Data(data, arguments) => {
                    let DataKind::Struct(Record { fields, .. }) = &self.world.data[*data].kind else { continue };
                    let arguments = self.world.arguments(*data, arguments);
                    for (field, _) in fields.iter().filter(|(_, field)| field.with(&arguments) == *ty) {
                        let clone = if self.world.is_copy(ty) { "" } else { ".clone()" };
                        let text = format!("{name}.{field}{clone}");
                        forms.push((3, format!("{name}.{field}"), Form::Field(text)));
                    }
                }
                Type::Vec(element) | Type::Array(element, _) => {
                    let length = match &local.ty {
                        Type::Array(_, length) => Some(*length),
                        _ => None,
                    };
                    if **element == *ty {
                        forms.push((3, format!("{name}-index"), Form::Index(name.clone(), length)));
                    }
                    if let Type::Int(_) = ty {
                        forms.push((1, format!("{name}-length"), Form::Length(name.clone())));
                    }
                    if self.has(Feature::Closures) && self.body.affords(LONGEST * 2) {
                        if let Type::Int(_) = ty {
                            let form = Form::Fold(name.clone(), (**element).clone());
                            forms.push((2, format!("{name}-fold"), form));
                        }
                        if let Type::Vec(_) = ty {
                            let form = Form::Collect(name.clone(), (**element).clone());
                            forms.push((2, format!("{name}-collect"), form));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
