//! Expressions of a given type. Each draws a leaf first, so that the rest can be removed.

use super::code::Code;
use super::forms::{Form, LONGEST};
use super::types::{I32, Type, USIZE};
use super::world::DataKind;
use super::writer::{Writer, pick};
use crate::choices::{Choices, Halt};

/// The maximum nesting of expressions.
pub(super) const DEPTH: usize = 3;

/// The maximum number of elements in a vector expression.
const ELEMENTS: usize = 3;

/// Operations on integers that never panic.
const METHODS: [&str; 5] = ["wrapping_add", "wrapping_sub", "wrapping_mul", "min", "max"];

/// Those that are `const`.
const CONST_METHODS: [&str; 3] = ["wrapping_add", "wrapping_sub", "wrapping_mul"];

const BIT_OPERATORS: [&str; 3] = ["^", "&", "|"];

impl Writer {
    /// An expression of the type `ty`, at most `depth` deep.
    pub(super) fn expression(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        c.group("expression", |c| {
            let leaf = self.leaf(c, ty)?;
            if depth == 0 || !self.body.affords(1) {
                return Ok(leaf);
            }
            let compound = c.optional("compound", 55, |c| {
                self.body.spend(1);
                self.compound(c, ty, depth - 1)
            })?;
            Ok(compound.unwrap_or(leaf))
        })
    }

    fn compound(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        let forms = self.forms(ty);
        match pick(c, "form", forms)? {
            Form::Leaf => self.leaf(c, ty),
            Form::Arithmetic => {
                let methods: &[&str] = if self.body.is_const { &CONST_METHODS } else { &METHODS };
                let method = *c.choose("method", methods)?;
                let (left, right) = (self.expression(c, ty, depth)?, self.expression(c, ty, depth)?);
                Ok(Code::atomic(format!("{}.{method}({})", left.operand(), right.text())))
            }
            Form::Bits => {
                let operator = *c.choose("operator", &BIT_OPERATORS)?;
                let (left, right) = (self.expression(c, ty, depth)?, self.expression(c, ty, depth)?);
                Ok(Code::loose(format!("{} {operator} {}", left.operand(), right.operand())))
            }
            Form::Cast => {
                let from = pick(c, "from", super::types::INTEGERS.map(|name| (1, name.to_owned(), name)).into())?;
                let inner = self.expression(c, &Type::Int(from), depth)?;
                Ok(Code::loose(format!("{} as {}", inner.operand(), self.ty(ty))))
            }
            Form::Length(name) => Ok(Code::loose(format!("{name}.len() as {}", self.ty(ty)))),
            Form::Fold(name, element) => self.fold(c, (&name, &element), ty, depth),
            Form::Not => Ok(Code::loose(format!("!{}", self.expression(c, ty, depth)?.operand()))),
            Form::And => {
                let operator = *c.choose("operator", &["&&", "||"])?;
                let (left, right) = (self.expression(c, ty, depth)?, self.expression(c, ty, depth)?);
                Ok(Code::loose(format!("{} {operator} {}", left.operand(), right.operand())))
            }
            Form::Compare => {
                let operator = *c.choose("operator", &["<", "<=", ">"])?;
                let (left, right) = (self.expression(c, &I32, depth)?, self.expression(c, &I32, depth)?);
                Ok(Code::loose(format!("{} {operator} {}", left.operand(), right.operand())))
            }
            Form::Equal => {
                let operator = *c.choose("operator", &["==", "!="])?;
                let of = self.some_type(c, 1)?;
                let left = self.expression(c, &of, depth)?;
                // A plain value is copied before the other operand is evaluated; other values are borrowed.
                let is_plain = matches!(of, Type::Int(_) | Type::Bool | Type::Char);
                let held = self.body.hold(if is_plain { "" } else { left.text() });
                let right = self.expression(c, &of, depth)?;
                self.body.release(held);
                Ok(Code::loose(format!("({}) {operator} ({})", left.text(), right.text())))
            }
            Form::Matches => self.matches(c, depth),
            Form::Format => {
                let of = self.some_type(c, 1)?;
                let value = self.expression(c, &of, depth)?;
                Ok(Code::atomic(format!("format!(\"{{:?}}\", {})", value.text())))
            }
            Form::Some => {
                let Type::Option(inner) = ty else { unreachable!("only options have this form") };
                Ok(Code::atomic(format!("Some({})", self.expression(c, inner, depth)?.text())))
            }
            Form::Literal => {
                let Type::Tuple(types) = ty else { unreachable!("only tuples have this form") };
                let mut texts = Vec::new();
                for (number, ty) in types.iter().enumerate() {
                    let element = c.group(&format!("element-{number}"), |c| self.expression(c, ty, depth))?;
                    texts.push(element.text().to_owned());
                }
                Ok(Code::atomic(format!("({})", texts.join(", "))))
            }
            Form::Elements => self.elements(c, ty, depth),
            Form::Index(name, length) => {
                let held = self.body.hold(if length.is_none() { &name } else { "" });
                let index = self.expression(c, &USIZE, depth)?;
                self.body.release(held);
                let clone = if self.world.is_copy(ty) { "" } else { ".clone()" };
                Ok(Code::atomic(match length {
                    Some(length) => format!("{name}[{} % {length}]{clone}", index.operand()),
                    None => format!("{name}.get({}).cloned().unwrap_or_default()", index.text()),
                }))
            }
            Form::Collect(name, element) => self.collect(c, (&name, &element), ty, depth),
            Form::Construct => self.construct(c, ty, depth),
            Form::Field(text) => Ok(Code::atomic(text)),
            Form::If => {
                let condition = self.expression(c, &Type::Bool, depth)?;
                let then = c.group("then", |c| self.block(c, ty, depth))?;
                let or_else = c.group("else", |c| self.block(c, ty, depth))?;
                Ok(Code::loose(format!("if {} {then} else {or_else}", condition.head())))
            }
            Form::Block => Ok(Code::loose(self.block(c, ty, depth)?)),
            Form::Match => self.match_expression(c, ty, depth),
            Form::IfLet => self.if_let(c, ty, depth),
            Form::Closure => self.called_closure(c, ty, depth),
            Form::AsyncBlock => self.async_block(c, ty, depth),
            Form::Call => self.call(c, ty, depth),
        }
    }

    /// `name.iter().cloned().fold(start, |sum, element| ..)`.
    fn fold(&mut self, c: &mut Choices, list: (&str, &Type), ty: &Type, depth: usize) -> Result<Code, Halt> {
        let held = self.body.hold(list.0);
        let start = self.expression(c, ty, depth)?;
        self.body.release(held);
        let params = [("a", ty), ("a", list.1)];
        let closure = self.closure(c, &params, ty, depth, LONGEST)?;
        Ok(Code::atomic(format!("{}.iter().cloned().fold({}, {closure})", list.0, start.text())))
    }

    /// `name.iter().cloned().map(|element| ..).collect()`, possibly filtered before.
    fn collect(&mut self, c: &mut Choices, list: (&str, &Type), ty: &Type, depth: usize) -> Result<Code, Halt> {
        let Type::Vec(element) = ty else { unreachable!("only vectors are collected") };
        let skip = c.optional("skip", 30, |c| c.range("skipped", 1..=2))?;
        let skip = skip.map_or(String::new(), |skipped| format!(".skip({skipped})"));
        let closure = self.closure(c, &[("a", list.1)], element, depth, LONGEST)?;
        Ok(Code::atomic(format!("{}.iter().cloned(){skip}.map({closure}).collect::<{}>()", list.0, self.ty(ty))))
    }

    fn elements(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        match ty {
            Type::Vec(element) => {
                let texts = c.repeat("elements", 1..=ELEMENTS, |c| {
                    self.expression(c, element, depth).map(|code| code.text().to_owned())
                })?;
                if texts.is_empty() {
                    return Ok(Code::atomic(format!("Vec::<{}>::new()", self.ty(element))));
                }
                Ok(Code::atomic(format!("vec![{}]", texts.join(", "))))
            }
            Type::Array(element, length) => {
                let mut texts = Vec::new();
                for number in 0..*length {
                    let code = c.group(&format!("element-{number}"), |c| self.expression(c, element, depth))?;
                    texts.push(code.text().to_owned());
                }
                Ok(Code::atomic(format!("[{}]", texts.join(", "))))
            }
            _ => unreachable!("only vectors and arrays have elements"),
        }
    }

    fn construct(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        let Type::Data(number, arguments) = ty else { unreachable!("only structs and enums are constructed") };
        let data = self.world.data[*number].clone();
        let arguments = self.world.arguments(*number, arguments);
        let path = self.ty_in_expression(ty);
        let (path, record) = match &data.kind {
            DataKind::Struct(record) => (path, record.clone()),
            DataKind::Enum(variants) => {
                let options = variants.iter().map(|(name, record)| (1, name.clone(), (name.clone(), record.clone())));
                let (name, record) = pick(c, "variant", options.collect())?;
                (format!("{path}::{name}"), record)
            }
        };
        let mut texts = Vec::new();
        for (field, ty) in &record.fields {
            let value = c.group(&format!("field-{field}"), |c| self.expression(c, &ty.with(&arguments), depth))?;
            let text = value.text();
            texts.push(if record.is_named { format!("{field}: {text}") } else { text.to_owned() });
        }
        Ok(Code::atomic(match (texts.is_empty(), record.is_named) {
            (_, true) => format!("{path} {{ {} }}", texts.join(", ")),
            (true, false) => path,
            (false, false) => format!("{path}({})", texts.join(", ")),
        }))
    }

    /// A block with statements and an expression of the type `ty` at its end.
    pub(super) fn block(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<String, Halt> {
        let outer = self.body.locals.len();
        let statements = self.statements(c, 0..=1, depth)?;
        let tail = self.expression(c, ty, depth)?;
        self.body.locals.truncate(outer);
        Ok(format!("{{ {statements} {} }}", tail.text()))
    }

    fn async_block(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        let inner = self.body.inner(ty.clone(), |_| true);
        let outer = std::mem::replace(&mut self.body, inner);
        self.body.is_async = true;
        let limit = outer.limit.saturating_sub(outer.cost) / outer.times;
        self.body.limit = limit;
        let block = self.block(c, ty, depth)?;
        let cost = self.body.cost;
        let is_awaited = outer.is_async;
        self.body = outer;
        self.body.spend(cost);
        let future = format!("async {block}");
        Ok(if is_awaited { Code::atomic(format!("({future}).await")) } else { self.run_future(&future) })
    }

    /// The output of a future, outside of `async`.
    pub(super) fn run_future(&mut self, future: &str) -> Code {
        self.world.needs_block_on = true;
        Code::atomic(format!("crate::block_on({future})"))
    }
}
