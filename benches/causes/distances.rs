// bug: a road is stored in one direction only, so a route that takes it the other way looks for a key that is not there.
// run: main
// fails: no entry found for key
// fixed: (pair[0], pair[1]) => (pair[0].min(pair[1]), pair[0].max(pair[1]))
// keeps: "(\w*)","(\w*)".*"\2","\1"
use std::collections::BTreeMap;

struct Roads {
    lengths: BTreeMap<(&'static str, &'static str), u32>,
    tolls: BTreeMap<&'static str, u32>,
}

impl Roads {
    fn new(list: &[(&'static str, &'static str, u32)]) -> Roads {
        let mut roads = Roads { lengths: BTreeMap::new(), tolls: BTreeMap::new() };
        for (from, to, length) in list {
            roads.lengths.insert((*from, *to), *length);
            roads.tolls.insert(*from, length / 10);
        }
        roads
    }

    fn cost(&self, stops: &[&'static str]) -> u32 {
        let mut cost = 0;
        if let Some(first) = stops.first() {
            if *first != "Fell" {
                cost += self.tolls[first];
            }
        }
        for pair in stops.windows(2) {
            cost += self.lengths[&(pair[0], pair[1])];
        }
        cost
    }
}

fn main() {
    let roads = Roads::new(&[("Aston", "Barrow", 12), ("Aston", "Fell", 31), ("Barrow", "Clun", 25)]);
    println!("{}", roads.cost(&[]));
    println!("{}", roads.cost(&["Aston", "Barrow", "Clun"]));
    println!("{}", roads.cost(&["Fell", "Aston", "Barrow"]));
}
