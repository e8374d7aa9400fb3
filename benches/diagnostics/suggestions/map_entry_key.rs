// The suggested `entry` takes the key, which is used again in the block (rust-clippy#17081).
//@ tool: clippy
//@ lint: clippy::map_entry
//@ new-error: borrow of moved value
use std::collections::{BTreeMap, HashMap};

#[derive(Debug, Default)]
struct Stock { counts: HashMap<String, u32>, shelves: BTreeMap<u32, String> }

impl Stock {
    fn add(&mut self, article: String) {
        if !self.counts.contains_key(&article) {
            println!("new: {article}");
            self.counts.insert(article, 1);
        }
    }

    fn shelf(&mut self, number: u32, label: &str) {
        if !self.shelves.contains_key(&number) {
            self.shelves.insert(number, label.to_string());
        }
    }

    fn take(&mut self, article: &str) -> Option<u32> {
        let count = self.counts.get_mut(article)?;
        *count = count.saturating_sub(1);
        Some(*count)
    }
}

fn main() {
    let mut stock = Stock::default();
    for article in ["rope", "tent", "rope"] { stock.add(article.to_string()); }
    stock.shelf(3, "camping");
    println!("{:?} {:?}", stock.take("tent"), stock.shelves);
}
