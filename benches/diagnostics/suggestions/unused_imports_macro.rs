// The suggestion to remove an import that a macro makes cuts the macro instead (rust-lang/rust#147855).
//@ tool: rustc
//@ lint: unused_imports
//@ new-error: expected identifier, found `;`
use std::rc::{Rc, Weak};

macro_rules! collections {
    ($($name:ident),*) => { use std::collections::{$($name),*}; };
}

collections!(HashMap, HashSet);

struct Node { name: String, children: Vec<Rc<Node>> }

impl Node {
    fn new(name: &str, children: Vec<Rc<Node>>) -> Rc<Node> { Rc::new(Node { name: name.to_string(), children }) }

    fn count(&self, names: &mut HashMap<String, usize>) {
        *names.entry(self.name.clone()).or_default() += 1;
        for child in &self.children { child.count(names); }
    }
}

fn main() {
    let leaf = Node::new("leaf", vec![]);
    let tree = Node::new("tree", vec![leaf.clone(), leaf]);
    let mut names = HashMap::new();
    tree.count(&mut names);
    let mut sorted: Vec<_> = names.into_iter().collect();
    sorted.sort();
    println!("{sorted:?}");
}
