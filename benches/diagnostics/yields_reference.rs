// Why does `.iter()` of a `Vec<u32>` not fit where an iterator of `u32` is asked for?
//@ error: to be an iterator that yields `([^`&]+)`, but it yields `&\1`
//@ error: required by a bound in|required by this bound in
//@ code: \.iter\(\)
use std::collections::BTreeMap;

trait Source {
    type Sample;
    fn read(&mut self) -> Option<Self::Sample>;
}

struct Sensor { at: u32 }
impl Source for Sensor {
    type Sample = u32;
    fn read(&mut self) -> Option<u32> { self.at += 7; (self.at < 50).then_some(self.at) }
}

fn drain<S: Source<Sample = u32>>(mut source: S) -> Vec<u32> {
    let mut all = Vec::new();
    while let Some(sample) = source.read() { all.push(sample); }
    all
}

fn histogram<I: Iterator<Item = u32>>(samples: I, width: u32) -> BTreeMap<u32, usize> {
    let mut bins = BTreeMap::new();
    for sample in samples { *bins.entry(sample / width).or_insert(0) += 1; }
    bins
}

fn main() {
    let samples = drain(Sensor { at: 1 });
    let fine = histogram(samples.iter().copied(), 2);
    let high = histogram(samples.iter().filter(|s| **s > 10), 5);
    for (bin, count) in fine.iter().chain(&high) { println!("{bin} {count}"); }
}
