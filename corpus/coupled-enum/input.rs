//@ edition: 2021
//@ compile-flags: --crate-type=lib --emit=metadata
//! The expressions of a query language: they are parsed elsewhere, and simplified and printed here.

use std::collections::BTreeSet;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Number(f64),
    Text(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Equal,
    Less,
    And,
    Or,
}

/// A condition on a row.
#[derive(Debug)]
pub enum Expr {
    Literal(Value),
    Column { table: Option<String>, name: String },
    Not(Box<Expr>),
    Binary(Box<Expr>, Operator, Box<Expr>),
    Between { value: Box<Expr>, low: Value, high: Value },
    Case { arms: Vec<(Expr, Expr)>, otherwise: Option<Expr> },
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
        }
    }
}

impl Operator {
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Equal => "=",
            Operator::Less => "<",
            Operator::And => "and",
            Operator::Or => "or",
        }
    }
}

impl Expr {
    pub fn column(name: &str) -> Self {
        match name.split_once('.') {
            Some((table, name)) => Expr::Column { table: Some(table.to_string()), name: name.to_string() },
            None => Expr::Column { table: None, name: name.to_string() },
        }
    }

    pub fn and(self, other: Expr) -> Self {
        Expr::Binary(Box::new(self), Operator::And, Box::new(other))
    }

    /// Without double negations.
    pub fn simplify(self) -> Self {
        match self {
            Expr::Not(inner) => match *inner {
                Expr::Not(inner) => inner.simplify(),
                inner => Expr::Not(Box::new(inner.simplify())),
            },
            Expr::Binary(left, operator, right) => {
                Expr::Binary(Box::new(left.simplify()), operator, Box::new(right.simplify()))
            }
            other => other,
        }
    }

    pub fn columns<'a>(&'a self, found: &mut BTreeSet<&'a str>) {
        match self {
            Expr::Literal(_) => {}
            Expr::Column { name, .. } => {
                found.insert(name);
            }
            Expr::Not(inner) | Expr::Between { value: inner, .. } => inner.columns(found),
            Expr::Binary(left, _, right) => {
                left.columns(found);
                right.columns(found);
            }
            Expr::Case { arms, otherwise } => {
                arms.iter().for_each(|(condition, value)| {
                    condition.columns(found);
                    value.columns(found);
                });
                if let Some(otherwise) = otherwise {
                    otherwise.columns(found);
                }
            }
        }
    }

    pub fn depth(&self) -> usize {
        match self {
            Expr::Literal(_) | Expr::Column { .. } => 1,
            Expr::Not(inner) | Expr::Between { value: inner, .. } => 1 + inner.depth(),
            Expr::Binary(left, _, right) => 1 + left.depth().max(right.depth()),
            Expr::Case { arms, .. } => 1 + arms.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
        }
    }
}

pub fn all(conditions: Vec<Expr>) -> Expr {
    let start = Expr::Literal(Value::Number(1.0));
    conditions.into_iter().fold(start, Expr::and).simplify()
}
