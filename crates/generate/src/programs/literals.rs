//! The shortest expressions: literals and names.

use super::code::Code;
use super::scope::{Local, LocalKind};
use super::types::Type;
use super::writer::{Writer, pick};
use crate::choices::{Choices, Halt};

/// The largest number literal. It fits all integer types.
const LARGEST: i64 = 100;

const CHARS: [&str; 5] = ["a", "b", "c", "0", "é"];

const WORDS: [&str; 5] = ["", "a", "bc", "def", "é"];

impl Writer {
    /// A leaf expression of the type `ty`: a literal or a name.
    pub(super) fn leaf(&mut self, c: &mut Choices, ty: &Type) -> Result<Code, Halt> {
        let mut options = vec![(2, "literal".to_owned(), None)];
        for local in &self.body.locals {
            if local.ty == *ty
                && let Some(code) = self.local(local)
            {
                options.push((5, local.name.clone(), Some(code)));
            }
        }
        let constants = self.world.constants.iter().filter(|constant| constant.ty == *ty);
        let constants = constants.filter(|constant| !(self.body.is_const && constant.is_static));
        options.extend(
            constants.map(|constant| (2, constant.place.name.clone(), Some(Code::atomic(self.path(&constant.place))))),
        );
        match pick(c, "leaf", options)? {
            Some(code) => Ok(code),
            None => self.literal(c, ty),
        }
    }

    /// A local as a value of its type; none for closures.
    pub(super) fn local(&self, local: &Local) -> Option<Code> {
        let is_copy = self.world.is_copy(&local.ty);
        if self.body.is_const && !is_copy {
            return None;
        }
        match (&local.kind, is_copy) {
            (LocalKind::Closure(..), _) => None,
            (LocalKind::Reference, true) => Some(Code::loose(format!("*{}", local.name))),
            (_, true) => Some(Code::atomic(local.name.clone())),
            (_, false) => Some(Code::atomic(format!("{}.clone()", local.name))),
        }
    }

    /// A reference to a local; none for closures.
    pub(super) fn local_reference(local: &Local) -> Option<String> {
        match &local.kind {
            LocalKind::Closure(..) => None,
            LocalKind::Reference => Some(local.name.clone()),
            _ => Some(format!("&{}", local.name)),
        }
    }

    /// A literal of type `ty`.
    pub(super) fn literal(&mut self, c: &mut Choices, ty: &Type) -> Result<Code, Halt> {
        Ok(match ty {
            Type::Int(name) => Code::atomic(format!("{}{name}", c.range("number", 0..=LARGEST)?)),
            Type::Bool => Code::atomic(c.choose("truth", &[false, true])?.to_string()),
            Type::Char => Code::atomic(format!("'{}'", c.choose("char", &CHARS)?)),
            Type::String => match *c.choose("word", &WORDS)? {
                "" => Code::atomic("String::new()"),
                word => Code::atomic(format!("String::from({word:?})")),
            },
            Type::Unit => Code::atomic("()"),
            Type::Tuple(types) => {
                let mut texts = Vec::new();
                for (number, ty) in types.iter().enumerate() {
                    let literal = c.group(&format!("element-{number}"), |c| self.literal(c, ty))?;
                    texts.push(literal.text().to_owned());
                }
                Code::atomic(format!("({})", texts.join(", ")))
            }
            Type::Array(ty, length) => {
                let literal = c.group("element", |c| self.literal(c, ty))?;
                if self.world.is_copy(ty) {
                    Code::atomic(format!("[{}; {length}]", literal.text()))
                } else {
                    Code::atomic(format!("[{}]", vec![literal.text(); *length].join(", ")))
                }
            }
            Type::Vec(ty) => Code::atomic(format!("Vec::<{}>::new()", self.ty(ty))),
            Type::Option(ty) => Code::atomic(format!("None::<{}>", self.ty(ty))),
            Type::Data(..) | Type::Param(_) => Code::atomic(format!("{}::default()", self.ty_in_expression(ty))),
        })
    }
}
