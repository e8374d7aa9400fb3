//! Derivations in which some nodes are as short as their symbols allow.

use super::derivation::{Derivation, Symbol};
use super::productions::Grammar;

/// The nodes of a derivation, parents before their children.
pub(crate) struct Nodes<'t> {
    /// All nodes, with their children.
    all: Vec<(&'t Derivation, Vec<usize>)>,
    /// What is left of each where it is removed; none for one that has nothing shorter.
    shorter: Vec<Option<(usize, Derivation)>>,
    /// The parent of each node that has something shorter, among these.
    parents: Vec<Option<usize>>,
}

impl<'t> Nodes<'t> {
    pub(crate) fn of(tree: &'t Derivation, grammar: &Grammar) -> Self {
        let mut nodes = Self { all: Vec::new(), shorter: Vec::new(), parents: Vec::new() };
        let mut waiting: Vec<(&Derivation, Option<usize>, Option<usize>)> = vec![(tree, None, None)];
        while let Some((node, parent, outer)) = waiting.pop() {
            let index = nodes.all.len();
            nodes.all.push((node, Vec::new()));
            if let Some(parent) = parent {
                nodes.all[parent].1.push(index);
            }
            let is_inner = matches!(node.symbol(), Symbol::Nonterminal(_));
            let shortest = grammar.shortest(node.symbol()).filter(|it| is_inner && it.length() < node.length());
            let shorter = shortest.map(|shortest| (nodes.parents.len(), shortest));
            let own = shorter.as_ref().map(|(place, _)| *place);
            if own.is_some() {
                nodes.parents.push(outer);
            }
            nodes.shorter.push(shorter);
            waiting.extend(node.children().iter().rev().map(|child| (child, Some(index), own.or(outer))));
        }
        nodes
    }

    /// The derivation in which the nodes at these places, which are in order, are as short as possible.
    pub(crate) fn without(&self, places: &[usize]) -> Derivation {
        let mut made: Vec<Option<Derivation>> = vec![None; self.all.len()];
        for (index, (node, children)) in self.all.iter().enumerate().rev() {
            made[index] = Some(match &self.shorter[index] {
                Some((place, shortest)) if places.binary_search(place).is_ok() => shortest.clone(),
                _ if children.is_empty() => (*node).clone(),
                _ => {
                    let children =
                        children.iter().map(|&child| made[child].take().expect("it stands behind its parent"));
                    Derivation::new(node.symbol().clone(), children.collect())
                }
            });
        }
        made.swap_remove(0).expect("it is made last")
    }

    /// The symbols with nodes that have something shorter: how many characters their outermost nodes could lose, and the places
    /// of these.
    pub(crate) fn by_symbol(&self) -> Vec<(Symbol, usize, Vec<usize>)> {
        let mut found: Vec<(Symbol, usize, Vec<usize>)> = Vec::new();
        let mut symbols: Vec<&Symbol> = Vec::new();
        for ((node, _), shorter) in self.all.iter().zip(&self.shorter) {
            let Some((place, shortest)) = shorter else { continue };
            symbols.push(node.symbol());
            let mut outer = self.parents[*place];
            while let Some(above) = outer.filter(|&above| symbols[above] != node.symbol()) {
                outer = self.parents[above];
            }
            if outer.is_some() {
                continue;
            }
            let gain = node.length() - shortest.length();
            match found.iter_mut().find(|(symbol, ..)| symbol == node.symbol()) {
                Some((_, all, places)) => {
                    *all += gain;
                    places.push(*place);
                }
                None => found.push((node.symbol().clone(), gain, vec![*place])),
            }
        }
        found
    }
}
