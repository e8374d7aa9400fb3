//! Patterns and the expressions that match them.

use super::code::Code;
use super::features::Feature;
use super::scope::{Held, LocalKind};
use super::types::{I32, Type};
use super::world::{DataKind, Record};
use super::writer::{Writer, pick};
use crate::choices::{Choices, Halt};

/// The maximum nesting of patterns.
const DEPTH: usize = 2;

/// The pattern that matches everything and binds nothing.
const ANY: &str = "_";

impl Writer {
    /// A possibly refutable pattern for values of the type `ty`. Its names are added to the locals.
    pub(super) fn pattern(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<String, Halt> {
        c.group("pattern", |c| {
            let inner = c.optional("inner", 85, |c| self.some_pattern(c, ty, depth))?;
            Ok(inner.unwrap_or_else(|| ANY.to_owned()))
        })
    }

    fn some_pattern(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<String, Halt> {
        let mut forms = vec![(0, "any"), (2, "name")];
        match ty {
            Type::Int(_) => forms.extend([(3, "literal"), (2, "range"), (1, "or")]),
            Type::Bool | Type::Char => forms.push((3, "literal")),
            _ if depth == 0 => {}
            Type::Tuple(_) | Type::Option(_) | Type::Data(..) => forms.push((8, "inside")),
            Type::Array(..) => forms.push((5, "inside")),
            Type::String | Type::Unit | Type::Vec(_) | Type::Param(_) => {}
        }
        if !self.body.is_const && self.has(Feature::References) {
            forms.push((1, "ref"));
        }
        let forms = forms.into_iter().map(|(weight, name)| (weight, name.to_owned(), name)).collect();
        Ok(match pick(c, "pattern-form", forms)? {
            "name" => {
                let name = self.name(c, "p")?;
                self.body.add(&name, ty, LocalKind::Value);
                name
            }
            "ref" => {
                let name = self.name(c, "p")?;
                self.body.add(&name, ty, LocalKind::Reference);
                format!("ref {name}")
            }
            "literal" => self.literal(c, ty)?.text().to_owned(),
            "range" => {
                let low = c.range("low", 0..=100)?;
                let high = low + c.range("length", 0..=20)?;
                let range = format!("{low}..={high}");
                match c.optional("bind", 30, |c| self.name(c, "p"))? {
                    Some(name) => {
                        self.body.add(&name, ty, LocalKind::Value);
                        format!("{name} @ {range}")
                    }
                    None => range,
                }
            }
            "or" => format!("{} | {}", c.range("one", 0..=50)?, c.range("other", 51..=100)?),
            "inside" => self.inside(c, ty, depth - 1)?,
            _ => ANY.to_owned(),
        })
    }

    /// A pattern that destructures values of `ty`.
    fn inside(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<String, Halt> {
        match ty {
            Type::Tuple(types) => {
                let mut texts = Vec::new();
                for (number, ty) in types.iter().enumerate() {
                    texts.push(c.group(&format!("element-{number}"), |c| self.alternative_free(c, ty, depth))?);
                }
                Ok(format!("({})", texts.join(", ")))
            }
            Type::Option(inner) => match *c.choose("option", &["None", "Some"])? {
                "Some" => Ok(format!("Some({})", self.alternative_free(c, inner, depth)?)),
                none => Ok(none.to_owned()),
            },
            Type::Array(element, length) => {
                let first = self.alternative_free(c, element, depth)?;
                Ok(if *length == 1 { format!("[{first}]") } else { format!("[{first}, ..]") })
            }
            Type::Data(number, arguments) => {
                let data = self.world.data[*number].clone();
                let arguments = self.world.arguments(*number, arguments);
                let path = self.path(&data.place);
                match &data.kind {
                    DataKind::Struct(record) => self.record_pattern(c, &path, record, &arguments, depth),
                    DataKind::Enum(variants) => {
                        let options =
                            variants.iter().map(|(name, record)| (1, name.clone(), (name.clone(), record.clone())));
                        let (name, record) = pick(c, "variant", options.collect())?;
                        self.record_pattern(c, &format!("{path}::{name}"), &record, &arguments, depth)
                    }
                }
            }
            _ => unreachable!("only what has parts is taken apart"),
        }
    }

    /// A pattern with parentheses around alternatives.
    pub(super) fn alternative_free(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<String, Halt> {
        let pattern = self.pattern(c, ty, depth)?;
        Ok(if pattern.contains(" | ") { format!("({pattern})") } else { pattern })
    }

    fn record_pattern(
        &mut self,
        c: &mut Choices,
        path: &str,
        record: &Record,
        arguments: &[(String, Type)],
        depth: usize,
    ) -> Result<String, Halt> {
        let mut texts = Vec::new();
        for (field, ty) in &record.fields {
            let ty = ty.with(arguments);
            let pattern = c.group(&format!("field-{field}"), |c| self.alternative_free(c, &ty, depth))?;
            texts.push((field, pattern));
        }
        if record.is_named {
            texts.retain(|(_, pattern)| pattern != ANY);
            let fields: String = texts.iter().map(|(field, pattern)| format!("{field}: {pattern}, ")).collect();
            return Ok(format!("{path} {{ {fields}.. }}"));
        }
        let patterns: Vec<String> = texts.into_iter().map(|(_, pattern)| pattern).collect();
        Ok(if patterns.is_empty() { path.to_owned() } else { format!("{path}({})", patterns.join(", ")) })
    }

    /// A type that is useful to match.
    pub(super) fn matched_type(&mut self, c: &mut Choices, depth: usize) -> Result<Type, Halt> {
        if self.body.is_const {
            return Ok(I32);
        }
        let enums = self.world.data.iter().enumerate();
        let mut options = vec![(2, "i32".to_owned(), None), (3, "any".to_owned(), None)];
        options.extend(enums.map(|(number, data)| (5, data.place.name.clone(), Some(number))));
        let options = options.into_iter().map(|(weight, name, data)| (weight, name.clone(), (name, data))).collect();
        match pick(c, "matched", options)? {
            (_, Some(data)) => self.data_type(c, data, depth),
            (name, None) if name == "any" => self.some_type(c, 2),
            _ => Ok(I32),
        }
    }

    /// Marks `scrutinee` as borrowed if `pattern` has a `ref` binding.
    pub(super) fn hold_by(&mut self, pattern: &str, scrutinee: &Code) -> Held {
        self.body.hold(if pattern.contains("ref ") { scrutinee.text() } else { "" })
    }

    pub(super) fn match_expression(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        let of = self.matched_type(c, depth)?;
        let scrutinee = self.expression(c, &of, depth)?;
        let arms = c.repeat("arms", 1..=3, |c| {
            let outer = self.body.locals.len();
            let pattern = self.pattern(c, &of, if self.body.is_const { 0 } else { DEPTH })?;
            let held = self.body.hold(scrutinee.text());
            let guard = c.optional("guard", 20, |c| self.expression(c, &Type::Bool, depth.min(1)))?;
            self.body.release(held);
            let guard = guard.map_or(String::new(), |guard| format!(" if {}", guard.head()));
            let held = self.hold_by(&pattern, &scrutinee);
            let value = self.expression(c, ty, depth)?;
            self.body.release(held);
            self.body.locals.truncate(outer);
            Ok(format!("{pattern}{guard} => {},", value.text()))
        })?;
        let last = c.group("last-arm", |c| self.expression(c, ty, depth))?;
        Ok(Code::loose(format!("match {} {{ {} _ => {} }}", scrutinee.head(), arms.concat(), last.text())))
    }

    pub(super) fn if_let(&mut self, c: &mut Choices, ty: &Type, depth: usize) -> Result<Code, Halt> {
        let of = self.matched_type(c, depth)?;
        let scrutinee = self.expression(c, &of, depth)?;
        let outer = self.body.locals.len();
        let pattern = self.pattern(c, &of, DEPTH)?;
        let held = self.hold_by(&pattern, &scrutinee);
        let then = c.group("then", |c| self.block(c, ty, depth))?;
        self.body.release(held);
        self.body.locals.truncate(outer);
        let or_else = c.group("else", |c| self.block(c, ty, depth))?;
        Ok(Code::loose(format!("if let {pattern} = {} {then} else {or_else}", scrutinee.scrutinee())))
    }

    pub(super) fn matches(&mut self, c: &mut Choices, depth: usize) -> Result<Code, Halt> {
        let of = self.matched_type(c, depth)?;
        let value = self.expression(c, &of, depth)?;
        let outer = self.body.locals.len();
        let pattern = self.pattern(c, &of, DEPTH)?;
        self.body.locals.truncate(outer);
        Ok(Code::atomic(format!("matches!({}, {pattern})", value.text())))
    }
}
