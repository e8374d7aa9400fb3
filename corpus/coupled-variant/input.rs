//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! A stack machine for the formulas of a spreadsheet: an assembler, the machine, and a printer.

use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Push(f64),
    Cell { column: u16, row: u32 },
    Add,
    Multiply,
    Negate,
    Call(String, u8),
    JumpIfZero(usize),
    Halt,
}

#[derive(Debug, PartialEq)]
pub enum Fault {
    Underflow(usize),
    UnknownFunction(String),
    Steps,
}

#[derive(Default)]
pub struct Sheet {
    cells: HashMap<(u16, u32), f64>,
}

impl Sheet {
    pub fn set(&mut self, column: u16, row: u32, value: f64) {
        self.cells.insert((column, row), value);
    }

    fn get(&self, column: u16, row: u32) -> f64 {
        self.cells.get(&(column, row)).copied().unwrap_or(0.0)
    }
}

/// `a + b * -c` for the first three cells of a row.
pub fn example(row: u32) -> Vec<Op> {
    vec![
        Op::Cell { column: 0, row },
        Op::Cell { column: 1, row },
        Op::Cell { column: 2, row },
        Op::Negate,
        Op::Multiply,
        Op::Add,
        Op::Halt,
    ]
}

pub fn average(row: u32, columns: u16) -> Vec<Op> {
    let mut ops: Vec<Op> = (0..columns).map(|column| Op::Cell { column, row }).collect();
    ops.push(Op::Call(String::from("sum"), columns as u8));
    ops.push(Op::JumpIfZero(ops.len() + 3));
    ops.push(Op::Push(1.0 / f64::from(columns)));
    ops.push(Op::Multiply);
    ops.push(Op::Halt);
    ops
}

pub fn run(ops: &[Op], sheet: &Sheet) -> Result<Option<f64>, Fault> {
    let mut stack: Vec<f64> = Vec::new();
    let mut at = 0;
    for _ in 0..10_000 {
        let Some(op) = ops.get(at) else { return Ok(stack.pop()) };
        at += 1;
        match op {
            Op::Push(value) => stack.push(*value),
            Op::Cell { column, row } => stack.push(sheet.get(*column, *row)),
            Op::Add | Op::Multiply => {
                let right = stack.pop().ok_or(Fault::Underflow(at))?;
                let left = stack.pop().ok_or(Fault::Underflow(at))?;
                stack.push(if *op == Op::Add { left + right } else { left * right });
            }
            Op::Negate => {
                let value = stack.pop().ok_or(Fault::Underflow(at))?;
                stack.push(-value);
            }
            Op::Call(name, count) => {
                let from = stack.len().checked_sub(usize::from(*count)).ok_or(Fault::Underflow(at))?;
                let arguments = stack.split_off(from);
                stack.push(match name.as_str() {
                    "sum" => arguments.iter().sum(),
                    "max" => arguments.iter().copied().fold(f64::MIN, f64::max),
                    _ => return Err(Fault::UnknownFunction(name.clone())),
                });
            }
            Op::JumpIfZero(target) => {
                if stack.last() == Some(&0.0) {
                    at = *target;
                }
            }
            Op::Halt => return Ok(stack.pop()),
        }
    }
    Err(Fault::Steps)
}

/// How an operation is written.
pub fn name(op: &Op) -> &str {
    match op {
        Op::Push(_) => "push",
        Op::Cell { .. } => "cell",
        Op::Add => "add",
        Op::Multiply => "multiply",
        Op::Negate => "negate",
        Op::Call(name, _) => name,
        Op::Halt => "halt",
    }
}

pub fn print(ops: &[Op]) -> String {
    ops.iter().enumerate().map(|(at, op)| format!("{at:04} {}\n", name(op))).collect()
}

pub fn depth(ops: &[Op]) -> i32 {
    let change = |op: &Op| match op {
        Op::Push(_) | Op::Cell { .. } => 1,
        Op::Add | Op::Multiply => -1,
        Op::Call(_, count) => 1 - i32::from(*count),
        Op::Negate | Op::JumpIfZero(_) | Op::Halt => 0,
    };
    ops.iter().map(change).sum()
}
