//@ toolchain: nightly
//@ valid-by: +nightly -Znext-solver
//! An arena of nodes, and walks through it.
#![feature(type_ascription)]

use std::marker::PhantomData;
use std::ptr::NonNull;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Id<T> {
    index: usize,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    fn new(index: usize) -> Self {
        Id { index, of: PhantomData }
    }
}

struct Node<T> {
    value: T,
    next: Option<NonNull<Node<T>>>,
}

struct Arena<T> {
    nodes: Vec<Box<Node<T>>>,
}

impl<T> Arena<T> {
    fn new() -> Self {
        Arena { nodes: Vec::new() }
    }

    fn push(&mut self, value: T) -> Id<T> {
        let mut node = Box::new(Node { value, next: None });
        let at = NonNull::from(&mut *node);
        if let Some(last) = self.nodes.last_mut() {
            last.next = Some(at);
        }
        self.nodes.push(node);
        Id::new(self.nodes.len() - 1)
    }

    fn head(&self) -> Option<NonNull<Node<T>>> {
        self.nodes.first().map(|node| NonNull::from(&**node))
    }
}

/// Where a walk has come to: how often it went on, or the node that it could not leave.
union Walk<T> {
    steps: usize,
    at: NonNull<Node<T>>,
}

trait Visit<T> {
    fn visit(&mut self, value: &T) -> bool;
    fn done(self) -> usize
    where
        Self: Sized;
}

struct Counter(usize);

impl<T> Visit<T> for Counter {
    fn visit(&mut self, _: &T) -> bool {
        self.0 += 1;
        self.0 < 10
    }
    fn done(self) -> usize {
        self.0
    }
}

/// Goes on until the visitor has enough. The end of the walk is nobody's business.
fn walk<T, V: Visit<T>>(from: Option<NonNull<Node<T>>>, mut visitor: V, limit: usize) -> impl Sized {
    let mut steps = 0;
    let mut next = from;
    while let Some(at) = next {
        let node = unsafe { at.as_ref() };
        steps += 1;
        if !visitor.visit(&node.value) {
            return Walk::<T> { at };
        }
        if steps > limit {
            steps += unsafe { type_ascribe!(self::walk(node.next, visitor, limit - 1), Walk<T>).steps };
            return Walk { steps };
        }
        next = node.next;
    }
    Walk { steps: steps + visitor.done() }
}

fn evens(arena: &Arena<u32>) -> impl Iterator<Item = u32> + '_ {
    arena.nodes.iter().map(|node| node.value).filter(|value| value % 2 == 0)
}

fn parse(text: &str) -> Result<Arena<u32>, std::num::ParseIntError> {
    let mut arena = Arena::new();
    for word in text.split_whitespace() {
        arena.push(word.parse()?);
    }
    Ok(arena)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arena = parse("1 2 3 5 8 13 21 34")?;
    let end = walk(arena.head(), Counter(0), 3);
    drop(end);
    let mut names = Arena::new();
    let first = names.push(String::from("a"));
    let second = names.push(String::from("b"));
    println!("{} {} {}", first.index, second.index, first == second);
    println!("{:?}", evens(&arena).collect::<Vec<_>>());
    Ok(())
}
