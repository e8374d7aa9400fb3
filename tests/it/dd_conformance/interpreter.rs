//! Runs programs that were checked.

use std::collections::HashMap;

use syn::{BinOp, Block, Expr, Item, ItemFn, Lit, Stmt};

use super::compiler::{Stop, Type, assertion, binding, characters, check, is_new, name_of, only, signature};

#[derive(Clone, PartialEq, Eq)]
enum Value {
    Bool(bool),
    Char(char),
    Text(String),
    Unit,
}

/// A program, of which all functions compile.
pub(crate) struct Program {
    functions: HashMap<String, ItemFn>,
}

impl Program {
    /// Compiles.
    pub(crate) fn new(text: &str) -> Result<Self, Stop> {
        // syn reads this as a quoted quote, rustc does not.
        only(!text.contains("'''"))?;
        let file = syn::parse_file(text).map_err(|_| Stop)?;
        let mut functions = HashMap::new();
        for item in file.items {
            let Item::Fn(function) = item else { return Err(Stop) };
            if functions.insert(function.sig.ident.to_string(), function).is_some() {
                return Err(Stop);
            }
        }
        let program = Self { functions };
        program.functions.values().try_for_each(check)?;
        Ok(program)
    }

    /// Whether there is a function of this name, from `&str` to `String`, and what it returns.
    pub(crate) fn run(&self, name: &str, input: &str) -> Result<String, Stop> {
        let function = self.functions.get(name).ok_or(Stop)?;
        let (parameters, returned) = signature(function)?;
        match &parameters[..] {
            [(name, Type::Str)] if returned == Type::String => {
                let mut frame = Frame { scopes: vec![(name.clone(), Value::Text(input.to_owned()))] };
                match frame.block(&function.block)? {
                    Value::Text(text) => Ok(text),
                    _ => Err(Stop),
                }
            }
            _ => Err(Stop),
        }
    }
}

/// Runs what was checked.
struct Frame {
    scopes: Vec<(String, Value)>,
}

impl Frame {
    fn place(&mut self, name: &str) -> Result<&mut Value, Stop> {
        self.scopes.iter_mut().rev().find(|(known, _)| known == name).map(|(_, value)| value).ok_or(Stop)
    }

    fn block(&mut self, block: &Block) -> Result<Value, Stop> {
        let outer = self.scopes.len();
        let mut value = Value::Unit;
        for stmt in &block.stmts {
            value = match stmt {
                Stmt::Local(local) => {
                    let value = self.expr(&local.init.as_ref().ok_or(Stop)?.expr)?;
                    self.scopes.push((binding(&local.pat)?.0, value));
                    Value::Unit
                }
                Stmt::Expr(expr, None) => self.expr(expr)?,
                Stmt::Expr(expr, Some(_)) => {
                    self.expr(expr)?;
                    Value::Unit
                }
                Stmt::Macro(stmt) => {
                    only(self.truth(&assertion(&stmt.mac)?)?)?;
                    Value::Unit
                }
                Stmt::Item(_) => return Err(Stop),
            };
        }
        self.scopes.truncate(outer);
        Ok(value)
    }

    fn truth(&mut self, expr: &Expr) -> Result<bool, Stop> {
        if let Value::Bool(truth) = self.expr(expr)? { Ok(truth) } else { Err(Stop) }
    }

    fn expr(&mut self, expr: &Expr) -> Result<Value, Stop> {
        Ok(match expr {
            Expr::Lit(it) => match &it.lit {
                Lit::Bool(it) => Value::Bool(it.value()),
                Lit::Char(it) => Value::Char(it.value()),
                Lit::Str(it) => Value::Text(it.value()),
                _ => return Err(Stop),
            },
            Expr::Path(_) => self.place(&name_of(expr).ok_or(Stop)?)?.clone(),
            Expr::Paren(it) => self.expr(&it.expr)?,
            Expr::Block(it) => self.block(&it.block)?,
            Expr::Unary(it) => Value::Bool(!self.truth(&it.expr)?),
            Expr::Binary(it) => Value::Bool(match it.op {
                BinOp::And(_) => self.truth(&it.left)? && self.truth(&it.right)?,
                BinOp::Or(_) => self.truth(&it.left)? || self.truth(&it.right)?,
                BinOp::Eq(_) => self.expr(&it.left)? == self.expr(&it.right)?,
                _ => self.expr(&it.left)? != self.expr(&it.right)?,
            }),
            Expr::Assign(it) => {
                let value = self.expr(&it.right)?;
                *self.place(&name_of(&it.left).ok_or(Stop)?)? = value;
                Value::Unit
            }
            Expr::If(it) => match (self.truth(&it.cond)?, &it.else_branch) {
                (true, _) => self.block(&it.then_branch)?,
                (false, Some((_, other))) => self.expr(other)?,
                (false, None) => Value::Unit,
            },
            Expr::ForLoop(it) => {
                let Value::Text(text) = self.expr(characters(&it.expr)?)? else { return Err(Stop) };
                let name = binding(&it.pat)?.0;
                for c in text.chars() {
                    self.scopes.push((name.clone(), Value::Char(c)));
                    self.block(&it.body)?;
                    self.scopes.pop();
                }
                Value::Unit
            }
            Expr::MethodCall(it) => {
                let argument = it.args.first().map(|arg| self.expr(arg)).transpose()?;
                match (self.place(&name_of(&it.receiver).ok_or(Stop)?)?, argument) {
                    (Value::Text(text), Some(Value::Char(c))) if it.method == "push" => {
                        text.push(c);
                        Value::Unit
                    }
                    (Value::Text(text), Some(Value::Char(c))) => Value::Bool(text.contains(c)),
                    (Value::Text(text), None) => Value::Bool(text.is_empty()),
                    _ => return Err(Stop),
                }
            }
            Expr::Call(it) if is_new(it) => Value::Text(String::new()),
            _ => return Err(Stop),
        })
    }
}
