// `insert` is there for a `HashMap`, so why does it not work with a struct of mine as the key?
//@ error: the method `\w+` exists for struct `HashMap<\w+, [^`]*>`, but its trait bounds were not satisfied
//@ error: doesn't satisfy `\w+: (Eq|Hash)`
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Debug, Clone, PartialEq)]
struct Cell { column: u32, row: u32 }

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Terrain { Grass, Water }

struct Map { cells: HashMap<Cell, Terrain>, counts: BTreeMap<Terrain, usize>, names: HashSet<String> }

impl Map {
    fn new() -> Map { Map { cells: HashMap::new(), counts: BTreeMap::new(), names: HashSet::new() } }

    fn put(&mut self, column: u32, row: u32, terrain: Terrain) {
        *self.counts.entry(terrain).or_insert(0) += 1;
        self.cells.insert(Cell { column, row }, terrain);
    }

    fn name(&mut self, name: &str) -> bool { self.names.insert(name.to_lowercase()) }

    fn most(&self) -> Option<Terrain> {
        let mut all: Vec<_> = self.counts.iter().collect();
        all.sort_by_key(|(_, count)| **count);
        all.last().map(|(terrain, _)| **terrain)
    }
}

fn main() {
    let mut map = Map::new();
    map.put(1, 2, Terrain::Water);
    map.put(1, 3, Terrain::Grass);
    println!("{} {:?} {}", map.cells.len(), map.most(), map.name("Delta"));
}
