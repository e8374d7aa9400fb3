// Why can a method that takes `&self` not start a thread that uses `self`?
//@ error: borrowed data escapes outside of (method|function|associated function)
//@ error: argument requires that `'\w+` must outlive `'static`
//@ code: \bthread\b(?s:.*)\bspawn\b
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

struct Station { name: String, samples: Vec<u32>, hooks: Vec<Box<dyn Fn(u32) -> u32 + Send + Sync>> }

impl Station {
    fn new(name: &str) -> Station { Station { name: name.into(), samples: vec![4, 8], hooks: Vec::new() } }

    fn hook(&mut self, hook: impl Fn(u32) -> u32 + Send + Sync + 'static) { self.hooks.push(Box::new(hook)); }

    fn apply(&self) -> Vec<u32> {
        self.samples.iter().map(|sample| self.hooks.iter().fold(*sample, |value, hook| hook(value))).collect()
    }

    fn publish(&self, to: Sender<u32>) -> JoinHandle<()> {
        thread::spawn(move || {
            for value in self.apply() { to.send(value).unwrap(); }
        })
    }

    fn announce(&self) -> JoinHandle<usize> {
        let name = self.name.clone();
        thread::spawn(move || name.len())
    }
}

fn collect(from: Receiver<u32>) -> Vec<u32> { from.iter().collect() }

fn main() {
    let mut station = Station::new("harbour");
    station.hook(|value| value * 2);
    let (to, from) = channel();
    let worker = station.publish(to);
    println!("{:?} {}", collect(from), station.announce().join().unwrap());
    worker.join().unwrap();
}
