//! A machine with a stack: an assembler with labels, the machine, a listing of programs.

#![allow(dead_code)]

use std::collections::HashMap;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Push(i64),
    Pop,
    Dup,
    Swap,
    Add,
    Sub,
    Mul,
    Div,
    Load(usize),
    Store(usize),
    Jump(usize),
    JumpIfZero(usize),
    Print,
    Halt,
}

#[derive(Debug, PartialEq)]
enum Fault {
    EmptyStack { at: usize },
    DivisionByZero { at: usize },
    NoCell(usize),
    OutOfSteps,
}

#[derive(Debug, PartialEq)]
enum AsmError {
    UnknownWord(String),
    UnknownLabel(String),
    NoArgument(usize),
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Push(value) => write!(f, "push {value}"),
            Op::Load(cell) => write!(f, "load ${cell}"),
            Op::Store(cell) => write!(f, "store ${cell}"),
            Op::Jump(target) => write!(f, "jump @{target}"),
            Op::JumpIfZero(target) => write!(f, "jz @{target}"),
            other => f.write_str(&format!("{other:?}").to_lowercase()),
        }
    }
}

/// Assembles a text, a word of the machine a line.
struct Assembler<'t> {
    lines: Vec<(usize, &'t str)>,
    labels: HashMap<&'t str, usize>,
}

impl<'t> Assembler<'t> {
    fn new(text: &'t str) -> Self {
        let mut lines = Vec::new();
        let mut labels = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if let Some(label) = line.strip_suffix(':') {
                labels.insert(label, lines.len());
            } else if !line.is_empty() {
                lines.push((number + 1, line));
            }
        }
        Self { lines, labels }
    }

    fn target(&self, label: &str) -> Result<usize, AsmError> {
        self.labels.get(label).copied().ok_or_else(|| AsmError::UnknownLabel(label.to_owned()))
    }

    fn assemble(&self) -> Result<Vec<Op>, AsmError> {
        let mut ops = Vec::with_capacity(self.lines.len());
        for &(number, line) in &self.lines {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default();
            let mut argument = || words.next().ok_or(AsmError::NoArgument(number));
            ops.push(match name {
                "push" => Op::Push(argument()?.parse().map_err(|_| AsmError::NoArgument(number))?),
                "pop" => Op::Pop,
                "dup" => Op::Dup,
                "swap" => Op::Swap,
                "add" => Op::Add,
                "sub" => Op::Sub,
                "mul" => Op::Mul,
                "div" => Op::Div,
                "load" => Op::Load(argument()?.parse().map_err(|_| AsmError::NoArgument(number))?),
                "store" => Op::Store(argument()?.parse().map_err(|_| AsmError::NoArgument(number))?),
                "jump" => Op::Jump(self.target(argument()?)?),
                "jz" => Op::JumpIfZero(self.target(argument()?)?),
                "print" => Op::Print,
                "halt" => Op::Halt,
                other => return Err(AsmError::UnknownWord(other.to_owned())),
            });
        }
        Ok(ops)
    }
}

#[derive(Debug, Default)]
struct Machine {
    stack: Vec<i64>,
    cells: [i64; 8],
    at: usize,
    steps: u64,
    printed: Vec<String>,
}

impl Machine {
    fn pop(&mut self) -> Result<i64, Fault> {
        self.stack.pop().ok_or(Fault::EmptyStack { at: self.at })
    }

    fn binary(&mut self, apply: impl Fn(i64, i64) -> Option<i64>) -> Result<(), Fault> {
        let (right, left) = (self.pop()?, self.pop()?);
        let value = apply(left, right).ok_or(Fault::DivisionByZero { at: self.at })?;
        self.stack.push(value);
        Ok(())
    }

    /// Exchanges a value with that below it.
    fn reorder(&mut self, at: usize) -> bool {
        self.stack.swap(at, at - 1);
        self.stack.len() > 1
    }

    fn cell(&mut self, number: usize) -> Result<&mut i64, Fault> {
        self.cells.get_mut(number).ok_or(Fault::NoCell(number))
    }

    /// Does one step; whether there is another one.
    fn step(&mut self, ops: &[Op]) -> Result<bool, Fault> {
        let Some(op) = ops.get(self.at) else { return Ok(false) };
        self.steps += 1;
        self.at += 1;
        match *op {
            Op::Push(value) => self.stack.push(value),
            Op::Pop => drop(self.pop()?),
            Op::Dup => {
                let value = self.pop()?;
                self.stack.extend([value, value]);
            }
            Op::Swap => {
                let last = self.stack.len() - 1;
                debug_assert!(last > 0 && self.reorder(last));
            }
            Op::Add => self.binary(|a, b| Some(a + b))?,
            Op::Sub => self.binary(|a, b| Some(a - b))?,
            Op::Mul => self.binary(|a, b| Some(a * b))?,
            Op::Div => self.binary(i64::checked_div)?,
            Op::Load(number) => {
                let value = *self.cell(number)?;
                self.stack.push(value);
            }
            Op::Store(number) => *self.cell(number)? = self.pop()?,
            Op::Jump(target) => self.at = target,
            Op::JumpIfZero(target) => {
                if self.pop()? == 0 {
                    self.at = target;
                }
            }
            Op::Print => {
                let value = self.pop()?;
                self.printed.push(value.to_string());
            }
            Op::Halt => return Ok(false),
        }
        Ok(true)
    }

    fn run(&mut self, ops: &[Op]) -> Result<(), Fault> {
        while self.step(ops)? {
            if self.steps > 10_000 {
                return Err(Fault::OutOfSteps);
            }
        }
        Ok(())
    }
}

/// Counts down from five.
const COUNT: &str = "
    push 5
    store 0
again:
    load 0
    jz end
    load 0
    print
    load 0
    push 1
    sub
    store 0
    jump again
end:
    halt
";

fn listing(ops: &[Op]) -> String {
    ops.iter().enumerate().map(|(at, op)| format!("{at:>4}  {op}\n")).collect()
}

fn main() {
    for (name, text) in [("count", COUNT), ("swap", "push 3\npush 8\nswap\nsub\nprint")] {
        let ops = Assembler::new(text).assemble().expect("it is a program");
        let mut machine = Machine::default();
        match machine.run(&ops) {
            Ok(()) => println!("{name}: {} steps, {}", machine.steps, machine.printed.join(" ")),
            Err(fault) => println!("{name}: {fault:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<Vec<String>, Fault> {
        let ops = Assembler::new(text).assemble().expect("it is a program");
        let mut machine = Machine::default();
        machine.run(&ops).map(|()| machine.printed)
    }

    #[test]
    fn a_sum_is_printed() {
        assert_eq!(run("push 2\npush 3\nadd\nprint"), Ok(vec!["5".to_owned()]));
    }

    #[test]
    fn an_empty_stack_is_a_fault() {
        assert_eq!(run("add"), Err(Fault::EmptyStack { at: 1 }));
    }
}
