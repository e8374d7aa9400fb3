//! Statements. Each is a turn of a loop, so that it can be removed.

use std::ops::RangeInclusive;

use super::expressions::DEPTH;
use super::features::Feature;
use super::forms::LONGEST;
use super::scope::LocalKind;
use super::types::{I32, Type};
use super::writer::{Writer, pick};
use crate::choices::{Choices, Halt};

/// The cost of a statement that prints.
const PRINT_COST: u64 = 20;

/// The maximum number of turns of a loop.
const TURNS: i64 = 4;

impl Writer {
    /// Statements. Their names stay in scope; the caller removes them at the end of the block.
    pub(super) fn statements(
        &mut self,
        c: &mut Choices,
        times: RangeInclusive<usize>,
        depth: usize,
    ) -> Result<String, Halt> {
        Ok(c.repeat("statements", times, |c| self.statement(c, depth))?.concat())
    }

    fn statement(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        if !self.body.affords(1) {
            return Ok(String::new());
        }
        self.body.spend(1);
        match pick(c, "statement", self.statement_forms(depth))? {
            "let" => self.let_statement(c, LocalKind::Value, depth),
            "variable" => self.let_statement(c, LocalKind::Variable, depth),
            "assign" => self.assign(c, depth),
            "print" => {
                self.body.spend(PRINT_COST);
                let label = self.name(c, "line")?;
                let ty = self.some_type(c, 2)?;
                let value = self.expression(c, &ty, depth)?;
                Ok(format!("println!(\"{label} {{:?}}\", {});", value.text()))
            }
            "object" => Ok(format!("{};", self.call_object(c, depth.min(1))?.text())),
            "if" => {
                let condition = self.expression(c, &Type::Bool, depth.min(2))?;
                let then = self.inner_block(c, 1..=2, depth - 1)?;
                let or_else = c.optional("else", 40, |c| self.inner_block(c, 1..=2, depth - 1))?;
                let or_else = or_else.map_or(String::new(), |block| format!(" else {block}"));
                Ok(format!("if {} {then}{or_else}", condition.head()))
            }
            "block" => self.inner_block(c, 1..=3, depth - 1),
            "for" => self.for_loop(c, depth - 1),
            "for-each" => self.for_each(c, depth - 1),
            "while" => {
                let (name, turns) = (self.name(c, "n")?, c.range("turns", 1..=TURNS)?);
                self.body.add(&name, &I32, LocalKind::Value);
                let block = self.looped(c, turns.unsigned_abs(), depth - 1)?;
                self.body.locals.retain(|local| local.name != name);
                Ok(format!("let mut {name} = 0i32; while {name} < {turns} {{ {name} += 1; {block} }}"))
            }
            "loop" => {
                let (name, turns) = (self.name(c, "n")?, c.range("turns", 1..=TURNS)?);
                let block = self.looped(c, turns.unsigned_abs(), depth - 1)?;
                Ok(format!("let mut {name} = {turns}u8; loop {{ if {name} == 0 {{ break; }} {name} -= 1; {block} }}"))
            }
            "leave" => {
                let condition = self.expression(c, &Type::Bool, depth.min(1))?;
                let how = c.choose("how", &["break", "continue"])?;
                Ok(format!("if {} {{ {how}; }}", condition.head()))
            }
            "return" => {
                let returns = self.body.returns.clone().unwrap_or(Type::Unit);
                let condition = self.expression(c, &Type::Bool, depth.min(1))?;
                let value = self.expression(c, &returns, depth.min(1))?;
                Ok(format!("if {} {{ return {}; }}", condition.head(), value.text()))
            }
            "closure" => self.let_closure(c, depth),
            "destructure" => self.destructure(c, depth),
            "let-else" => self.let_else(c, depth),
            "match" => {
                let ty = Type::Unit;
                let value = self.match_expression(c, &ty, depth.min(2))?;
                Ok(format!("{};", value.text()))
            }
            _ => Ok(String::new()),
        }
    }

    fn statement_forms(&self, depth: usize) -> Vec<(u32, String, &'static str)> {
        let mut forms = vec![(0, "nothing"), (5, "let"), (2, "variable")];
        if self.body.locals.iter().any(|local| matches!(local.kind, LocalKind::Variable)) {
            forms.push((4, "assign"));
        }
        let is_const = self.body.is_const;
        if !is_const && self.body.affords(PRINT_COST) {
            forms.push((3, "print"));
        }
        if self.has_objects() {
            forms.push((4, "object"));
        }
        if self.body.returns.is_some() {
            forms.push((1, "return"));
        }
        if self.body.loops > 0 {
            forms.push((2, "leave"));
        }
        if self.has(Feature::Closures) && !is_const {
            forms.push((2, "closure"));
        }
        if self.has(Feature::Patterns) && !is_const {
            forms.extend([(2, "destructure"), (1, "match")]);
            if self.body.returns.is_some() {
                forms.push((1, "let-else"));
            }
        }
        if depth > 0 {
            forms.extend([(2, "if"), (1, "block")]);
            if self.has(Feature::Loops) && self.body.affords(TURNS.unsigned_abs() * 2) {
                forms.extend([(1, "while"), (1, "loop")]);
                if !is_const {
                    forms.push((2, "for"));
                    if self.has(Feature::Collections) {
                        forms.push((1, "for-each"));
                    }
                }
            }
        }
        forms.into_iter().map(|(weight, name)| (weight, name.to_owned(), name)).collect()
    }

    /// A random type that a local here can have.
    fn local_type(&self, c: &mut Choices) -> Result<Type, Halt> {
        if self.body.is_const { self.constant_type(c) } else { self.some_type(c, 2) }
    }

    fn let_statement(&mut self, c: &mut Choices, kind: LocalKind, depth: usize) -> Result<String, Halt> {
        let (name, ty) = (self.name(c, "v")?, self.local_type(c)?);
        let value = self.expression(c, &ty, depth)?;
        let mutability = if matches!(kind, LocalKind::Variable) { "mut " } else { "" };
        let ascription = c.optional("ascription", 60, |_| Ok(format!(": {}", self.ty(&ty))))?.unwrap_or_default();
        self.body.add(&name, &ty, kind);
        Ok(format!("let {mutability}{name}{ascription} = {};", value.text()))
    }

    fn assign(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        let variables = self.body.locals.iter().filter(|local| matches!(local.kind, LocalKind::Variable));
        let variables = variables.map(|local| (1, local.name.clone(), local.clone())).collect();
        let local = pick(c, "variable", variables)?;
        let value = self.expression(c, &local.ty, depth)?;
        let operator = match local.ty {
            Type::Int(_) => *c.choose("assignment", &["=", "^=", "|="])?,
            _ => "=",
        };
        // A borrowed local is not assigned. The choice stays the same, so all traces stay valid.
        let assigned = if local.is_free() { format!("{} {operator}", local.name) } else { "let _ =".to_owned() };
        Ok(format!("{assigned} {};", value.text()))
    }

    /// A block of statements.
    fn inner_block(&mut self, c: &mut Choices, times: RangeInclusive<usize>, depth: usize) -> Result<String, Halt> {
        let outer = self.body.locals.len();
        let statements = c.group("block", |c| self.statements(c, times, depth))?;
        self.body.locals.truncate(outer);
        Ok(format!("{{ {statements} }}"))
    }

    /// The body of a loop with this many turns.
    fn looped(&mut self, c: &mut Choices, turns: u64, depth: usize) -> Result<String, Halt> {
        let (times, outer) = (self.body.times, self.body.locals.len());
        self.body.times = times.saturating_mul(turns.max(1));
        self.body.loops += 1;
        let statements = c.group("block", |c| self.statements(c, 1..=2, depth))?;
        self.body.loops -= 1;
        self.body.times = times;
        self.body.locals.truncate(outer);
        Ok(statements)
    }

    fn for_loop(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        let (name, turns) = (self.name(c, "n")?, c.range("turns", 1..=TURNS)?);
        let outer = self.body.locals.len();
        self.body.add(&name, &I32, LocalKind::Value);
        let block = self.looped(c, turns.unsigned_abs(), depth)?;
        self.body.locals.truncate(outer);
        Ok(format!("for {name} in 0..{turns}i32 {{ {block} }}"))
    }

    fn for_each(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        let (name, element) = (self.name(c, "e")?, self.some_type(c, 1)?);
        let list = self.expression(c, &Type::Vec(Box::new(element.clone())), depth)?;
        let outer = self.body.locals.len();
        self.body.add(&name, &element, LocalKind::Value);
        let block = self.looped(c, LONGEST, depth)?;
        self.body.locals.truncate(outer);
        Ok(format!("for {name} in {} {{ {block} }}", list.head()))
    }

    fn let_closure(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        let name = self.name(c, "k")?;
        let params = c.repeat("params", 0..=2, |c| self.some_type(c, 1))?;
        let returns = self.some_type(c, 1)?;
        let named: Vec<(&str, &Type)> = params.iter().map(|ty| ("a", ty)).collect();
        let before = self.body.cost;
        let closure = self.closure(c, &named, &returns, depth, 1)?;
        // Each call adds its cost; here it counts as one call.
        let cost = (self.body.cost - before) / self.body.times + 1;
        self.body.add(&name, &returns, LocalKind::Closure(params, cost));
        Ok(format!("let {name} = {closure};"))
    }

    /// `let (a, b) = ..;`
    fn destructure(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        let first = (self.name(c, "d")?, self.some_type(c, 1)?);
        let second = (self.name(c, "d")?, self.some_type(c, 1)?);
        let ty = Type::Tuple(vec![first.1.clone(), second.1.clone()]);
        let value = self.expression(c, &ty, depth)?;
        let text = format!("let ({}, {}) = {};", first.0, second.0, value.text());
        for (name, ty) in [first, second] {
            self.body.add(&name, &ty, LocalKind::Value);
        }
        Ok(text)
    }

    fn let_else(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        let of = self.matched_type(c, depth)?;
        let value = self.expression(c, &of, depth.min(DEPTH))?;
        let returns = self.body.returns.clone().unwrap_or(Type::Unit);
        let otherwise = self.expression(c, &returns, depth.min(1))?;
        let pattern = self.alternative_free(c, &of, 2)?;
        // It stays borrowed while the names of the pattern are in scope, and is not assigned after that either.
        let _ = self.hold_by(&pattern, &value);
        // A brace must not stand before `else`.
        Ok(format!("let {pattern} = ({}) else {{ return {}; }};", value.text(), otherwise.text()))
    }
}
